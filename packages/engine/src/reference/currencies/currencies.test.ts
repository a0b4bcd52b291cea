import { parseRate } from '@corridor/kernel'
import { describe, expect, it, test } from 'vitest'
import {
  canFundInRealtime,
  canNameCoin,
  currencies,
  currencyOf,
  decimalsOf,
  defaultPayoutRail,
  findCurrency,
  isCrypto,
  isCurrencyCode,
  isFiat,
  isPegged,
  isStablecoin,
  toCurrency,
} from './index.ts'

describe('the currency table', () => {
  it('has 42 currencies, each once, each with a rate that reads exactly', () => {
    expect(currencies).toHaveLength(42)
    expect(new Set(currencies.map((record) => record.code)).size).toBe(42)
    for (const { perUsd } of currencies) {
      expect(parseRate(perUsd).numerator).toBeGreaterThan(0n)
    }
  })

  test.each([
    ['VND', 0],
    ['UGX', 0],
    ['RWF', 0],
    ['XAF', 0],
    ['XOF', 0],
    ['USD', 2],
    ['JMD', 2],
    ['USDC', 6],
    ['USDT', 6],
    ['USDB', 6],
    ['BTC', 8],
  ])('%s has %d decimals', (code, decimals) => {
    expect(decimalsOf(code)).toBe(decimals)
  })

  test.each([
    ['USD', true, false, false],
    ['BTC', false, true, false],
    ['USDB', false, true, true],
  ])('%s: fiat %s, crypto %s, stablecoin %s', (code, fiat, crypto, stablecoin) => {
    expect([isFiat(code), isCrypto(code), isStablecoin(code)]).toEqual([fiat, crypto, stablecoin])
  })

  it('offers realtime funding exactly where an instant inbound rail exists', () => {
    const fundable = currencies.filter(({ code }) => canFundInRealtime(code)).map((record) => record.code)
    expect(fundable).toEqual('USD EUR GBP MXN BRL INR SGD BTC USDC USDT USDB'.split(' '))
    expect(currencyOf('USD').instantInboundRails).toEqual(['RTP', 'FEDNOW'])
  })

  it('names the rail of a payout, except for currencies that are only funded', () => {
    expect(defaultPayoutRail('EUR')).toBe('SEPA_INSTANT')
    expect(defaultPayoutRail('KES')).toBe('MOBILE_MONEY')
    expect(defaultPayoutRail('ARS')).toBeUndefined()
  })

  it('pegs the dollars to each other and nothing else', () => {
    const pegged = currencies.filter(({ code }) => isPegged('USDC', code)).map((record) => record.code)
    expect(pegged).toEqual(['USD', 'USDC', 'USDT', 'USDB'])
    expect(isPegged('EUR', 'EUR')).toBe(false)
  })
})

describe('lookups', () => {
  it('write the currency object of the API', () => {
    expect(toCurrency('VND')).toEqual({ code: 'VND', name: 'Vietnamese Dong', symbol: '₫', decimals: 0 })
  })

  it('know no code outside the table, in any spelling', () => {
    for (const code of ['XYZ', 'ACME', 'usd', '', 'toString', '__proto__']) {
      expect(findCurrency(code)).toBeUndefined()
      expect(isCurrencyCode(code)).toBe(false)
    }
    for (const code of ['usd', '', 'AB', '1AB', 'A:B', 'ABCDEFGHIJKLM', 'toString', '__proto__']) {
      expect(() => currencyOf(code)).toThrow('assertion failed')
      expect(canNameCoin(code)).toBe(false)
    }
    expect(canNameCoin('USDC')).toBe(false)
  })

  it("know what a platform's own coin is by its code: a dollar of six decimals", () => {
    for (const code of ['ACME', 'XYZ', 'AUTO101', 'ABCDEFGHIJKL']) {
      expect(canNameCoin(code)).toBe(true)
      expect(toCurrency(code)).toEqual({ code, name: code, symbol: code, decimals: 6 })
      expect(isStablecoin(code) && isPegged(code, 'USD') && !canFundInRealtime(code)).toBe(true)
    }
  })
})
