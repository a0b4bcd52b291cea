import { type Instant, toTimestamp, toWireAmount } from '@corridor/kernel'
import { toCurrency } from '../../reference/currencies/index.ts'
import { toWireRate } from '../../reference/rates/index.ts'
import { transactionIdOf } from '../payments/index.ts'
import type { Quote } from './quote.ts'
import type { QuoteStatus, Quote as QuoteWire } from './quote-schemas.ts'
import { walletPayloadOf } from './wallet-instructions.ts'

/**
 * The status that callers see: an unexecuted quote expires the moment its time is up, whether or not the
 * sweep has come by, and an executed one is as its transaction is (accounts 7.3, 7.4).
 */
export function statusOf(
  quote: Pick<Quote, 'status' | 'transactionStatus' | 'expiresAt' | 'scaChallenge'>,
  now: Instant,
): QuoteStatus {
  if (quote.status === 'PENDING' && now >= quote.expiresAt) return 'EXPIRED'
  if (isUnauthorized(quote, now)) return 'FAILED'
  if (quote.status !== 'PROCESSING') return quote.status
  if (quote.transactionStatus === 'COMPLETED' || quote.transactionStatus === 'FAILED')
    return quote.transactionStatus
  return 'PROCESSING'
}

/** Whether the customer has let the time of its challenge pass; whether or not the timer has come by. */
export function isUnauthorized(
  { status, scaChallenge }: Pick<Quote, 'status' | 'scaChallenge'>,
  now: Instant,
) {
  return status === 'PENDING_AUTHORIZATION' && (!scaChallenge || now >= Date.parse(scaChallenge.expiresAt))
}

export function renderQuote(quote: Quote, now: Instant): QuoteWire {
  const status = statusOf(quote, now)
  // A signature releases a quote once, so there is nothing to sign any more after that (wallets 9.1).
  const isSigned = walletPayloadOf(quote) !== undefined && status !== 'PENDING'
  const isWithheld = isSigned || status === 'PENDING_AUTHORIZATION'
  return {
    id: quote.id,
    status,
    createdAt: toTimestamp(quote.createdAt),
    expiresAt: toTimestamp(quote.expiresAt),
    source: quote.source,
    destination: quote.destination,
    sendingCurrency: toCurrency(quote.sendingCurrency),
    receivingCurrency: toCurrency(quote.receivingCurrency),
    totalSendingAmount: toWireAmount(quote.sendingMinor),
    totalReceivingAmount: toWireAmount(quote.receivingMinor),
    exchangeRate: toWireRate(quote.exchangeRate),
    feesIncluded: toWireAmount(BigInt(quote.options.feesIncludedMinor)),
    platformFeesIncluded: toWireAmount(BigInt(quote.options.platformFeesIncludedMinor)),
    ...(quote.paymentInstructions && !isWithheld ? { paymentInstructions: quote.paymentInstructions } : {}),
    transactionId: transactionIdOf(quote.id),
    rateDetails: quote.rateDetails,
    ...(quote.scaChallenge && status === 'PENDING_AUTHORIZATION' ? { scaChallenge: quote.scaChallenge } : {}),
  }
}
