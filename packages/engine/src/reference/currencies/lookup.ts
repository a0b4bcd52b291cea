import { assert } from '@corridor/kernel'
import type { RailId } from '../rails/index.ts'
import { type CurrencyCode, type CurrencyRecord, currencies } from './currencies.ts'

const currencyByCode = new Map<string, CurrencyRecord>(currencies.map((record) => [record.code, record]))

/**
 * A platform's own stablecoin, once it is a currency (cards-stablecoins 2.3). Which codes are one a platform's
 * configuration says; what they are follows from the code, because only dollar coins of six decimals may become
 * currencies: two platforms may have coins of one name.
 */
const coinCode = /^[A-Z][A-Z0-9]{2,11}$/
export const coinDecimals = 6

function coinOf(code: string): CurrencyRecord | undefined {
  if (!coinCode.test(code)) return undefined
  return {
    code: code as CurrencyCode,
    name: code,
    symbol: code,
    decimals: coinDecimals,
    kind: 'STABLECOIN',
    perUsd: '1',
    usualRail: 'SPARK',
    instantInboundRails: [],
    countries: [],
    isFundingOnly: false,
  }
}

/** Whether a stablecoin may be a currency under this code: it reads like one, and no other has it. */
export function canNameCoin(code: string): boolean {
  return coinCode.test(code) && !currencyByCode.has(code)
}

/** The currency object of the API. */
export interface Currency {
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/**
 * The currency of a code from outside, or undefined: the caller answers INVALID_CURRENCY. The coins of a platform
 * are in its configuration.
 */
export function findCurrency(code: string): CurrencyRecord | undefined {
  return currencyByCode.get(code)
}

/** The currency of a code that was checked when it came in. */
export function currencyOf(code: string): CurrencyRecord {
  const record = currencyByCode.get(code) ?? coinOf(code)
  assert(record, `${code} is a currency of the table or can be one of a platform`)
  return record
}

export function isCurrencyCode(code: string): code is CurrencyCode {
  return currencyByCode.has(code)
}

export function toCurrency(code: string): Currency {
  const { name, symbol, decimals } = currencyOf(code)
  return { code, name, symbol, decimals }
}

export function decimalsOf(code: string): number {
  return currencyOf(code).decimals
}

/** An amount for people to read: `200.00 EUR`. */
export function formatMinor(amountMinor: bigint, code: string): string {
  const decimals = decimalsOf(code)
  const digits = amountMinor.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${decimals === 0 ? digits : `${whole}.${digits.slice(-decimals)}`} ${code}`
}

export function isFiat(code: string): boolean {
  return currencyOf(code).kind === 'FIAT'
}

export function isCrypto(code: string): boolean {
  return currencyOf(code).kind !== 'FIAT'
}

export function isStablecoin(code: string): boolean {
  return currencyOf(code).kind === 'STABLECOIN'
}

/**
 * Whether the two are worth the same by policy, so that they convert at exactly 1:1 whatever a rate
 * source says: USD and the stablecoins, all dollars (accounts 8, default price list).
 */
export function isPegged(a: string, b: string): boolean {
  const isDollar = (code: string) => code === 'USD' || isStablecoin(code)
  return isDollar(a) && isDollar(b)
}

/** The rail shown for a payout in this currency when no account is known yet (accounts 6.1). */
export function defaultPayoutRail(code: string): RailId | undefined {
  const { isFundingOnly, usualRail } = currencyOf(code)
  return isFundingOnly ? undefined : usualRail
}

/** Whether a quote may be paid in with this currency at the moment it is made (accounts 7.1). */
export function canFundInRealtime(code: string): boolean {
  return currencyOf(code).instantInboundRails.length > 0
}
