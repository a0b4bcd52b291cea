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
 * Checks that this process can serve requests: the database opens tenant sessions, accepts writes and has disk space, and so do
 * the folders that the process writes to. Returns a reason code, or undefined if all is well. Never rejects, and takes at most
 * two seconds, the limit of the driver.
 */
export function readinessOf(
  driver: Driver,
  /** Reads like a request. `select 1` would not notice missing roles, functions or libraries, which make every request fail. */
  readAsTenant: () => Promise<unknown>,
  folders: readonly string[],
  probe: FolderProbe = freeBytes,
): () => Promise<string | undefined> {
  /** Limits how often the disk is checked, because probes can come at any rate. */
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

/** Free bytes of a folder. Rejects with the error code of the system. */
type FolderProbe = (folder: string) => Promise<number>

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function isFull(folder: string, probe: FolderProbe): Promise<boolean> {
  return probe(folder).then(
    (bytes) => bytes < leastFreeBytes,
    // Otherwise the folder is created with the first file.
    (error: { code?: string }) => error.code === 'ENOSPC' || error.code === 'EDQUOT',
  )
}

/**
 * Sorts more than fits into memory, so PostgreSQL writes a temporary file. That shows whether the disk has space, without a table
 * and without special rights, and leaves nothing behind.
 */
async function spill(connection: Connection): Promise<void> {
  await connection.script(
    `set local work_mem = '64kB';
     select count(*) from (select g from generate_series(1, 100000) g order by g desc offset 0) as sorted`,
  )
}
