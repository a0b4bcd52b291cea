import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { WantedDurability } from '@corridor/engine/mechanisms/db/durability.ts'
import type { Log } from '@corridor/kernel'
import { StartRefused } from './config.ts'

interface Settings {
  readonly fsync: string
  readonly synchronousCommit: string
  readonly standbyNames: string
  /** Number of connected standbys, synchronous or not. */
  readonly standbys: bigint
}

const findSettings = statement(
  'durability.settings',
  `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
     current_setting('synchronous_standby_names') as "standbyNames",
     (select count(*) from pg_stat_replication) as standbys`,
)

function readSettings(driver: Driver): Promise<Settings> {
  return driver.use('system', async (connection) => {
    await resetRole(connection)
    const [found] = await connection.query<Settings>(findSettings)
    return found!
  })
}

/** Reason why the server does not provide the required durability, as a sentence. Undefined if it does. */
export function lackOf(
  wanted: WantedDurability,
  { fsync, synchronousCommit, standbyNames }: Omit<Settings, 'standbys'>,
): string | undefined {
  if (fsync !== 'on') return 'fsync is off, so a crash of the machine can damage the database'
  if (synchronousCommit === 'off') return 'synchronous_commit is off, so a crash can lose the last commits'
  if (wanted === 'disk') return undefined
  if (standbyNames.trim() === '')
    return 'synchronous_standby_names is empty, so no commit waits for a standby'
  if (!['on', 'remote_apply'].includes(synchronousCommit)) {
    return `synchronous_commit is ${synchronousCommit}, so no commit waits until a standby has it on its disk`
  }
  return undefined
}

/** Refuses to start on a database that is less durable than `CORRIDOR_DURABILITY` says. */
export async function checkDurability(
  driver: Driver,
  wanted: WantedDurability | undefined,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (driver.kind === 'pglite') {
    if (wanted === undefined) return
    throw new StartRefused(
      `CORRIDOR_DURABILITY=${wanted} requires more than the embedded database provides, which runs without fsync. Set DATABASE_URL, or unset CORRIDOR_DURABILITY.`,
    )
  }
  const settings = await readSettings(driver)
  if (wanted !== undefined) {
    const lack = lackOf(wanted, settings)
    if (!lack) return
    throw new StartRefused(
      `CORRIDOR_DURABILITY=${wanted} requires more than this database provides: ${lack}. Change the setting of PostgreSQL, or CORRIDOR_DURABILITY.`,
    )
  }
  const { standbys, standbyNames } = settings
  if (standbys > 0n && standbyNames.trim() === '') {
    log.warn(
      { standbys: Number(standbys) },
      'the database has a standby but does not wait for it, so a failover may lose acknowledged payments. Set synchronous_standby_names in PostgreSQL and CORRIDOR_DURABILITY=standby, or CORRIDOR_DURABILITY=disk to accept this risk',
    )
  }
}

/**
 * Returns a reason code if the server no longer provides the required durability or its standby does not respond. Undefined if
 * all is well. Never rejects.
 */
export function durabilityOf(
  driver: Driver,
  wanted: WantedDurability | undefined,
): () => Promise<string | undefined> {
  return async () => {
    try {
      if (wanted !== undefined && lackOf(wanted, await readSettings(driver))) return 'NOT_DURABLE'
      const server = driver.server()
      return await driver.whenDurable(server)?.then(
        () => undefined,
        () => (driver.server() === server ? 'STANDBY_AWAY' : 'DATABASE_UNAVAILABLE'),
      )
    } catch (error) {
      return isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'DATABASE_ERROR'
    }
  }
}
