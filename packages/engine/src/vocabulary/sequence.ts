import { assert } from '@corridor/kernel'
import type { After, Decision, Insert, NewEvent, Requirement, Transfer, Update } from './decision.ts'

/**
 * Two decisions as one: what is left when `first` is committed and `second` right after it, with every event of both
 * as it would have been then. `second` was decided from what `first` leaves, so the guards of `first` speak for both
 * where they name the same row, and make it unnecessary to require one that it inserts or moves; the job that would have led from one to the other is the caller's to leave out.
 */
export function inSequence<T>(first: Decision, second: Decision<T>): Decision<T> {
  assert(!first.refusal && !second.refusal, 'nothing follows a decision that refuses its caller')
  assert(!second.deletes?.length, 'what is deleted may be what the decision before it inserts')
  const { updates, inserts } = merged(first, second)
  const later = second.transfers ?? []
  return {
    updates,
    inserts: [...inserts, ...(second.inserts ?? [])],
    requires: [...(first.requires ?? []), ...(second.requires ?? []).filter(holdsBefore(first))],
    deletes: first.deletes ?? [],
    transfers: [...(first.transfers ?? []), ...later],
    steps: [...stepsOf(first), ...stepsOf(second)],
    changes: [...(first.changes ?? []), ...(second.changes ?? [])],
    // Whoever begins to move money is told what is missing; a later step of it has only what the first gave it.
    uncovered: (shortage) => first.uncovered?.(shortage) ?? second.uncovered?.(shortage),
    counts: [...(first.counts ?? []), ...(second.counts ?? [])],
    jobs: [...(first.jobs ?? []), ...(second.jobs ?? [])],
    events: [...(first.events ?? []).map((event) => toldBefore(second, event)), ...(second.events ?? [])],
    completes: [...(first.completes ?? []), ...(second.completes ?? [])],
    answers: [...(first.answers ?? []), ...(second.answers ?? [])],
    statements: [...(first.statements ?? []), ...(second.statements ?? [])],
    unique: { ...first.unique, ...second.unique },
    result: second.result,
  }
}

/** What transfers do to what an account can spend, and to what is held of it, in its minor units. */
export function effectOf(
  transfers: readonly Pick<Transfer, 'debit' | 'credit' | 'amountMinor' | 'kind'>[],
  ledgerAccount: string,
) {
  let spendable = 0n
  let held = 0n
  for (const { debit, credit, amountMinor, kind = 'POSTED' } of transfers) {
    if (debit === ledgerAccount) {
      if (kind === 'PENDING') held += amountMinor
      else if (kind !== 'POSTED') held -= amountMinor
      // What is posted after it was held could not be spent any more before that.
      if (kind === 'VOID_PENDING') spendable += amountMinor
      else if (kind !== 'POST_PENDING') spendable -= amountMinor
    }
    if (credit === ledgerAccount && (kind === 'POSTED' || kind === 'POST_PENDING')) spendable += amountMinor
  }
  return { spendable, held }
}

/** Rows that both change are changed once, and one that `first` inserts is inserted as `second` leaves it. */
function merged(first: Decision, second: Decision): { updates: Update[]; inserts: Insert[] } {
  const updates = [...(first.updates ?? [])]
  const inserts = [...(first.inserts ?? [])]
  for (const update of second.updates ?? []) {
    const isSame = ({ table, id }: { table: string; id: unknown }) =>
      table === update.table && id === update.id
    const inserted = inserts.findIndex(({ table, row }) => isSame({ table, id: row.id }))
    const updated = updates.findIndex(isSame)
    if (inserted >= 0) {
      const { row, ...insert } = inserts[inserted]!
      inserts[inserted] = { ...insert, row: { ...row, ...update.set } }
    } else if (updated >= 0) {
      const before = updates[updated]!
      // A guard that only `second` has still holds for what stood there before both.
      const from = before.from ?? ('status' in before.set ? undefined : update.from)
      updates[updated] = { ...before, ...(from ? { from } : {}), set: { ...before.set, ...update.set } }
    } else {
      updates.push(update)
    }
  }
  return { updates, inserts }
}

/** Whether what is required of a row can be asked of it before `first`: not of one that is only there, or only so, after it. */
function holdsBefore({ inserts = [], updates = [] }: Decision) {
  return ({ table, id, version, from }: Requirement): boolean => {
    if (inserts.some((insert) => insert.table === table && insert.row.id === id)) return false
    const update = updates.find((each) => each.table === table && each.id === id)
    return !update || (version === undefined && !(from && 'status' in update.set))
  }
}

function stepsOf({ steps, transfers = [] }: Decision): readonly number[] {
  return steps ?? [transfers.length]
}

/** The internal accounts that a decision changes, once for each of its steps that does. */
export function changedBy({ steps, transfers = [], changes = [] }: Decision): string[] {
  const changed: string[] = []
  let [step, left, first] = [0, steps?.[0] ?? transfers.length, 0]
  for (const { debit, credit } of transfers) {
    while (left === 0 && steps && step < steps.length - 1) {
      left = steps[++step]!
      first = changed.length
    }
    left--
    for (const id of [holderOf(debit), holderOf(credit)]) {
      if (id !== undefined && !changed.includes(id, first)) changed.push(id)
    }
  }
  for (const { id } of changes) changed.push(id)
  return changed
}

/** The internal account that a ledger account is a part of. */
function holderOf(ledgerAccount: string): string | undefined {
  if (ledgerAccount.startsWith('avail:')) return ledgerAccount.slice('avail:'.length)
  if (ledgerAccount.startsWith('pend:')) return ledgerAccount.slice('pend:'.length)
  return undefined
}

/** The event as it was before the decision that follows: what it shows of a balance is from then. */
function toldBefore(second: Decision, event: NewEvent): NewEvent {
  const { data } = event
  if (typeof data !== 'function') return event
  const later = second.transfers ?? []
  const changed = changedBy(second)
  const changesOf = (account: string) => changed.filter((id) => id === account).length
  const then = (after: After): After => ({
    balance: (account) => after.balance(account) - effectOf(later, account).spendable,
    held: (account) => after.held(account) - effectOf(later, account).held,
    version: (account, ago = 0) => after.version(account, ago + changesOf(account)),
    changedAt: (account, ago = 0) => after.changedAt(account, ago + changesOf(account)),
  })
  return { ...event, data: (after) => data(then(after)) }
}
