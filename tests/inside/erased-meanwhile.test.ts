import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { createPayee, fund, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// Customers 14: a request that was decided before its customer is erased leaves nothing of it behind.

const server = await openTestServer()
const { applier, database } = server.engine
const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
let beforeInsert: { table: string; happens: () => Promise<unknown> } | undefined
Object.assign(applier, {
  async apply(scope: unknown, decision: Decision) {
    const now = beforeInsert
    if (now && decision.inserts?.some(({ table }) => table === now.table)) {
      beforeInsert = undefined
      await now.happens()
    }
    return apply(scope, decision)
  },
})

async function start() {
  const payments = await paymentApi(server)
  const { api, customer, usd } = payments
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'USD', '9171931725', { customerId: customer.id })
  const erase = async () => {
    await api.DELETE('/customers/{customerId}', { params: { path: { customerId: customer.id } } })
    expect((await operate(server, 'POST', `/customers/${customer.id}/erase`)).status).toBe(204)
  }
  return { ...payments, payee, erase }
}
type Start = Awaited<ReturnType<typeof start>>

const words = { description: 'rent of the Canary house' }
const realtime = ({ customer, payee }: Start) => ({
  source: { sourceType: 'REALTIME_FUNDING' as const, customerId: customer.id, currency: 'USD' },
  destination: { destinationType: 'ACCOUNT' as const, accountId: payee.id },
  lockedCurrencySide: 'SENDING' as const,
  lockedCurrencyAmount: 10_000,
  ...words,
})

it.each([
  [
    'a quote between accounts',
    'quotes',
    ({ api, usd, payee }: Start) =>
      api.POST('/quotes', { body: { ...quoteBody(usd, payee, 1_000), ...words } }),
  ],
  [
    'a payment at once',
    'quotes',
    ({ api, usd, payee }: Start) =>
      api.POST('/quotes', {
        body: { ...quoteBody(usd, payee, 1_000, { immediatelyExecute: true }), ...words },
      }),
  ],
  [
    'a quote that is funded in real time',
    'quotes',
    (at: Start) => at.api.POST('/quotes', { body: realtime(at) as never }),
  ],
  [
    'an invitation',
    'invitations',
    ({ api, customer }: Start) =>
      api.POST('/invitations', { body: { inviterUma: customer.umaAddress!, firstName: 'Canary' } }),
  ],
] as const)('%s is not written once its customer is erased', async (_, table, send) => {
  const at = await start()
  beforeInsert = { table, happens: at.erase }
  const { response } = await send(at)
  expect(beforeInsert).toBeUndefined()
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  const { platformId } = at.platform
  const [left] = await database.read<{ count: bigint }>(
    at.platform,
    { name: `test.leftOf ${table}`, text: `select count(*) from ${table} where platform_id = $1` },
    [platformId],
  )
  expect(left!.count).toBe(0n)
  await server.expectSoundLedger()
})
