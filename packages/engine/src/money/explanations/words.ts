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
  sending: 'sent, fees included',
  receivingLocked: 'to be received, locked',
  serviceFixed: 'service fee, fixed',
  serviceVariable: 'service fee, share',
  networkFee: 'network fee',
  platformFixed: 'platform fee, fixed',
  platformVariable: 'platform fee, share',
  counterpartyFee: 'fee of the receiving institution',
  netConverted: 'converted',
  grossReceiving: 'after conversion',
  fxSurplus: 'beyond the locked amount',
  receiving: 'for the recipient',
  feesIncluded: 'all fees',
  available: 'available',
  underReview: 'under review',
}

export const stepName = (name: string): string => stepNames[name] ?? name

/** What the steps of the ledger are called within a sentence. */
const steps: Readonly<Record<string, string>> = {
  hold: 'the hold',
  capture: 'the taking of the held money',
  release: 'the release of the held money',
  execute: 'the execution',
  fund: 'the funding',
  late: 'the funding that came late',
  collect: 'the collection',
  deposit: 'the deposit',
  receive: 'the receipt',
  refuse: 'the refusal',
  suspense: 'the way into suspense',
  resolve: 'the way out of suspense',
  convert: 'the conversion',
  deliver: 'the delivery',
  credit: 'the credit',
  unwind: 'the unwinding of the conversion',
  return: 'the return',
  refund: 'the refund',
  clawback: 'what the bank took back',
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
  QUOTE_EXPIRED: 'the quote was over before it was paid',
  QUOTE_RATE_UNAVAILABLE: 'its rate was not to be had any more',
  QUOTE_EXECUTION_FAILED: 'the payment could not be made',
  FUNDING_AMOUNT_MISMATCH: 'another amount arrived than was asked for',
  SCA_NOT_COMPLETED: 'the customer did not authorize it in time',
  PAYOUT_RETURNED: 'the receiving bank gave the money back',
  LIMIT_EXCEEDED: 'it is above a limit',
  ACCOUNT_CANNOT_RECEIVE: 'the account cannot receive the money',
  ACCOUNT_INVALID: 'there is no such account, or it is closed',
  COMPLIANCE_REJECTED: 'the receiving institution refused it for reasons of compliance',
  LIGHTNING_PAYMENT_FAILED: 'the Lightning network found no way',
  COUNTERPARTY_POST_TX_FAILED: 'the other institution could not be told',
  LNURLP_FAILED: 'the other institution did not answer',
  PAY_REQUEST_FAILED: 'the other institution gave no way to pay',
  PAYMENT_APPROVAL_WEBHOOK_ERROR: 'the platform could not be asked',
  PAYMENT_APPROVAL_TIMED_OUT: 'the platform did not decide in time',
  OFFRAMP_FAILED: 'the money could not be paid out',
  MISSING_MANDATORY_PAYEE_DATA: 'something that must be known of the recipient is missing',
  COLLECTION_FAILED: 'the bank did not let it be collected',
}

/** A reason for failing in words, with its code; undefined where none is on record. */
export function reasonOf(
  failureReason: string | null,
  { isTakenBack = false }: { readonly isTakenBack?: boolean } = {},
): string | undefined {
  if (failureReason === null) return undefined
  const words = isTakenBack ? 'the bank took it back after it had settled' : reasons[failureReason]
  return words ? `${words} (${failureReason})` : failureReason
}
