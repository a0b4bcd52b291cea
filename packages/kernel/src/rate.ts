import { assert } from './assert.ts'
import { mulDivHalfUp } from './money.ts'

/** An exact ratio. Rates are never floats; only what is displayed is rounded (accounts 0.2). */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A rate in lowest terms. Both sides must be positive. */
export function rate(numerator: bigint, denominator: bigint): Rate {
  assert(numerator > 0n && denominator > 0n, 'a rate is positive')
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

export const one: Rate = { numerator: 1n, denominator: 1n }

/** Parses a decimal (`0.755`) or a fraction (`1/95000`) exactly. */
export function parseRate(text: string): Rate {
  const fraction = /^(\d+)\/(\d+)$/.exec(text)
  if (fraction) return rate(BigInt(fraction[1]!), BigInt(fraction[2]!))
  const decimal = /^(\d+)(?:\.(\d+))?$/.exec(text)
  assert(decimal, `a rate reads as a decimal or a fraction, not ${text}`)
  const fractionDigits = decimal[2] ?? ''
  return rate(BigInt(decimal[1]! + fractionDigits), 10n ** BigInt(fractionDigits.length))
}

export function multiplyRates(a: Rate, b: Rate): Rate {
  return rate(a.numerator * b.numerator, a.denominator * b.denominator)
}

export function divideRates(a: Rate, b: Rate): Rate {
  return rate(a.numerator * b.denominator, a.denominator * b.numerator)
}

/**
 * The decimal text of a ratio for display: rounded half up to `fractionDigits`, but never to fewer
 * than `significantDigits` significant ones (accounts 1.2). The numerator may be zero.
 */
export function toDecimal(
  numerator: bigint,
  denominator: bigint,
  { fractionDigits = 8, significantDigits = 8 } = {},
): string {
  assert(denominator > 0n && numerator >= 0n, 'a displayed ratio is not negative')
  if (numerator === 0n) return '0'
  const leastScaled = 10n ** BigInt(significantDigits - 1)
  const denominatorLength = denominator.toString().length
  const mostDigits = denominatorLength + significantDigits + fractionDigits
  // Fewer than these are never enough: the quotient of lengths l and m has at most l - m + 1 digits.
  const leastDigits = significantDigits - 1 + denominatorLength - numerator.toString().length - 1
  let digits = Math.max(fractionDigits, leastDigits)
  // The exact ratio decides how many digits are significant: rounding first would show 0.099999995 as 0.1.
  while (numerator * 10n ** BigInt(digits) < leastScaled * denominator) {
    digits++
    assert(digits <= mostDigits, 'a positive ratio has a first significant digit')
  }
  const scaled = mulDivHalfUp(numerator, 10n ** BigInt(digits), denominator)
    .toString()
    .padStart(digits + 1, '0')
  const whole = scaled.slice(0, scaled.length - digits)
  let fraction = scaled.slice(scaled.length - digits)
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}
