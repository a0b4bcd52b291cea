import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import type { Statement } from '@corridor/engine/vocabulary/statement.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { beforeEach, expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

// What is explained goes on while it is read: it is told as it was at one moment.

const server = await openTestServer()
let before: { readonly read: RegExp; readonly happens: () => Promise<unknown> } | undefined
const { database } = server.engine
const read = database.read.bind(database) as (
  book: unknown,
  statement: Statement,
  ...rest: unknown[]
) => never
Object.assign(database, {
  async read(book: unknown, statement: Statement, ...rest: unknown[]) {
    const now = before
    if (now?.read.test(statement.name)) {
      before = undefined
      await now.happens()
    }
    return read(book, statement, ...rest)
  },
})
beforeEach(() => {
  before = undefined
})

async function start() {
  const payments = await paymentApi(server)
  const { api, usd } = payments
  await fund(api, usd.id, 250_000)
  const explain = async (id: string) => (await api.GET('/explain/{id}', { params: { path: { id } } })).data!
  return { ...payments, explain }
}

it('a balance is that of its account, whatever comes in meanwhile', async () => {
  const { api, usd, explain } = await start()
  before = { read: /^internalAccounts\.load/, happens: () => fund(api, usd.id, 1_000) }
  const { derivation, checks, sentence } = await explain(usd.id)
  expect(before).toBeUndefined()
  expect(checks).toEqual([{ name: 'recomputed balances match the stored ones', holds: true }])
  expect([sentence, derivation[0]?.result.amount]).toEqual(['2,510.00 USD can be spent.', '251000'])
})

it('a payment is as far as its postings, and says nothing that is over', async () => {
  const { api, customer, usd, explain } = await start()
  const refusing = await createPayee(api, 'EUR', 'DE97370400440532013004', { customerId: customer.id })
  const made = await createQuote(api, quoteBody(usd, refusing, 100_000))
  await execute(api, made.id)
  before = { read: /^ledger\.postings/, happens: () => server.settle() }
  const { status, journals, checks } = await explain(made.transactionId)
  expect(before).toBeUndefined()
  expect(journals.map(({ step }) => step)).toEqual(['execute', 'convert', 'unwind', 'refund'])
  expect(status).toMatchObject({
    now: 'FAILED',
    waitingFor: 'NOBODY',
    safeToRetry: { answer: 'YES_NEW_QUOTE' },
  })
  expect(checks).toContainEqual({ name: 'clearing empty', holds: true })
})

it('a quote that has just expired is not called safe to pay anew: its execution may be about to be written', async () => {
  const { api, customer, usd, explain } = await start()
  const payee = await createPayee(api, 'MXN', '032180000118359719', { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 100_000))
  const { applier } = server.engine
  const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
  const told: unknown[] = []
  Object.assign(applier, {
    async apply(scope: unknown, decision: Decision) {
      if (told.length === 0 && decision.transfers?.some((each) => each.id.includes('/execute/'))) {
        server.world.passMs(5 * 60_000 + 1_000)
        for (const of of [id, transactionId]) told.push((await explain(of)).status)
      }
      return apply(scope, decision)
    },
  })
  const executed = await execute(api, id).finally(() => Object.assign(applier, { apply }))
  expect(executed.response.status).toBe(200)
  const shown = { now: 'EXPIRED', safeToRetry: { answer: 'NO' } }
  expect(told).toMatchObject([shown, shown])
})
