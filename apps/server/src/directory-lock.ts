import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { World } from '@corridor/kernel'
import { StartRefused } from './config.ts'

/**
 * The embedded database has no lock of its own, and two processes on one would destroy it. The lock is a
 * listening socket in the data directory: the system closes it in the moment in which its holder dies,
 * however it dies and whether or not anybody has taken note of the death, and a restart can tell at once.
 * It also tells processes of different containers apart that share the directory, which process ids do not.
 *
 * Every starter listens under a name of its own, and only then looks around. Of two that start at the same
 * moment at least one sees the other, and of two candidates the lower name stays. A name is never used
 * again, so whoever finds a dead socket may remove it.
 *
 * `corridor.lock` names the holder for people and for releases that only knew this file. It decides where a
 * file system has no sockets, and then a process that is dead and not reaped yet counts as dead.
 */
export async function lockDirectory(directory: string, world: World): Promise<() => void> {
  const file = join(directory, 'corridor.lock')
  const sockets = await openSockets(directory, world)
  try {
    const holder = (await sockets?.rival()) ?? fileHolder(file)
    if (holder === silent) throw inUse(directory, (readIfThere(file) ?? '').split(' ')[0] || 'unknown')
    if (holder !== undefined) throw inUse(directory, holder)
    writeFileSync(file, `${process.pid} ${startTimeOf(process.pid) ?? ''}\n`, { mode: 0o600 })
  } catch (error) {
    sockets?.close()
    throw error
  }
  return () => {
    rmSync(file, { force: true })
    sockets?.close()
  }
}

function inUse(directory: string, pid: string): StartRefused {
  return new StartRefused(
    `The data directory ${directory} is in use by process ${pid}. Stop that process, or choose another CORRIDOR_DATA_DIR for this process.`,
  )
}

interface Sockets {
  /** The process that has the directory; undefined once it is ours. */
  rival(): Promise<string | undefined>
  close(): void
}

/** A process that listens and does not say which one it is. */
const silent = 'silent'

/** How long a process that was stopped, or is very busy, may take to say who it is. It lives, or none would listen. */
const answerMs = 1_000
const roundMs = 20

/** Undefined where the file system knows no sockets. */
async function openSockets(directory: string, world: World): Promise<Sockets | undefined> {
  const folder = join(directory, 'corridor.lock.d')
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  // A socket's path may be 107 bytes long at most; that of an open folder is short.
  const handle = process.platform === 'linux' ? openSync(folder, 'r') : undefined
  const pathOf = (name: string) =>
    handle === undefined ? join(folder, name) : `/proc/self/fd/${handle}/${name}`
  const release = () => {
    if (handle !== undefined) closeSync(handle)
  }

  const mine = Buffer.from(world.randomBytes(8)).toString('hex')
  let standing: 'candidate' | 'holder' = 'candidate'
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`${standing} ${process.pid}\n`)
  })
  server.unref()
  // Under another name until it listens: one that is bound and does not listen yet looks dead.
  if (!(await listens(server, pathOf(`${mine}.new`)))) {
    release()
    return undefined
  }
  renameSync(join(folder, `${mine}.new`), join(folder, mine))

  return {
    async rival() {
      for (;;) {
        let waits = false
        for (const name of readdirSync(folder)) {
          if (name === mine || name.endsWith('.new')) continue
          const [said, pid = silent] = await ask(pathOf(name))
          if (said === 'dead') rmSync(join(folder, name), { force: true })
          else if (said !== 'gone' && (said !== 'candidate' || name < mine)) return pid
          // It is about to go, sees this one, or holds the directory in a moment.
          else waits = true
        }
        if (!waits) break
        await world.sleep(roundMs)
      }
      standing = 'holder'
      return undefined
    },
    close() {
      server.close()
      rmSync(join(folder, mine), { force: true })
      release()
    },
  }
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(path, () => resolve(true))
  })
}

/** What the process behind a socket says of itself, and its id. */
function ask(path: string): Promise<string[]> {
  return new Promise((resolve) => {
    let said = 'gone'
    const socket = connect(path)
    socket.setTimeout(answerMs, () => {
      said = silent
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      said = String(chunk)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') said = 'dead'
    })
    socket.on('close', () => resolve(said.trim().split(' ')))
  })
}

/** The running process that the lock file names, unless that is this one. */
function fileHolder(file: string): string | undefined {
  const [pid = '', startTime = ''] = (readIfThere(file) ?? '').trim().split(' ')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return undefined
  if (number === process.pid && startTime === startTimeOf(number)) return undefined
  return isRunning(number, startTime) ? pid : undefined
}

/** Process ids are used again, in containers at once: only one that began at the same tick is the same process. */
function isRunning(pid: number, startTime: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const stat = statOf(pid)
  if (stat === undefined) return true
  // Dead, and nobody has asked for its exit code yet.
  if (stat.state === 'Z' || stat.state === 'X') return false
  return startTime === '' || stat.startTime === startTime
}

function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.startTime
}

/** Undefined where the system does not tell. The start time is in ticks since boot. */
function statOf(pid: number): { state: string | undefined; startTime: string | undefined } | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces; the state is the first field after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && { state: fields[0], startTime: fields[19] }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
