import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('the receiving side locked (16.2)', () => {
  it('sends the smallest amount that delivers it', async () => {
    const { api, customer, usd } = await paymentApi(server)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const locked = { lockedCurrencySide: 'RECEIVING' as const }
    expect(await createQuote(api, quoteBody(usd, payee, 92_000, locked))).toMatchObject({
      totalSendingAmount: 107_515,
      totalReceivingAmount: 92_000,
      feesIncluded: 538,
    })
  })

  it('delivers a currency without minor units exactly, and keeps the surplus as a position', async () => {
    const { platform, api, customer, usd } = await paymentApi(server)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'VND', '0011002233445', { customerId: customer.id })
    const made = await createQuote(
      api,
      quoteBody(usd, payee, 3_000_000, { lockedCurrencySide: 'RECEIVING', immediatelyExecute: true }),
    )
    expect(made).toMatchObject({
      status: 'COMPLETED',
      totalSendingAmount: 11_464,
      totalReceivingAmount: 3_000_000,
      feesIncluded: 57,
      exchangeRate: 0.000038022814,
    })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'fx:VND': -3_000_000n, 'fx:USD': 11_407n })
  })
})

describe('currencies of other decimals, both ways', () => {
  // Worked out by hand from the table of rates: 0.5 % of the amount rounded half up, the rest converted down.
  const cases = [
    ['USD', 10_000, 'VND', 2_616_850],
    ['VND', 2_616_850, 'USD', 9_900],
    ['USD', 10_000, 'UGX', 356_210],
    ['UGX', 356_210, 'USD', 9_900],
    ['USD', 10_000, 'RWF', 144_772],
    ['RWF', 144_772, 'USD', 9_900],
    ['USD', 10_000, 'XAF', 56_129],
    ['XOF', 56_129, 'USD', 9_900],
    ['XAF', 1_000, 'XOF', 995],
    ['USD', 10_000, 'BTC', 104_736],
    ['BTC', 104_736, 'USD', 9_900],
    ['BTC', 100_000, 'VND', 2_486_007],
    ['EUR', 10_000, 'USDC', 115_697_674],
    ['USDC', 115_697_674, 'EUR', 9_900],
    ['USDC', 10_000_000, 'USD', 999],
  ] as const
  it.each(cases)('%s %i gives %s %i', async (sends, amount, receives, arrives) => {
    const { api } = await paymentApi(server)
    const currencies = [...new Set([sends, receives])]
    const someone = await createCustomer(api, { currencies })
    const source = await internalAccountOf(api, someone.id, sends)
    const destination = await internalAccountOf(api, someone.id, receives)
    expect(await createQuote(api, quoteBody(source, destination, amount))).toMatchObject({
      totalSendingAmount: amount,
      totalReceivingAmount: arrives,
    })
    const back = quoteBody(source, destination, arrives, { lockedCurrencySide: 'RECEIVING' })
    const locked = await createQuote(api, back)
    expect(locked.totalReceivingAmount).toBe(arrives)
    expect(locked.totalSendingAmount).toBeLessThanOrEqual(amount)
  })
})
