import { assert, type Instant } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import type { Transfer } from '../../vocabulary/decision.ts'
import { type CardTransactionRecord, unitsPerCent } from './card-transaction.ts'

/** A movement of a card transaction, in cents of the card; it is posted in units of the funding account. */
export interface CardPosting {
  readonly debit: CardSide
  readonly credit: CardSide
  readonly amountMinor: bigint
  /** The hold that it ends, whole or in part, or the charge for which it begins one. */
  readonly ends?: CardHold
  readonly begins?: HeldCharge
}

/**
 * Whose money: the holder's, reserved or not; what was charged and is not owed to the network yet; what is
 * owed to the network, or by it; what the network was paid and the holder could not be charged (cards, ledger
 * shorthand); what waits in suspense because the holder could not be given it.
 */
export type CardSide = 'AVAILABLE' | 'HELD' | 'RESERVE' | 'NETWORK' | 'EXCEPTION' | 'SUSPENSE'

/** A movement, or none for an amount of zero. */
export function move(debit: CardSide, credit: CardSide, amountMinor: bigint): CardPosting[] {
  assert(amountMinor >= 0n, `${debit} to ${credit} moves an amount that is not negative`)
  return amountMinor === 0n ? [] : [{ debit, credit, amountMinor }]
}

/** A charge that is not confirmed yet: each is confirmed, or not, by itself. */
export interface HeldCharge {
  readonly startedAt: Instant
  /** The one that the authorization began with. */
  readonly isFirst?: true
  /** For a return that was taken back, and not for a claim. */
  readonly isReversal?: true
}

/** Money reserved on the account for such a charge; cents, as digits. */
export interface CardHold extends HeldCharge {
  readonly id: string
  readonly amount: string
}

/** Reserves an amount for a charge. */
export function reserve(amountMinor: bigint, begins: HeldCharge): CardPosting[] {
  return move('AVAILABLE', 'HELD', amountMinor).map((posting) => ({ ...posting, begins }))
}

/** Charges what is held, whole. */
export function charge(ends: CardHold): CardPosting[] {
  return move('HELD', 'RESERVE', BigInt(ends.amount)).map((posting) => ({ ...posting, ends }))
}

/** Gives back what is held, or a part of it. */
export function free(ends: CardHold, amountMinor: bigint): CardPosting[] {
  return move('HELD', 'AVAILABLE', amountMinor).map((posting) => ({ ...posting, ends }))
}

/**
 * The transfers of these movements, and the holds that are open after them. A hold is a pending debit of the
 * account and ends once, so what stays of one that is released in part is held anew. Ids come from the version
 * that is moved on from, so that moving on twice is moving on once. `isSuspended`: what is given to the holder
 * waits in suspense; what was only reserved is released as ever, for it never left the account. `owedBy`: the account is
 * frozen, so that its owner owes what cannot be refused.
 */
export function toTransfers(
  { id, version, accountId, currency, fundingCurrency, holds }: CardTransactionRecord,
  postings: readonly CardPosting[],
  {
    isSuspended = false,
    owedBy,
  }: { readonly isSuspended?: boolean; readonly owedBy?: string | undefined } = {},
): { readonly transfers: readonly Transfer[]; readonly holds: readonly CardHold[] } {
  const units = unitsPerCent(currency, fundingCurrency)
  const available = ledgerAccount.available(accountId)
  const reserveAccount = ledgerAccount.cardReserve(fundingCurrency)
  const accounts: Readonly<Record<Exclude<CardSide, 'HELD'>, string>> = {
    AVAILABLE: available,
    RESERVE: reserveAccount,
    NETWORK: ledgerAccount.cardNetwork(fundingCurrency),
    EXCEPTION: ledgerAccount.cardException(fundingCurrency),
    SUSPENSE: ledgerAccount.suspense(fundingCurrency),
  }
  const transfers: Transfer[] = []
  let open: readonly CardHold[] = holds
  const add = (debit: string, credit: string, amountMinor: bigint, more: Partial<Transfer> = {}) => {
    const transferId = `${id}:${version}:${transfers.length}`
    const common = { id: transferId, debit, credit, currency: fundingCurrency }
    transfers.push({ ...common, amountMinor: amountMinor * units, ...more })
    return transferId
  }
  const hold = (amountMinor: bigint, { startedAt, isFirst, isReversal }: HeldCharge): CardHold => ({
    id: add(available, reserveAccount, amountMinor, { kind: 'PENDING' }),
    amount: amountMinor.toString(),
    startedAt,
    ...(isFirst ? { isFirst } : {}),
    ...(isReversal ? { isReversal } : {}),
  })
  const end = (held: CardHold, credit: CardSide, amountMinor: bigint) => {
    const kind = credit === 'RESERVE' ? 'POST_PENDING' : 'VOID_PENDING'
    const rest = BigInt(held.amount) - amountMinor
    assert(rest === 0n || (rest > 0n && kind === 'VOID_PENDING'), 'what is held is charged whole')
    add(available, reserveAccount, BigInt(held.amount), { kind, pendingId: held.id })
    open = open.flatMap((each) => (each.id !== held.id ? [each] : rest > 0n ? [hold(rest, held)] : []))
  }
  for (const { debit, credit, amountMinor, begins, ends } of postings) {
    if (begins) open = [...open, hold(amountMinor, begins)]
    else if (ends) end(ends, credit, amountMinor)
    else {
      assert(debit !== 'HELD' && credit !== 'HELD', 'what is held, and what for, is named')
      const to = credit === 'AVAILABLE' && isSuspended ? accounts.SUSPENSE : accounts[credit]
      const from =
        debit === 'AVAILABLE' && owedBy ? ledgerAccount.receivable(owedBy, fundingCurrency) : accounts[debit]
      add(from, to, amountMinor)
    }
  }
  return { transfers, holds: open }
}

/** What these movements give to the holder, in cents: more than a release of what was reserved. */
export function givenMinor(postings: readonly CardPosting[]): bigint {
  const given = postings.filter(({ debit, credit }) => credit === 'AVAILABLE' && debit !== 'HELD')
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}

/** What these movements charge of what the holder can spend, in cents: to the network itself, for a return that was none. */
export function chargedMinor(postings: readonly CardPosting[]): bigint {
  const charged = postings.filter(({ debit, credit }) => debit === 'AVAILABLE' && credit !== 'HELD')
  return charged.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}

/** What these movements take out of suspense, in cents. */
export function takenFromSuspenseMinor(postings: readonly CardPosting[]): bigint {
  const taken = postings.filter(({ debit }) => debit === 'SUSPENSE')
  return taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}
