import type { Book } from '../http/scope.ts'
import { bookKey } from '../http/scope.ts'
import type { Database } from './database.ts'
import type { Statement } from './driver.ts'

/**
 * Gets rows by id, together with whatever else concurrent requests want of the same kind: while one
 * statement is on its way the next requests gather, and share the one after it. Nobody waits on purpose,
 * and a row is always read after it was asked for.
 */
export type Batched<S, R> = (source: S, book: Book, ids: readonly string[]) => Promise<R[]>

const maxIds = 500

interface Waiting<R> {
  readonly ids: readonly string[]
  readonly resolve: (rows: R[]) => void
  readonly reject: (error: unknown) => void
}

/** The statement takes ($1 platform, $2 environment, $3 text[] of ids) and selects `id` among its columns. */
export function batchedLoad<R extends { readonly id: string }>(statement: Statement): Batched<Database, R> {
  return batched<Database, R>(
    (database, book, ids) => database.read<R>(book, statement, [book.platformId, book.environment, ids]),
    ({ id }) => id,
  )
}

/** `get` is called for the ids of several callers at once; each is handed the rows of its own. */
export function batched<S extends object, R>(get: Batched<S, R>, idOf: (row: R) => string): Batched<S, R> {
  const queues = new WeakMap<S, Map<string, Waiting<R>[]>>()

  async function drain(source: S, book: Book, queue: Waiting<R>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue)
      try {
        const ids = [...new Set(batch.flatMap((waiting) => waiting.ids))]
        const byId = new Map<string, R[]>()
        for (const row of await get(source, book, ids)) {
          const rows = byId.get(idOf(row))
          if (rows) rows.push(row)
          else byId.set(idOf(row), [row])
        }
        for (const { ids, resolve } of batch) resolve(ids.flatMap((id) => byId.get(id) ?? []))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  return (source, book, ids) => {
    if (ids.length === 0) return Promise.resolve([])
    let books = queues.get(source)
    if (!books) {
      books = new Map()
      queues.set(source, books)
    }
    const key = bookKey(book)
    const gathered = books
    return new Promise((resolve, reject) => {
      const waiting = { ids, resolve, reject }
      const queue = gathered.get(key)
      if (queue) {
        queue.push(waiting)
        return
      }
      const fresh = [waiting]
      gathered.set(key, fresh)
      void drain(source, book, fresh).finally(() => gathered.delete(key))
    })
  }
}

/** As many of those who wait as fit into one statement, and at least one. */
function takeBatch<R>(queue: Waiting<R>[]): Waiting<R>[] {
  let count = 0
  let size = 0
  while (count < queue.length && (count === 0 || size + queue[count]!.ids.length <= maxIds)) {
    size += queue[count]!.ids.length
    count++
  }
  return queue.splice(0, count)
}
