import type { Instant, Result } from '@corridor/kernel'
import type { Failure } from '../http/errors.ts'
import type { Statement } from './driver.ts'

/**
 * What should change, as data. Rules return one; `apply` commits it whole or not at all, alone or
 * together with those of concurrent requests, which no rule can tell apart.
 */
export interface Decision<T = unknown> {
  readonly updates?: readonly Update[]
  /** Names that become free again; before the inserts, so that another row may take them at once. */
  readonly deletes?: readonly Delete[]
  readonly inserts?: readonly Insert[]
  readonly transfers?: readonly Transfer[]
  /** The answer when a guarded ledger account cannot cover a transfer. Without one the facts are stale. */
  readonly uncovered?: (shortage: Shortage) => Failure
  readonly counts?: readonly Count[]
  readonly jobs?: readonly NewJob[]
  readonly events?: readonly NewEvent[]
  /** Jobs that this decision finishes: their rows go in the same transaction. */
  readonly completes?: readonly string[]
  /** The few changes no other member can express. They run first, in order. */
  readonly statements?: readonly { readonly statement: Statement; readonly parameters: readonly unknown[] }[]
  /** Failures for unique constraints; `stale` asks for the facts to be loaded again. */
  readonly unique?: Readonly<Record<string, Failure | 'stale'>>
  /** Commits the changes and tells the caller no: see `refusing`. */
  readonly refusal?: Failure
  /** The value of the decision once it is applied; pure. */
  readonly result: (after: After) => T
}

/**
 * A decision that is committed although its caller is refused: a failed attempt has an effect, such as
 * the status of an account whose ownership could not be proved (accounts 4.9).
 */
export function refusing(failure: Failure, changes: Omit<Decision, 'result' | 'refusal'>): Decision<never> {
  return {
    ...changes,
    refusal: failure,
    result() {
      throw new Error('assertion failed: a refused caller gets no result')
    },
  }
}

/** A row that must still be as the facts said, and what becomes of it. `version` is raised by apply. */
export interface Update {
  readonly table: GuardedTable
  readonly id: string
  /** Statuses from which the move is allowed. */
  readonly from?: readonly string[]
  /** The version that the facts showed; any other means somebody was faster. */
  readonly version?: bigint
  readonly set: Row
}

/** The row of this book whose columns are these. Names, keys and working copies are deleted; records are marked. */
export interface Delete {
  readonly table: 'uma_addresses' | 'uma_domains' | 'data_keys' | 'bulk_import_parts'
  readonly row: Row
}

export interface Insert {
  readonly table: InsertTable
  readonly row: Row
  /** Leave an existing row alone instead of failing. */
  readonly ifAbsent?: true
}

/** Column values. bigint for int8, text of an instant for timestamptz, plain JSON for jsonb. */
export type Row = Readonly<Record<string, unknown>>

export interface Transfer {
  /** Supplied by the caller and derived from what is being done, so that doing it twice is doing it once. */
  readonly id: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amountMinor: bigint
  /** Default POSTED. PENDING reserves; the other two resolve `pendingId` with its own accounts and amount. */
  readonly kind?: 'POSTED' | 'PENDING' | 'POST_PENDING' | 'VOID_PENDING'
  readonly pendingId?: string
}

/** A total with a limit that many payments share, such as the volume of a corridor on one day. */
export interface Count {
  readonly counter: string
  /** Negative gives back what was counted before. */
  readonly addMinor: bigint
  /** Without one the count is never refused. */
  readonly limitMinor?: bigint
  readonly exceeded?: (usedMinor: bigint) => Failure
}

export interface NewJob {
  readonly kind: string
  readonly payload: object
  /** The book's time. Default: now. */
  readonly runAt?: Instant
  /** At most one pending job of this kind has the key; a second only makes it run earlier. */
  readonly key?: string
}

export interface NewEvent {
  readonly type: string
  /** Events of one resource are first attempted in the order of their commits. */
  readonly resourceId: string
  /** The resource as its GET shows it, at this very moment. */
  readonly data: object | ((after: After) => object)
  /** Default: retried for seven days. 1 for what is sent once. */
  readonly maxAttempts?: number
}

/** What a decision can see of its own effect. */
export interface After {
  /** Posted credits minus posted and pending debits, minor units. Only of guarded accounts it moved. */
  balance(ledgerAccount: string): bigint
}

export interface Shortage {
  readonly ledgerAccount: string
  readonly availableMinor: bigint
  readonly requiredMinor: bigint
  readonly currency: string
}

/** Tables whose rows are updated under a guard. `status` says whether the guard can name statuses. */
export const guardedTables = {
  beneficial_owners: { status: true },
  bulk_imports: { status: true },
  contact_codes: { status: false },
  customers: { status: true },
  documents: { status: true },
  events: { status: true },
  external_accounts: { status: true },
  internal_accounts: { status: true },
  messages: { status: true },
  ownership_challenges: { status: true },
  platform_configs: { status: false },
  quotes: { status: true },
  signed_requests: { status: true },
  suspense_items: { status: true },
  tokens: { status: false },
  transactions: { status: true },
  verification_links: { status: true },
  verifications: { status: true },
} as const
export type GuardedTable = keyof typeof guardedTables

export type InsertTable =
  | GuardedTable
  | 'uma_addresses'
  | 'uma_domains'
  | 'customer_consents'
  | 'bulk_import_errors'
  | 'bulk_import_parts'
  | 'data_keys'
  | 'inbound_payments'
  | 'lookups'

export type Applied<T> = Result<T, Failure | Stale>

/** The facts had changed by the time of applying; load them again and decide anew. */
export interface Stale {
  readonly code: 'STALE'
}
export const stale: Stale = { code: 'STALE' }
