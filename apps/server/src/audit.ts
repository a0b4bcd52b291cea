import { createDatabase } from '@corridor/engine/db/database.ts'
import { auditLedger } from '@corridor/engine/ledger/audit.ts'
import { readConfig } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { openDriver } from './wiring.ts'

/**
 * Checks that the ledger adds up and prints the report as JSON: `npm run audit`. Beside a running server
 * on PostgreSQL; the embedded database serves one process, so there the server has to be stopped.
 */
async function audit(): Promise<number> {
  const config = readConfig()
  const world = realWorld(jsonLog('silent'))
  const database = createDatabase(await openDriver(config, world, openDataDirectory(config.dataDirectory)))
  try {
    const report = await auditLedger(database)
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return report.sound ? exit.done : exit.fault
  } finally {
    await database.close()
  }
}

run(audit)
