import { execFile } from 'node:child_process'
import { access, chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PGlite, parse, protocol } from '@electric-sql/pglite'
import { DatabaseUnavailable } from './availability.ts'
import {
  type Connection,
  type Driver,
  newSession,
  parsers,
  type Statement,
  sessionSettings,
} from './driver.ts'

export interface PgliteOptions {
  /** A directory, or absent for a database that lives and dies with the process. */
  readonly directory?: string
  /** A cluster to copy for a new directory: that is faster than making one. The build leaves one with all tables. */
  readonly template?: string
  /** A dump of a migrated database to start from: much faster than migrating. */
  readonly loadFrom?: Blob
}

const settings = {
  /**
   * Half a gigabyte of an embedded database that nobody talks to is PostgreSQL's default cache and what the
   * making of the cluster leaves behind; docs/adr/0006 has the figures for this size and others.
   */
  shared_buffers: '32MB',
  /** Nothing is flushed here, so a new file of the log need not be filled first, for which everybody would wait. */
  wal_init_zero: 'off',
}

/** How much may wait for its turn. */
const maxWaiting = 5_000

/** What lies in the directory is no whole database. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase'
  constructor(directory: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`the database in ${directory} cannot be opened: ${reason}`, { cause })
  }
}

/**
 * PostgreSQL compiled to WebAssembly, inside this process. It has one connection, so work takes turns;
 * and it runs without fsync, so it survives a killed process but not a power cut.
 */
export async function openPglite({
  directory,
  template,
  loadFrom,
}: PgliteOptions): Promise<Driver & { dump(): Promise<Blob> }> {
  if (directory && !(await isCluster(directory))) {
    if (await isFilled(directory)) throw new DamagedDatabase(directory, new Error('PG_VERSION is missing'))
    if (template && (await isCluster(template))) await copyCluster(template, directory)
    else await makeCluster(directory)
  }
  const database = await PGlite.create({
    ...(directory ? { dataDir: directory } : {}),
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ...(loadFrom ? { loadDataDir: loadFrom } : {}),
    parsers,
  }).catch((cause: unknown) => {
    throw directory ? new DamagedDatabase(directory, cause) : cause
  })
  await database.exec(sessionSettings)

  const session = openSession(database)
  const connection: Connection = {
    session: newSession(),
    pipelines: false,
    query: <R>({ text }: Statement, parameters: readonly unknown[] = []) =>
      session.query<R>(text, parameters),
    script: (text) => session.script(text),
  }

  let turn: Promise<unknown> = Promise.resolve()
  let turns = 0
  let waiting = 0
  let hasEnded = false

  return {
    kind: 'pglite',
    async use(_lane, work) {
      if (waiting >= maxWaiting)
        throw new DatabaseUnavailable('BUSY', 'too many requests wait for the database')
      waiting++
      const mine = turn.then(async () => {
        waiting--
        if (hasEnded) throw new DatabaseUnavailable('AWAY', 'the embedded database has ended: start again')
        // Awaiting WebAssembly never leaves the microtask queue, so sockets and timers would starve.
        if (++turns % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
        try {
          return await work(connection)
        } catch (error) {
          // PostgreSQL has given up, as it does when its disk is full; what it knew is gone with it.
          if (error instanceof Error && error.name === 'RuntimeError') hasEnded = true
          throw hasEnded ? new DatabaseUnavailable('AWAY', String(error), error) : error
        }
      })
      turn = mine.catch(() => {})
      return mine
    },
    // It has one session, which has answered before it is lent again.
    ended: async () => {},
    server: () => '',
    whenDurable: () => undefined,
    confirm: async () => {},
    async close() {
      await turn
      await database.close()
    },
    async dump() {
      await turn
      return database.dumpDataDir('none')
    },
  }
}

/**
 * The one session of an embedded database. PGlite's own `query` crosses into WebAssembly and back for each of six messages,
 * which took more than half of the time of most statements; here the four that ask go together. What ends the statement, and
 * with it what was no transaction yet, goes by itself, as the last message of a crossing: if PostgreSQL gives up over it,
 * as it does when its disk is full, nothing is left for it to read. Every statement is still planned anew for its values.
 */
function openSession(database: PGlite) {
  const { serialize } = protocol
  /** The types of the parameters of each statement, which decide how they are written. */
  const types = new Map<string, readonly number[]>()

  function send(...messages: readonly Uint8Array[]) {
    if (database.closed) throw new Error('the embedded database is closed')
    return database.execProtocolStream(Buffer.concat(messages), { syncToFs: false })
  }

  async function typesOf(text: string): Promise<readonly number[]> {
    const known = types.get(text)
    if (known) return known
    const told = parse.parseDescribeStatementResults(
      await send(serialize.parse({ text }), serialize.describe({ type: 'S' })),
    )
    types.set(text, told)
    return told
  }

  async function ask<R>(text: string, parameters: readonly unknown[]): Promise<R[]> {
    try {
      const told = await typesOf(text)
      const values = parameters.map((value, index) => {
        if (value === null || value === undefined) return null
        const type = told[index]
        return ((type !== undefined && database.serializers[type]) || String)(value)
      })
      const answer = await send(
        serialize.parse({ text }),
        serialize.bind({ values }),
        serialize.describe({ type: 'P' }),
        serialize.execute(),
      )
      return parse.parseResults(answer, database.parsers)[0]!.rows as R[]
    } finally {
      await send(serialize.sync())
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: some are asked for before the one before has answered, and PGlite itself keeps no order then. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }

  return {
    query: <R>(text: string, parameters: readonly unknown[]) => inOrder(() => ask<R>(text, parameters)),
    script: (text: string) => inOrder(async () => void (await database.exec(text))),
  }
}

async function isCluster(directory: string): Promise<boolean> {
  return access(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

async function isFilled(directory: string): Promise<boolean> {
  return readdir(directory).then(
    (names) => names.length > 0,
    () => false,
  )
}

/**
 * Makes an empty cluster in a process of its own, whose memory goes with it, and beside its final place,
 * so that a start which is killed meanwhile leaves nothing half made. It has one database: those that PostgreSQL makes others
 * from are never read here, and would be two thirds of what each installation and each of its copies begins with.
 */
export async function makeCluster(directory: string): Promise<void> {
  const unfinished = await unfinishedFor(directory)
  const program = `
    const { PGlite } = await import('@electric-sql/pglite')
    const database = await PGlite.create(${JSON.stringify(resolve(unfinished))})
    await database.exec('update pg_database set datistemplate = false')
    for (const name of ['template0', 'template1']) await database.exec('drop database ' + name)
    await database.close()`
  // The program finds its package from its working directory. Vitest's global set-up has no import.meta.resolve.
  const options = { cwd: import.meta.dirname }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], options)
  await rename(unfinished, directory)
}

async function copyCluster(template: string, directory: string): Promise<void> {
  const unfinished = await unfinishedFor(directory)
  await cp(template, unfinished, { recursive: true })
  // PostgreSQL opens no directory that others may read, and in a container the template is such a one.
  await chmod(unfinished, 0o700)
  for (const folder of emptyFolders) await mkdir(join(unfinished, folder), { recursive: true })
  await rename(unfinished, directory)
}

/** Of a new cluster. PostgreSQL does not start without them, and a package of npm leaves empty folders out. */
const emptyFolders = [
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
]

async function unfinishedFor(directory: string): Promise<string> {
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(directory), { recursive: true })
  return unfinished
}
