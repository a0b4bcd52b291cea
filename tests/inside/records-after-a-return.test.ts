import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

/** The records of an account add up to its balance, also after a return that was collected later. */

const server = await openTestServer()

it('a returned credit that was spent in part, and paid later, adds up', async () => {
  const { api, customer, usd, balance, transferOut } = await paymentApi(server)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: 600 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const { id, transactionId } = await createQuote(api, quoteBody(bank, usd, 40_000))
  await execute(api, id)
  await server.settle()
  await server.pass(5_000)
  expect(await balance()).toBe(40_000)
  const to = await createPayee(api, 'USD', '000987654891', { customerId: customer.id })
  await must(transferOut(usd, to, 10_000))
  await server.pass(5_000)
  expect(await balance()).toBe(30_000)
  await server.pass(700_000)
  expect(await balance()).toBe(0)
  await fund(api, usd.id, 10_000)
  const query = { customerId: customer.id }
  const [owed] = (await must(api.GET('/receivables', { params: { query } }))).data
  await must(api.POST('/receivables/{id}/collect', { params: { path: { id: owed!.id } } }))
  const { data } = await must(api.GET('/transactions', { params: { query: { accountIdentifier: usd.id } } }))
  const sum = data
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((total, record) => {
      const amount =
        record.type === 'OUTGOING' ? record.sentAmount.amount : (record.receivedAmount?.amount ?? 0)
      return total + (record.direction === 'CREDIT' ? amount : -amount)
    }, 0)
  expect(data.find((record) => record.id === transactionId)).toMatchObject({ status: 'FAILED' })
  expect({ sum, records: data.map(({ direction, status }) => `${direction} ${status}`) }).toMatchObject({
    sum: await balance(),
  })
})
