import { parseRate } from '@corridor/kernel'
import { decimalsOf, formatMinor } from '../../reference/currencies/index.ts'

/** Names are what callers wrote: one line, and no more of it than leaves room for the amounts of a sentence. */
const longestName = 48

/** A name as a sentence has room for it; undefined where none is known. */
export function nameOf(name: string | undefined): string | undefined {
  const clean = [...(name ?? '').replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()]
  if (clean.length === 0) return undefined
  return clean.length <= longestName ? clean.join('') : `${clean.slice(0, longestName - 1).join('')}…`
}

/** As its schema has it: two names, three amounts and two moments are far from it. */
const longestSentence = 300

/** A sentence as there is room for it: it ends with a word, never within an amount. */
export function sentenceWithin(text: string): string {
  const characters = [...text]
  if (characters.length <= longestSentence) return text
  const kept = characters.slice(0, longestSentence - 1).join('')
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), 0) || kept.length)}…`
}

/** `1,000.00 USD`. */
export function moneyOf(minor: bigint, currency: string): string {
  return grouped(formatMinor(minor, currency))
}

/** The same of an amount that is written already; what follows the point is not grouped. */
export function grouped(amount: string): string {
  return amount.replace(/^\d+/, (whole) => {
    const groups: string[] = []
    for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
    return groups.join(',')
  })
}

/** More digits than anybody reads; a rate that has more is told as being about so much. */
const rateDigits = 10

/** `0.86 EUR for one USD`, of a rate in the smallest units of both. */
export function rateOf(
  crossRate: string,
  {
    sendingCurrency,
    receivingCurrency,
  }: { readonly sendingCurrency: string; readonly receivingCurrency: string },
): string {
  const { numerator, denominator } = parseRate(crossRate)
  const [given, gotten] = [decimalsOf(sendingCurrency), decimalsOf(receivingCurrency)]
  const scaled = numerator * 10n ** BigInt(given + rateDigits)
  const divisor = denominator * 10n ** BigInt(gotten)
  const digits = `${scaled / divisor}`.padStart(rateDigits + 1, '0')
  const whole = digits.slice(0, -rateDigits)
  let rest = digits.slice(-rateDigits)
  while (rest.endsWith('0')) rest = rest.slice(0, -1)
  const about = scaled % divisor === 0n ? '' : 'about '
  return `${about}${grouped(whole)}${rest && `.${rest}`} ${receivingCurrency} for one ${sendingCurrency}`
}

/** `2025-10-13 09:14:02 UTC`, to the second. */
export function momentOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
}

/** The names that formulas use, as a person would say them. */
const stepNames: Readonly<Record<string, string>> = {
  sending: 'sent, including fees',
  receivingLocked: 'to be received, locked',
  serviceFixed: 'service fee, fixed',
  serviceVariable: 'service fee, share',
  networkFee: 'network fee',
  platformFixed: 'platform fee, fixed',
  platformVariable: 'platform fee, share',
  counterpartyFee: 'fee of the receiving institution',
  netConverted: 'converted',
  grossReceiving: 'after conversion',
  fxSurplus: 'surplus over the locked amount',
  receiving: 'for the recipient',
  feesIncluded: 'all fees',
  available: 'available',
  underReview: 'under review',
}

export const stepName = (name: string): string => stepNames[name] ?? name

/** What the steps of the ledger are called within a sentence. */
const steps: Readonly<Record<string, string>> = {
  hold: 'the hold',
  capture: 'the capture',
  release: 'the release',
  execute: 'the execution',
  fund: 'the funding',
  late: 'the late funding',
  collect: 'the collection',
  deposit: 'the deposit',
  receive: 'the receipt',
  refuse: 'the rejection',
  suspense: 'the transfer to suspense',
  resolve: 'the transfer from suspense',
  convert: 'the conversion',
  deliver: 'the delivery',
  credit: 'the credit',
  unwind: 'the reversal of the conversion',
  return: 'the return',
  refund: 'the refund',
  clawback: 'the clawback',
}

/** `the conversion was posted`. */
export const postedOf = (step: string): string => `${steps[step] ?? step} was posted`

/** A formula with its figures, in the smallest units; what is nothing is left out: `100000 − 500`. */
export function filledIn({
  formula,
  inputs,
}: {
  readonly formula: string
  readonly inputs: Readonly<Record<string, string>>
}): string {
  const told = formula.replaceAll(/\(([^()]*)\)/g, (_, sum: string) => `(${withoutNothing(sum, inputs)})`)
  return withoutNothing(told, inputs).replaceAll(/[A-Za-z]+/g, (name) => inputs[name] ?? name)
}

/** The terms of a sum that are not zero. */
function withoutNothing(sum: string, inputs: Readonly<Record<string, string>>): string {
  const terms = sum.split(/ (?=[+−] )(?![^(]*\))/)
  const told = terms.filter((term) => inputs[term.replace(/^[+−] /, '').split(' ')[0]!] !== '0')
  return told.join(' ').replace(/^\+ /, '') || '0'
}

/** Fees that there are not are no rows of a rendering. */
export function isTold({
  name,
  result,
}: {
  readonly name: string
  readonly result: { readonly amount: string }
}): boolean {
  return result.amount !== '0' || !fees.has(name)
}

const fees = new Set([
  'serviceFixed',
  'serviceVariable',
  'networkFee',
  'platformFixed',
  'platformVariable',
  'counterpartyFee',
  'fxSurplus',
  'feesIncluded',
  'underReview',
])

/** Why a payment failed, after "it failed:". */
const reasons: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: 'the quote expired before it was paid',
  QUOTE_RATE_UNAVAILABLE: 'the rate was no longer available',
  QUOTE_EXECUTION_FAILED: 'the payment could not be executed',
  FUNDING_AMOUNT_MISMATCH: 'a different amount arrived',
  SCA_NOT_COMPLETED: 'the customer did not authorize the payment in time',
  PAYOUT_RETURNED: 'the receiving bank returned the money',
  LIMIT_EXCEEDED: 'the amount exceeds a limit',
  ACCOUNT_CANNOT_RECEIVE: 'the account cannot receive the money',
  ACCOUNT_INVALID: 'the account does not exist or is closed',
  COMPLIANCE_REJECTED: 'the receiving institution rejected the payment for compliance reasons',
  LIGHTNING_PAYMENT_FAILED: 'the Lightning network found no route',
  COUNTERPARTY_POST_TX_FAILED: 'the other institution could not be notified',
  LNURLP_FAILED: 'the other institution did not respond',
  PAY_REQUEST_FAILED: 'the other institution rejected the pay request',
  PAYMENT_APPROVAL_WEBHOOK_ERROR: 'the platform could not be reached',
  PAYMENT_APPROVAL_TIMED_OUT: 'the platform did not decide in time',
  OFFRAMP_FAILED: 'the payout failed',
  MISSING_MANDATORY_PAYEE_DATA: 'required information about the recipient is missing',
  COLLECTION_FAILED: 'the bank rejected the collection',
}

/** A reason for failing in words, with its code; undefined where none is on record. */
export function reasonOf(
  failureReason: string | null,
  { isTakenBack = false }: { readonly isTakenBack?: boolean } = {},
): string | undefined {
  if (failureReason === null) return undefined
  const words = isTakenBack ? 'the bank returned the payment after settlement' : reasons[failureReason]
  return words ? `${words} (${failureReason})` : failureReason
}
