import { appendFileSync } from 'node:fs'
import type { Connection, Driver } from '@corridor/engine/mechanisms/db/driver.ts'

/**
 * Names of the statements that a database has answered in this worker. `.ci/run` compares those of both databases, so that each
 * statement meets a real PostgreSQL although most tests run on one database.
 */
const answered: Set<string> = answeredInWorker()
const written = new Set<string>()
const watched = new WeakSet<Connection>()

/** Of the worker, not of this module: a test may load modules anew, but the runner keeps those with which it began. */
function answeredInWorker(): Set<string> {
  const all = globalThis as { [key: symbol]: Set<string> | undefined }
  const key = Symbol.for('corridor.answeredStatements')
  all[key] ??= new Set()
  return all[key]
}

/** The driver itself, but that it notes what is asked of it. */
export function noteStatements(driver: Driver): Driver {
  if (!process.env.CORRIDOR_STATEMENTS) return driver
  return {
    ...driver,
    use: (lane, work) => driver.use(lane, (connection) => work(watch(connection))),
  }
}

/** In place: who keeps sessions apart compares connections by identity. */
function watch(connection: Connection): Connection {
  if (watched.has(connection)) return connection
  watched.add(connection)
  const { query } = connection
  const noted: Connection['query'] = (statement, parameters) => {
    noteStatement(statement.name)
    return query.call(connection, statement, parameters) as never
  }
  return Object.assign(connection, { query: noted })
}

/** Long names, and lists with other filters, are numbered in the order of their use, which depends on the order of the files. */
export function noteStatement(name: string): void {
  answered.add(name.replace(/ #\d+/, ''))
}

/** Adds what is new since the last file to the file that CORRIDOR_STATEMENTS names. */
export function writeStatements(): void {
  const { CORRIDOR_STATEMENTS: path } = process.env
  const fresh = [...answered].filter((name) => !written.has(name))
  if (!path || fresh.length === 0) return
  for (const name of fresh) written.add(name)
  appendFileSync(path, `${fresh.join('\n')}\n`)
}
