import { describe, expect, it, test } from 'vitest'
import { CRYPTO_NETWORKS } from '../account-types/index.ts'
import { currencies, isFiat } from '../currencies/index.ts'
import { isWithinBounds } from './choose-rail.ts'
import { chooseRail, isBankRail, isRailId, paymentRails, type RailId, railOf, rails } from './index.ts'
import { isInstant } from './rails.ts'
import { toRemittanceText } from './remittance.ts'

/** What carries money without being one of the API's rails. */
const others = [...CRYPTO_NETWORKS, 'LIGHTNING', 'UMA']

describe('the rail table', () => {
  it('declares every rail of the API and every network once', () => {
    expect(rails.map((rail) => rail.id).sort()).toEqual([...paymentRails, ...others].sort())
    expect(isRailId('CHEQUE')).toBe(false)
  })

  it('carries every currency on the rails that its row names', () => {
    for (const { code, usualRail, instantInboundRails } of currencies) {
      for (const id of [usualRail, ...instantInboundRails])
        expect(railOf(id).currencies, `${id} carries ${code}`).toContain(code)
    }
  })

  it('carries currencies that exist', () => {
    const codes = currencies.map(({ code }): string => code)
    for (const { id } of rails)
      expect(
        railOf(id).currencies.filter((code) => !codes.includes(code)),
        id,
      ).toEqual([])
  })

  it('reaches every country of every fiat currency', () => {
    for (const { code, countries } of currencies.filter(({ code }) => isFiat(code))) {
      const carrying = rails.map(({ id }) => railOf(id)).filter((rail) => rail.currencies.includes(code))
      for (const country of countries.filter((name) => name !== 'SV')) {
        const reached = carrying.some((rail) => rail.countries.includes(country))
        expect(reached, `${code} in ${country}`).toBe(true)
      }
    }
    expect(railOf('BANK_TRANSFER').countries).toContain('SV')
  })

  it('only hands over to rails that exist, and bounds only currencies it carries', () => {
    for (const { id } of rails) {
      const rail = railOf(id)
      if (rail.aboveMaximum) expect(isRailId(rail.aboveMaximum)).toBe(true)
      for (const code of Object.keys({ ...rail.minAmountMinor, ...rail.maxAmountMinor })) {
        expect(rail.currencies).toContain(code)
      }
    }
  })

  it('lets the bank family be cancelled, never UMA, Lightning or chains', () => {
    const never = rails.filter(({ id }) => !isBankRail(railOf(id))).map((rail) => rail.id)
    expect(never.sort()).toEqual([...others].sort())
    const onTheNetwork = rails.filter(({ id }) => railOf(id).capabilities.includes('CANCEL'))
    expect(onTheNetwork.map((rail) => rail.id)).toEqual(['ACH', 'WIRE'])
  })

  it('is instant exactly where accounts 1.1 says so', () => {
    const slow = rails.filter(({ id }) => !isInstant(railOf(id))).map((rail) => rail.id)
    expect(slow.sort()).toEqual(
      'ACH ACH_COLOMBIA BANK_TRANSFER BRE_B CIPS INSTAPAY NEFT PESONET RTGS SEPA SWIFT UNIONPAY WIRE'.split(
        ' ',
      ),
    )
  })
})

describe('chooseRail', () => {
  const usd: RailId[] = ['RTP', 'FEDNOW', 'ACH', 'WIRE']
  const eur: RailId[] = ['SEPA_INSTANT', 'SEPA']
  test.each<[RailId[], string, bigint, RailId | undefined]>([
    [usd, 'USD', 100n, 'RTP'],
    [usd, 'USD', 1_000_000_000n, 'RTP'],
    [usd, 'USD', 1_000_000_001n, 'WIRE'],
    [['FEDNOW', 'ACH', 'WIRE'], 'USD', 1_000_000_001n, 'WIRE'],
    [['RTP', 'FEDNOW', 'ACH'], 'USD', 1_000_000_001n, 'ACH'],
    [['ACH', 'WIRE'], 'USD', 1_000_000_001n, 'ACH'],
    [eur, 'EUR', 10_000_000n, 'SEPA_INSTANT'],
    [eur, 'EUR', 10_000_001n, 'SEPA'],
    [eur, 'DKK', 10_000_001n, 'SEPA_INSTANT'],
    [['UPI', 'NEFT', 'RTGS'], 'INR', 10_000_000n, 'UPI'],
    [['UPI', 'NEFT', 'RTGS'], 'INR', 10_000_001n, 'NEFT'],
    [['UPI', 'NEFT', 'RTGS'], 'INR', 20_000_001n, 'RTGS'],
    [['NEFT', 'RTGS'], 'INR', 20_000_000n, 'NEFT'],
    [['NEFT', 'RTGS'], 'INR', 20_000_001n, 'RTGS'],
    [['UPI'], 'INR', 10_000_001n, 'UPI'],
    [['PIX'], 'BRL', 1n, 'PIX'],
    [['MOBILE_MONEY', 'BANK_TRANSFER'], 'CNY', 1n, 'MOBILE_MONEY'],
    [['BANK_TRANSFER'], 'USD', 5_000_000_000n, 'BANK_TRANSFER'],
    [[], 'USD', 1n, undefined],
  ])('%j %s %d takes %s', (available, currency, amountMinor, expected) => {
    expect(chooseRail({ available, amountMinor, currency })).toBe(expected)
  })
})

describe('isWithinBounds', () => {
  test.each<[RailId, bigint, boolean]>([
    ['LIGHTNING', 999n, false],
    ['LIGHTNING', 1_000n, true],
    ['SPARK', 10_000_000n, true],
    ['SPARK', 10_000_001n, false],
    ['BITCOIN', 10_000_001n, true],
  ])('%s %d sat: %s', (id, amountMinor, expected) => {
    expect(isWithinBounds(railOf(id), 'BTC', amountMinor)).toBe(expected)
  })
})

describe('toRemittanceText', () => {
  test.each<[RailId, string, string | undefined]>([
    ['SEPA', 'Miete März #4 – danke', 'Miete M rz  4   danke'],
    ['SEPA', 'Cafe\u0301 🎉!', 'Caf'],
    ['ACH', 'Invoice #4 & more', 'Invoice #4 & more'],
    ['FASTER_PAYMENTS', 'INVOICE-2026-000123456', 'INVOICE-2026-00012'],
    ['SPEI', 'renta (marzo)', 'renta  marzo'],
    ['PIX', 'café 🎉', 'café 🎉'],
    ['PIX', 'two\nlines', 'two lines'],
    ['SOLANA', 'anything', undefined],
    ['MOBILE_MONEY', 'anything', undefined],
  ])('%s carries %j as %j', (id, text, expected) => {
    expect(toRemittanceText(railOf(id), text)).toBe(expected)
  })
})
