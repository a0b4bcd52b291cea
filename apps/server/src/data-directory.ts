import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseMasterKey } from '@corridor/engine/keys/keys.ts'
import type { World } from '@corridor/kernel'
import { StartRefused } from './config.ts'

/** The folder with everything of this installation that is not in a PostgreSQL server. */
export interface DataDirectory {
  readonly path: string
  /** Where the embedded database lives. */
  readonly databasePath: string
  /** Where files that customers upload are kept, unless said otherwise. */
  readonly blobsPath: string
  readonly credentialsPath: string
  /** Keeps a second process out; the returned function lets go. */
  lock(): () => void
  /** The installation's key, made on the first call. */
  masterKey(world: World): Uint8Array
  /** Writes a file that only its owner may read, all of it or not at all. */
  writePrivate(path: string, text: string): void
}

/** Where the embedded database of a data directory lives, whether or not there is one. */
export function databaseIn(directory: string): string {
  return join(resolve(directory), 'database')
}

export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartRefused(`The data directory ${path} cannot be made: ${(error as Error).message}`)
  }
  const keyPath = join(path, 'master.key')
  return {
    path,
    databasePath: databaseIn(directory),
    blobsPath: join(path, 'blobs'),
    credentialsPath: join(path, 'credentials.json'),
    lock: () => lock(join(path, 'corridor.lock'), path),
    masterKey(world) {
      const known = readIfThere(keyPath)
      if (known !== undefined) return parseMasterKey(known)
      const text = Buffer.from(world.randomBytes(32)).toString('base64')
      const draft = `${keyPath}.${process.pid}`
      writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
      try {
        // A link refuses to replace, so of two processes that start at once both use the first one's key.
        linkSync(draft, keyPath)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        rmSync(draft)
      }
      world.log.warn(
        { path: keyPath },
        'made a master key: keep a copy apart from backups of the database, which are useless without it',
      )
      return parseMasterKey(readFileSync(keyPath, 'utf8'))
    },
    writePrivate(target, text) {
      const draft = `${target}.${process.pid}`
      writeFileSync(draft, text, { mode: 0o600, flush: true })
      renameSync(draft, target)
    },
  }
}

/**
 * The embedded database has no lock of its own, and two processes on one would destroy it. The lock file
 * names its holder by process id and start time, because ids are used again, in containers at once.
 */
function lock(file: string, directory: string): () => void {
  const mine = `${process.pid} ${startTimeOf(process.pid) ?? ''}\n`
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid = '', startTime = ''] = (readIfThere(file) ?? '').trim().split(' ')
    if (attempt > 2 || isRunning(Number(pid), startTime)) {
      throw new StartRefused(
        `The data directory ${directory} is in use by process ${pid}. Stop that process, or give this one another CORRIDOR_DATA_DIR.`,
      )
    }
    rmSync(file, { force: true })
  }
}

function isRunning(pid: number, startTime: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const known = startTimeOf(pid)
  return known === undefined || startTime === '' || known === startTime
}

/** Ticks since boot at which a process began; undefined where the system does not tell. */
function startTimeOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces; the start time is the 20th field after it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
