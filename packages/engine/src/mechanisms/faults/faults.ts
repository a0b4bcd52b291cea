import { type Instant, ok, toTimestamp, type World } from '@corridor/kernel'
import { type Book, bookOf, type Scope } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import type { Connection } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Clock } from '../jobs/clock.ts'
import {
  draw,
  type Fault,
  type FaultKind,
  type FaultSubject,
  type FaultTarget,
  faultKinds,
  fits,
  isDrawn,
  isHit,
  leavesAt,
  type Window,
  withOneMore,
} from './fault.ts'
import {
  countEncounter,
  countHit,
  countSeen,
  listFaults,
  listLastingFaults,
  setResource,
  setWindow,
} from './store.ts'

/** What was made to fail, and what was drawn for it: for a length that is random as well. */
export interface Hit {
  readonly fault: Fault
  readonly drawn: bigint
  /** Of its record. */
  readonly activationId: string
  /** Of what changes places with others: with this one as the last. */
  readonly window?: Window
}

/** The faults of sandbox books. Asking is free where a book has none: its clock knows. */
export interface Faults {
  /** Whether the book has any, and so may be answered otherwise than by its adapters. */
  inForce(book: Book): Promise<boolean>
  /** Those of some kinds that hit this subject this time; each is counted and on record, with the request of the scope. */
  hit(
    book: Book & Pick<Scope, 'request'>,
    target: FaultTarget,
    subject: FaultSubject,
    isAsked?: (kind: FaultKind) => boolean,
  ): Promise<readonly Hit[]>
  /** Says what a request was about that was hit before it had made it; for explanations. */
  setResource(book: Book, hits: readonly Hit[], resourceId: string): Promise<void>
  /** Whether this operation can be made to fail. */
  isOperation(operationId: string): boolean
  /** What an earlier hit decided about it for longer. */
  lasting(book: Book, subject: string): Promise<readonly Fault[]>
  /** A fault of the book was made or deleted here. Other processes know it within two seconds. */
  changed(book: Book): void
}

export function createFaults(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly world: Pick<World, 'uuid'>
  /** Those of the API that can be made to fail. */
  readonly operationIds: ReadonlySet<string>
}): Faults {
  const { database, clock, world, operationIds } = parts

  /** In a transaction of its own: what hits is on record before it does. */
  async function meet(
    book: Book,
    fault: Fault,
    subject: FaultSubject,
    now: Instant,
  ): Promise<Hit | undefined> {
    const key = [book.platformId, book.environment, fault.id]
    const met = await database.transact(book, async (connection) => {
      const [seen] = await connection.query<{ seen: bigint }>(countSeen, key)
      if (!seen || seen.seen <= BigInt(fault.after)) return ok(undefined)
      const ordinal = isDrawn(fault) ? await encounterOf(connection, key, subject.id, now) : 1n
      const drawn = draw(fault, subject.id, ordinal)
      if (!isHit(fault, drawn)) return ok(undefined)
      const [counted] = await connection.query<{ window: Window | null }>(countHit, key)
      if (!counted) return ok(undefined)
      const window =
        fault.kind === 'REORDER' ? withOneMore(counted.window ?? undefined, fault, now) : undefined
      if (window) await connection.query(setWindow, [...key, JSON.stringify(window)])
      const { id: faultId, kind, target } = fault
      // Decided for longer, as what else becomes of a payment.
      const silentUntil = window && target === 'RAIL' ? leavesAt(fault, window) : undefined
      const activationId = world.uuid()
      const row = {
        id: activationId,
        fault_id: faultId,
        kind,
        target,
        subject: subject.id,
        request_id: subject.requestId ?? null,
        operation: subject.operationId ?? null,
        resource_id: subject.resourceId ?? null,
        ...(silentUntil === undefined ? {} : { silent_until: toTimestamp(silentUntil) }),
        created_at: toTimestamp(now),
      }
      insertRows(connection, book, 'fault_activations', [row])
      const met = silentUntil === undefined ? fault : { ...fault, silentUntil }
      return ok({ fault: met, drawn, activationId, ...(window ? { window } : {}) })
    })
    return met.ok ? met.value : undefined
  }

  /** How often this subject has met it, this time included. */
  async function encounterOf(
    connection: Connection,
    key: readonly string[],
    subjectId: string,
    now: Instant,
  ): Promise<bigint> {
    const parameters = [...key, subjectId, world.uuid(), toTimestamp(now)]
    const [encounter] = await connection.query<{ seen: bigint }>(countEncounter, parameters)
    return encounter!.seen
  }

  return {
    inForce: (book) => clock.hasFaults(book),
    async hit(whose, target, subject, isAsked = () => true) {
      const book = bookOf(whose)
      const { request } = whose
      const asked = request ? { requestId: request.id, ...subject } : subject
      const now = await clock.now(book)
      const hits: Hit[] = []
      for (const fault of await listFaults(database, book, target, toTimestamp(now))) {
        const isMet = isAsked(fault.kind) && fits(fault, subject)
        const hit = isMet ? await meet(book, fault, asked, now) : undefined
        if (hit) hits.push(hit)
      }
      for (const { fault } of hits) if (!fault.isHidden) request?.onFault(fault.id)
      return hits
    },
    async setResource(book, hits, resourceId) {
      const ids = hits.map(({ activationId }) => activationId)
      await database.write(bookOf(book), setResource, [book.platformId, book.environment, ids, resourceId])
    },
    isOperation: (operationId) => operationIds.has(operationId),
    lasting: (book, subject) => listLastingFaults(database, bookOf(book), subject),
    changed: (book) => clock.forget(book),
  }
}

/** What one request has met on purpose, however often it is decided anew. */
export interface MetOnce extends Pick<Faults, 'hit' | 'inForce'> {
  /** All hits so far, for whom they were met first. */
  readonly hits: readonly Hit[]
}

/**
 * The faults of one request that may be decided several times, because something changed meanwhile: what it has met of
 * some kinds it does not meet again, and neither `times` nor `after` counts it twice.
 */
export function metOnce(faults: Pick<Faults, 'hit' | 'inForce'>): MetOnce {
  const met = new Map<string, Promise<readonly Hit[]>>()
  const hits: Hit[] = []
  return {
    hits,
    inForce: (book) => faults.inForce(book),
    hit(book, target, subject, isAsked = () => true) {
      const kinds = Object.keys(faultKinds[target]).filter((kind) => isAsked(kind as FaultKind))
      const key = [target, ...kinds].join(' ')
      const before = met.get(key)
      if (before) return before
      const first = faults.hit(book, target, subject, isAsked).then((found) => {
        hits.push(...found)
        return found
      })
      met.set(key, first)
      return first
    },
  }
}
