import { partsOf } from './backups/manifest.ts'
import { restoreDump } from './backups/postgresql.ts'
import { restoreCluster, restoreFiles, wholeBackup } from './backups/restored.ts'
import { readConfig, StartRefused } from './config.ts'
import { openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { openBlobs } from './wiring.ts'

/**
 * Puts a backup into a new data directory or an empty PostgreSQL database, and its files into their store:
 * `npm run restore -- <folder>`, with the settings of the server that is to run on it. The master key is put
 * there by hand: it is not in the backup.
 */
async function restore(): Promise<number> {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || more.length > 0) throw new StartRefused('Usage: npm run restore -- <folder>')
  const config = readConfig()
  const manifest = await wholeBackup(folder)
  const world = realWorld(jsonLog('silent'))
  const startedAt = world.now()
  const directory = openDataDirectory(config.dataDirectory)
  const url = config.migrateDatabaseUrl ?? config.databaseUrl
  if ((manifest.kind === 'postgresql') !== (url !== undefined)) {
    throw new StartRefused(
      manifest.kind === 'postgresql'
        ? 'This is a PostgreSQL backup. Set DATABASE_URL to an empty database.'
        : 'This is a backup of the embedded database. Restore it without DATABASE_URL.',
    )
  }
  if (url) await restoreDump(url, partsOf(folder).dump)
  else await restoreCluster(folder, directory.databasePath)
  const files = await restoreFiles(folder, manifest, openBlobs(config, world, directory))
  say(
    `Restored in ${(world.now() - startedAt) / 1_000} s, as of ${manifest.startedAt}, with ${files} uploaded files.`,
  )
  if (!config.masterKey && !config.kms && !directory.knownMasterKey()) {
    say(
      `Put the master key at ${directory.masterKeyPath} before you start the server. The server does not start without this key.`,
    )
  }
  return exit.done
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

run(restore)
