import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseMasterKey } from '@corridor/engine/mechanisms/keys/master-key.ts'
import type { World } from '@corridor/kernel'
import { StartRefused } from './config.ts'
import { lockDirectory, readIfThere } from './directory-lock.ts'

/** The folder with everything of this installation that is not in a PostgreSQL server. */
export interface DataDirectory {
  readonly path: string
  /** Where the embedded database lives. */
  readonly databasePath: string
  /** Where files that customers upload are kept, unless said otherwise. */
  readonly blobsPath: string
  readonly credentialsPath: string
  /** Where the master key is, unless it is elsewhere. */
  readonly masterKeyPath: string
  /** Keeps a second process out; the returned function lets go. */
  lock(world: World): Promise<() => void>
  /** Where uploads are kept while they come in, made on the first call. */
  spool(): string
  /** The installation's key, made on the first call. */
  masterKey(world: World): Uint8Array
  /** The installation's key, if it is here; makes none. */
  knownMasterKey(): Uint8Array | undefined
  /** The key that is to take its place, made on the first call and waiting until `replaceMasterKey`. */
  newMasterKey(world: World): Uint8Array
  /** The waiting key becomes the installation's; the one before is kept beside it as `master.key.old`. */
  replaceMasterKey(): void
  /** Writes a file that only its owner may read, all of it or not at all. */
  writePrivate(path: string, text: string): void
}

/** Where the embedded database of a data directory lives, whether or not there is one. */
export function databaseIn(directory: string): string {
  return join(resolve(directory), 'database')
}

export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory)
  makeDirectory(path)
  const keyPath = join(path, 'master.key')
  const newKeyPath = join(path, 'master.key.new')
  const write = (target: string, text: string) => writePrivate(path, target, text)
  return {
    path,
    databasePath: databaseIn(directory),
    blobsPath: join(path, 'blobs'),
    credentialsPath: join(path, 'credentials.json'),
    masterKeyPath: keyPath,
    lock: (world) => writing(path, () => lockDirectory(path, world)),
    spool() {
      const spoolPath = join(path, 'uploads')
      makeDirectory(spoolPath)
      return spoolPath
    },
    knownMasterKey() {
      const text = readIfThere(keyPath)
      return text === undefined ? undefined : parseMasterKey(text)
    },
    newMasterKey: (world) => keyIn(path, newKeyPath, world).key,
    replaceMasterKey() {
      const waiting = readIfThere(newKeyPath)
      if (waiting === undefined) return
      const before = readIfThere(keyPath)
      if (before !== undefined) write(`${keyPath}.old`, before)
      renameSync(newKeyPath, keyPath)
    },
    masterKey(world) {
      const { key, isNew } = keyIn(path, keyPath, world)
      if (!isNew) return key
      world.log.warn(
        { path: keyPath },
        'created a master key; keep a copy separately from the database backups, which cannot be opened without the key',
      )
      return key
    },
    writePrivate: write,
  }
}

function writePrivate(path: string, target: string, text: string): void {
  const draft = `${target}.${process.pid}`
  writeOrRefuse(path, () => {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    renameSync(draft, target)
  })
}

/** The key in a file, which is made if it is not there. */
function keyIn(
  path: string,
  file: string,
  world: World,
): { readonly key: Uint8Array; readonly isNew: boolean } {
  const known = readIfThere(file)
  if (known !== undefined) return { key: parseMasterKey(known), isNew: false }
  const text = Buffer.from(world.randomBytes(32)).toString('base64')
  const draft = `${file}.${process.pid}`
  writeOrRefuse(path, () => writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true }))
  try {
    // A link refuses to replace, so of two processes that start at once both use the first one's key.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return { key: parseMasterKey(readFileSync(file, 'utf8')), isNew: true }
}

/**
 * Folder by folder from the first that is missing: Node's own recursion goes round for ever where a folder
 * cannot be made because of what is missing above it, as in /proc.
 */
function makeDirectory(path: string): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  try {
    for (const folder of missing) mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process that starts at the same moment may have made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartRefused(
        `Cannot create the data directory ${path}: ${(error as Error).message}. Choose another CORRIDOR_DATA_DIR.`,
      )
    }
    makeDirectory(path)
  }
}

/** A place where nothing can be written is the operator's to put right, whatever the system calls the reason. */
function writeOrRefuse<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw refusalOf(path, error)
  }
}

async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw refusalOf(path, error)
  }
}

function refusalOf(path: string, error: unknown): unknown {
  if (error instanceof StartRefused || !(error instanceof Error) || !('syscall' in error)) return error
  return new StartRefused(
    `Cannot write to the data directory ${path}: ${error.message}. Fix the problem or choose another CORRIDOR_DATA_DIR.`,
  )
}
