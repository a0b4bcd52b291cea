import { expect, it } from 'vitest'
import { faultKinds, faultParams } from './fault.ts'
import { interventionsOf } from './interventions.ts'
import type { ShownHit } from './store.ts'

function textOf(hit: Pick<ShownHit, 'target' | 'kind' | 'params'> & Partial<ShownHit>): string {
  const base = { faultId: 'Fault:1', probability: 1, operationId: null, requestId: null, createdAt: 0 }
  return interventionsOf([{ ...base, ...hit }]).all[0]!.entry.text
}

it.each([
  ['RATES', 'RATE_SHOCK', { bps: 500 }, 'uses rates that are 500 bps higher'],
  ['RATES', 'RATE_SHOCK', { bps: -500 }, 'uses rates that are 500 bps lower'],
  ['API', 'LATENCY', { ms: 700 }, 'the response arrived 700 ms later'],
  ['API', 'LATENCY', { ms: 700, distribution: 'LONG_TAILED' }, 'the response arrived 700 ms or more later'],
  ['API', 'SLOW_BODY', { bytesPerSecond: 200 }, 'the response arrived at 200 bytes per second'],
  ['API', 'ERROR', { status: 409 }, 'the response was 409'],
  ['API', 'ERROR', { status: 409, code: 'CONFLICT' }, 'the response was 409 CONFLICT'],
  ['API', 'ERROR', {}, 'the response was INTERNAL_ERROR'],
  ['API', 'RATE_LIMITED', {}, 'with a Retry-After of 1 second'],
  ['API', 'RATE_LIMITED', { retryAfter: 7 }, 'with a Retry-After of 7 seconds'],
  ['RAIL', 'DELAY', { seconds: 50 }, 'after 50 seconds on the sandbox clock'],
  ['RAIL', 'DUPLICATE', {}, 'received the payment 2 times, one after the other, with the same id'],
  [
    'RAIL',
    'DUPLICATE',
    { copies: 3, order: 'AT_ONCE' },
    'received the payment 3 times at the same time, with the same id',
  ],
  ['RAIL', 'OUTCOME', { outcome: '004' }, 'like a payment to an account that ends in 004'],
  ['RAIL', 'OUTCOME', { outcome: '005', seconds: 90 }, 'returns the payment 90 seconds after the hand-over'],
  ['WEBHOOK', 'DUPLICATE', { copies: 4 }, 'sent 4 times, one after the other'],
  ['WEBHOOK', 'REORDER', { n: 3 }, 'starting 10 seconds after the first of 3 events'],
  ['WEBHOOK', 'ERROR', { status: 503 }, 'had responded with 503'],
  ['WEBHOOK', 'ERROR', {}, 'had responded with 500'],
] as const)('%s %s of %o is told with its numbers: %s', (target, kind, params, words) => {
  expect(textOf({ target, kind, params })).toContain(words)
})

const all = Object.entries(faultKinds).flatMap(([target, kinds]) =>
  Object.keys(kinds).map((kind) => ({ target, kind }) as Pick<ShownHit, 'target' | 'kind'>),
)

it.each(all)('$target $kind says what it did, and of no number by its name', ({ target, kind }) => {
  const { must } = faultParams[kind]
  const text = textOf({
    target,
    kind,
    params: must === undefined ? {} : { [must]: must === 'outcome' ? '005' : 9 },
  })
  expect(text).toMatch(new RegExp(`^⚑ fault, ${target} ${kind}: \\w.{15,}$`))
  expect(text).not.toMatch(/`|: the same|when absent|undefined|probability/)
  if (must !== undefined) expect(text).toMatch(/9|005/)
})

it('says at which probability it was drawn', () => {
  const hit = { target: 'RAIL', kind: 'PARTIAL_OUTAGE', params: {}, probability: 0.3 } as const
  expect(textOf(hit)).toMatch(/: the rail did nothing; .+ \(drawn with a probability of 0\.3\)$/)
})
