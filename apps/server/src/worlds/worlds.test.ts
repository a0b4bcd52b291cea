import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { MigrationRefused } from '@corridor/engine/mechanisms/db/migrate.ts'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import { followed } from '@corridor/engine/mechanisms/http/visits.ts'
import { WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import type { Worlds } from '@corridor/engine/ports/worlds.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Asker } from '@corridor/engine/vocabulary/operation.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { expect, it } from 'vitest'
import type { Facts, Served } from './served.ts'
import { type About, CopyRefused, type Place, type Went, type WorldStore } from './store.ts'
import { createWorlds, type WorldsOfInstallation } from './worlds.ts'

/** What is answered in front of the main world; 0 where it is for that one, and what it is asked for. */
function ask(
  worlds: WorldsOfInstallation,
  url: string,
): Promise<{ status: number; url: string | undefined }> {
  return new Promise((resolve) => {
    const request = { url } as IncomingMessage
    let status = 0
    const response = {
      writeHead: (given: number) => {
        status = given
      },
      end: () => resolve({ status, url: request.url }),
    } as unknown as ServerResponse
    if (!worlds.take(request, response)) resolve({ status, url: request.url })
  })
}

it('looks once for all who ask for worlds that do not exist', async () => {
  let looks = 0
  const store = {
    limit: 8,
    async list() {
      looks++
      return []
    },
  } as unknown as WorldStore
  const world = simWorld(1)
  const worlds = createWorlds({
    world,
    baseUrl: 'http://corridor.test',
    store,
    serve: () => Promise.reject(new Error('nothing is served')),
    examine: async () => {},
  })
  const asked = async (name: string) => (await ask(worlds, `/w/${name}/2025-10-13/config`)).status
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => asked(`none-${index}`)))
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect(looks).toBe(1)
  world.passMs(1_000)
  expect(await asked('none')).toBe(404)
  expect(looks).toBe(2)
})

/** Who asks for a restore; nobody gets in again until his answer is on record. */
function somebody(connection: object = {}): Asker & { recorded: () => void } {
  let recorded = () => {}
  return {
    connection,
    whenRecorded(step) {
      recorded = step
    },
    recorded: () => recorded(),
  }
}

/** A request at the door of the main world, which its handler works at until it is told to end. */
function visit({ main }: WorldsOfInstallation) {
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    writableEnded: false,
    destroyed: false,
  })
  const seen = { begun: 0 }
  let end = () => {}
  const handler = followed((async () => {
    seen.begun++
    await new Promise<void>((resolve) => {
      end = resolve
    })
    Object.assign(response, { headersSent: true, writableEnded: true })
  }) as never)
  const reply = { raw: response, hijack: () => {} }
  let work: unknown
  const starts = () => {
    work = handler.call({} as never, {} as never, reply as never)
  }
  let isLetIn = false
  main.handle({ complete: true } as IncomingMessage, response as unknown as ServerResponse, () => () => {
    isLetIn = true
  })
  return {
    response,
    seen,
    starts,
    isLetIn: () => isLetIn,
    hangsUp() {
      response.destroyed = true
      response.emit('close')
    },
    async ends() {
      end()
      await work
    },
  }
}

/** All that can go on without time has done so. */
const quiet = () => new Promise((resolve) => setImmediate(resolve))

/** A main world that does nothing, over a store of copies that are names alone. */
async function idleWorlds(
  more: Partial<WorldStore> = {},
  {
    platformsInProduction = async (): Promise<object[]> => [],
    examine = async () => {},
  }: { platformsInProduction?: () => Promise<object[]>; examine?: () => Promise<void> } = {},
) {
  const places = new Set<Place>(['snapshot/then', 'world/side'])
  const store = {
    limit: 8,
    list: async () => [...places].map((place) => ({ place, about: { createdAt: 0, from: 'main' } })),
    drop: async (place: Place) => {
      places.delete(place)
    },
    sweep: async () => {},
    ...more,
  } as unknown as WorldStore
  let served = 0
  const asked = new Map<string, Worlds>()
  /** How each is served, and whether that rests. */
  const live = new Map<string, { facts: Facts | undefined; rests: boolean }>()
  const fails = { serve: 0, rest: false }
  let rests = () => {}
  const rested = new Promise<void>((resolve) => {
    rests = resolve
  })
  const serve = async (_driver?: SwitchedDriver, facts?: Facts) => {
    if (fails.serve-- > 0) throw new Error('the database system is starting up')
    served++
    if (facts?.worlds) asked.set(facts.name, facts.worlds)
    const one = { facts, rests: false }
    live.set(facts?.name ?? 'main', one)
    return {
      engine: {
        database: { system: platformsInProduction, maintenance: async () => [{}] },
        eventStreams: { end: () => {} },
        waits: { endAll: () => {} },
      },
      handle: (_request: IncomingMessage, response: ServerResponse) => response.end(),
      async rest() {
        one.rests = true
        if (fails.rest) await rested
      },
      close: async () => {},
    } as unknown as Served
  }
  const use = async () => []
  const driver = { use, apart: (work: (inner: object) => Promise<unknown>) => work({ use }) }
  const world = simWorld(2)
  const worlds = createWorlds({ world, baseUrl: 'http://corridor.test', store, serve, examine })
  await worlds.begin(await serve(), driver as unknown as SwitchedDriver)
  return {
    worlds,
    world,
    places,
    fails,
    live,
    rests,
    timesServed: () => served,
    worldsOf: (fork: string) => asked.get(fork)!,
  }
}

/** A restore that goes well, where nothing is wrong with the copy. */
const replace: WorldStore['replace'] = async (driver, _at, _from, examine) => {
  const refused = await examine(driver)
  return refused ? { driver, refused } : { driver }
}

/** Copies that are names and what is said of them, of databases with this endpoint. */
function copiesWith(endpoint: () => string) {
  const said = new Map<Place, About>([['snapshot/then', { createdAt: 0, from: 'main', madeIn: 'main' }]])
  const fails = { list: 0, describe: 0 }
  const store: Partial<WorldStore> = {
    async list() {
      if (fails.list-- > 0) throw new Error('Connection terminated unexpectedly')
      return [...said].map(([place, about]) => ({ place, about }))
    },
    async copyOpen(driver, _from, to, about) {
      said.set(to, about)
      return { driver }
    },
    open: async () =>
      ({ use: async () => [{ url: endpoint() }], close: async () => {} }) as unknown as Driver,
    async describe(place, about) {
      if (fails.describe-- > 0) throw new Error('Connection terminated unexpectedly')
      said.set(place, about)
    },
    drop: async (place) => void said.delete(place),
    replace,
  }
  return { store, fails }
}

it('serves a world again whose restore broke off, for what rests in it would rest for ever', async () => {
  const { worlds, timesServed } = await idleWorlds({
    replace: () => Promise.reject(new Error('the disk is full')),
  })
  const before = worlds.servedMain()
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject({
    failure: { code: 'SERVICE_UNAVAILABLE' },
  })
  expect(timesServed()).toBe(2)
  expect(worlds.servedMain()).not.toBe(before)
})

it('serves a world anew until that works, and lets nobody in before', async () => {
  const { worlds, world, fails, live } = await idleWorlds({ replace })
  fails.serve = 2
  const asker = somebody()
  let isAnswered = false
  const answer = worlds.ofMain.restore('then', asker).finally(() => {
    isAnswered = true
    asker.recorded()
  })
  await quiet()
  const late = visit(worlds)
  for (const pauseMs of [100, 200]) {
    await quiet()
    expect([isAnswered, late.isLetIn()]).toEqual([false, false])
    world.passMs(pauseMs)
  }
  expect(await answer).toMatchObject({ ok: true })
  await quiet()
  expect(live.get('main')!.rests).toBe(false)
  expect(late.isLetIn()).toBe(true)
})

it('serves a fork anew also where what it holds cannot be read just now, or not be written down', async () => {
  const { store, fails } = copiesWith(() => 'https://then.example.com')
  const { worlds, world, live, worldsOf } = await idleWorlds({
    ...store,
    async replace(...given) {
      const went = await replace(...given)
      fails.list = 1
      return went
    },
  })
  expect(await worlds.ofMain.fork('side', undefined)).toMatchObject({ ok: true })
  const restored = worldsOf('side').restore('then', somebody())
  await quiet()
  world.passMs(100)
  expect(await restored).toMatchObject({ ok: true })
  expect(live.get('side')!.rests).toBe(false)

  fails.describe = 1
  const refused = worldsOf('side').restore('then', somebody())
  await quiet()
  world.passMs(100)
  expect(await refused).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
  expect(live.get('side')!.rests).toBe(false)
})

it('holds what a restore brings also where its process was killed as soon as the copy stayed', async () => {
  let endpoint = 'https://then.example.com'
  const { store } = copiesWith(() => endpoint)
  const first = await idleWorlds({
    ...store,
    async replace(driver, _at, _from, examine) {
      endpoint = 'https://later.example.com'
      await examine(driver)
      return new Promise(() => {})
    },
  })
  expect(await first.worlds.ofMain.fork('side', undefined)).toMatchObject({ ok: true })
  expect(first.live.get('side')!.facts!.heldEndpoints).toEqual(['https://then.example.com'])
  void first.worldsOf('side').restore('then', somebody())
  await quiet()

  const second = await idleWorlds(store)
  await new Promise<void>((resolve) => {
    const response = { once() {}, end: () => resolve() } as unknown as ServerResponse
    second.worlds.take({ url: '/w/side/2025-10-13/config' } as IncomingMessage, response)
  })
  expect(second.live.get('side')!.facts!.heldEndpoints).toEqual([
    'https://then.example.com',
    'https://later.example.com',
  ])
})

it("takes for nobody's what is under way in a copy that was put in place, and in nothing else", async () => {
  const refused = fail('CONFLICT', { reason: 'OTHERS_CONNECTED' })
  let went: (driver: Driver) => Went = (driver) => ({ driver, refused })
  const { worlds, world, live, fails, rests } = await idleWorlds({ replace: async (driver) => went(driver) })
  const isFresh = () => live.get('main')!.facts!.isFresh
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject({ failure: refused })
  expect(isFresh()).toBe(false)
  went = (driver) => ({ driver })
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject({ ok: true })
  expect(isFresh()).toBe(true)
  // What does not rest in time goes on beside what is served anew.
  for (fails.rest of [true, false]) {
    const late = worlds.ofMain.restore('then', somebody())
    await quiet()
    world.passMs(5_000)
    expect(await late).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
    expect(isFresh()).toBe(false)
  }
  rests()
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject({ ok: true })
  expect(isFresh()).toBe(true)
})

it('calls a snapshot unusable for what does not pass alone', async () => {
  let error: Error = new DatabaseUnavailable('AWAY', 'the database system is starting up')
  const { store } = copiesWith(() => '')
  const { worlds } = await idleWorlds(
    {
      ...store,
      copy: async (_from, to, about) => void (await store.copyOpen!({} as Driver, 'main', to, about)),
    },
    { examine: () => Promise.reject(error) },
  )
  const asked = async () => [
    await worlds.ofMain.restore('then', somebody()),
    await worlds.ofMain.fork('side', 'then'),
  ]
  for (const one of await asked()) {
    expect(one).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
  }
  error = new Error('the key service does not answer')
  for (const one of await asked()) {
    expect(one).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
  }
  for (error of [new MigrationRefused('of a later release'), new WrongMasterKey('another')]) {
    for (const one of await asked()) {
      expect(one).toMatchObject({
        failure: { code: 'CONFLICT', details: { reason: 'SNAPSHOT_NOT_USABLE' } },
      })
    }
  }
})

it('replaces nothing where a platform in production was set up while its restore waited for quiet', async () => {
  const restored: Place[] = []
  let looks = 0
  const { worlds, timesServed } = await idleWorlds(
    {
      async replace(driver, _at, from) {
        restored.push(from)
        return { driver }
      },
    },
    { platformsInProduction: async () => (looks++ === 0 ? [] : [{ found: 1 }]) },
  )
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject({
    failure: { code: 'CONFLICT', details: { reason: 'PRODUCTION_HERE' } },
  })
  expect(restored).toEqual([])
  expect(timesServed()).toBe(2)
})

/** A main world whose restores are counted; while the first is asked for, two others are inside. */
async function restoring() {
  let restored = 0
  const { worlds } = await idleWorlds({
    async replace(driver) {
      restored++
      return { driver }
    },
  })
  const [asking, other] = [visit(worlds), visit(worlds)]
  asking.starts()
  other.starts()
  const asker = somebody(asking.response)
  const answer = worlds.ofMain.restore('then', asker)
  await quiet()
  return { worlds, asking, other, asker, answer, restored: () => restored }
}

it('restores nothing beside a request that is under way when the asker has hung up, and then does it all the same', async () => {
  const { asking, other, answer, restored } = await restoring()
  asking.hangsUp()
  await quiet()
  expect(restored()).toBe(0)
  await other.ends()
  expect(await answer).toMatchObject({ ok: true })
  expect(restored()).toBe(1)
})

it('restores nothing beside what goes on for somebody who has hung up, or was told that there is no answer', async () => {
  for (const goes of ['hung up', 'told'] as const) {
    const { other, answer, restored } = await restoring()
    if (goes === 'hung up') other.hangsUp()
    else Object.assign(other.response, { headersSent: true, writableEnded: true }).emit('close')
    await quiet()
    expect(restored(), goes).toBe(0)
    await other.ends()
    expect(await answer, goes).toMatchObject({ ok: true })
  }
})

it('waits for nobody who hung up before anything was begun for him, and begins nothing for him any more', async () => {
  const { worlds } = await idleWorlds({ replace: async (driver) => ({ driver }) })
  const other = visit(worlds)
  const answer = worlds.ofMain.restore('then', somebody())
  await quiet()
  other.hangsUp()
  expect(await answer).toMatchObject({ ok: true })
  other.starts()
  expect(other.seen.begun).toBe(0)
})

it('lets nobody in before the answer of a restore is on record, so that a repetition finds it', async () => {
  const { worlds, other, asker, answer } = await restoring()
  const late = visit(worlds)
  await other.ends()
  other.response.emit('close')
  expect(await answer).toMatchObject({ ok: true })
  await quiet()
  expect(late.isLetIn()).toBe(false)
  asker.recorded()
  await quiet()
  expect(late.isLetIn()).toBe(true)
})

it('has what is being removed for nobody: it is not restored, not opened and not removed twice', async () => {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const restored: Place[] = []
  const { worlds } = await idleWorlds({
    drop: () => gate,
    async replace(driver, _at, from) {
      restored.push(from)
      return { driver }
    },
  })
  const dropping = [worlds.ofMain.dropSnapshot('then'), worlds.ofMain.drop('side')]
  const gone = { ok: false, failure: { code: 'REFERENCE_NOT_FOUND' } }
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject(gone)
  expect(await worlds.ofMain.fork('other', 'then')).toMatchObject(gone)
  expect(await worlds.ofMain.dropSnapshot('then')).toMatchObject(gone)
  expect(await worlds.ofMain.drop('side')).toMatchObject(gone)
  expect(await worlds.ofMain.snapshot('then')).toMatchObject({
    failure: { details: { reason: 'SNAPSHOT_EXISTS' } },
  })
  const { status } = await ask(worlds, '/w/side/2025-10-13/config')
  expect(status).toBe(404)
  expect(restored).toEqual([])
  letGo()
  expect(await Promise.all(dropping)).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
  ])
})

it('makes copies one after the other, of as many as may wait, and lets nobody wait for a restore', async () => {
  const made: string[] = []
  let inFlight = 0
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { worlds } = await idleWorlds({
    async copyOpen(driver, _from, to) {
      expect(++inFlight).toBe(1)
      await gate
      made.push(to)
      inFlight--
      return { driver }
    },
    replace: async (driver) => {
      await gate
      return { driver }
    },
  })
  const asked = Array.from({ length: 20 }, (_, index) => worlds.ofMain.snapshot(`copy-${index}`))
  const refused = { ok: false, failure: { details: { reason: 'COPY_UNDER_WAY' } } }
  expect(await worlds.ofMain.restore('then', somebody())).toMatchObject(refused)
  letGo()
  const answers = await Promise.all(asked)
  expect(answers.map(({ ok }) => ok)).toEqual([...Array(17).fill(true), ...Array(3).fill(false)])
  expect(answers[19]).toMatchObject(refused)
  expect(made).toEqual(Array.from({ length: 17 }, (_, index) => `snapshot/copy-${index}`))
  const restoring = worlds.ofMain.restore('then', somebody())
  expect(await worlds.ofMain.snapshot('late')).toMatchObject(refused)
  await restoring
  expect(await worlds.ofMain.snapshot('later')).toMatchObject({ ok: true })
})

it('removes what there is no need for once the copy is made that was under way', async () => {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { worlds, places } = await idleWorlds({
    async copyOpen(driver) {
      await gate
      return { driver }
    },
  })
  const copying = worlds.ofMain.snapshot('later')
  const dropping = [worlds.ofMain.drop('side'), worlds.ofMain.dropSnapshot('then')]
  expect([...places]).toEqual(['snapshot/then', 'world/side'])
  letGo()
  expect(await copying).toMatchObject({ ok: true })
  expect(await Promise.all(dropping)).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
  ])
  expect([...places]).toEqual([])
})

it('tells a fork that was removed while what it asked for waited for its turn that there is no such world', async () => {
  const gates: (() => void)[] = []
  const { worlds, places, worldsOf } = await idleWorlds({
    async copyOpen(driver, _from, to) {
      await new Promise<void>((resolve) => gates.push(resolve))
      places.add(to)
      return { driver }
    },
    open: async () => ({ use: async () => [], close: async () => {} }) as unknown as Driver,
    describe: async () => {},
  })
  const made = worlds.ofMain.fork('two', undefined)
  await quiet()
  gates.shift()!()
  expect(await made).toMatchObject({ ok: true })
  const two = worldsOf('two')

  const first = worlds.ofMain.snapshot('first')
  const dropping = worlds.ofMain.drop('two')
  const second = worlds.ofMain.snapshot('second')
  const asked = [
    () => two.snapshot('mine'),
    () => two.fork('of-mine', undefined),
    () => two.fork('of-then', 'then'),
  ].map((ask) => ask())
  await quiet()
  gates.shift()!()
  expect(await first).toMatchObject({ ok: true })
  expect(await dropping).toMatchObject({ ok: true })
  await quiet()
  gates.shift()!()
  expect(await second).toMatchObject({ ok: true })
  for (const answer of asked) {
    expect(await answer).toMatchObject({
      failure: { code: 'REFERENCE_NOT_FOUND', details: { resourceType: 'SandboxWorld', id: 'two' } },
    })
  }
  expect(gates).toEqual([])
  // Nobody waits for whoever restores, and it is told the same.
  expect(await two.restore('then', somebody())).toMatchObject({ failure: { code: 'REFERENCE_NOT_FOUND' } })
})

it('keeps the snapshot of the start, which a reset goes back to, unless a fork made it', async () => {
  const dropped: Place[] = []
  let from = 'main'
  const { worlds } = await idleWorlds({
    list: async () => [{ place: 'snapshot/start', about: { createdAt: 0, from } }],
    async drop(place) {
      dropped.push(place)
    },
  })
  expect(await worlds.ofMain.dropSnapshot('start')).toMatchObject({
    failure: { code: 'CONFLICT', details: { reason: 'START_IS_KEPT' } },
  })
  expect(dropped).toEqual([])
  from = 'side'
  expect(await worlds.ofMain.dropSnapshot('start')).toMatchObject({ ok: true })
  expect(dropped).toEqual(['snapshot/start'])
})

it('answers as the main world for the API of platforms alone: the operator has one address', async () => {
  const { worlds } = await idleWorlds()
  expect(await ask(worlds, '/w/main/2025-10-13/config')).toEqual({ status: 0, url: '/2025-10-13/config' })
  for (const path of ['/operator/audit', '/metrics', '/console/api/operator/audit', '//operator/audit', '']) {
    expect((await ask(worlds, `/w/main${path}`)).status, path).toBe(404)
  }
  const session = '/console/api/01a207af-6767-7012-b0b3-e83ccee7ff71/sandbox/2025-10-13/config'
  expect(await ask(worlds, `/w/side${session}`)).toEqual({ status: 404, url: `/w/side${session}` })
})

it('answers what its store is refused, or does not find, as well to whoever looks or removes', async () => {
  let list: WorldStore['list'] = async () => []
  const { worlds } = await idleWorlds({ list: () => list() })
  const asked = ({ list, snapshots, drop, dropSnapshot, snapshot, fork, restore }: Worlds) => [
    list(),
    snapshots(),
    drop('side'),
    dropSnapshot('then'),
    snapshot('later'),
    fork('other', undefined),
    restore('then', somebody()),
  ]
  const codes = async () =>
    (await Promise.all(asked(worlds.ofMain))).map((result) => !result.ok && result.failure.code)
  // As a server answers a login that may not reach its own database.
  list = () => Promise.reject(new CopyRefused(fail('CONFLICT', { reason: 'MAY_NOT_COPY' })))
  expect(new Set(await codes())).toEqual(new Set(['CONFLICT']))
  list = () => Promise.reject(new DatabaseUnavailable('AWAY', 'the server is away'))
  const away = await codes()
  expect(away.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'SERVICE_UNAVAILABLE'))
})

it('has no fork of a copy that cannot be opened, and refuses also where that cannot be removed just now', async () => {
  let drop = async (_place: Place) => {}
  const dropped: Place[] = []
  const { worlds } = await idleWorlds({
    list: async () => [],
    copyOpen: async (driver) => ({ driver }),
    open: () => Promise.reject(new Error('sorry, too many clients already')),
    drop: (place) => drop(place),
  })
  drop = async (place) => void dropped.push(place)
  expect(await worlds.ofMain.fork('one', undefined)).toMatchObject({
    failure: { code: 'SERVICE_UNAVAILABLE' },
  })
  expect(dropped).toEqual(['world/one'])
  // As a server without a free connection answers.
  drop = () => Promise.reject(new CopyRefused(fail('CONFLICT', { reason: 'TOO_FEW_CONNECTIONS' })))
  expect(await worlds.ofMain.fork('two', undefined)).toMatchObject({ failure: { code: 'CONFLICT' } })
})
