import { type Instant, toTimestamp } from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { type Condition, contains, defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { Insert, Row, Update } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { AuthorizationKind, DeclineReason } from './authorization.ts'
import type { Card } from './card.ts'
import type { CardTransactionRecord, Merchant } from './card-transaction.ts'

const cardColumns = `id, version, cardholder_id as "cardholderId", platform_card_id as "platformCardId", status as state,
  state_reason as "stateReason", form, currency, funding_currency as "fundingCurrency", max_spend as "maxSpendMinor",
  funding_accounts as "fundingAccounts", brand, last4, exp_month::int as "expMonth", exp_year::int as "expYear",
  processor_ref as "processorRef", issuer_ref as "issuerRef", created_at as "createdAt", updated_at as "updatedAt"`

const loadCards = batchedLoad<Card>(
  statement(
    'cards.load',
    `select ${cardColumns} from cards where platform_id = $1 and environment = $2 and id = any($3::text[])`,
  ),
)

export async function loadCard(database: Database, book: Book, id: string): Promise<Card | undefined> {
  const [card] = await loadCards(database, book, [id])
  return card
}

const liveOfHolder = statement(
  'cards.liveOfHolder',
  `select ${cardColumns} from cards
   where platform_id = $1 and environment = $2 and cardholder_id = $3 and status <> 'CLOSED'
   order by created_at, id limit 100`,
)

export async function loadLiveCardsOf(database: Database, book: Book, customerId: string): Promise<Card[]> {
  return database.read<Card>(book, liveOfHolder, [book.platformId, book.environment, customerId])
}

export const cardList = defineList<Card>()({
  name: 'cards.list',
  table: 'cards',
  columns: cardColumns,
  filters: {
    cardholderId: equals('cardholder_id'),
    accountId: contains('funding_accounts'),
    platformCardId: equals('platform_card_id'),
    state: equals('status'),
  },
  kept: [{ filters: {}, total: { list: 'cards', parts: [''] } }],
})

export function cardRow(card: Card): Row {
  return {
    id: card.id,
    cardholder_id: card.cardholderId,
    platform_card_id: card.platformCardId,
    status: card.state,
    state_reason: card.stateReason,
    form: card.form,
    currency: card.currency,
    funding_currency: card.fundingCurrency,
    max_spend: card.maxSpendMinor,
    funding_accounts: card.fundingAccounts,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    processor_ref: card.processorRef,
    issuer_ref: card.issuerRef,
    created_at: toTimestamp(card.createdAt),
    updated_at: toTimestamp(card.updatedAt),
  }
}

/** The whole card as it is to be, if it is still as it was read. */
export function cardUpdate(before: Card, after: Card): Update {
  const { id, created_at: _, ...set } = cardRow(after)
  return { table: 'cards', id: before.id, version: before.version, set }
}

// Transactions

const transactionColumns = `id, version, card_id as "cardId", customer_id as "customerId",
  platform_customer_id as "platformCustomerId", account_id as "accountId", issuer_transaction_token as token,
  status, direction, merchant, currency, funding_currency as "fundingCurrency", authorized as "authorizedMinor",
  cleared as "clearedMinor", held as "heldMinor", holds, pulled as "pulledMinor", owed as "owedMinor",
  owed_returns as "owedReturnsMinor", clearings::int as clearings, pulls::int as pulls,
  pending_pulls::int as "pendingPulls", returns, is_expired as "isExpired", last_event_at as "lastEventAt",
  created_at as "createdAt", updated_at as "updatedAt"`

const loadTransactions = batchedLoad<CardTransactionRecord>(
  statement(
    'cards.loadTransactions',
    `select ${transactionColumns} from card_transactions
     where platform_id = $1 and environment = $2 and id = any($3::text[])`,
  ),
)

export async function loadCardTransaction(
  database: Database,
  book: Book,
  id: string,
): Promise<CardTransactionRecord | undefined> {
  const [transaction] = await loadTransactions(database, book, [id])
  return transaction
}

/** The account of a purchase sends, that of a credit receives. */
function accountOf(direction: CardTransactionRecord['direction']): Condition {
  const isOne = `direction = '${direction}' and account_id`
  return { one: `(${isOne} = ?)`, any: `(${isOne} = any(?::text[]))` }
}

/** The part of the list of transactions that cards make (cards 1.6); filters are those of accounts 10.3. */
export const cardTransactionList = defineList<CardTransactionRecord>()({
  name: 'cards.transactionList',
  table: 'card_transactions',
  columns: transactionColumns,
  filters: {
    customerId: equals('customer_id'),
    platformCustomerId: equals('platform_customer_id'),
    status: equals('status'),
    accountIdentifier: equals('account_id'),
    senderAccountIdentifier: accountOf('DEBIT'),
    receiverAccountIdentifier: accountOf('CREDIT'),
    startDate: timeConditions.createdAfter,
    endDate: timeConditions.createdBefore,
    updatedAfter: timeConditions.updatedAfter,
    updatedBefore: timeConditions.updatedBefore,
  },
  kept: [{ filters: {}, total: { list: 'card_transactions', parts: [''] } }],
})

export function transactionRow(record: CardTransactionRecord): Row {
  return {
    id: record.id,
    card_id: record.cardId,
    customer_id: record.customerId,
    platform_customer_id: record.platformCustomerId,
    account_id: record.accountId,
    issuer_transaction_token: record.token,
    status: record.status,
    direction: record.direction,
    merchant: record.merchant,
    currency: record.currency,
    funding_currency: record.fundingCurrency,
    authorized: record.authorizedMinor,
    cleared: record.clearedMinor,
    held: record.heldMinor,
    holds: record.holds,
    pulled: record.pulledMinor,
    owed: record.owedMinor,
    owed_returns: record.owedReturnsMinor,
    clearings: BigInt(record.clearings),
    pulls: BigInt(record.pulls),
    pending_pulls: BigInt(record.pendingPulls),
    returns: record.returns,
    is_expired: record.isExpired,
    last_event_at: record.lastEventAt === null ? null : toTimestamp(record.lastEventAt),
    created_at: toTimestamp(record.createdAt),
    updated_at: toTimestamp(record.updatedAt),
  }
}

// Attempts and reveals

export interface Attempt {
  readonly id: string
  readonly cardId: string
  readonly token: string
  readonly kind: AuthorizationKind
  readonly amountMinor: bigint
  readonly currency: string | null
  readonly merchant: Merchant
  readonly declineReason: DeclineReason | null
  readonly createdAt: Instant
}

export function attemptRow(attempt: Attempt): Insert {
  const { id, cardId, token, kind, amountMinor, currency, merchant, declineReason, createdAt } = attempt
  return {
    table: 'card_attempts',
    row: {
      id,
      card_id: cardId,
      issuer_transaction_token: token,
      kind,
      amount: amountMinor,
      currency,
      merchant,
      decline_reason: declineReason,
      created_at: toTimestamp(createdAt),
    },
  }
}

const attempts = statement(
  'cards.attempts',
  `select id, card_id as "cardId", issuer_transaction_token as token, kind, amount as "amountMinor", currency,
     merchant, decline_reason as "declineReason", created_at as "createdAt"
   from card_attempts where platform_id = $1 and environment = $2 and card_id = $3
   order by created_at desc, id desc limit 100`,
)

/** The newest hundred. */
export async function loadAttempts(database: Database, book: Book, cardId: string): Promise<Attempt[]> {
  return database.read<Attempt>(book, attempts, [book.platformId, book.environment, cardId])
}

/** An address that shows a card; whoever opens it has no credentials that say which book it is in. */
export interface Reveal extends Book {
  readonly cardId: string
  readonly expiresAt: Instant
}

const revealByToken = statement(
  'cards.revealByToken',
  `select platform_id as "platformId", environment, card_id as "cardId", expires_at as "expiresAt"
   from card_reveals where token_hash = $1`,
)

export async function findReveal(database: Database, tokenHash: string): Promise<Reveal | undefined> {
  const [reveal] = await database.system((connection) => connection.query<Reveal>(revealByToken, [tokenHash]))
  return reveal
}

const bookOfCard = statement(
  'cards.bookOfCard',
  'select platform_id as "platformId", environment from cards where id = $1',
)
const bookOfTransaction = statement(
  'cards.bookOfTransaction',
  'select platform_id as "platformId", environment from card_transactions where id = $1',
)

/** In which book a card or a card transaction is; for the operator. */
export async function findBookOf(
  database: Database,
  kind: 'CARD' | 'TRANSACTION',
  id: string,
): Promise<Book | undefined> {
  const text = kind === 'CARD' ? bookOfCard : bookOfTransaction
  const [book] = await database.system((connection) => connection.query<Book>(text, [id]))
  return book
}
