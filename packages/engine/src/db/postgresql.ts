import type { Socket } from 'node:net'
import { assert } from '@corridor/kernel'
import pg from 'pg'
import {
  type Connection,
  type Driver,
  keyedLaneSettings,
  type Lane,
  parsers,
  type Statement,
  sessionSettings,
} from './driver.ts'

export interface PostgresqlOptions {
  readonly url: string
  /** Connections per lane. Writes need few, because one transaction carries many decisions. */
  readonly connections?: Readonly<Record<Lane, number>>
}

const laneSettings: Readonly<Record<Lane, string>> = {
  read: `; ${keyedLaneSettings}`,
  // What apply writes has one good plan, and planning it costs more than a small batch does.
  write: `; ${keyedLaneSettings}; set plan_cache_mode = force_generic_plan`,
  system: '',
}

const defaultConnections: Readonly<Record<Lane, number>> = { read: 8, write: 4, system: 3 }

/** A PostgreSQL server (15 or later) behind the Driver interface, one small pool per lane. */
export function openPostgresql({ url, connections = defaultConnections }: PostgresqlOptions): Driver {
  const sessions = new WeakMap<pg.ClientBase, Connection>()

  function openPool(lane: Lane): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      max: connections[lane],
      pipeline: true,
      application_name: `corridor ${lane}`,
      types: { getTypeParser: ((type: number, format: string) => parserFor(type, format)) as never },
    })
    // A connection that breaks while idle is replaced on next use; without a listener it would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      // One that breaks while it is lent fails what is asked of it next, and is not lent again.
      client.on('error', () => {})
      client.query(sessionSettings + laneSettings[lane]).catch(() => {})
    })
    return pool
  }

  const pools: Record<Lane, pg.Pool> = {
    read: openPool('read'),
    write: openPool('write'),
    system: openPool('system'),
  }

  return {
    kind: 'postgresql',
    async use(lane, work) {
      const client = await pools[lane].connect()
      let broken: Error | undefined
      try {
        let connection = sessions.get(client)
        if (!connection) {
          connection = wrap(client)
          sessions.set(client, connection)
        }
        return await work(connection)
      } catch (error) {
        // Without an SQLSTATE the connection itself is in doubt (cut, timed out): do not lend it again.
        if (error instanceof Error && !('code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)))) {
          broken = error
        }
        throw error
      } finally {
        client.release(broken)
      }
    },
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}

function wrap(client: pg.PoolClient): Connection {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  let isGathering = false
  /** What is asked until the process turns to something else leaves in one packet, answered in order. */
  function gather(): void {
    if (isGathering) return
    isGathering = true
    stream.cork()
    process.nextTick(() => {
      isGathering = false
      stream.uncork()
    })
  }
  return {
    session: '',
    pipelines: true,
    query<R>({ name, text }: Statement, parameters: readonly unknown[] = []) {
      for (const value of parameters) assertSendable(value)
      assertOneText(name, text)
      gather()
      return client.query({ name, text, values: parameters as unknown[] }).then(({ rows }) => rows as R[])
    },
    async script(text) {
      gather()
      await client.query(text)
    },
  }
}

/**
 * A transaction is committed without waiting for the answers of its statements: one that fails in the server fails
 * the commit too. One that never left would not, so what could keep it back is refused before it is asked for.
 */
function assertSendable(value: unknown): void {
  const values = Array.isArray(value) ? value : [value]
  for (const one of values) {
    assert(one === null || sendable.has(typeof one), `a parameter is text, a number or an array of such`)
  }
}

const sendable = new Set(['string', 'number', 'bigint', 'boolean'])

const texts = new Map<string, string>()

function assertOneText(name: string, text: string): void {
  const known = texts.get(name)
  if (known === undefined) texts.set(name, text)
  else assert(known === text, `statement ${name} has one text`)
}

function parserFor(type: number, format: string) {
  return (format === 'text' ? parsers[type] : undefined) ?? pg.types.getTypeParser(type, format as 'text')
}
