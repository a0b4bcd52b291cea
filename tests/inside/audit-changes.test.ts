import { auditChanges, markOf } from '@corridor/engine/mechanisms/audit/changes.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// The continuous audit: payments that were posted to since the last run, whatever else there is.

const server = await openTestServer({ stepMs: 1_000 })
afterEach(() => server.expectSoundRecords())

async function start() {
  const payments = await paymentApi(server)
  const { api, usd, customer, platform } = payments
  await fund(api, usd.id, 100_000)
  const pay = async (ending: string) => {
    const payee = await createPayee(api, 'MXN', `646180110400000${ending}`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, quote.id)
    return quote.transactionId as string
  }
  const { platformId, environment } = platform
  const of = `platform_id = '${platformId}' and environment = '${environment}'`
  return { ...payments, pay, of }
}

const since = (mark: Awaited<ReturnType<typeof markOf>>) => auditChanges(server.engine.database, mark)

/** Runs the audit while this is wrong, and takes it back. */
async function whilePlanted(text: string, takenBack: string, mark: Awaited<ReturnType<typeof markOf>>) {
  const script = (sql: string) => server.engine.database.asLogin((connection) => connection.script(sql))
  await script(text)
  try {
    return (await since(mark)).problems
  } finally {
    await script(takenBack)
  }
}

it('finds nothing in payments under way, returned, refunded and over', async () => {
  const it = await start()
  const mark = await markOf(server.engine.database)
  for (const ending of ['891', '004', '005', '006', '007']) await it.pay(ending)
  for (let step = 0; step < 8; step++) {
    const { problems, checkedPayments } = await since(mark)
    expect(problems).toEqual([])
    expect(checkedPayments).toBeGreaterThan(0)
    await server.pass(1_000)
  }
})

it('finds what is wrong with a payment that was posted to, and with money in suspense', async () => {
  const it = await start()
  const mark = await markOf(server.engine.database)
  const id = await it.pay('892')
  const row = `update transactions set sent_amount = sent_amount`
  const amount = await whilePlanted(
    `${row} + 1 where ${it.of} and id = '${id}'`,
    `${row} - 1 where ${it.of} and id = '${id}'`,
    mark,
  )
  expect(amount).toMatchObject([{ rule: 'AMOUNT_DIFFERS_FROM_POSTINGS', subject: id }])
  const key = (from: string, to: string) => `update jobs set key = '${to}' where ${it.of} and key = '${from}'`
  expect(await whilePlanted(key(id, 'lost'), key('lost', id), mark)).toMatchObject([
    { rule: 'PAYMENT_WITHOUT_JOB', subject: id },
  ])
  await operate(server, 'POST', `/internal-accounts/${it.usd.id}/freeze`)
  await server.client(it.platform).POST('/sandbox/inbound-payments', {
    body: { reference: 'NOBODY', currency: 'USD', amount: 700 },
  })
  const status = (from: string, to: string) =>
    `update suspense_items set status = '${to}' where ${it.of} and status = '${from}'`
  expect(
    await whilePlanted(status('WAITING', 'CREDITED'), status('CREDITED', 'WAITING'), mark),
  ).toMatchObject([{ rule: 'SUSPENSE_DIFFERS_FROM_ITEMS', subject: 'susp:USD', found: '700' }])
})

it('looks at what was posted since, and at nothing before', async () => {
  const it = await start()
  await it.pay('893')
  const mark = await markOf(server.engine.database)
  expect(await since(mark)).toMatchObject({ checkedPayments: 0, problems: [] })
  const last = await it.pay('894')
  const changed = `update transactions set sent_amount = sent_amount`
  const of = `where ${it.of} and id = '${last}'`
  const problems = await whilePlanted(`${changed} + 1 ${of}`, `${changed} - 1 ${of}`, mark)
  expect(problems.map(({ subject }) => subject)).toEqual([last])
  expect(await since(mark)).toMatchObject({ checkedPayments: 1, problems: [] })
})
