import { describe, expect, it } from 'vitest'
import { exactRateOf } from './exact-rate.ts'

const usd = { code: 'USD', decimals: 2 }

describe('a rate out of the exact ratio of the smallest units', () => {
  it('is exact where its digits end, whatever the decimals of the currencies', () => {
    expect(exactRateOf('43/50', usd, { code: 'EUR', decimals: 2 })).toBe('1 USD = 0.86 EUR')
    expect(exactRateOf('508/2', usd, { code: 'VND', decimals: 0 })).toBe('1 USD = 25400 VND')
    expect(exactRateOf('1000/7', { code: 'VND', decimals: 0 }, usd)).toBe('1 VND ≈ 1.42857142 USD')
    expect(exactRateOf('1', usd, { code: 'USDC', decimals: 6 })).toBe('1 USD = 0.0001 USDC')
    expect(exactRateOf('9007199254740993', usd, { code: 'EUR', decimals: 2 })).toBe(
      '1 USD = 9007199254740993 EUR',
    )
  })

  it('says where digits were left out, and counts no zeros in front', () => {
    expect(exactRateOf('1/3', usd, { code: 'EUR', decimals: 2 })).toBe('1 USD ≈ 0.33333333 EUR')
    expect(exactRateOf('10/3', usd, { code: 'BTC', decimals: 8 })).toBe('1 USD ≈ 0.0000033333333 BTC')
  })

  it('is none of what is no ratio', () => {
    expect(exactRateOf('', usd, usd)).toBeUndefined()
    expect(exactRateOf('1/0', usd, usd)).toBeUndefined()
    expect(exactRateOf('-1/2', usd, usd)).toBeUndefined()
  })
})
