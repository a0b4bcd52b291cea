import type { Socket } from 'node:net'
import { assert } from '@corridor/kernel'
import pg from 'pg'
import { DatabaseUnavailable, isAnswer } from './availability.ts'
import { resetRole } from './claims.ts'
import {
  type Connection,
  type Driver,
  isSqlError,
  keyedLaneSettings,
  type Lane,
  newSession,
  parsers,
  type Statement,
  sessionSettings,
  statement,
} from './driver.ts'
import {
  type ConfirmerConnection,
  createDurability,
  isCutShort,
  openConfirmer,
  type ServerState,
  stateText,
  type WantedDurability,
} from './durability.ts'
import { monotonicMs, type Probe, type WatchedSession, watchSessions } from './session-watch.ts'

export interface PostgresqlOptions {
  readonly url: string
  /** Connections per lane. Writes need few, because one transaction carries many decisions. */
  readonly connections?: Readonly<Record<Lane, number>>
  /**
   * How many times as long as usual everything may take before the server counts as away; 1 when absent. For those to whom it
   * matters more that they are answered than when.
   */
  readonly patience?: number
  /** Absent: as the settings of the server have it. */
  readonly durability?: WantedDurability | undefined
  /** Told when the server is found not to answer, and when it answers again. */
  readonly onChange?: (isAnswering: boolean) => void
}

export const defaultConnections: Readonly<Record<Lane, number>> = {
  read: 8,
  write: 4,
  system: 3,
  maintenance: 1,
}

const connectMs = 1_500
/** How long work waits for a connection before it is too much, and how much may wait. */
const checkOutMs = 5_000
const maxWaiting = 5_000
/** What is not finished by then was nothing a request could wait for. The server ends it, and says so. */
const statementMs = 8_000
/** Locks are held for milliseconds. Whoever holds one for longer is stuck. */
const lockMs = 5_000
/** The same for a server that says nothing: longer, so that one that lives is heard first. */
const answerMs = 10_000
/** A standby confirms within milliseconds. Callers are promised an answer within two seconds. */
const confirmMs = 1_800
/** A transaction that nobody goes on with keeps its locks from everybody. */
const idleInTransactionMs = 15_000
const keepAliveMs = 10_000
const closeMs = 2_000

function laneSettingsFor(patience: number): Readonly<Record<Lane, string>> {
  const bounded = `; set statement_timeout = ${statementMs * patience}; set lock_timeout = ${lockMs * patience}; set idle_in_transaction_session_timeout = ${idleInTransactionMs * patience}`
  return {
    read: `${bounded}; ${keyedLaneSettings}`,
    write: `${bounded}; ${keyedLaneSettings}`,
    system: `${bounded}; ${keyedLaneSettings}`,
    maintenance: '',
  }
}

/**
 * How the server notices a client that is gone without a word, and lets go of its locks. Not every system
 * that a server runs on knows all of it, so each is asked for by itself.
 */
const clientChecks = [
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 15000',
  'set client_connection_check_interval = 5000',
]

/** A server that came back as a replica answers questions and takes nothing: that is not back. */
const probeText =
  "select 1 / (case when current_setting('transaction_read_only') = 'off' then 1 else 0 end) as answer"

/** A PostgreSQL server (15 or later) behind the Driver interface, one small pool per lane. */
export function openPostgresql({
  url,
  connections = defaultConnections,
  patience = 1,
  durability: wanted,
  onChange = () => {},
}: PostgresqlOptions): Driver {
  const laneSettings = laneSettingsFor(patience)
  const sessions = new WeakMap<pg.ClientBase, Connection>()
  const open = new Set<pg.ClientBase>()
  /** The server has said its last word to them, and the stream may not know yet. */
  const failed = new WeakSet<pg.ClientBase>()
  const texts = new Map<string, string>()
  const watch = watchSessions({ openProbe: () => openProbe(url, patience), patience, onChange })
  const durability = createDurability({
    confirmer: openConfirmer({
      connect: () => openConfirmerConnection(url, patience),
      watch,
      isAtWork: (backend) =>
        driver.use('system', async (connection) => {
          const [found] = await connection.query<{ isAtWork: boolean }>(isSessionAtWork, [backend])
          return found!.isAtWork
        }),
    }),
    wanted,
    limitMs: confirmMs * patience,
  })
  const servers = new Map<pg.ClientBase, string>()

  /** Connections to the server of before are cut: what they show may be gone. */
  function learnServer(client: pg.ClientBase, state: ServerState): void {
    servers.set(client, state.server)
    if (!durability.learn(state)) return
    for (const [other, server] of servers) {
      if (server === state.server) continue
      failed.add(other)
      streamOf(other).destroy(new DatabaseUnavailable('AWAY', 'another server has taken over'))
    }
  }

  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: connectMs * patience })
    }
  }

  function openPool(lane: Lane): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      Client,
      max: connections[lane],
      connectionTimeoutMillis: checkOutMs * patience,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: `corridor ${lane}`,
      types: { getTypeParser: ((type: number, format: string) => parserFor(type, format)) as never },
    } as pg.PoolConfig)
    // A connection that breaks while idle is replaced on next use; without a listener it would end the process.
    pool.on('error', () => watch.suspect())
    pool.on('connect', (client) => {
      open.add(client)
      // One that breaks while it is lent fails what is asked of it next, and is not lent again.
      client.on('error', () => {
        failed.add(client)
        watch.suspect()
      })
      const session = watched(client, lane === 'maintenance' ? undefined : answerMs * patience)
      watch.add(session)
      client.on('end', () => {
        open.delete(client)
        servers.delete(client)
        watch.remove(session)
      })
      sessions.set(client, wrap(client, session, texts))
      client.query(sessionSettings + laneSettings[lane]).catch(() => {})
      // Answered before whatever is asked of the connection.
      client.query<ServerState>(stateText).then(
        ({ rows }) => learnServer(client, rows[0]!),
        () => {},
      )
      for (const text of clientChecks) client.query(text).catch(() => {})
    })
    return pool
  }

  const pools: Record<Lane, pg.Pool> = {
    read: openPool('read'),
    write: openPool('write'),
    system: openPool('system'),
    maintenance: openPool('maintenance'),
  }

  async function checkOut(lane: Lane): Promise<pg.PoolClient> {
    watch.assertAnswering()
    const pool = pools[lane]
    if (pool.waitingCount >= maxWaiting)
      throw new DatabaseUnavailable('BUSY', 'too many requests wait for the database')
    try {
      return await watch.orAway(pool.connect(), (late) => late.release())
    } catch (error) {
      throw connectionError(error)
    }
  }

  function connectionError(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
    // The words of the pool for a turn that did not come.
    if (error.message === 'timeout exceeded when trying to connect') {
      return new DatabaseUnavailable('BUSY', 'no connection became free')
    }
    watch.suspect()
    return isAnswer(error) ? error : new DatabaseUnavailable('AWAY', error.message, error)
  }

  const driver: Driver = {
    kind: 'postgresql',
    async use(lane, work) {
      const client = await checkOut(lane)
      let broken: Error | undefined
      try {
        return await work(sessions.get(client)!)
      } catch (error) {
        // Anything but an answer leaves the connection itself in doubt (cut, timed out): do not lend it again.
        if (error instanceof Error && !isAnswer(error)) broken = error
        throw broken && (failed.has(client) || isOfConnection(client, error)) ? unavailable(error) : error
      } finally {
        client.release(broken)
      }
    },
    async ended(connection) {
      const rows = await driver.use('system', async (other) => {
        // As the login, whose sessions they are: the roles may not end them.
        await resetRole(other)
        return other.query<{ isGone: boolean }>(endSession, [backends.get(connection) ?? 0])
      })
      if (rows.some(({ isGone }) => !isGone)) throw new Error('a session that was lost still runs')
    },
    server: durability.server,
    whenDurable: durability.whenDurable,
    confirm: durability.confirm,
    async close() {
      durability.close()
      const ended = Promise.all(Object.values(pools).map((pool) => pool.end()))
      // A server that does not answer takes no leave either.
      const timer = setTimeout(() => {
        for (const client of open) streamOf(client).destroy()
      }, closeMs)
      await ended
      clearTimeout(timer)
      watch.close()
    },
  }
  return driver
}

/** Whether the connection has failed, and not the work that was done on it. */
function isOfConnection(client: pg.ClientBase, error: unknown): boolean {
  return isSqlError(error) || streamOf(client).destroyed || !streamOf(client).writable
}

function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable('AWAY', error instanceof Error ? error.message : String(error), error)
}

async function openProbe(url: string, patience: number): Promise<Probe> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs * patience,
    application_name: 'corridor probe',
  })
  client.on('error', () => {})
  const probe: Probe = {
    ask: async () => void (await client.query(probeText)),
    destroy: () => streamOf(client).destroy(),
  }
  try {
    await client.connect()
    await probe.ask()
    return probe
  } catch (error) {
    probe.destroy()
    throw error
  }
}

async function openConfirmerConnection(url: string, patience: number): Promise<ConfirmerConnection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs * patience,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'corridor durability',
  })
  client.on('error', () => {})
  let wasCutShort = false
  client.on('notice', (notice) => {
    if (isCutShort(notice)) wasCutShort = true
  })
  const session = watched(client, undefined)
  // Of a connection that leads nowhere once it is made, even the first answer never comes.
  const late = setTimeout(() => streamOf(client).destroy(), 2 * connectMs * patience)
  try {
    await client.connect()
    await client.query(sessionSettings)
  } catch (error) {
    streamOf(client).destroy()
    throw unavailable(error)
  } finally {
    clearTimeout(late)
  }
  return {
    session,
    backend: (client as unknown as { readonly processID: number }).processID,
    async ask(text) {
      session.waitingSince = monotonicMs()
      try {
        const { rows } = await client.query<ServerState>(text)
        if (wasCutShort) throw cutShort()
        return rows[0]!
      } catch (error) {
        streamOf(client).destroy()
        throw unavailable(error)
      } finally {
        session.answeredAt = monotonicMs()
        session.waitingSince = undefined
      }
    },
    onEnd: (listener) => void client.on('end', listener),
    destroy: () => void streamOf(client).destroy(),
  }
}

function cutShort(): DatabaseUnavailable {
  return new DatabaseUnavailable('AWAY', 'the wait for the standby was cut short')
}

function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream
}

function watched(client: pg.ClientBase, limitMs: number | undefined): WatchedSession {
  const now = monotonicMs()
  return {
    openedAt: now,
    answeredAt: now,
    waitingSince: undefined,
    limitMs,
    destroy: (error) => void streamOf(client).destroy(error),
  }
}

/** The server's number of the session behind a connection. */
const backends = new WeakMap<Connection, number>()

/** Waits until the session has ended, so that nothing it was still to read is done after that. */
const endSession = statement(
  'postgresql.endSession',
  `select pg_terminate_backend(pid, 5000) as "isGone" from pg_stat_activity
   where pid = $1 and datname = current_database() and application_name like 'corridor %'`,
)

const isSessionAtWork = statement(
  'postgresql.isSessionAtWork',
  `select exists (select from pg_stat_activity where pid = $1 and state is distinct from 'idle') as "isAtWork"`,
)

function wrap(client: pg.PoolClient, session: WatchedSession, texts: Map<string, string>): Connection {
  const stream = streamOf(client)
  let isGathering = false
  let outstanding = 0
  let wasCutShort = false
  // Told before the answer that says that all went well. The connection is not lent again.
  client.on('notice', (notice) => {
    if (!isCutShort(notice)) return
    wasCutShort = true
    stream.destroy(cutShort())
  })
  /** Keeps count of the answers that are still to come. */
  function timed<T>(answer: Promise<T>): Promise<T> {
    if (outstanding++ === 0) session.waitingSince = monotonicMs()
    answer.then(answered, answered)
    return answer
  }
  function answered(): void {
    session.answeredAt = monotonicMs()
    session.waitingSince = --outstanding === 0 ? undefined : session.answeredAt
  }
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
  const connection: Connection = {
    session: newSession(),
    pipelines: true,
    query<R>({ name, text }: Statement, parameters: readonly unknown[] = []) {
      for (const value of parameters) assertSendable(value)
      assertOneText(texts, { name, text })
      gather()
      const answer = client.query({ name, text, values: parameters as unknown[] })
      return timed(answer).then(({ rows }) => {
        if (wasCutShort) throw cutShort()
        return rows as R[]
      })
    },
    async script(text) {
      gather()
      await timed(client.query(text))
      if (wasCutShort) throw cutShort()
    },
  }
  backends.set(connection, (client as unknown as { readonly processID: number }).processID)
  return connection
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

/** By its name a statement is prepared once a connection: another text would never be run. */
function assertOneText(texts: Map<string, string>, { name, text }: Statement): void {
  const known = texts.get(name)
  if (known === undefined) texts.set(name, text)
  else assert(known === text, `statement ${name} has one text`)
}

function parserFor(type: number, format: string) {
  return (format === 'text' ? parsers[type] : undefined) ?? pg.types.getTypeParser(type, format as 'text')
}
