import { isCurrencyCode } from '../../reference/currencies/index.ts'
import type { Configuration } from './store.ts'

/**
 * Whether a code is a currency for this platform now: one of the table, or a stablecoin of its own that is enabled
 * (cards-stablecoins 2.3). A coin that is disabled keeps its accounts and takes no new movements.
 */
export function isCurrencyOf({ coins }: Pick<Configuration, 'coins'>, code: string): boolean {
  return isCurrencyCode(code) || coins.includes(code)
}
