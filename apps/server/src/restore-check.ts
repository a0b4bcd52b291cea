import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { localKeyService, parseMasterKey } from '@corridor/engine/mechanisms/keys/master-key.ts'
import type { KeyService } from '@corridor/engine/ports/key-service.ts'
import type { World } from '@corridor/kernel'
import { checkRestored, type RestoreReport } from './backups/check.ts'
import { type Manifest, partsOf } from './backups/manifest.ts'
import { restoreDump, withScratchDatabase } from './backups/postgresql.ts'
import { restoreCluster, wholeBackup } from './backups/restored.ts'
import { type Config, readConfig, StartRefused } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { blobsIn, keyServiceOf } from './wiring.ts'

const usage = 'Usage: npm run restore-check -- <folder> [--key-from <folder with master.key>]'

/**
 * Restores a backup to a scratch place, opens everything in it, audits the books, and takes the scratch away
 * again: prints what it found as JSON, and ends with 1 when something is missing or does not open. The scratch
 * is a temporary folder, or a new database beside CORRIDOR_BACKUP_DATABASE_URL (else DATABASE_URL).
 */
async function restoreCheck(): Promise<number> {
  const { folder, keyFolder } = readArguments()
  const config = readConfig()
  const world = realWorld(jsonLog('silent'))
  const startedAt = world.now()
  const keyService = await keyServiceFor(config, world, keyFolder)
  const manifest = await wholeBackup(folder)
  let restoredAt = startedAt
  const check = async (driver: Driver): Promise<RestoreReport> => {
    restoredAt = world.now()
    const blobs = blobsIn(partsOf(folder).blobs)
    const { removedMeanwhile } = manifest
    return checkRestored({ driver, blobs, keyService, world, removedMeanwhile })
  }
  const report =
    manifest.kind === 'postgresql'
      ? await onPostgresql(config, world, folder, check)
      : await onEmbedded(folder, check)
  process.stdout.write(
    `${JSON.stringify(written(report, manifest, { startedAt, restoredAt, endedAt: world.now() }), null, 2)}\n`,
  )
  return report.sound ? exit.done : exit.fault
}

function written(
  report: RestoreReport,
  manifest: Manifest,
  times: { readonly startedAt: number; readonly restoredAt: number; readonly endedAt: number },
): object {
  return {
    sound: report.sound,
    problems: report.problems,
    asOf: manifest.startedAt,
    backupSeconds: (Date.parse(manifest.finishedAt) - Date.parse(manifest.startedAt)) / 1_000,
    restoreSeconds: (times.restoredAt - times.startedAt) / 1_000,
    checkSeconds: (times.endedAt - times.restoredAt) / 1_000,
    ledger: report.ledger,
    sealedTexts: report.sealedTexts,
    files: report.files,
  }
}

function readArguments(): { readonly folder: string; readonly keyFolder: string | undefined } {
  try {
    const options = { 'key-from': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const [folder, ...more] = positionals
    if (folder !== undefined && more.length === 0) return { folder, keyFolder: values['key-from'] }
  } catch {
    // Said below, as for every other wrong call.
  }
  throw new StartRefused(usage)
}

async function keyServiceFor(
  config: Config,
  world: World,
  keyFolder: string | undefined,
): Promise<KeyService> {
  if (keyFolder !== undefined) {
    const text = readFileSync(join(keyFolder, 'master.key'), 'utf8')
    return localKeyService(parseMasterKey(text), world)
  }
  const directory = openDataDirectory(config.dataDirectory)
  if (!config.kms && !config.masterKey && !directory.knownMasterKey()) {
    throw new StartRefused(`No master key found. Set CORRIDOR_MASTER_KEY or pass --key-from.`)
  }
  return keyServiceOf(config, world, directory)
}

async function onPostgresql(
  config: Config,
  world: World,
  folder: string,
  check: (driver: Driver) => Promise<RestoreReport>,
): Promise<RestoreReport> {
  const url = config.backupDatabaseUrl ?? config.databaseUrl
  if (!url) {
    throw new StartRefused(
      'This is a PostgreSQL backup. Set DATABASE_URL to a server where Corridor can create a scratch database.',
    )
  }
  const name = `corridor_check_${world.uuid().replaceAll('-', '')}`
  return withScratchDatabase(url, name, async (scratch) => {
    await restoreDump(scratch, partsOf(folder).dump)
    const driver = openPostgresql({ url: scratch })
    return check(driver).finally(() => driver.close())
  })
}

async function onEmbedded(
  folder: string,
  check: (driver: Driver) => Promise<RestoreReport>,
): Promise<RestoreReport> {
  const scratch = mkdtempSync(join(tmpdir(), 'corridor-restore-check-'))
  try {
    const directory = join(scratch, 'database')
    await restoreCluster(folder, directory)
    const driver = await openPglite({ directory })
    return await check(driver).finally(() => driver.close())
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

run(restoreCheck)
