import type { Id, Instant } from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { createKnownFacts, storedVersionOf } from '../../mechanisms/facts/known-facts.ts'
import type { FactKind } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type {
  CardTokenization2FAConfig,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
} from './contract.ts'
import type { PlatformSettings } from './platform-settings.ts'

/** The configuration of a book, with what the operator decided about it (customers 2). */
export interface Configuration {
  readonly id: Id<'PlatformConfig'>
  readonly version: bigint
  readonly umaDomain: string
  readonly webhookEndpoint: string | null
  readonly supportedCurrencies: readonly SupportedCurrency[]
  /** Codes of the platform's own stablecoins that are currencies now (cards-stablecoins 2.3). */
  readonly coins: readonly string[]
  readonly feeConfigs: readonly FeeConfig[]
  /** Whether what is owed is collected from later credits by itself. */
  readonly collectsReceivables: boolean
  readonly embeddedWalletConfig: EmbeddedWalletConfig | null
  readonly cardTokenization2faConfig: CardTokenization2FAConfig | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly settings: PlatformSettings
}

/** What the platform chose for a currency; what providers require is added when it is shown. */
export type SupportedCurrency = Omit<
  PlatformCurrencyConfig,
  'providerRequiredCustomerFields' | 'providerRequiredCounterpartyCustomerFields'
>

const columns = `c.id, c.version, c.uma_domain as "umaDomain", c.webhook_endpoint as "webhookEndpoint",
     c.supported_currencies as "supportedCurrencies", c.fee_configs as "feeConfigs",
     c.collects_receivables as "collectsReceivables",
     c.embedded_wallet_config as "embeddedWalletConfig",
     c.card_tokenization_2fa_config as "cardTokenization2faConfig",
     c.created_at as "createdAt", c.updated_at as "updatedAt", b.settings,
     array(select s.symbol from stablecoins s where s.platform_id = c.platform_id
             and s.environment = c.environment and s.enablement_status = 'ENABLED') as coins`
const table = `platform_configs c join books b on b.platform_id = c.platform_id and b.environment = c.environment`
const byId = 'c.platform_id = $1 and c.environment = $2 and c.id'

/** Every row that a configuration is read from. */
const configFact: FactKind = {
  name: 'configurations',
  stampOf: (id) => `(
    select concat_ws(' ', f.version, ${storedVersionOf('f')}, g.settings, array(select s.symbol from stablecoins s
      where s.platform_id = f.platform_id and s.environment = f.environment and s.enablement_status = 'ENABLED'
      order by s.symbol))
    from platform_configs f join books g on g.platform_id = f.platform_id and g.environment = f.environment
    where f.platform_id = $1 and f.environment = $2 and f.id = ${id})`,
}
const knownConfigs = createKnownFacts<Configuration>(configFact, {
  plain: batchedLoad(
    statement('platforms.loadConfig', `select ${columns} from ${table} where ${byId} = any($3::text[])`),
  ),
  stamped: batchedLoad(
    statement(
      'platforms.loadStamped',
      `select ${columns}, ${configFact.stampOf('c.id')} as stamp from ${table} where ${byId} = any($3::text[])`,
    ),
  ),
})

/** The configuration of a book; every book has one from the start. */
export async function loadConfig(database: Database, book: Book): Promise<Configuration> {
  const [configuration] = await knownConfigs.load(
    database,
    book,
    [`PlatformConfig:${book.platformId}`],
    (row) => row,
  )
  return configuration!
}

const domainHolder = statement(
  'platforms.domainHolder',
  'select holder as "platformId" from corridor_domain_holder($1) holder where holder is not null',
)

/** Which platform holds a UMA domain, if any (customers 2). The names are one space for all platforms. */
export async function loadDomainHolder(
  database: Database,
  book: Book,
  domain: string,
): Promise<string | undefined> {
  const [row] = await database.read<{ platformId: string }>(book, domainHolder, [domain])
  return row?.platformId
}
