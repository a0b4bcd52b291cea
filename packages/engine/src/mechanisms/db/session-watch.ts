import { DatabaseUnavailable } from './availability.ts'

/**
 * Finds out within two seconds that a server does not answer any more. A server that is frozen, or behind a
 * network that drops packets, closes nothing and keeps to no timeout of its own, so it is the client that has
 * to notice. A statement may well take long; what tells is a question on a connection of its own that
 * nothing else uses and that is open before it is needed. Real time, not the World's: nothing here is simulated.
 */
export interface SessionWatch {
  /** Runs from a connection's first statement to its last answer. */
  add(session: WatchedSession): void
  remove(session: WatchedSession): void
  /** Rejects in the moment in which the server is found not to answer; `late` gets what comes afterwards. */
  orAway<T>(waiting: Promise<T>, late: (value: T) => void): Promise<T>
  /** Throws while the server is known not to answer. */
  assertAnswering(): void
  /** Something went wrong that may have to do with the server: find out now. */
  suspect(): void
  close(): void
}

export interface WatchedSession {
  readonly openedAt: number
  /** Since when an answer is outstanding. */
  waitingSince: number | undefined
  /** When it last answered. */
  answeredAt: number
  /** How long one answer may take; undefined: as long as it takes. */
  readonly limitMs: number | undefined
  readonly destroy: (error: Error) => void
}

/** A connection that is asked nothing but whether it answers and takes writes. */
export interface Probe {
  ask(): Promise<void>
  destroy(): void
}

export interface WatchOptions {
  /** Makes a connection and asks for the first time. */
  readonly openProbe: () => Promise<Probe>
  readonly onChange: (isAnswering: boolean) => void
  /** How many times as long as usual nobody may say anything before it is away; 1 when absent. */
  readonly patience?: number
}

const tickMs = 100
/** An answer that takes longer than this makes us ask whether there is anybody. */
const suspectAfterMs = 250
/** So long nobody says anything: then it is away. Together with the above and a tick: below two seconds. */
const probeMs = 1_200
/** Between two questions. */
const probePauseMs = 200

export const monotonicMs = (): number => performance.now()

export function watchSessions({ openProbe, onChange, patience = 1 }: WatchOptions): SessionWatch {
  const sessions = new Set<WatchedSession>()
  const waiters = new Set<{ since: number; reject: (error: Error) => void }>()
  let probe: Probe | undefined
  let isAway = false
  let isClosed = false
  let isAsking = false
  let askedAt = Number.NEGATIVE_INFINITY
  let wasSuspected = false
  /** Counts the probes, so that one that was given up is not taken for the one after it. */
  let opening = 0

  const away = () => new DatabaseUnavailable('AWAY', 'the database does not answer')

  function tick(): void {
    const now = monotonicMs()
    let isSuspect = wasSuspected || isAway || (probe === undefined && sessions.size > 0)
    for (const session of sessions) {
      if (session.waitingSince === undefined) continue
      const quietMs = now - session.waitingSince
      if (quietMs > suspectAfterMs) isSuspect = true
      if (session.limitMs !== undefined && quietMs > session.limitMs) {
        session.destroy(new DatabaseUnavailable('AWAY', `no answer within ${session.limitMs} ms`))
      }
    }
    for (const { since } of waiters) if (now - since > suspectAfterMs) isSuspect = true
    if (isSuspect && !isAsking && now - askedAt >= probePauseMs) void ask(now)
  }

  async function ask(now: number): Promise<void> {
    isAsking = true
    wasSuspected = false
    askedAt = now
    try {
      // Afresh after an outage: what a connection of before says, the others need not find.
      await withinLimit(isAway ? reopen() : (probe?.ask() ?? reopen()), now, probeMs * patience)
      if (isAway && !isClosed) {
        isAway = false
        onChange(true)
      }
    } catch {
      dropProbe()
      if (!isClosed && !hasAnsweredSince(now)) declareAway()
    } finally {
      isAsking = false
    }
  }

  async function reopen(): Promise<void> {
    dropProbe()
    const mine = opening
    const opened = await openProbe()
    // Too late, or nobody needs it any more.
    if (opening !== mine || isClosed) opened.destroy()
    else probe = opened
  }

  function dropProbe(): void {
    opening++
    probe?.destroy()
    probe = undefined
  }

  /** Connections that were made in the meantime may reach what the older ones do not, so they do not count. */
  function hasAnsweredSince(moment: number): boolean {
    for (const { openedAt, answeredAt } of sessions) {
      if (openedAt < moment && answeredAt > moment) return true
    }
    return false
  }

  function declareAway(): void {
    if (!isAway) onChange(false)
    isAway = true
    for (const session of [...sessions]) session.destroy(away())
    for (const { reject } of [...waiters]) reject(away())
  }

  const timer = setInterval(tick, tickMs)
  timer.unref()

  return {
    add: (session) => void sessions.add(session),
    remove: (session) => void sessions.delete(session),
    orAway(waiting, late) {
      return new Promise((resolve, reject) => {
        let isOver = false
        const waiter = {
          since: monotonicMs(),
          reject(error: Error) {
            isOver = true
            waiters.delete(waiter)
            reject(error)
          },
        }
        waiters.add(waiter)
        waiting.then(
          (value) => {
            if (isOver) return late(value)
            waiters.delete(waiter)
            resolve(value)
          },
          (error: Error) => {
            if (!isOver) waiter.reject(error)
          },
        )
      })
    },
    assertAnswering() {
      if (isAway) throw away()
    },
    suspect() {
      wasSuspected = true
    },
    close() {
      isClosed = true
      clearInterval(timer)
      dropProbe()
    },
  }
}

/** A process that was busy itself first reads what has arrived in the meantime. */
function withinLimit(asking: Promise<void>, startedAt: number, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leftMs = Math.max(0, startedAt + limitMs - monotonicMs())
    const timer = setTimeout(() => setImmediate(() => reject(new Error('no answer'))), leftMs)
    timer.unref()
    asking.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
