import type { World } from './world.ts'

/** How concurrent work proceeds in a World. A World that repeats what it makes takes turns; every other one does all at once. */
export interface Schedule {
  /** Runs work as what its purpose names. In turns it draws ids and randomness of its own, whatever runs beside it. */
  run<T>(purpose: string, work: () => T): T
  /** Does the same for each of them, side by side or one after the other. */
  all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]>
  /** In turns, waits for work that has started, before the next starts. What both count would else depend on which is faster. */
  finish(started: () => Promise<unknown>): Promise<unknown> | undefined
  /** The order in which rows that are due at one moment start. */
  ordered<T extends { readonly id: string }>(due: readonly T[]): readonly T[]
  /** Whether work that is due has to be done in its turn: a failure that passes is then tried again at once, and not later. */
  readonly hasTurns: boolean
}

const concurrent: Schedule = {
  run: (_purpose, work) => work(),
  all: (items, work) => Promise.all(items.map(work)),
  finish: () => undefined,
  ordered: (due) => due,
  hasTurns: false,
}

const inTurns = (within: NonNullable<World['within']>): Schedule => ({
  run: within,
  async all(items, work) {
    const results = []
    for (const item of items) results.push(await work(item))
    return results
  },
  finish: (started) => started(),
  ordered: (due) => [...due].sort((a, b) => (a.id < b.id ? -1 : 1)),
  hasTurns: true,
})

export function scheduleOf({ within }: Pick<World, 'within'>): Schedule {
  return within ? inTurns(within) : concurrent
}
