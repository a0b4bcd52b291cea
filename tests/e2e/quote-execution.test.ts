import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('the first answer under an idempotency key', () => {
  async function start() {
    const payments = await paymentApi(server)
    const { api, customer, usd } = payments
    const body = async () => {
      const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
      return quoteBody(usd, payee, 1_000)
    }
    return { ...payments, body }
  }

  it('is given again although the payment has moved on', async () => {
    const { platform, api, usd, balances, quote, body } = await start()
    await fund(api, usd.id, 1_000)
    const made = await createQuote(api, await body())
    const key = { 'Idempotency-Key': 'once' }
    const first = await execute(api, made.id, key)
    expect(first.data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
    expect(await quote(made.id)).toMatchObject({ status: 'COMPLETED' })
    const told = (await server.events(platform)).length
    const again = await execute(api, made.id, key)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect([again.response.status, again.data]).toEqual([200, first.data])
    expect((await server.events(platform)).length).toBe(told)
    expect(await balances()).toEqual({ available: 0, total: 0 })
  })

  it('is given again although it was a refusal whose reason is gone', async () => {
    const { api, usd, body } = await start()
    const made = await createQuote(api, await body())
    const key = { 'Idempotency-Key': 'poor' }
    const refused = await execute(api, made.id, key)
    expect(refused.error).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' })
    await fund(api, usd.id, 1_000)
    const again = await execute(api, made.id, key)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.error).toEqual(refused.error)
    expect((await execute(api, made.id, { 'Idempotency-Key': 'rich' })).data).toMatchObject({
      status: 'PROCESSING',
    })
    await server.settle()
  })

  it('is not kept when it was our failure: the same key then has its effect', async () => {
    const { api, body } = await start()
    const request = { body: await body(), headers: { 'Idempotency-Key': 'outage' } }
    const rail = vi.spyOn(server.thirdParties.SANDBOX, 'rail')
    rail.mockImplementationOnce(() => {
      throw new Error('the adapter is broken')
    })
    expect((await api.POST('/quotes', request)).error).toMatchObject({
      status: 500,
      code: 'SERVICE_SWITCH_ERROR',
    })
    rail.mockReturnValueOnce(undefined)
    expect((await api.POST('/quotes', request)).error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
    rail.mockRestore()
    const made = await api.POST('/quotes', request)
    expect(made.response.headers.get('idempotent-replayed')).toBeNull()
    expect(made.response.status).toBe(201)
    const again = await api.POST('/quotes', request)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.data).toEqual(made.data)
  })
})

describe('concurrent execution', () => {
  it('never overdraws: of 50 quotes over one balance exactly those it covers succeed', async () => {
    const { api, customer, usd, balances } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const quotes = await Promise.all(
      Array.from({ length: 50 }, () => createQuote(api, quoteBody(usd, payee, 900))),
    )
    const answers = await Promise.all(quotes.map(({ id }) => execute(api, id)))
    const done = answers.filter(({ data }) => data !== undefined)
    expect(done).toHaveLength(11)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await balances()).toEqual({ available: 100, total: 100 })
    await server.settle()
  })

  it('leaves nothing of the immediate quotes that the balance does not cover', async () => {
    const { platform, api, customer, usd, balances } = await paymentApi(server)
    await fund(api, usd.id, 2_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const body = quoteBody(usd, payee, 900, { immediatelyExecute: true })
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.POST('/quotes', { body })))
    expect(answers.filter(({ data }) => data?.status === 'COMPLETED')).toHaveLength(2)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await server.settle()
    expect(await balances()).toEqual({ available: 200, total: 200 })
    const outgoing = api.GET('/transactions', { params: { query: { type: 'OUTGOING' } } })
    expect((await must(outgoing)).totalCount).toBe(2)
    const told = (await server.events(platform)).filter(({ type }) => type === 'OUTGOING_PAYMENT.PENDING')
    expect(told).toHaveLength(2)
  })

  it('moves money once when one quote is executed 30 times at the same moment', async () => {
    const { api, customer, usd, balances } = await paymentApi(server)
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const answers = await Promise.all(Array.from({ length: 30 }, () => execute(api, made.id)))
    expect(answers.filter(({ data }) => data !== undefined)).toHaveLength(1)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await balances()).toEqual({ available: 99_000, total: 99_000 })
    await server.settle()
  })

  it('debits once for twenty parallel calls with one idempotency key', async () => {
    const { api, customer, usd, balances } = await paymentApi(server)
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const key = { 'Idempotency-Key': 'same' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => execute(api, made.id, key)))
    const bodies = new Set(answers.filter(({ data }) => data).map(({ data }) => JSON.stringify(data)))
    expect(bodies.size).toBe(1)
    for (const { error } of answers) {
      if (error) expect(error).toMatchObject({ details: { reason: 'REQUEST_IN_PROGRESS' } })
    }
    expect(await balances()).toEqual({ available: 99_000, total: 99_000 })
    await server.settle()
  })
})
