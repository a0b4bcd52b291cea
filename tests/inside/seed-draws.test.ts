import { connect } from 'node:net'
import { startBackground } from '@corridor/engine/assembly/background.ts'
import { createApplier } from '@corridor/engine/mechanisms/db/apply.ts'
import { createSweeper, type Sweep } from '@corridor/engine/mechanisms/jobs/sweeps.ts'
import { createUnderWay } from '@corridor/engine/mechanisms/jobs/under-way.ts'
import { type Instant, makeWorld, silentLog } from '@corridor/kernel'
import { createTestBooks, openTestDatabase, openTestServer, simWorld } from '@corridor/testkit/index.ts'
import { afterAll, expect, it } from 'vitest'
import { seededWorld } from '../../apps/server/src/seed/seeded-world.ts'

/** What is drawn with a seed is the same, whatever runs beside it and whoever is faster. */

const real = makeWorld({
  now: () => 0,
  randomBytes: (count) => new Uint8Array(count),
  fetch,
  log: silentLog,
  sleep: async () => {},
})
const driver = await openTestDatabase()
afterAll(() => driver.close())

const turn = () => new Promise((resolve) => setImmediate(resolve))

it("is a decision's own, also where it is written together with others", async () => {
  const books = createTestBooks(driver)
  async function idsOf(purposes: readonly string[]): Promise<Map<string, readonly string[]>> {
    const world = seededWorld(real, '41')
    const book = await books.open()
    const applier = createApplier({ database: books.database, world, wake: () => {} })
    const event = (type: string) => ({ type, resourceId: type, subjectId: null, data: {} })
    const apply = (purpose: string) =>
      applier.apply(books.scope(book), { events: [event(purpose), event(purpose)], result: () => null })
    await Promise.all(purposes.map((purpose) => world.within(purpose, () => apply(purpose))))
    const rows = await books.rows<{ type: string; id: string }>(book, 'events', 'seq')
    const idsOfType = (type: string) => rows.filter((row) => row.type === type).map(({ id }) => id)
    return new Map(purposes.map((purpose) => [purpose, idsOfType(purpose)]))
  }
  const alone = await idsOf(['second'])
  // The first is on its way when the two others come, which makes them one batch.
  const together = await idsOf(['first', 'second', 'third'])
  expect(alone.get('second')).toHaveLength(2)
  expect(together.get('second')).toEqual(alone.get('second'))
})

it("is a row's own that falls due, in whichever order and however long the rows take", async () => {
  async function sweptIn(order: readonly string[], slow: string) {
    const world = seededWorld(real, '41')
    const drawn: [string, string][] = []
    const underWay = createUnderWay<never>()
    const sweep = {
      kind: 'test.sweep',
      due: { name: 'due', text: '' },
      async run(_engine: unknown, _scope: unknown, id: string) {
        for (let turns = id === slow ? 5 : 0; turns > 0; turns--) await turn()
        drawn.push([id, world.uuid()])
        return { ok: false, failure: { code: 'OVER' } }
      },
    } as unknown as Sweep<never>
    const sweeper = createSweeper<never>({
      applier: {} as never,
      sweeps: [sweep],
      slots: underWay.slots,
      advancing: new Set(),
      begin: underWay.begin,
      finish: underWay.finish,
    })
    const rows = order.map((id) => ({ platformId: 'p', environment: 'SANDBOX', id }))
    const engine = {
      world,
      database: {
        system: (work: (connection: unknown) => unknown) =>
          work({ query: async ({ name }: { name: string }) => (name === 'due' ? [...rows] : []) }),
      },
      clock: { now: async (): Promise<Instant> => 1 },
      signals: { jobs: { notify() {} } },
    } as never
    await world.within('work after request 1', () => sweeper.start(engine))
    await underWay.finish()
    return drawn
  }
  expect(await sweptIn(['a', 'b', 'c'], 'a')).toEqual(await sweptIn(['c', 'a', 'b'], 'b'))
})

/** A World that repeats what it makes, and tells for what it is drawn. */
function toldWorld(purposes: string[]) {
  return Object.assign(simWorld(1), {
    within<T>(purpose: string, work: () => T): T {
      purposes.push(purpose)
      return work()
    },
  })
}

it("is not a request's for what is refused before there is one", async () => {
  const purposes: string[] = []
  const server = await openTestServer({ world: toldWorld(purposes) })
  const { hostname, port } = new URL(await server.listen())
  const answerTo = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(Number(port), hostname, () => socket.write(text))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
    })
  purposes.length = 0
  expect(await answerTo('NONSENSE\r\n\r\n')).toContain('400')
  expect(
    await answerTo('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: all\r\nConnection: close\r\n\r\n'),
  ).toContain('400')
  expect(purposes).toEqual(['refused connection 1', 'refused connection 2'])
  await server.close()
})

it('is not left to a loop that writes down what was asked, at its own times', async () => {
  const server = await openTestServer()
  const flushes: string[] = []
  const { engine } = server
  const log = (name: string) => ({ flush: async () => void flushes.push(name) })
  const watched = {
    ...engine,
    requestLog: { ...engine.requestLog, ...log('requests') },
    auditLog: { ...engine.auditLog, ...log('refusals') },
  }
  const options = { doesWork: false, writesDown: false }
  const background = startBackground(watched, options)
  await turn()
  expect(flushes).toEqual([])
  // What is left when it stops has nobody else.
  await background.stop()
  expect(flushes.sort()).toEqual(['refusals', 'requests'])
  await server.close()
})
