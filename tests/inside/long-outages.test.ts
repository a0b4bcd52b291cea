import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, expect, it } from 'vitest'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

// 6.2: what fails on purpose ends when its fault does, and leaves nothing behind that waits for an operator.

const server = await openTestServer()
afterAll(() => server.expectSoundLedger())
const hourMs = 3_600_000

it.each(['OUTAGE', 'LOST_ANSWER'] as const)(
  'a payment goes on when the %s of its rail is over, however long that took',
  async (kind) => {
    const { api, customer, usd, transaction, platform } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const { id: faultId } = await must(api.POST('/sandbox/faults', { body: { kind, target: 'RAIL' } }))
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, id)
    for (let half = 0; half < 48; half++) await server.pass(hourMs / 2)
    const job = async () => {
      const [row] = await server.rows<{ attempts: number; dead: boolean }>(
        'select attempts, dead_at is not null as dead from jobs where platform_id = $1',
        [platform.platformId],
      )
      return row
    }
    expect(await job()).toMatchObject({ dead: false })
    expect((await transaction(transactionId)).status).toBe('PENDING')
    const { totalCount } = await must(
      api.GET('/sandbox/faults/{faultId}/activations', { params: { path: { faultId } } }),
    )
    expect(totalCount).toBeGreaterThan(20)
    await api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId } } })
    await server.pass(hourMs)
    expect((await transaction(transactionId)).status).toBe('COMPLETED')
    expect(await job()).toBeUndefined()
  },
)
