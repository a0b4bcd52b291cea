import type { IncomingMessage, ServerResponse } from 'node:http'
import { simWorld } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import type { WorldStore } from './store.ts'
import { createWorlds } from './worlds.ts'

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
