import { parseRate, type Rate } from '@corridor/kernel'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { currencies } from '../currencies/index.ts'
import {
  allInExchangeRate,
  bitcoinPrice,
  crossRate,
  equivalentMinor,
  lookupExchangeRate,
  offlineSnapshot,
  quoteExchangeRate,
  remainingLifeSeconds,
  snapshotStamp,
  toWireRate,
  usdEquivalentMinor,
} from './rate-engine.ts'

const snapshot = offlineSnapshot(0)
const cross = (source: string, destination: string): Rate => crossRate(snapshot, { source, destination })!

describe('crossRate', () => {
  test.each([
    ['USD', 'EUR', '0.86'],
    ['USD', 'VND', '263'],
    ['VND', 'USD', '1/263'],
    ['USD', 'BTC', '200/19'],
    ['BTC', 'USD', '0.095'],
    ['USD', 'USDC', '10000'],
    ['USDC', 'USD', '1/10000'],
    ['USDC', 'USDT', '1'],
    ['EUR', 'GBP', '755/860'],
    ['XAF', 'XOF', '1'],
    ['EUR', 'EUR', '1'],
  ])('%s→%s is %s minor per minor', (source, destination, expected) => {
    expect(cross(source, destination)).toEqual(parseRate(expected))
  })

  it('keeps dollars at par when the market does not', () => {
    const depegged = { ...snapshot, perUsd: { ...snapshot.perUsd, USDC: parseRate('1.02') } }
    expect(crossRate(depegged, { source: 'USDC', destination: 'USD' })).toEqual(parseRate('1/10000'))
    expect(crossRate(depegged, { source: 'USDC', destination: 'EUR' })).not.toEqual(cross('USDC', 'EUR'))
  })

  it('applies a spread against the payer, but not to a currency against itself or at par', () => {
    const spread = (source: string, destination: string) =>
      crossRate(snapshot, { source, destination, spreadBps: 50 })
    expect(spread('USD', 'EUR')).toEqual(parseRate('0.8557'))
    expect(spread('USD', 'USD')).toEqual(parseRate('1'))
    expect(spread('USD', 'USDC')).toEqual(parseRate('10000'))
  })

  it('is undefined when a rate is missing', () => {
    const empty = { updatedAt: 0, perUsd: {} }
    expect(crossRate(empty, { source: 'USD', destination: 'EUR' })).toBeUndefined()
    expect(crossRate(empty, { source: 'EUR', destination: 'EUR' })).toEqual(parseRate('1'))
    expect(usdEquivalentMinor(empty, { amountMinor: 1n, currency: 'EUR' })).toBeUndefined()
    expect(bitcoinPrice(empty, 'EUR')).toBeUndefined()
  })

  it('leaves no arbitrage: there and back is 1, and a detour equals the direct way', () => {
    const code = fc.constantFrom(...currencies.map((record) => record.code))
    fc.assert(
      fc.property(code, code, code, (a, b, c) => {
        const times = (x: Rate, y: Rate) =>
          [x.numerator * y.numerator, x.denominator * y.denominator] as const
        const [backNumerator, backDenominator] = times(cross(a, b), cross(b, a))
        expect(backNumerator).toBe(backDenominator)
        const [numerator, denominator] = times(cross(a, b), cross(b, c))
        const direct = cross(a, c)
        expect(numerator * direct.denominator).toBe(denominator * direct.numerator)
      }),
    )
  })
})

describe('the three conventions of exchangeRate', () => {
  // source, destination, quote, lookup
  test.each([
    ['USD', 'EUR', 1.1627907, 0.86],
    ['USD', 'VND', 0.000038022814, 26300],
    ['USD', 'MXN', 0.054945055, 18.2],
    ['USD', 'PHP', 0.017094017, 58.5],
    ['USD', 'BTC', 95000, 0.000010526316],
    ['BTC', 'USD', 0.000010526316, 95000],
    ['USD', 'USD', 1, 1],
    ['USDC', 'USD', 1, 1],
    ['XAF', 'XOF', 1, 1],
  ])('%s→%s: %d on quotes, %d on lookups', (source, destination, quote, lookup) => {
    const pair = { source, destination }
    expect(toWireRate(quoteExchangeRate(cross(source, destination), pair))).toBe(quote)
    expect(toWireRate(lookupExchangeRate(cross(source, destination), pair))).toBe(lookup)
  })

  test.each([
    ['USD', 'EUR', 10_000n, 8557n, '1.16863387'],
    ['USD', 'EUR', 10_000n, 8488n, '1.17813384'],
    ['USD', 'USDC', 20_000n, 199_790_000n, '1.0010511'],
    ['USD', 'VND', 11_464n, 3_000_000n, '0.000038213333'],
    ['USD', 'EUR', 50n, 0n, '1.1627907'],
    ['USD', 'EUR', 0n, 0n, '1.1627907'],
  ])(
    '%s→%s %d for %d shows %s all-in',
    (source, destination, sendingAmountMinor, receivingAmountMinor, text) => {
      const shown = allInExchangeRate({
        sendingAmountMinor,
        receivingAmountMinor,
        cross: cross(source, destination),
        source,
        destination,
      })
      expect(shown).toBe(text)
    },
  )
})

describe('equivalents', () => {
  test.each([
    ['EUR', 430_000n, 500_000n],
    ['VND', 263n, 1n],
    ['VND', 131n, 0n],
    ['VND', 132n, 1n],
    ['BTC', 100_000n, 9_500n],
    ['USDC', 1_000_000n, 100n],
    ['USD', 7n, 7n],
  ])('%s %d is %d US cents', (currency, amountMinor, cents) => {
    expect(usdEquivalentMinor(snapshot, { amountMinor, currency })).toBe(cents)
  })

  it('price ten cents and a million dollars in any currency', () => {
    const inCurrency = (amountMinor: bigint, destination: string) =>
      equivalentMinor(snapshot, { amountMinor, source: 'USD', destination })
    expect(inCurrency(10n, 'EUR')).toBe(9n)
    expect(inCurrency(10n, 'VND')).toBe(2630n)
    expect(inCurrency(100_000_000n, 'EUR')).toBe(86_000_000n)
  })

  it('know the price of a bitcoin in minor units', () => {
    expect(bitcoinPrice(snapshot, 'USD')).toEqual(parseRate('9500000'))
    expect(bitcoinPrice(snapshot, 'EUR')).toEqual(parseRate('8170000'))
    expect(bitcoinPrice(snapshot, 'BTC')).toEqual(parseRate('100000000'))
    expect(bitcoinPrice(snapshot, 'USDC')).toEqual(parseRate('95000000000'))
  })
})

describe('snapshots', () => {
  test.each([
    [0, 0, 300],
    [1, 0, 299],
    [299_999, 0, 0],
    [300_000, 300_000, 300],
    [1_772_000_123_456, 1_772_000_100_000, 276],
  ])('at %d the stamp is %d with %d s left', (now, stamp, seconds) => {
    expect(snapshotStamp(now)).toBe(stamp)
    expect(offlineSnapshot(now).updatedAt).toBe(stamp)
    expect(remainingLifeSeconds(offlineSnapshot(now), now)).toBe(seconds)
  })

  it('never promise a negative life', () => {
    expect(remainingLifeSeconds(offlineSnapshot(0), 900_000)).toBe(0)
  })
})
