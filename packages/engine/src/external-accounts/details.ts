import type { AccountInfo } from '../account-types/index.ts'
import type { DataKey } from '../keys/data-keys.ts'

/** What leads to a person: account numbers and names, kept as one sealed text. */
export interface Details {
  /** Normalised. */
  readonly accountInfo: AccountInfo
  readonly beneficiaryVerifiedData: { readonly fullName?: string } | null
}

export function sealDetails(
  key: DataKey,
  id: string,
  { accountInfo, beneficiaryVerifiedData }: Details,
): string {
  return key.seal(id, JSON.stringify({ accountInfo, beneficiaryVerifiedData }))
}

/** Without its key an account tells its type and nothing else: its owner has been erased. */
export function openDetails(
  key: DataKey | null,
  account: { readonly id: string; readonly accountType: string },
  sealed: string | null,
): Details {
  if (!key || sealed === null) {
    return { accountInfo: { accountType: account.accountType }, beneficiaryVerifiedData: null }
  }
  return JSON.parse(key.open(account.id, sealed)) as Details
}
