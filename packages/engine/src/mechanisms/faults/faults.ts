import { type Instant, ok, toTimestamp, type World } from '@corridor/kernel'
import { type Book, bookKey, bookOf, type Scope } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import type { Connection, Statement } from '../db/driver.ts'
import { insertRows, updateRows } from '../db/write.ts'
import type { Clock } from '../jobs/clock.ts'
import {
  draw,
  type Fault,
  type FaultKind,
  type FaultSubject,
  type FaultTarget,
  fits,
  isDrawn,
  isHit,
  leavesAt,
  type Side,
  type Window,
  withOneMore,
} from './fault.ts'
import {
  type Counted,
  countEncounters,
  faultBounds,
  listFaults,
  listLastingFaults,
  lockCounters,
  removeOldEncounters,
  removeOldHits,
  setResource,
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
  /**
   * Those of some kinds that hit this subject this time, the oldest fault first; all are counted and on record in one
   * transaction, with the request of the scope.
   */
  hit(
    book: Book & Pick<Scope, 'request'>,
    target: FaultTarget,
    subject: FaultSubject,
    isAsked?: (kind: FaultKind) => boolean,
    /** Whether nobody waits for it any more: then it meets nothing. */
    isOver?: () => boolean,
  ): Promise<readonly Hit[]>
  /** Says what a request was about that was hit before it had made it; for explanations. */
  setResource(book: Book, hits: readonly Hit[], resourceId: string): Promise<void>
  /** Whether this operation can be made to fail. */
  isOperation(operationId: string): boolean
  /** What an earlier hit decided for longer about this hand-over of a payment. */
  lasting(book: Book, subject: string, side: Side): Promise<readonly Fault[]>
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

  /** Rows of each book since its old ones were removed; a book that is not there was never looked at. */
  const written = { hits: new Map<string, number>(), encounters: new Map<string, number>() }

  /** All that one subject meets at once, in one transaction: what hits is on record before it does. */
  async function meet(
    book: Book,
    faults: readonly Fault[],
    subject: FaultSubject,
    now: Instant,
    isOver: () => boolean,
  ): Promise<readonly Hit[]> {
    let drawnFor = 0
    // Before: what a transaction makes, which may be repeated, it makes again.
    const idsOf = new Map(faults.map(({ id }) => [id, { encounter: world.uuid(), activation: world.uuid() }]))
    const met = await database.transact(book, async (connection) => {
      drawnFor = 0
      // Its turn may have come after whoever asked has gone.
      if (isOver()) return ok([])
      const ofBook = [book.platformId, book.environment]
      const ids = faults.map(({ id }) => id)
      const locked = await connection.query<Counted>(lockCounters, [...ofBook, ids])
      const rows = locked.filter(({ isDeleted }) => !isDeleted)
      const counters = new Map(rows.map((counted) => [counted.id, counted]))
      const may = faults.filter((fault) => {
        const counted = counters.get(fault.id)
        return counted && counted.seen >= BigInt(fault.after)
      })
      const drawn = may.filter(isDrawn)
      drawnFor = drawn.length
      const encounters = drawn.map(({ id }) => ({ id: idsOf.get(id)!.encounter, faultId: id }))
      const ordinals = await encountersOf(connection, ofBook, encounters, subject.id, now)
      const hits = may.flatMap((fault): Hit[] => {
        const counted = counters.get(fault.id)!
        const draws = draw(fault, subject.id, ordinals.get(fault.id) ?? 1n)
        const isLeft = fault.times === undefined || counted.hits < BigInt(fault.times)
        if (!isLeft || !isHit(fault, draws)) return []
        const window =
          fault.kind === 'REORDER' ? withOneMore(counted.window ?? undefined, fault, now) : undefined
        // Decided for longer, as what else becomes of a payment.
        const silentUntil = window && fault.target === 'RAIL' ? leavesAt(fault, window) : undefined
        return [
          {
            fault: silentUntil === undefined ? fault : { ...fault, silentUntil },
            drawn: draws,
            activationId: idsOf.get(fault.id)!.activation,
            ...(window ? { window } : {}),
          },
        ]
      })
      const hitBy = new Map(hits.map((hit) => [hit.fault.id, hit]))
      const counts = rows.map(({ id, seen, hits }) => {
        const hit = hitBy.get(id)
        const window = hit?.window
        return {
          id,
          seen: seen + 1n,
          hits: hit ? hits + 1n : hits,
          ...(window ? { reorder_window: { ...window } } : {}),
        }
      })
      updateRows(connection, book, 'faults', counts)
      insertRows(
        connection,
        book,
        'fault_activations',
        hits.map(({ fault: { id, kind, target, silentUntil }, activationId }) => ({
          id: activationId,
          fault_id: id,
          kind,
          target,
          subject: subject.id,
          request_id: subject.requestId ?? null,
          operation: subject.operationId ?? null,
          // Of a rail it is one of the two hand-overs that was hit.
          resource_id: subject.side ?? subject.resourceId ?? null,
          ...(silentUntil === undefined ? {} : { silent_until: toTimestamp(silentUntil) }),
          created_at: toTimestamp(now),
        })),
      )
      return ok(hits)
    })
    const hits = met.ok ? met.value : []
    await removeOld(book, written.encounters, drawnFor, removeOldEncounters, faultBounds.encounters)
    await removeOld(book, written.hits, hits.length, removeOldHits, faultBounds.hits)
    return hits
  }

  /** How often this subject has met each of them, this time included. */
  async function encountersOf(
    connection: Connection,
    book: readonly string[],
    encounters: readonly { readonly id: string; readonly faultId: string }[],
    subjectId: string,
    now: Instant,
  ): Promise<ReadonlyMap<string, bigint>> {
    if (encounters.length === 0) return new Map()
    const [of, ids] = [encounters.map(({ faultId }) => faultId), encounters.map(({ id }) => id)]
    const parameters = [...book, of, subjectId, ids, toTimestamp(now)]
    const rows = await connection.query<{ faultId: string; seen: bigint }>(countEncounters, parameters)
    return new Map(rows.map(({ faultId, seen }) => [faultId, seen]))
  }

  /** Keeps the latest of a book, once so many more were written that it is worth a look. */
  async function removeOld(
    book: Book,
    since: Map<string, number>,
    more: number,
    statement: Statement,
    kept: number,
  ): Promise<void> {
    if (more === 0) return
    const rows = (since.get(bookKey(book)) ?? faultBounds.look) + more
    const isTime = rows >= faultBounds.look
    since.set(bookKey(book), isTime ? 0 : rows)
    if (!isTime) return
    const parameters = [book.platformId, book.environment, kept - 1, faultBounds.removedAtOnce]
    await database.write(book, statement, parameters)
  }

  return {
    inForce: (book) => clock.isMarked(book),
    async hit(whose, target, subject, isAsked = () => true, isOver = () => false) {
      const book = bookOf(whose)
      const { request } = whose
      const asked = request ? { requestId: request.id, ...subject } : subject
      const now = await clock.now(book)
      const faults = (await listFaults(database, book, target, toTimestamp(now))).filter(
        (fault) => isAsked(fault.kind) && fits(fault, subject),
      )
      if (faults.length === 0) return []
      const hits = await meet(book, faults, asked, now, isOver)
      for (const { fault } of hits) if (!fault.isHidden) request?.onIntervention(fault.id)
      return hits
    },
    async setResource(book, hits, resourceId) {
      const ids = hits.map(({ activationId }) => activationId)
      await database.write(bookOf(book), setResource, [book.platformId, book.environment, ids, resourceId])
    },
    isOperation: (operationId) => operationIds.has(operationId),
    lasting: (book, subject, side) => listLastingFaults(database, bookOf(book), subject, side),
    changed: (book) => clock.forget(book),
  }
}
