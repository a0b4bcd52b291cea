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

/**
 * An embedded database that is asked for nothing but reading while the disk of its folder is as good as full: whoever writes is
 * told to try again, and goes on once there is room. Its file system is looked at ten times a second at most.
 */
export function whileThereIsRoom<D extends Driver>(
  driver: D,
  folder: string,
  { probe = freeBytes, now: monotonicMs = () => performance.now() } = {},
): D {
  let lookedAt = Number.NEGATIVE_INFINITY
  let isFull = false

  function look(): boolean {
    const now = monotonicMs()
    if (now - lookedAt >= lookMs) {
      lookedAt = now
      isFull = probe(folder) < leastFreeBytes
    }
    return isFull
  }

  return {
    ...driver,
    async use(lane, work) {
      if (lane !== 'read' && look()) {
        throw new DatabaseUnavailable(
          'AWAY',
          `less than ${leastFreeBytes} bytes are left for the embedded database`,
        )
      }
      return driver.use(lane, work)
    },
  }
}
