import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Log } from '@corridor/kernel'
import type { About, Place, WorldStore } from './store.ts'

const folders = { world: 'worlds', snapshot: 'snapshots' } as const
const aboutFile = 'about.json'

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
  else if (!existsSync(path) && existsSync(last)) await rename(last, path)
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

/**
 * Copies of an embedded database: folders beside it, each with what is known of it. A folder without that file is what a
 * copy left behind that did not come to its end.
 */
export function pgliteStore(parts: {
  /** The data directory. */
  readonly directory: string
  readonly mainDatabase: string
  readonly open: (databaseFolder: string, isMain: boolean) => Promise<Driver>
  readonly limit: number
  readonly log: Log
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

  async function copy(from: Place, to: Place, about: About): Promise<void> {
    await rm(folderOf(to), { recursive: true, force: true })
    await mkdir(folderOf(to), { recursive: true, mode: 0o700 })
    await cp(databaseOf(from), databaseOf(to), { recursive: true })
    await describe(to, about)
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
      for (const [kind, folder] of Object.entries(folders) as [keyof typeof folders, string][]) {
        const names = await readdir(join(parts.directory, folder)).catch(() => [])
        for (const name of names.sort()) {
          const place: Place = `${kind}/${name}`
          const text = await readFile(join(folderOf(place), aboutFile), 'utf8').catch(() => undefined)
          if (text !== undefined) found.push({ place, about: JSON.parse(text) as About })
        }
      }
      return found
    },
    async copyOpen(driver, from, to, about) {
      // Its one connection is ours now: what is in the folder after this is all that was committed.
      await driver.use('maintenance', async (connection) => {
        await resetRole(connection)
        await connection.script('checkpoint')
      })
      await copy(from, to, about)
      return { driver }
    },
    async replace(driver, at, from, examine) {
      const path = databaseOf(at)
      const { next, before, last } = besides(path)
      for (const left of [next, before, last]) await rm(left, { recursive: true, force: true })
      await mkdir(dirname(path), { recursive: true })
      await cp(databaseOf(from), next, { recursive: true })
      await driver.close()
      await rename(path, before)
      await rename(next, path)
      const opened = await open(at).catch((error: Error) => {
        parts.log.error({ error: error.message }, 'a snapshot could not be opened')
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
    drop: (place) => rm(folderOf(place), { recursive: true, force: true }),
  }
}
