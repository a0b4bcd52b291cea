import type { Instant, World } from '@corridor/kernel'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { Applier } from '../db/apply.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../jobs/clock.ts'
import { createSignal, type Signal } from '../jobs/signal.ts'
import { createTurns } from '../jobs/turns.ts'
import { sendWebhook, type WebhookSending } from './attempt.ts'
import { decideAfterAttempt, deliveryPolicy } from './delivery-policy.ts'
import { booksWithDueEvents, type ClaimedEvent, claimEvents, releaseEvents } from './store.ts'

/** What the relay takes of an engine. */
export type RelayEngine = WebhookSending & { readonly world: World }

/**
 * Takes events from the outbox to the platforms, at least once each. Every attempt is made here, also
 * those of retries: their jobs are timers that only make the event due again. Books do not wait for each
 * other, and no job ever waits for an endpoint.
 */
export interface Relay {
  /** Starts what is due in every book, without waiting for the answers. */
  poll(engine: RelayEngine): Promise<void>
  /** Delivers until nothing is due anywhere; returns how many attempts were made. */
  runDue(engine: RelayEngine): Promise<number>
  /** The same for one book. */
  runBook(engine: RelayEngine, book: Book): Promise<number>
  /** Starts nothing more and waits for the attempts under way. */
  stop(): Promise<void>
}

/** Longer than an attempt and the recording of its outcome; after it the event is attempted again. */
const leaseMs = deliveryPolicy.timeoutMs * 2
/** Attempts under way at a time in this process, besides one for each book that has none: a bound on sockets. */
const maxUnderWay = 2_000
/** Of one book whose endpoint let the last attempt time out: enough to find out that it answers again. */
const maxWhileHanging = 2
const maxBooksPerPoll = 10_000
/**
 * Claims at a time; the others wait here, each book for its turn, and not for a connection, of which there are
 * few and for which nobody waits long. Books whose endpoint hangs take turns among themselves.
 */
export const claimsAtATime = { ofAnswering: 2, ofHanging: 1 } as const

/** The delivery of one book's events, from the first that is due until none is. */
interface Pump {
  readonly news: Signal
  readonly done: Promise<number>
}

export function createRelay(parts: { database: Database; applier: Applier; clock: Clock }): Relay {
  const { database, applier, clock } = parts
  const pumps = new Map<string, Pump>()
  const underWay = new Set<Promise<void>>()
  /** Books whose endpoint did not answer the last attempt in time. */
  const hanging = new Set<string>()
  const turns = createTurns(claimsAtATime.ofAnswering)
  const turnsOfHanging = createTurns(claimsAtATime.ofHanging)
  let isStopped = false

  function pumpBook(engine: RelayEngine, book: Book): Promise<number> {
    const running = pumps.get(bookKey(book))
    if (running) {
      running.news.notify()
      return running.done
    }
    const news = createSignal()
    const done = run(engine, book, news)
    pumps.set(bookKey(book), { news, done })
    return done
  }

  async function run(engine: RelayEngine, book: Book, news: Signal): Promise<number> {
    let attempted = 0
    let ownUnderWay = 0
    let cursor = ''
    try {
      for (;;) {
        news.take()
        const isHanging = hanging.has(bookKey(book))
        const events = isFull(ownUnderWay, isHanging)
          ? []
          : await (isHanging ? turnsOfHanging : turns).take(() => claim(engine, book, cursor, ownUnderWay))
        for (const event of events) {
          attempted++
          ownUnderWay++
          cursor = event.resourceId
          const delivery = deliver(engine, event).finally(() => {
            ownUnderWay--
            underWay.delete(delivery)
            news.notify()
          })
          underWay.add(delivery)
        }
        if (events.length > 0) continue
        if (ownUnderWay > 0) await news.wait()
        else if (!news.take()) return attempted
      }
    } finally {
      pumps.delete(bookKey(book))
    }
  }

  /** Whether a book has under way all that it may, so that a claim for it would be of no use. */
  function isFull(ownUnderWay: number, isHanging: boolean): boolean {
    return ownUnderWay >= (isHanging ? maxWhileHanging : deliveryPolicy.concurrencyPerBook)
  }

  async function claim(
    engine: RelayEngine,
    book: Book,
    cursor: string,
    ownUnderWay: number,
  ): Promise<readonly ClaimedEvent[]> {
    const left = Math.max(maxUnderWay - underWay.size, ownUnderWay === 0 ? 1 : 0)
    const room = hanging.has(bookKey(book)) ? Math.min(left, maxWhileHanging - ownUnderWay) : left
    if (isStopped || room <= 0) return []
    const now = engine.world.now()
    const leaseUntil = now + leaseMs
    const events = await claimEvents(database, book, { now, leaseUntil, room, cursor })
    if (!isStopped || events.length === 0) return events
    // The stop came while the claim was under way: others need not wait for the lease to run out.
    await releaseEvents(database, book, { ids: events.map(({ id }) => id), now, leaseUntil })
    return []
  }

  async function deliver(engine: RelayEngine, event: ClaimedEvent): Promise<void> {
    const { log } = engine.world
    const fields = { eventId: event.id, platformId: event.platformId, attempt: event.attempts + 1 }
    try {
      const answer = await attempt(engine, event)
      if (answer.ok) hanging.delete(bookKey(event))
      else if (answer.reason === 'timeout') hanging.add(bookKey(event))
      const scope = await clock.scope(event, { id: 'system', permissions: [] })
      const random = randomOf(engine)
      const outcome = await applier.apply(
        scope,
        decideAfterAttempt(event, answer, { now: scope.now, random }),
      )
      // Otherwise another process attempted it too, after a lease ran out, and recorded its outcome first.
      if (outcome.ok) log.debug({ ...fields, outcome: outcome.value }, 'webhook attempted')
    } catch (error) {
      // The lease runs out, and the event is attempted again: at least once.
      const message = error instanceof Error ? error.message : String(error)
      log.error({ ...fields, error: message }, 'the outcome of a webhook could not be recorded')
    }
  }

  return {
    async poll(engine) {
      if (isStopped) return
      for (const book of await dueBooks(engine.world.now())) {
        pumpBook(engine, book).catch((error: Error) => {
          engine.world.log.error({ error: error.message }, 'webhooks of a platform could not be claimed')
        })
      }
    },
    async runDue(engine) {
      let total = 0
      for (;;) {
        const books = await dueBooks(engine.world.now())
        const attempts = await Promise.all(books.map((book) => pumpBook(engine, book)))
        const attempted = attempts.reduce((sum, count) => sum + count, 0)
        if (attempted === 0) return total
        total += attempted
      }
    },
    runBook: (engine, book) => pumpBook(engine, book),
    async stop() {
      isStopped = true
      await Promise.all([...underWay, ...[...pumps.values()].map(({ done }) => done.catch(() => 0))])
    },
  }

  function dueBooks(now: Instant): Promise<Book[]> {
    return booksWithDueEvents(database, now, maxBooksPerPoll)
  }
}

/** An endpoint that was removed in the meantime counts as one that does not answer: it may come back. */
async function attempt(engine: RelayEngine, event: ClaimedEvent): Promise<WebhookAnswer> {
  if (event.endpoint === null) return { ok: false, reason: 'NO_ENDPOINT' }
  return sendWebhook(engine, event, {
    eventId: event.id,
    body: event.body,
    url: event.endpoint,
    attempt: event.attempts + 1,
    timeoutMs: deliveryPolicy.timeoutMs,
  })
}

/** From 0 to 1. */
function randomOf(engine: RelayEngine): number {
  const [high = 0, low = 0] = engine.world.randomBytes(2)
  return (high * 256 + low) / 65_535
}
