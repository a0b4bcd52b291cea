import {
  createCustomer,
  createPayee,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FaultKind, faultKinds } from '../../packages/engine/src/mechanisms/faults/fault.ts'
import { onboarding } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'
import { basic } from '../e2e/raw-calls.ts'

/** Every kind of every part of the world is met where it is promised: none is made and then never heard of (6.2). */

const server = await openTestServer({ network: (async () => new Response('ok')) as typeof fetch })
let address: string
beforeAll(async () => {
  address = `${await server.listen()}/2025-10-13`
})
afterAll(() => server.expectSoundLedger())

type Stage = Awaited<ReturnType<typeof paymentApi>>

const params: Partial<Record<FaultKind, object>> = {
  LATENCY: { ms: 100 },
  SLOW_BODY: { bytesPerSecond: 100_000 },
  DELAY: { seconds: 1 },
  OUTCOME: { outcome: '004' },
  REORDER: { n: 2 },
  RATE_SHOCK: { bps: 100 },
}

async function pay({ api, customer, usd }: Stage): Promise<void> {
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const { data } = await api.POST('/quotes', { body: quoteBody(usd, payee, 10_000) as never })
  if (!data) return
  await api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: data.id } } })
  await server.settle()
}

/** What each part of the world is asked for in life; that it fails is the point. */
const uses: Record<keyof typeof faultKinds, (stage: Stage) => Promise<unknown>> = {
  async API({ platform }) {
    let isOver = false
    void fetch(`${address}/customers`, { headers: { authorization: basic(platform) } })
      .then((response) => response.text())
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    while (!isOver) await server.pass(1_000)
  },
  RAIL: pay,
  WEBHOOK: pay,
  RATES: pay,
  async IDENTITY({ platform }) {
    const at = onboarding(server, platform)
    // The document that she hands in is looked at first, and refused on purpose by most.
    const made = await at.completePerson('Mira Okafor').catch(() => undefined)
    if (made) await at.verify(made.id)
  },
  async UMA({ api, usd, customer }) {
    const umaAddress = '$success.eur@sandbox.uma.money'
    const path = { receiverUmaAddress: umaAddress }
    const query = { customerId: customer.id }
    const found = await api.GET('/receiver/uma/{receiverUmaAddress}', { params: { path, query } })
    await api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: usd.id },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress, currency: 'EUR' },
        ...(found.data ? { lookupId: found.data.lookupId } : {}),
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1_000,
      } as never,
    })
  },
  async MESSAGING({ api }) {
    const { id: customerId } = await createCustomer(api, {
      fullName: 'Mia Berg',
      email: 'mia@example.com',
      phoneNumber: '+4915112345678',
      region: 'DE',
      currencies: ['EUR'],
    })
    await api.POST('/customers/{customerId}/verify-email', { params: { path: { customerId } } })
    await server.settle()
  },
}

const all = Object.entries(faultKinds).flatMap(([target, kinds]) =>
  (Object.keys(kinds) as FaultKind[]).map((kind) => ({ target: target as keyof typeof uses, kind })),
)

it.each(all)('$target $kind is met', async ({ target, kind }) => {
  const stage = await paymentApi(server)
  const { api, usd } = stage
  await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
  await fund(api, usd.id, 100_000)
  const body = { kind, target, ...(params[kind] ? { params: params[kind] } : {}) } as never
  const { id: faultId } = await must(api.POST('/sandbox/faults', { body }))
  await uses[target](stage)
  const path = { params: { path: { faultId } } }
  const { seen, hits } = await must(api.GET('/sandbox/faults/{faultId}', path))
  expect(seen).toBeGreaterThanOrEqual(1)
  expect(hits).toBeGreaterThanOrEqual(1)
  const { data } = await must(api.GET('/sandbox/faults/{faultId}/activations', path))
  expect(data[0]).toMatchObject({ faultId, kind, target })
  await api.DELETE('/sandbox/faults')
  await server.pass(60_000)
})
