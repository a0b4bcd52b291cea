import { assert } from './assert.ts'

/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly amountMinor: bigint
  readonly currency: string
}

/** floor(a × b ÷ c): the remainder stays with the payer of the division. c must be positive. */
export function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  assert(c > 0n, 'division by a positive number')
  const product = a * b
  const quotient = product / c
  return product % c < 0n ? quotient - 1n : quotient
}

/** ceil(a × b ÷ c). c must be positive. */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return -mulDivFloor(-a, b, c)
}

/** a × b ÷ c rounded half up, ties towards positive infinity: the rule for fees (accounts 8, `rhu`). */
export function mulDivHalfUp(a: bigint, b: bigint, c: bigint): bigint {
  return mulDivFloor(2n * a * b + c, 1n, 2n * c)
}

/** The largest amount that an answer can show, in minor units (conventions 4). */
export const largestWireMinor = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * A bigint amount as a JSON integer. Every amount within the API's limits fits (conventions 4), so
 * one that does not is a bug, not a rounding.
 */
export function toWireAmount(amountMinor: bigint): number {
  assert(amountMinor <= largestWireMinor && amountMinor >= -largestWireMinor, 'amount fits a JSON integer')
  return Number(amountMinor)
}
