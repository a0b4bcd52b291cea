import { mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { type Connection, type Driver, parsers, type Statement, sessionSettings } from './driver.ts'

export interface PgliteOptions {
  /** A directory, or absent for a database that lives and dies with the process. */
  readonly directory?: string
  /** A dump of a migrated database to start from: much faster than migrating. */
  readonly loadFrom?: Blob
}

/**
 * PostgreSQL compiled to WebAssembly, inside this process. It has one connection, so work takes turns;
 * and it runs without fsync, so it survives a killed process but not a power cut.
 */
export async function openPglite({
  directory,
  loadFrom,
}: PgliteOptions): Promise<Driver & { dump(): Promise<Blob> }> {
  if (directory) await mkdir(directory, { recursive: true })
  const database = await PGlite.create({
    ...(directory ? { dataDir: directory } : {}),
    ...(loadFrom ? { loadDataDir: loadFrom } : {}),
    parsers,
  })
  await database.exec(sessionSettings)

  const connection: Connection = {
    session: '',
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
