import { assert, toWireAmount } from '@corridor/kernel'
import { currencies } from '../../reference/currencies/index.ts'
import { equivalentMinor, offlineSnapshot } from '../../reference/rates/index.ts'
import type { PlatformConfig } from './contract.ts'

type CurrencyConfig = PlatformConfig['supportedCurrencies'][number]

const defaultMaximumUsdMinor = 100_000_000n
const snapshot = offlineSnapshot(0)

/**
 * Every supported currency with the default limits of accounts 1.3: one smallest unit, and the
 * equivalent of 1,000,000.00 USD at the indicative rates.
 */
export function defaultCurrencyConfigs(): CurrencyConfig[] {
  return currencies.map(({ code }) => ({
    currencyCode: code,
    minAmount: 1,
    maxAmount: toWireAmount(maximumOf(code)),
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
  }))
}

function maximumOf(code: string): bigint {
  const maximum = equivalentMinor(snapshot, {
    amountMinor: defaultMaximumUsdMinor,
    source: 'USD',
    destination: code,
  })
  assert(maximum !== undefined, `the rate table has ${code}`)
  return maximum
}
