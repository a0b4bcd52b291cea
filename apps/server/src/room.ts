import { statfsSync } from 'node:fs'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'

/** An embedded database that finds no room for its log stands still, and the process with it: it is to be stopped before. */
export const leastFreeBytes = 32 * 1024 * 1024

const lookMs = 100

/** How many bytes may still be written in a folder. Throws the word of the system. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const readingAlone = (on: boolean) => `set default_transaction_read_only = ${on ? 'on' : 'off'}`

/**
 * An embedded database that is asked for nothing but reading while the disk of its folder is as good as full, or nobody knows: whoever
 * writes is told to try again, and goes on once there is room. What looks up who is asking reads as well, on the lane that the
 * service itself has. Its file system is looked at ten times a second at most.
 */
export function whileThereIsRoom<D extends Driver>(
  driver: D,
  folder: string,
  { probe = freeBytes, now: monotonicMs = () => performance.now() } = {},
): D {
  let lookedAt = Number.NEGATIVE_INFINITY
  let isFull = false
  /** What the one session was told last. */
  let readsAlone = false

  function look(): boolean {
    const now = monotonicMs()
    if (now - lookedAt >= lookMs) {
      lookedAt = now
      try {
        isFull = probe(folder) < leastFreeBytes
      } catch {
        isFull = true
      }
    }
    return isFull
  }

  return {
    ...driver,
    async use(lane, work) {
      if (lane === 'read') return driver.use(lane, work)
      if (look() && lane === 'write') {
        throw new DatabaseUnavailable(
          'AWAY',
          `less than ${leastFreeBytes} bytes are free for the embedded database`,
        )
      }
      return driver.use(lane, async (connection) => {
        if (readsAlone !== isFull) {
          await connection.script(readingAlone(isFull))
          readsAlone = isFull
        }
        return work(connection)
      })
    },
  }
}
