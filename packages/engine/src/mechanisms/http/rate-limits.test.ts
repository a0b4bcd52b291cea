import { expect, test } from 'vitest'
import { createRateLimiter, defaultLimits, failedLoginLimit, limitsOf, noLimits } from './rate-limits.ts'

test('the defaults are those of conventions 8, and a multiple where the environment has one', () => {
  expect(limitsOf(defaultLimits, 1)).toEqual({
    platform: { perSecond: 50, burst: 200 },
    customerWrites: { perSecond: 10, burst: 10 },
  })
  expect(limitsOf(defaultLimits, 10)).toEqual({
    platform: { perSecond: 500, burst: 2000 },
    customerWrites: { perSecond: 100, burst: 100 },
  })
  expect(failedLoginLimit(defaultLimits)).toEqual({ perSecond: 20 / 60, burst: 20 })
})

test('0 switches a limit off, one by one', () => {
  expect(limitsOf(noLimits, 10)).toEqual({})
  expect(failedLoginLimit(noLimits)).toBeUndefined()
  const { platform, customerWrites } = limitsOf({ ...defaultLimits, platformPerSecond: 0 }, 1)
  expect([platform, customerWrites?.burst]).toEqual([undefined, 10])
})

test('a bucket refills with time up to its size, and a look takes nothing', () => {
  const limiter = createRateLimiter()
  const limit = { perSecond: 2, burst: 3 }
  const at = (now: number) => limiter.take('key', limit, now)
  expect([at(0), at(0), at(0)].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
  expect(at(0)).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 1 })
  for (let look = 0; look < 3; look++) expect(limiter.look('key', limit, 500).allowed).toBe(true)
  expect(at(500).allowed).toBe(true)
  expect(at(500).allowed).toBe(false)
  expect(at(60_000)).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 1 })
  expect(limiter.take('other', limit, 0).remaining).toBe(2)
})
