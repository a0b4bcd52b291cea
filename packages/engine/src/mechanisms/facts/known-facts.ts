import { ok, type Result } from '@corridor/kernel'
import { LRUCache } from 'lru-cache'
import type { Attempt, Decision, FactKind, Relied } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { BatchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { findOutdated, reliedRows } from '../db/relied.ts'

export interface KnownFacts<Row, R> {
  /** In no particular order; `open` makes of a row what is known. Reads every row where the book has no attempt under way. */
  load(database: Database, book: Book, ids: readonly string[], open: (row: Row) => R): Promise<R[]>
}

/**
 * Returns SQL that gives each version of a row its own text: the transaction that wrote the version, and its place on disk.
 * No other file names these columns.
 */
export function storedVersionOf(table: string): string {
  return `concat_ws(' ', ${table}.xmin, ${table}.ctid)`
}

/** Limit per kind and database, over all books. Beyond it, the least recently used facts are dropped. */
const maxFacts = 2_000

/**
 * Facts of a kind that are kept as they were read. What is kept is shared: it must not be changed. `stamped` selects rows
 * by id, with `kind.stampOf` as `stamp`; `plain` selects them without.
 */
export function createKnownFacts<Row extends { readonly id: string }, R = Row>(
  kind: FactKind,
  { plain, stamped }: { readonly plain: BatchedLoad<Row>; readonly stamped: BatchedLoad<Row & Stamped> },
): KnownFacts<Row, R> {
  type Known = { readonly relied: Relied; readonly fact: R }
  const byDatabase = new WeakMap<Database, LRUCache<string, Known>>()
  return {
    async load(database, book, ids, open) {
      const { attempt } = book
      if (!attempt || attempt.isOver) return (await plain(database, book, ids)).map(open)
      const { mayKnow, relies } = attempt
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
      for (const { stamp, ...row } of await stamped(database, book, missing)) {
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

interface Stamped {
  readonly stamp: string
}

/**
 * Decides from known facts first, and from what is read anew when it is called once more, because facts had changed.
 * A refusal writes nothing that could fail, so its facts are compared before it counts. `decide` must have no effect
 * outside the process before it returns. The rows of an actor who acts for one customer are always read, under the
 * policies that apply to him.
 */
export function fromKnownFacts<S extends Book, T>(
  database: Database,
  scope: S,
  decide: (scope: S) => Promise<Result<Decision<T>, Failure>>,
): () => Promise<Result<Decision<T>, Failure>> {
  if (scope.actor?.customerId !== undefined) return () => decide(scope)
  async function relying(mayKnow: boolean) {
    const attempt: Attempt = { mayKnow, relies: [], isOver: false }
    const decided = await decide({ ...scope, attempt })
    attempt.isOver = true
    const { relies } = attempt
    return {
      relies,
      decided: decided.ok && relies.length > 0 ? ok({ ...decided.value, relies }) : decided,
    }
  }
  let isFirst = true
  return async () => {
    const mayKnow = isFirst
    isFirst = false
    const { decided, relies } = await relying(mayKnow)
    if (decided.ok || !mayKnow || relies.length === 0) return decided
    const rows = reliedRows([{ relies }])
    const outdated = await findOutdated((...asked) => database.read(scope, ...asked), scope, rows)
    return outdated.size === 0 ? decided : (await relying(false)).decided
  }
}
