import { expect, it } from 'vitest'
import { hitsOf } from './faults.ts'

it.each([
  ['RATES', 'RATE_SHOCK', { bps: 500 }, 'at rates that are 500 bps higher'],
  ['API', 'LATENCY', { ms: 700 }, 'an answer 700 ms later'],
  ['API', 'SLOW_BODY', { bytesPerSecond: 200 }, 'an answer of 200 bytes a second'],
  ['API', 'ERROR', { status: 409 }, 'an error with 409'],
  ['API', 'ERROR', {}, 'an error with INTERNAL_ERROR'],
  ['API', 'RATE_LIMITED', {}, 'to come back after 1 seconds'],
  ['RAIL', 'DELAY', { seconds: 50 }, 'before 50 seconds have passed'],
  ['RAIL', 'DUPLICATE', {}, 'handed the payment 2 times'],
  ['WEBHOOK', 'REORDER', { n: 3 }, 'the next 3 wait until 10 seconds after'],
  ['WEBHOOK', 'ERROR', { status: 503 }, 'had answered 503'],
  ['WEBHOOK', 'ERROR', {}, 'had answered 500'],
] as const)('%s %s of %o is told with its numbers: %s', (target, kind, params, words) => {
  const hit = { faultId: 'Fault:1', kind, target, params, operationId: null, requestId: null, createdAt: 0 }
  const [{ text } = { text: '' }] = hitsOf([hit])
  expect(text).toContain(words)
  expect(text).not.toMatch(/`(bps|ms|bytesPerSecond|n|copies|retryAfter|status)`/)
})
