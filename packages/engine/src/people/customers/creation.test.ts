import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig, loadPlatform } from '../../platform/platforms/index.ts'
import { makeCustomer } from './creation.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

// Cards 1.7: otherwise one run in a thousand fails for no reason that anybody could see.
it.each([
  [undefined, false],
  ['holder-002', true],
])('lets the accounts of a customer called %s end like 002: %s', async (platformCustomerId, isMeant) => {
  const scope = await server.engine.clock.scope(await server.platform(), { id: 'test', permissions: [] })
  const { database, world } = server.engine
  const [config, platform] = [await loadConfig(database, scope), await loadPlatform(database, scope)]
  const unlucky = () => `${world.uuid().slice(0, -3)}002`
  const made = await makeCustomer(
    { ...server.engine, world: { ...world, uuid: unlucky } },
    scope,
    {
      customerType: 'INDIVIDUAL',
      fullName: 'Ana Lopez',
      currencies: ['USD'],
      ...(platformCustomerId ? { platformCustomerId } : {}),
    } as never,
    { config, platform },
  )
  const inserts = made.ok ? (made.value.inserts ?? []) : []
  const ids = inserts.filter(({ table }) => table === 'internal_accounts').map(({ row }) => String(row.id))
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.map((id) => id.endsWith('002'))).toEqual(ids.map(() => isMeant))
})
