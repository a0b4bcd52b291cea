import { setTimeout as wait } from 'node:timers/promises'
import { startBackground } from '@corridor/engine/assembly/background.ts'
import { endLeasesOfTheDead } from '@corridor/engine/mechanisms/jobs/claims.ts'
import { endEventLeases } from '@corridor/engine/mechanisms/outbox/store.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { migrateUrl } from '@corridor/testkit/database.ts'
import { execute, must, type Quote, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Outside, openPlatform, startProcess } from './outside.ts'
import { ask, type OwnReplicas, type Replicas, startReplicas, until } from './replicas.ts'

/** Half the time that a server has to answer: the standby is frozen for longer in any case. */
const patience = 0.5
const isServer = process.env.CORRIDOR_TEST_DATABASE_URL !== undefined

describe.skipIf(!isServer)('a failover while the standby is frozen', () => {
  let replicas: OwnReplicas
  let first: TestServer
  let second: TestServer
  const held = new Set<string>()
  const met = new Set<string>()
  let thaw = () => {}
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve
  })
  const outside: Outside = {
    webhooks: new Set(),
    payouts: new Set(),
    async meet(id) {
      if (!held.has(id)) return
      met.add(id)
      await frozen
    },
  }
  beforeAll(async () => {
    replicas = await startReplicas()
    await migrateUrl(replicas.url('postgres'))
    first = await startProcess(replicas.url('postgres'), outside, patience)
    second = await startProcess(replicas.url('postgres'), outside, patience)
  }, 240_000)
  afterAll(async () => {
    await Promise.all([first.close({ audited: false }), second.close({ audited: false })])
    await replicas.stop()
  })

  it('a wait that somebody cancels is not taken for the end of it', async () => {
    const { api, quoteOf } = await openPlatform(first)
    const { id } = await quoteOf()
    const run = async () => (await execute(api, id, { 'idempotency-key': id })).response.status
    await replicas.freezeStandby()
    const answer = run()
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and application_name = 'corridor write'`
    await until(async () => (await ask(replicas.primary, cancel)).rows.length > 0)
    expect(await answer).toBe(503)
    await replicas.thawStandby()
    await until(async () => (await run()) === 200)
  }, 60_000)

  it('a standby that commits wait for only since a moment is noticed before a row is shown', async () => {
    const { api, platform, quoteOf } = await openPlatform(first)
    const beside = second.client(platform)
    const { id } = await quoteOf()
    const run = async (by: CorridorClient) =>
      (await execute(by, id, { 'idempotency-key': id })).response.status
    await replicas.waitForStandby(false)
    for (const by of [api, beside]) await must(by.GET('/transactions'))
    await replicas.waitForStandby(true)
    await replicas.freezeStandby()
    const first503 = run(api)
    // Once its session has ended, the server shows what no standby has.
    await until(
      async () =>
        (await ask(replicas.primary, `select from transactions where quote_id = '${id}'`)).rows.length > 0,
    )
    const statuses = [await first503, ...(await Promise.all([run(api), run(beside)]))]
    expect(statuses).toEqual([503, 503, 503])
    await replicas.thawStandby()
    await until(async () => (await run(api)) === 200)
  }, 60_000)

  it('loses nothing that was acknowledged, and tells nobody of what it takes back', async () => {
    const { api, quoteOf, balance } = await openPlatform(first)
    const quotes = [await quoteOf(), await quoteOf(), await quoteOf(), await quoteOf()]
    const [finished, begun, submitted, told] = quotes as [Quote, Quote, Quote, Quote]
    // In a book of its own, where nothing else is under way.
    const other = await openPlatform(first)
    const lost = await other.quoteOf()
    const beside = second.client(other.platform)
    const acknowledged = new Set<string>()
    const run = async ({ id, transactionId }: Quote, by: CorridorClient = api) => {
      const { response } = await execute(by, id, { 'idempotency-key': id })
      if (response.ok) acknowledged.add(transactionId)
      return response.status
    }
    const statusOf = async (call: Promise<{ response: Response }>) => (await call).response.status
    const rowsOf = async (cluster: Replicas['primary'], table: string) =>
      new Set((await ask(cluster, `select id from ${table}`)).rows.map(({ id }) => id as string))

    await run(finished)
    await first.settle()
    // Under way when the standby freezes: a rail and an endpoint that have been called, and a job that nobody has begun.
    held.add(`payout ${submitted.transactionId}`).add(`webhook ${told.transactionId}`)
    await run(submitted)
    const working = [first.engine.jobs.runDue(first.engine).catch(() => 0)]
    await until(async () => met.has(`payout ${submitted.transactionId}`))
    await run(told)
    working.push(first.engine.relay.runDue(first.engine).catch(() => 0))
    await until(async () => met.has(`webhook ${told.transactionId}`))
    await run(begun)

    await replicas.freezeStandby()
    thaw()
    const answers = [run(lost, other.api)]
    const background = startBackground(second.engine, { pollMs: 100 })
    // The server shows what no standby has, once the session that waited for it has ended.
    await until(async () => (await rowsOf(replicas.primary, 'transactions')).has(lost.transactionId))
    const params = { path: { transactionId: lost.transactionId } }
    answers.push(
      run(lost, beside),
      statusOf(beside.GET('/transactions/{transactionId}', { params })),
      statusOf(beside.GET('/transactions')),
    )
    expect(await Promise.all(answers)).toEqual([503, 503, 503, 503])
    await Promise.all(working)
    await wait(1_000)

    await replicas.failOver()
    const transactions = await rowsOf(replicas.primary, 'transactions')
    const events = await rowsOf(replicas.primary, 'events')
    expect(transactions).not.toContain(lost.transactionId)
    expect([...acknowledged].filter((id) => !transactions.has(id))).toEqual([])
    expect([...outside.payouts].filter((id) => !transactions.has(id))).toEqual([])
    expect([...outside.webhooks].filter((id) => !events.has(id))).toEqual([])

    // As if the leases of what was under way had ended.
    await until(async () => {
      const ended = [endLeasesOfTheDead(second.engine), endEventLeases(second.engine.database, Date.now())]
      return Promise.all(ended).then(
        () => true,
        () => false,
      )
    })
    // Repeated under its key it is done once, and all of them come to their end.
    await until(async () => (await run(lost, other.api)) === 200)
    const isOver = async (by: CorridorClient, { transactionId }: Quote) => {
      const path = { transactionId }
      const { data } = await by.GET('/transactions/{transactionId}', { params: { path } })
      return data?.status === 'COMPLETED'
    }
    for (const quote of quotes) await until(() => isOver(api, quote))
    await until(() => isOver(other.api, lost))
    expect([await balance(), await other.balance()]).toEqual([96_000, 99_000])
    await background.stop()
    await first.expectSoundLedger()
  }, 120_000)
})
