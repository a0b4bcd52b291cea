import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { signWebhook, webhookHeaders } from '../../mechanisms/outbox/attempt.ts'
import { deliveryPolicy, storable } from '../../mechanisms/outbox/delivery-policy.ts'
import { answerKeeping } from '../../mechanisms/outbox/kept-answers.ts'
import { openBody } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { bookKey, type Scope } from '../../vocabulary/scope.ts'
import type {
  ListenedTo,
  ListenerDelivery,
  ListenerOutcome,
  ListenerResult,
  OpenListenerRequest,
} from './listener-contract.ts'
import {
  countWaiting,
  keepConnected,
  type ListenedEvent,
  type Listener,
  type ListenerAttempt,
  loadListeners,
  loadReported,
  lockListener,
  mostCountedWaiting,
  openListener,
  recordAttempt,
  restoredSession,
  takeNext,
} from './listener-store.ts'
import { judgeAttempt } from './rules.ts'

/** What a listener gets at once; it asks again when all of them have a result. */
const deliveriesAtATime = 50

/** Opens a listener, or takes over the one of this name. Fails with CONFLICT where there are too many others. */
export async function openWebhookListener(
  engine: Engine,
  scope: Scope,
  { name, types, onlyHere = false }: OpenListenerRequest,
): Promise<Result<Reply, Failure>> {
  const { world, database } = engine
  const opened = {
    id: world.id('WebhookListener'),
    name,
    session: world.uuid(),
    types: types ? [...new Set(types)] : null,
    onlyHere,
  }
  return database.transact(scope, async (connection) => {
    const times = { now: scope.now, realNow: world.now() }
    const resumed = await openListener(connection, scope, opened, times)
    if (!resumed) return failed(fail('CONFLICT', { reason: 'TOO_MANY_LISTENERS' }))
    const { listener, isResumed } = resumed
    const waiting = await countWaiting(connection, scope, listener)
    const { id, session } = listener
    return ok({ status: 201, body: { id, name, session, waiting, resumed: isResumed } })
  })
}

/** Who listens, or may go on where it was, by name. */
export async function listWebhookListeners(engine: Engine, scope: Scope): Promise<{ data: ListenedTo[] }> {
  const realNow = engine.world.now()
  const rows = await loadListeners(engine.database, scope)
  const data = rows.map(({ id, name, types, onlyHere, doneUntil, connectedUntil, waiting }) => ({
    id,
    name,
    types: types ? [...types] : null,
    onlyHere,
    isConnected: connectedUntil > realNow,
    position: toTimestamp(doneUntil),
    waiting: Math.min(mostCountedWaiting, Number(waiting)),
  }))
  return { data }
}

/**
 * What the listener is to deliver next: the same until it has a result. Fails with REFERENCE_NOT_FOUND, and with CONFLICT
 * once another session has taken over.
 */
export async function nextDeliveries(
  engine: Engine,
  scope: Scope,
  id: string,
  session: string,
): Promise<Result<Reply, Failure>> {
  const { world, database } = engine
  const taken = await database.transact(scope, async (connection) => {
    const found = heldBy(await lockListener(connection, scope, id), id, session)
    if (!found.ok) return found
    const listener = found.value
    const { due, fresh } = await takeNext(connection, scope, listener, {
      now: scope.now,
      limit: deliveriesAtATime,
    })
    const doneUntil = fresh[0]?.createdAt ?? Math.max(listener.doneUntil, scope.now)
    await keepConnected(connection, scope, listener, { realNow: world.now(), doneUntil })
    return ok([...due, ...fresh])
  })
  if (!taken.ok) return taken
  const data: ListenerDelivery[] = []
  for (const event of taken.value) data.push(await toDelivery(engine, scope, event))
  return ok({ status: 200, body: { data } })
}

async function toDelivery(engine: Engine, scope: Scope, event: ListenedEvent): Promise<ListenerDelivery> {
  const { id, type, resourceId, createdAt, asks } = event
  const body = openBody(engine.keys, scope, event)
  const attempt = event.attempts + 1
  const signed = event.signed ?? (await signWebhook(engine, scope, body))
  return {
    id,
    type,
    resourceId,
    attempt,
    createdAt: toTimestamp(createdAt),
    headers: webhookHeaders({ eventId: id, attempt, signed }),
    body,
    timeoutMs: asks ? deliveryPolicy.answerTimeoutMs : deliveryPolicy.timeoutMs,
  }
}

interface Report {
  readonly session: string
  readonly results: readonly ListenerResult[]
}

/** The last report of a listener that is under way. */
const reporting = new Map<string, Promise<unknown>>()

/**
 * Takes the results of a listener, one report after the other: each sees what those before it have written, so an attempt that is
 * reported several times is on record once, and everybody is told that. Fails with REFERENCE_NOT_FOUND and CONFLICT as
 * `nextDeliveries` does.
 */
export function reportResults(
  engine: Engine,
  scope: Scope,
  id: string,
  report: Report,
): Promise<Result<Reply, Failure>> {
  const key = `${bookKey(scope)} ${id}`
  const take = () => takeReport(engine, scope, id, report)
  const taken = (reporting.get(key) ?? Promise.resolve()).then(take, take)
  reporting.set(key, taken)
  const leave = () => {
    if (reporting.get(key) === taken) reporting.delete(key)
  }
  taken.then(leave, leave)
  return taken
}

async function takeReport(
  engine: Engine,
  scope: Scope,
  id: string,
  { session, results }: Report,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const held = await database.transact(scope, async (connection) =>
    heldBy(await lockListener(connection, scope, id), id, session),
  )
  if (!held.ok) return held
  const listener = held.value
  const ids = results.map((result) => result.id)
  const events = new Map(await loadReported(database, scope, id, ids))
  const data: ListenerOutcome[] = []
  for (const result of results) {
    const event = events.get(result.id)
    if (!event) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Webhook', id: result.id }))
    if (event.attempts >= result.attempt && event.reported) {
      data.push(outcomeOf({ eventId: event.id, status: event.reported, dueAt: event.dueAt ?? null }))
      continue
    }
    const answer = answerOf(result)
    if (event.asks || listener.onlyHere) {
      await engine.relay.record(engine, scope, {
        eventId: event.id,
        answer,
        via: `listen:${listener.name}`,
        milliseconds: result.milliseconds,
      })
    }
    const made = judgeAttempt(event, answer, {
      attempt: result.attempt,
      milliseconds: result.milliseconds,
      now: scope.now,
      random: engine.world.randomBytes(1)[0]! / 255,
    })
    const keeping = keptOf(engine, scope, event, {
      via: `listen:${listener.name}`,
      attempt: result.attempt,
      answer,
    })
    const recorded = await database.transact(scope, async (connection) => {
      await recordAttempt(connection, scope, listener, made, scope.now)
      if (keeping) await connection.query(keeping.statement, keeping.parameters)
      return ok(null)
    })
    if (!recorded.ok) return recorded
    const { attempts, attemptLog, status: reported, dueAt } = made
    events.set(event.id, { ...event, attempts, attemptLog, reported, dueAt })
    data.push(outcomeOf(made))
  }
  return ok({ status: 200, body: { data } })
}

/** What a program beside a listener answered is what its platform sent us: it is kept wherever it listens. */
function keptOf(
  { keys }: Engine,
  scope: Scope,
  event: ListenedEvent,
  { via, attempt, answer }: { via: string; attempt: number; answer: WebhookAnswer },
) {
  if (!answer.ok || answer.body === '' || event.asks || event.attempts >= attempt) return undefined
  return answerKeeping(keys, scope, event)?.({ via, attempt, body: storable(answer.body), at: scope.now })
}

function outcomeOf({
  eventId,
  status,
  dueAt,
}: Pick<ListenerAttempt, 'eventId' | 'status' | 'dueAt'>): ListenerOutcome {
  return {
    id: eventId as ListenerOutcome['id'],
    status,
    ...(dueAt === null ? {} : { retryAt: toTimestamp(dueAt) }),
  }
}

function answerOf({ status, error, body = '' }: ListenerResult): WebhookAnswer {
  if (typeof status === 'number') return { ok: true, status, body }
  return { ok: false, reason: error ?? 'no answer' }
}

function heldBy(listener: Listener | undefined, id: string, session: string): Result<Listener, Failure> {
  if (!listener) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'WebhookListener', id }))
  if (listener.session === session) return ok(listener)
  const reason = listener.session === restoredSession ? 'SANDBOX_RESTORED' : 'LISTENING_ELSEWHERE'
  return failed(fail('CONFLICT', { reason, id }))
}
