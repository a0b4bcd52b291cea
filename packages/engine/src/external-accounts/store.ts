import type { Id, Instant } from '@corridor/kernel'
import type { AccountInfo } from '../account-types/index.ts'
import { batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList } from '../db/list.ts'
import type { Book } from '../http/scope.ts'
import { platformOwner } from '../internal-accounts/index.ts'
import type { BeneficiaryVerificationStatus, ExternalAccountStatus, OwnershipType } from './contract.ts'

export interface ExternalAccount {
  readonly id: Id<'ExternalAccount'>
  readonly version: bigint
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  readonly platformAccountId: string | null
  readonly status: ExternalAccountStatus
  readonly ownershipType: OwnershipType | null
  readonly currency: string
  readonly isDefaultUmaDepositAccount: boolean
  readonly beneficiaryVerificationStatus: BeneficiaryVerificationStatus | null
  readonly beneficiaryVerifiedData: { readonly fullName?: string } | null
  /** The canonical name; the alias that was sent stands in `accountInfo`. */
  readonly accountType: string
  /** Normalised; holds personal data. */
  readonly accountInfo: AccountInfo
  readonly trusted: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Set once deleted: payments that name it still have to finish (accounts 4.11). */
  readonly deletedAt: Instant | null
}

const columns = `id, version, owner_id as "ownerId", platform_account_id as "platformAccountId", status,
  ownership_type as "ownershipType", currency, default_uma_deposit_account as "isDefaultUmaDepositAccount",
  beneficiary_verification_status as "beneficiaryVerificationStatus",
  beneficiary_verified_data as "beneficiaryVerifiedData", account_type as "accountType",
  account_info as "accountInfo", trusted, created_at as "createdAt", updated_at as "updatedAt",
  deleted_at as "deletedAt"`

const load = statement(
  'externalAccounts.load',
  `select ${columns} from external_accounts
   where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)

/** Accounts by id, deleted ones included and told by `deletedAt`. In no particular order. */
export const loadExternalAccounts = batchedLoad<ExternalAccount>(load)

export async function loadExternalAccount(
  database: Database,
  book: Book,
  id: string,
): Promise<ExternalAccount | undefined> {
  const [account] = await loadExternalAccounts(database, book, [id])
  return account
}

const loadDuplicate = statement(
  'externalAccounts.loadDuplicate',
  `select id from external_accounts
   where platform_id = $1 and environment = $2 and owner_id = $3 and duplicate_key = $4 and deleted_at is null`,
)

/** The account that the same owner has registered before with the same details (accounts 4.7). */
export async function loadDuplicateId(
  database: Database,
  book: Book,
  ownerId: string,
  duplicateKey: string,
): Promise<Id<'ExternalAccount'> | undefined> {
  const [row] = await database.read<{ id: Id<'ExternalAccount'> }>(book, loadDuplicate, [
    book.platformId,
    book.environment,
    ownerId,
    duplicateKey,
  ])
  return row?.id
}

const loadDefault = statement(
  'externalAccounts.loadDefault',
  `select ${columns} from external_accounts
   where platform_id = $1 and environment = $2 and owner_id = $3 and default_uma_deposit_account
     and deleted_at is null`,
)

/** Where incoming UMA payments of a customer are paid on to, if anywhere (accounts 4.8). */
export async function loadDefaultUmaDepositAccount(
  database: Database,
  book: Book,
  customerId: string,
): Promise<ExternalAccount | undefined> {
  const [account] = await database.read<ExternalAccount>(book, loadDefault, [
    book.platformId,
    book.environment,
    customerId,
  ])
  return account
}

export const externalAccountList = defineList<ExternalAccount>()({
  name: 'externalAccounts.list',
  table: 'external_accounts',
  columns,
  where: 'deleted_at is null',
  filters: {
    currency: 'currency = ?',
    customerId: 'owner_id = ?',
    isOfPlatform: `(owner_id = '${platformOwner}') = ?`,
  },
})
