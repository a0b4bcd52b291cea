import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { UmaMajor } from '../uma-peers/index.ts'

export const sealedPreimages: SealedColumn = { table: 'uma_payments', column: 'preimage', row: 'id' }

/** A platform's UMA domain, as a peer has named it. */
export interface Tenant extends Book {
  readonly domain: string
}

const byDomain = statement(
  'uma.tenantByDomain',
  `select platform_id as "platformId", environment, domain from uma_domains
   where domain = $1 and environment = coalesce($2, environment) order by environment limit 1`,
)
const byLabel = statement(
  'uma.tenantByLabel',
  `select platform_id as "platformId", environment, domain from uma_domains where label = $1
     and domain <> all ($2::text[]) order by environment, claim limit 1`,
)

/** Whose domain it is; where no environment is named, production before the sandbox. */
export async function findTenant(
  database: Database,
  domain: string,
  environment?: Environment,
): Promise<Tenant | undefined> {
  const [tenant] = await database.system((connection) =>
    connection.query<Tenant>(byDomain, [domain, environment ?? null]),
  )
  return tenant
}

/**
 * Whose proxy subdomain it is. Of domains that begin alike the first to be taken has it, and production before the sandbox:
 * no tenant can end the subdomain of another, and none of the sandbox one of production. `except`: domains that do not count.
 */
export async function findTenantByLabel(
  database: Database,
  label: string,
  except: readonly string[],
): Promise<Tenant | undefined> {
  const [tenant] = await database.system((connection) => connection.query<Tenant>(byLabel, [label, except]))
  return tenant
}

/** A lookup that a peer made, to which a pay request may follow. */
export interface ServedLookup extends Book {
  readonly id: string
  readonly peerDomain: string
  readonly customerId: string
  /** The version that it was made in, and that its pay request has to be made in. */
  readonly major: UmaMajor
  readonly expiresAt: Instant
}

const lookup = statement(
  'uma.servedLookup',
  `select platform_id as "platformId", environment, id, peer_domain as "peerDomain", customer_id as "customerId",
     major_version as "major", expires_at as "expiresAt" from uma_requests where id = $1`,
)

export async function findServedLookup(database: Database, id: string): Promise<ServedLookup | undefined> {
  const [row] = await database.system((connection) => connection.query<ServedLookup>(lookup, [id]))
  return row
}

export const forgetLookups = statement(
  'uma.forgetLookups',
  'delete from uma_requests where platform_id = $1 and environment = $2 and expires_at <= $3',
)

/** What a peer may settle, or has settled. */
export interface PromisedPayment {
  /** The payment hash. */
  readonly id: string
  readonly version: bigint
  readonly transactionId: string
  readonly peerDomain: string
  readonly payerUma: string
  readonly payeeUma: string
  readonly amountMsats: bigint
  readonly layer: 'BILATERAL' | 'LIGHTNING'
  /** What signed the pay request; null for what was promised before it was kept. */
  readonly peerSigningKey: string | null
  /** How much the peer might owe when it was promised; null within this installation. */
  readonly creditLineMsats: bigint | null
  readonly preimageSealed: string
  /** Where the peer wants to be told afterwards. */
  readonly utxoCallback: string | null
  readonly expiresAt: Instant
  readonly settledAt: Instant | null
}

const bookOfHash = statement(
  'uma.bookOfHash',
  'select platform_id as "platformId", environment from uma_payments where id = $1',
)
const payment = statement(
  'uma.promisedPayment',
  `select id, version, transaction_id as "transactionId", peer_domain as "peerDomain", payer_uma as "payerUma",
     payee_uma as "payeeUma", amount_msats as "amountMsats", layer, peer_signing_key as "peerSigningKey",
     credit_line_msats as "creditLineMsats", utxo_callback as "utxoCallback", preimage as "preimageSealed",
     expires_at as "expiresAt", settled_at as "settledAt"
   from uma_payments where platform_id = $1 and environment = $2 and id = $3`,
)

export async function findBookOfHash(database: Database, hash: string): Promise<Book | undefined> {
  const [book] = await database.system((connection) => connection.query<Book>(bookOfHash, [hash]))
  return book
}

export async function loadPromised(
  database: Database,
  book: Book,
  hash: string,
): Promise<PromisedPayment | undefined> {
  const [row] = await database.read<PromisedPayment>(book, payment, [book.platformId, book.environment, hash])
  return row
}

const travelRuleInfo = statement(
  'uma.travelRuleInfo',
  `select platform_id as "platformId", environment, payer_uma as "payerUma", payee_uma as "payeeUma",
     peer_domain as "peerDomain", travel_rule_info as ciphertext
   from uma_payments where transaction_id = $1`,
)

export interface StoredTravelRuleInfo extends Book {
  readonly payerUma: string
  readonly payeeUma: string
  readonly peerDomain: string
  readonly ciphertext: string | null
}

/** In whichever book: for the operator. */
export async function findTravelRuleInfo(
  database: Database,
  transactionId: string,
): Promise<StoredTravelRuleInfo | undefined> {
  const [row] = await database.system((connection) =>
    connection.query<StoredTravelRuleInfo>(travelRuleInfo, [transactionId]),
  )
  return row
}
