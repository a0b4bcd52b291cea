import { type Book, bookKey } from '../../vocabulary/scope.ts'
import { isOfHolder } from '../ledger/chart.ts'
import type { LastChange } from './changes.ts'

/** What stands in a ledger account, in its minor units, and which change of its internal account left it. */
export interface Balance extends LastChange {
  /** Posted credits minus posted and pending debits. */
  readonly spendable: bigint
  /** Pending debits. */
  readonly held: bigint
}

/** What a batch leaves: the accounts whose balances it looked at, as they were before it, and what it adds to any. */
export interface Left {
  readonly consulted: ReadonlyMap<string, Balance>
  readonly deltas: ReadonlyMap<string, { debitsPosted: bigint; creditsPosted: bigint; debitsPending: bigint }>
  /** The last change that it makes of an internal account, by the ledger account that counts them. */
  readonly lastChange: (account: string) => LastChange
}

/**
 * Balances as this process left them. What an event shows of a balance is taken from here, and compared where it is
 * written (core-rows.ts): if somebody else has moved the account, that costs a second attempt and never a wrong figure.
 */
export interface KnownBalances {
  /** Undefined where it has to be read. */
  of(book: Book, account: string): Balance | undefined
  /** A batch is committed. */
  learn(book: Book, left: Left): void
  /** A batch is not, or nobody knows. */
  forget(book: Book, accounts: Iterable<string>): void
  /** The balances of some of these accounts were others: somebody else moves them too, so they are read for a while. */
  mistrust(book: Book, accounts: Iterable<string>): void
}

interface Known {
  balance: Balance | undefined
  /** So often it is read after the next mistake, and so often still. */
  reads: number
  left: number
}

/** A few megabytes. Beyond that those that were moved longest ago are read again. */
const maxKnown = 20_000
const maxReads = 64

export function createKnownBalances(): KnownBalances {
  const accounts = new Map<string, Known>()
  const keyOf = (book: Book, account: string) => `${bookKey(book)} ${account}`
  return {
    of(book, account) {
      const known = accounts.get(keyOf(book, account))
      if (!known || known.left === 0) return known?.balance
      known.left--
      return undefined
    },
    learn(book, { consulted, deltas, lastChange }) {
      for (const account of deltas.keys()) {
        if (!consulted.has(account)) accounts.delete(keyOf(book, account))
      }
      for (const [account, { spendable, held }] of consulted) {
        // Those of single transactions come once.
        if (!isOfHolder(account)) continue
        const key = keyOf(book, account)
        const delta = deltas.get(account)
        const added = delta ? delta.creditsPosted - delta.debitsPosted - delta.debitsPending : 0n
        const { reads, left } = accounts.get(key) ?? { reads: 1, left: 0 }
        accounts.delete(key)
        accounts.set(key, {
          balance: {
            spendable: spendable + added,
            held: held + (delta?.debitsPending ?? 0n),
            ...lastChange(account),
          },
          reads,
          left,
        })
      }
      for (const key of accounts.keys()) {
        if (accounts.size <= maxKnown) return
        accounts.delete(key)
      }
    },
    forget(book, ids) {
      for (const id of ids) {
        const known = accounts.get(keyOf(book, id))
        if (known) known.balance = undefined
      }
    },
    mistrust(book, ids) {
      for (const id of ids) {
        const known = accounts.get(keyOf(book, id))
        if (!known) continue
        known.balance = undefined
        known.left = known.reads
        known.reads = Math.min(maxReads, 2 * known.reads)
      }
    },
  }
}
