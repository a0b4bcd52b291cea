import { DatabaseUnavailable } from './availability.ts'
import type { Driver } from './driver.ts'

/** How long whoever uses the database may take to end, and how long whoever wants it may wait meanwhile. */
const drainMs = 5_000

/** A driver that can be set apart for a moment, and come back as that of another database. */
export interface SwitchedDriver extends Driver {
  /**
   * Runs `work` while no transaction is in progress and none begins. Afterwards all work goes to the driver that `work` returns.
   * Throws DatabaseUnavailable if statements in progress do not end.
   */
  apart(work: (driver: Driver) => Promise<Driver>): Promise<void>
}

/** `sleep` bounds waiting; whoever has waited for too long is told that the database is busy. */
export function switched(
  first: Driver,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): SwitchedDriver {
  let driver = first
  let underWay = 0
  /** Resolves when the driver is back. */
  let away: Promise<void> | undefined
  let whenQuiet: (() => void) | undefined

  /** Whether it came about in time. */
  async function inTime(event: Promise<void>): Promise<boolean> {
    const over = new AbortController()
    try {
      return await Promise.race([
        event.then(() => true),
        sleep(drainMs, over.signal).then(
          () => false,
          () => false,
        ),
      ])
    } finally {
      over.abort()
    }
  }

  return {
    kind: first.kind,
    async use(lane, work) {
      while (away) {
        if (!(await inTime(away))) throw new DatabaseUnavailable('COPIED', 'the database is being copied')
      }
      underWay++
      try {
        return await driver.use(lane, work)
      } finally {
        if (--underWay === 0) whenQuiet?.()
      }
    },
    ended: (connection) => driver.ended(connection),
    server: () => driver.server(),
    whenDurable: (since) => driver.whenDurable(since),
    confirm: (since) => driver.confirm(since),
    close: () => driver.close(),
    async apart(work) {
      if (away) throw new DatabaseUnavailable('COPIED', 'the database is being copied')
      let comeBack = () => {}
      away = new Promise((resolve) => {
        comeBack = resolve
      })
      try {
        if (underWay > 0) {
          const quiet = new Promise<void>((resolve) => {
            whenQuiet = resolve
          })
          if (!(await inTime(quiet)))
            throw new DatabaseUnavailable('BUSY', 'statements in progress do not end')
        }
        driver = await work(driver)
      } finally {
        whenQuiet = undefined
        away = undefined
        comeBack()
      }
    },
  }
}
