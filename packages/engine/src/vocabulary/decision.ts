import type { Instant, Result } from '@corridor/kernel'
import { type Failure, fail } from './errors.ts'
import type { DeletedTables, GuardedTables, InsertedTables } from './names.ts'
import type { Reply } from './operation.ts'
import type { Recording } from './scope.ts'
import type { Statement } from './statement.ts'

/**
 * What should change, as data. Rules return one; `apply` commits it whole or not at all, alone or
 * together with those of concurrent requests, which no rule can tell apart.
 */
export interface Decision<T = unknown> {
  readonly updates?: readonly Update[]
  readonly requires?: readonly Requirement[]
  /** What it was decided from without reading it anew. Where one of them has changed, the facts are stale. */
  readonly relies?: readonly Relied[]
  /** Names that become free again; before the inserts, so that another row may take them at once. */
  readonly deletes?: readonly Delete[]
  readonly inserts?: readonly Insert[]
  readonly transfers?: readonly Transfer[]
  /** Of how many transfers each step consists, where several steps were made one decision; absent: one step. */
  readonly steps?: readonly number[]
  /** Internal accounts that change although nothing moves on them. `After` has their balances, and the change counts. */
  readonly changes?: readonly ChangedAccount[]
  /** The answer when a guarded ledger account cannot cover a transfer. Without one the facts are stale. */
  readonly uncovered?: (shortage: Shortage) => Failure | undefined
  readonly counts?: readonly Count[]
  readonly jobs?: readonly NewJob[]
  readonly events?: readonly NewEvent[]
  /**
   * Jobs that this decision finishes: their rows go in the same transaction. Refused with `claimLost` when one
   * of them has been taken over.
   */
  readonly completes?: readonly JobClaim[]
  /** Final answers to requests whose work this ends; each replaces the one that was recorded when it began. */
  readonly answers?: readonly FinalAnswer[]
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

/**
 * A row that is as the facts said until the decision is committed, and is left as it is: whoever changes it at
 * the same moment comes before, which makes the facts stale, or after.
 */
export type Requirement = Omit<Update, 'set'> & {
  /**
   * Those who require it take turns, as if they changed it. PostgreSQL lets ever new ones who only look at a row go before
   * somebody who waits to change it, so what is required all the time could not be frozen.
   */
  readonly inTurn?: true
  /** The answer when it no longer holds, where deciding again could not make it hold. Without one the facts are stale. */
  readonly orElse?: Failure
}

/** A row as it was read for an earlier decision. Compared when this one is written, and not locked. */
export interface Relied {
  readonly kind: FactKind
  readonly id: string
  readonly stamp: string
}

/**
 * One attempt to decide. Rows that this process has read before are used as they were then; all rows that the attempt
 * uses are collected, and the transaction that writes the decision fails if one of them has changed (db/relied.ts).
 */
export interface Attempt {
  /** Otherwise every row is read, and known from then on. */
  readonly mayKnow: boolean
  readonly relies: Relied[]
  /** Once the decision is made, nothing reads known rows any more: nobody would compare them. */
  isOver: boolean
}

/** What is known of a row and of those that are read with it. */
export interface FactKind {
  readonly name: string
  /**
   * SQL of a text that is another one whenever what is known would be read otherwise, given the SQL of an id; the book is
   * `$1` and `$2`. Null where there is no such row.
   */
  readonly stampOf: (id: string) => string
}

/**
 * Thrown by rules whose facts contradict each other: one was read before a change and the other after it. `commit` reads
 * them again, and what contradicts itself even then is a bug.
 */
export class ContradictoryFacts extends Error {
  override readonly name = 'ContradictoryFacts'
}

/** The row of this book whose columns are these. Names, keys and working copies are deleted; records are marked. */
export interface Delete {
  readonly table: DeleteTable
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

export interface FinalAnswer {
  readonly recording: Recording
  readonly reply: Reply
}

/** A total with a limit that many payments share, such as the volume of a corridor on one day. */
export interface Count {
  readonly counter: string
  /** Negative gives back what was counted before. */
  readonly addMinor: bigint
  /** Whether the total may be below zero; any other stops there. */
  readonly isSigned?: true
  /** Without one the count is never refused. */
  readonly limitMinor?: bigint
  readonly exceeded?: (usedMinor: bigint) => Failure
}

export interface NewJob {
  readonly kind: string
  readonly payload: object
  /** The book's time. Default: now. */
  readonly runAt?: Instant
  /**
   * At most one pending job of this kind has the key. A second makes one that waits run earlier, and one that
   * runs already run once more. All jobs of a key mean the same work: what differs is in the rows they read.
   */
  readonly key?: string
  /** Whether nobody can have written one of its key before: the process that writes it may run it without a claim. */
  readonly isFirst?: true
  /** Taken from the start by the one who writes it and will run it himself: see `JobRunner.own`. */
  readonly owner?: JobOwner
}

/** The right to run a job, and to finish it. Whoever takes it over has another token. */
export interface JobClaim {
  readonly id: string
  readonly claim: string
}

export interface JobOwner extends JobClaim {
  /** Real time at which others may take it. */
  readonly leaseEnd: Instant
}

export interface NewEvent {
  readonly type: string
  /** Events of one resource are first attempted in the order of their commits. */
  readonly resourceId: string
  /**
   * The customer whom it tells of, or null. Erasure goes by it, so it is named by who makes the event, and not found in what
   * the event says.
   */
  readonly subjectId: string | null
  /** The resource as its GET shows it, at this very moment. */
  readonly data: object | ((after: After) => object)
  /** Default: retried for seven days. 1 for what is sent once. */
  readonly maxAttempts?: number
  /** What the endpoint's answer decides: sent once, with less time to answer (webhooks 3.4). */
  readonly question?: Question
  /** Several of these may carry one time of change (db/changes.ts): then only the last of them is sent. */
  readonly isOfBalance?: true
}

/** Who takes the answer to an event, and what it is about. `kind` names an `AnswerHandler`. */
export interface Question {
  readonly kind: string
  readonly payload: object
}

/** What a decision can see of its own effect. */
export interface After {
  /** Posted credits minus posted and pending debits, minor units. Only of guarded accounts it moved, and of those it `shows`. */
  balance(ledgerAccount: string): bigint
  /** Its pending debits: what is reserved. */
  held(ledgerAccount: string): bigint
  /** How often an internal account has changed, this change included, or as of so many changes before. */
  version(internalAccountId: string, changesAgo?: number): bigint
  /** When it changed, in the same order. */
  changedAt(internalAccountId: string, changesAgo?: number): Instant
}

/** An internal account that a decision changes without moving money on it. */
export interface ChangedAccount {
  readonly id: string
  readonly currency: string
  /** When it changed before, as far as the facts show. */
  readonly updatedAt: Instant
}

export interface Shortage {
  readonly ledgerAccount: string
  readonly availableMinor: bigint
  readonly requiredMinor: bigint
  readonly currency: string
}

export type GuardedTable = keyof GuardedTables
export type InsertTable = GuardedTable | keyof InsertedTables
export type DeleteTable = keyof DeletedTables

export type Applied<T> = Result<T, Failure | Stale>

/** The facts had changed by the time of applying; load them again and decide anew. */
export interface Stale {
  readonly code: 'STALE'
}
export const stale: Stale = { code: 'STALE' }

/** Somebody else has the job meanwhile, so this outcome of it does not count. Only jobs meet it. */
export const claimLost: Failure = fail('CONFLICT', { reason: 'JOB_TAKEN_OVER' })
