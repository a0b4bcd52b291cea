import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { AccountInfo } from '../../reference/account-types/index.ts'

/** What leads to a person: account numbers and names, kept as one sealed text. */
export interface Details {
  /** Normalised. */
  readonly accountInfo: AccountInfo
  readonly beneficiaryVerifiedData: { readonly fullName?: string } | null
}

export const sealedDetails: SealedColumn = {
  table: 'external_accounts',
  column: 'details',
  row: 'id',
  owner: 'owner_id',
  formerly: '{row}',
}

export function sealDetails(
  key: DataKey,
  id: string,
  { accountInfo, beneficiaryVerifiedData }: Details,
): string {
  return key.seal(sealedDetails, id, JSON.stringify({ accountInfo, beneficiaryVerifiedData }))
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
  return JSON.parse(key.open(sealedDetails, account.id, sealed)) as Details
}
