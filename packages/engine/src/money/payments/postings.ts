import { assert } from '@corridor/kernel'
import { ledgerAccount as account } from '../../mechanisms/ledger/accounts.ts'
import type { Transfer } from '../../vocabulary/decision.ts'

/**
 * The movements of a payment as postings (accounts 13). A function returns one journal, to be committed
 * as a whole; a movement of nothing is left out. Clawbacks are in clawbacks.ts, money from outside in
 * receipts.ts.
 */

/** `debit → credit  amount`: the debited balance falls, the credited one rises by as much. */
export interface Posting {
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amountMinor: bigint
  /** Default POSTED. A hold is PENDING, and one of the others ends it. */
  readonly kind?: NonNullable<Transfer['kind']>
  readonly pendingId?: string
}

/** The stored amounts of a payment: a priced quote, or a transfer without fees. Never computed again. */
export interface PaymentAmounts {
  /** Sending minor units. */
  readonly sendingAmountMinor: bigint
  readonly serviceFixedMinor: bigint
  readonly serviceVariableMinor: bigint
  readonly networkFeeMinor: bigint
  readonly platformFixedMinor: bigint
  readonly platformVariableMinor: bigint
  readonly netConvertedMinor: bigint
  /** Receiving minor units. */
  readonly receivingAmountMinor: bigint
  readonly counterpartyFeeMinor: bigint
  readonly fxSurplusMinor: bigint
}

export interface Payment extends PaymentAmounts {
  readonly transactionId: string
  readonly sendingCurrency: string
  readonly receivingCurrency: string
}

/** An amount of a transaction in one currency, where the rest of the payment does not matter. */
export interface TransactionAmount {
  readonly transactionId: string
  readonly currency: string
  readonly amountMinor: bigint
}

/** The unit in which institutions settle UMA payments with each other, as a currency of the ledger. */
export const millisatoshi = 'MSAT'

/** One posting, or none for an amount of zero. */
export function posting(
  debit: string,
  credit: string,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Posting[] {
  assert(amountMinor >= 0n, `${debit} to ${credit} moves an amount that is not negative`)
  return amountMinor === 0n ? [] : [{ debit, credit, currency, amountMinor }]
}

/** Execution of a prefunded payment: the whole sending amount leaves the account at once. */
export function debitPrefunded(moved: TransactionAmount, internalAccountId: string): Posting[] {
  const clearing = account.clearing(moved.transactionId, moved.currency)
  return posting(account.available(internalAccountId), clearing, moved)
}

/**
 * Reserves the sending amount while an authorization is pending (accounts 13, row 3): the debit of
 * `debitPrefunded`, which the ledger keeps open until it is captured or released, once. What is pending cannot
 * be spent and still belongs to the holder.
 */
export function hold(moved: TransactionAmount, internalAccountId: string): Posting[] {
  return debitPrefunded(moved, internalAccountId).map((each) => ({ ...each, kind: 'PENDING' }))
}

export function releaseHold(moved: TransactionAmount, internalAccountId: string): Posting[] {
  return endHold(moved, internalAccountId, 'VOID_PENDING')
}

/** The authorized payment takes what was held for it. */
export function captureHold(moved: TransactionAmount, internalAccountId: string): Posting[] {
  return endHold(moved, internalAccountId, 'POST_PENDING')
}

function endHold(
  moved: TransactionAmount,
  internalAccountId: string,
  kind: 'POST_PENDING' | 'VOID_PENDING',
): Posting[] {
  const pendingId = transferIdOf(moved.transactionId, holdStep, 0)
  return debitPrefunded(moved, internalAccountId).map((each) => ({ ...each, kind, pendingId }))
}

/** The step whose journal makes the hold, so that what ends it finds it. */
export const holdStep = 'hold'

/**
 * What posts for a payment or for money in suspense, in the order in which it comes where two come at once. Whoever explains a
 * payment looks for the postings of each.
 */
export const journalSteps = [
  holdStep,
  'capture',
  'release',
  'execute',
  'fund',
  'late',
  'collect',
  'deposit',
  'receive',
  'refuse',
  'suspense',
  'resolve',
  'convert',
  'deliver',
  'credit',
  'unwind',
  'return',
  'refund',
  'clawback',
  'writeOff',
] as const
export type JournalStep = (typeof journalSteps)[number]

/** The ledger transfers of one journal. Their ids follow from the step, so a step cannot post twice. */
export function journal(transactionId: string, step: JournalStep, postings: readonly Posting[]): Transfer[] {
  return postings.map((posting, index) => ({ id: transferIdOf(transactionId, step, index), ...posting }))
}

function transferIdOf(transactionId: string, step: string, index: number): string {
  return `${transactionId}/${step}/${index}`
}

/** CONVERT: splits S into fees and N, and turns N into R + C. The clearing account then holds R. */
export function convert(payment: Payment): Posting[] {
  assertAddsUp(payment)
  const { sending, receiving, clearingSending, clearingReceiving, serviceFees, platformFees } =
    partsOf(payment)
  const { fxSurplusMinor, counterpartyFeeMinor, networkFeeMinor, receivingAmountMinor } = payment
  const fees = [
    ...posting(clearingSending, account.serviceFee(sending), { currency: sending, amountMinor: serviceFees }),
    ...posting(clearingSending, account.networkFee(sending), {
      currency: sending,
      amountMinor: networkFeeMinor,
    }),
    ...posting(clearingSending, account.platformFee(payment.transactionId, sending), {
      currency: sending,
      amountMinor: platformFees,
    }),
  ]
  const exchanged = isConverted(payment)
    ? [
        ...posting(clearingSending, account.fx(sending), {
          currency: sending,
          amountMinor: payment.netConvertedMinor,
        }),
        ...posting(account.fx(receiving), clearingReceiving, {
          currency: receiving,
          amountMinor: receivingAmountMinor + counterpartyFeeMinor,
        }),
      ]
    : posting(clearingSending, account.fx(sending), { currency: sending, amountMinor: fxSurplusMinor })
  return [
    ...fees,
    ...exchanged,
    ...posting(clearingReceiving, account.counterpartyFee(receiving), {
      currency: receiving,
      amountMinor: counterpartyFeeMinor,
    }),
  ]
}

/**
 * DELIVER: R goes out on the rail. Only now does the platform's fee become spendable, or waits in suspense;
 * `platformAccountId` is its internal account of the sending currency, needed when there is a fee.
 */
export function deliverToRail(
  payment: Payment,
  { rail, ...earning }: { readonly rail: string } & Earning,
): Posting[] {
  return deliverTo(account.rail(rail, payment.receivingCurrency), payment, earning)
}

interface Earning {
  readonly platformAccountId?: string | undefined
  /** Whether the fee waits because that account cannot be credited. */
  readonly isFeeSuspended?: boolean
}

/** DELIVER to an account of ours: conversions, top-ups and book transfers. */
export function deliverToInternalAccount(
  payment: Payment,
  { internalAccountId, ...earning }: { readonly internalAccountId: string } & Earning,
): Posting[] {
  return deliverTo(account.available(internalAccountId), payment, earning)
}

function deliverTo(
  destination: string,
  payment: Payment,
  { platformAccountId, isFeeSuspended = false }: Earning,
): Posting[] {
  const { sending, receiving, clearingReceiving, platformFees } = partsOf(payment)
  const delivered = posting(clearingReceiving, destination, {
    currency: receiving,
    amountMinor: payment.receivingAmountMinor,
  })
  if (platformFees === 0n) return delivered
  assert(platformAccountId, 'a platform fee has an account to go to')
  const escrow = account.platformFee(payment.transactionId, sending)
  const earned = { currency: sending, amountMinor: platformFees }
  const earning = isFeeSuspended ? account.suspense(sending) : account.available(platformAccountId)
  return [...delivered, ...posting(escrow, earning, earned)]
}

/** A Lightning payout costs q sat of routing, which the service bears (accounts 13, flow 11). */
export function bearRoutingCost(rail: string, routingCostMinor: bigint): Posting[] {
  const cost = { currency: 'BTC', amountMinor: routingCostMinor }
  return posting(account.fx('BTC'), account.rail(rail, 'BTC'), cost)
}

/** Failure while the clearing account still holds S: all of it becomes refundable. */
export function unwindBeforeConvert(moved: TransactionAmount): Posting[] {
  const { transactionId, currency } = moved
  return posting(account.clearing(transactionId, currency), account.refund(transactionId, currency), moved)
}

/**
 * UNWIND: failure or cancellation after CONVERT and before DELIVER. Takes every part back, the
 * service's fees included, so that exactly S is refundable and fees and FX stand where they stood.
 */
export function unwindAfterConvert(payment: Payment): Posting[] {
  const { sending, receiving, clearingReceiving, refund, serviceFees, platformFees } = partsOf(payment)
  const { receivingAmountMinor, counterpartyFeeMinor, networkFeeMinor, fxSurplusMinor } = payment
  const counterparty = account.counterpartyFee(receiving)
  const converted = isConverted(payment)
  const returnTo = converted ? account.fx(receiving) : refund
  return [
    ...posting(clearingReceiving, returnTo, { currency: receiving, amountMinor: receivingAmountMinor }),
    ...posting(counterparty, returnTo, { currency: receiving, amountMinor: counterpartyFeeMinor }),
    ...posting(account.fx(sending), refund, {
      currency: sending,
      amountMinor: converted ? payment.netConvertedMinor : fxSurplusMinor,
    }),
    ...posting(account.serviceFee(sending), refund, { currency: sending, amountMinor: serviceFees }),
    ...posting(account.networkFee(sending), refund, { currency: sending, amountMinor: networkFeeMinor }),
    ...posting(account.platformFee(payment.transactionId, sending), refund, {
      currency: sending,
      amountMinor: platformFees,
    }),
  ]
}

/**
 * What was delivered cost millisatoshi: they are owed to the institution that credited it, or were paid by the Lightning
 * node, with what the way cost (webhooks-uma 5.2, 6.7).
 */
export function settleInMsats(
  { receivingCurrency: currency, receivingAmountMinor: amountMinor }: Payment,
  rail: string,
  { account: settled, msats, routingMsats = 0n }: Settled,
): Posting[] {
  const fx = account.fx(millisatoshi)
  return [
    ...posting(account.rail(rail, currency), account.fx(currency), { currency, amountMinor }),
    ...posting(fx, settled, { currency: millisatoshi, amountMinor: msats }),
    // The service bears it.
    ...posting(fx, settled, { currency: millisatoshi, amountMinor: routingMsats }),
  ]
}

interface Settled {
  readonly account: string
  readonly msats: bigint
  readonly routingMsats?: bigint | undefined
}

/** The ledger account in which a UMA payment to or from another installation is settled. */
export function settlementAccount({
  domain,
  isLightning,
}: {
  readonly domain: string
  readonly isLightning: boolean
}): string {
  return isLightning ? account.lightning(millisatoshi) : account.counterparty(domain, millisatoshi)
}

/** REFUND-OK to an internal account: the source, or the one that accounts 10.5 names. */
export function refundToAccount(moved: TransactionAmount, internalAccountId: string): Posting[] {
  return posting(refundOf(moved), account.available(internalAccountId), moved)
}

/** REFUND-OK to the instrument an instant fiat payment came from. */
export function refundToRail(moved: TransactionAmount, rail: string): Posting[] {
  return posting(refundOf(moved), account.rail(rail, moved.currency), moved)
}

/** What its owner owes, because the money for it was taken back, is paid first. */
export function refundToReceivable(moved: TransactionAmount, owner: string): Posting[] {
  return posting(refundOf(moved), account.receivable(owner, moved.currency), moved)
}

/** REFUND-FAIL: the money waits for an operator. */
export function refundToSuspense(moved: TransactionAmount): Posting[] {
  return posting(refundOf(moved), account.suspense(moved.currency), moved)
}

function refundOf({ transactionId, currency }: TransactionAmount): string {
  return account.refund(transactionId, currency)
}

export function isConverted(payment: Payment): boolean {
  return payment.sendingCurrency !== payment.receivingCurrency
}

/** The accounts and sums every journal of a payment names. */
export function partsOf(payment: Payment) {
  const { transactionId, sendingCurrency, receivingCurrency } = payment
  return {
    sending: sendingCurrency,
    receiving: receivingCurrency,
    clearingSending: account.clearing(transactionId, sendingCurrency),
    clearingReceiving: account.clearing(transactionId, receivingCurrency),
    refund: account.refund(transactionId, sendingCurrency),
    serviceFees: payment.serviceFixedMinor + payment.serviceVariableMinor,
    platformFees: payment.platformFixedMinor + payment.platformVariableMinor,
  }
}

function assertAddsUp(payment: Payment): void {
  const { serviceFees, platformFees } = partsOf(payment)
  const spent = serviceFees + platformFees + payment.networkFeeMinor + payment.netConvertedMinor
  assert(spent === payment.sendingAmountMinor, 'fees and net are the sending amount')
  if (isConverted(payment)) return
  const received = payment.receivingAmountMinor + payment.counterpartyFeeMinor + payment.fxSurplusMinor
  assert(received === payment.netConvertedMinor, 'in one currency the net is what arrives')
}
