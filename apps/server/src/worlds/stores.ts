import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Driver, isSqlError, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { defaultConnections, openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import type { World } from '@corridor/kernel'
import { type Config, StartRefused } from '../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { whileThereIsRoom } from '../room.ts'
import { patienceOf } from '../seed/patience.ts'
import { pgliteStore } from './pglite-store.ts'
import { nameBefore, nameOfCopy, postgresqlStore, urlOfDatabase } from './postgresql-store.ts'
import { CopyRefused, type Place, type WorldStore } from './store.ts'

const limits = { pglite: 8, postgresql: 50 } as const

/** Of a fork, which is asked by one test at a time: what has one takes no second, for the embedded database has no more. */
const connections = { read: 1, write: 1, system: 1, maintenance: 1 }
/** And the one that asks whether the server answers. */
const countOf = (lanes: Readonly<Record<string, number>>) =>
  Object.values(lanes).reduce((sum, count) => sum + count, 1)

/** Where this installation keeps copies of its database. */
export function storeOf(
  config: Config,
  world: World,
  directory: DataDirectory,
  openMain: () => Promise<Driver>,
): WorldStore {
  const { databaseUrl, maxWorlds } = config
  if (databaseUrl === undefined) {
    return pgliteStore({
      directory: directory.path,
      mainDatabase: directory.databasePath,
      open: async (folder, isMain) =>
        isMain ? openMain() : whileThereIsRoom(await openPglite({ directory: folder }), folder),
      limit: maxWorlds ?? limits.pglite,
      log: world.log,
    })
  }
  const store = storeOnServer(config, world, databaseUrl, openMain)
  return {
    ...store,
    async drop(place) {
      await store.drop(place)
      await rm(forkedBlobsIn(directory.path, place), { recursive: true, force: true })
    },
  }
}

function storeOnServer(
  config: Config,
  world: World,
  databaseUrl: string,
  openMain: () => Promise<Driver>,
): ReturnType<typeof postgresqlStore> {
  const { maxWorlds } = config
  return postgresqlStore({
    ownerUrl: config.migrateDatabaseUrl ?? databaseUrl,
    open: async (name) =>
      name === undefined
        ? openMain()
        : openPostgresql({
            url: urlOfDatabase(databaseUrl, name),
            connections,
            patience: patienceOf(config),
            durability: config.durability,
          }),
    limit: maxWorlds ?? limits.postgresql,
    connections: { main: countOf(defaultConnections), fork: countOf(connections) },
    log: world.log,
    sleep: (ms) => world.sleep(ms),
  })
}

/**
 * Before a database of a server is opened that has copies: what a restore was killed in the middle of is put back. Throws where it
 * cannot be known: what was served meanwhile would be put away by a later start.
 */
export async function mendBefore(config: Config, world: World): Promise<void> {
  const { databaseUrl } = config
  if (databaseUrl === undefined || !config.copiesSandbox) return
  const store = storeOnServer(config, world, databaseUrl, () =>
    Promise.reject(new Error('it is not open yet')),
  )
  try {
    await store.mend('main')
  } catch (error) {
    // A login that may not look has never restored anything.
    if (!mayNotLook(error)) throw error instanceof CopyRefused ? new StartRefused(brokenOff(error)) : error
    world.log.warn({ error: (error as Error).message }, 'could not check for an interrupted restore')
  }
}

const mayNotLook = (error: unknown) =>
  error instanceof CopyRefused
    ? error.failure.details.reason === 'MAY_NOT_COPY'
    : isSqlError(error) && /^(?:28|3D)/.test(error.code)

const brokenOff = ({ failure }: CopyRefused) =>
  failure.details.reason === 'OTHERS_CONNECTED'
    ? 'A restore of the sandbox was interrupted. Corridor cannot put the previous database back while other programs are connected. Close the connections of these programs and start again.'
    : 'Corridor cannot check for an interrupted restore, because the PostgreSQL server has no free connection. Start again when a connection is free.'

/**
 * Throws StartRefused where a restore of this database was broken off and is not undone: of what stands in its place nobody knows
 * whether it may be served, and what were done with it would be gone once it is undone.
 */
export async function refuseBrokenOff(
  driver: Driver,
  { databaseUrl, migrateDatabaseUrl }: Config,
): Promise<void> {
  if (databaseUrl === undefined) return
  const before = nameBefore(migrateDatabaseUrl ?? databaseUrl)
  const found = await driver.use('maintenance', (connection) => connection.query(isBrokenOff, [before]))
  if (found.length === 0) return
  throw new StartRefused(
    'A restore of this database was interrupted, or another process is restoring it now. To undo an interrupted restore, close all other connections and start one process with CORRIDOR_WORLDS=on. Its login must be able to rename databases and to connect to the database "postgres".',
  )
}

/** What is being removed is no restore any more. */
const isBrokenOff = statement(
  'worlds.brokenOff',
  'select from pg_database where datname = $1 and datconnlimit <> -2',
)

/** Files that were uploaded to a fork. */
export function forkedBlobsIn(directory: string, place: Place): string {
  return join(directory, place.replace('/', 's/'), 'blobs')
}

/** The configuration with the addresses of the database that is there. */
export function configOf(config: Config, place: Place): Config {
  const { databaseUrl, migrateDatabaseUrl } = config
  if (databaseUrl === undefined || place === 'main') return config
  const name = nameOfCopy(migrateDatabaseUrl ?? databaseUrl, place)
  return {
    ...config,
    databaseUrl: urlOfDatabase(databaseUrl, name),
    migrateDatabaseUrl: migrateDatabaseUrl && urlOfDatabase(migrateDatabaseUrl, name),
  }
}
