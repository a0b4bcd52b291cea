import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('cancellation (16.9)', () => {
  it('stops a slow payment once, and refunds it', async () => {
    const { api, customer, usd, balance, transaction, told } = await paymentApi(server)
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 50_000))
    expect(quote.totalReceivingAmount).toBe(37_561)
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PROCESSING' })

    const cancel = () =>
      api.POST('/transactions/{transactionId}/cancel', {
        params: { path: { transactionId: quote.transactionId } },
        body: { reason: 'duplicate invoice' },
      })
    expect((await cancel()).data).toMatchObject({
      status: 'PROCESSING',
      refund: { status: 'PENDING', reason: 'USER_CANCELLATION' },
    })
    await server.settle()
    expect((await told(quote.transactionId)).slice(-3)).toEqual([
      'REFUND_PENDING',
      'REFUND_COMPLETED',
      'COMPLETED',
    ])
    expect(await balance()).toBe(50_000)
    expect((await cancel()).error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' })
  })

  it('comes too late for a completed payment; without it a slow one completes after six minutes', async () => {
    const { api, customer, usd, transaction } = await paymentApi(server)
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 50_000))
    await execute(api, quote.id)
    await server.settle()
    await server.pass(359_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PROCESSING' })
    await server.pass(1_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    const late = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(late.error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' })
  })

  it('and approval are refused before the quote is executed: nothing is on its way', async () => {
    const { api, customer, usd } = await paymentApi(server)
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const { transactionId } = await createQuote(api, quoteBody(usd, payee, 50_000))
    const path = { params: { path: { transactionId } } }
    const cancelled = await api.POST('/transactions/{transactionId}/cancel', path)
    expect(cancelled.error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' })
    const pending = { status: 409, code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' }
    const approved = await api.POST('/transactions/{transactionId}/approve', path)
    expect(approved.error).toMatchObject(pending)
    const rejected = await api.POST('/transactions/{transactionId}/reject', path)
    expect(rejected.error).toMatchObject(pending)
  })

  it('is never offered for crypto', async () => {
    const { platform, api, customer, usd } = await paymentApi(server)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'SOLANA', `${'7'.repeat(40)}889`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 20_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 'COMPLETED', totalReceivingAmount: 199_790_000, feesIncluded: 21 })
    const refused = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'netfee:USD': 1n, 'fee:USD': 20n })
  })
})
