import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Insert } from '../../vocabulary/decision.ts'
import type { Book, Environment, Scope } from '../../vocabulary/scope.ts'
import type {
  StablecoinGridOperationsStatus,
  StablecoinIssuanceStatus,
  StablecoinOperationStatus,
  StablecoinOperationType,
  StablecoinOperation as StablecoinOperationWire,
  StablecoinProviderAccountStatus,
} from './stablecoin-schemas.ts'

/** A platform's credentials at a provider. The secret is sealed and opened where the provider is called. */
export interface ProviderAccount {
  readonly id: Id<'StablecoinProviderAccount'>
  readonly version: bigint
  readonly provider: 'BRALE'
  readonly environment: Environment
  readonly providerAccountId: string
  readonly credentialsSealed: string
  readonly status: StablecoinProviderAccountStatus
  readonly lastVerifiedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface Coin {
  readonly id: Id<'Stablecoin'>
  readonly version: bigint
  readonly environment: Environment
  readonly providerAccountId: Id<'StablecoinProviderAccount'>
  readonly provider: 'BRALE'
  readonly name: string
  readonly symbol: string
  readonly baseCurrency: string
  readonly decimals: number
  readonly network: 'SPARK'
  readonly networkTokenIdentifier: string
  readonly providerTokenIdentifier: string
  readonly issuanceStatus: StablecoinIssuanceStatus
  readonly enablementStatus: StablecoinGridOperationsStatus
  /** When enabling was last requested. */
  readonly requestedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A mint or burn. `amountMinor` counts units of the coin. */
export interface CoinOperation {
  readonly id: Id<'StablecoinOperation'>
  readonly version: bigint
  readonly environment: Environment
  readonly coinId: Id<'Stablecoin'>
  readonly providerAccountId: Id<'StablecoinProviderAccount'>
  readonly operationType: StablecoinOperationType
  readonly status: StablecoinOperationStatus
  readonly amountMinor: bigint
  readonly source: NonNullable<StablecoinOperationWire['source']>
  readonly destination: NonNullable<StablecoinOperationWire['destination']>
  readonly fundingInstructions: Readonly<Record<string, string>> | null
  readonly description: string | null
  readonly expiresAt: Instant | null
  readonly providerStatus: string | null
  readonly failureReason: string | null
  /** When the funds were seen, or the provider took it on without waiting for any. */
  readonly startedAt: Instant | null
  readonly requestKey: string
  readonly requestFingerprint: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const linkColumns = `id, version, provider, environment, provider_account_id as "providerAccountId",
  credentials as "credentialsSealed", status, last_verified_at as "lastVerifiedAt", created_at as "createdAt",
  updated_at as "updatedAt"`
const coinColumns = `id, version, environment, provider_account_id as "providerAccountId", provider, name, symbol,
  base_currency as "baseCurrency", decimals::int as decimals, network,
  network_token_identifier as "networkTokenIdentifier", provider_token_identifier as "providerTokenIdentifier",
  issuance_status as "issuanceStatus", enablement_status as "enablementStatus", requested_at as "requestedAt",
  created_at as "createdAt", updated_at as "updatedAt"`
const operationColumns = `id, version, environment, coin_id as "coinId", provider_account_id as "providerAccountId",
  operation_type as "operationType", status, amount as "amountMinor", source, destination,
  funding_instructions as "fundingInstructions", description, expires_at as "expiresAt",
  provider_status as "providerStatus", failure_reason as "failureReason", started_at as "startedAt",
  request_key as "requestKey", request_fingerprint as "requestFingerprint", created_at as "createdAt",
  updated_at as "updatedAt"`

const ofBook = 'platform_id = $1 and environment = $2'

const linkById = statement(
  'stablecoins.link',
  `select ${linkColumns} from stablecoin_provider_accounts where ${ofBook} and id = $3`,
)
const linksOfBook = statement(
  'stablecoins.links',
  `select ${linkColumns} from stablecoin_provider_accounts where ${ofBook} and status <> 'REVOKED'
   order by created_at, id limit 1000`,
)
const revokedLinks = statement(
  'stablecoins.anyRevokedLink',
  `select ${linkColumns} from stablecoin_provider_accounts where ${ofBook} and status = 'REVOKED'
   order by created_at desc, id desc limit 2`,
)
const coinById = statement(
  'stablecoins.coin',
  `select ${coinColumns} from stablecoins where ${ofBook} and id = $3`,
)
const coinBySymbol = statement(
  'stablecoins.coinBySymbol',
  `select ${coinColumns} from stablecoins where ${ofBook} and symbol = $3
     and enablement_status in ('ENABLING', 'ENABLED', 'DISABLED')`,
)
const operationById = statement(
  'stablecoins.operation',
  `select ${operationColumns} from stablecoin_operations where ${ofBook} and id = $3`,
)
const operationByKey = statement(
  'stablecoins.operationByKey',
  `select ${operationColumns} from stablecoin_operations where ${ofBook} and request_key = $3`,
)

async function one<R>(database: Database, book: Book, text: typeof linkById, key: string) {
  const [row] = await database.read<R>(book, text, [book.platformId, book.environment, key])
  return row
}

export const loadLink = (database: Database, book: Book, id: string) =>
  one<ProviderAccount>(database, book, linkById, id)
export const loadCoin = (database: Database, book: Book, id: string) =>
  one<Coin>(database, book, coinById, id)
/** The coin of the book that holds this currency code, if one does. */
export const loadCoinBySymbol = (database: Database, book: Book, symbol: string) =>
  one<Coin>(database, book, coinBySymbol, symbol)
export const loadOperation = (database: Database, book: Book, id: string) =>
  one<CoinOperation>(database, book, operationById, id)
/** The operation that an earlier, unfinished request with the same idempotency key has begun. */
export const loadOperationByKey = (database: Database, book: Book, requestKey: string) =>
  one<CoinOperation>(database, book, operationByKey, requestKey)

/** What may be used without being named: the links that are not revoked, or else a revoked one for its code. */
export async function loadLinks(database: Database, book: Book): Promise<ProviderAccount[]> {
  const parameters = [book.platformId, book.environment]
  const links = await database.read<ProviderAccount>(book, linksOfBook, parameters)
  return links.length > 0 ? links : database.read<ProviderAccount>(book, revokedLinks, parameters)
}

export const linkList = defineList<ProviderAccount>()({
  name: 'stablecoins.linkList',
  table: 'stablecoin_provider_accounts',
  columns: linkColumns,
  filters: { provider: equals('provider'), status: equals('status') },
})
export const coinList = defineList<Coin>()({
  name: 'stablecoins.coinList',
  table: 'stablecoins',
  columns: coinColumns,
  filters: {
    issuanceStatus: equals('issuance_status'),
    gridOperationsStatus: equals('enablement_status'),
    provider: equals('provider'),
  },
})
export const operationList = defineList<CoinOperation>()({
  name: 'stablecoins.operationList',
  table: 'stablecoin_operations',
  columns: operationColumns,
  filters: { coinId: equals('coin_id'), operationType: equals('operation_type') },
  always: ['coinId'],
})

const bookOfCoin = statement(
  'stablecoins.bookOfCoin',
  'select platform_id as "platformId", environment from stablecoins where id = $1',
)
const bookOfLink = statement(
  'stablecoins.bookOfLink',
  'select platform_id as "platformId", environment from stablecoin_provider_accounts where id = $1',
)

/** In which book a coin or a link is; for the operator. */
export async function findBookOf(
  database: Database,
  kind: 'COIN' | 'LINK',
  id: string,
): Promise<Book | undefined> {
  const text = kind === 'COIN' ? bookOfCoin : bookOfLink
  const [row] = await database.system((connection) => connection.query<Book>(text, [id]))
  return row
}

const forget = statement(
  'stablecoins.forgetCreated',
  `delete from stablecoin_operations where ${ofBook} and id = $3 and status = 'CREATED'`,
)

/** Takes back the record of an operation that the provider did not take on. */
export function forgetCreated(book: Book, id: string) {
  return { statement: forget, parameters: [book.platformId, book.environment, id] }
}

/** What the operator decided about a coin or a link, and why. */
export interface OperatorDecision {
  readonly subjectId: Id<'Stablecoin'> | Id<'StablecoinProviderAccount'>
  readonly decision: 'APPROVE' | 'DECLINE' | 'DISABLE' | 'RE_ENABLE' | 'REVOKE'
  readonly reason: string
  readonly actorId: string
  readonly createdAt: Instant
}

export function decisionRow(
  scope: Scope,
  {
    id,
    subjectId,
    decision,
    reason,
  }: { readonly id: string; readonly subjectId: string } & Pick<OperatorDecision, 'decision' | 'reason'>,
): Insert {
  const row = { id, subject_id: subjectId, decision, reason, actor_id: scope.actor.id }
  return { table: 'stablecoin_decisions', row: { ...row, created_at: toTimestamp(scope.now) } }
}

const decisionsOf = statement(
  'stablecoins.decisions',
  `select subject_id as "subjectId", decision, reason, actor_id as "actorId", created_at as "createdAt"
   from stablecoin_decisions where ${ofBook} and subject_id = any($3::text[])
   order by created_at desc, id desc limit 100`,
)

/** About any of these, the latest first. */
export async function loadDecisions(
  database: Database,
  book: Book,
  subjectIds: readonly string[],
): Promise<OperatorDecision[]> {
  const parameters = [book.platformId, book.environment, subjectIds]
  return database.read<OperatorDecision>(book, decisionsOf, parameters)
}
