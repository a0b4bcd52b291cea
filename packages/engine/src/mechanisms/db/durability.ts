import { DatabaseUnavailable } from './availability.ts'
import type { WatchedSession } from './session-watch.ts'

/**
 * Durability that an installation asks of its database: a commit survives a crash of the server (`disk`), or the loss of the
 * server (`standby`).
 */
export type WantedDurability = 'disk' | 'standby'

/** A server as it runs now, with its settings for commits. */
export interface ServerState {
  /** Start time of the server. A server that takes over has another one. */
  readonly server: string
  readonly standbyNames: string
  readonly synchronousCommit: string
}

/**
 * Makes sure that a visible row is also a durable one (ADR 47). PostgreSQL shows a commit only once its standby has confirmed
 * it, with two exceptions: a wait that was cut short by the end of its session, and a server that has recovered from a crash.
 * A later commit that waits in the ordinary way confirms all the log before it, and so every row that was visible then.
 */
export interface Durability {
  /** Name of the server that serves now. Whoever reads takes it before the first read. */
  server(): string
  /** Notes what a new connection found. Returns whether another server has taken over. */
  learn(state: ServerState): boolean
  /** Undefined where commits wait for no standby. */
  whenDurable(since: string): Promise<void> | undefined
  confirm(since: string): Promise<void>
  close(): void
}

/** Of an engine: what hands money and messages to the outside world, for work that has read from one server. */
export interface ToldOutside {
  readonly database: { server(): string }
  /** Absent where there is nothing to confirm. */
  readonly adaptersSince?: ((server: string) => object) | undefined
}

const roots = new WeakMap<ToldOutside, ToldOutside>()
const begun = new WeakMap<ToldOutside, { readonly server: string; readonly engine: ToldOutside }>()

/**
 * The same engine for work that starts now, before its first read. If another server takes over meanwhile, this engine calls
 * no third party any more: the rows that the work has read may be gone.
 */
export function engineFromNow<E extends ToldOutside>(engine: E): E {
  const root = roots.get(engine) ?? engine
  if (!root.adaptersSince) return engine
  const server = root.database.server()
  const known = begun.get(root)
  // One object for each server: reads are shared among work that has the same engine.
  if (known?.server === server) return known.engine as E
  const mine = Object.create(root, { adapters: { value: root.adaptersSince(server), enumerable: true } })
  roots.set(mine, root)
  begun.set(root, { server, engine: mine })
  return mine
}

/** A connection that serves confirmations alone: a frozen standby holds up one session, however many wait. */
export interface Confirmer {
  /** Commits, and resolves once the commit is as durable as the server makes it. */
  commit(): Promise<ServerState>
  look(): Promise<ServerState>
  close(): void
}

/**
 * How long Corridor relies on commits waiting for no standby. Shorter than Corridor itself waits for a commit before it ends the
 * session, because that makes the commit visible.
 */
const knownForMs = 1_000

/** The last known settings of a server. */
interface Known {
  readonly server: string
  readonly waitsForStandby: boolean
  /** When the server was asked. */
  readonly at: number
}

export function createDurability(parts: {
  readonly confirmer: Confirmer
  readonly wanted: WantedDurability | undefined
  /** How long a confirmation may take before the caller gets an error. */
  readonly limitMs: number
  readonly knownForMs?: number
}): Durability {
  const { confirmer, wanted, limitMs } = parts
  const trustedForMs = parts.knownForMs ?? knownForMs
  let current = ''
  let known: Known | undefined
  /** Servers whose commits waited for a standby, or may have, so that rows that they showed may be lost with them. */
  const replicated = new Set<string>()
  let looking: Promise<ServerState> | undefined
  let running: Promise<ServerState> | undefined
  let next: Promise<ServerState> | undefined

  function isFresh(): boolean {
    return known !== undefined && performance.now() - known.at <= trustedForMs
  }

  function learn(state: ServerState): boolean {
    const isOther = current !== '' && current !== state.server
    // Its settings may have changed since it was seen last.
    if (isOther && !(known?.server === current && isFresh())) replicated.add(current)
    current = state.server
    learnSettings(state, performance.now())
    return isOther
  }

  function learnSettings(state: ServerState, at: number): void {
    if (known && known.at > at) return
    const waitsForStandby = isReplicated(state)
    known = { server: state.server, waitsForStandby, at }
    if (waitsForStandby) replicated.add(state.server)
  }

  /** Learns the settings that an answer brings. */
  async function learning(ask: () => Promise<ServerState>): Promise<ServerState> {
    const at = performance.now()
    const state = await ask()
    learnSettings(state, at)
    return state
  }

  function begin(): Promise<ServerState> {
    const mine = learning(() => confirmer.commit())
    running = mine
    next = undefined
    const over = () => {
      if (running === mine) running = undefined
    }
    mine.then(over, over)
    return mine
  }

  /** A commit that has not been sent yet: one that is under way says nothing of what became visible after it began. */
  function shared(): Promise<ServerState> {
    if (!running) return begin()
    next ??= running.then(begin, begin)
    return next
  }

  async function confirm(since: string): Promise<void> {
    requireSame(await within(shared(), limitMs), since)
  }

  /** Where the settings are not known any more. They cannot be read behind a commit that waits for a standby. */
  async function lookFirst(since: string): Promise<void> {
    looking ??= learning(() => confirmer.look()).finally(() => {
      looking = undefined
    })
    requireSame(await within(looking, limitMs), since)
    if (known?.waitsForStandby) await confirm(since)
  }

  return {
    server: () => current,
    learn,
    whenDurable(since) {
      if (wanted === 'disk') return undefined
      if (wanted === 'standby' || (since !== current && replicated.has(since))) return confirm(since)
      if (known?.waitsForStandby) return confirm(since)
      const isOfCurrent = since !== '' && since === current
      return isOfCurrent && !(known?.server === since && isFresh()) ? lookFirst(since) : undefined
    },
    confirm,
    close: () => confirmer.close(),
  }
}

/** Rows that were read on the previous server may be missing on the new one. */
function requireSame({ server }: ServerState, since: string): void {
  if (server !== since) throw new DatabaseUnavailable('AWAY', 'another server has taken over meanwhile')
}

/** Whether commits wait until a standby has them on its disk. */
export function isReplicated({ standbyNames, synchronousCommit }: ServerState): boolean {
  return standbyNames.trim() !== '' && ['on', 'remote_apply'].includes(synchronousCommit)
}

function within<T>(confirmation: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new DatabaseUnavailable('AWAY', `no standby has confirmed the log within ${limitMs} ms`))
    // A process that was busy itself first reads what has arrived in the meantime.
    const timer = setTimeout(() => setImmediate(late), limitMs)
    confirmation.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * PostgreSQL says so when the end or the cancellation of a session cuts the wait for the standby short: the commit is
 * visible then, and may be lost with the server.
 */
export function isCutShort(notice: { readonly routine?: string | undefined }): boolean {
  return notice.routine === 'SyncRepWaitForLSN'
}

const state = `extract(epoch from pg_postmaster_start_time())::text as server,
  current_setting('synchronous_standby_names') as "standbyNames", current_setting('synchronous_commit') as "synchronousCommit"`
export const stateText = `select ${state}`
/** A record in the log that changes nothing. Without one PostgreSQL would not wait for the commit. */
export const confirmText = `select pg_logical_emit_message(true, 'corridor', ''), ${state}`

/**
 * After this long without an answer, Corridor asks whether the server still works on it. A frozen standby holds the server up, and a
 * second session would hang too. A connection that a firewall has forgotten leads nowhere, and would do so for ever.
 */
const silentForMs = 2_000

/** Opens its connection when it is needed first, and again after it broke. */
export function openConfirmer(parts: {
  readonly connect: () => Promise<ConfirmerConnection>
  readonly watch: { add(session: WatchedSession): void; remove(session: WatchedSession): void }
  /** Whether the server works for the session with this number. Asked on another connection. */
  readonly isAtWork: (backend: number) => Promise<boolean>
  readonly silentMs?: number
}): Confirmer {
  const { silentMs = silentForMs } = parts
  let opened: Promise<ConfirmerConnection> | undefined
  let isClosed = false

  function connection(): Promise<ConfirmerConnection> {
    if (isClosed) return Promise.reject(new DatabaseUnavailable('AWAY', 'the database is closed'))
    if (opened) return opened
    const mine = parts.connect()
    opened = mine
    const forget = () => {
      if (opened === mine) opened = undefined
    }
    mine.then((made) => {
      parts.watch.add(made.session)
      made.onEnd(() => {
        parts.watch.remove(made.session)
        forget()
      })
      if (isClosed) made.destroy()
    }, forget)
    return mine
  }

  async function ask(text: string): Promise<ServerState> {
    const made = await connection()
    let isOver = false
    const silence = setInterval(() => {
      // Where the server cannot be asked either, the watch of the sessions finds out.
      const atWork = parts.isAtWork(made.backend).catch(() => true)
      void atWork.then((isAtWork) => isAtWork || isOver || made.destroy())
    }, silentMs)
    silence.unref()
    try {
      return await made.ask(text)
    } finally {
      isOver = true
      clearInterval(silence)
    }
  }

  return {
    commit: () => ask(confirmText),
    look: () => ask(stateText),
    close() {
      isClosed = true
      opened?.then(
        (made) => made.destroy(),
        () => {},
      )
    },
  }
}

export interface ConfirmerConnection {
  readonly session: WatchedSession
  /** The server's number of the session. */
  readonly backend: number
  ask(text: string): Promise<ServerState>
  onEnd(listener: () => void): void
  destroy(): void
}
