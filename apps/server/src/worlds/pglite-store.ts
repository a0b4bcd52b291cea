import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Log } from '@corridor/kernel'
import { freeBytes, leastFreeBytes } from '../room.ts'
import { copyFolder, type Needed, NoRoom } from './copy-folder.ts'
import { type About, CopyRefused, type Place, type WorldStore } from './store.ts'

const folders = { world: 'worlds', snapshot: 'snapshots' } as const
const aboutFile = 'about.json'
/** What a folder has in place of that file until its copy is whole, and again while it is removed: it is ours, and nothing yet. */
const unfinishedFile = 'unfinished.json'

/**
 * The files of the log that a start from the last checkpoint reads, by the names that PostgreSQL gives them, and how many bytes of
 * the last have been written: none where it ends with the file before.
 */
interface NeededLog {
  readonly first: string
  readonly last: string
  readonly bytes: number
}

const neededLog = statement(
  'worlds.neededLog',
  `select redo_wal_file as first, at.file_name as last, at.file_offset as bytes
   from pg_control_checkpoint(), pg_walfile_name_offset(pg_current_wal_insert_lsn()) as at`,
)

/** The one that is to take its place, and the one whose place it takes; `last` is what earlier releases called that. */
const besides = (path: string) => ({ next: `${path}.next`, before: `${path}.before`, last: `${path}.last` })

/**
 * Puts an embedded database back that a process was killed in the middle of replacing. Without it the next start would find
 * nothing there, and set up another installation in its place, or find a copy of which nobody knows yet whether it can be
 * served. Nobody was told that it was replaced.
 */
export async function mendReplaced(path: string): Promise<void> {
  const { next, before, last } = besides(path)
  if (existsSync(before)) await putBack(path, { next, before })
  else await rm(next, { recursive: true, force: true })
  if (!existsSync(path) && existsSync(last)) await rename(last, path)
}

/** Set aside first: half a database must not lie where the next start looks for one. */
async function putBack(
  path: string,
  { next, before }: { readonly next: string; readonly before: string },
): Promise<void> {
  await rm(next, { recursive: true, force: true })
  if (existsSync(path)) await rename(path, next)
  await rename(before, path)
  await rm(next, { recursive: true, force: true })
}

/** Removes what a process that was killed left of copies, and nothing else: before anything is opened, which may lack that room. */
export async function sweepUnfinished(directory: string, log: Log): Promise<void> {
  for (const kind of Object.values(folders)) {
    for (const name of await namesIn(join(directory, kind))) {
      const folder = join(directory, kind, name)
      if (existsSync(join(folder, aboutFile)) || !existsSync(join(folder, unfinishedFile))) continue
      await rm(folder, { recursive: true, force: true })
      log.info({ kind, name }, 'removed an unfinished copy')
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}

/**
 * Copies of an embedded database: folders beside it, each with what is known of it. While one is made or removed that file has another
 * name, by which the next start knows what a killed process left behind.
 */
export function pgliteStore(parts: {
  /** The data directory. */
  readonly directory: string
  readonly mainDatabase: string
  readonly open: (databaseFolder: string, isMain: boolean) => Promise<Driver>
  readonly limit: number
  readonly log: Log
  readonly freeBytes?: (folder: string) => number
}): WorldStore {
  const folderOf = (place: Place) => {
    const [kind, name] = place.split('/') as [keyof typeof folders, string]
    return join(parts.directory, folders[kind], name)
  }
  const databaseOf = (place: Place) =>
    place === 'main' ? parts.mainDatabase : join(folderOf(place), 'database')
  const open = (place: Place) => parts.open(databaseOf(place), place === 'main')

  async function describe(place: Place, about: About): Promise<void> {
    const path = join(folderOf(place), aboutFile)
    await writeFile(`${path}.partial`, JSON.stringify(about), { mode: 0o600 })
    await rename(`${path}.partial`, path)
  }

  async function copy(
    from: Place,
    to: Place,
    about: About,
    neededOf?: (path: string) => Needed,
  ): Promise<void> {
    const folder = folderOf(to)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, unfinishedFile), JSON.stringify(about), { mode: 0o600 })
    try {
      await copyDatabase(databaseOf(from), databaseOf(to), neededOf)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    await rename(join(folder, unfinishedFile), join(folder, aboutFile))
  }

  /** Leaves as much as whoever writes to any of the databases needs. Throws CopyRefused. */
  async function copyDatabase(from: string, to: string, neededOf?: (path: string) => Needed): Promise<void> {
    const within = () => (parts.freeBytes ?? freeBytes)(parts.directory) - leastFreeBytes
    await copyFolder(from, to, { within, ...(neededOf ? { neededOf } : {}) }).catch((error: unknown) => {
      throw error instanceof NoRoom ? new CopyRefused(fail('CONFLICT', { reason: 'TOO_LITTLE_DISK' })) : error
    })
  }

  async function placesOf(kind: keyof typeof folders): Promise<Place[]> {
    const names = await namesIn(join(parts.directory, folders[kind]))
    return names.map((name): Place => `${kind}/${name}`)
  }

  return {
    limit: parts.limit,
    describe,
    async open(place) {
      await mendReplaced(databaseOf(place))
      return open(place)
    },
    copy,
    async list() {
      const found: { place: Place; about: About }[] = []
      for (const kind of ['world', 'snapshot'] as const) {
        for (const place of await placesOf(kind)) {
          const text = await readFile(join(folderOf(place), aboutFile), 'utf8').catch(() => undefined)
          if (text !== undefined) found.push({ place, about: JSON.parse(text) as About })
        }
      }
      return found
    },
    async copyOpen(driver, from, to, about) {
      // Its one connection is ours now: what is in the folder after this is all that was committed.
      const log = await driver.use('maintenance', async (connection) => {
        await resetRole(connection)
        await connection.script('checkpoint')
        const [needed] = await connection.query<NeededLog>(neededLog)
        return needed!
      })
      await copy(from, to, about, (path) => neededOf(path, log))
      return { driver }
    },
    async replace(driver, at, from, examine) {
      const path = databaseOf(at)
      const { next, before, last } = besides(path)
      for (const left of [next, before, last]) await rm(left, { recursive: true, force: true })
      await mkdir(dirname(path), { recursive: true })
      await copyDatabase(databaseOf(from), next)
      await driver.close()
      await rename(path, before)
      await rename(next, path)
      const opened = await open(at).catch((error: Error) => {
        parts.log.error({ error: error.message }, 'could not open a snapshot')
        return undefined
      })
      const refused = opened ? await examine(opened) : fail('SERVICE_UNAVAILABLE')
      if (opened && !refused) {
        // From here on it stays, whatever becomes of this process.
        await rename(before, next)
        await rm(next, { recursive: true, force: true })
        return { driver: opened }
      }
      await opened?.close()
      await putBack(path, { next, before })
      return { driver: await open(at), ...(refused ? { refused } : {}) }
    },
    async drop(place) {
      const folder = folderOf(place)
      // A process that is killed meanwhile would leave half a copy that says it is one.
      await rename(join(folder, aboutFile), join(folder, unfinishedFile)).catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
    sweep: () => sweepUnfinished(parts.directory, parts.log),
  }
}

/** Of the log, that is, whose files have sixteen megabytes each: some have been written to the tables, and some wait to be used again. */
function neededOf(path: string, { first, last, bytes }: NeededLog): Needed {
  const name = basename(path)
  if (path !== join('pg_wal', name) || !/^[0-9A-F]{24}$/.test(name)) return true
  return name === last && bytes > 0 ? bytes : first <= name && name <= last
}
