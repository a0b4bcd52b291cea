import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { silentLog } from '@corridor/kernel'
import { admin, connectionTo, throughPort } from '@corridor/testkit/database.ts'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { leastFreeBytes } from '../room.ts'
import { mendReplaced, pgliteStore } from './pglite-store.ts'
import { nameOfCopy, postgresqlStore, urlOfDatabase } from './postgresql-store.ts'
import type { About, Place } from './store.ts'

const about: About = { createdAt: 1, from: 'main', madeIn: 'main' }
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function folderStore(freeBytes?: () => number) {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-stores-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const mainDatabase = join(directory, 'database')
  const open = (folder: string) => openPglite({ directory: folder })
  const disk = freeBytes ? { freeBytes } : {}
  const store = pgliteStore({ directory, mainDatabase, open, limit: 8, log: silentLog, ...disk })
  return { directory, mainDatabase, store }
}

it('removes the half of a copy in a folder, and nothing that does not say that it is one', async () => {
  const { directory, mainDatabase, store } = folderStore()
  mkdirSync(join(mainDatabase, 'base'), { recursive: true })
  writeFileSync(join(mainDatabase, 'base/1'), 'rows')
  await store.copy('main', 'world/whole', about)
  await expect(store.copy('snapshot/none', 'world/none', about)).rejects.toThrow('ENOENT')
  expect(readdirSync(join(directory, 'worlds'))).toEqual(['whole'])
  // As a killed process leaves it: begun, and not come to its end.
  mkdirSync(join(directory, 'worlds/half/database'), { recursive: true })
  writeFileSync(join(directory, 'worlds/half/unfinished.json'), '{}')
  mkdirSync(join(directory, 'worlds/files-of-somebody/blobs'), { recursive: true })
  expect(readdirSync(join(directory, 'worlds'))).toContain('half')

  await store.sweep()
  expect(readdirSync(join(directory, 'worlds')).sort()).toEqual(['files-of-somebody', 'whole'])
  expect(existsSync(join(directory, 'worlds/whole/database/base/1'))).toBe(true)
  expect(await store.list()).toEqual([{ place: 'world/whole', about }])
})

it('copies of the log of an open database what a start reads, and no more', async () => {
  const { directory, mainDatabase, store } = folderStore()
  const main = await openPglite({ directory: mainDatabase })
  const count = { name: 'test.count', text: 'select count(*)::int as count from kept' }
  await main.use('maintenance', async (connection) => {
    await connection.script('create table kept as select generate_series(1, 1000) as id')
    for (let file = 0; file < 3; file++) {
      await connection.script('insert into kept values (0); select pg_switch_wal()')
    }
    await connection.script('insert into kept values (0)')
  })
  await store.copyOpen(main, 'main', 'world/side', about)
  const logOf = (path: string) => readdirSync(join(path, 'pg_wal')).filter((name) => name.length === 24)
  const copied = join(directory, 'worlds/side/database')
  const bytesOf = (path: string) =>
    logOf(path).reduce((sum, name) => sum + statSync(join(path, 'pg_wal', name)).blocks * 512, 0)
  expect(logOf(copied)).toHaveLength(1)
  expect(bytesOf(copied)).toBeLessThan(1_000_000)
  expect(logOf(mainDatabase).length).toBeGreaterThan(1)
  await main.close()
  const side = await store.open('world/side')
  expect(await side.use('maintenance', (connection) => connection.query(count))).toEqual([{ count: 1004 }])
  await side.close()
}, 60_000)

it('begins no copy for which a disk has no room, and leaves nothing of one that found none after all', async () => {
  let free = Number.MAX_SAFE_INTEGER
  const { directory, mainDatabase, store } = folderStore(() => free)
  mkdirSync(mainDatabase)
  writeFileSync(join(mainDatabase, 'rows'), Buffer.alloc(4096))
  await store.copy('main', 'snapshot/then', about)
  free = leastFreeBytes + 4095
  const refused = { failure: { code: 'CONFLICT', details: { reason: 'TOO_LITTLE_DISK' } } }
  await expect(store.copy('main', 'world/side', about)).rejects.toMatchObject(refused)
  const driver = { close: () => expect.fail('it is not to be closed') } as unknown as Driver
  const restored = store.replace(driver, 'main', 'snapshot/then', async () => undefined)
  await expect(restored).rejects.toMatchObject(refused)
  expect(readdirSync(directory).sort()).toEqual(['database', 'snapshots', 'worlds'])
  expect(readdirSync(join(directory, 'worlds'))).toEqual([])
  free++
  await store.copy('main', 'world/side', about)
  expect(readdirSync(join(directory, 'worlds'))).toEqual(['side'])
})

it('removes what a restore that was killed has copied, also where nothing had been replaced yet', async () => {
  const { mainDatabase } = folderStore()
  for (const path of [mainDatabase, `${mainDatabase}.next`]) mkdirSync(path)
  await mendReplaced(mainDatabase)
  expect([existsSync(mainDatabase), existsSync(`${mainDatabase}.next`)]).toEqual([true, false])
})

const connections = { main: 1, fork: 1 }

async function serverStore(
  more = connections,
  opening: (open: () => Promise<Driver>) => Promise<Driver> = (open) => open(),
  { through = (address: string) => address, sleep = async () => {} } = {},
) {
  const name = `corridor_stores_${process.pid}_${undo.length}`
  await admin(serverUrl!, `create database ${name}`)
  // A user of its own, so that its sessions can be told from those of others.
  const owner = new URL(urlOfDatabase(serverUrl!, name))
  owner.username = name
  owner.password = name
  const ownerUrl = owner.href
  await admin(serverUrl!, `create role ${name} superuser login password '${name}'`)
  undo.push(() => admin(serverUrl!, `drop role ${name}`))
  const open = async (other = name): Promise<Driver> =>
    openPostgresql({ url: urlOfDatabase(serverUrl!, other) })
  const parts = {
    ownerUrl: through(ownerUrl),
    open: (other?: string) => opening(() => open(other)),
    limit: 8,
    connections: more,
    log: silentLog,
    sleep,
  }
  const store = postgresqlStore(parts)
  undo.push(() => admin(serverUrl!, `drop database ${name} with (force)`))
  return { store, driver: await open(), name, again: () => postgresqlStore(parts) }
}

/**
 * In front of the server: nobody hears of the next commit, as if its connection had been cut. It comes to the server once somebody
 * removes the database `until`.
 */
async function lateCommits() {
  const state = {
    isArmed: false,
    isCut: false,
    isAway: false,
    isDelivered: false,
    staysAway: false,
    until: '',
  }
  let deliver = () => {}
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (state.isAway) return void client.destroy()
    const up = connectionTo(serverUrl!)
    sockets.add(client).add(up)
    for (const each of [client, up]) each.on('error', () => {})
    let isCut = false
    up.on('data', (bytes) => void (isCut || client.write(bytes)))
    up.on('close', () => client.destroy())
    client.on('close', () => void (isCut || up.destroy()))
    client.on('data', (bytes) => {
      const isCommit = state.isArmed && bytes.includes('commit\0')
      if (!isCommit) {
        up.write(bytes)
        if (state.isCut && bytes.includes(`drop database if exists "${state.until}"`)) deliver()
        return
      }
      isCut = true
      Object.assign(state, { isArmed: false, isCut, isAway: state.staysAway })
      deliver = () => {
        up.write(bytes)
        state.isDelivered = true
      }
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    for (const each of sockets) each.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { state, through: (address: string) => throughPort(address, port).href }
}

async function copiesOnServer(): Promise<string[]> {
  const client = new pg.Client(serverUrl!)
  await client.connect()
  const { rows } = await client.query(
    String.raw`select datname from pg_database where datname like 'corridor\_copy\_%'`,
  )
  await client.end()
  return rows.map(({ datname }) => datname)
}

it.skipIf(!serverUrl)(
  'removes the half of a copy on a server, and no database that is not its own',
  async () => {
    const { store, driver } = await serverStore()
    await driver.close()
    const before = await copiesOnServer()
    const stranger = `corridor_copy_of_a_stranger_${process.pid}`
    await admin(serverUrl!, `create database ${stranger}`)
    undo.push(() => admin(serverUrl!, `drop database ${stranger}`))
    await store.copy('main', 'snapshot/whole', about)
    undo.push(() => store.drop('snapshot/whole'))
    // The database is made, and what is to be said about it cannot be said: as if killed between the two.
    const unsayable = { ...about, createdAt: 1n as never }
    await expect(store.copy('main', 'world/half', unsayable)).rejects.toThrow('BigInt')
    const added = async () => (await copiesOnServer()).filter((name) => !before.includes(name))
    expect(await added()).toHaveLength(3)

    await store.sweep()
    expect(await added()).toHaveLength(2)
    expect(await added()).toContain(stranger)
    expect(await store.list()).toMatchObject([{ place: 'snapshot/whole', about }])
  },
)

it.skipIf(!serverUrl)(
  'refuses a fork that the server has no connections for, and goes on with the database',
  async () => {
    const { store, driver } = await serverStore({ main: 17, fork: 1_000_000 })
    const refused = { code: 'CONFLICT', details: { reason: 'TOO_FEW_CONNECTIONS' } }
    const went = await store.copyOpen(driver, 'main', 'world/side', about)
    expect(went.refused).toMatchObject(refused)
    await expect(store.copy('main', 'world/side', about)).rejects.toMatchObject({ failure: refused })
    expect(await store.list()).toEqual([])
    const one = { name: 'test.one', text: 'select 1 as one' }
    expect(await went.driver.use('system', (connection) => connection.query(one))).toEqual([{ one: 1 }])
    await went.driver.close()
  },
)

const one = { name: 'test.one', text: 'select 1 as one' }
const answers = (driver: Driver) => driver.use('system', (connection) => connection.query(one))

it.skipIf(!serverUrl)('puts nothing back that was half removed: what took its place is whole', async () => {
  const { store, driver, name } = await serverStore()
  await driver.close()
  const before = nameOfCopy(urlOfDatabase(serverUrl!, name), 'main before' as Place)
  await admin(serverUrl!, `create database ${before}`)
  // As a server leaves one whose removal was cut.
  await admin(serverUrl!, `update pg_database set datconnlimit = -2 where datname = '${before}'`)
  const opened = await store.open('main')
  expect(await answers(opened)).toEqual([{ one: 1 }])
  await opened.close()
  expect(await copiesOnServer()).not.toContain(before)
})

async function askedOf(database: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(urlOfDatabase(serverUrl!, database))
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

it.skipIf(!serverUrl)(
  'removes a fork with what a restore of it that was killed has left beside it',
  async () => {
    const { store, driver, name } = await serverStore()
    await driver.close()
    const before = await copiesOnServer()
    await store.copy('main', 'world/side', about)
    const nameAt = (place: string) => nameOfCopy(urlOfDatabase(serverUrl!, name), place as Place)
    // As of a process that was killed once the copy had been put in its place: what it was is beside it.
    const besides = ['before', 'next', 'gone', 'last'].map((which) => nameAt(`world/side ${which}`))
    for (const beside of besides) {
      await admin(serverUrl!, `create database ${beside} template ${nameAt('world/side')}`)
    }
    await askedOf(besides[0]!, 'create table of_the_removed ()')
    await store.drop('world/side')
    expect((await copiesOnServer()).filter((each) => !before.includes(each))).toEqual([])

    await store.copy('main', 'world/side', about)
    undo.push(() => store.drop('world/side'))
    await (await store.open('world/side')).close()
    const found = await askedOf(nameAt('world/side'), "select to_regclass('of_the_removed')::text as found")
    expect(found).toEqual([{ found: null }])
  },
)

it.skipIf(!serverUrl).each([
  ['was removed alone, as an earlier release did', (name: string) => `drop database ${name} with (force)`],
  [
    'was half removed',
    (name: string) => `update pg_database set datconnlimit = -2 where datname = '${name}'`,
  ],
])('makes no fork of what lay beside one of its name that %s', async (_, removed) => {
  const { store, driver, name } = await serverStore()
  await driver.close()
  const before = await copiesOnServer()
  await store.copy('main', 'world/side', about)
  const nameAt = (place: string) => nameOfCopy(urlOfDatabase(serverUrl!, name), place as Place)
  const besides = ['before', 'last'].map((which) => nameAt(`world/side ${which}`))
  for (const beside of besides) {
    await admin(serverUrl!, `create database ${beside} template ${nameAt('world/side')}`)
  }
  await askedOf(besides[0]!, 'create table of_the_removed ()')
  await admin(serverUrl!, removed(nameAt('world/side')))
  await store.sweep()

  await store.copy('main', 'world/side', about)
  undo.push(() => store.drop('world/side'))
  await (await store.open('world/side')).close()
  const found = await askedOf(nameAt('world/side'), "select to_regclass('of_the_removed')::text as found")
  expect(found).toEqual([{ found: null }])
  expect((await copiesOnServer()).filter((each) => !before.includes(each))).toEqual([nameAt('world/side')])
})

it.skipIf(!serverUrl)('takes a copy that was half removed for none, and removes the rest of it', async () => {
  const { store, driver, name } = await serverStore()
  await driver.close()
  const before = await copiesOnServer()
  await store.copy('main', 'world/whole', about)
  undo.push(() => store.drop('world/whole'))
  for (const place of ['world/half', 'snapshot/half'] as const) {
    await store.copy('main', place, about)
    const half = nameOfCopy(urlOfDatabase(serverUrl!, name), place)
    // As a server leaves one whose removal was cut.
    await admin(serverUrl!, `update pg_database set datconnlimit = -2 where datname = '${half}'`)
  }
  expect(await store.list()).toEqual([{ corridor: name, place: 'world/whole', about }])
  await store.sweep()
  expect((await copiesOnServer()).filter((each) => !before.includes(each))).toHaveLength(1)
})

it.skipIf(!serverUrl)('restores where the sessions that it had asked with were ended meanwhile', async () => {
  const { store, driver, name } = await serverStore()
  const { driver: again } = await store.copyOpen(driver, 'main', 'snapshot/whole', about)
  undo.push(() => store.drop('snapshot/whole'))
  let ended = 0
  const went = await store.replace(again, 'main', 'snapshot/whole', async () => {
    await admin(
      serverUrl!,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${name}'`,
    )
    ended++
    return undefined
  })
  expect([ended, went.refused]).toEqual([1, undefined])
  expect(await answers(went.driver)).toEqual([{ one: 1 }])
  await went.driver.close()
  const left = nameOfCopy(urlOfDatabase(serverUrl!, name), 'main before' as Place)
  expect(await copiesOnServer()).not.toContain(left)
})

const texts = { name: 'test.kept', text: 'select text from kept order by text' }
const read = (driver: Driver) => driver.use('system', (connection) => connection.query(texts))
const write = (driver: Driver, text: string) =>
  driver.use('maintenance', (connection) => connection.script(`insert into kept values ('${text}')`))

const kept = ['later', 'since', 'then'].map((text) => ({ text }))

/** A database whose next commit nobody hears of, which comes when what it was to put in place is removed. */
async function withLateCommit(sleep?: () => Promise<void>) {
  const { state, through } = await lateCommits()
  const { store, driver, name, again } = await serverStore(connections, undefined, {
    through,
    ...(sleep ? { sleep } : {}),
  })
  const nameOf = (place: string) => nameOfCopy(urlOfDatabase(serverUrl!, name), place as Place)
  undo.push(async () => {
    for (const place of ['snapshot/then', 'main before', 'main next', 'main gone']) {
      await admin(serverUrl!, `drop database if exists ${nameOf(place)} with (force)`)
    }
  })
  await driver.use('maintenance', (connection) => connection.script('create table kept (text text)'))
  await write(driver, 'then')
  const { driver: main } = await store.copyOpen(driver, 'main', 'snapshot/then', about)
  await write(main, 'since')
  Object.assign(state, { isArmed: true, until: nameOf('main next') })
  return { state, store, main, again }
}

it.skipIf(!serverUrl)('undoes at no later start what was served after a commit that came late', async () => {
  const { state, store, main, again } = await withLateCommit()
  const { driver, refused } = await store.replace(main, 'main', 'snapshot/then', async () => undefined)
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(state.isDelivered).toBe(true)
  await write(driver, 'later')
  expect(await read(driver)).toEqual(kept)
  await driver.close()
  const next = await again().open('main')
  expect(await read(next)).toEqual(kept)
  await next.close()
})

it.skipIf(!serverUrl)(
  'a start decides for good, also where a commit of the process before it is to come',
  async () => {
    let kill = () => {}
    const killed = new Promise<void>((resolve) => {
      kill = resolve
    })
    // It finds no server any more, and comes back no more.
    const { state, store, main, again } = await withLateCommit(() => {
      kill()
      return new Promise(() => {})
    })
    state.staysAway = true
    void store.replace(main, 'main', 'snapshot/then', async () => undefined)
    await killed
    state.isAway = false
    const first = await again().open('main')
    expect(state.isDelivered).toBe(true)
    await write(first, 'later')
    expect(await read(first)).toEqual(kept)
    await first.close()
    const second = await again().open('main')
    expect(await read(second)).toEqual(kept)
    await second.close()
  },
)

it.skipIf(!serverUrl)(
  'restores nothing where another process has put back what was there before the copy was opened',
  async () => {
    let starts = async () => {}
    const { store, driver, name, again } = await serverStore(connections, async (open) => {
      const start = starts
      starts = async () => {}
      await start()
      return open()
    })
    undo.push(() => store.drop('snapshot/then'))
    await driver.use('maintenance', (connection) => connection.script('create table kept (text text)'))
    await write(driver, 'then')
    const { driver: main } = await store.copyOpen(driver, 'main', 'snapshot/then', about)
    await write(main, 'since')
    const besides = ['main before', 'main next', 'main gone'].map((place) =>
      nameOfCopy(urlOfDatabase(serverUrl!, name), place as Place),
    )
    let examined = 0
    starts = async () => {
      const other = await again().open('main')
      await write(other, 'later')
      await other.close()
    }
    const went = await store.replace(main, 'main', 'snapshot/then', async () => {
      examined++
      return undefined
    })
    expect(went.refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect([await read(went.driver), examined]).toEqual([kept, 0])
    await went.driver.close()
    expect((await copiesOnServer()).filter((each) => besides.includes(each))).toEqual([])
  },
)

it.skipIf(!serverUrl)(
  'says of a server that does not answer, or is lost while it is asked, that it is away',
  async () => {
    const gone = await serverStore(connections, undefined, {
      through: (address) => throughPort(address, 1).href,
    })
    await gone.driver.close()
    await expect(gone.store.list()).rejects.toMatchObject({ reason: 'AWAY' })

    const { state, through } = await lateCommits()
    const cut = await serverStore(connections, undefined, { through })
    await cut.driver.close()
    const until = nameOfCopy(urlOfDatabase(serverUrl!, cut.name), 'unfinished' as Place)
    Object.assign(state, { isArmed: true, until })
    await expect(cut.store.copy('main', 'snapshot/then', about)).rejects.toMatchObject({ reason: 'AWAY' })
    await cut.store.sweep()
    await cut.store.drop('snapshot/then')
  },
)

it.skipIf(!serverUrl)('goes on with its database once that can be opened again', async () => {
  let failures = 2
  const { store, driver } = await serverStore(connections, async (open) => {
    if (failures-- > 0) throw new Error('the server is away')
    return open()
  })
  const went = await store.copyOpen(driver, 'main', 'snapshot/whole', about)
  undo.push(() => store.drop('snapshot/whole'))
  expect([failures, went.refused]).toEqual([-1, undefined])
  expect(await answers(went.driver)).toEqual([{ one: 1 }])
  await went.driver.close()
})
