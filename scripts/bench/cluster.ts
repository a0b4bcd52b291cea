import { execFile, spawnSync } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../packages/testkit/src/free-port.ts'

const run = promisify(execFile)

/** A PostgreSQL server that lives as long as the benchmark. */
export interface Cluster {
  readonly port: number
  readonly version: string
  /** A connection URL for one of its databases. */
  url(database: string): string
  /** CPU that the server has used so far, dead sessions included. */
  cpuSeconds(): Promise<number>
  /** Runs one of PostgreSQL's own programs against it and returns what it printed. */
  program(name: 'pgbench' | 'psql', parameters: readonly string[]): Promise<string>
  /** What its log holds from one position to another: a line for each record, as `pg_waldump` tells it. */
  logRecords(from: string, to: string): Promise<string[]>
  /** `start`, `stop -m immediate` and the like: what `pg_ctl` can do to it. */
  control(...parameters: string[]): Promise<void>
  /** The processes that serve clients, not the server's own. */
  sessionIds(): Promise<number[]>
  /** The process that makes new ones. */
  postmasterId(): Promise<number>
  /** Stops all its processes where they are, and lets them go on. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Ends all its processes as a power cut would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** As a server that holds money would be set: nothing about durability is relaxed. */
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
  // Rows are of seconds, so statistics have to come as fast as a busy hour brings them elsewhere.
  autovacuum_naptime: '1s',
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
}

const installHint = `PostgreSQL's server programs (initdb, pg_ctl, pgbench) were not found.
Install them (Debian and Ubuntu: apt install postgresql; Fedora: dnf install postgresql-server postgresql-contrib;
macOS: brew install postgresql@16), or name their directory in PG_BIN.`

/** Initialises and starts a private cluster in a temporary directory, with fsync on. */
export async function startCluster(overrides: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const place = await makePlace()
  await run(
    join(place.binaries, 'initdb'),
    ['-D', place.data, '-A', 'trust', '-U', 'postgres', '--locale=C', '-E', 'UTF8'],
    place.asOwner,
  )
  return serve(place, { ...settings, ...overrides })
}

/** Copies a running cluster, which is reached by a port of this machine, and starts the copy as its standby. */
export async function startStandby(
  port: number,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const place = await makePlace()
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  // What stands in the settings of the primary comes with it.
  await run(
    join(place.binaries, 'pg_basebackup'),
    [...from, '-D', place.data, '-R', '-X', 'stream', '-c', 'fast'],
    place.asOwner,
  )
  const copied = await readFile(join(place.data, 'postgresql.auto.conf'), 'utf8')
  // One that has taken over still names the primary that it followed.
  const primaryLine = copied.split('\n').findLast((line) => line.startsWith('primary_conninfo'))!
  return serve(place, { ...settings, ...overrides }, primaryLine)
}

interface Place {
  readonly binaries: string
  readonly directory: string
  readonly data: string
  readonly asOwner: { readonly uid?: number; readonly gid?: number; readonly cwd: string }
}

async function makePlace(): Promise<Place> {
  const binaries = await findBinaries()
  const owner = unprivilegedUser()
  const directory = await mkdtemp(join(tmpdir(), 'corridor-bench-'))
  if (owner) await chown(directory, owner.uid, owner.gid)
  const asOwner = owner ? { uid: owner.uid, gid: owner.gid, cwd: directory } : { cwd: directory }
  return { binaries, directory, data: join(directory, 'data'), asOwner }
}

async function serve(
  { binaries, directory, data, asOwner }: Place,
  named: Readonly<Record<string, string>>,
  ...more: string[]
): Promise<Cluster> {
  const port = await freePort()
  const lines = Object.entries({ ...named, port }).map(([name, value]) => `${name} = ${value}`)
  await writeFile(join(data, 'postgresql.auto.conf'), `${[...lines, ...more].join('\n')}\n`)
  const control = (...parameters: string[]) =>
    run(join(binaries, 'pg_ctl'), ['-D', data, '-l', join(directory, 'log'), '-w', ...parameters], asOwner)
  await control('start')
  const { stdout: version } = await run(join(binaries, 'postgres'), ['--version'])
  const postmasterId = () => postmasterOf(data)
  const signal = (name: NodeJS.Signals) => signalServer(data, name)

  return {
    port,
    version: version.trim(),
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    async cpuSeconds() {
      const postmaster = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]!
      let ticks = 0
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const [parent, ...used] = [fields[1], fields[11], fields[12], fields[13], fields[14]]
        if (pid === postmaster || parent === postmaster) ticks += used.reduce((sum, n) => sum + Number(n), 0)
      }
      return ticks / 100
    },
    async program(name, parameters) {
      const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
      const { stdout } = await run(join(binaries, name), [...connection, ...parameters], {
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    },
    async logRecords(from, to) {
      const log = join(data, 'pg_wal')
      const { stdout } = await run(join(binaries, 'pg_waldump'), ['-p', log, '-s', from, '-e', to], {
        ...asOwner,
        maxBuffer: 1024 * 1024 * 1024,
      })
      return stdout.split('\n')
    },
    async control(...parameters) {
      await control(...parameters)
    },
    postmasterId,
    async sessionIds() {
      const postmaster = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]!
      const { stdout } = await run('ps', ['-o', 'pid=,args=', '--ppid', postmaster])
      // `postgres: user database address(port) state`; the server's own have no address.
      return stdout
        .split('\n')
        .filter((line) => /postgres: .*\(\d+\)/.test(line))
        .map((line) => Number.parseInt(line, 10))
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    async stop() {
      await signal('SIGCONT').catch(() => {})
      await control('stop', '-m', 'immediate').catch(() => {})
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function postmasterOf(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10)
}

/** Sends a signal to all processes of the server in a data directory. */
export async function signalServer(data: string, name: NodeJS.Signals): Promise<void> {
  const postmaster = await postmasterOf(data)
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)])
  const children = stdout
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The directory that holds initdb, pg_ctl and pgbench. Debian keeps them out of the PATH. */
export async function findBinaries(): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const candidates = [
    process.env.PG_BIN,
    ...newestFirst.map((version) => `/usr/lib/postgresql/${version}/bin`),
    asked.status === 0 ? asked.stdout.trim() : undefined,
  ]
  for (const candidate of candidates) {
    if (candidate && spawnSync(join(candidate, 'initdb'), ['--version']).status === 0) return candidate
  }
  throw new Error(installHint)
}

/** PostgreSQL refuses to run as root, so root lends it the account its package made. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  const owner = { uid: id('-u'), gid: id('-g') }
  if (!owner.uid)
    throw new Error(`root cannot run PostgreSQL, and there is no user postgres.\n${installHint}`)
  return owner
}
