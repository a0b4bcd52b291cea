import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPatroni, startPatroni } from './patroni.ts'
import { openPayments, points } from './points.ts'
import type { Replicas } from './replicas.ts'

// On one database only: it starts servers of its own.
const isServer = process.env.CORRIDOR_TEST_DATABASE_URL !== undefined

/** All points, before and after them as well: `npm run proof -- failover-points`. */
describe.skipIf(!isServer || !hasPatroni())('a failover by Patroni', { meta: { needs: 'Patroni' } }, () => {
  let replicas: Replicas
  let payments: Awaited<ReturnType<typeof openPayments>>
  beforeAll(async () => {
    replicas = await startPatroni()
    payments = await openPayments(replicas)
  }, 240_000)
  afterAll(async () => {
    await payments.close()
    await replicas.stop()
  }, 60_000)

  it('with a frozen standby loses nothing that was told, and the payment comes to its end once', async () => {
    const point = points.find(({ name }) => name === 'acknowledgement of the execution')!
    expect(await payments.survive(point, 'frozen')).toEqual([])
    expect(await payments.audit()).toMatchObject({ payments: 1, isWhole: true })
  }, 240_000)
})
