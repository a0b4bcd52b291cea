import { existsSync } from 'node:fs'
import { auditInSteps } from '@corridor/engine/mechanisms/audit/resumable.ts'
import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { isSqlError } from '@corridor/engine/mechanisms/db/driver.ts'
import { openWrapped, readWrapped } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { createKeys, type Keys } from '@corridor/engine/mechanisms/keys/keys.ts'
import { auditProgressIn } from './audit-progress.ts'
import { readConfig, StartRefused } from './config.ts'
import { databaseIn, openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { keyServiceOf, openDriver } from './wiring.ts'

/**
 * Checks that the ledger adds up and that the audit log is whole, and prints the report as JSON: `npm run audit`. Beside a running server
 * on PostgreSQL; the embedded database serves one process, so there the server has to be stopped. Interrupted, it goes on next time
 * where it was.
 */
async function audit(): Promise<number> {
  const config = readConfig()
  // Opening it would make one.
  const embedded = databaseIn(config.dataDirectory)
  if (!config.databaseUrl && !existsSync(embedded)) throw noBooks(embedded)
  const world = realWorld(jsonLog('silent'))
  const directory = openDataDirectory(config.dataDirectory)
  const database = createDatabase(await openDriver(config, world, directory))
  try {
    const kept = auditProgressIn(directory, config.databaseUrl ?? embedded, world.now())
    const report = await auditInSteps(database, {
      keys: await keysOf(database),
      from: kept.progress,
      save: kept.save,
    })
    kept.remove()
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return report.sound ? exit.done : exit.fault
  } catch (error) {
    throw isSqlError(error) && error.code === undefinedTable ? noBooks('that database') : error
  } finally {
    await database.close()
  }

  /** What vouches for the ends of the audit log. Undefined where no master key is at hand: none is made here. */
  async function keysOf(opened: Database): Promise<Pick<Keys, 'tag'> | undefined> {
    if (!config.kms && !config.masterKey && !directory.knownMasterKey()) return undefined
    const keyring = await openWrapped(await readWrapped(opened), await keyServiceOf(config, world, directory))
    return createKeys(world, keyring).keys
  }
}

const undefinedTable = '42P01'

function noBooks(place: string): StartRefused {
  return new StartRefused(
    `No ledger found in ${place}. Start a server with this database first, or set CORRIDOR_DATA_DIR or DATABASE_URL.`,
  )
}

run(audit)
