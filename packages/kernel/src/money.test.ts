import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { mulDivCeil, mulDivFloor, mulDivHalfUp, toWireAmount } from './money.ts'

const integers = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
const divisors = fc.bigInt({ min: 1n, max: 10n ** 12n })

describe('rounded division', () => {
  // a, b, c, floor, half up, ceil
  test.each([
    [7n, 1n, 2n, 3n, 4n, 4n],
    [6n, 1n, 2n, 3n, 3n, 3n],
    [5n, 1n, 3n, 1n, 2n, 2n],
    [4n, 1n, 3n, 1n, 1n, 2n],
    [0n, 9n, 7n, 0n, 0n, 0n],
    [-7n, 1n, 2n, -4n, -3n, -3n],
    [-5n, 1n, 3n, -2n, -2n, -1n],
    [-4n, 1n, 3n, -2n, -1n, -1n],
    [-6n, 1n, 3n, -2n, -2n, -2n],
    [107515n, 5n, 1000n, 537n, 538n, 538n],
    [100000n, 5n, 1000n, 500n, 500n, 500n],
  ])('%d × %d ÷ %d', (a, b, c, floor, halfUp, ceil) => {
    expect(mulDivFloor(a, b, c)).toBe(floor)
    expect(mulDivHalfUp(a, b, c)).toBe(halfUp)
    expect(mulDivCeil(a, b, c)).toBe(ceil)
  })

  it('brackets the exact quotient', () => {
    fc.assert(
      fc.property(integers, integers, divisors, (a, b, c) => {
        const product = a * b
        const floor = mulDivFloor(a, b, c)
        expect(floor * c <= product && product < (floor + 1n) * c).toBe(true)
        const ceil = mulDivCeil(a, b, c)
        expect((ceil - 1n) * c < product && product <= ceil * c).toBe(true)
      }),
    )
  })

  it('rounds half up to within half a unit, ties towards positive infinity', () => {
    fc.assert(
      fc.property(integers, integers, divisors, (a, b, c) => {
        const error = 2n * (mulDivHalfUp(a, b, c) * c - a * b)
        expect(-c < error && error <= c).toBe(true)
      }),
    )
  })

  it('refuses a divisor that is not positive', () => {
    for (const divide of [mulDivFloor, mulDivCeil, mulDivHalfUp]) {
      expect(() => divide(1n, 1n, 0n)).toThrow('assertion failed')
      expect(() => divide(1n, 1n, -1n)).toThrow('assertion failed')
    }
  })
})

describe('toWireAmount', () => {
  it('writes the largest accepted amount unchanged', () => {
    expect(toWireAmount(9_000_000_000_000_000n)).toBe(9_000_000_000_000_000)
    expect(toWireAmount(0n)).toBe(0)
    expect(toWireAmount(-5n)).toBe(-5)
  })

  it('stops on an amount a JSON integer cannot carry', () => {
    expect(() => toWireAmount(2n ** 53n)).toThrow('assertion failed')
    expect(() => toWireAmount(-(2n ** 53n))).toThrow('assertion failed')
  })
})
