import { statfs } from 'node:fs/promises'
import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { type Connection, type Driver, isSqlError } from '@corridor/engine/mechanisms/db/driver.ts'
import { leastFreeBytes } from './room.ts'

/** One check at a time, whose result all callers share for a moment: everybody may ask, and each check takes sessions. */
export function sharedFor<T>(ms: number, now: () => number, check: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let last: { readonly at: number; readonly result: T } | undefined
  return async () => {
    if (last && now() - last.at < ms) return last.result
    running ??= check()
      .then((result) => {
        last = { at: now(), result }
        return result
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}

/**
 * Whether a process can serve: its database opens sessions of tenants, takes writes and has room, and so have the folders
 * that it writes to. The answer is a word for the operator; undefined when all is well. Never rejects, and
 * takes two seconds at most, because the driver does.
 */
export function readinessOf(
  driver: Driver,
  /** Reads as requests do. `select 1` says nothing about roles, functions and libraries, without which all of them fail. */
  readAsTenant: () => Promise<unknown>,
  folders: readonly string[],
  probe: FolderProbe = freeBytes,
): () => Promise<string | undefined> {
  /** A full disk is looked for now and then only: every prober may ask as often as it likes. */
  let room = { checkedAt: Number.NEGATIVE_INFINITY, reason: undefined as string | undefined }

  async function anyIsFull(): Promise<boolean> {
    for (const folder of folders) if (await isFull(folder, probe)) return true
    return false
  }

  async function lookForRoom(): Promise<string | undefined> {
    if (await anyIsFull()) return 'DISK_FULL'
    if (driver.kind === 'pglite') return undefined
    return driver.use('system', async (connection) => {
      try {
        await spill(connection)
      } catch (error) {
        if (isSqlError(error) && error.code === diskFull) return 'DATABASE_DISK_FULL'
        throw error
      }
      return undefined
    })
  }

  return async () => {
    try {
      await driver.use('system', (connection) => connection.script('select 1'))
      await readAsTenant()
      const now = performance.now()
      if (now - room.checkedAt > roomCheckMs) room = { checkedAt: now, reason: await lookForRoom() }
      return room.reason
    } catch (error) {
      if (!isUnavailable(error)) return 'DATABASE_ERROR'
      return (await anyIsFull()) ? 'DISK_FULL' : 'DATABASE_UNAVAILABLE'
    }
  }
}

const roomCheckMs = 2_000
const diskFull = '53100'

/** How many bytes may still be written in a folder. Rejects with the word of the system. */
type FolderProbe = (folder: string) => Promise<number>

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function isFull(folder: string, probe: FolderProbe): Promise<boolean> {
  return probe(folder).then(
    (bytes) => bytes < leastFreeBytes,
    // Otherwise a folder that is made with the first file.
    (error: { code?: string }) => error.code === 'ENOSPC' || error.code === 'EDQUOT',
  )
}

/**
 * A sort that does not fit into its memory goes to the disk of the database, where it leaves nothing behind:
 * the one way to find out whether there is room, without a table and without the rights to look.
 */
async function spill(connection: Connection): Promise<void> {
  await connection.script(
    `set local work_mem = '64kB';
     select count(*) from (select g from generate_series(1, 100000) g order by g desc offset 0) as sorted`,
  )
}
