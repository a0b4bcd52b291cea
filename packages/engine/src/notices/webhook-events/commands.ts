import { verify } from 'node:crypto'
import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Signed, signWebhook, webhookHeaders } from '../../mechanisms/outbox/attempt.ts'
import type { LoggedAttempt } from '../../mechanisms/outbox/delivery-policy.ts'
import { answerKey, loadKeptAnswers } from '../../mechanisms/outbox/kept-answers.ts'
import { isErased, openBody } from '../../mechanisms/outbox/sealed-bodies.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Book, type Scope, silently } from '../../vocabulary/scope.ts'
import { loadWebhookEndpoint } from '../webhooks/index.ts'
import type { ReplayRequest, SentEvent, WebhookEventDetails } from './contract.ts'
import { decideReplay, decideResendByPlatform, usualRatePerSecond } from './rules.ts'
import {
  countReplayed,
  type EventRow,
  type HeardAttempt,
  hasListener,
  type ListedEventRow,
  loadHeardAttempts,
  loadReplayed,
  loadStates,
  loadWholeEvent,
  type WholeEvent,
} from './store.ts'

/** An event with what is sent and its attempts, at the endpoint and at listeners; undefined where there is none. */
export async function readEvent(
  engine: Engine,
  book: Book,
  id: string,
): Promise<WebhookEventDetails | undefined> {
  const event = await loadWholeEvent(engine.database, book, id)
  if (!event) return undefined
  const heard = await loadHeardAttempts(engine.database, book, id)
  const answers = await loadKeptAnswers(engine, book, event)
  const body = openBody(engine.keys, book, event)
  const kept = event.attemptLog?.at(-1)?.signed
  const { showsEndpointAnswers } = engine.adapters[book.environment].rules
  return {
    ...renderEvent(event),
    payload: JSON.parse(body) as Record<string, unknown>,
    body,
    lastAnswer: showsEndpointAnswers ? event.lastResponse : null,
    signature: isErased(event) ? null : await signatureOf(engine, book, body, kept),
    attemptLog: attemptsOf(event, heard).map((each) =>
      renderAttempt(
        id,
        each,
        showsEndpointAnswers || each.via !== 'endpoint'
          ? answers.get(answerKey(each.via, each.attempt))
          : undefined,
      ),
    ),
  }
}

type Told = LoggedAttempt & { readonly via: string }

/** Those at the endpoint, then those of each listener. What decided something for a listener that is known stands there alone. */
function attemptsOf(
  { attemptLog }: Pick<WholeEvent, 'attemptLog'>,
  heard: readonly HeardAttempt[],
): readonly Told[] {
  const listeners = heard.map(({ name, attemptLog: logged, ...last }) => ({
    via: `listen:${name}`,
    logged: logged ?? [lastOf(last)],
  }))
  const known = new Set(listeners.map(({ via }) => via))
  return [
    ...(attemptLog ?? []).flatMap(({ via = 'endpoint', ...attempt }) =>
      known.has(via) ? [] : [{ ...attempt, via }],
    ),
    ...listeners.flatMap(({ via, logged }) => logged.map((attempt) => ({ ...attempt, via }))),
  ]
}

/** The one that an earlier release has recorded of a listener. */
function lastOf(last: Omit<HeardAttempt, 'name' | 'attemptLog'>): LoggedAttempt {
  const { attempts, lastStatus, lastError, milliseconds, attemptedAt } = last
  return {
    attempt: attempts,
    at: toTimestamp(attemptedAt),
    status: lastStatus,
    error: lastError,
    milliseconds,
  }
}

function renderAttempt(eventId: string, made: Told, kept: string | undefined) {
  const { via, attempt, at, status, error, milliseconds = null, times = null, signed, isAnswerEmpty } = made
  return {
    ...{ via, attempt, at, status, error, milliseconds, times },
    answer: isAnswerEmpty ? '' : (kept ?? null),
    headers: headersOf(eventId, attempt, signed),
  }
}

/** Enough to compare with what was received, and too little to send the event in our name. */
const shownOfSignature = 16

/** The headers of an attempt, as far as they are known: a signature that is not kept is left out, and not made anew. */
function headersOf(eventId: string, attempt: number, signed: Signed | undefined): Record<string, string> {
  const shown = {
    keyId: signed?.keyId ?? '',
    signature: signed ? `${signed.signature.slice(0, shownOfSignature)}…` : '',
  }
  const headers = webhookHeaders({ eventId, attempt, signed: shown })
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
}

/** That of the attempts where it is kept, else what the bytes would be signed with now. */
async function signatureOf(engine: Engine, book: Book, body: string, kept: Signed | undefined) {
  const { keyId, signature } = kept ?? (await signWebhook(engine, book, body))
  return {
    keyId,
    isVerified: await isVerified(engine, book, body, signature),
    isOfAttempts: kept !== undefined,
  }
}

/** Whether one of the keys that are published verifies these bytes, as a receiver would find. */
async function isVerified({ keys }: Engine, book: Book, body: string, signature: string): Promise<boolean> {
  const published = await keys.webhookPublicKeys(book)
  const [bytes, given] = [Buffer.from(body), Buffer.from(signature, 'base64')]
  return published.some((key) => verify('sha256', bytes, key, given))
}

/** Whether there is anybody who could be asked something: an endpoint, or a listener (webhooks 3.4). */
export async function hasWebhookReceiver({ database, world }: Engine, book: Book): Promise<boolean> {
  if ((await loadWebhookEndpoint(database, book)) !== undefined) return true
  return hasListener(database, book, world.now())
}

/** As lists show it. */
export function renderListedEvent(event: ListedEventRow): SentEvent {
  return {
    ...renderEvent(event),
    latestAttempts: (event.latestAttempts ?? []).map(({ at, status, error }) => ({ at, status, error })),
  }
}

function renderEvent(event: EventRow) {
  const { id, type, resourceId, status, attempts, lastStatus, lastError, lastMilliseconds } = event
  const { nextAttemptAt, createdAt } = event
  return {
    ...{ id, type, resourceId, status, attempts, lastStatus, lastError, lastMilliseconds },
    nextAttemptAt: nextAttemptAt === null ? null : toTimestamp(nextAttemptAt),
    createdAt: toTimestamp(createdAt),
  }
}

/** One more attempt for an event. Fails with REFERENCE_NOT_FOUND and CONFLICT. */
export function resendByPlatform(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const [event, isHeard] = await Promise.all([
      loadWholeEvent(engine.database, scope, id),
      hasListener(engine.database, scope, engine.world.now()),
    ])
    return decideResendByPlatform(scope, event, { id, now: scope.now, hasListener: isHeard })
  })
}

/** Changed in one transaction. */
const replayedAtATime = 200

/**
 * Sends the events of a period again, or counts them. Refuses with INVALID_INPUT where more match than `atMost`, and
 * then nothing is sent. An event that is being sent when its turn comes is left to that.
 */
export async function replay(
  engine: Engine,
  scope: Scope,
  book: Book,
  request: ReplayRequest,
  atMost: number,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const { createdAfter, createdBefore } = request
  if (createdBefore !== undefined && Date.parse(createdAfter) > Date.parse(createdBefore)) {
    return failed(failFields([{ field: 'createdAfter', message: 'is later than createdBefore' }]))
  }
  const countedTo = 10_001
  if (request.dryRun) {
    const matching = await countReplayed(database, book, request, countedTo)
    const skipped = await countUnheard(engine, book, request, countedTo)
    return ok({ status: 200, body: { matching, replayed: 0, skipped } })
  }
  const events = await loadReplayed(database, book, request, atMost + 1)
  if (events.length > atMost) {
    const matching = await countReplayed(database, book, request, countedTo)
    const message = `matches ${matching} events, and at most ${atMost} can be resent at a time; choose a shorter period`
    return failed(failFields([{ field: 'createdAfter', message }]))
  }
  const ratePerSecond = request.ratePerSecond ?? usualRatePerSecond
  const own = await engine.clock.scope(book, silently(scope).actor)
  const from = own.now
  const isHeard = await hasListener(database, book, engine.world.now())
  let replayed = 0
  for (let first = 0; first < events.length; first += replayedAtATime) {
    const part = events.slice(first, first + replayedAtATime)
    const sent = await commit(engine.applier, own, async () => {
      const current = (await sameAsBefore(engine, book, part)).filter(
        ({ status }) => isHeard || status !== 'STORED',
      )
      return ok({
        ...decideReplay(book, current, { from, first, ratePerSecond }),
        result: () => current.length,
      })
    })
    if (!sent.ok) return sent
    replayed += sent.value
  }
  const until = replayed === 0 ? undefined : lastDueAt(events.length, from, ratePerSecond)
  return ok({
    status: 200,
    body: {
      matching: events.length,
      replayed,
      skipped: events.length - replayed,
      ...(until === undefined ? {} : { until: toTimestamp(until) }),
    },
  })
}

/** How many a replay would leave out: those that listeners alone are sent, while nobody listens. */
async function countUnheard(
  { database, world }: Engine,
  book: Book,
  request: ReplayRequest,
  atMost: number,
): Promise<number> {
  if (request.statuses?.includes('STORED') === false) return 0
  if (await hasListener(database, book, world.now())) return 0
  return countReplayed(database, book, { ...request, statuses: ['STORED'] }, atMost)
}

/** Those that nobody is sending by now: one that waited may wait, any other was asked for by somebody else meanwhile. */
async function sameAsBefore(engine: Engine, book: Book, events: readonly EventRow[]): Promise<EventRow[]> {
  const now = await loadStates(
    engine.database,
    book,
    events.map(({ id }) => id),
  )
  return events.flatMap((event) => {
    const progress = now.get(event.id)
    if (!progress) return []
    const { isIdle, ...current } = progress
    const isLeft = current.status === 'RETRYING' && event.status === 'RETRYING' && isIdle
    return isLeft || !['QUEUED', 'RETRYING'].includes(current.status) ? [{ ...event, ...current }] : []
  })
}

function lastDueAt(count: number, from: Instant, ratePerSecond: number): Instant | undefined {
  return count === 0 ? undefined : from + Math.floor(((count - 1) * 1_000) / ratePerSecond)
}
