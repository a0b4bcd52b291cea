import { assert, type Instant, step } from '@corridor/kernel'
import type { PullCourse } from '../../ports/card-processor.ts'
import { type CardTransactionRecord, returnedMinor, standingReturns } from './card-transaction.ts'
import type { CardTransactionStatus } from './card-transaction-schemas.ts'
import { cardTransactionMachine } from './machine.ts'
import { type CardHold, type CardPosting, charge as chargeHold, free, move, reserve } from './postings.ts'

/**
 * What every message of the network makes of a transaction (cards 1.6): A authorized, C cleared, R returned,
 * P charged, all in cents. Pure; whether a message is in order at all is decided before.
 */
export interface CardStep {
  readonly transaction: CardTransactionRecord
  readonly postings: readonly CardPosting[]
  /** The statuses that the platform is told of, in order. */
  readonly emits: readonly CardTransactionStatus[]
  /** A charge is to be confirmed later. */
  readonly awaitsPull?: true
}

type Move = (typeof cardTransactionMachine)['transitions'][number]['on']

/** What the account can pay now, in cents rounded down, and how a charge after the first one goes. */
export interface Charge {
  readonly availableMinor: bigint
  /** A frozen account is charged nothing: its owner owes what cannot be refused. */
  readonly isFrozen?: boolean
  readonly course: PullCourse
}

/** The hold of a new purchase; its first charge is confirmed later (cards 1.6, row 1). */
export function authorize(fresh: CardTransactionRecord): CardStep {
  const { authorizedMinor } = fresh
  return {
    transaction: { ...fresh, heldMinor: authorizedMinor, pulls: 1, pendingPulls: 1 },
    postings: reserve(authorizedMinor, { startedAt: fresh.createdAt, isFirst: true }),
    emits: ['AUTHORIZED'],
    awaitsPull: true,
  }
}

/** A credit reserves nothing and charges nothing (cards 1.6, credit family). */
export function authorizeCredit(fresh: CardTransactionRecord): CardStep {
  return { transaction: fresh, postings: [], emits: ['AUTHORIZED'] }
}

/** What is held has been charged; the platform sees no new status, so it is told of none. */
export function confirmPull(before: CardTransactionRecord, hold: CardHold, now: Instant): CardStep {
  const amountMinor = BigInt(hold.amount)
  const taken = hold.isReversal
    ? {}
    : { heldMinor: before.heldMinor - amountMinor, pulledMinor: before.pulledMinor + amountMinor }
  return {
    transaction: { ...before, ...taken, pendingPulls: before.pendingPulls - 1, lastEventAt: now },
    postings: chargeHold(hold),
    emits: [],
    ...whileOthersWait(before),
  }
}

/** The charge looked taken and was not: the hold is released, and the reserve is owed what it counted on. */
export function failPull(before: CardTransactionRecord, hold: CardHold, now: Instant): CardStep {
  const amountMinor = BigInt(hold.amount)
  const { heldMinor, owedMinor, owedReturnsMinor, pendingPulls } = before
  const owed = hold.isReversal
    ? { owedReturnsMinor: owedReturnsMinor + amountMinor }
    : { heldMinor: heldMinor - amountMinor, owedMinor: owedMinor + amountMinor }
  const failed = moved(before, 'failPull', {
    now,
    changes: { ...owed, pendingPulls: pendingPulls - 1 },
    postings: [...move('EXCEPTION', 'RESERVE', amountMinor), ...free(hold, amountMinor)],
  })
  return { ...failed, ...whileOthersWait(before) }
}

/** Whether charges are open besides the one that is decided. */
function whileOthersWait({ holds }: CardTransactionRecord): Pick<CardStep, 'awaitsPull'> {
  return holds.length > 1 ? { awaitsPull: true } : {}
}

/** The merchant claims x > 0 of a purchase or credit (cards 1.6). */
export function clear(before: CardTransactionRecord, x: bigint, now: Instant, charge: Charge): CardStep {
  const { authorizedMinor, clearedMinor, clearings, direction, status } = before
  const cleared = clearedMinor + x
  const isLate = status === 'SETTLED'
  const on: Move = isLate ? 'clearLate' : cleared < authorizedMinor ? 'clearPart' : 'clearAll'
  const changes = { clearedMinor: cleared, clearings: clearings + 1 }
  if (direction === 'CREDIT') {
    return moved(before, on, { now, changes, postings: move('NETWORK', 'AVAILABLE', x) })
  }
  const paid = move('RESERVE', 'NETWORK', x)
  const taken = before.heldMinor + before.pulledMinor
  const missing = cleared > authorizedMinor || isLate ? cleared - taken : 0n
  if (missing <= 0n) return moved(before, on, { now, changes, postings: paid })
  const pulls = before.pulls + 1
  if (isRefused(charge, missing)) {
    return moved(before, 'failPull', {
      now,
      changes: { ...changes, pulls, owedMinor: before.owedMinor + missing },
      postings: [...move('EXCEPTION', 'RESERVE', missing), ...paid],
    })
  }
  if (!charge.isFrozen && charge.course === 'CONFIRMED_LATER') {
    const held = { heldMinor: before.heldMinor + missing, pendingPulls: before.pendingPulls + 1 }
    const postings = [...reserve(missing, { startedAt: now }), ...paid]
    return {
      ...moved(before, on, { now, changes: { ...changes, ...held, pulls }, postings }),
      awaitsPull: true,
    }
  }
  return moved(before, on, {
    now,
    changes: { ...changes, pulls, pulledMinor: before.pulledMinor + missing },
    postings: [...move('AVAILABLE', 'RESERVE', missing), ...paid],
  })
}

function isRefused({ course, availableMinor, isFrozen }: Charge, amountMinor: bigint): boolean {
  return !isFrozen && (course === 'REFUSED' || availableMinor < amountMinor)
}

/** Nothing more will be claimed: what was reserved and not claimed goes back (a clearing of zero, or time). */
export function expire(before: CardTransactionRecord, now: Instant): CardStep {
  const isExpired = before.clearedMinor === 0n
  const freed = release(before, unclaimed(before))
  return moved(before, 'expire', { now, changes: { ...freed.changes, isExpired }, postings: freed.postings })
}

/** More is wanted than was approved; tests 5 and 8 have passed for it. */
export function raise(before: CardTransactionRecord, to: bigint, now: Instant, { course }: Charge): CardStep {
  const { authorizedMinor, heldMinor, owedMinor, pulls, pendingPulls, direction, status } = before
  const more = to - authorizedMinor
  if (direction === 'CREDIT' || more === 0n) {
    return { transaction: { ...before, authorizedMinor: to }, postings: [], emits: [status] }
  }
  const raised = { authorizedMinor: to, pulls: pulls + 1 }
  if (course === 'REFUSED') {
    return moved(before, 'failPull', {
      now,
      changes: { ...raised, owedMinor: owedMinor + more },
      postings: move('EXCEPTION', 'RESERVE', more),
    })
  }
  return {
    transaction: { ...before, ...raised, heldMinor: heldMinor + more, pendingPulls: pendingPulls + 1 },
    postings: reserve(more, { startedAt: now }),
    emits: [status],
    awaitsPull: true,
  }
}

/** Less is wanted, at least what was claimed: the difference goes back. */
export function lower(before: CardTransactionRecord, to: bigint, now: Instant): CardStep {
  const { authorizedMinor, clearedMinor, direction, status } = before
  assert(
    to >= clearedMinor && to < authorizedMinor,
    'an authorization is lowered to what was claimed at least',
  )
  const freed = direction === 'CREDIT' ? { changes: {}, postings: [] } : release(before, authorizedMinor - to)
  const changes = { ...freed.changes, authorizedMinor: to }
  if (to === clearedMinor) return moved(before, 'clearAll', { now, changes, postings: freed.postings })
  return { transaction: { ...before, ...changes }, postings: freed.postings, emits: [status] }
}

/** Goods come back for r of what was claimed and not returned; a full return ends the rest of the claim too. */
export function giveBack(before: CardTransactionRecord, r: bigint, now: Instant): CardStep {
  const { clearedMinor, status, returns } = before
  const given = { returns: [...returns, { amount: r.toString() }] }
  const credited = move('NETWORK', 'AVAILABLE', r)
  if (returnedMinor(before) + r < clearedMinor) {
    const transaction = { ...before, ...given, lastEventAt: now }
    return { transaction, postings: credited, emits: [status] }
  }
  const freed = release(before, status === 'PARTIALLY_SETTLED' ? unclaimed(before) : 0n)
  return moved(before, 'returnAll', {
    now,
    changes: { ...freed.changes, ...given },
    postings: [...credited, ...freed.postings],
  })
}

/** Where the money of a return is: with the holder, or in suspense, or given back to the network out of there. */
export type ReturnPlace = 'HOLDER' | 'SUSPENSE' | 'NETWORK'

/** The last return was a mistake: the money goes back to the network from where it is, once. */
export function reverseReturn(
  before: CardTransactionRecord,
  now: Instant,
  { place, ...charge }: Charge & { readonly place: ReturnPlace },
): CardStep {
  const last = standingReturns(before).at(-1)
  assert(last, 'a refunded transaction has a return')
  const r = BigInt(last.amount)
  const returns = before.returns.map((each) =>
    each === last ? { ...each, isReversed: true as const } : each,
  )
  if (place !== 'HOLDER') {
    const postings = place === 'SUSPENSE' ? move('SUSPENSE', 'NETWORK', r) : []
    return moved(before, 'reverseReturn', { now, changes: { returns }, postings })
  }
  if (isRefused(charge, r)) {
    return moved(before, 'failPull', {
      now,
      changes: { returns, owedReturnsMinor: before.owedReturnsMinor + r },
      postings: move('EXCEPTION', 'NETWORK', r),
    })
  }
  if (!charge.isFrozen && charge.course === 'CONFIRMED_LATER') {
    const held = reserve(r, { startedAt: now, isReversal: true })
    return {
      ...moved(before, 'reverseReturn', {
        now,
        changes: { returns, pendingPulls: before.pendingPulls + 1 },
        postings: [...held, ...move('RESERVE', 'NETWORK', r)],
      }),
      awaitsPull: true,
    }
  }
  return moved(before, 'reverseReturn', {
    now,
    changes: { returns },
    postings: move('AVAILABLE', 'NETWORK', r),
  })
}

/** The operator charges what is owed. What was never claimed can be claimed again (cards 1.6). */
export function resolve(before: CardTransactionRecord, now: Instant): CardStep {
  const { owedMinor, owedReturnsMinor, pulledMinor, clearedMinor } = before
  const charged = move('AVAILABLE', 'EXCEPTION', owedMinor + owedReturnsMinor)
  const changes = { owedMinor: 0n, owedReturnsMinor: 0n, pulledMinor: pulledMinor + owedMinor }
  if (clearedMinor === 0n) return moved(before, 'restore', { now, changes, postings: charged })
  // Of a purchase claimed in part the rest was owed too, and goes back.
  const freed = release({ ...before, ...changes }, unclaimed({ ...before, ...changes }))
  return moved(before, 'resolve', {
    now,
    changes: { ...changes, ...freed.changes },
    postings: [...charged, ...freed.postings],
  })
}

/** What was charged or reserved beyond what was claimed. */
function unclaimed({ heldMinor, pulledMinor, clearedMinor, direction }: CardTransactionRecord): bigint {
  const rest = heldMinor + pulledMinor - clearedMinor
  return direction === 'CREDIT' || rest < 0n ? 0n : rest
}

/** Gives back an amount: from the holds first, the latest before the others, then from what was charged. */
function release(
  { heldMinor, pulledMinor, pendingPulls, holds }: CardTransactionRecord,
  amountMinor: bigint,
) {
  const postings: CardPosting[] = []
  let rest = amountMinor
  let ended = 0
  for (const hold of holds.filter(({ isReversal }) => !isReversal).reverse()) {
    const part = BigInt(hold.amount) < rest ? BigInt(hold.amount) : rest
    if (part === BigInt(hold.amount)) ended++
    postings.push(...free(hold, part))
    rest -= part
  }
  return {
    changes: {
      heldMinor: heldMinor - (amountMinor - rest),
      pulledMinor: pulledMinor - rest,
      pendingPulls: pendingPulls - ended,
    },
    postings: [...postings, ...move('RESERVE', 'AVAILABLE', rest)],
  }
}

function moved(
  before: CardTransactionRecord,
  on: Move,
  {
    now,
    changes,
    postings,
  }: {
    readonly now: Instant
    readonly changes: Partial<CardTransactionRecord>
    readonly postings: readonly CardPosting[]
  },
): CardStep {
  const next = step(cardTransactionMachine, before.status, on)
  assert(next.ok, `a card transaction that is ${before.status} takes ${on}`)
  return {
    transaction: { ...before, ...changes, status: next.to, lastEventAt: now },
    postings,
    emits: [next.to],
  }
}
