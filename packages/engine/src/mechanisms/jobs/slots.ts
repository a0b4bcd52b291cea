import type { Instant } from '@corridor/kernel'
import { type Book, bookKey } from '../../vocabulary/scope.ts'

/**
 * How much of a process background work may take. A slot is one kind of work in one book: what hangs there,
 * behind a bank or a mail server that does not answer, fills its own slot and nobody else's.
 */
export interface Slots {
  /** Begins a piece of work and returns what ends it. Whoever asks has made sure that there is room. */
  take(book: Book, kind: string, now: Instant): () => void
  /** How much more may begin in this slot. */
  roomOf(book: Book, kind: string): number
  /** How much more may begin at all. */
  room(): number
  /** What a claim has to know: the slots in use with their room, and the kinds that are used up. */
  taken(): Taken
  /** Gives up what began before this; it may hang for ever. Returns how much that was. */
  giveUp(startedBefore: Instant): number
}

export interface Taken {
  readonly slots: readonly string[]
  readonly rooms: readonly number[]
  /** Of these, a book that has none under way may still begin one. */
  readonly fullKinds: readonly string[]
}

export const slotLimits = {
  /** Of one kind in one book. */
  perSlot: 64,
  /** Of one kind in all books, besides one for each. */
  perKind: 512,
  /** Of all. */
  total: 2_000,
} as const

interface Work {
  readonly slot: string
  readonly kind: string
  readonly startedAt: Instant
}

export function createSlots(): Slots {
  const works = new Set<Work>()
  const bySlot = new Map<string, number>()
  const byKind = new Map<string, number>()
  const kindOf = new Map<string, string>()

  function end(work: Work): void {
    if (!works.delete(work)) return
    if (addTo(bySlot, work.slot, -1) === 0) kindOf.delete(work.slot)
    addTo(byKind, work.kind, -1)
  }

  function roomOf(slot: string, kind: string): number {
    const used = bySlot.get(slot) ?? 0
    const ofKind = slotLimits.perKind - (byKind.get(kind) ?? 0)
    return Math.max(0, Math.min(slotLimits.perSlot - used, used === 0 ? Math.max(1, ofKind) : ofKind))
  }

  return {
    take(book, kind, now) {
      const work = { slot: slotKey(book, kind), kind, startedAt: now }
      works.add(work)
      kindOf.set(work.slot, kind)
      addTo(bySlot, work.slot, 1)
      addTo(byKind, kind, 1)
      return () => end(work)
    },
    roomOf: (book, kind) => roomOf(slotKey(book, kind), kind),
    room: () => Math.max(0, slotLimits.total - works.size),
    taken() {
      const slots = [...bySlot.keys()]
      const full = [...byKind].filter(([, used]) => used >= slotLimits.perKind)
      return {
        slots,
        rooms: slots.map((slot) => roomOf(slot, kindOf.get(slot)!)),
        fullKinds: full.map(([kind]) => kind),
      }
    },
    giveUp(startedBefore) {
      const hanging = [...works].filter(({ startedAt }) => startedAt < startedBefore)
      for (const work of hanging) end(work)
      return hanging.length
    },
  }
}

/** As the claims write it in SQL. */
function slotKey(book: Book, kind: string): string {
  return `${bookKey(book)} ${kind}`
}

function addTo(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
  return count
}
