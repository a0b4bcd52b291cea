import type { Database } from '../db/database.ts'

/** A read on its way, and the one after it, which those share who asked meanwhile. */
interface UnderWay<R> {
  next?: Promise<R>
  beginNext?: () => void
}

/**
 * Reads that many ask for at once, word for word: while one is on its way others gather and share the one after it, so
 * whatever is read is read after it was asked for. Nobody waits on purpose, and what is handed out must not be changed.
 * `asked` names everything that the answer depends on, the view of who asks among it (`viewKey`).
 */
export function createSharedReads<R>() {
  const byDatabase = new WeakMap<Database, Map<string, UnderWay<R>>>()
  return (database: Database, asked: readonly unknown[], read: () => Promise<R>): Promise<R> => {
    const key = JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
    let reads = byDatabase.get(database)
    if (!reads) {
      reads = new Map()
      byDatabase.set(database, reads)
    }
    const all = reads
    const begin = (): Promise<R> => {
      const own: UnderWay<R> = {}
      all.set(key, own)
      // What fails at once fails like anything else.
      const done = (async () => read())()
      const goOn = () => {
        if (own.beginNext) own.beginNext()
        else all.delete(key)
      }
      done.then(goOn, goOn)
      return done
    }
    const first = all.get(key)
    if (!first) return begin()
    first.next ??= new Promise((resolve, reject) => {
      first.beginNext = () => begin().then(resolve, reject)
    })
    return first.next
  }
}
