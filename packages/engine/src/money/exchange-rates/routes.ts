import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { isCurrencyOf, loadConfig } from '../../platform/platforms/index.ts'
import { remainingLifeSeconds, toSnapshot } from '../../reference/rates/index.ts'
import { fail, failFields } from '../../vocabulary/errors.ts'
import { getExchangeRates } from './contract.ts'
import { priceList } from './price-list.ts'

export const exchangeRateRoutes = [
  route(getExchangeRates, async ({ adapters, database }, { scope, query }) => {
    const { sourceCurrency, destinationCurrency, sendingAmount = 10_000, receivingAmount } = query
    const named = [
      ...(sourceCurrency ?? []).map((currency) => ({ field: 'sourceCurrency', currency })),
      ...(destinationCurrency ?? []).map((currency) => ({ field: 'destinationCurrency', currency })),
    ]
    const config = await loadConfig(database, scope)
    const unknown = named.find(({ currency }) => !isCurrencyOf(config, currency))
    if (unknown) return failed(fail('INVALID_CURRENCY', unknown))

    const snapshot = toSnapshot(await adapters[scope.environment].rates.snapshot(scope.now))
    const data = priceList(config, snapshot, {
      sources: sourceCurrency,
      destinations: destinationCurrency,
      ...(receivingAmount === undefined
        ? { lockedSide: 'SENDING', lockedAmountMinor: BigInt(sendingAmount) }
        : { lockedSide: 'RECEIVING', lockedAmountMinor: BigInt(receivingAmount) }),
    })
    if ('tooMuchFor' in data) {
      const field = receivingAmount === undefined ? 'sendingAmount' : 'receivingAmount'
      return failed(failFields([{ field, message: `is too large when converted to ${data.tooMuchFor}` }]))
    }
    const maxAge = remainingLifeSeconds(snapshot, scope.now)
    return ok({ status: 200, body: { data }, headers: { 'cache-control': `private, max-age=${maxAge}` } })
  }),
]
