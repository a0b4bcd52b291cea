import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { clabe, paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterAll(() => server.expectSoundLedger())

/** A platform whose payments to Mexico a silent bank keeps. */
async function silentBank() {
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const body = { target: 'RAIL', kind: 'SILENCE' }
  const fault = await must(api.POST('/sandbox/faults', { body: body as never }))
  const pay = async () => {
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, quote.id)
    await server.settle()
    return quote.transactionId
  }
  const end = () => api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: fault.id } } })
  const stuck = async () => {
    const { status, body } = await operate(server, 'GET', '/stuck')
    expect(status).toBe(200)
    return body.data.filter(({ platformId }: { platformId: string }) => platformId === platform.platformId)
  }
  return { ...payments, payee, pay, end, stuck }
}

describe('payments past their time', () => {
  it('are told by rail, with how many, since when and which, and no more once they are over', async () => {
    const { pay, end, stuck, platform, api } = await silentBank()
    const listed = async () => {
      const query = { isStuck: true, limit: 1 }
      const { data, totalCount } = await must(api.GET('/transactions', { params: { query: query as never } }))
      return [totalCount, data[0]?.id]
    }
    const first = await pay()
    expect(await stuck()).toEqual([])
    expect(await listed()).toEqual([0, undefined])
    await server.pass(3_600_000)
    const second = await pay()
    expect(await listed()).toEqual([1, first])
    const [rail, ...others] = await stuck()
    expect(others).toEqual([])
    expect(rail).toMatchObject({
      platformId: platform.platformId,
      environment: 'SANDBOX',
      rail: 'SPEI',
      count: 1,
      payments: [{ id: first, status: 'PROCESSING', reason: 'LATE' }],
    })
    const [{ lateSeconds, expectedAt, since }] = rail.payments
    // An instant rail says sixty seconds (accounts 1.1).
    expect(Date.parse(expectedAt) - Date.parse(since)).toBeLessThanOrEqual(60_000)
    expect(Date.parse(expectedAt) - Date.parse(since)).toBeGreaterThan(50_000)
    expect(lateSeconds).toBeGreaterThan(3_000)
    expect(lateSeconds).toBeLessThanOrEqual(3_600)

    await server.pass(7_200_000)
    const [both] = await stuck()
    expect(both).toMatchObject({ count: 2, payments: [{ id: first }, { id: second }] })
    expect(await listed()).toEqual([2, second])
    await end()
    await server.pass(600_000)
    expect(await stuck()).toEqual([])
    expect(await listed()).toEqual([0, undefined])
  })

  it('are measured on the clock of their sandbox', async () => {
    const { pay, stuck, platform } = await silentBank()
    const id = await pay()
    await server.advance(platform, 3_600_000)
    expect(await stuck()).toMatchObject([{ rail: 'SPEI', payments: [{ id, reason: 'LATE' }] }])
  })

  it('do not wait for people', async () => {
    const payments = await paymentApi(server)
    const { api, usd, customer, platform } = payments
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    await createQuote(api, quoteBody(usd, payee, 10_000))
    await server.pass(86_400_000)
    const { body } = await operate(server, 'GET', '/stuck')
    expect(JSON.stringify(body)).not.toContain(platform.platformId)
  })

  it('are shown to operators alone', async () => {
    const { platform } = await paymentApi(server)
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const answered = await server.fetch('http://corridor.test/operator/stuck', {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(answered.status).toBe(401)
  })
})
