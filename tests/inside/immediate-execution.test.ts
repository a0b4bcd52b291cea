import { startBackground } from '@corridor/engine/assembly/background.ts'
import type { RailClient } from '@corridor/engine/ports/rail.ts'
import { silentLog } from '@corridor/kernel'
import { createClient } from '@corridor/sdk/path-client.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { paymentApi } from '../e2e/payment-api.ts'

/**
 * On a server as it runs for users: real time, sockets, and background loops that snatch every job that they
 * may have. The simulated World hides who comes first.
 */
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  vi.restoreAllMocks()
})

async function startServer({ pollMs = 1, loops = 2, stepMs = 50 } = {}) {
  const server = await startTestServer({ world: realWorld(silentLog), stepMs })
  stops.push(() => server.close())
  const baseUrl = `${await server.listen()}/2025-10-13`
  for (let loop = 0; loop < loops; loop++) {
    // A relay stops for good, and the loops share one.
    const relay = { ...server.engine.relay, stop: async () => {} }
    // Both gather the lines of all requests of a second: no write of one payment.
    const auditLog = { ...server.engine.auditLog, chain: async () => {} }
    const requestLog = { ...server.engine.requestLog, flush: async () => {} }
    const background = startBackground(
      { ...server.engine, relay, auditLog, requestLog },
      { pollMs, statisticsMs: 10 * 60_000 },
    )
    stops.push(() => background.stop())
  }
  return {
    ...server,
    client: (credentials: Parameters<typeof server.client>[0]) => createClient({ baseUrl, ...credentials }),
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Puts something between the server and its rails. */
function onTheWay({ engine }: Server, change: (rail: RailClient) => Partial<RailClient>): void {
  const { SANDBOX } = engine.adapters
  const rail = SANDBOX.rail('FASTER_PAYMENTS') ?? SANDBOX.rail('ACH')
  if (!rail) throw new Error('the sandbox has rails')
  vi.spyOn(SANDBOX, 'rail').mockReturnValue({ ...rail, ...change(rail) })
}

it('answers 100 payments at once with their outcome, over a rail that answers within 10 ms', async () => {
  const server = await startServer()
  const { sleep } = server.world
  onTheWay(server, (rail) => ({
    submitPayout: (...asked) => sleep(10).then(() => rail.submitPayout(...asked)),
    fetchPayout: (...asked) => sleep(10).then(() => rail.fetchPayout(...asked)),
  }))
  const { api, customer, usd, balances } = await paymentApi(server)
  await fund(api, usd.id, 100 * 500)
  const [good, bad] = [
    await createPayee(api, 'PHP', '1234567890', { customerId: customer.id }),
    await createPayee(api, 'PHP', '1234567004', { customerId: customer.id }),
  ]
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      createQuote(api, quoteBody(usd, index % 10 === 9 ? bad : good, 500, { immediatelyExecute: true })),
    ),
  )
  const count = (wanted: string) => answers.filter(({ status }) => status === wanted).length
  expect({ COMPLETED: count('COMPLETED'), FAILED: count('FAILED') }).toEqual({ COMPLETED: 90, FAILED: 10 })
  // The failed ones are refunded by then, too.
  expect(await balances()).toEqual({ available: 5_000, total: 5_000 })
})

it('answers PROCESSING where a rail makes it wait', async () => {
  const server = await startServer()
  const { api, customer, usd, transaction } = await paymentApi(server)
  await fund(api, usd.id, 500)
  const slow = await createPayee(api, 'PHP', '1234567003', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, slow, 500, { immediatelyExecute: true }))
  expect(quote).toMatchObject({ status: 'PROCESSING' })
  expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PROCESSING' })
})

it('answers PROCESSING when the answer of the rail is lost, and asks again by itself', async () => {
  const server = await startServer()
  const handed: string[] = []
  onTheWay(server, (rail) => ({
    async submitPayout(payout, now) {
      handed.push(payout.transactionId)
      const answer = await rail.submitPayout(payout, now)
      if (handed.length === 1) throw new Error('the answer is lost')
      return answer
    },
  }))
  const { api, customer, usd, statusOfQuote, balances } = await paymentApi(server)
  await fund(api, usd.id, 500)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, payee, 500, { immediatelyExecute: true }))
  expect(quote).toMatchObject({ status: 'PROCESSING' })
  await expect.poll(() => statusOfQuote(quote.id), { timeout: 30_000 }).toBe('COMPLETED')
  expect(handed).toEqual([quote.transactionId, quote.transactionId])
  expect(await balances()).toEqual({ available: 0, total: 0 })
})

it('takes each step of an execution when it is due, not when the loop next looks by itself (12.1)', async () => {
  // A loop that looked only when its pause is over would not be back in time.
  const server = await startServer({ pollMs: 10 * 60_000, loops: 1 })
  const { api, customer, usd, statusOfQuote } = await paymentApi(server)
  await fund(api, usd.id, 500)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, payee, 500))
  expect((await execute(api, quote.id)).data).toMatchObject({ status: 'PROCESSING' })
  await expect.poll(() => statusOfQuote(quote.id), { timeout: 30_000 }).toBe('COMPLETED')
})

/** On a server of databases the numbers are those of all of them, and other tests write to theirs. */
const isAlone = !process.env.CORRIDOR_TEST_DATABASE_URL

/** How many transactions of the database have written anything since the count began. */
async function countWrites({ engine }: Server) {
  const next = {
    name: 'test.nextTransaction',
    text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as id',
  }
  const read = async () => {
    const [row] = await engine.database.system((connection) => connection.query<{ id: string }>(next))
    return BigInt(row!.id)
  }
  const before = await read()
  return async () => Number((await read()) - before)
}

it('writes a payment between two accounts of ours in one commit, with every event it would have told of', async () => {
  const server = await startServer()
  const { api, platform, customer, usd, balances, told } = await paymentApi(server)
  await fund(api, usd.id, 10_000)
  const other = await internalAccountOf(api, (await createCustomer(api)).id, 'USD')
  const before = (await server.events(platform)).length
  const writes = await countWrites(server)
  const headers = { 'Idempotency-Key': 'between-our-own' }
  const body = quoteBody(usd, other, 4_000, { immediatelyExecute: true })
  const quote = await must(api.POST('/quotes', { body, headers }))
  if (isAlone) expect(await writes()).toBe(1)
  expect(quote.status).toBe('COMPLETED')
  const replayed = await api.POST('/quotes', { body, headers })
  expect(replayed.response.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.data).toEqual(quote)

  expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  const events = (await server.events(platform)).slice(before)
  expect(events.map(({ type }) => type)).toEqual([
    'OUTGOING_PAYMENT.PENDING',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
    'INCOMING_PAYMENT.COMPLETED',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  ])
  expect(events.filter(({ type }) => type.startsWith('INTERNAL')).map(({ data }) => data)).toMatchObject([
    { id: usd.id, balance: { amount: 6_000 } },
    { id: other.id, balance: { amount: 4_000 } },
  ])
  const changes = events
    .filter(({ data }) => data.id === quote.transactionId)
    .map(({ data }) => data.updatedAt)
  expect(changes).toEqual([...new Set(changes)].sort())
  expect(await balances()).toEqual({ available: 6_000, total: 6_000 })
  expect(customer.id).not.toBe(other.customerId)
})

it('writes nothing to the accounts that it moves money between, so payments of one account do not wait for each other there', async () => {
  const server = await startServer()
  const { api, usd } = await paymentApi(server)
  await fund(api, usd.id, 10_000)
  const other = await internalAccountOf(api, (await createCustomer(api)).id, 'USD')
  const accounts = async () => {
    const text = `select id, version::text, updated_at from internal_accounts where id in ('${usd.id}', '${other.id}') order by id`
    return server.engine.database.system((connection) => connection.query({ name: 'test.accounts', text }))
  }
  const before = await accounts()
  expect(before).toHaveLength(2)
  const there = quoteBody(usd, other, 100, { immediatelyExecute: true })
  const back = quoteBody(other, usd, 50, { immediatelyExecute: true })
  const first = await createQuote(api, there)
  const answers = await Promise.all([there, back, there, back].map((body) => createQuote(api, body)))
  expect([first, ...answers].map(({ status }) => status)).toEqual(Array(5).fill('COMPLETED'))
  expect(await accounts()).toEqual(before)
})

it('writes a payment to the rail of the sandbox in two commits, its answer and its refund included', async () => {
  const server = await startServer()
  const { api, customer, usd, balances, told } = await paymentApi(server)
  await fund(api, usd.id, 10_000)
  const [good, bad] = [
    await createPayee(api, 'PHP', '1234567890', { customerId: customer.id }),
    await createPayee(api, 'PHP', '1234567004', { customerId: customer.id }),
  ]
  const pay = async (payee: { id: string }, key: string) => {
    const writes = await countWrites(server)
    const headers = { 'Idempotency-Key': key }
    const body = quoteBody(usd, payee, 500, { immediatelyExecute: true })
    const quote = await must(api.POST('/quotes', { body, headers }))
    if (isAlone) expect(await writes()).toBe(2)
    expect((await api.POST('/quotes', { body, headers })).data).toEqual(quote)
    return quote
  }
  const paid = await pay(good, 'good')
  expect(paid.status).toBe('COMPLETED')
  expect(await told(paid.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  const refused = await pay(bad, 'bad')
  expect(refused.status).toBe('FAILED')
  expect((await told(refused.transactionId)).slice(-3)).toEqual([
    'FAILED',
    'REFUND_PENDING',
    'REFUND_COMPLETED',
  ])
  expect(await balances()).toEqual({ available: 9_500, total: 9_500 })
})

it('goes on with an execution whose steps are due at once, in one commit more, without looking for its job', async () => {
  // A loop that had to look for it would not come by.
  const server = await startServer({ stepMs: 0, loops: 1, pollMs: 10 * 60_000 })
  const { api, customer, usd, balances, told, statusOfQuote } = await paymentApi(server)
  await fund(api, usd.id, 10_000)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, payee, 500))
  const writes = await countWrites(server)
  expect((await execute(api, quote.id)).data).toMatchObject({ status: 'PROCESSING' })
  await expect.poll(() => statusOfQuote(quote.id), { timeout: 30_000 }).toBe('COMPLETED')
  if (isAlone) expect(await writes()).toBe(2)
  expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  expect(await balances()).toEqual({ available: 9_500, total: 9_500 })
})
