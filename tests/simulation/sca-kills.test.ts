import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { createMigratedDatabase } from '@corridor/testkit/database.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '@corridor/testkit/index.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { german, scaCalls } from '../e2e/sca-api.ts'
import { root } from './installation.ts'
import { StormServer } from './storm.ts'

/** A server that is killed while its customers authorize payments: the money is where customers 13.7 says. */

beforeAll(() => buildServer())

const program = join(root, 'apps/server/dist/main.js')
const proof = { code: '123456' }
const amountMinor = 100
const fundedMinor = 10_000
/** Two thirds of the payments are authorized, one is left to its time. */
const third = 8

type Outcome = { status: number } | undefined

/**
 * Kills the server once some of the calls are answered, and starts it again when all of them have ended. Returns how
 * many of them nobody answered.
 */
async function killedAmong(server: StormServer, calls: readonly (() => Promise<Outcome>)[]): Promise<number> {
  let ended = 0
  let kill = () => {}
  const died = new Promise<void>((resolve) => {
    kill = resolve
  })
  const ends = calls.map(async (call) => {
    const isAnswered = await call().then(
      () => true,
      () => false,
    )
    if (++ended === 3) kill()
    return isAnswered
  })
  await died
  server.kill()
  const answers = await Promise.all(ends)
  await server.restart()
  return answers.filter((isAnswered) => !isAnswered).length
}

async function story(server: StormServer): Promise<void> {
  await server.start()
  const { api, operatorKey } = server.connect()
  const calls = scaCalls(api)
  const customer = await createCustomer(api, german as never)
  const eur = await internalAccountOf(api, customer.id, 'EUR')
  await fund(api, eur.id, fundedMinor)
  const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })
  const { body: login } = await calls.startLogin(customer.id)
  const { challengeId } = login
  await calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, ...proof })
  const quotes: { id: string; transactionId: string }[] = []
  for (let made = 0; made < 3 * third; made++)
    quotes.push(await createQuote(api, quoteBody(eur, payee, amountMinor)))
  const statuses = () => Promise.all(quotes.map(async ({ id }) => (await calls.quote(id)).status as string))
  const balances = async () => {
    const { balance, totalBalance } = await internalAccountOf(api, customer.id, 'EUR')
    return { available: balance.amount, total: totalBalance.amount }
  }
  /** What has to be there: a hold takes from what can be spent, a right proof from all. */
  async function expectMoneyInItsPlace(): Promise<void> {
    const now = await statuses()
    const count = (...names: string[]) => now.filter((status) => names.includes(status)).length
    const total = fundedMinor - amountMinor * count('PROCESSING', 'COMPLETED')
    expect(await balances()).toEqual({
      available: total - amountMinor * count('PENDING_AUTHORIZATION'),
      total,
    })
    expect(await server.audit(operatorKey)).toMatchObject({ sound: true, problems: [] })
  }
  const keyed = (id: string) => ({ 'Idempotency-Key': id })
  const execute = ({ id }: { id: string }) => calls.execute(id, undefined, keyed(`execute-${id}`))
  const authorize = ({ id }: { id: string }) => calls.authorize(id, proof, keyed(`authorize-${id}`))

  // It dies while money is put on hold: all of an amount is held, or nothing.
  let unanswered = await killedAmong(
    server,
    quotes.map((quote) => () => execute(quote)),
  )
  for (const status of await statuses()) expect(['PENDING', 'PENDING_AUTHORIZATION']).toContain(status)
  await expectMoneyInItsPlace()
  for (const quote of quotes) expect(await execute(quote)).toMatchObject({ status: 200 })
  expect(await balances()).toEqual({ available: fundedMinor - 3 * third * amountMinor, total: fundedMinor })

  // It dies while proofs are taken: each counts once, under its key, or may be given again.
  const answeredOnes = quotes.slice(0, 2 * third)
  unanswered += await killedAmong(
    server,
    answeredOnes.map((quote) => () => authorize(quote)),
  )
  await expectMoneyInItsPlace()
  for (const quote of answeredOnes) expect(await authorize(quote)).toMatchObject({ status: 200 })
  for (const { id } of answeredOnes) expect(await calls.authorize(id, proof)).toMatchObject({ status: 409 })
  await expectMoneyInItsPlace()

  // It dies while what nobody answered is ended, with an answer that comes too late on its way.
  const left = quotes.slice(2 * third)
  const advance = () =>
    api.POST('/sandbox/clock/advance', { body: { seconds: 300 } as never }).then(() => ({ status: 200 }))
  unanswered += await killedAmong(server, [
    advance,
    ...left.map((quote) => () => wait(20).then(() => calls.quote(quote.id)) as Promise<never>),
  ])
  await must(api.POST('/sandbox/clock/advance', { body: { seconds: 300 } as never }))
  for (const { id } of left) {
    expect(await calls.authorize(id, proof)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  }
  await expectMoneyInItsPlace()
  for (const { transactionId } of left) {
    expect(await calls.transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    })
  }
  const end = fundedMinor - 2 * third * amountMinor
  expect(await balances()).toEqual({ available: end, total: end })
  for (let tries = 0; tries < 200; tries++) {
    if ((await statuses()).filter((status) => status === 'COMPLETED').length === 2 * third) break
    await wait(100)
  }
  expect(await statuses()).toEqual(quotes.map((_, index) => (index < 2 * third ? 'COMPLETED' : 'FAILED')))
  await expectMoneyInItsPlace()
  expect(server.refusedStarts).toBe(0)
  expect(unanswered).toBeGreaterThan(0)
}

async function tell(databaseUrl: string | undefined): Promise<void> {
  const server = new StormServer(program, databaseUrl)
  try {
    await story(server)
  } finally {
    await server.remove()
  }
}

describe('a server that is killed while customers authorize payments', () => {
  it('loses and doubles nothing on the embedded database', () => tell(undefined), 180_000)

  it.skipIf(!process.env.CORRIDOR_TEST_DATABASE_URL)(
    'loses and doubles nothing on PostgreSQL',
    async () => {
      const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL!
      const name = `corridor_sca_kills_${process.pid}`
      const client = new pg.Client({ connectionString: serverUrl })
      await client.connect()
      try {
        await tell(await createMigratedDatabase(serverUrl, name))
      } finally {
        await client.query(`drop database if exists ${name} with (force)`)
        await client.end()
      }
    },
    180_000,
  )
})
