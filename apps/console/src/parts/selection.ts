import { useState } from 'react'

/** Rows of a list that somebody has marked, kept while the list is scrolled and read on. Another list begins with none. */
export interface Selection<T> {
  readonly rows: readonly T[]
  has(key: string): boolean
  toggle(key: string, row: T): void
  clear(): void
}

/** `list` says what the list shows, as in `Rows`. */
export function useSelection<T>(list: readonly unknown[]): Selection<T> {
  const of = JSON.stringify(list)
  const [kept, setKept] = useState<{ readonly of: string; readonly rows: ReadonlyMap<string, T> }>({
    of,
    rows: new Map(),
  })
  const rows = kept.of === of ? kept.rows : new Map<string, T>()
  return {
    rows: [...rows.values()],
    has: (key) => rows.has(key),
    toggle(key, row) {
      const next = new Map(rows)
      if (!next.delete(key)) next.set(key, row)
      setKept({ of, rows: next })
    },
    clear: () => setKept({ of, rows: new Map() }),
  }
}
