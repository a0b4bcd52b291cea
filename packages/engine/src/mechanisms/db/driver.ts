import type { Statement } from '../../vocabulary/statement.ts'

export { type Statement, statement, statementFamily } from '../../vocabulary/statement.ts'

/**
 * What the engine asks of a database, whichever serves it: PGlite inside the process or a PostgreSQL
 * server. One SQL, one behaviour: int8 is always bigint, timestamptz always an Instant (milliseconds).
 */
export interface Driver {
  readonly kind: 'pglite' | 'postgresql'
  /** Lends a connection for one piece of work. The lane keeps unlike work from queueing behind each other. */
  use<T>(lane: Lane, work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Resolves once nothing that was asked of a lost connection can happen any more; a server that was frozen goes
   * on with it when it wakes. Rejects while that cannot be made sure of.
   */
  ended(connection: Connection): Promise<void>
  /** Names the server that serves now. Another name means that another server has taken over. */
  server(): string
  /**
   * Resolves once everything that was visible on that server is durable. Rejects with DatabaseUnavailable where that is not
   * confirmed in time, or where another server has taken over. Undefined where commits wait for no standby.
   */
  whenDurable(since: string): Promise<void> | undefined
  /** The same, asked of the server in any case. */
  confirm(since: string): Promise<void>
  close(): Promise<void>
}

/**
 * `read`: single statements under row-level security. `write`: the transactions of apply.
 * `system`: job claims and credential look-ups, which span books and bypass the policies. `maintenance`:
 * migrations, audits and statistics, which do so too and may take as long as they take.
 */
export type Lane = 'read' | 'write' | 'system' | 'maintenance'

export interface Connection {
  /**
   * Statements run in the order in which they are asked for, whether or not the answers are waited for in
   * between. One that cannot be sent at all throws at once.
   */
  query<R>(statement: Statement, parameters?: readonly unknown[]): Promise<R[]>
  /** Several statements without parameters in one round trip. */
  script(text: string): Promise<void>
  /** What is known of the session behind it; claims.ts keeps it. */
  readonly session: Session
  /** Whether the next statement is sent before the one before has answered. */
  readonly pipelines: boolean
}

export interface Session {
  /** The role and the view that it has. */
  worn: string
  opened: OpenSession | undefined
}

export interface OpenSession {
  /** What claims are made with. */
  readonly key: string
  /** Where it looks for tables. */
  readonly path: string
  /** Those that it has made, by role and view. */
  readonly claims: Map<string, string>
}

export function newSession(): Session {
  return { worn: '', opened: undefined }
}

/** A database error with an SQLSTATE, however the driver reports it. */
export interface SqlError extends Error {
  readonly code: string
  readonly constraint?: string
}

export function isSqlError(error: unknown): error is SqlError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}

const oid = { int8: 20, timestamp: 1114, timestamptz: 1184, numeric: 1700 } as const

/** The one set of parsers that both drivers use. Left out types keep the driver's default. */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [oid.int8]: (text) => BigInt(text),
  [oid.timestamptz]: parseTimestamp,
  [oid.numeric]: (text) => text,
}

/** Sent once on every new session. Times are read as UTC whatever the server's default. */
export const sessionSettings = "set time zone 'UTC'; set client_min_messages = 'warning'"

/**
 * Plans made while a table was empty scan it from end to end once it has grown, and stay cached.
 * Requests only ever reach rows by key or in index order, so their lanes refuse the plans that do not. Where a
 * statement has no other plan, as on a table of a few rows, it counts as a very dear one, for which PostgreSQL would
 * compile machine code first: a quarter of a second for a statement of one millisecond.
 * A statement has one good plan, whatever its values are (ADR 46), and planning it costs more than running it.
 */
export const keyedLaneSettings =
  'set jit = off; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_memoize = off; set plan_cache_mode = force_generic_plan'

/** `2026-11-20 15:04:05.123+00`, with up to six digits or none after the seconds; sessions run in UTC. */
function parseTimestamp(text: string): number {
  // Date.UTC takes the first hundred years for those of the twentieth century.
  const isUsual =
    text.length >= 22 && text.charCodeAt(4) === dash && text.endsWith('+00') && !text.startsWith('00')
  if (!isUsual) return Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`)
  const number = (from: number, to: number) => {
    let value = 0
    for (let index = from; index < to; index++) value = value * 10 + (text.charCodeAt(index) - zero)
    return value
  }
  const end = text.length - 3
  const digits = Math.min(Math.max(end - 20, 0), 3)
  const milliseconds = number(20, 20 + digits) * 10 ** (3 - digits)
  return Date.UTC(
    number(0, 4),
    number(5, 7) - 1,
    number(8, 10),
    number(11, 13),
    number(14, 16),
    number(17, 19),
    milliseconds,
  )
}
const dash = 0x2d
const zero = 0x30
