import { assert, type Id, type Instant, stateAfter, toTimestamp } from '@corridor/kernel'
import type { Keys } from '../../mechanisms/keys/keys.ts'
import { openWords, type StoredWords, wordsColumn } from '../../mechanisms/keys/words.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Row } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { Words, wordsColumns } from '../../vocabulary/words.ts'
import {
  type Funding,
  type PaymentFlow,
  type RefundRoute,
  type TransactionStatus,
  takeApart,
} from '../payments/index.ts'
import { quoteMachine } from './machine.ts'
import type { QuoteDestination, QuoteRequest, QuoteSource, Quote as QuoteWire } from './quote-schemas.ts'

/** The statuses that are stored. From PROCESSING on the transaction tells how it goes on (render.ts). */
export type StoredQuoteStatus = Exclude<keyof (typeof quoteMachine)['states'], 'COMPLETED'>

/** The stored status after `on`; COMPLETED is read from the transaction and never stored. */
export function quoteStatusAfter(on: (typeof quoteMachine)['transitions'][number]['on']): StoredQuoteStatus {
  const status = stateAfter(quoteMachine, on)
  assert(status !== 'COMPLETED', 'a quote completes with its transaction')
  return status
}

/** A price with everything its execution needs. Execution uses these integers and computes nothing. */
export interface Quote {
  readonly id: Id<'Quote'>
  readonly version: bigint
  readonly status: StoredQuoteStatus
  /** A customer id, or `platform`. */
  readonly ownerId: string
  readonly source: QuoteSource
  readonly destination: QuoteDestination
  readonly sourceAccountId: string | null
  readonly destinationAccountId: string | null
  readonly sendingCurrency: string
  readonly receivingCurrency: string
  readonly sendingMinor: bigint
  readonly receivingMinor: bigint
  /** The parts of both amounts (pricing.ts), minor units as text. */
  readonly amounts: PaymentFlow['amounts']
  readonly exchangeRate: string
  readonly rateDetails: QuoteWire['rateDetails']
  readonly paymentInstructions: QuoteWire['paymentInstructions'] | null
  /** The reference by which inbound money finds a realtime quote. */
  readonly paymentReference: string | null
  readonly options: QuoteOptions
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
  /** What the customer has to prove, while it is PENDING_AUTHORIZATION. */
  readonly scaChallenge: QuoteWire['scaChallenge'] | null
  /** Of the transaction with the same uuid, once there is one. */
  readonly transactionStatus: TransactionStatus | null
}

/** What was settled when the quote was made and is neither an amount nor an account. */
export interface QuoteOptions {
  /** Who made it, where that was an agent: nobody else of them may see it. */
  readonly agentId?: Id<'Agent'>
  /** What an agent wants its customer to be asked for when the quote is executed: that call of it has no body. */
  readonly scaFactor?: NonNullable<QuoteRequest['scaFactor']>
  readonly funding: Funding
  readonly delivery: PaymentFlow['delivery']
  readonly refundRoute: RefundRoute
  /** What the amounts were computed with, as exact ratios (`a/b`). Absent from quotes of before it was kept. */
  readonly pricing?: {
    readonly lockedSide: 'SENDING' | 'RECEIVING'
    readonly crossRate: string
    readonly serviceRate: string
    readonly platformBps: number
  }
  readonly feesIncludedMinor: string
  readonly platformFeesIncludedMinor: string
  readonly platformAccountId?: string
  readonly railSelectionMode: 'AUTO' | 'MANUAL'
  /** As the transaction shows it: absent for chains, Lightning and internal destinations. */
  readonly shownRail?: string
  /** Whose account pays, where that is not the owner of the quote: the platform's, for a customer. */
  readonly payerId?: string
  /** The account of ours that is paid belongs to another owner than the one that pays. */
  readonly paysAnother?: true
  readonly transactionReference: string
  readonly platformCustomerId: string
  /** The value at mid when the quote was made: what an unproved wallet may receive is measured by it. */
  readonly sendingEurMinor?: string
  /** The same in US cents: what the payment counts for in the volume of its corridor. */
  readonly sendingUsdMinor?: string
  readonly description?: string
  readonly remittanceInformation?: string
  readonly purposeOfPayment?: string
  readonly settlement?: {
    readonly expectedSettlementAt: string | null
    readonly settlementTimelineSeconds: number
  }
}

export const sealedQuoteWords = wordsColumn('quotes')

/** What is sealed of the options; the rest stands in plain. */
const personalOptions = ['description', 'remittanceInformation'] as const

function wordsOf({ id, ownerId }: Quote, options: Partial<QuoteOptions>): Words {
  const place = {
    column: sealedQuoteWords,
    row: id,
    ownerId: ownerId === platformOwner ? null : ownerId,
  }
  return new Words(place, JSON.stringify(options))
}

/** A quote as it was read, with its words where they belong. */
export function openQuote(keys: Keys, book: Book, row: Quote & StoredWords): Quote {
  const text = openWords(keys, book, sealedQuoteWords, row)
  return text === undefined ? row : { ...row, options: { ...row.options, ...JSON.parse(text) } }
}

export function quoteRow(quote: Quote): Row {
  const options = takeApart(quote.options, personalOptions)
  return {
    id: quote.id,
    status: quote.status,
    owner_id: quote.ownerId,
    source: quote.source,
    destination: quote.destination,
    source_account_id: quote.sourceAccountId,
    destination_account_id: quote.destinationAccountId,
    sending_currency: quote.sendingCurrency,
    receiving_currency: quote.receivingCurrency,
    sending_amount: quote.sendingMinor,
    receiving_amount: quote.receivingMinor,
    amounts: quote.amounts,
    exchange_rate: quote.exchangeRate,
    rate_details: quote.rateDetails,
    payment_instructions: quote.paymentInstructions,
    payment_reference: quote.paymentReference,
    options: options.rest,
    ...(options.taken ? wordsColumns(wordsOf(quote, options.taken)) : {}),
    ...(quote.scaChallenge ? { sca_challenge: quote.scaChallenge } : {}),
    created_at: toTimestamp(quote.createdAt),
    updated_at: toTimestamp(quote.updatedAt),
    expires_at: toTimestamp(quote.expiresAt),
  }
}
