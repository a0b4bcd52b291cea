import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { divideRates, multiplyRates, one, parseRate, rate, toDecimal } from './rate.ts'

const positive = fc.bigInt({ min: 1n, max: 10n ** 18n })
const rates = fc.tuple(positive, positive).map(([numerator, denominator]) => rate(numerator, denominator))

describe('parseRate', () => {
  test.each([
    ['0.755', 151n, 200n],
    ['1', 1n, 1n],
    ['1.0', 1n, 1n],
    ['18.20', 91n, 5n],
    ['1/95000', 1n, 95000n],
    ['2/4', 1n, 2n],
    ['0.00000001', 1n, 100000000n],
  ])('%s', (text, numerator, denominator) => {
    expect(parseRate(text)).toEqual({ numerator, denominator })
  })

  test.each(['', '0', '0.0', '1/0', '0/5', '-1', '.5', '5.', '1e3', ' 1', '1,5', 'NaN'])(
    'refuses %j',
    (text) => {
      expect(() => parseRate(text)).toThrow('assertion failed')
    },
  )
})

describe('rate arithmetic', () => {
  it('is exact: multiplying and dividing by the same rate changes nothing', () => {
    fc.assert(
      fc.property(rates, rates, (a, b) => {
        expect(divideRates(multiplyRates(a, b), b)).toEqual(a)
        expect(multiplyRates(a, b)).toEqual(multiplyRates(b, a))
        expect(divideRates(a, a)).toEqual(one)
      }),
    )
  })

  it('keeps lowest terms, so that equal rates are equal objects', () => {
    fc.assert(
      fc.property(positive, positive, positive, (numerator, denominator, factor) => {
        expect(rate(numerator * factor, denominator * factor)).toEqual(rate(numerator, denominator))
      }),
    )
  })
})

describe('toDecimal', () => {
  test.each([
    [100n, 86n, '1.1627907'],
    [1n, 1n, '1'],
    [0n, 7n, '0'],
    [95000n, 1n, '95000'],
    [1n, 95000n, '0.000010526316'],
    [1n, 26300n, '0.000038022814'],
    [10n, 182n, '0.054945055'],
    [10n, 585n, '0.017094017'],
    [10000n, 8557n, '1.16863387'],
    [1n, 10n, '0.1'],
    [1n, 8n, '0.125'],
    [99999995n, 1000000000n, '0.099999995'],
    [999999996n, 10000000000n, '0.1'],
    [199999999n, 100000000n, '1.99999999'],
    [1999999995n, 1000000000n, '2'],
    [1n, 10n ** 60n, `0.${'0'.repeat(59)}1`],
    [1n, 3n * 10n ** 45n, `0.${'0'.repeat(45)}33333333`],
  ])('%d ÷ %d reads %s', (numerator, denominator, text) => {
    expect(toDecimal(numerator, denominator)).toBe(text)
  })

  it('shows twelve significant digits on request', () => {
    expect(toDecimal(199000n, 19n, { fractionDigits: 0, significantDigits: 12 })).toBe('10473.6842105')
  })

  it('is off by at most half of its last digit, and that digit is at least the eighth', () => {
    fc.assert(
      fc.property(positive, positive, (numerator, denominator) => {
        const text = toDecimal(numerator, denominator)
        const shown = parseRate(text)
        const error = shown.numerator * denominator - numerator * shown.denominator
        const distance = error < 0n ? -error : error
        // error/(shown.d × denominator) ≤ 10^-8 / 2, and relative to the value ≤ 10^-7 / 2
        expect(2n * distance * 10n ** 8n <= shown.denominator * denominator).toBe(true)
        expect(2n * distance * 10n ** 7n <= numerator * shown.denominator).toBe(true)
        expect(text).not.toMatch(/\.\d*0$|\.$/)
      }),
    )
  })
})
