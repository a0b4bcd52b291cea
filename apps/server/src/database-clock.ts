import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { type Instant, makeWorld, type World } from '@corridor/kernel'

/**
 * The clock of a process on a PostgreSQL server. Several processes compare their time with times that another one wrote: ends of
 * leases, sessions and codes. A process whose machine is minutes ahead would take over work that is in progress. So each
 * process reads the time of the database, and continues it with a clock that cannot be set.
 */

/** A difference that no lease notices. Below it, time goes on as it was. */
const toleranceMs = 100
/** The operator is told of a machine that is wrong by more. */
const warnMs = 5_000
const measureEveryMs = 30_000

const readClock = statement(
  'clock.read',
  `select (extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs"`,
)

type ClockDriver = Pick<Driver, 'use'>

/** Clock of the machine, and one that counts milliseconds without ever being set. */
interface MachineClocks {
  readonly now: () => Instant
  readonly steady: () => number
}

/** Measures once, and rejects if the database cannot be asked. `measure` repeats that. */
export async function databaseClock(driver: ClockDriver, { now, steady }: MachineClocks) {
  let started = { at: 0, steady: 0 }

  async function measure(): Promise<void> {
    const before = steady()
    const [row] = await driver.use('system', (connection) =>
      connection.query<{ nowMs: bigint }>(readClock, []),
    )
    const after = steady()
    // The answer was made somewhere between the two.
    const measured = { at: Number(row!.nowMs), steady: (before + after) / 2 }
    const difference = measured.at - (started.at + measured.steady - started.steady)
    // A slow answer proves a difference only where it is larger than the measurement may be wrong.
    if (Math.abs(difference) > (after - before) / 2 + toleranceMs) started = measured
  }

  await measure()
  return {
    now: (): Instant => Math.round(started.at + steady() - started.steady),
    measure,
    /** Milliseconds by which the clock of the machine is ahead. */
    aheadMs: () => now() - (started.at + steady() - started.steady),
  }
}

/** A World whose time is that of the database. It is measured again every half minute until `signal` aborts. */
export async function inDatabaseTime(
  world: World,
  driver: ClockDriver,
  signal: AbortSignal,
  clocks: MachineClocks = { now: () => world.now(), steady: () => performance.now() },
): Promise<World> {
  const clock = await databaseClock(driver, clocks)
  const warn = () => {
    const aheadMs = Math.round(clock.aheadMs())
    if (Math.abs(aheadMs) > warnMs) {
      world.log.warn(
        { aheadMs },
        'the clock of this machine differs from the clock of the database; Corridor uses the clock of the database',
      )
    }
  }
  warn()
  void (async () => {
    for (;;) {
      await world.sleep(measureEveryMs, signal)
      if (signal.aborted) return
      // Without a database there is nothing to compare times with.
      await clock.measure().then(warn, () => {})
    }
  })()
  // Without the source of ids, which carry the time, so that they follow the same clock.
  const { uuid: _, ...parts } = world
  return { ...makeWorld({ ...parts, now: clock.now }), ...withinOf(world) }
}

/** Optional members of a World, which `makeWorld` does not take over. */
function withinOf({ within, asHere }: World): Partial<World> {
  return { ...(within ? { within } : {}), ...(asHere ? { asHere } : {}) }
}
