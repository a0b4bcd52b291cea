import type { Book } from '../../vocabulary/scope.ts'
import { viewKey } from '../../vocabulary/scope.ts'
import type { Database } from './database.ts'
import type { Statement } from './driver.ts'

/**
 * Asks something of the database together with whatever else concurrent requests ask of the same kind:
 * while one statement is on its way the next requests gather, and share the one after it. Nobody waits for
 * longer than the turn of the loop that hears the others, and a row is always read after it was asked for.
 */
export type Batched<S, A, R> = (source: S, book: Book, asks: readonly A[]) => Promise<R[]>
export type BatchedLoad<R> = Batched<Database, string, R>

const maxAsks = 500

interface Waiting<A, R> {
  readonly asks: readonly A[]
  readonly resolve: (rows: R[]) => void
  readonly reject: (error: unknown) => void
}

/** The statement takes ($1 platform, $2 environment, $3 text[] of ids) and selects `id` among its columns. */
export function batchedLoad<R extends { readonly id: string }>(statement: Statement): BatchedLoad<R> {
  return batched({
    run: (database, book, ids) => database.read<R>(book, statement, [book.platformId, book.environment, ids]),
    keyOf: (id) => id,
    answers: ({ id }) => id,
  })
}

/** `run` is called for the asks of several callers at once; each is handed the rows that answer its own. */
export function batched<S extends object, A, R>(parts: {
  readonly run: (source: S, book: Book, asks: readonly A[]) => Promise<R[]>
  /** Asks with the same key are one. */
  readonly keyOf: (ask: A) => string
  /** The key of the ask that a row answers. */
  readonly answers: (row: R) => string
}): Batched<S, A, R> {
  const { run, keyOf, answers } = parts
  const queues = new WeakMap<S, Map<string, Waiting<A, R>[]>>()

  async function drain(source: S, book: Book, queue: Waiting<A, R>[]): Promise<void> {
    // What the caller asks for in the same breath is one statement, and so is what callers ask who were heard in the same turn:
    // eight of them are answered together, and come back together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const batch = takeBatch(queue)
      try {
        const asks = new Map(batch.flatMap((waiting) => waiting.asks.map((ask) => [keyOf(ask), ask])))
        const byKey = new Map<string, R[]>()
        for (const row of await run(source, book, [...asks.values()])) {
          const rows = byKey.get(answers(row))
          if (rows) rows.push(row)
          else byKey.set(answers(row), [row])
        }
        for (const { asks, resolve } of batch) resolve(asks.flatMap((ask) => byKey.get(keyOf(ask)) ?? []))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  return (source, book, asks) => {
    if (asks.length === 0) return Promise.resolve([])
    let books = queues.get(source)
    if (!books) {
      books = new Map()
      queues.set(source, books)
    }
    const key = viewKey(book)
    const gathered = books
    return new Promise((resolve, reject) => {
      const waiting = { asks, resolve, reject }
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
function takeBatch<A, R>(queue: Waiting<A, R>[]): Waiting<A, R>[] {
  let count = 0
  let size = 0
  while (count < queue.length && (count === 0 || size + queue[count]!.asks.length <= maxAsks)) {
    size += queue[count]!.asks.length
    count++
  }
  return queue.splice(0, count)
}
