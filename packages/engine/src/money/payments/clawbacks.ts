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
 * Clawbacks of delivered money (accounts 13, flows 5 and 18). An internal account never goes below zero: the amount that it lacks
 * becomes a receivable.
 */

/** Internal account that a clawback debits. */
export interface ClawbackSource {
  readonly internalAccountId: string
  /** Owner of the debt, as in the id of the receivable account. */
  readonly owner: string
  /** The available balance, read under the lock that the journal is committed with. */
  readonly availableMinor: bigint
}

/** Source of the platform's fee: the account that earned it, or suspense while the fee still waits there. */
export type FeeSource = ClawbackSource | 'SUSPENSE'

/** Takes up to the available balance from the account and records the rest as a receivable. */
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
 * The receiving bank returned a completed payout. All of S becomes refundable: R from the rail, the fees of the service, and the
 * platform fee from its account. The counterparty fee and spent network costs are lost; they stay as an FX loss, or as a loss if
 * nothing was converted.
 */
export function returnAfterCompletion(
  payment: Payment,
  { rail, platform }: { readonly rail: string; readonly platform?: FeeSource | undefined },
): Posting[] {
  const { refund } = partsOf(payment)
  return takeApart(payment, {
    origin: account.rail(rail, payment.receivingCurrency),
    target: refund,
    platform,
  })
}

/**
 * The bank returned a pull after its money was credited to an internal account. R comes back from that account, up to its
 * balance, and S goes back to its rail.
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
    readonly platform?: FeeSource | undefined
  },
): Posting[] {
  const { sending, receiving, clearingSending, clearingReceiving } = partsOf(payment)
  const recovered = { currency: receiving, amountMinor: payment.receivingAmountMinor }
  // The account that was credited may be the one that earned the fee: its balance is spent once.
  const left = credited.availableMinor - recovered.amountMinor
  const earned =
    typeof platform === 'object' && platform.internalAccountId === credited.internalAccountId
      ? { ...platform, availableMinor: left > 0n ? left : 0n }
      : platform
  return [
    ...clawBack(credited, clearingReceiving, recovered),
    ...takeApart(payment, { origin: clearingReceiving, target: clearingSending, platform: earned }),
    ...posting(clearingSending, account.rail(rail, sending), {
      currency: sending,
      amountMinor: payment.sendingAmountMinor,
    }),
  ]
}

/** The bank returned the collection for a payout that cannot be stopped. The owner owes all of it. */
export function collectionReturnedAfterPayout(
  collected: TransactionAmount,
  { rail, owner }: { readonly rail: string; readonly owner: string },
): Posting[] {
  const { currency } = collected
  return posting(account.receivable(owner, currency), account.rail(rail, currency), collected)
}

/** The bank returned a collection that was already refunded. Takes the rest of the refund; the owner owes the difference. */
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

/** Pays a receivable from an account. */
export function collectOwed(
  paid: { readonly currency: string; readonly amountMinor: bigint },
  { internalAccountId, ownerId }: { readonly internalAccountId: string; readonly ownerId: string },
): Posting[] {
  return posting(account.available(internalAccountId), account.receivable(ownerId, paid.currency), paid)
}

/** Gives up what an owner owes, at the expense of the service. */
export function writeOffOwed(
  lost: { readonly currency: string; readonly amountMinor: bigint },
  ownerId: string,
): Posting[] {
  return posting(account.loss(lost.currency), account.receivable(ownerId, lost.currency), lost)
}

/** Puts S together again on `target` from R at `origin` and from the fees. */
function takeApart(
  payment: Payment,
  {
    origin,
    target,
    platform,
  }: { readonly origin: string; readonly target: string; readonly platform?: FeeSource | undefined },
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
    ...(platform === 'SUSPENSE'
      ? posting(account.suspense(sending), target, inSending(platformFees))
      : clawBack(platform, target, inSending(platformFees))),
  ]
}
