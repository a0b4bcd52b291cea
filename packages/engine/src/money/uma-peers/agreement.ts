import { type Instant, mulDivFloor, mulDivHalfUp, parseRate, type Rate } from '@corridor/kernel'
import type { PayRequest } from './client.ts'
import { type BilateralInvoice, readMultiplier } from './wire.ts'

/** What the answer to a pay request says, and whether it is what was asked for (webhooks-uma 6.3, step 5). */

/** An hour is what invoices over Lightning usually are good for, and a minute what clocks may differ by. */
const longestInvoiceMs = 61 * 60_000

type Members = Readonly<Record<string, unknown>>

interface Terms {
  readonly invoice: BilateralInvoice
  readonly currencyCode: string
  readonly multiplier: string
  readonly receivedMinor: bigint
  readonly feeMsats: bigint
}

/** Undefined where it does not say all that it has to. Version 0 does not repeat the amount. */
export function readAgreed(
  body: Members,
  invoice: BilateralInvoice | undefined,
  request: PayRequest,
): (Terms & { readonly compliance: Members }) | undefined {
  const isOld = request.receiver.major === 0
  const said = objectOf(isOld ? body.paymentInfo : body.converted)
  const compliance = objectOf(isOld ? body.compliance : objectOf(body.payeeData)?.compliance)
  if (!invoice || !said || !compliance) return undefined
  const { currencyCode, multiplier } = said
  const fee = isOld ? said.exchangeFeesMillisatoshi : said.fee
  const amount = isOld ? Number(unitsOf(request)) : said.amount
  if (!readMultiplier(multiplier) || typeof currencyCode !== 'string') return undefined
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(fee) || (fee as number) < 0) return undefined
  return {
    invoice,
    compliance,
    currencyCode,
    multiplier: String(multiplier),
    receivedMinor: BigInt(amount as number),
    feeMsats: BigInt(fee as number),
  }
}

function objectOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
}

/** The signature covers neither the invoice nor the amounts: what was asked for is checked here (6.3, step 5). */
export function addsUp(
  { invoice, currencyCode, multiplier, receivedMinor, feeMsats }: Terms,
  { currency, amount, receiver }: PayRequest,
  now: Instant,
): boolean {
  if (currencyCode !== currency || receivedMinor <= 0n) return false
  if (invoice.expiresAt <= now || invoice.expiresAt > now + longestInvoiceMs) return false
  const rate = parseRate(multiplier)
  const indicated = receiver.multipliers[currency]
  if (indicated !== undefined && isDearer(invoice.amountMsats, receivedMinor, rate, parseRate(indicated))) {
    return false
  }
  const isExact = invoice.amountMsats === toMsats(receivedMinor, rate) + feeMsats
  if (amount.lock === 'RECEIVING') return receivedMinor === amount.minor && isExact
  // In units of the receiver what is asked for is a little less than what is there.
  if (receiver.major === 0) return isExact && invoice.amountMsats <= amount.msats
  return invoice.amountMsats === amount.msats && receivedMinor === fromMsats(amount.msats - feeMsats, rate)
}

/** By how much of a hundred the receiver's price may have risen since the peer named it. */
const mostRise = 5n

/**
 * The price of a lookup is indicative, and a customer who executes a quote sees the final price in the quote. With immediate
 * execution the customer does not see it, so Corridor rejects a price that rose by more than `mostRise` percent. The price includes
 * the peer's fee, which the lookup does not contain. Half a minor unit of the received amount is tolerated, because that amount is rounded half up.
 */
function isDearer(amountMsats: bigint, receivedMinor: bigint, rate: Rate, indicated: Rate): boolean {
  const { numerator, denominator } = indicated
  const most = numerator * (100n + mostRise)
  return (
    rate.numerator * denominator * 100n > rate.denominator * most ||
    2n * amountMsats * denominator * 100n > (2n * receivedMinor + 1n) * most
  )
}

/**
 * What is asked of a peer that knows amounts in units of the receiver alone: for an amount in millisatoshi what its own
 * price makes of it, down.
 */
export function unitsOf({ amount, receiver, currency }: PayRequest): bigint {
  if (amount.lock === 'RECEIVING') return amount.minor
  const rate = parseRate(receiver.multipliers[currency] ?? '1')
  return mulDivFloor(amount.msats, rate.denominator, rate.numerator)
}

/** Minor units as millisatoshi, half up. */
export function toMsats(minor: bigint, multiplier: Rate): bigint {
  return mulDivHalfUp(minor, multiplier.numerator, multiplier.denominator)
}

/** Millisatoshi as minor units, half up; nothing for less than nothing. */
export function fromMsats(msats: bigint, multiplier: Rate): bigint {
  return msats <= 0n ? 0n : mulDivHalfUp(msats, multiplier.denominator, multiplier.numerator)
}
