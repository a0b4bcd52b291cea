import { startBackground } from '@corridor/engine/assembly/background.ts'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { switched } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { createAttention } from '@corridor/engine/mechanisms/jobs/attention.ts'
import { createRelay } from '@corridor/engine/mechanisms/outbox/relay.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

/**
 * The engine of another process on the same database, whose pauses end when the test says so. It has a
 * relay of its own, because a stopped relay stays stopped.
 */
function processWithPauses(changes: Partial<Engine> = {}) {
  const pauses: { ms: number; end: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const pause = { ms, end: resolve }
      pauses.push(pause)
      signal?.addEventListener('abort', () => {
        pauses.splice(pauses.indexOf(pause), 1)
        resolve()
      })
    })
  const errors: object[] = []
  const warnings: object[] = []
  const log = {
    ...server.world.log,
    warn: (fields: object) => warnings.push(fields),
    error: (fields: object, message: string) => errors.push({ ...fields, message }),
  }
  const engine: Engine = {
    ...server.engine,
    world: { ...server.engine.world, sleep, log },
    relay: createRelay(server.engine),
    ...changes,
  }
  return { engine, pauses, errors, warnings }
}

async function platformWithInbox() {
  const platform = await server.platform()
  const inbox = receiver.inbox()
  const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
  const id = `PlatformConfig:${platform.platformId}`
  await server.engine.applier.apply(scope, {
    updates: [{ table: 'platform_configs', id, set: { webhook_endpoint: inbox.url } }],
    result: () => null,
  })
  return { platform, inbox }
}

async function emit(book: Book): Promise<void> {
  const scope = await server.engine.clock.scope(book, { id: 'test', permissions: [] })
  const event = { type: 'TEST', resourceId: 'Thing:1', subjectId: null, data: {} }
  await server.engine.applier.apply(scope, { events: [event], result: () => null })
}

/** Jobs and events look every millisecond; the other loops are not what most of these tests are about. */
const intervals = {
  pollMs: 1,
  purgeMs: 2,
  retentionMs: 2,
  statisticsMs: 2,
  auditMs: 2,
  keysMs: 3,
  refusalsMs: 2,
  requestsMs: 2,
}
const loops = 11

/** Lets everything that can go on do so, until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

describe('the background loops', () => {
  it('deliver an event at once when it is committed in the same process', async () => {
    const { platform, inbox } = await platformWithInbox()
    const { engine, pauses } = processWithPauses()
    const background = startBackground(engine, intervals)
    await until(() => pauses.length === loops)
    await emit(platform)
    await inbox.arrived(1)
    await background.stop()
  })

  it('find what nobody gave notice of when the pause is over', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer((_webhook, index) => (index === 0 ? 500 : 200))
    await emit(platform)
    await server.settle()
    const { engine, pauses } = processWithPauses()
    const background = startBackground(engine, intervals)
    await until(() => pauses.length === loops)
    // The retry has fallen due by the sandbox clock, which another process moved.
    await server.engine.clock.moveTo(platform, server.world.now() + 6_000)
    for (const { ms, end } of [...pauses]) if (ms === 1) end()
    await inbox.arrived(2)
    await background.stop()
  })

  it.each<[what: string, error: Error, logged: { errors: object[]; warnings: object[] }]>([
    [
      'say that an error of their own is unexpected, and go on',
      new TypeError('x is not a function'),
      {
        errors: [
          {
            where: 'jobs',
            error: { name: 'TypeError', message: 'x is not a function', stack: expect.any(String) },
            message: 'unexpected error outside a request',
          },
        ],
        warnings: [],
      },
    ],
    [
      'wait for a database that is away',
      new DatabaseUnavailable('AWAY', 'no connection'),
      { errors: [], warnings: [{ where: 'jobs', error: 'no connection' }] },
    ],
  ])('%s', async (_what, error, logged) => {
    let rounds = 0
    const jobs = {
      ...server.engine.jobs,
      async startDue() {
        if (++rounds === 1) throw error
      },
    }
    const { engine, pauses, errors, warnings } = processWithPauses({ jobs })
    const background = startBackground(engine, intervals)
    await until(() => pauses.length === loops)
    expect({ errors, warnings }).toEqual(logged)
    for (const { ms, end } of [...pauses]) if (ms === 1) end()
    await until(() => rounds === 2)
    await background.stop()
  })

  it('say nothing of a database that is being copied, and look again', async () => {
    let rounds = 0
    const jobs = {
      ...server.engine.jobs,
      async startDue() {
        if (++rounds > 1) return
        const driver = switched({} as never, async () => {})
        await driver.apart(async (inner) => {
          await driver.use('maintenance', async () => {})
          return inner
        })
      },
    }
    const { engine, pauses, errors } = processWithPauses({ jobs })
    const background = startBackground(engine, intervals)
    await until(() => pauses.length === loops)
    expect(errors).toEqual([])
    for (const { ms, end } of [...pauses]) if (ms === 1) end()
    await until(() => rounds === 2)
    await background.stop()
  })

  it('learn of new keys in a process that only answers requests too', async () => {
    let rounds = 0
    const refreshWebhookKeys = async () => void rounds++
    const { engine, pauses } = processWithPauses({ keys: { ...server.engine.keys, refreshWebhookKeys } })
    const background = startBackground(engine, { ...intervals, doesWork: false })
    // Statistics, keys, who was refused, what was asked, and the leases of jobs that requests own.
    await until(() => pauses.length === 5)
    expect(rounds).toBe(1)
    pauses.find(({ ms }) => ms === 3)!.end()
    await until(() => rounds === 2)
    await background.stop()
  })

  it('look seldom while nobody asks, but for what falls due, and at once when somebody does', async () => {
    const { platform } = await platformWithInbox()
    let [now, rounds] = [0, 0]
    let dueAt: number | undefined
    const jobs = {
      ...server.engine.jobs,
      startDue: async () => void rounds++,
      nextDueAt: async () => dueAt,
    }
    const attention = createAttention({ now: () => now })
    const { engine, pauses } = processWithPauses({ jobs })
    const background = startBackground(
      { ...engine, world: { ...engine.world, now: () => now } },
      { ...intervals, attention },
    )
    await until(() => pauses.length === loops)
    // Whoever asked a moment ago looks for what came of it.
    expect(pauses.filter(({ ms }) => ms === 1)).toHaveLength(3)
    now = 10_000
    for (const { end } of [...pauses]) end()
    await until(() => pauses.length === loops && rounds === 2)
    expect(pauses.filter(({ ms }) => ms === 15_000)).toHaveLength(loops - 1)
    dueAt = now + 4_000
    await emit(platform)
    engine.signals.jobs.notify()
    await until(() => rounds === 3 && pauses.some(({ ms }) => ms === 4_000))
    dueAt = undefined
    attention.pay()
    await until(() => rounds === 4 && pauses.length === loops)
    expect(pauses.filter(({ ms }) => ms === 1)).toHaveLength(3)
    expect(pauses.filter(({ ms }) => ms === 15_000)).toHaveLength(0)
    await background.stop()
  })

  it('finish what they have started before they stop, and start nothing more', async () => {
    const { platform, inbox } = await platformWithInbox()
    let give: (status: number) => void = () => {}
    inbox.answer(() => new Promise<number>((resolve) => (give = resolve)))
    const { engine, pauses } = processWithPauses()
    const background = startBackground(engine, intervals)
    await until(() => pauses.length === loops)
    await emit(platform)
    await emit(platform)
    await inbox.arrived(1)

    let isStopped = false
    const stopping = background.stop().then(() => {
      isStopped = true
    })
    // Until then it keeps what it runs.
    await until(() => pauses.length === 1)
    expect(isStopped).toBe(false)
    give(200)
    await stopping
    expect(inbox.received).toHaveLength(1)
    inbox.answer(() => 200)
    await server.settle()
    expect(inbox.received).toHaveLength(2)
  })
})
