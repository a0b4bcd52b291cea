import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

// Whoever owns an account that moves has a record of it, with the direction that the account saw.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

async function start() {
  const payments = await paymentApi(server)
  const { api, platform } = payments
  const other = await createCustomer(api, { fullName: 'Ben Okafor' })
  const list = async (customerId: string) => {
    const query = { customerId: customerId as never }
    return (await must(api.GET('/transactions', { params: { query } }))).data as unknown as Record<
      string,
      unknown
    >[]
  }
  const { data: own } = await must(
    api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }),
  )
  return {
    ...payments,
    other,
    platformUsd: own[0]!,
    records: async (customerId: string) =>
      (await list(customerId)).map(({ type, direction, status }) => `${type} ${direction} ${status}`),
    list,
    platformId: `PlatformConfig:${platform.platformId}`,
    theirs: (currency: string) => internalAccountOf(api, other.id, currency),
  }
}

describe('a payment between accounts of two owners', () => {
  it('from the bank of one to an account of the other is outgoing for one and incoming for the other', async () => {
    const { api, customer, other, theirs, records, list, told, platform } = await start()
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const eur = await theirs('EUR')
    const quote = await createQuote(api, quoteBody(bank, eur, 10_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await records(customer.id)).toEqual(['OUTGOING DEBIT COMPLETED'])
    expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    const [received] = await list(other.id)
    expect(received).toMatchObject({
      type: 'INCOMING',
      direction: 'CREDIT',
      status: 'COMPLETED',
      quoteId: quote.id,
      customerId: other.id,
      receivedAmount: { amount: 8_557, currency: { code: 'EUR' } },
      source: { sourceType: 'ACCOUNT', accountId: bank.id },
      destination: { accountId: eur.id, currency: 'EUR' },
    })
    const types = (await server.events(platform)).map(({ type }) => type)
    expect(types.slice(-2)).toEqual(['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'])
  })

  it('shows the receiver what it received, and neither amount, rate nor fee of the payer', async () => {
    const { api, usd, customer, other, theirs, list } = await start()
    await fund(api, usd.id, 10_000)
    await createQuote(api, quoteBody(usd, await theirs('EUR'), 10_000, { immediatelyExecute: true }))
    const [received] = await list(other.id)
    expect(received).toMatchObject({ receivedAmount: { amount: 8_557 } })
    for (const field of ['sentAmount', 'exchangeRate', 'fees', 'rateDetails']) {
      expect(received).not.toHaveProperty(field)
    }
    expect(received!.source).not.toHaveProperty('currency')
    const [sent] = await list(customer.id)
    expect(sent).toMatchObject({ type: 'OUTGOING', sentAmount: { amount: 10_000 } })
  })

  it('from the bank of the platform to a customer is incoming for the customer', async () => {
    const { api, customer, usd, records, platformId } = await start()
    const bank = await createPayee(api, 'USD', '000123456891')
    const quote = await createQuote(api, quoteBody(bank, usd, 5_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await records(customer.id)).toEqual(['INCOMING CREDIT COMPLETED'])
    expect(await records(platformId)).toEqual(['OUTGOING DEBIT COMPLETED'])
  })

  it('from the platform on behalf of a customer to that customer is incoming for the customer alone', async () => {
    const { api, customer, usd, platformUsd, records, list, platformId, balance } = await start()
    await fund(api, platformUsd.id, 5_000)
    const body = quoteBody(platformUsd, usd, 5_000)
    const quote = await createQuote(api, {
      ...body,
      source: { ...body.source, customerId: customer.id } as never,
      immediatelyExecute: true,
    })
    expect(quote.status).toBe('COMPLETED')
    expect(await records(customer.id)).toEqual(['INCOMING CREDIT COMPLETED'])
    expect((await list(customer.id))[0]).toMatchObject({ platformCustomerId: customer.platformCustomerId })
    expect(await records(platformId)).toEqual(['OUTGOING DEBIT COMPLETED', 'INCOMING CREDIT COMPLETED'])
    expect(await balance()).toBe(5_000)
  })
})

describe('a payment of one owner', () => {
  it('between its own accounts has one record, which names both', async () => {
    const { api, customer, usd, list } = await start()
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    await createQuote(api, quoteBody(usd, eur, 10_000, { immediatelyExecute: true }))
    expect(await list(customer.id)).toMatchObject([
      { type: 'OUTGOING', source: { accountId: usd.id }, destination: { accountId: eur.id } },
      { type: 'INCOMING', destination: { accountId: usd.id } },
    ])
  })

  it('that is paid in from outside for its own account is shown as coming in, too', async () => {
    const { api, customer, usd, records, list, balance } = await start()
    const quote = await createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 7_000,
    } as never)
    await must(
      api.POST('/sandbox/send', { body: { quoteId: quote.id as never, currencyCode: 'USD' } as never }),
    )
    await server.settle()
    expect(await balance()).toBe(7_000)
    expect((await records(customer.id)).sort()).toEqual([
      'INCOMING CREDIT COMPLETED',
      'OUTGOING DEBIT COMPLETED',
    ])
    const incoming = (await list(customer.id)).find(({ type }) => type === 'INCOMING')
    expect(incoming).toMatchObject({ receivedAmount: { amount: 7_000 }, destination: { accountId: usd.id } })
  })
})

describe('the fee of the platform', () => {
  it('is a record of the platform, with the fee alone', async () => {
    const { api, customer, usd, platformUsd, list, platformId, records } = await start()
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 } as const
    await must(
      api.PATCH('/config', {
        body: { feeConfigs: [{ ...fee, fixedFee: { amount: 50, currency: 'USD' } }] },
      }),
    )
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345678', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 20_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await records(platformId)).toEqual(['INCOMING CREDIT COMPLETED'])
    const [earned] = await list(platformId)
    expect(earned).toMatchObject({
      receivedAmount: { amount: 110, currency: { code: 'USD' } },
      destination: { accountId: platformUsd.id },
      quoteId: quote.id,
    })
    expect(earned).not.toHaveProperty('sentAmount')
  })
})
