import { assert, type ExchangeTimes, type Instant, ok, type World } from '@corridor/kernel'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import type { Decision, Question } from '../../vocabulary/decision.ts'
import { type Book, bookKey, bookOf, type SilentScope } from '../../vocabulary/scope.ts'
import { type Applier, commit } from '../db/apply.ts'
import type { Database } from '../db/database.ts'
import { engineFromNow, type ToldOutside } from '../db/durability.ts'
import type { ClaimedJob } from '../jobs/claims.ts'
import type { Clock } from '../jobs/clock.ts'
import { forAll } from '../jobs/one-by-one.ts'
import { createSignal, type Signal } from '../jobs/signal.ts'
import type { NotBegun, TimedJob } from '../jobs/together.ts'
import { createTurns } from '../jobs/turns.ts'
import { logOutsideRequest } from '../unexpected.ts'
import { type Signed, sendWebhook, signWebhook, type WebhookSending } from './attempt.ts'
import {
  decideAfterAttempt,
  decideHold,
  deliveryPolicy,
  isDeciding,
  nothingLeft,
  type RetryPayload,
} from './delivery-policy.ts'
import { answerKeeping } from './kept-answers.ts'
import { createRecorder } from './outcomes.ts'
import { isErased, openBody } from './sealed-bodies.ts'
import {
  booksWithDueEvents,
  type ClaimedEvent,
  claimEvents,
  type DueBook,
  loadRetries,
  loadUndelivered,
  releaseEvents,
} from './store.ts'

/** What the relay takes of an engine. */
export type RelayEngine = WebhookSending & ToldOutside & { readonly world: World }

/** Takes the answer to an event that asks something (webhooks 3.4). */
export interface AnswerHandler<E, P = never> {
  readonly kind: string
  /**
   * Whether the answer is still awaited. Asked before the event is sent: after a crash in between nobody knows
   * whether it was, and what is sent once is not sent again.
   */
  readonly isAwaited: (engine: E, scope: SilentScope, payload: P) => Promise<boolean>
  /** What the answer comes to; committed together with the outcome of the attempt. */
  readonly decide: (
    engine: E,
    scope: SilentScope,
    payload: P,
    answer: WebhookAnswer,
  ) => Promise<Omit<Decision, 'result'>>
}

/**
 * Takes events from the outbox to the platforms, at least once each. Every attempt is made here, also
 * those of retries: their jobs are timers that only make the event due again. Books do not wait for each
 * other, and no job ever waits for an endpoint.
 */
export interface Relay<E = RelayEngine> {
  /** Starts what is due in every book, without waiting for the answers. */
  poll(engine: E): Promise<void>
  /** Delivers until nothing is due anywhere; returns how many attempts were made. */
  runDue(engine: E): Promise<number>
  /** The same for one book, also where it has under way all that it may if something was asked. */
  runBook(engine: E, book: Book, asks?: boolean): Promise<number>
  /**
   * An attempt that a listener made: its outcome is that of the event, unless another was recorded first. To an event
   * that asks something only an answer that decides counts, and only while it is awaited.
   */
  record(
    engine: E,
    book: Book,
    attempt: {
      readonly eventId: string
      readonly answer: WebhookAnswer
      readonly via: string
      readonly milliseconds: number
    },
  ): Promise<void>
  /**
   * Attempts what the timers of retries lead to, each when the one before it was answered, while the clock of their book
   * is moved: in the order in which they are given, each at its own time. Its timer is removed with its outcome.
   */
  retryInOrder(engine: E, book: Book, timers: readonly TimedJob[]): Promise<NotBegun>
  /**
   * Starts nothing more and waits for the attempts under way; with `breaksOff` only for those that ask something, which have
   * seconds: of the others nothing is recorded but that their leases have ended, and whoever serves the database next makes them again.
   */
  stop(options?: { readonly breaksOff?: boolean }): Promise<void>
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

/** Retries in order begin no more after this long: an endpoint that is slow holds up the clock, but not the leases. */
const inOrderMs = 2_000

/** The delivery of one book's events, from the first that is due until none is. */
interface Pump {
  readonly news: Signal
  /** Whether something waits that asks for an answer. */
  asks: boolean
  done: Promise<number>
}

export function createRelay<E extends RelayEngine>(parts: {
  database: Database
  applier: Applier
  clock: Clock
  /** Who takes answers; nobody when absent. */
  answerHandlers?: readonly AnswerHandler<E>[]
  /** Events for these wait until another endpoint is configured. */
  heldEndpoints?: readonly string[]
}): Relay<E> {
  const { database, applier, clock, answerHandlers = [], heldEndpoints = [] } = parts
  const pumps = new Map<string, Pump>()
  const underWay = new Set<Promise<void>>()
  /** Books whose endpoint did not answer the last attempt in time. */
  const hanging = new Set<string>()
  const turns = createTurns(claimsAtATime.ofAnswering)
  const recorder = createRecorder(database)
  const turnsOfHanging = createTurns(claimsAtATime.ofHanging)
  const stopping = new AbortController()
  /** Of the attempts under way that may be broken off. */
  const breakers = new Set<AbortController>()
  let isStopped = false
  let isBroken = false

  function pumpBook(engine: E, book: Book, asks: boolean): Promise<number> {
    const running = pumps.get(bookKey(book))
    if (running) {
      running.asks ||= asks
      running.news.notify()
      return running.done
    }
    const pump = { news: createSignal(), asks, done: Promise.resolve(0) }
    pumps.set(bookKey(book), pump)
    pump.done = run(engine, book, pump)
    return pump.done
  }

  async function run(engine: E, book: Book, pump: Pump): Promise<number> {
    const { news } = pump
    let attempted = 0
    let ownUnderWay = 0
    let askedUnderWay = 0
    let cursor = ''
    try {
      for (;;) {
        news.take()
        const mine = engineFromNow(engine)
        const isHanging = hanging.has(bookKey(book))
        // Questions do not wait for what hangs (webhooks 3.4), nor for a claim of somebody whose endpoint does.
        const { asks } = pump
        pump.asks = false
        const events =
          isFull(ownUnderWay, isHanging) && !asks
            ? []
            : await (isHanging && !asks ? turnsOfHanging : turns).take(() =>
                claim(mine, book, { cursor, ownUnderWay, asks }),
              )
        for (const event of events) {
          attempted++
          const places = event.question ? 0 : 1
          ownUnderWay += places
          askedUnderWay += 1 - places
          if (places > 0) cursor = event.resourceId
          const delivery = delivering(mine, event).finally(() => {
            ownUnderWay -= places
            askedUnderWay -= 1 - places
            underWay.delete(delivery)
            news.notify()
          })
          underWay.add(delivery)
          // Otherwise what several of them count together would depend on which is faster.
          if (engine.world.within) await delivery
        }
        if (events.length > 0) continue
        if (ownUnderWay + askedUnderWay > 0) await news.wait()
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
    engine: E,
    book: Book,
    { cursor, ownUnderWay, asks }: { cursor: string; ownUnderWay: number; asks: boolean },
  ): Promise<readonly LeasedEvent[]> {
    const left = Math.max(maxUnderWay - underWay.size, ownUnderWay === 0 ? 1 : 0)
    const room = hanging.has(bookKey(book)) ? Math.min(left, maxWhileHanging - ownUnderWay) : left
    if (isStopped || (room <= 0 && !asks)) return []
    const now = engine.world.now()
    const leaseUntil = now + leaseMs
    const events = await claimEvents(database, book, {
      now,
      leaseUntil,
      room: Math.max(room, 0),
      cursor,
      heldEndpoints,
    })
    if (!isStopped || events.length === 0) return events.map((event) => ({ ...event, leaseUntil }))
    // The stop came while the claim was under way: others need not wait for the lease to run out.
    await releaseEvents(database, book, { ids: events.map(({ id }) => id), now, leaseUntil })
    return []
  }

  function delivering(engine: E, event: LeasedEvent): Promise<void> {
    return inTurn(engine, event, () => deliver(engine, event))
  }

  async function deliver(engine: E, event: LeasedEvent): Promise<void> {
    const { log } = engine.world
    const fields = fieldsOf(event)
    try {
      if (await isDelayed(engine, event)) return log.debug(fields, 'webhook delayed by the sandbox')
      const asker = event.question && handlerOf(event.question)
      const startedAt = engine.world.now()
      const made = asker ? await ask(engine, event, asker) : await breakable(engine, event)
      // Stopped while a listener was waited for, or broken off: whoever serves then attempts it, and need not wait for the lease.
      if (!made) {
        const { id, leaseUntil } = event
        return await releaseEvents(database, event, { ids: [id], now: engine.world.now(), leaseUntil })
      }
      const { answer } = made
      noteHanging(event, answer)
      const scope = await clock.scope(event, actor)
      const after = decideAfterAttempt(
        event,
        answer,
        judging(engine, event, made, { now: scope.now, startedAt }),
      )
      if (!asker && (await isRecorded(event, scope.now, after))) {
        return log.debug({ ...fields, outcome: 'DELIVERED' }, 'webhook attempted')
      }
      const outcome = await finish(engine, scope, after, { answer, asker })
      // Otherwise another process attempted it too, after a lease ran out, and recorded its outcome first.
      if (outcome.ok) log.debug({ ...fields, outcome: outcome.value }, 'webhook attempted')
    } catch (error) {
      logUnrecorded(engine, event, error)
    }
  }

  /**
   * An attempt for which nobody waits any more once it is broken off, whatever becomes of its connection: undefined then, and
   * nothing is recorded, as if the process had been killed.
   */
  async function breakable(engine: E, event: ClaimedEvent): Promise<Attempted | undefined> {
    if (isBroken) return undefined
    const breaking = new AbortController()
    const broken = new Promise<undefined>((resolve) => {
      breaking.signal.addEventListener('abort', () => resolve(undefined))
    })
    breakers.add(breaking)
    try {
      return await Promise.race([broken, attempt(engine, event, { signal: breaking.signal })])
    } finally {
      breakers.delete(breaking)
    }
  }

  function noteHanging(book: Book, answer: WebhookAnswer): void {
    if (answer.ok) hanging.delete(bookKey(book))
    else if (answer.reason === 'timeout') hanging.add(bookKey(book))
  }

  async function retryInOrder(engine: E, book: Book, timers: readonly TimedJob[]): Promise<NotBegun> {
    const { world } = engine
    const wanted = timers.map(({ job }) => job.payload as RetryPayload)
    const events = await loadRetries(database, book, wanted, { now: world.now(), heldEndpoints })
    const alone: TimedJob[] = []
    const left: ClaimedJob[] = []
    const recording: Promise<void>[] = []
    let record = () => {}
    // Together, once all were answered: what is written at once costs a transaction, and one by one as many as there are.
    const isOver = new Promise<void>((resolve) => {
      record = resolve
    })
    const startedAt = world.now()
    for (const timer of timers) {
      const event = events.get((timer.job.payload as RetryPayload).eventId)
      if (!event) alone.push(timer)
      else if (isStopped || world.now() - startedAt > inOrderMs) left.push(timer.job)
      else {
        const made = inTurn(engine, event, () => retry(engine, timer, event, isOver))
        // What one comes to must not keep back what the others have come to.
        const { recorded } = await made.catch((error: unknown) => {
          logUnrecorded(engine, event, error)
          return { recorded: Promise.resolve() }
        })
        recording.push(recorded)
      }
    }
    record()
    await Promise.all(recording)
    return { alone, left }
  }

  /** Resolves when it was answered; its outcome is recorded once all of them were. */
  async function retry(
    engine: E,
    { job, at }: TimedJob,
    event: ClaimedEvent,
    isOver: Promise<void>,
  ): Promise<Recording> {
    const startedAt = engine.world.now()
    const made = await breakable(engine, event)
    if (!made) return { recorded: Promise.resolve() }
    noteHanging(event, made.answer)
    const after = decideAfterAttempt(event, made.answer, judging(engine, event, made, { now: at, startedAt }))
    const { platformId, environment } = event
    const scope: SilentScope = { platformId, environment, actor, now: at }
    // Where another process was faster, its outcome counts, and the timer finds nothing to do when its lease ends.
    const record = () => commit(applier, scope, async () => ok({ ...after, completes: [job] }))
    const recorded = isOver.then(record).then(
      (outcome) => {
        if (outcome.ok)
          engine.world.log.debug({ ...fieldsOf(event), outcome: outcome.value }, 'webhook attempted')
      },
      (error: unknown) => logUnrecorded(engine, event, error),
    )
    return { recorded }
  }

  /** Whether the first attempt of an event is due only later. An event that asks something has no time for that. */
  async function isDelayed(engine: E, event: ClaimedEvent): Promise<boolean> {
    const { status, question, endpoint } = event
    if (status !== 'QUEUED' || question || endpoint === null || isErased(event)) return false
    const context = { scope: bookOf(event), id: event.id }
    const body = () => openBody(engine.keys, event, event)
    const until = await engine.adapters[event.environment].webhooks.firstAttemptAt?.({ context, body })
    if (until === undefined) return false
    const scope = await clock.scope(event, actor)
    // Refused where another process was faster, after a lease ran out.
    await commit(applier, scope, async () => ok(decideHold(event, until)))
    return true
  }

  /** The outcome of an attempt, and what it decides, in one transaction. */
  function finish<T>(
    engine: E,
    scope: SilentScope,
    after: Decision<T>,
    { answer, asker }: { answer: WebhookAnswer; asker: Asker<E> | null },
  ) {
    return commit(applier, scope, async () =>
      ok(asker ? withEffect(after, await asker.decide(engine, scope, asker.payload, answer)) : after),
    )
  }

  /** A delivery is recorded with others in one statement; whatever else an attempt comes to takes a decision. */
  async function isRecorded(
    event: ClaimedEvent,
    at: Instant,
    { updates = [], statements = [] }: Decision,
  ): Promise<boolean> {
    const [update] = updates
    if (update?.set.status !== 'DELIVERED') return false
    // What keeps one back must not keep back the others: each is tried by itself then.
    const { id, version } = event
    return recorder.record(event, { id, version, at, set: update.set, keeping: statements }).then(
      () => true,
      () => false,
    )
  }

  function handlerOf({ kind, payload }: Question): Asker<E> {
    const handler = answerHandlers.find((known) => known.kind === kind)
    assert(handler, `somebody takes the answers to ${kind}`)
    return { ...handler, payload: payload as never }
  }

  async function ask(engine: E, event: ClaimedEvent, asker: Asker<E>): Promise<Attempted | undefined> {
    const scope = await clock.scope(event, actor)
    const isAwaited = await asker.isAwaited(engine, scope, asker.payload)
    if (!isAwaited) return { answer: { ok: false, reason: 'NOT_AWAITED' } }
    if (!event.isListenedTo) return attempt(engine, event, { timeoutMs: deliveryPolicy.answerTimeoutMs })
    // A listener takes it from the outbox; what it reports meanwhile comes first (`record`).
    await engine.world.sleep(deliveryPolicy.answerTimeoutMs, stopping.signal)
    return isStopped ? undefined : { answer: { ok: false, reason: 'NO_ANSWER' } }
  }

  return {
    async poll(engine) {
      if (isStopped) return
      for (const book of await dueBooks(engine.world.now())) {
        pumpBook(engine, book, book.asks).catch((error: Error) => {
          logOutsideRequest(engine.world.log, 'claim of webhooks', error)
        })
      }
    },
    async runDue(engine) {
      let total = 0
      for (;;) {
        const books = await dueBooks(engine.world.now())
        const attempts = await forAll(engine.world, books, (book) => pumpBook(engine, book, book.asks))
        const attempted = attempts.reduce((sum, count) => sum + count, 0)
        if (attempted === 0) return total
        total += attempted
      }
    },
    runBook: (engine, book, asks = false) => pumpBook(engine, book, asks),
    async record(engine, book, { eventId, answer, ...made }) {
      const event = await loadUndelivered(database, book, eventId)
      if (!event) return
      const asker = event.question && handlerOf(event.question)
      const scope = await clock.scope(book, actor)
      const counts = isDeciding(answer) && (await asker?.isAwaited(engine, scope, asker.payload))
      if (asker && !counts) return
      const judged = { now: scope.now, random: randomOf(engine), ...made }
      const after = decideAfterAttempt(event, answer, judged)
      await finish(engine, scope, after, { answer, asker })
    },
    retryInOrder(engine, book, timers) {
      const retrying = retryInOrder(engineFromNow(engine), book, timers)
      const ended = retrying
        .then(
          () => {},
          () => {},
        )
        .finally(() => underWay.delete(ended))
      underWay.add(ended)
      return retrying
    },
    async stop({ breaksOff = false } = {}) {
      isStopped = true
      stopping.abort()
      isBroken ||= breaksOff
      if (breaksOff) for (const breaking of breakers) breaking.abort()
      await Promise.all([...underWay, ...[...pumps.values()].map(({ done }) => done.catch(() => 0))])
    },
  }

  function dueBooks(now: Instant): Promise<DueBook[]> {
    return booksWithDueEvents(database, now, maxBooksPerPoll)
  }
}

/** An event that is this relay's until then. */
interface LeasedEvent extends ClaimedEvent {
  readonly leaseUntil: Instant
}

interface Attempted {
  readonly answer: WebhookAnswer
  readonly signed?: Signed
  readonly times?: ExchangeTimes | undefined
}

/**
 * An endpoint that was removed in the meantime counts as one that does not answer: it may come back. A retry has the
 * signature of the attempt before it; that of an attempt whose outcome nobody recorded is made anew.
 */
async function attempt(
  engine: RelayEngine,
  event: ClaimedEvent,
  {
    timeoutMs = deliveryPolicy.timeoutMs,
    signal,
  }: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Attempted> {
  const { id: eventId, endpoint: url, attempts, attemptLog } = event
  if (url === null) return { answer: { ok: false, reason: 'NO_ENDPOINT' } }
  // Written by a process that had not heard of the erasure yet.
  if (isErased(event)) return { answer: { ok: false, reason: nothingLeft } }
  const body = openBody(engine.keys, event, event)
  const signed = attemptLog?.at(-1)?.signed ?? (await signWebhook(engine, event, body))
  let times: ExchangeTimes | undefined
  const answer = await sendWebhook(engine, event, {
    eventId,
    body,
    url,
    attempt: attempts + 1,
    timeoutMs,
    signed,
    signal,
    onMeasured: (measured) => {
      times = measured
    },
  })
  return { answer, signed, times }
}

/** What is kept of an attempt with its outcome. */
function judging(
  engine: RelayEngine,
  event: ClaimedEvent,
  { signed, times }: Attempted,
  { now, startedAt }: { readonly now: Instant; readonly startedAt: Instant },
) {
  const milliseconds = Math.max(0, engine.world.now() - startedAt)
  // Where nobody is shown what an endpoint answered it is not kept either.
  const { showsEndpointAnswers } = engine.adapters[event.environment].rules
  const keeping = showsEndpointAnswers ? answerKeeping(engine.keys, event, event) : undefined
  return { now, random: randomOf(engine), signed, milliseconds, times, keeping }
}

interface Recording {
  readonly recorded: Promise<void>
}

/** What an attempt draws by chance is drawn for it alone, whenever it is made. */
function inTurn<T>(
  { world }: RelayEngine,
  { id, attempts }: ClaimedEvent,
  work: () => Promise<T>,
): Promise<T> {
  return world.within ? world.within(`event ${id} ${attempts}`, work) : work()
}

const fieldsOf = ({ id, platformId, attempts }: ClaimedEvent) => ({
  eventId: id,
  platformId,
  attempt: attempts + 1,
})

/** The lease runs out, and the event is attempted again: at least once. */
function logUnrecorded(engine: RelayEngine, event: ClaimedEvent, error: unknown): void {
  logOutsideRequest(engine.world.log, 'outcome of a webhook', error, fieldsOf(event))
}

/** A handler with what it was asked about. */
interface Asker<E> extends AnswerHandler<E> {
  readonly payload: never
}

const actor = { id: 'system', permissions: [] } as const

/** The outcome of an attempt and what its answer decided, in one. */
function withEffect<T>(after: Decision<T>, effect: Omit<Decision, 'result'>): Decision<T> {
  return {
    ...effect,
    updates: [...(after.updates ?? []), ...(effect.updates ?? [])],
    jobs: [...(after.jobs ?? []), ...(effect.jobs ?? [])],
    result: after.result,
  }
}

/** From 0 to 1. */
function randomOf(engine: RelayEngine): number {
  const [high = 0, low = 0] = engine.world.randomBytes(2)
  return (high * 256 + low) / 65_535
}
