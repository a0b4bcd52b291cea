import { retention } from '@corridor/engine/assembly/features.ts'
import { forgetOld } from '@corridor/engine/mechanisms/retention/retention.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

const server = await openTestServer()
const dayMs = 86_400_000
const sweep = () => forgetOld(server.engine.database, retention, { requests: 7 }, server.world.now())

/** A payment that would succeed, in a sandbox with this fault of its rails. */
async function paying(
  fault: { kind: 'SILENCE' } | { kind: 'OUTCOME'; params: { outcome: '005'; seconds: number } },
) {
  const { api, customer, usd, transaction } = await paymentApi(server)
  await fund(api, usd.id, 10_000)
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const { id: faultId } = await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', ...fault } }))
  const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
  await execute(api, id)
  await server.settle()
  return {
    status: async () => (await transaction(transactionId)).status,
    async hits() {
      const params = { path: { faultId } }
      return (await must(api.GET('/sandbox/faults/{faultId}/activations', { params }))).data
    },
  }
}

it('what a fault decided about a payment is kept until the payment has ended, however long that takes', async () => {
  const returned = await paying({ kind: 'OUTCOME', params: { outcome: '005', seconds: 20 * 86_400 } })
  const silent = await paying({ kind: 'SILENCE' })
  await server.pass(10 * dayMs)
  await sweep()
  await server.pass(60_000)
  expect(await silent.status()).toBe('PROCESSING')
  expect(await returned.status()).toBe('COMPLETED')
  await server.pass(10 * dayMs)
  expect(await returned.status()).toBe('FAILED')
  expect(await returned.hits()).toHaveLength(1)
  await sweep()
  expect(await returned.hits()).toEqual([])
  await server.expectSoundLedger()
})

it('whom a fault has met is forgotten when it is deleted, however many that were, and of no other fault', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  const made = async () => {
    // Drawn, so that it is counted whom it has met.
    const body = {
      kind: 'ERROR',
      target: 'API',
      match: { operationId: 'listCustomers' },
      probability: 0.5,
    } as const
    const { id } = await must(api.POST('/sandbox/faults', { body }))
    await server.rows(
      `insert into fault_encounters (platform_id, environment, fault_id, subject, seen)
       select $1, 'SANDBOX', $2, 'subject ' || n, 1 from generate_series(1, 2500) n`,
      [platform.platformId, id],
    )
    return id
  }
  const [ended, other] = [await made(), await made()]
  await api.GET('/customers')
  const met = async (id: string) => {
    const [row] = await server.rows<{ met: bigint }>(
      'select count(*) as met from fault_encounters where fault_id = $1',
      [id],
    )
    return Number(row!.met)
  }
  expect([await met(ended), await met(other)]).toEqual([2_501, 2_501])
  await api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: ended } } })
  await server.settle()
  expect([await met(ended), await met(other)]).toEqual([0, 2_501])
  await api.DELETE('/sandbox/faults')
  await server.settle()
  expect(await met(other)).toBe(0)
})

it('whom a fault has met is not kept for ever, and nobody is counted where nothing is drawn', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  const made = async (probability: number) => {
    const body = {
      kind: 'ERROR',
      target: 'API',
      match: { operationId: 'getQuoteById' },
      probability,
    } as const
    return (await must(api.POST('/sandbox/faults', { body }))).id
  }
  const [drawn, always] = [await made(0.5), await made(1)]
  const met = async (id: string) => {
    const rows = await server.rows<{ seen: bigint }>(
      'select seen from fault_encounters where fault_id = $1',
      [id],
    )
    return rows.length
  }
  const ask = async (count: number) => {
    for (let asked = 0; asked < count; asked++) {
      await api.GET('/quotes/{quoteId}', { params: { path: { quoteId: `Quote:none-${asked}` } } })
    }
  }
  await ask(20)
  expect([await met(drawn), await met(always)]).toEqual([20, 0])
  await server.pass(6 * dayMs)
  await sweep()
  expect(await met(drawn)).toBe(20)
  await server.pass(2 * dayMs)
  await ask(1)
  await sweep()
  // The one that has been met again is still the one of before.
  expect(await met(drawn)).toBe(0)
})
