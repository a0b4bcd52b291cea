import { createPayee, fund, must, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

// A request that is decided again, because somebody else changed what it was decided from, meets what fails on purpose once.

const server = await openTestServer()
afterAll(() => server.expectSoundLedger())
afterEach(() => vi.restoreAllMocks())

/** A platform with a fault of its rates, and a change that comes between a decision and its writing. */
async function contended(fault: object) {
  const payments = await paymentApi(server)
  const { api, customer, usd, platform } = payments
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const { id: faultId } = await must(
    api.POST('/sandbox/faults', { body: { target: 'RATES', ...fault } as never }),
  )
  let left = 1
  const apply = server.engine.applier.apply.bind(server.engine.applier)
  vi.spyOn(server.engine.applier, 'apply').mockImplementation(async (scope, decision) => {
    if (left-- > 0) {
      await server.rows('update customers set version = version + 1 where platform_id = $1 returning id', [
        platform.platformId,
      ])
    }
    return apply(scope, decision)
  })
  const quote = (more: object = {}) =>
    api.POST('/quotes', { body: quoteBody(usd, payee, 10_000, more) as never })
  const counted = async () => {
    const params = { path: { faultId } }
    const { seen, hits } = await must(api.GET('/sandbox/faults/{faultId}', { params }))
    return { seen, hits }
  }
  const wasContended = () => left < 0
  return { ...payments, faultId, quote, counted, wasContended }
}

it('a quote made at a shocked rate keeps it, and counts once', async () => {
  const { quote, counted, api, faultId, wasContended } = await contended({
    kind: 'RATE_SHOCK',
    params: { bps: -2_500 },
    times: 1,
  })
  const made = (await quote()).data!
  expect(wasContended()).toBe(true)
  expect(await counted()).toEqual({ seen: 1, hits: 1 })
  const next = (await quote()).data!
  // In what is sent for what arrives.
  expect(made.exchangeRate * 0.75).toBeCloseTo(next.exchangeRate, 6)
  const { timeline } = await must(api.GET('/explain/{id}', { params: { path: { id: made.id } } }))
  expect(timeline.filter(({ kind }) => kind === 'FAULT').map(({ ref }) => ref)).toEqual([faultId])
})

it('one that is let pass first is one, however often it is decided', async () => {
  const { quote, counted, wasContended } = await contended({ kind: 'OUTAGE', after: 1 })
  expect((await quote()).response.status).toBe(201)
  expect(wasContended()).toBe(true)
  expect(await counted()).toEqual({ seen: 1, hits: 0 })
  expect((await quote()).error).toMatchObject({ code: 'QUOTE_REQUEST_FAILED' })
})
