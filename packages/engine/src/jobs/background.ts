import { refreshStatistics } from '../db/statistics.ts'
import type { Engine } from '../engine.ts'
import { createIdempotencyStore } from '../http/idempotency.ts'
import type { Signal } from './signal.ts'

/** The work of a process besides its requests. Any number of processes may share one database. */
export interface Background {
  /** Starts nothing more and waits for what is under way. */
  stop(): Promise<void>
}

export interface BackgroundOptions {
  /** How often to look for work that nobody gave notice of: what falls due, and what others left. */
  readonly pollMs?: number
  readonly purgeMs?: number
  readonly statisticsMs?: number
  readonly keysMs?: number
  /** False in a process that only answers requests: it needs to know tables and keys, and does no work. */
  readonly doesWork?: boolean
}

/**
 * Starts the loops of jobs and of events, and now and then removes idempotency keys that have expired. An
 * error is logged and ends no loop: the next round finds the same work again.
 */
export function startBackground(
  engine: Engine,
  {
    pollMs = 1_000,
    purgeMs = 10 * 60_000,
    statisticsMs = 1_000,
    keysMs = 60_000,
    doesWork = true,
  }: BackgroundOptions = {},
): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const idempotency = createIdempotencyStore(engine.database, engine.keys)

  const statistics: Loop = {
    name: 'statistics',
    pauseMs: statisticsMs,
    round: () => refreshStatistics(engine.database),
  }
  const keys: Loop = {
    name: 'keys',
    pauseMs: keysMs,
    round: () => engine.keys.refreshWebhookKeys(),
  }
  const work: Loop[] = [
    {
      name: 'jobs',
      pauseMs: pollMs,
      news: engine.signals.jobs,
      round: () => engine.jobs.runDue(engine, signal),
    },
    {
      name: 'events',
      pauseMs: pollMs,
      news: engine.signals.events,
      round: () => engine.relay.poll(engine),
    },
    {
      name: 'purge',
      pauseMs: purgeMs,
      round: () => idempotency.purge(engine.world.now()),
    },
  ]
  const loops = [statistics, keys, ...(doesWork ? work : [])].map((loop) => startLoop(engine, signal, loop))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([...loops, engine.relay.stop()])
    },
  }
}

interface Loop {
  readonly name: string
  readonly pauseMs: number
  /** Ends a pause early. */
  readonly news?: Signal
  readonly round: () => Promise<unknown>
}

async function startLoop(engine: Engine, signal: AbortSignal, loop: Loop): Promise<void> {
  const { world } = engine
  while (!signal.aborted) {
    loop.news?.take()
    try {
      await loop.round()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      world.log.error({ loop: loop.name, error: message }, 'background work failed')
    }
    await pause(engine, signal, loop)
  }
}

/** Until there is news, the pause is over, or the process stops. */
async function pause(engine: Engine, signal: AbortSignal, { pauseMs, news }: Loop): Promise<void> {
  if (signal.aborted) return
  const over = new AbortController()
  const abort = () => over.abort()
  signal.addEventListener('abort', abort)
  const sleep = engine.world.sleep(pauseMs, over.signal).catch(() => {})
  await Promise.race(news ? [news.wait(), sleep] : [sleep])
  over.abort()
  signal.removeEventListener('abort', abort)
}
