import { rate } from '@corridor/kernel'
import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SupportedCurrency } from '../../platform/platforms/index.ts'
import { currencies } from '../../reference/currencies/index.ts'
import { offlineSnapshot } from '../../reference/rates/index.ts'
import { type PricedConfiguration, priceList } from './price-list.ts'

const caseCount = effort(5_000, 200_000)

const codes = fc.constantFrom(...currencies.map(({ code }) => code))
const cases = fc.record({
  from: codes,
  to: codes,
  /** Up to the largest amount of a request, but for what a unit sent may bring beyond it. */
  magnitude: fc.integer({ min: 0, max: 9 }),
  digits: fc.integer({ min: 1, max: 8_900_000 }),
  bps: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 10_000 })),
  fixed: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 })),
  /** What the rates of the table have moved by. */
  moved: fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 })),
})

function supported(currencyCode: string): SupportedCurrency {
  return {
    currencyCode,
    minAmount: 1,
    maxAmount: 100_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING'],
  } as SupportedCurrency
}

it(`tells of an amount to be received the least that delivers it, at the same fees, over ${caseCount} random cases`, () => {
  let priced = 0
  fc.assert(
    fc.property(cases, ({ from, to, magnitude, digits, bps, fixed, moved }) => {
      const table = offlineSnapshot(0)
      const [up, down] = moved.map(BigInt) as [bigint, bigint]
      const perUsd = {
        ...table.perUsd,
        [to]: rate(table.perUsd[to]!.numerator * up, table.perUsd[to]!.denominator * down),
      }
      const snapshot = { ...table, perUsd }
      const config: PricedConfiguration = {
        supportedCurrencies: [from, to].map(supported),
        coins: [],
        feeConfigs: [
          {
            feeType: 'CROSS_CURRENCY_TRANSACTION',
            sourceCurrency: 'USD',
            variableFeeBps: bps,
            fixedFee: { amount: fixed, currency: 'USD' },
          },
        ],
      }
      const amountMinor = BigInt(digits) * 10n ** BigInt(magnitude)
      const listed = (lockedSide: 'SENDING' | 'RECEIVING', lockedAmountMinor: bigint) =>
        priceList(config, snapshot, { sources: [from], destinations: [to], lockedSide, lockedAmountMinor })
      const back = listed('RECEIVING', amountMinor)
      if ('tooMuchFor' in back) return back.tooMuchFor === from
      const [row] = back
      if (!row) {
        // Of no corridor, or one in which nothing arrives of ever so much.
        const much = listed('SENDING', 10n ** 12n)
        return !('tooMuchFor' in much) && (much[0]?.receivingAmount ?? 0) === 0
      }
      priced++
      const sendingMinor = BigInt(row.sendingAmount)
      const forth = listed('SENDING', sendingMinor)
      if ('tooMuchFor' in forth || BigInt(forth[0]!.receivingAmount) < amountMinor) return false
      if (row.receivingAmount !== Number(amountMinor)) return false
      const little = listed('SENDING', BigInt(digits % 1_000_000) + 1n)
      if ('tooMuchFor' in little || little.some(({ fees }) => fees.total < fees.fixed)) return false
      if (row.fees.total !== forth[0]!.fees.total || row.fees.fixed !== forth[0]!.fees.fixed) return false
      for (const less of [1n, 2n, 3n]) {
        if (sendingMinor <= less) break
        const short = listed('SENDING', sendingMinor - less)
        if ('tooMuchFor' in short || BigInt(short[0]!.receivingAmount) >= amountMinor) return false
      }
      return true
    }),
    { numRuns: caseCount },
  )
  // The generator must not refuse itself into an empty test.
  expect(priced).toBeGreaterThan(caseCount / 2)
})
