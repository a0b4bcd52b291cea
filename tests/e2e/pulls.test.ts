import {
  createPayee,
  createQuote,
  execute,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('a quote that pulls its money (16.11)', () => {
  it('into an account of ours is money coming in, credited once it has settled', async () => {
    const { platform, api, customer, balance, transaction, statusOfQuote } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const quote = await createQuote(api, quoteBody(bank, eur, 10_000))
    await execute(api, quote.id)
    const shown = { type: 'INCOMING', direction: 'CREDIT', quoteId: quote.id }
    expect(await transaction(quote.transactionId)).toMatchObject({ ...shown, status: 'PENDING' })
    expect(await balance('EUR')).toBe(0)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ ...shown, status: 'COMPLETED' })
    expect(await statusOfQuote(quote.id)).toBe('COMPLETED')
    expect(await balance('EUR')).toBe(8_557)
    const types = (await server.events(platform)).map(({ type }) => type)
    expect(types).toEqual([
      'INCOMING_PAYMENT.PENDING',
      'INCOMING_PAYMENT.COMPLETED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    ])
  })

  it('into an account of ours fails by the table of transfers, and credits nothing', async () => {
    const { api, customer, usd, balance, transaction, statusOfQuote } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, usd, 10_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PENDING' })
    await server.pass(30_000)
    const ended = await transaction(quote.transactionId)
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED', direction: 'CREDIT' })
    expect(ended).not.toHaveProperty('refund')
    expect(await statusOfQuote(quote.id)).toBe('FAILED')
    expect(await balance()).toBe(0)
  })

  it('into an account of ours expires as every quote does, before the sweep as after it', async () => {
    const { api, customer, usd, transaction, told } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, usd, 10_000))
    server.world.passMs(15 * 60_000)
    const before = await transaction(quote.transactionId)
    expect(before).toMatchObject({ status: 'EXPIRED', type: 'OUTGOING' })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'EXPIRED', type: 'OUTGOING' })
    expect(await told(quote.transactionId)).toEqual(['EXPIRED'])
  })

  it('moves no internal balance when it succeeds', async () => {
    const { platform, api, customer, balance, transaction } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    expect(quote.totalReceivingAmount).toBe(212_930)
    expect((await execute(api, quote.id)).data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED', type: 'OUTGOING' })
    expect(await balance()).toBe(0)
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:ACH:USD': -40_000n,
      'fee:USD': 200n,
      'fx:USD': 39_800n,
      'fx:BRL': -212_930n,
      'rail:PIX:BRL': 212_930n,
    })
  })

  it('fails without a refund when nothing could be collected', async () => {
    const { platform, api, customer, transaction } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456002', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, quote.id)
    await server.settle()
    const ended = await transaction(quote.transactionId)
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' })
    expect(ended).not.toHaveProperty('refund')
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('refunds to the internal account when only the payout failed', async () => {
    const { api, customer, balance, transaction } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.004@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect(await balance()).toBe(40_000)
  })
})

describe('a pull into an account whose rate is no longer to be had', () => {
  it('fails with a reason that incoming payments know', async () => {
    const { platform, api, customer, transaction } = await paymentApi(server, {
      settings: { refusesQuotedRates: true },
    })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(bank, eur, 1_000))
    expect((await execute(api, made.id)).error).toMatchObject({ code: 'QUOTE_RATE_UNAVAILABLE' })
    expect(await transaction(made.transactionId)).toMatchObject({
      type: 'INCOMING',
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
    })
    expect((await server.events(platform)).at(-1)).toMatchObject({ type: 'INCOMING_PAYMENT.FAILED' })
  })
})
