import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who lost a row to somebody else decides again when it is his turn, and not against all others who lost it too:
 * of thirty that change one row at once each is judged, in thirty rounds instead of some hundreds. Between processes
 * the row's version decides, as ever.
 */
export interface RowTurns {
  /** Runs `work` after whoever came before with one of these keys. Inside of a turn there is no waiting. */
  take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
}

export function createRowTurns(): RowTurns {
  const lasts = new Map<string, Promise<void>>()
  // A decision that commits something else while it holds a turn would wait for itself.
  const within = new AsyncLocalStorage<true>()
  return {
    async take(keys, work) {
      if (keys.length === 0 || within.getStore()) return work()
      const before = keys.map((key) => lasts.get(key))
      let end!: () => void
      const mine = new Promise<void>((resolve) => {
        end = resolve
      })
      // All keys in one go, so that nobody waits for one who waits for him.
      for (const key of keys) lasts.set(key, mine)
      await Promise.all(before)
      try {
        return await within.run(true, work)
      } finally {
        for (const key of keys) if (lasts.get(key) === mine) lasts.delete(key)
        end()
      }
    },
  }
}
