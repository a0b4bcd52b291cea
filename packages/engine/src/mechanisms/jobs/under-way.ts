import { type Book, bookKey } from '../../vocabulary/scope.ts'
import { logOutsideRequest } from '../unexpected.ts'
import type { JobEngine } from './claims.ts'
import { createSignal, type Signal } from './signal.ts'
import { createSlots, type Slots } from './slots.ts'

/** What a process works at by itself, each piece in a slot of its own (slots.ts). */
export interface UnderWay<E> {
  readonly slots: Slots
  /** How many pieces run. */
  readonly size: number
  /** News of each end. */
  readonly freed: Signal
  /** Begins work that nobody waits for. Whoever asks has made sure that there is room. */
  begin(engine: E, book: Book, kind: string, work: () => Promise<unknown>): void
  /** A place for work that is to begin once it is written; undefined where there is no room. */
  reserve(engine: E, book: Book, kind: string): Place | undefined
  /** Resolves once nothing runs. */
  finish(): Promise<void>
  /** Resolves once no place of a book is taken. */
  finishBook(book: Book): Promise<void>
}

export interface Place {
  begin(work: () => Promise<unknown>): void
  /** Gives it back. */
  leave(): void
}

export function createUnderWay<E extends JobEngine>(): UnderWay<E> {
  const slots = createSlots()
  const running = new Set<Promise<void>>()
  const freed = createSignal()
  /** Places that are taken, and when each is left; by book. */
  const taken = new Map<string, Set<Promise<void>>>()

  /** Notes that a place of a book is taken; what it returns notes that it is left. */
  function note(key: string): () => void {
    const places = taken.get(key) ?? new Set()
    taken.set(key, places)
    let isLeft = () => {}
    const place = new Promise<void>((resolve) => {
      isLeft = resolve
    })
    places.add(place)
    return () => {
      places.delete(place)
      if (places.size === 0) taken.delete(key)
      isLeft()
    }
  }

  function take(engine: E, book: Book, kind: string): Place {
    const end = slots.take(book, kind, engine.world.now())
    const noteLeft = note(bookKey(book))
    function leave(): void {
      // Only where there was no room may something wait for this place.
      const wasFull = slots.room() === 0 || slots.roomOf(book, kind) === 0
      end()
      noteLeft()
      freed.notify()
      if (wasFull) engine.signals.jobs.notify()
    }
    return {
      leave,
      begin(work) {
        const run: Promise<void> = work()
          .then(() => {})
          .catch((error: unknown) => {
            // Not even a failure could be recorded: a lease or a pause runs out, and it is tried again.
            logOutsideRequest(engine.world.log, kind, error)
          })
          .finally(() => {
            running.delete(run)
            leave()
          })
        running.add(run)
      },
    }
  }

  return {
    slots,
    freed,
    get size() {
      return running.size
    },
    begin: (engine, book, kind, work) => take(engine, book, kind).begin(work),
    reserve(engine, book, kind) {
      const hasRoom = slots.room() > 0 && slots.roomOf(book, kind) > 0
      return hasRoom ? take(engine, book, kind) : undefined
    },
    async finish() {
      while (running.size > 0) await Promise.allSettled([...running])
    },
    async finishBook(book) {
      for (let places = taken.get(bookKey(book)); places; places = taken.get(bookKey(book))) {
        await Promise.all(places)
      }
    },
  }
}
