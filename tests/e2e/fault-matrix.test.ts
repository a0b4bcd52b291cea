import { isProof } from '@corridor/testkit/effort.ts'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clabe, paymentApi } from './payment-api.ts'
import { basic, json } from './raw-calls.ts'

/** Every fault against every way that money moves: what is heard of the platform changes, its books never do (6.2). */

const server = await openTestServer({ network: (async () => new Response('ok')) as typeof fetch })
let address: string
beforeAll(async () => {
  address = `${await server.listen()}/2025-10-13`
})
afterAll(() => server.expectSoundLedger())

const minuteMs = 60_000

/** Accounts, before anything fails, and a client that repeats what was not answered, as those of users do. */
async function stage() {
  const payments = await paymentApi(server)
  const { platform, api, customer, usd } = payments
  await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
  await fund(api, usd.id, 1_000_000)
  const mxn = (suffix: string) => createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id })
  const [good, failing] = [await mxn('891'), await mxn('004')]
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const other = await createCustomer(api, { fullName: 'Ben Okafor' })
  const eur = await internalAccountOf(api, other.id, 'EUR')

  let requests = 0
  async function attempt(path: string, body: object, key: string): Promise<Response | undefined> {
    let outcome: { answer?: Response } | undefined
    void fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: basic(platform), 'idempotency-key': key, ...json },
      body: JSON.stringify(body),
    })
      .then(async (response) => new Response(await response.text(), response))
      .then(
        (answer) => {
          outcome = { answer }
        },
        () => {
          outcome = {}
        },
      )
    // Time goes on where an answer is late on purpose.
    while (!outcome) await server.pass(1_000)
    return outcome.answer
  }

  async function ask(path: string, body: object = {}): Promise<{ id: string; transactionId: string }> {
    const key = `request-${requests++}`
    for (let tries = 0; tries < 40; tries++) {
      const answer = await attempt(path, body, key)
      if (answer && answer.status < 300) return (await answer.json()) as never
    }
    throw new Error(`${path} was never answered`)
  }

  const pay = async (from: { id: string }, to: { id: string }, more: object = {}) => {
    const quote = await ask('/quotes', quoteBody(from, to, 10_000, more))
    // Whose rate is refused has failed: that no payment is left open is looked at in the end.
    if (!('immediatelyExecute' in more)) await ask(`/quotes/${quote.id}/execute`).catch(() => {})
    return quote.transactionId
  }

  return {
    ...payments,
    movements: [
      () => pay(usd, good),
      () => pay(usd, failing),
      () => pay(usd, good, { immediatelyExecute: true }),
      () => pay(usd, eur),
      () => pay(bank, usd),
      () => pay(bank, good),
      async () => {
        const cancelled = await pay(usd, good)
        await ask(`/transactions/${cancelled}/cancel`).catch(() => {})
        return cancelled
      },
    ],
  }
}

const ends = ['COMPLETED', 'FAILED']

const faults = [
  { target: 'API', kind: 'LOST_ANSWER' },
  { target: 'API', kind: 'REFUSED' },
  { target: 'API', kind: 'ERROR', params: { status: 503 } },
  { target: 'API', kind: 'RATE_LIMITED' },
  { target: 'API', kind: 'LATENCY', params: { ms: 2_000, distribution: 'LONG_TAILED' } },
  { target: 'API', kind: 'SLOW_BODY', params: { bytesPerSecond: 400 } },
  { target: 'API', kind: 'TRUNCATED' },
  { target: 'RAIL', kind: 'LOST_ANSWER', times: 3 },
  { target: 'RAIL', kind: 'REFUSED', times: 3 },
  { target: 'RAIL', kind: 'ERROR', times: 3 },
  { target: 'RAIL', kind: 'OUTAGE' },
  { target: 'RAIL', kind: 'PARTIAL_OUTAGE', probability: 0.5 },
  { target: 'RAIL', kind: 'DUPLICATE', params: { copies: 3 } },
  { target: 'RAIL', kind: 'RATE_LIMITED', times: 3 },
  { target: 'RAIL', kind: 'DUPLICATE', params: { copies: 3, order: 'AT_ONCE' } },
  { target: 'RAIL', kind: 'REORDER', params: { n: 3 } },
  { target: 'RAIL', kind: 'DELAY', params: { seconds: 90 } },
  { target: 'RAIL', kind: 'SILENCE' },
  ...['002', '003', '004', '005', '006', '007'].map((outcome) => ({
    target: 'RAIL',
    kind: 'OUTCOME',
    params: { outcome },
  })),
  { target: 'RAIL', kind: 'OUTCOME', params: { outcome: '005', seconds: 600 } },
  { target: 'WEBHOOK', kind: 'DUPLICATE' },
  { target: 'WEBHOOK', kind: 'BAD_SIGNATURE' },
  { target: 'WEBHOOK', kind: 'REFUSED' },
  { target: 'WEBHOOK', kind: 'ERROR', params: { status: 410 } },
  { target: 'WEBHOOK', kind: 'STALE_KEY' },
  { target: 'WEBHOOK', kind: 'LATENCY', params: { ms: 500, distribution: 'LONG_TAILED' } },
  { target: 'WEBHOOK', kind: 'DELAY', params: { seconds: 90 } },
  { target: 'WEBHOOK', kind: 'REORDER', params: { n: 3 } },
  { target: 'WEBHOOK', kind: 'SLOW_BODY', params: { bytesPerSecond: 100_000 } },
  { target: 'WEBHOOK', kind: 'TRUNCATED', times: 3 },
  { target: 'WEBHOOK', kind: 'RATE_LIMITED', times: 3 },
  { target: 'WEBHOOK', kind: 'DUPLICATE', params: { copies: 3, order: 'AT_ONCE' } },
  { target: 'RATES', kind: 'RATE_SHOCK', params: { bps: 3_000 } },
  { target: 'RATES', kind: 'RATE_SHOCK', params: { bps: -3_000 } },
  { target: 'RATES', kind: 'RATE_UNAVAILABLE', times: 1 },
].map((fault, index) => ({
  index,
  name: `${fault.target} ${fault.kind} ${JSON.stringify('params' in fault ? fault.params : {})}`,
  fault,
}))

/**
 * What fails at a rail meets every way that money moves. Answers, webhooks and rates fail alike for all ways, so each of those faults
 * meets the first and two more, which take turns. `npm run proof -- faults` tries all.
 */
function waysOf<T>(movements: readonly T[], fault: { target: string }, index: number): readonly T[] {
  if (isProof || fault.target === 'RAIL') return movements
  const [first, ...others] = movements as [T, ...T[]]
  return [first, others[index % others.length]!, others[(index + 3) % others.length]!]
}

describe('each way that money moves', () => {
  it.each(faults)(
    'under $name: the books are sound, and nothing hangs once it is over',
    async ({ fault, index }) => {
      const { api, platform, movements, transaction } = await stage()
      const body = fault.target === 'API' ? { ...fault, probability: 0.5 } : fault
      const { id: faultId } = await must(api.POST('/sandbox/faults', { body: body as never }))
      const hits = async () =>
        (await must(api.GET('/sandbox/faults/{faultId}', { params: { path: { faultId } } }))).hits
      const transactions: string[] = []
      // A fault that hits half of the requests at random may miss a few of them.
      for (let round = 0; round < 10 && (await hits()) === 0; round++) {
        for (const move of waysOf(movements, fault, index)) transactions.push(await move())
        await server.pass(minuteMs)
      }
      await server.expectSoundLedger()
      expect(await hits()).toBeGreaterThan(0)
      await api.DELETE('/sandbox/faults')
      for (let quarter = 0; quarter < 4; quarter++) await server.pass(15 * minuteMs)
      const statuses = []
      for (const id of transactions) statuses.push((await transaction(id)).status)
      expect(statuses.filter((status) => !ends.includes(status))).toEqual([])
      const left = await server.rows('select kind, last_error from jobs where platform_id = $1', [
        platform.platformId,
      ])
      expect(left).toEqual([])
      const held = Object.entries(await server.ledgerBalances(platform)).filter(([, minor]) => minor < 0n)
      expect(held.filter(([account]) => account.startsWith('avail'))).toEqual([])
    },
    60_000,
  )
})
