import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import { followed } from '@corridor/engine/mechanisms/http/visits.ts'
import type { Worlds } from '@corridor/engine/ports/worlds.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Asker } from '@corridor/engine/vocabulary/operation.ts'
import { simWorld } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import type { Facts, Served } from './served.ts'
import { CopyRefused, type Place, type WorldStore } from './store.ts'
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
  platformsInProduction = async (): Promise<object[]> => [],
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
  const serve = async (_driver?: SwitchedDriver, facts?: Facts) => {
    served++
    if (facts?.worlds) asked.set(facts.name, facts.worlds)
    return {
      engine: {
        database: { system: platformsInProduction, maintenance: async () => [{}] },
        eventStreams: { end: () => {} },
        waits: { endAll: () => {} },
      },
      rest: async () => {},
      close: async () => {},
    } as unknown as Served
  }
  const driver = { apart: (work: (inner: object) => Promise<unknown>) => work({}) }
  const worlds = createWorlds({
    world: simWorld(2),
    baseUrl: 'http://corridor.test',
    store,
    serve,
    examine: async () => {},
  })
  await worlds.begin(await serve(), driver as unknown as SwitchedDriver)
  return { worlds, places, timesServed: () => served, worldsOf: (fork: string) => asked.get(fork)! }
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
    async () => (looks++ === 0 ? [] : [{ found: 1 }]),
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
