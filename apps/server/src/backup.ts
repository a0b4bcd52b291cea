import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { storedFileKeys } from '@corridor/engine/people/documents/index.ts'
import type { World } from '@corridor/kernel'
import { newBackupFolder, partsOf, writeManifest } from './backups/manifest.ts'
import { dump } from './backups/postgresql.ts'
import { type Config, readConfig, StartRefused } from './config.ts'
import { type DataDirectory, databaseIn, openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { blobsIn, openBlobs } from './wiring.ts'
import { mendReplaced } from './worlds/pglite-store.ts'

const usage = 'Usage: npm run backup -- <new folder> [--key-to <another folder>]'

/**
 * Copies an installation into a new folder: the database and the uploaded files, never the master key, which
 * `--key-to` copies to a place of its own. Beside running servers on PostgreSQL, as of the moment it begins;
 * the embedded database serves one process, so there the server has to be stopped.
 */
async function backup(): Promise<number> {
  const { folder, keyFolder } = readArguments()
  const config = readConfig()
  if (!config.databaseUrl && !existsSync(databaseIn(config.dataDirectory))) {
    throw new StartRefused('No database found. Set CORRIDOR_DATA_DIR or DATABASE_URL.')
  }
  const world = realWorld(jsonLog('silent'))
  const directory = openDataDirectory(config.dataDirectory)
  await newBackupFolder(folder)
  const startedAt = world.now()
  const parts = partsOf(folder)
  await mkdir(parts.database, { mode: 0o700 })
  const url = config.backupDatabaseUrl ?? config.databaseUrl
  const named = url
    ? await copyPostgresql(url, parts.dump)
    : await copyEmbedded(directory, world, parts.database)
  const from = openBlobs(config, world, directory)
  const to = blobsIn(parts.blobs)
  const removedMeanwhile: string[] = []
  for (const key of named) {
    const bytes = await from.get(key)
    if (bytes) await to.put(key, bytes)
    else removedMeanwhile.push(key)
  }
  if (keyFolder) await copyMasterKey(config, directory, keyFolder)
  const manifest = await writeManifest(folder, {
    kind: url ? 'postgresql' : 'pglite',
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(world.now()).toISOString(),
    removedMeanwhile,
  })
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  const seconds = (world.now() - startedAt) / 1_000
  say(
    `${folder}: ${manifest.files.length} files, ${bytes} bytes, in ${seconds} s, as of ${manifest.startedAt}.`,
  )
  if (!keyFolder)
    say(
      'The backup does not contain the master key. Keep a copy of the key elsewhere, because you cannot open the backup without it.',
    )
  say(`To check the backup: npm run restore-check -- ${folder}`)
  return exit.done
}

function readArguments(): { readonly folder: string; readonly keyFolder: string | undefined } {
  const { values, positionals } = argumentsOf()
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new StartRefused(usage)
  const keyFolder = values['key-to']
  if (keyFolder !== undefined && `${resolve(keyFolder)}${sep}`.startsWith(`${resolve(folder)}${sep}`)) {
    throw new StartRefused('Store the master key separately from the backup.')
  }
  return { folder, keyFolder }
}

function argumentsOf() {
  try {
    return parseArgs({ allowPositionals: true, options: { 'key-to': { type: 'string' } } })
  } catch {
    throw new StartRefused(usage)
  }
}

/** Copies the database; returns the keys of the files that it may refer to. */
async function copyPostgresql(url: string, file: string): Promise<Set<string>> {
  const driver = openPostgresql({ url })
  try {
    // What is removed while the copy is made may be in it, and what is uploaded as well.
    const before = await fileKeys(driver)
    await dump(url, file)
    return new Set([...before, ...(await fileKeys(driver))])
  } finally {
    await driver.close()
  }
}

async function copyEmbedded(directory: DataDirectory, world: World, target: string): Promise<Set<string>> {
  const unlock = await directory.lock(world)
  try {
    await mendReplaced(directory.databasePath)
    const driver = await openPglite({ directory: directory.databasePath })
    const named = await fileKeys(driver).finally(() => driver.close())
    await cp(directory.databasePath, target, { recursive: true })
    return named
  } finally {
    unlock()
  }
}

async function fileKeys(driver: Driver): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const key of storedFileKeys(createDatabase(driver))) found.add(key)
  return found
}

async function copyMasterKey(config: Config, directory: DataDirectory, folder: string): Promise<void> {
  if (config.kms)
    throw new StartRefused(
      'The master key is in a key service and cannot be copied. Run the backup without --key-to.',
    )
  const key = config.masterKey ?? directory.knownMasterKey()
  if (!key) throw new StartRefused('The data directory contains no master key.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const text = `${Buffer.from(key).toString('base64')}\n`
  await writeFile(join(folder, 'master.key'), text, { mode: 0o600, flush: true, flag: 'wx' })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

run(backup)
