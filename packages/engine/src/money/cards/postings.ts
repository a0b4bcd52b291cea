import { assert } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import type { Transfer } from '../../vocabulary/decision.ts'
import { type CardTransactionRecord, unitsPerCent } from './card-transaction.ts'

/** A movement of a card transaction, in cents of the card; it is posted in units of the funding account. */
export interface CardPosting {
  readonly debit: CardSide
  readonly credit: CardSide
  readonly amountMinor: bigint
}

/**
 * Whose money: the holder's, reserved or not; what was charged and is not owed to the network yet; what is
 * owed to the network, or by it; what the network was paid and the holder could not be charged (cards, ledger
 * shorthand).
 */
export type CardSide = 'AVAILABLE' | 'HELD' | 'RESERVE' | 'NETWORK' | 'EXCEPTION'

/** A movement, or none for an amount of zero. */
export function move(debit: CardSide, credit: CardSide, amountMinor: bigint): CardPosting[] {
  assert(amountMinor >= 0n, `${debit} to ${credit} moves an amount that is not negative`)
  return amountMinor === 0n ? [] : [{ debit, credit, amountMinor }]
}

/** Money reserved on the account for a charge that is not confirmed yet; cents, as digits. */
export interface CardHold {
  readonly id: string
  readonly amount: string
}

/**
 * The transfers of these movements, and the holds that are open after them. A hold is a pending debit of the
 * account and ends once, so what stays of one that is released in part is held anew. Ids come from the version
 * that is moved on from, so that moving on twice is moving on once. `isSuspended`: what is given to the holder
 * waits in suspense; what was only reserved is released as ever, for it never left the account.
 */
export function toTransfers(
  { id, version, accountId, currency, fundingCurrency, holds }: CardTransactionRecord,
  postings: readonly CardPosting[],
  { isSuspended = false }: { readonly isSuspended?: boolean } = {},
): { readonly transfers: readonly Transfer[]; readonly holds: readonly CardHold[] } {
  const units = unitsPerCent(currency, fundingCurrency)
  const available = ledgerAccount.available(accountId)
  const reserve = ledgerAccount.cardReserve(fundingCurrency)
  const accounts: Readonly<Record<Exclude<CardSide, 'HELD'>, string>> = {
    AVAILABLE: available,
    RESERVE: reserve,
    NETWORK: ledgerAccount.cardNetwork(fundingCurrency),
    EXCEPTION: ledgerAccount.cardException(fundingCurrency),
  }
  const transfers: Transfer[] = []
  let open: readonly CardHold[] = holds
  const add = (debit: string, credit: string, amountMinor: bigint, more: Partial<Transfer> = {}) => {
    const transferId = `${id}:${version}:${transfers.length}`
    const common = { id: transferId, debit, credit, currency: fundingCurrency }
    transfers.push({ ...common, amountMinor: amountMinor * units, ...more })
    return transferId
  }
  const end = (kind: 'POST_PENDING' | 'VOID_PENDING') => {
    for (const each of open) add(available, reserve, BigInt(each.amount), { kind, pendingId: each.id })
    open = []
  }
  const hold = (amountMinor: bigint) => {
    const holdId = add(available, reserve, amountMinor, { kind: 'PENDING' })
    open = [...open, { id: holdId, amount: amountMinor.toString() }]
  }
  for (const { debit, credit, amountMinor } of postings) {
    if (credit === 'HELD') hold(amountMinor)
    else if (debit === 'HELD' && credit === 'RESERVE') {
      assert(amountMinor === heldMinorOf(open), 'what is held is charged whole')
      end('POST_PENDING')
    } else if (debit === 'HELD') {
      const rest = heldMinorOf(open) - amountMinor
      assert(credit === 'AVAILABLE' && rest >= 0n, 'what is held goes back at the most')
      end('VOID_PENDING')
      if (rest > 0n) hold(rest)
    } else {
      const to =
        credit === 'AVAILABLE' && isSuspended ? ledgerAccount.suspense(fundingCurrency) : accounts[credit]
      add(accounts[debit], to, amountMinor)
    }
  }
  return { transfers, holds: open }
}

/** What these movements give to the holder, in cents: more than a release of what was reserved. */
export function givenMinor(postings: readonly CardPosting[]): bigint {
  const given = postings.filter(({ debit, credit }) => credit === 'AVAILABLE' && debit !== 'HELD')
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}

function heldMinorOf(holds: readonly CardHold[]): bigint {
  return holds.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}
