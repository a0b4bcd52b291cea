import { effort, proofSeed } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PullCourse } from '../../ports/card-processor.ts'
import type { CardTransactionRecord } from './card-transaction.ts'
import { returnedMinor, standingReturns } from './card-transaction.ts'
import {
  authorize,
  authorizeCredit,
  type CardStep,
  clear,
  confirmPull,
  expire,
  failPull,
  giveBack,
  lower,
  raise,
  resolve,
  reverseReturn,
} from './lifecycle.ts'
import { toTransfers } from './postings.ts'
import { openRefusal, returnRefusal, reversalRefusal } from './transaction-rules.ts'

/*
 * Random lives of card transactions over one balance, beside a plain model that knows nothing of postings: what
 * the holder has, what is reserved, what is owed to the network and what it was paid without cover.
 */

const account = 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' as const

/** `expect` is too slow for millions of comparisons. */
function same<T>(found: T, wanted: T, after: string): void {
  if (found !== wanted) throw new Error(`after ${after}: ${found} instead of ${wanted}`)
}

/** A ledger as simple as can be: balances, and pending debits by id. */
class Ledger {
  readonly balances = new Map<string, bigint>()
  readonly pending = new Map<string, { debit: string; credit: string; amountMinor: bigint }>()
  readonly ids = new Set<string>()

  of(key: string): bigint {
    return this.balances.get(key) ?? 0n
  }
  get held(): bigint {
    return [...this.pending.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  }
  get available(): bigint {
    return this.of(`avail:${account}`) - this.held
  }
  move(debit: string, credit: string, amountMinor: bigint): void {
    this.balances.set(debit, this.of(debit) - amountMinor)
    this.balances.set(credit, this.of(credit) + amountMinor)
  }
  apply(transfers: ReturnType<typeof toTransfers>['transfers']): void {
    for (const { id, debit, credit, amountMinor, kind = 'POSTED', pendingId } of transfers) {
      same(this.ids.has(id), false, 'an id is new')
      this.ids.add(id)
      same(amountMinor > 0n, true, 'an amount is positive')
      if (kind === 'POSTED') this.move(debit, credit, amountMinor)
      else if (kind === 'PENDING') this.pending.set(id, { debit, credit, amountMinor })
      else {
        const hold = this.pending.get(pendingId!)!
        same(hold !== undefined, true, 'a hold ends once')
        this.pending.delete(pendingId!)
        if (kind === 'POST_PENDING') this.move(hold.debit, hold.credit, hold.amountMinor)
      }
      same(this.available >= 0n, true, 'nothing is spent that is not there')
    }
  }
}

/** The plain model of one transaction, in cents. */
interface Plain {
  /** Taken from the holder for claims, reserved included; and how much of it is reserved only. */
  taken: bigint
  reserved: bigint
  /** Taken back of returns, reserved only. */
  reversing: bigint
  claimed: bigint
  /** Given to the holder: returns that stand for him, and credits. */
  given: bigint
  networkPaid: bigint
  uncovered: bigint
  /** Returns that the network took back and the holder still has. */
  uncoveredReturns: bigint
}

const operation = fc.record({
  what: fc.constantFrom(
    'purchase',
    'purchase',
    'credit',
    'clear',
    'clear',
    'clear',
    'clearAll',
    'clearMore',
    'late',
    'end',
    'confirm',
    'fail',
    'raise',
    'lower',
    'return',
    'returnAll',
    'reverse',
    'resolve',
    'freeze',
    'spend',
    'topUp',
  ),
  which: fc.nat(5),
  amount: fc.bigInt(1n, 400n),
  course: fc.constantFrom<PullCourse>('AT_ONCE', 'AT_ONCE', 'AT_ONCE', 'REFUSED', 'CONFIRMED_LATER'),
})

function fresh(index: number, direction: 'CREDIT' | 'DEBIT', amount: bigint): CardTransactionRecord {
  return {
    id: `CardTransaction:${index}` as never,
    version: 0n,
    cardId: 'Card:1' as never,
    customerId: 'Customer:1' as never,
    platformCustomerId: 'one',
    accountId: account,
    token: `token ${index}`,
    status: 'AUTHORIZED',
    direction,
    merchant: { descriptor: 'SHOP' },
    currency: 'USD',
    fundingCurrency: 'USD',
    authorizedMinor: amount,
    clearedMinor: 0n,
    heldMinor: 0n,
    holds: [],
    pulledMinor: 0n,
    owedMinor: 0n,
    owedReturnsMinor: 0n,
    clearings: 0,
    pulls: 0,
    pendingPulls: 0,
    returns: [],
    isExpired: false,
    lastEventAt: null,
    createdAt: 0,
    updatedAt: 0,
  }
}

function play(
  operations: readonly { what: string; which: number; amount: bigint; course: PullCourse }[],
): number {
  const ledger = new Ledger()
  ledger.balances.set(`avail:${account}`, 1_000n)
  ledger.balances.set('outside', -1_000n)
  let outside = 1_000n
  let isFrozen = false
  let steps = 0
  const transactions: CardTransactionRecord[] = []
  const plain: Plain[] = []

  const commit = (index: number, before: CardTransactionRecord, step: CardStep) => {
    const { transfers, holds } = toTransfers(before, step.postings)
    ledger.apply(transfers)
    transactions[index] = { ...step.transaction, holds, version: before.version + 1n }
    steps++
  }
  const free = () => outside - plain.reduce((sum, each) => sum + each.taken - each.given, 0n)

  for (const { what, which, amount, course } of operations) {
    if (what === 'freeze') isFrozen = !isFrozen
    if (what === 'topUp') {
      ledger.move('outside', `avail:${account}`, amount)
      outside += amount
    }
    if (what === 'spend' && free() >= amount) {
      ledger.move(`avail:${account}`, 'outside', amount)
      outside -= amount
    }
    if (what === 'purchase' && !isFrozen && free() >= amount) {
      const index = transactions.length
      const before = fresh(index, 'DEBIT', amount)
      plain.push({
        taken: amount,
        reserved: amount,
        reversing: 0n,
        claimed: 0n,
        given: 0n,
        networkPaid: 0n,
        uncovered: 0n,
        uncoveredReturns: 0n,
      })
      commit(index, before, authorize(before))
    }
    if (what === 'credit' && !isFrozen) {
      const index = transactions.length
      const before = fresh(index, 'CREDIT', amount)
      plain.push({
        taken: 0n,
        reserved: 0n,
        reversing: 0n,
        claimed: 0n,
        given: 0n,
        networkPaid: 0n,
        uncovered: 0n,
        uncoveredReturns: 0n,
      })
      commit(index, before, authorizeCredit(before))
    }
    const index = which % Math.max(1, transactions.length)
    const before = transactions[index]
    const model = plain[index]
    if (!before || !model) continue
    const isOpen = openRefusal(before) === undefined
    const isDebit = before.direction === 'DEBIT'
    const charge = { availableMinor: ledger.available, course }
    const giveUpRest = () => {
      const rest = model.taken - model.claimed
      if (rest <= 0n || !isDebit) return
      model.taken -= rest
      model.reserved = model.reserved > rest ? model.reserved - rest : 0n
    }
    /** A claim of x: what is missing is charged, or the network is paid without cover. */
    const claim = (x: bigint, isLate = false) => {
      commit(index, before, clear(before, x, 1, charge))
      model.claimed += x
      if (!isDebit) {
        model.given += x
        model.networkPaid -= x
        return
      }
      model.networkPaid += x
      const missing = model.claimed - model.taken
      if (missing <= 0n || (!isLate && model.claimed <= before.authorizedMinor)) return
      if (course === 'REFUSED' || charge.availableMinor < missing) model.uncovered += missing
      else {
        model.taken += missing
        if (course === 'CONFIRMED_LATER') model.reserved += missing
      }
    }

    if (what === 'clear' && isOpen) claim(amount)
    if (what === 'clearAll' && isOpen) {
      const rest = before.authorizedMinor - before.clearedMinor
      if (rest > 0n) claim(rest)
    }
    if (what === 'clearMore' && isOpen) claim(before.authorizedMinor - before.clearedMinor + amount)
    if (
      what === 'late' &&
      before.status === 'SETTLED' &&
      isDebit &&
      returnedMinor(before) === 0n &&
      before.owedMinor === 0n
    )
      claim(amount, true)
    if (what === 'end' && isOpen) {
      commit(index, before, expire(before, 1))
      giveUpRest()
    }
    const hold = before.holds[Number(amount) % Math.max(1, before.holds.length)]
    if (what === 'confirm' && hold) {
      commit(index, before, confirmPull(before, hold, 1))
      if (hold.isReversal) model.reversing -= BigInt(hold.amount)
      else model.reserved -= BigInt(hold.amount)
    }
    if (what === 'fail' && hold) {
      const failed = BigInt(hold.amount)
      commit(index, before, failPull(before, hold, 1))
      if (hold.isReversal) {
        model.reversing -= failed
        model.given += failed
        model.uncoveredReturns += failed
      } else {
        model.reserved -= failed
        model.taken -= failed
        model.uncovered += failed
      }
    }
    if (what === 'raise' && isOpen && (!isDebit || free() >= amount)) {
      commit(index, before, raise(before, before.authorizedMinor + amount, 1, charge))
      if (isDebit && course === 'REFUSED') model.uncovered += amount
      else if (isDebit) {
        model.taken += amount
        model.reserved += amount
      }
    }
    if (
      what === 'lower' &&
      isOpen &&
      before.authorizedMinor - amount >= before.clearedMinor &&
      before.authorizedMinor > amount
    ) {
      commit(index, before, lower(before, before.authorizedMinor - amount, 1))
      if (isDebit) {
        model.taken -= amount
        model.reserved = model.reserved > amount ? model.reserved - amount : 0n
      }
    }
    if (what === 'return' || what === 'returnAll') {
      const rest = before.clearedMinor - returnedMinor(before)
      const r = what === 'returnAll' ? rest : amount
      if (r > 0n && returnRefusal(before, r) === undefined) {
        commit(index, before, giveBack(before, r, 1))
        model.given += r
        model.networkPaid -= r
        if (r === rest && before.status === 'PARTIALLY_SETTLED') giveUpRest()
      }
    }
    if (what === 'reverse' && reversalRefusal(before) === undefined) {
      const r = BigInt(standingReturns(before).at(-1)!.amount)
      commit(index, before, reverseReturn(before, 1, { ...charge, place: 'HOLDER' }))
      model.networkPaid += r
      if (course === 'REFUSED' || charge.availableMinor < r) model.uncoveredReturns += r
      else {
        model.given -= r
        if (course === 'CONFIRMED_LATER') model.reversing += r
      }
    }
    if (what === 'resolve' && before.status === 'EXCEPTION') {
      const owed = model.uncovered + model.uncoveredReturns
      if (free() >= owed) {
        commit(index, before, resolve(before, 1))
        model.taken += model.uncovered
        model.given -= model.uncoveredReturns
        model.uncovered = 0n
        model.uncoveredReturns = 0n
        if (model.claimed > 0n) giveUpRest()
      }
    }

    const sum = (read: (each: Plain) => bigint) => plain.reduce((total, each) => total + read(each), 0n)
    same(ledger.available, free(), what)
    same(
      ledger.held,
      sum(({ reserved, reversing }) => reserved + reversing),
      what,
    )
    same(
      ledger.of('cardnet:USD'),
      sum(({ networkPaid }) => networkPaid),
      what,
    )
    const uncovered = sum((each) => each.uncovered + each.uncoveredReturns)
    same(-ledger.of('cardexc:USD'), uncovered, what)
    same(
      [...ledger.balances.values()].reduce((total, each) => total + each, 0n),
      0n,
      'the sum of all balances',
    )
    for (const each of transactions) {
      same(
        each.heldMinor,
        each.holds
          .filter(({ isReversal }) => !isReversal)
          .reduce((total, { amount: held }) => total + BigInt(held), 0n),
        'holds',
      )
      same(each.pendingPulls, each.holds.length, 'pending charges')
      for (const minor of [each.pulledMinor, each.owedMinor, each.owedReturnsMinor])
        same(minor >= 0n, true, what)
    }
  }
  return steps
}

const lives = effort(2_000, 100_000)

describe('random lives of card transactions', () => {
  it('leave holds and balances as a plain model has them, and nothing negative', () => {
    let steps = 0
    fc.assert(
      fc.property(fc.array(operation, { minLength: 15, maxLength: 40, size: 'max' }), (operations) => {
        steps += play(operations)
      }),
      { numRuns: lives, seed: proofSeed(15) },
    )
    // The generator would prove nothing if it were refused most of the time.
    expect(steps).toBeGreaterThan(5 * lives)
  })
})
