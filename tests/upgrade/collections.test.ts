import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PullOutcome } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

// Earlier releases watched no collection that had paid for a payout. An upgrade begins with it.

const server = await openTestServer()
afterEach(() => vi.restoreAllMocks())

const folder = join(import.meta.dirname, '../../packages/engine/migrations')
/** By the clock of this server. */
const migration = readFileSync(join(folder, '0157_watched_collections.sql'), 'utf8').replaceAll(
  'clock_timestamp()',
  `'${new Date(server.engine.world.now()).toISOString()}'::timestamptz`,
)

it.each([
  ['is on its way', 'PROCESSING'],
  ['was delivered', 'COMPLETED'],
] as const)('an upgrade watches the collection of a payout that %s', async (_, status) => {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('ACH')!
  let collection: PullOutcome['status'] = 'SETTLED'
  vi.spyOn(SANDBOX, 'rail').mockReturnValue({
    ...rail,
    submitPull: async (_pull, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPull: async (_pull, now) =>
      collection === 'SETTLED' ? { status: 'SETTLED', checkAt: now + 60_000 } : { status: 'RETURNED' },
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPayout: async (_payout, now) =>
      status === 'COMPLETED' ? { status: 'SETTLED' } : { status: 'ACCEPTED', checkAt: now + 60_000 },
  })
  const { api, customer, transaction } = await paymentApi(server)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
  await execute(api, id)
  for (let step = 0; step < 4; step++) await server.pass(1_000)
  expect((await transaction(transactionId)).status).toBe(status)

  const upgrade = (text: string) => server.engine.database.asLogin((connection) => connection.script(text))
  // As an earlier release left it.
  await upgrade(`
    update transactions set flow = flow - 'collection' - 'handOverAt' where id = '${transactionId}';
    delete from jobs where kind = 'payments.watchCollection' and key = '${transactionId}'`)
  await upgrade(migration)
  // Once is enough.
  await upgrade(migration)
  collection = 'RETURNED'
  await server.pass(60_000)
  expect((await transaction(transactionId)).status).toBe(status)
  expect((await must(api.GET('/receivables'))).data).toMatchObject([
    { status: 'OPEN', transactionId, remainingAmount: { amount: 40_000 } },
  ])
})
