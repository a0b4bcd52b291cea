import { execFile } from 'node:child_process'
import { access, cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { type Connection, type Driver, parsers, type Statement, sessionSettings } from './driver.ts'

export interface PgliteOptions {
  /** A directory, or absent for a database that lives and dies with the process. */
  readonly directory?: string
  /** A cluster as `makeCluster` leaves it, to copy for a new directory: that is faster than making one. */
  readonly template?: string
  /** A dump of a migrated database to start from: much faster than migrating. */
  readonly loadFrom?: Blob
}

/**
 * Half a gigabyte of an embedded database that nobody talks to is PostgreSQL's default cache and what the
 * making of the cluster leaves behind; docs/adr/0006 has the figures for this size and others.
 */
const sharedBuffers = '32MB'

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
    if (template && (await isCluster(template))) await copyCluster(template, directory)
    else await makeCluster(directory)
  }
  const database = await PGlite.create({
    ...(directory ? { dataDir: directory } : {}),
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
    ...(loadFrom ? { loadDataDir: loadFrom } : {}),
    parsers,
  })
  await database.exec(sessionSettings)

  const connection: Connection = {
    session: '',
    pipelines: false,
    async query<R>(statement: Statement, parameters: readonly unknown[] = []) {
      const result = await database.query<R>(statement.text, parameters as unknown[])
      return result.rows
    },
    async script(text) {
      await database.exec(text)
    },
  }

  let turn: Promise<unknown> = Promise.resolve()
  let turns = 0

  return {
    kind: 'pglite',
    async use(_lane, work) {
      const mine = turn.then(async () => {
        // Awaiting WebAssembly never leaves the microtask queue, so sockets and timers would starve.
        if (++turns % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
        return work(connection)
      })
      turn = mine.catch(() => {})
      return mine
    },
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

async function isCluster(directory: string): Promise<boolean> {
  return access(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

/**
 * Makes an empty cluster in a process of its own, whose memory goes with it, and beside its final place,
 * so that a start which is killed meanwhile leaves nothing half made.
 */
export async function makeCluster(directory: string): Promise<void> {
  const unfinished = await unfinishedFor(directory)
  const program = `
    const { PGlite } = await import(${JSON.stringify(import.meta.resolve('@electric-sql/pglite'))})
    const database = await PGlite.create(${JSON.stringify(unfinished)})
    await database.close()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await rename(unfinished, directory)
}

async function copyCluster(template: string, directory: string): Promise<void> {
  const unfinished = await unfinishedFor(directory)
  await cp(template, unfinished, { recursive: true })
  await rename(unfinished, directory)
}

async function unfinishedFor(directory: string): Promise<string> {
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(directory), { recursive: true })
  return unfinished
}
