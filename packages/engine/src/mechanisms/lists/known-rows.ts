import { LRUCache } from 'lru-cache'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'

/**
 * Rows of a list that this process has read before, each with the stamp that the database had put on it. A row that
 * was written since has another one, so the rows of a page are asked for their stamps and only read where these differ.
 */
export interface KnownRows<R> {
  /** The row as it was read under this stamp. */
  find(database: Database, book: Book, id: string, stamp: string): R | undefined
  /** Remembers a row; the same object as before where it has not changed. */
  keep(database: Database, book: Book, id: string, stamp: string, row: R): R
}

/** SQL of what tells a version of a row from all others of it, whoever wrote it, in whichever way. */
export const stampColumn = `version || ' ' || xmin::text || ' ' || ctid::text as stamp`

/** Of all books of a database together; those that were not asked for longest are forgotten. */
const maxRows = 2_000

/** A server that has taken over may put the same stamp on another version of a row. */
const keyOf = (database: Database, book: Book, id: string) => `${database.server()} ${bookKey(book)} ${id}`

export function createKnownRows<R extends object>(): KnownRows<R> {
  type Stamped = { readonly stamp: string; readonly row: R }
  const byDatabase = new WeakMap<Database, LRUCache<string, Stamped>>()
  function rowsOf(database: Database): LRUCache<string, Stamped> {
    let rows = byDatabase.get(database)
    if (!rows) {
      rows = new LRUCache({ max: maxRows })
      byDatabase.set(database, rows)
    }
    return rows
  }
  const find: KnownRows<R>['find'] = (database, book, id, stamp) => {
    const known = rowsOf(database).get(keyOf(database, book, id))
    return known?.stamp === stamp ? known.row : undefined
  }
  return {
    find,
    keep(database, book, id, stamp, row) {
      const known = find(database, book, id, stamp)
      if (known) return known
      rowsOf(database).set(keyOf(database, book, id), { stamp, row })
      return row
    },
  }
}
