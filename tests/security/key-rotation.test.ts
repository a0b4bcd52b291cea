import { sealedColumns } from '@corridor/engine/assembly/sealed-columns.ts'
import { WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { loadKeys } from '@corridor/engine/mechanisms/keys/keys.ts'
import { localKeyService } from '@corridor/engine/mechanisms/keys/master-key.ts'
import { finishRotation, type Rotation, rotateMasterKey } from '@corridor/engine/mechanisms/keys/rotation.ts'
import { startTestServer, type TestServer, testKeyService } from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { customerApi, person } from '../e2e/customer-api.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const minute = 60_000

function rotation(changes: Partial<Rotation> = {}): Rotation {
  const { database } = server.engine
  const world = { ...server.world, sleep: async (ms: number) => server.world.passMs(ms) }
  return {
    database,
    world,
    columns: sealedColumns,
    from: testKeyService,
    to: localKeyService(new Uint8Array(32).fill(9), server.world),
    takeOverMs: 0,
    ...changes,
  }
}

/** Which keys of the installation its sealed texts name. */
async function keysInUse(): Promise<string[]> {
  const found = new Set<string>()
  for (const { table, column, where = 'true', owner } of sealedColumns) {
    if (owner) continue
    const text = `select distinct split_part(${column}, '.', 2) as key from ${table} where ${column} is not null and ${where}`
    const rows = await server.engine.database.system((connection) =>
      connection.query<{ key: string }>({ name: `test.keys ${table} ${column}`, text }),
    )
    for (const { key } of rows) found.add(key)
  }
  return [...found].sort()
}

describe('the master key', () => {
  it('is replaced beside a running server, which answers all the while', async () => {
    const { customer, get, create } = await customerApi(server)
    const ids: string[] = []
    for (let count = 0; count < 3; count++)
      ids.push((await customer({ ...person, fullName: `Ana ${count}` })).id)
    const readable = async () => {
      for (const [index, id] of ids.entries()) {
        expect((await get(id)).data).toMatchObject({ fullName: `Ana ${index}` })
      }
    }
    expect(await keysInUse()).toEqual(['k1'])
    // The running server hears of the new key before anything is sealed with it.
    let heard = false
    const world = {
      ...server.world,
      async sleep(ms: number) {
        await readable()
        await server.engine.keys.refreshKeyring()
        heard = true
        server.world.passMs(ms)
      },
    }
    const given = rotation({ world, takeOverMs: 5 * minute })
    expect(await rotateMasterKey(given)).toBeGreaterThan(3)
    expect(heard).toBe(true)
    expect(await keysInUse()).toEqual(['k2'])
    await readable()
    expect((await create({ ...person, fullName: 'Ben' })).response.status).toBe(201)
    expect(await keysInUse()).toEqual(['k2'])
    // Both open it until the end, then the new one alone.
    for (const service of [given.from, given.to])
      await loadKeys(server.engine.database, server.world, service)
    await finishRotation(given)
    await loadKeys(server.engine.database, server.world, given.to)
    await expect(loadKeys(server.engine.database, server.world, given.from)).rejects.toThrow(WrongMasterKey)
    await server.engine.keys.refreshKeyring()
    await readable()
  })

  it('is replaced by a rotation that was stopped in the middle and begun again', async () => {
    const { customer, get } = await customerApi(server)
    const made = [
      await customer({ ...person, fullName: 'Ana' }),
      await customer({ ...person, fullName: 'Ben' }),
    ]
    const stop = () => {
      throw new Error('killed')
    }
    await expect(rotateMasterKey(rotation({ onProgress: stop }))).rejects.toThrow('killed')
    await expect(finishRotation(rotation())).rejects.toThrow('Run the rotation again')
    expect(await keysInUse()).toEqual(['k1', 'k2'])
    await server.engine.keys.refreshKeyring()
    expect((await get(made[0]!.id)).data).toMatchObject({ fullName: 'Ana' })
    expect(await rotateMasterKey(rotation())).toBeGreaterThan(0)
    expect(await rotateMasterKey(rotation())).toBe(0)
    expect(await keysInUse()).toEqual(['k2'])
    await finishRotation(rotation())
    expect((await get(made[1]!.id)).data).toMatchObject({ fullName: 'Ben' })
  })

  it('seals with no key that a failover may take back', async () => {
    const { database, keys } = server.engine
    const { whenDurable } = database
    await rotateMasterKey(rotation())
    Object.assign(database, { whenDurable: () => Promise.reject(new Error('no standby confirms')) })
    await expect(keys.refreshKeyring()).rejects.toThrow('no standby confirms')
    const sealed = () => {
      const column = { table: 'idempotency_keys', column: 'body', row: 'id' }
      return keys.seal({ platformId: server.world.uuid(), environment: 'SANDBOX' }, column, 'row', 'text')
    }
    expect(sealed()).toMatch(/^2\.k1\./)
    Object.assign(database, { whenDurable })
    await keys.refreshKeyring()
    expect(sealed()).toMatch(/^2\.k2\./)
  })

  it('is not replaced by a third one before the second is alone', async () => {
    await rotateMasterKey(rotation())
    const third = localKeyService(new Uint8Array(32).fill(11), server.world)
    const again = rotation({ from: rotation().to, to: third })
    await expect(rotateMasterKey(again)).rejects.toThrow('Finish it first')
    await finishRotation(rotation())
    await rotateMasterKey(again)
    await finishRotation(again)
    expect(await keysInUse()).toEqual(['k3'])
  })

  it('is one alone: another opens nothing, and finds nothing to replace', async () => {
    const wrong = localKeyService(new Uint8Array(32).fill(12), server.world)
    await expect(loadKeys(server.engine.database, server.world, wrong)).rejects.toThrow(WrongMasterKey)
    await expect(rotateMasterKey(rotation({ from: wrong }))).rejects.toThrow(WrongMasterKey)
    expect(await keysInUse()).not.toContain('k2')
  })
})
