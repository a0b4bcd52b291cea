import { describe, expect, it } from 'vitest'
import {
  draw,
  type Fault,
  fits,
  isHit,
  leavesAt,
  longestWaitMs,
  type Window,
  waitOf,
  withOneMore,
} from './fault.ts'

const fault: Fault = {
  id: 'Fault:1',
  kind: 'ERROR',
  target: 'API',
  match: {},
  probability: 0.25,
  times: undefined,
  after: 0,
  until: undefined,
  seed: 'a',
  params: {},
  isHidden: false,
}

describe('what is drawn', () => {
  it('is the same for the same seed, fault, subject and ordinal, and another for any other', () => {
    const drawn = draw(fault, 'Transaction:1', 1n)
    expect(draw(fault, 'Transaction:1', 1n)).toBe(drawn)
    const others = [
      draw({ ...fault, seed: 'b' }, 'Transaction:1', 1n),
      draw({ ...fault, id: 'Fault:2' }, 'Transaction:1', 1n),
      draw(fault, 'Transaction:2', 1n),
      draw(fault, 'Transaction:1', 2n),
    ]
    expect(new Set([drawn, ...others]).size).toBe(5)
  })

  it('hits as often as the probability says: always with 1, a quarter of the time with 0.25', () => {
    const hits = (probability: number) =>
      Array.from({ length: 4_000 }, (_, n) => isHit({ probability }, draw(fault, 's', BigInt(n)))).filter(
        Boolean,
      ).length
    expect(hits(1)).toBe(4_000)
    expect(isHit({ probability: 1 }, 2n ** 64n - 1n)).toBe(true)
    expect(hits(0.25)).toBeGreaterThan(900)
    expect(hits(0.25)).toBeLessThan(1_100)
  })
})

describe('how long is waited', () => {
  it('is fixed, or has a long tail that is never longer than half a minute', () => {
    const tail = (drawn: bigint) => waitOf({ ms: 100, distribution: 'LONG_TAILED' }, drawn)
    expect(waitOf({ ms: 100 }, 0n)).toBe(100)
    expect(tail(2n ** 31n)).toBe(100)
    expect(tail(2n ** 30n)).toBe(200)
    expect(tail(2n ** 29n)).toBe(400)
    expect(tail(0n)).toBe(longestWaitMs)
  })
})

describe('what changes places', () => {
  const reorder = (n: number, seed = 'a') => ({ ...fault, kind: 'REORDER', seed, params: { n } }) as const
  const order = (n: number, number: number, seed?: string) =>
    Array.from({ length: n }, (_, place) =>
      leavesAt(reorder(n, seed), { number, from: 5_000, taken: place + 1 }),
    )

  it.each([2, 3, 7, 20])(
    '%i leave a second apart, each at a time of its own, the second before the first',
    (n) => {
      for (let number = 1; number <= 50; number++) {
        const times = order(n, number)
        expect([...times].sort((a, b) => a - b)).toEqual(
          Array.from({ length: n }, (_, rank) => 15_000 + rank * 1_000),
        )
        expect(times[1]).toBeLessThan(times[0]!)
      }
    },
  )

  it('in the same order for the same seed, and in others for other windows', () => {
    expect(order(20, 1)).toEqual(order(20, 1))
    expect(order(20, 1)).not.toEqual(order(20, 2))
    expect(order(20, 1)).not.toEqual(order(20, 1, 'b'))
  })

  it('with those that come before the window is full and before its time is over', () => {
    const windows: Window[] = []
    for (const now of [0, 9_999, 9_999, 9_999, 20_000]) {
      windows.push(withOneMore(windows.at(-1), reorder(3), now))
    }
    expect(windows.map(({ number, from, taken }) => [number, from, taken])).toEqual([
      [1, 0, 1],
      [1, 0, 2],
      [1, 0, 3],
      [2, 9_999, 1],
      [3, 20_000, 1],
    ])
  })
})

describe('whom a fault fits', () => {
  const subject = { id: 's', operationId: 'createQuote', customerIds: ['Customer:1'], amount: 500n }
  it.each([
    [{}, true],
    [{ operationId: 'createQuote', customerId: 'Customer:1', minAmount: 500 }, true],
    [{ operationId: 'createQuote', customerId: 'Customer:2' }, false],
    [{ minAmount: 501 }, false],
    [{ accountId: 'InternalAccount:1' }, false],
    [{ railId: 'SPEI' }, false],
  ])('%o: %s', (match, is) => {
    expect(fits({ ...fault, match }, subject)).toBe(is)
  })
})
