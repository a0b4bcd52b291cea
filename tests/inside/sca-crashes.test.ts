import { toTimestamp } from '@corridor/kernel'
import { openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs, scaApi } from '../e2e/sca-api.ts'
import { dying } from './dying.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

const code = { code: '123456' }

describe('a process that dies', () => {
  it('while it holds the money leaves all of it, or nothing', async () => {
    const { calls, quoted, balances, customer, api } = await scaApi(server)
    const { id } = await quoted()
    expect((await dying(server, 'before', () => calls.execute(id))).status).toBe(500)
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    expect(await calls.quote(id)).toMatchObject({ status: 'PENDING' })
    expect((await dying(server, 'after', () => calls.execute(id))).status).toBe(500)
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    expect(await calls.quote(id)).toMatchObject({ status: 'PENDING_AUTHORIZATION', scaChallenge: {} })
    expect(await calls.execute(id)).toMatchObject({ status: 409 })
    const query = { customerId: customer.id as never }
    expect((await api.GET('/sandbox/inbox', { params: { query } })).data!.data).toEqual([])
    await server.pass(5 * minuteMs)
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
  })

  it('while a proof is taken lets it count once: it is repeated, or it was done', async () => {
    const { calls, held, logIn, balances } = await scaApi(server)
    const { id } = await held()
    await logIn()
    expect((await dying(server, 'before', () => calls.authorize(id, code))).status).toBe(500)
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    expect((await dying(server, 'after', () => calls.authorize(id, code))).status).toBe(500)
    expect(await calls.authorize(id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await server.settle()
    expect(await calls.quote(id)).toMatchObject({ status: 'COMPLETED' })
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
    await server.pass(5 * minuteMs)
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
  })

  it('while it ends what nobody answered is followed by the next reader, or by the next process', async () => {
    const { calls, held, balances, platform } = await scaApi(server)
    const [read, left] = [await held(10_000), await held(10_000)]
    server.world.passMs(5 * minuteMs)
    expect(
      (await dying(server, 'before', async () => calls.quote(read.id).catch(() => undefined))) ?? null,
    ).toBeNull()
    // A process claimed the jobs and is gone: nobody else gets them before its lease is over.
    const lease = toTimestamp(server.world.now() + 60_000)
    await server.engine.database.system((connection) =>
      connection.query(
        {
          name: 'test.claim',
          text: `update jobs set attempts = 1, due_at = $2 where platform_id = $1 and kind = 'quotes.expireAuthorization'`,
        },
        [platform.platformId, lease],
      ),
    )
    await server.settle()
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    expect(await calls.quote(read.id)).toMatchObject({ status: 'FAILED' })
    expect(await balances()).toEqual({ available: 40_000, total: 50_000 })
    await server.pass(60_000)
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    expect(await calls.transaction(left.transactionId)).toMatchObject({ failureReason: 'SCA_NOT_COMPLETED' })
    await server.settle()
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
  })
})
