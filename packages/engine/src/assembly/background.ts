import type { Instant } from '@corridor/kernel'
import { forgetOldUsage } from '../access/agents/index.ts'
import { refreshStatistics } from '../mechanisms/db/statistics.ts'
import type { Engine } from '../mechanisms/feature/engine.ts'
import { createIdempotencyStore } from '../mechanisms/http/idempotency.ts'
import type { Attention } from '../mechanisms/jobs/attention.ts'
import type { Signal } from '../mechanisms/jobs/signal.ts'
import { sumUpTotals } from '../mechanisms/lists/totals.ts'
import { forgetOld } from '../mechanisms/retention/retention.ts'
import { logOutsideRequest } from '../mechanisms/unexpected.ts'
import { retention } from './features.ts'

/** The work of a process besides its requests. Any number of processes may share one database. */
export interface Background {
  /** Starts nothing more and waits for what is under way; with `breaksOff` for no endpoint that hangs. */
  stop(options?: { readonly breaksOff?: boolean }): Promise<void>
}

export interface BackgroundOptions {
  /** How often to look for work that nobody gave notice of: what falls due, and what others left. */
  readonly pollMs?: number
  readonly purgeMs?: number
  readonly retentionMs?: number
  readonly statisticsMs?: number
  readonly keysMs?: number
  readonly refusalsMs?: number
  readonly requestsMs?: number
  /** False in a process that only answers requests: it needs to know tables and keys, and does no work. */
  readonly doesWork?: boolean
  /** False where somebody else has written down what was asked and refused by the time that it is read. */
  readonly writesDown?: boolean
  /**
   * Whether anybody asks: while nobody does, each look comes later than it would, but for what falls due. Only where no other
   * process would leave work. Absent: as if somebody always did.
   */
  readonly attention?: Attention
}

/**
 * Starts the loops of jobs and of events, and now and then removes what nobody needs any more: answers under
 * idempotency keys, failed logins, what agents used in months that are over, and what its setting keeps no longer. An
 * error is logged and ends no loop: the next round finds the same work again. That the database is being copied is no error.
 */
export function startBackground(
  engine: Engine,
  {
    pollMs = 1_000,
    purgeMs = 10 * 60_000,
    retentionMs = 10 * 60_000,
    statisticsMs = 1_000,
    keysMs = 60_000,
    refusalsMs = 60_000,
    requestsMs = 1_000,
    doesWork = true,
    writesDown = true,
    attention,
  }: BackgroundOptions = {},
): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  /** What runs keeps its lease until it has run. */
  const ending = new AbortController()
  const idempotency = createIdempotencyStore(engine.database, engine.keys)

  const statistics: Loop = {
    name: 'statistics',
    pauseMs: statisticsMs,
    async round() {
      await refreshStatistics(engine.database)
      await sumUpTotals(engine.database)
      return undefined
    },
  }
  const keys: Loop = {
    name: 'keys',
    pauseMs: keysMs,
    async round() {
      await engine.keys.refreshKeyring()
      return engine.keys.refreshWebhookKeys().then(nothing)
    },
  }
  /** In every process, because a request may own jobs too. Three times per lease, so that one failure is survived. */
  const leases: Loop = {
    name: 'leases',
    pauseMs: Math.floor(engine.settings.jobLeaseMs / 3),
    round: () => engine.jobs.extendLeases(engine).then(nothing),
  }
  /** In every process: who was refused here. */
  const refusals: Loop = {
    name: 'refusals',
    pauseMs: refusalsMs,
    round: () => engine.auditLog.flush().then(nothing),
  }
  /** In every process: what was asked here. */
  const requests: Loop = {
    name: 'request log',
    pauseMs: requestsMs,
    round: () => engine.requestLog.flush().then(nothing),
  }
  const work: Loop[] = [
    {
      name: 'audit log',
      pauseMs: pollMs,
      round: () => engine.auditLog.chain().then(nothing),
    },
    {
      name: 'jobs',
      pauseMs: pollMs,
      news: engine.signals.jobs,
      // What falls due before the next look is not left waiting for it (accounts 12.1).
      round: async () => {
        const before = engine.world.now()
        await engine.jobs.startDue(engine, signal)
        return engine.signals.jobs.isSet ? undefined : engine.jobs.nextDueAt(before)
      },
    },
    {
      name: 'events',
      pauseMs: pollMs,
      news: engine.signals.events,
      round: () => engine.relay.poll(engine).then(nothing),
    },
    {
      name: 'purge',
      pauseMs: purgeMs,
      async round() {
        const now = engine.world.now()
        await idempotency.purge(now)
        await forgetOldUsage(engine.database, now)
        const { auditLogDays } = engine.settings
        if (auditLogDays) await engine.auditLog.forget(now - auditLogDays * dayMs)
        return undefined
      },
    },
    {
      name: 'retention',
      pauseMs: retentionMs,
      round: () =>
        forgetOld(engine.database, retention, engine.settings.retention ?? {}, engine.world.now()).then(
          nothing,
        ),
    },
  ]
  const running = [statistics, keys, ...(writesDown ? [refusals, requests] : []), ...(doesWork ? work : [])]
  const loops = running.map((loop) => startLoop(engine, signal, loop, attention))
  const keeping = startLoop(engine, ending.signal, leases)
  return {
    async stop(options) {
      stopping.abort()
      await Promise.all([...loops, engine.relay.stop(options), engine.jobs.finish()])
      ending.abort()
      await keeping
      for (const log of [engine.auditLog, engine.requestLog]) {
        // Lost with this process, as if it had been killed: the database is away.
        await log.flush().catch((error: Error) => {
          logOutsideRequest(engine.world.log, 'last flush of a log', error)
        })
      }
    },
  }
}

const dayMs = 24 * 60 * 60_000
/** Between two looks while nobody asks. */
const restMs = 15_000

interface Loop {
  readonly name: string
  readonly pauseMs: number
  /** Ends a pause early. */
  readonly news?: Signal
  /** Resolves with the time at which the next round is due, if that is known and may be before the pause is over. */
  readonly round: () => Promise<Instant | undefined>
}

const nothing = () => undefined

async function startLoop(
  engine: Engine,
  signal: AbortSignal,
  loop: Loop,
  attention?: Attention,
): Promise<void> {
  const { world } = engine
  while (!signal.aborted) {
    loop.news?.take()
    let dueAt: Instant | undefined
    let isDone = false
    try {
      dueAt = await loop.round()
      isDone = true
    } catch (error) {
      logOutsideRequest(world.log, loop.name, error)
    }
    // Somebody may have asked meanwhile; and who knows what is due where a round failed.
    const rests = isDone && attention && !attention.isPaid() ? attention : undefined
    const longestMs = rests ? Math.max(loop.pauseMs, restMs) : loop.pauseMs
    const pauseMs = dueAt === undefined ? longestMs : Math.max(0, Math.min(longestMs, dueAt - world.now()))
    await pause(engine, signal, pauseMs, [loop.news, rests])
  }
}

/** Until there is news, the pause is over, or the process stops. */
async function pause(
  engine: Engine,
  signal: AbortSignal,
  pauseMs: number,
  news: readonly ({ wait(over: AbortSignal): Promise<void> } | undefined)[],
): Promise<void> {
  if (signal.aborted) return
  const over = new AbortController()
  const abort = () => over.abort()
  signal.addEventListener('abort', abort)
  const sleep = engine.world.sleep(pauseMs, over.signal).catch(() => {})
  await Promise.race([sleep, ...news.flatMap((one) => (one ? [one.wait(over.signal)] : []))])
  over.abort()
  signal.removeEventListener('abort', abort)
}
