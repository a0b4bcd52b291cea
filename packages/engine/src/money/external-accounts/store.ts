import type { Id, Instant } from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { createKnownFacts, storedVersionOf } from '../../mechanisms/facts/known-facts.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { FactKind } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { BeneficiaryVerificationStatus, ExternalAccountStatus, OwnershipType } from './contract.ts'
import { type Details, openDetails } from './details.ts'

/** What opens an account, besides the database that holds it. */
export type Vault = Pick<Engine, 'database' | 'keys'>

export interface ExternalAccount extends Details {
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
  /** The canonical name; the alias that was sent stands in `accountInfo`. */
  readonly accountType: string
  readonly trusted: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Set once deleted: payments that name it still have to finish (accounts 4.11). */
  readonly deletedAt: Instant | null
}

const columns = `id, version, owner_id as "ownerId", platform_account_id as "platformAccountId", status,
  ownership_type as "ownershipType", currency, default_uma_deposit_account as "isDefaultUmaDepositAccount",
  beneficiary_verification_status as "beneficiaryVerificationStatus",
  account_type as "accountType", details as "detailsSealed",
  ${sealedKeyOf('external_accounts', 'owner_id')} as "sealedKey", trusted, created_at as "createdAt", updated_at as "updatedAt",
  deleted_at as "deletedAt"`

type ExternalAccountRow = Omit<ExternalAccount, keyof Details> & {
  readonly detailsSealed: string | null
  readonly sealedKey: string | null
}

function open(
  { keys }: Vault,
  book: Book,
  { detailsSealed, sealedKey, ...row }: ExternalAccountRow,
): ExternalAccount {
  const key = sealedKey === null ? null : keys.dataKey(book, row.ownerId, sealedKey)
  return { ...row, ...openDetails(key, row, detailsSealed) }
}

const load = statement(
  'externalAccounts.load',
  `select ${columns} from external_accounts
   where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)

/** Every row that an account is read from. */
const accountFact: FactKind = {
  name: 'external accounts',
  stampOf: (id) => `(
    select concat_ws(' ', a.version, ${storedVersionOf('a')},
      (select ${storedVersionOf('k')} from data_keys k
       where k.platform_id = a.platform_id and k.environment = a.environment and k.owner_id = a.owner_id))
    from external_accounts a where a.platform_id = $1 and a.environment = $2 and a.id = ${id})`,
}
const knownAccounts = createKnownFacts<ExternalAccountRow, ExternalAccount>(accountFact, {
  plain: batchedLoad(load),
  stamped: batchedLoad(
    statement(
      'externalAccounts.loadStamped',
      `select ${columns}, ${accountFact.stampOf('external_accounts.id')} as stamp from external_accounts
         where platform_id = $1 and environment = $2 and id = any($3::text[])`,
    ),
  ),
})

/** Accounts by id, in no particular order. Deleted ones are included; they have `deletedAt`. */
export async function loadExternalAccounts(
  vault: Vault,
  book: Book,
  ids: readonly string[],
): Promise<ExternalAccount[]> {
  return knownAccounts.load(vault.database, book, ids, (row) => open(vault, book, row))
}

export async function loadExternalAccount(
  vault: Vault,
  book: Book,
  id: string,
): Promise<ExternalAccount | undefined> {
  const [account] = await loadExternalAccounts(vault, book, [id])
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
  vault: Vault,
  book: Book,
  customerId: string,
): Promise<ExternalAccount | undefined> {
  const parameters = [book.platformId, book.environment, customerId]
  const [row] = await vault.database.read<ExternalAccountRow>(book, loadDefault, parameters)
  return row && open(vault, book, row)
}

const unhashed = statement(
  'externalAccounts.unhashed',
  `select id from external_accounts
   where platform_id = $1 and environment = $2 and id > $3 and details is not null and number_hash is null
   order by id limit $4`,
)

/** Accounts after `after`, by id, that are not found by their number. */
export async function loadUnhashed(
  database: Database,
  book: Book,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const parameters = [book.platformId, book.environment, after, limit]
  const rows = await database.read<{ id: string }>(book, unhashed, parameters)
  return rows.map(({ id }) => id)
}

const list = defineList<ExternalAccountRow>()({
  name: 'externalAccounts.list',
  table: 'external_accounts',
  columns,
  where: 'deleted_at is null',
  filters: {
    currency: equals('currency'),
    customerId: equals('owner_id'),
    isOfPlatform: `(owner_id = '${platformOwner}') = ?`,
  },
  kept: [
    { filters: { isOfPlatform: false }, total: { list: 'external_accounts', parts: ['CUSTOMERS'] } },
    { filters: { customerId: platformOwner }, total: { list: 'external_accounts', parts: ['PLATFORM'] } },
  ],
})

export async function listExternalAccounts(
  vault: Vault,
  book: Book,
  filters: Parameters<typeof list.read>[2],
  page: PageRequest,
): Promise<{ rows: ExternalAccount[]; totalCount: number }> {
  const { rows, totalCount } = await list.read(vault.database, book, filters, page)
  return { rows: rows.map((row) => open(vault, book, row)), totalCount }
}
