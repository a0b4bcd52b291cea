import { ok, type Result } from '@corridor/kernel'
import { LRUCache } from 'lru-cache'
import type { Decision, FactKind, Relied } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { BatchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { findOutdated, reliedRows } from '../db/relied.ts'

/**
 * What one attempt to decide reads. Facts that this process has read before, for whomever, are taken as they were then,
 * and put down, as are those that it reads: the transaction that writes the decision fails where one of them has changed (db/relied.ts). So it is
 * never a message or a time that says whether a fact still holds, but the database, and of several processes each may
 * know what it likes.
 */
export interface Facts {
  /** Otherwise everything is read, and known from then on. */
  readonly mayKnow: boolean
  readonly relies: Relied[]
}

export interface KnownFacts<Row, R> {
  /** In no particular order; `open` makes of a row what is known. */
  load(
    database: Database,
    book: Book,
    ids: readonly string[],
    facts: Facts,
    open: (row: Row) => R,
  ): Promise<R[]>
}

/** Of one kind, of all books of a database together; those that were not asked for longest are forgotten. */
const maxFacts = 2_000

/**
 * Facts of a kind that are kept as they were read. What is kept is shared: it must not be changed. `read` selects rows by
 * id, with `kind.stampOf` as `stamp`.
 */
export function createKnownFacts<Row extends { readonly id: string }, R = Row>(
  kind: FactKind,
  read: BatchedLoad<Row & { readonly stamp: string }>,
): KnownFacts<Row, R> {
  type Known = { readonly relied: Relied; readonly fact: R }
  const byDatabase = new WeakMap<Database, LRUCache<string, Known>>()
  return {
    async load(database, book, ids, { mayKnow, relies }, open) {
      let known = byDatabase.get(database)
      if (!known) {
        known = new LRUCache({ max: maxFacts })
        byDatabase.set(database, known)
      }
      // A server that has taken over may put the same stamp on another version of a row.
      const key = `${database.server()} ${bookKey(book)}`
      const loaded: R[] = []
      const missing: string[] = []
      for (const id of ids) {
        const found = mayKnow ? known.get(`${key} ${id}`) : undefined
        if (!found) {
          missing.push(id)
          continue
        }
        loaded.push(found.fact)
        relies.push(found.relied)
      }
      if (missing.length === 0) return loaded
      for (const { stamp, ...row } of await read(database, book, missing)) {
        const fact = open(row as unknown as Row)
        const relied = { kind, id: row.id, stamp }
        loaded.push(fact)
        relies.push(relied)
        known.set(`${key} ${row.id}`, { relied, fact })
      }
      return loaded
    },
  }
}

/**
 * Decides from known facts first, and from what is read anew when it is asked once more, because facts had changed.
 * A refusal writes nothing that could fail, so what it was decided from is compared before it counts. `decide` must have no effect outside the process before it returns. What may be seen of a customer by one who acts
 * for it alone is always read, under the policies that hold him.
 */
export function fromKnownFacts<T>(
  database: Database,
  book: Book,
  decide: (facts: Facts | undefined) => Promise<Result<Decision<T>, Failure>>,
): () => Promise<Result<Decision<T>, Failure>> {
  if (book.actor?.customerId !== undefined) return () => decide(undefined)
  async function relying(facts: Facts): Promise<Result<Decision<T>, Failure>> {
    const decided = await decide(facts)
    const { relies } = facts
    return decided.ok && relies.length > 0 ? ok({ ...decided.value, relies }) : decided
  }
  let isFirst = true
  return async () => {
    const facts: Facts = { mayKnow: isFirst, relies: [] }
    isFirst = false
    const decided = await relying(facts)
    if (decided.ok || !facts.mayKnow || facts.relies.length === 0) return decided
    const rows = reliedRows([facts])
    const outdated = await findOutdated((...asked) => database.read(book, ...asked), book, rows)
    return outdated.size === 0 ? decided : relying({ mayKnow: false, relies: [] })
  }
}
