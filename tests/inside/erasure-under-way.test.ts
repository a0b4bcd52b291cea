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
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// A customer is not erased while the platform pays to them or for them: the payment needs their account to end.

const server = await openTestServer()

/** The platform pays to an account of a customer, named as the customer of the quote or not. */
async function platformPays({ isNamed = true, outcome = '' } = {}) {
  const { api, customer, transaction } = await paymentApi(server)
  const params = { params: { query: { currency: 'USD' as const } } }
  const own = async () => (await must(api.GET('/platform/internal-accounts', params))).data[0]!
  const { id } = await own()
  await fund(api, id, 20_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  if (outcome) {
    const match = { accountId: payee.id }
    const fault = { kind: 'OUTCOME', target: 'RAIL', match, params: { outcome, seconds: 600 } }
    await must(api.POST('/sandbox/faults', { body: fault as never }))
  }
  const words = { description: 'about Ana', remittanceInformation: 'rent of Ana' }
  const body = quoteBody({ id }, payee, 20_000, words)
  const named = { ...body, source: { ...body.source, customerId: customer.id } } as never
  const { id: quoteId, transactionId } = await createQuote(api, isNamed ? named : body)
  await execute(api, quoteId)
  const erase = async () => {
    const path = { params: { path: { customerId: customer.id } } }
    await api.DELETE('/customers/{customerId}', path)
    return (await operate(server, 'POST', `/customers/${encodeURIComponent(customer.id)}/erase`)).status
  }
  const rest = async () => {
    for (let step = 0; step < 30; step++) await server.pass(1_200_000)
  }
  return { own, transaction: () => transaction(transactionId), erase, rest, transactionId, customer }
}

it.each([
  ['before it is handed over', { isNamed: true }, 'COMPLETED'],
  ['to an account of theirs', { isNamed: false }, 'COMPLETED'],
])('waits for a payment of the platform %s', async (_, options, status) => {
  const { transaction, erase, rest } = await platformPays(options)
  expect(await erase()).toBe(409)
  await rest()
  expect((await transaction()).status).toBe(status)
  expect(await erase()).toBe(204)
})

it.each([true, false])('waits until the bank can no longer return it (named: %s)', async (isNamed) => {
  const { own, transaction, erase, rest } = await platformPays({ isNamed, outcome: '005' })
  await server.settle()
  await server.pass(5_000)
  expect((await transaction()).status).toBe('COMPLETED')
  expect(await erase()).toBe(409)
  await rest()
  expect(await transaction()).toMatchObject({ refund: { status: 'COMPLETED' } })
  expect((await own()).balance.amount).toBe(20_000)
  expect(await erase()).toBe(204)
})

it('takes what a payment of the platform for the customer says of people', async () => {
  const { transaction, erase, rest, transactionId, customer } = await platformPays()
  expect(await transaction()).toMatchObject({ description: 'about Ana' })
  await rest()
  const subjects = `select distinct subject_id as id from events where resource_id = '${transactionId}'`
  expect(await server.rows(subjects)).toEqual([{ id: customer.id }])
  expect(await erase()).toBe(204)
  expect(await transaction()).not.toHaveProperty('description')
})
