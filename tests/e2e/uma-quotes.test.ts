import { fund, internalAccountOf, must, openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()

const euro = '$success.eur@sandbox.uma.money'

async function start() {
  const payments = await paymentApi(server)
  const { api, usd } = payments
  await fund(api, usd.id, 100_000)
  return {
    ...payments,
    quoteTo: (umaAddress: string, more: object = {}, currency?: string) =>
      api.POST('/quotes', {
        body: {
          source: { sourceType: 'ACCOUNT', accountId: usd.id },
          destination: {
            destinationType: 'UMA_ADDRESS',
            umaAddress,
            ...(currency === undefined ? {} : { currency }),
          },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 10_000,
          ...more,
        },
      }),
    execute: (quoteId: string) => api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }),
    advance: (seconds: number) => must(api.POST('/sandbox/clock/advance', { body: { seconds } })),
  }
}

describe('a quote to a UMA address', () => {
  it('prices the fees of both institutions and is delivered (16.5)', async () => {
    const uma = await start()
    const { lookupId } = await must(
      uma.api.GET('/receiver/uma/{receiverUmaAddress}', {
        params: { path: { receiverUmaAddress: euro }, query: { customerId: uma.customer.id as never } },
      }),
    )
    const quote = await must(uma.quoteTo('$SUCCESS.EUR@sandbox.uma.money', { lookupId }, 'EUR'))
    expect(quote).toMatchObject({
      status: 'PENDING',
      totalSendingAmount: 10_000,
      totalReceivingAmount: 8_556,
      feesIncluded: 50,
      exchangeRate: 1.1627907,
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: euro, currency: 'EUR' },
      rateDetails: {
        counterpartyFixedFee: 9,
        gridApiFixedFee: 10,
        gridApiVariableFeeRate: 0.003,
        gridApiVariableFeeAmount: 30,
      },
    })
    await must(uma.execute(quote.id))
    await server.settle()
    expect(await uma.balance()).toBe(90_000)
    expect(await uma.transaction(quote.transactionId)).toMatchObject({
      status: 'COMPLETED',
      type: 'OUTGOING',
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: euro, currency: 'EUR' },
      sentAmount: { amount: 10_000 },
      receivedAmount: { amount: 8_556 },
      paymentRail: null,
    })
    expect(await uma.told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await server.ledgerBalances(uma.platform)).toMatchObject({
      'fee:USD': 40n,
      'fx:USD': 9_960n,
      'fx:EUR': -8_565n,
      'cpfee:EUR': 9n,
      'rail:UMA:EUR': 8_556n,
    })
  })

  it('takes the first currency of the receiver, looks up by itself, and may be executed at once', async () => {
    const uma = await start()
    const quote = await must(uma.quoteTo('$success.mxn@sandbox.uma.money', { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 'COMPLETED', destination: { currency: 'MXN' } })
    const exact = await must(
      uma.quoteTo('$success.usd@sandbox.uma.money', {
        lockedCurrencySide: 'RECEIVING',
        lockedCurrencyAmount: 1_000,
      }),
    )
    expect(exact).toMatchObject({ totalReceivingAmount: 1_000, totalSendingAmount: 1_023 })
  })

  it('follows the scenario of the address: a long wait, and a refusal with the money back', async () => {
    const uma = await start()
    const long = await must(uma.quoteTo('$pending.long.usd@sandbox.uma.money', { immediatelyExecute: true }))
    expect(long.status).toBe('PROCESSING')
    await uma.advance(359)
    expect(await uma.statusOfQuote(long.id)).toBe('PROCESSING')
    await uma.advance(1)
    expect(await uma.statusOfQuote(long.id)).toBe('COMPLETED')
    expect(await uma.balance()).toBe(90_000)

    const failing = await must(uma.quoteTo('$fail.compliance.usd@sandbox.uma.money'))
    expect((await uma.execute(failing.id)).response.status).toBe(200)
    await server.settle()
    expect(await uma.transaction(failing.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'COMPLIANCE_REJECTED',
      refund: { status: 'COMPLETED' },
    })
    expect(await uma.told(failing.transactionId)).toEqual([
      'PENDING',
      'PROCESSING',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ])
    expect(await uma.balance()).toBe(90_000)
  })

  it('is not cancelled, and found by the address of its receiver', async () => {
    const uma = await start()
    const quote = await must(uma.quoteTo('$pending.long.usd@sandbox.uma.money', { immediatelyExecute: true }))
    const cancelled = await uma.api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(cancelled.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const query = { receiverAccountIdentifier: '$PENDING.long.usd@sandbox.uma.money' as never }
    const { data } = await must(uma.api.GET('/transactions', { params: { query } }))
    expect(data.map(({ id }) => id)).toEqual([quote.transactionId])
  })

  it('refuses what the receiver does not take', async () => {
    const uma = await start()
    const refused = async (...parts: Parameters<typeof uma.quoteTo>) => (await uma.quoteTo(...parts)).error
    expect(await refused(euro, {}, 'USD')).toMatchObject({
      status: 400,
      code: 'INVALID_CURRENCY',
      details: { currency: 'USD', supported: ['EUR'] },
    })
    const receiving = (lockedCurrencyAmount: number) => ({
      lockedCurrencySide: 'RECEIVING',
      lockedCurrencyAmount,
    })
    const range = {
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 100, max: 10_000_000, currency: 'EUR' },
    }
    expect(await refused(euro, receiving(99))).toMatchObject(range)
    expect(await refused(euro, receiving(10_000_001))).toMatchObject(range)
    expect(await uma.balance()).toBe(100_000)
  })

  it('needs to know of the sender what the receiver asks for, from the record or from the request', async () => {
    const uma = await start()
    const nameless = await must(
      uma.api.POST('/customers', { body: { customerType: 'INDIVIDUAL', currencies: ['USD'] } as never }),
    )
    const account = await internalAccountOf(uma.api, nameless.id, 'USD')
    await fund(uma.api, account.id, 10_000)
    const source = { sourceType: 'ACCOUNT', accountId: account.id }
    expect((await uma.quoteTo(euro, { source })).error).toMatchObject({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      details: { missingFields: ['FULL_NAME'] },
    })
    const told = { source, senderCustomerInfo: { FULL_NAME: 'Ana Lopez' } }
    expect((await uma.quoteTo(euro, told)).response.status).toBe(201)
  })
})
