import { toTimestamp } from '@corridor/kernel'
import type { InternalAccount, LedgerLine } from '../../platform/internal-accounts/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { PostingRow } from '../ledger/index.ts'
import type { Explanation, ExplanationJournal } from './contract.ts'
import { journalsOf } from './payment.ts'
import { type Computed, isRecomputed, renderSteps, whole } from './steps.ts'
import { moneyOf } from './words.ts'

type Entry = Explanation['timeline'][number]

/** Journals that are told at most, the newest. */
const mostJournals = 50
/** Payments that a sentence names. */
const mostNamed = 2

/** What moved an account last. */
export interface Moved {
  /** All of the payments that are told. */
  readonly postings: readonly PostingRow[]
  /** How many payments of it came before these. */
  readonly earlier: number
  /** Whether the balances stayed as they were while these were read. */
  readonly isSame: boolean
}

/** What the balance of an internal account is made of (accounts 3), and which payments moved it last. */
export function explainAccount(
  scope: Scope,
  account: InternalAccount,
  balances: readonly LedgerLine[],
  moved: Moved,
): Explanation {
  const { id, currency, availableMinor, heldMinor, pendingMinor } = account
  const balanceOf = (key: string) => balances.find((row) => row.id === key)
  const available = balanceOf(`avail:${id}`)
  const review = balanceOf(`pend:${id}`)
  const step = (name: string, ledger: LedgerLine | undefined, result: bigint, rule: string): Computed => {
    const { creditsMinor = 0n, debitsMinor = 0n, heldMinor: held = 0n } = ledger ?? {}
    return {
      name,
      formula: 'credits − debits − held',
      inputs: { credits: whole(creditsMinor), debits: whole(debitsMinor), held: whole(held) },
      exact: whole(creditsMinor - debitsMinor - held),
      rounding: 'NONE',
      result,
      currency,
      rule,
    }
  }
  const steps = [
    step('available', available, availableMinor, 'credits minus debits and reservations'),
    step('underReview', review, pendingMinor, 'money in review'),
  ]
  const own = new Set([`avail:${id}`, `pend:${id}`])
  const ofIt = moved.postings.filter(({ from, to }) => own.has(from) || own.has(to))
  const all = journalsOf(ofIt).reverse()
  const journals = all.slice(0, mostJournals)
  const holds = ofIt.filter(({ kind, endedBy }) => kind === 'PENDING' && endedBy === null)
  const held = heldMinor > 0n ? heldOf(holds, heldMinor, currency) : ''
  return {
    subject: {
      id,
      type: 'InternalAccount',
      environment: scope.environment,
      asOf: toTimestamp(scope.now),
    },
    sentence: `${spendable(account)}${held}`,
    status: {
      now: account.status,
      since: toTimestamp(account.updatedAt),
      waitingFor: 'NOBODY',
      expectedBy: null,
      overdue: false,
      cancellable: false,
      safeToRetry: { answer: 'NO', why: 'an account cannot be retried' },
    },
    derivation: renderSteps(steps),
    journals,
    timeline: journals.map((journal) => entryOf(journal, own)),
    webhooks: [],
    next: [],
    checks: [{ name: 'recomputed balances match the stored ones', holds: isRecomputed(steps) }],
    unknown: [
      ...(all.length > journals.length ? [`${all.length - journals.length} journals of these payments`] : []),
      ...(moved.earlier > 0
        ? [`the effect of ${moved.earlier} earlier payments (list the transactions of the account)`]
        : moved.isSame
          ? movedElse(ofIt, own, balances, currency)
          : []),
    ],
  }
}

/** What can be spent: nothing of an account that is not active, whatever is in it (accounts 3). */
function spendable({ status, availableMinor, currency }: InternalAccount): string {
  const available = moneyOf(availableMinor, currency)
  return status === 'ACTIVE'
    ? `${available} can be spent.`
    : `The account is ${status}, so its ${available} cannot be spent.`
}

/** Which payments hold what, the rest of which is of cards or of payments of before. */
function heldOf(holds: readonly PostingRow[], heldMinor: bigint, currency: string): string {
  const named = holds.slice(0, mostNamed).map(({ id, amountMinor }) => {
    return `${moneyOf(amountMinor, currency)} for ${id.slice(0, id.indexOf('/'))}`
  })
  const rest = holds.length > mostNamed ? `, and for ${holds.length - mostNamed} more` : ''
  const told = named.length > 0 ? `: ${named.join(', ')}${rest}` : ''
  return ` ${moneyOf(heldMinor, currency)} is reserved${told}.`
}

/** One journal, by what it came to for the account: `+2,500.00 USD: receive of Transaction:…`. */
function entryOf({ id, step, at, postings }: ExplanationJournal, own: ReadonlySet<string>): Entry {
  const subject = id.slice(0, id.indexOf('/'))
  const change = postings
    .filter(({ kind }) => kind === 'POSTED' || kind === 'POST_PENDING')
    .reduce(
      (sum, { from, to, value }) => sum + changeOf({ from, to, amountMinor: BigInt(value.amount) }, own),
      0n,
    )
  const [first] = postings
  const amount = moneyOf(change < 0n ? -change : change || BigInt(first!.value.amount), first!.value.currency)
  const ends = postings.some(({ kind }) => kind === 'VOID_PENDING') ? 'is released' : 'is reserved'
  const text = change === 0n ? `${amount} ${ends}` : `${change < 0n ? '−' : '+'}${amount}`
  const kind = step === 'hold' || step === 'release' ? 'HOLD' : 'TRANSITION'
  return { at, kind, text: `${text}: ${step} of ${subject}`, ref: id }
}

function changeOf(
  { from, to, amountMinor }: Pick<PostingRow, 'from' | 'to' | 'amountMinor'>,
  own: ReadonlySet<string>,
): bigint {
  return (own.has(to) ? amountMinor : 0n) - (own.has(from) ? amountMinor : 0n)
}

/** What moved it that is of no payment, such as purchases with a card. */
function movedElse(
  postings: readonly PostingRow[],
  own: ReadonlySet<string>,
  balances: readonly LedgerLine[],
  currency: string,
): string[] {
  const told = postings
    .filter(({ kind }) => kind === 'POSTED' || kind === 'POST_PENDING')
    .reduce((sum, posting) => sum + changeOf(posting, own), 0n)
  const whole = balances
    .filter(({ id }) => own.has(id))
    .reduce((sum, { creditsMinor, debitsMinor }) => sum + creditsMinor - debitsMinor, 0n)
  if (whole === told) return []
  const rest = whole - told
  const amount = moneyOf(rest < 0n ? -rest : rest, currency)
  return [`other changes of ${rest < 0n ? '−' : ''}${amount}, for example by cards`]
}
