import { failed, ok } from '@corridor/kernel'
import { findCurrency } from '../currencies/index.ts'
import { getExchangeRates, remainingLifeSeconds, toSnapshot } from '../exchange-rates/index.ts'
import { fail } from '../http/errors.ts'
import { route } from '../http/operation.ts'
import { loadConfig } from '../platforms/index.ts'
import { priceList } from './price-list.ts'

export const exchangeRateRoutes = [
  route(getExchangeRates, async ({ adapters, database }, { scope, query }) => {
    const { sourceCurrency, destinationCurrency, sendingAmount = 10_000 } = query
    const named = [
      ...(sourceCurrency ?? []).map((currency) => ({ field: 'sourceCurrency', currency })),
      ...(destinationCurrency ?? []).map((currency) => ({ field: 'destinationCurrency', currency })),
    ]
    const unknown = named.find(({ currency }) => !findCurrency(currency))
    if (unknown) return failed(fail('INVALID_CURRENCY', unknown))

    const snapshot = toSnapshot(await adapters[scope.environment].rates.snapshot(scope.now))
    const data = priceList(await loadConfig(database, scope), snapshot, {
      sources: sourceCurrency,
      destinations: destinationCurrency,
      sendingAmountMinor: BigInt(sendingAmount),
    })
    const maxAge = remainingLifeSeconds(snapshot, scope.now)
    return ok({ status: 200, body: { data }, headers: { 'cache-control': `private, max-age=${maxAge}` } })
  }),
]
