import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Book } from '../http/scope.ts'
import type { FeeConfig, PlatformCurrencyConfig } from '../platforms/index.ts'

/** The part of a platform's configuration that prices depend on. */
export interface PricingConfig {
  readonly supportedCurrencies: readonly PlatformCurrencyConfig[]
  readonly feeConfigs: readonly FeeConfig[]
}

const load = statement(
  'exchangeRates.loadConfig',
  `select supported_currencies as "supportedCurrencies", fee_configs as "feeConfigs"
   from platform_configs where platform_id = $1 and environment = $2`,
)

export async function loadPricingConfig(database: Database, book: Book): Promise<PricingConfig> {
  const [row] = await database.read<PricingConfig>(book, load, [book.platformId, book.environment])
  return row ?? { supportedCurrencies: [], feeConfigs: [] }
}
