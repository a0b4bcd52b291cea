import {
  createPayee,
  createQuote,
  execute,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

// The platform collects into its own account, which also earns its fee; then the bank takes the collection back.

const server = await openTestServer()

type Payment = Record<'type' | 'direction', string> &
  Record<'sentAmount' | 'receivedAmount', { amount: number }>

it.each([
  ['nothing', 0],
  ['a part', 20_000],
  ['everything', 40_000],
])('its records add up to its balance when %s was spent before', async (_, spent) => {
  const { api } = await paymentApi(server)
  const own = async () =>
    (await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))).data[0]!
  const pay = async (source: { id: string }, payee: { id: string }, amount: number, more = {}) => {
    const { id } = await createQuote(api, quoteBody(source, payee, amount, more))
    await execute(api, id)
    await server.pass(5_000)
  }
  const usd = await own()
  const bank = await createPayee(api, 'USD', '000123456891')
  const params = { outcome: '005', seconds: 600 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const platformFeeOverride = {
    platformFixedFee: { amount: 100, currency: 'USD' },
    platformVariableFeeBps: 0,
  }
  await pay(bank, usd, 40_000, { platformFeeOverride })
  expect((await own()).balance.amount).toBe(40_000)
  if (spent > 0) {
    const elsewhere = await createPayee(api, 'USD', '000987654891')
    const ends = { source: { accountId: usd.id }, destination: { accountId: elsewhere.id } }
    await must(api.POST('/transfer-out', { body: { ...ends, amount: spent } as never }))
    await server.pass(5_000)
  }
  await server.pass(700_000)
  const query = { accountIdentifier: usd.id }
  const { data } = await must(api.GET('/transactions', { params: { query } }))
  const sum = data
    .filter(({ status }) => status === 'COMPLETED')
    .map((record) => {
      const { type, direction, sentAmount, receivedAmount } = record as Payment
      const amount = Number((type === 'OUTGOING' ? sentAmount : receivedAmount)?.amount)
      return direction === 'CREDIT' ? amount : -amount
    })
    .reduce((total, amount) => total + amount, 0)
  const { balance } = await own()
  expect([sum, balance.amount]).toEqual([0, 0])
  await server.expectSoundRecords()
})
