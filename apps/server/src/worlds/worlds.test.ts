import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import { simWorld } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import type { Place, WorldStore } from './store.ts'
import { createWorlds, type Served } from './worlds.ts'

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
  })
  const ask = (name: string) =>
    new Promise<number>((resolve) => {
      let status = 0
      const response = {
        writeHead: (given: number) => {
          status = given
        },
        end: () => resolve(status),
      }
      const request = { url: `/w/${name}/2025-10-13/config` }
      expect(worlds.take(request as IncomingMessage, response as unknown as ServerResponse)).toBe(true)
    })
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(`none-${index}`)))
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect(looks).toBe(1)
  world.passMs(1_000)
  expect(await ask('none')).toBe(404)
  expect(looks).toBe(2)
})

/** A main world that does nothing, over a store of copies that are names alone. */
async function idleWorlds(more: Partial<WorldStore> = {}) {
  const places = new Set<Place>(['snapshot/then', 'world/side'])
  const store = {
    limit: 8,
    list: async () => [...places].map((place) => ({ place, about: { createdAt: 0, from: 'main' } })),
    drop: async (place: Place) => {
      places.delete(place)
    },
    ...more,
  } as unknown as WorldStore
  let served = 0
  const serve = async () => {
    served++
    return {
      engine: { database: { system: async () => [] }, eventStreams: { end: () => {} } },
      rest: async () => {},
      close: async () => {},
    } as unknown as Served
  }
  const driver = { apart: (work: (inner: object) => Promise<unknown>) => work({}) }
  const worlds = createWorlds({ world: simWorld(2), baseUrl: 'http://corridor.test', store, serve })
  await worlds.begin(await serve(), driver as unknown as SwitchedDriver, false)
  return { worlds, places, timesServed: () => served }
}

it('serves a world again whose restore broke off, for what rests in it would rest for ever', async () => {
  const { worlds, timesServed } = await idleWorlds({
    replace: () => Promise.reject(new Error('the disk is full')),
  })
  const before = worlds.servedMain()
  expect(await worlds.ofMain.restore('then')).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } })
  expect(timesServed()).toBe(2)
  expect(worlds.servedMain()).not.toBe(before)
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
  expect(await worlds.ofMain.restore('then')).toMatchObject(gone)
  expect(await worlds.ofMain.fork('other', 'then')).toMatchObject(gone)
  expect(await worlds.ofMain.dropSnapshot('then')).toMatchObject(gone)
  expect(await worlds.ofMain.drop('side')).toMatchObject(gone)
  expect(await worlds.ofMain.snapshot('then')).toMatchObject({
    failure: { details: { reason: 'SNAPSHOT_EXISTS' } },
  })
  const status = await new Promise<number>((resolve) => {
    let given = 0
    const response = {
      writeHead: (written: number) => {
        given = written
      },
      end: () => resolve(given),
    } as unknown as ServerResponse
    worlds.take({ url: '/w/side/2025-10-13/config' } as IncomingMessage, response)
  })
  expect(status).toBe(404)
  expect(restored).toEqual([])
  letGo()
  expect(await Promise.all(dropping)).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
  ])
})
