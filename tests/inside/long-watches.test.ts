import type { PullOutcome, RailClient } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

/** A bank that does not respond for a night, and afterwards returns a collection or a payout. */

const server = await openTestServer()
const minuteMs = 60_000
afterEach(() => void vi.restoreAllMocks())

it('a collection is watched for its whole window, also after an outage of its rail', async () => {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('ACH')!
  let isAway = false
  let collection: PullOutcome['status'] = 'SETTLED'
  const client: RailClient = {
    ...rail,
    submitPull: async (_pull, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPull: async (_pull, now) => {
      if (isAway) throw new Error('the bank is away')
      return collection === 'SETTLED'
        ? { status: 'SETTLED', checkAt: now + 10 * minuteMs }
        : { status: 'RETURNED' }
    },
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPayout: async () => ({ status: 'SETTLED' }),
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  const { api, platform, customer, transaction } = await paymentApi(server)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
  await execute(api, id)
  for (let step = 0; step < 4; step++) await server.pass(1_000)
  expect(await transaction(transactionId)).toMatchObject({ status: 'COMPLETED' })
  isAway = true
  // Fifteen hours.
  for (let step = 0; step < 22; step++) await server.pass(40 * minuteMs)
  isAway = false
  collection = 'RETURNED'
  for (let step = 0; step < 4; step++) await server.pass(600 * minuteMs)
  const { body: stuck } = await operate(server, 'GET', '/stuck')
  const owed = (await server.ledgerBalances(platform))[`recv:${customer.id}:USD`] ?? 0n
  const { data } = await must(api.GET('/receivables'))
  // Not even what the operator looks at first, nor the audit, says that a collection is not watched any more.
  const unseen = {
    stuck: stuck.data,
    audit: await server.expectSoundRecords().then(
      () => 'sound',
      () => 'unsound',
    ),
  }
  expect({ owed, receivables: data.length, unseen }).toMatchObject({ owed: -40_000n, receivables: 1 })
})

it('so is a payout that its bank may still give back', async () => {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('FASTER_PAYMENTS')!
  let isAway = false
  let isReturned = false
  const client: RailClient = {
    ...rail,
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPayout: async (_payout, now) => {
      if (isAway) throw new Error('the bank is away')
      return isReturned ? { status: 'RETURNED' } : { status: 'SETTLED', checkAt: now + 10 * minuteMs }
    },
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  const { api, customer, usd, transaction, balance } = await paymentApi(server)
  await fund(api, usd.id, 40_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 40_000))
  await execute(api, id)
  for (let step = 0; step < 4; step++) await server.pass(1_000)
  expect(await transaction(transactionId)).toMatchObject({ status: 'COMPLETED' })
  isAway = true
  for (let step = 0; step < 22; step++) await server.pass(40 * minuteMs)
  isAway = false
  isReturned = true
  for (let step = 0; step < 4; step++) await server.pass(600 * minuteMs)
  const { body: stuck } = await operate(server, 'GET', '/stuck')
  expect({ stuck: stuck.data, balance: await balance() }).toMatchObject({ balance: 40_000 })
})
