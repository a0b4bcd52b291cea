import { assert } from '@corridor/kernel'
import { ledgerAccount as account } from '../../mechanisms/ledger/accounts.ts'
import {
  isConverted,
  type Payment,
  type Posting,
  partsOf,
  posting,
  type TransactionAmount,
} from './postings.ts'

/**
 * Taking back what was already delivered (accounts 13, flows 5 and 18). A holder's account never goes
 * below zero: what it cannot give becomes a receivable from its owner.
 */

/** An internal account that must give something back. */
export interface ClawbackSource {
  readonly internalAccountId: string
  /** Who owes the rest, as the receivable account names it. */
  readonly owner: string
  /** The available balance, read under the lock that the journal is committed with. */
  readonly availableMinor: bigint
}

/** Up to the available balance from the account, the rest as a receivable. */
function clawBack(
  source: ClawbackSource | undefined,
  target: string,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Posting[] {
  if (amountMinor === 0n) return []
  assert(source, 'a clawback has an account to take from')
  const { internalAccountId, owner, availableMinor } = source
  const taken = availableMinor < amountMinor ? availableMinor : amountMinor
  return [
    ...posting(account.available(internalAccountId), target, { currency, amountMinor: taken }),
    ...posting(account.receivable(owner, currency), target, { currency, amountMinor: amountMinor - taken }),
  ]
}

/**
 * The receiving bank returned a completed payout. All of S becomes refundable: R from the rail, the
 * service's fees, the platform's fee from its account. The counterparty fee is not recovered; it stays
 * as an FX loss, or as a loss when nothing was converted, as does a network cost that is spent.
 */
export function returnAfterCompletion(
  payment: Payment,
  { rail, platform }: { readonly rail: string; readonly platform?: ClawbackSource | undefined },
): Posting[] {
  const { refund } = partsOf(payment)
  return takeApart(payment, {
    origin: account.rail(rail, payment.receivingCurrency),
    target: refund,
    platform,
  })
}

/**
 * A pull was returned by the bank after its money was credited to an internal account: R comes back
 * from that account as far as it reaches, and S goes back to the rail it came from.
 */
export function pullReturnedAfterCredit(
  payment: Payment,
  {
    rail,
    credited,
    platform,
  }: {
    readonly rail: string
    readonly credited: ClawbackSource
    readonly platform?: ClawbackSource | undefined
  },
): Posting[] {
  const { sending, receiving, clearingSending, clearingReceiving } = partsOf(payment)
  const recovered = { currency: receiving, amountMinor: payment.receivingAmountMinor }
  // The account that was credited may be the one that earned the fee: its balance is spent once.
  const isSame = platform?.internalAccountId === credited.internalAccountId
  const left = credited.availableMinor - recovered.amountMinor
  const earned = platform && isSame ? { ...platform, availableMinor: left > 0n ? left : 0n } : platform
  return [
    ...clawBack(credited, clearingReceiving, recovered),
    ...takeApart(payment, { origin: clearingReceiving, target: clearingSending, platform: earned }),
    ...posting(clearingSending, account.rail(rail, sending), {
      currency: sending,
      amountMinor: payment.sendingAmountMinor,
    }),
  ]
}

/** The bank took back what had paid for a payout that it cannot stop: all of it is owed. */
export function collectionReturnedAfterPayout(
  collected: TransactionAmount,
  { rail, owner }: { readonly rail: string; readonly owner: string },
): Posting[] {
  const { currency } = collected
  return posting(account.receivable(owner, currency), account.rail(rail, currency), collected)
}

/** The same after what had been collected was given back: up to what is left of it, and the rest is owed. */
export function collectionReturnedAfterRefund(
  collected: TransactionAmount,
  {
    rail,
    owner,
    refunded,
  }: { readonly rail: string; readonly owner: string; readonly refunded: ClawbackSource | undefined },
): Posting[] {
  if (!refunded) return collectionReturnedAfterPayout(collected, { rail, owner })
  return clawBack({ ...refunded, owner }, account.rail(rail, collected.currency), collected)
}

/** What is owed is paid from an account. */
export function collectOwed(
  paid: { readonly currency: string; readonly amountMinor: bigint },
  { internalAccountId, ownerId }: { readonly internalAccountId: string; readonly ownerId: string },
): Posting[] {
  return posting(account.available(internalAccountId), account.receivable(ownerId, paid.currency), paid)
}

/** Puts S together again on `target` from R at `origin` and from the fees. */
function takeApart(
  payment: Payment,
  {
    origin,
    target,
    platform,
  }: { readonly origin: string; readonly target: string; readonly platform?: ClawbackSource | undefined },
): Posting[] {
  const { sending, receiving, serviceFees, platformFees } = partsOf(payment)
  const converted = isConverted(payment)
  const inSending = (amountMinor: bigint) => ({ currency: sending, amountMinor })
  const received = { currency: receiving, amountMinor: payment.receivingAmountMinor }
  const returned =
    origin === target ? [] : posting(origin, converted ? account.fx(receiving) : target, received)
  return [
    ...returned,
    ...posting(
      account.fx(sending),
      target,
      inSending(converted ? payment.netConvertedMinor : payment.fxSurplusMinor),
    ),
    ...posting(account.loss(sending), target, inSending(converted ? 0n : payment.counterpartyFeeMinor)),
    ...posting(account.serviceFee(sending), target, inSending(serviceFees)),
    ...posting(account.loss(sending), target, inSending(payment.networkFeeMinor)),
    ...clawBack(platform, target, inSending(platformFees)),
  ]
}
