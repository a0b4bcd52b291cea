import type { Instant } from '@corridor/kernel'
import type { NewEvent, Update } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { type PaymentEvent, paymentEvent } from './render.ts'
import { canMove, change, move, type Transaction } from './transaction.ts'

type Changes = Parameters<typeof change>[2]

/**
 * Several changes of one transaction that happen at once, each with the event that shows the transaction
 * as that change leaves it. One commit, one version, as many snapshots as callers are told of.
 */
export interface Story {
  readonly current: Transaction
  change(changes: Changes): Story
  /** A move of the transaction's machine, with what changes beside the status. */
  move(on: Parameters<typeof move>[2], changes?: Changes): Story
  /** Whether the machine lists that move from where the story is. */
  can(on: Parameters<typeof move>[2]): boolean
  emit(what: PaymentEvent): Story
  readonly update: Update
  readonly events: readonly NewEvent[]
}

export function follow(book: Book, transaction: Transaction, now: Instant): Story {
  let current = transaction
  let set: Update['set'] = {}
  const events: NewEvent[] = []
  function take({ next, update }: ReturnType<typeof change>): Story {
    current = { ...next, version: transaction.version + 1n }
    set = { ...set, ...update.set }
    return story
  }
  const story: Story = {
    get current() {
      return current
    },
    change: (changes) => take(change(current, now, changes)),
    move: (on, changes) => take(move(current, now, on, changes)),
    can: (on) => canMove(current, on),
    emit(what) {
      events.push(paymentEvent(book, current, what))
      return story
    },
    get update(): Update {
      return { table: 'transactions', id: transaction.id, version: transaction.version, set }
    },
    events,
  }
  return story
}
