import { assert, type Instant, largestWireMinor } from '@corridor/kernel'
import {
  type After,
  claimLost,
  type Decision,
  type GuardedTable,
  type Requirement,
  type Shortage,
  type Stale,
  stale,
  type Transfer,
} from '../../vocabulary/decision.ts'
import { type Failure, outOfRange } from '../../vocabulary/errors.ts'
import { changedBy, effectOf } from '../../vocabulary/sequence.ts'
import { availableOf, isOfHolder, mustNotGoNegative } from '../ledger/chart.ts'
import { type Changes, type LastChange, timeOfChange } from './changes.ts'
import { type Counted, countOn } from './counters.ts'
import type { Guard } from './guards.ts'
import type { Balance } from './known-balances.ts'
import { reliedKey } from './relied.ts'

/** A guarded row as it is locked in the transaction, then as the batch leaves it. */
export interface GuardedRow {
  readonly table: GuardedTable
  readonly id: string
  /** Undefined while nothing says it, where the row was not read. */
  version: bigint | undefined
  /** By how much accepted decisions have raised it. */
  raised: bigint
  /** The same. */
  status: string | null | undefined
  /** Columns that accepted decisions of this batch set; undefined while none has touched the row. */
  set: Record<string, unknown> | undefined
}

/** What a batch adds to one account. */
export interface LedgerDelta {
  readonly currency: string
  debitsPosted: bigint
  creditsPosted: bigint
  debitsPending: bigint
  creditsPending: bigint
}

/** A pending transfer that decisions of the batch may resolve. */
export interface PendingTransfer {
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amountMinor: bigint
  resolved: boolean
}

/** Everything the verdicts depend on, loaded under lock or taken for granted. Mutated as decisions are accepted in order. */
export interface BatchState {
  readonly rows: Map<string, GuardedRow>
  /** What must be true of rows that were not read, because it was taken to be. Undefined where they were read. */
  readonly guards: Guard[] | undefined
  /**
   * What stood in guarded accounts before the batch, read under lock; one that is absent does not exist
   * yet. Undefined when nothing was read: then every transfer is taken for covered, and `needed` says what
   * must be true for that.
   */
  readonly balances: ReadonlyMap<string, Balance> | undefined
  /** Accounts of those that are frozen. */
  readonly frozen: ReadonlySet<string>
  /** Accounts that accepted decisions change as no frozen account may be changed: the write refuses where one is. */
  readonly unfrozen: Set<string>
  /** Balances that are known without being read. */
  readonly known: (account: string) => Balance | undefined
  /** Balances that were looked at, as they were before the batch: they must be so where they were not read. */
  readonly consulted: Map<string, Balance>
  /** What a guarded account must have had before the batch to cover what was accepted, where not read. */
  readonly needed: Map<string, bigint>
  /** What accepted decisions add, by account. */
  readonly deltas: Map<string, LedgerDelta>
  /** Changes of internal accounts, by the ledger account that counts them. */
  readonly changes: Map<string, Changes>
  /** The latest time that a change may carry, known once it is decided. */
  latestChange: Instant
  readonly pending: Map<string, PendingTransfer>
  readonly transferIds: Set<string>
  /** What every counter of the batch stands at, as the decisions so far leave it. Undefined when not read. */
  readonly counters: Map<string, bigint> | undefined
  /** The tokens of the jobs that are finished, as locked. Undefined when every claim is taken to hold. */
  readonly claims: ReadonlyMap<string, string | null> | undefined
  /** What has changed of what decisions rely on, by `reliedKey`. Empty when nothing was compared yet. */
  readonly outdated: ReadonlySet<string>
  /** What is added to counters that were not read. */
  readonly counted: Map<string, Counted>
}

/** A transfer with everything filled in, ready to be written. */
export type ResolvedTransfer = Required<Omit<Transfer, 'pendingId'>> & { readonly pendingId: string | null }

export type Verdict =
  | { readonly accepted: true; readonly transfers: readonly ResolvedTransfer[]; readonly after: After }
  | { readonly accepted: false; readonly failure: Failure | Stale }

export function rowKey(table: string, id: string): string {
  return `${table} ${id}`
}

/**
 * Decides one decision against the state that those before it left: first the guards of its rows, then
 * its transfers in order. A refused decision leaves the state untouched. Pure apart from that state.
 */
export function evaluate(state: BatchState, decision: Decision, at: Instant): Verdict {
  for (const { id, claim } of decision.completes ?? []) {
    if (state.claims && state.claims.get(id) !== claim) return { accepted: false, failure: claimLost }
  }
  if (state.outdated.size > 0 && decision.relies?.some((each) => state.outdated.has(reliedKey(each)))) {
    return { accepted: false, failure: stale }
  }
  const guards: readonly Requirement[] = [...(decision.updates ?? []), ...(decision.requires ?? [])]
  for (const guard of guards) {
    if (!holds(state, guard)) return { accepted: false, failure: guard.orElse ?? stale }
  }

  const transfers: ResolvedTransfer[] = []
  const undo: (() => void)[] = []
  const refuse = (failure: Failure | Stale): Verdict => {
    for (const step of undo.reverse()) step()
    return { accepted: false, failure }
  }
  for (const transfer of decision.transfers ?? []) {
    if (state.transferIds.has(transfer.id)) return refuse(stale)
    const kind = transfer.kind ?? 'POSTED'
    if (kind === 'POSTED' || kind === 'PENDING') {
      assert(transfer.amountMinor > 0n, `transfer ${transfer.id} moves a positive amount`)
      const shortage = shortageOf(state, transfer)
      // Without an answer of its own the decision was made from a balance that has changed since.
      if (shortage) return refuse(decision.uncovered?.(shortage) ?? stale)
      transfers.push({ ...transfer, kind, pendingId: null })
      if (kind === 'PENDING') {
        state.pending.set(transfer.id, { ...transfer, resolved: false })
        undo.push(() => state.pending.delete(transfer.id))
      }
    } else {
      const hold = state.pending.get(transfer.pendingId ?? '')
      if (!hold || hold.resolved) return refuse(stale)
      hold.resolved = true
      undo.push(() => {
        hold.resolved = false
      })
      const { debit, credit, currency, amountMinor } = hold
      transfers.push({
        id: transfer.id,
        kind,
        debit,
        credit,
        currency,
        amountMinor,
        pendingId: transfer.pendingId!,
      })
    }
    const written = transfers[transfers.length - 1]!
    state.transferIds.add(written.id)
    move(state, written, 1n)
    undo.push(() => {
      state.transferIds.delete(written.id)
      move(state, written, -1n)
    })
  }

  const full = transfers.find(({ credit }) => isOverfull(state, credit))
  if (full) {
    return refuse(outOfRange(full.currency, { reason: 'BALANCE' }))
  }

  const moved = changedFreely(transfers)
  if (moved.some((account) => state.frozen.has(account))) return refuse(stale)
  for (const account of moved) state.unfrozen.add(account)

  for (const count of decision.counts ?? []) {
    const { counter, addMinor, limitMinor, exceeded } = count
    const { counters } = state
    if (!counters) {
      state.counted.set(counter, countOn(state.counted.get(counter), count))
      continue
    }
    const before = counters.get(counter) ?? 0n
    const sum = before + addMinor
    const after = count.isSigned || sum > 0n ? sum : 0n
    if (limitMinor !== undefined && addMinor > 0n && after > limitMinor)
      return refuse(exceeded?.(before) ?? stale)
    counters.set(counter, after)
    undo.push(() => counters.set(counter, before))
  }

  for (const update of decision.updates ?? []) {
    const row = state.rows.get(rowKey(update.table, update.id))!
    if (row.version !== undefined) row.version += 1n
    row.raised += 1n
    if (typeof update.set.status === 'string') row.status = update.set.status
    row.set = { ...row.set, ...update.set }
  }
  noteChanges(state, decision, at)
  return {
    accepted: true,
    transfers,
    after: {
      balance: (account) => balanceOf(state, account),
      held: (account) => heldOn(state, account),
      version: (id, ago = 0) => lastChange(state, availableOf(id), ago).version,
      changedAt: (id, ago = 0) => lastChange(state, availableOf(id), ago).changedAt!,
    },
  }
}

/** Whether the row is as a decision needs it. One that was not read is taken to be, and has to be when it is written. */
function holds({ rows, guards }: BatchState, { table, id, version, from }: Requirement): boolean {
  const row = rows.get(rowKey(table, id))
  if (!guards || row?.set) {
    if (!row) return false
    // Changed by a decision before, so what it was taken to be says nothing of what it is.
    if ((version !== undefined && row.version === undefined) || (from && row.status === undefined))
      throw new NotRead()
    if (version !== undefined && version !== row.version) return false
    return !from || from.includes(row.status ?? '')
  }
  guards.push({ table, id, ...(version === undefined ? {} : { version }), ...(from ? { from } : {}) })
  if (row) row.version ??= version
  else rows.set(rowKey(table, id), { table, id, version, raised: 0n, status: undefined, set: undefined })
  return true
}

/**
 * The holders' accounts that these transfers change as no frozen account may be changed: a new debit, held or posted, or a
 * credit. What was held before the freeze was not the holder's to spend: it is taken, or released, all the same.
 */
function changedFreely(transfers: readonly ResolvedTransfer[]): string[] {
  const accounts = new Set(transfers.flatMap(({ debit, credit }) => [debit, credit]).filter(isOfHolder))
  return [...accounts].filter((account) => {
    const { spendable, held } = effectOf(transfers, account)
    return spendable < 0n || spendable + held > 0n
  })
}

/** Whether more would stand in a holder's account than can be told. */
function isOverfull(state: BatchState, account: string): boolean {
  if (!mustNotGoNegative(account) || !(state.balances || state.known(account))) return false
  const isFull = balanceOf(state, account) + heldOn(state, account) > largestWireMinor
  // Nobody is refused for what was not read.
  if (isFull && !state.balances) throw new NotRead()
  return isFull
}

function shortageOf(state: BatchState, transfer: Transfer): Shortage | undefined {
  if (!mustNotGoNegative(transfer.debit)) return undefined
  if (!state.balances) {
    const neededMinor = transfer.amountMinor - addedTo(state, transfer.debit)
    if (neededMinor > (state.needed.get(transfer.debit) ?? 0n)) state.needed.set(transfer.debit, neededMinor)
    const known = state.known(transfer.debit)
    if (known && known.spendable < neededMinor) throw new NotRead()
    return undefined
  }
  const availableMinor = balanceOf(state, transfer.debit)
  if (availableMinor >= transfer.amountMinor) return undefined
  return {
    ledgerAccount: transfer.debit,
    availableMinor,
    requiredMinor: transfer.amountMinor,
    currency: transfer.currency,
  }
}

function balanceOf(state: BatchState, account: string): bigint {
  return before(state, account).spendable + addedTo(state, account)
}

function heldOn(state: BatchState, account: string): bigint {
  return before(state, account).held + (state.deltas.get(account)?.debitsPending ?? 0n)
}

/** What stood there before the batch. Whoever looks at it relies on it. */
function before({ balances, known, consulted }: BatchState, account: string): Balance {
  let balance = consulted.get(account)
  if (!balance) {
    balance = balances ? (balances.get(account) ?? nothingYet) : known(account)
    if (!balance) throw new NotRead()
    consulted.set(account, balance)
  }
  return balance
}

function addedTo(state: BatchState, account: string): bigint {
  const delta = state.deltas.get(account)
  return delta ? delta.creditsPosted - delta.debitsPosted - delta.debitsPending : 0n
}

const nothingYet: Balance = { spendable: 0n, held: 0n, version: 0n, changedAt: undefined }

/** Counts what the decision changes of internal accounts. */
function noteChanges(state: BatchState, decision: Decision, at: Instant): void {
  for (const id of changedBy(decision)) {
    const account = availableOf(id)
    let changes = state.changes.get(account)
    if (!changes) {
      changes = { decidedAt: [], carried: [] }
      state.changes.set(account, changes)
    }
    const changed = decision.changes?.find((each) => each.id === id)
    changes.decidedAt.push(changed ? Math.max(at, changed.updatedAt + 1) : at)
    // Its row is written although nothing moves on it.
    if (!state.deltas.has(account)) deltaOf(state, account, changed?.currency ?? currencyOf(state, id))
  }
}

/** The currency of an internal account of which something else has moved than what can be spent. */
function currencyOf({ deltas }: BatchState, id: string): string {
  for (const [account, { currency }] of deltas) {
    if (isOfHolder(account) && account.endsWith(`:${id}`)) return currency
  }
  throw new Error(`assertion failed: ${id} has a currency`)
}

/** The change of an internal account that the batch makes last, or so many before it. Whoever looks at it relies on what was before. */
export function lastChange(state: BatchState, account: string, ago = 0): LastChange {
  const last = before(state, account)
  const changes = state.changes.get(account)
  if (!changes) return last
  return {
    version: last.version + BigInt(changes.decidedAt.length - ago),
    changedAt: timeOfChange(changes, ago, last, state.latestChange),
  }
}

/** Thrown when a decision depends on what a batch has not read. */
export class NotRead extends Error {}

/** Adds (or, with sign −1, takes back) what a transfer does to its two accounts. */
function move(state: BatchState, transfer: ResolvedTransfer, sign: 1n | -1n): void {
  const amount = transfer.amountMinor * sign
  const debit = deltaOf(state, transfer.debit, transfer.currency)
  const credit = deltaOf(state, transfer.credit, transfer.currency)
  const { kind } = transfer
  if (kind === 'PENDING') {
    debit.debitsPending += amount
    credit.creditsPending += amount
    return
  }
  if (kind === 'POST_PENDING' || kind === 'VOID_PENDING') {
    debit.debitsPending -= amount
    credit.creditsPending -= amount
    if (kind === 'VOID_PENDING') return
  }
  debit.debitsPosted += amount
  credit.creditsPosted += amount
}

function deltaOf(state: BatchState, account: string, currency: string) {
  let delta = state.deltas.get(account)
  if (!delta) {
    delta = { debitsPosted: 0n, creditsPosted: 0n, debitsPending: 0n, creditsPending: 0n, currency }
    state.deltas.set(account, delta)
  }
  assert(delta.currency === currency, `ledger account ${account} holds one currency`)
  return delta
}
