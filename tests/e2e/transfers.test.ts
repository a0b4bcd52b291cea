import { createPayee, fund, openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('transfers (16.10)', () => {
  it('pulls money in, credited only once it has settled', async () => {
    const { api, customer, usd, balance, transaction, told, transferIn } = await paymentApi(server)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const { data, response } = await transferIn(bank, usd, 12_550)
    expect(response.status).toBe(201)
    expect(response.headers.get('deprecation')).toBe('true')
    expect(response.headers.get('link')).toContain('/quotes>; rel="successor-version"')
    expect(data).toMatchObject({
      status: 'PENDING',
      type: 'INCOMING',
      direction: 'CREDIT',
      sentAmount: { amount: 12_550 },
      receivedAmount: { amount: 12_550 },
    })
    expect(await balance()).toBe(0)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await balance()).toBe(12_550)
    expect(await told(data!.id)).toEqual(['PENDING', 'COMPLETED'])
  })

  const refused = [
    { suffix: '002', afterMs: 0 },
    { suffix: '003', afterMs: 0 },
    { suffix: '004', afterMs: 0 },
    { suffix: '005', afterMs: 30_000 },
  ]
  it.each(refused)(
    'fails a pull from …$suffix after $afterMs ms, with nothing to refund',
    async ({ suffix, afterMs }) => {
      const { api, customer, usd, balance, transaction, transferIn } = await paymentApi(server)
      const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
      const { data } = await transferIn(bank, usd, 12_550)
      await server.settle()
      if (afterMs > 0) {
        expect(await transaction(data!.id)).toMatchObject({ status: 'PENDING' })
        await server.pass(afterMs)
      }
      const ended = await transaction(data!.id)
      expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
      expect(ended).not.toHaveProperty('refund')
      expect(await balance()).toBe(0)
    },
  )

  const outgoing = [
    {
      suffix: '002',
      reason: 'QUOTE_EXECUTION_FAILED',
      tells: ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
    {
      suffix: '003',
      reason: 'ACCOUNT_INVALID',
      tells: ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
    {
      suffix: '004',
      reason: 'ACCOUNT_CANNOT_RECEIVE',
      tells: ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
  ]
  it.each(['006', '007', '102'])('knows no outcome but success for …%s', async (suffix) => {
    const { api, customer, usd, balance, transaction, transferIn, transferOut } = await paymentApi(server)
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
    const pulled = await transferIn(bank, usd, 12_550)
    const paid = await transferOut(usd, bank, 12_550)
    await server.settle()
    for (const { data } of [pulled, paid]) {
      const ended = await transaction(data!.id)
      expect(ended).toMatchObject({ status: 'COMPLETED' })
      expect(ended).not.toHaveProperty('refund')
    }
    expect(await balance()).toBe(20_000)
  })

  it.each(outgoing)('gives back a transfer to …$suffix', async ({ suffix, reason, tells }) => {
    const { api, customer, usd, balance, transaction, told, transferOut } = await paymentApi(server)
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
    const { data } = await transferOut(usd, bank, 12_550)
    expect(data).toMatchObject({ status: 'PENDING', type: 'OUTGOING', direction: 'DEBIT' })
    expect(await balance()).toBe(7_450)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'FAILED', failureReason: reason })
    expect(await told(data!.id)).toEqual(tells)
    expect(await balance()).toBe(20_000)
  })

  it('holds a slow failure for thirty seconds, then refunds it as a timeout', async () => {
    const { api, customer, usd, balance, transaction, transferOut } = await paymentApi(server)
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const { data } = await transferOut(usd, bank, 12_550)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'PENDING' })
    expect(await balance()).toBe(7_450)
    await server.pass(30_000)
    expect(await transaction(data!.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED', reason: 'TIMEOUT' },
    })
    expect(await balance()).toBe(20_000)
  })

  it('takes one currency only, accounts of the right kind, and no more than there is', async () => {
    const { api, customer, usd, transferIn, transferOut } = await paymentApi(server)
    await fund(api, usd.id, 1_000)
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    expect((await transferOut(usd, iban, 100)).error).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    expect((await transferIn(usd, usd, 100)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const short = await transferOut(usd, bank, 1_001)
    expect(short.error).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_BALANCE',
      details: { shortfall: 1 },
    })
    expect(short.response.headers.get('deprecation')).toBe('true')
    const unknown = await transferOut(
      usd,
      { id: `ExternalAccount:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
      100,
    )
    expect(unknown.error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    expect((await transferOut(usd, bank, 0)).error).toMatchObject({ status: 400, code: 'INVALID_AMOUNT' })
  })
})
