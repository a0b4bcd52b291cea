import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { dueInAnyBook } from '../../mechanisms/jobs/sweeps.ts'
import { type StoredWords, storedWordsOf } from '../../mechanisms/keys/words.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { openQuote, type Quote } from './quote.ts'

/** What opens a quote, besides the database that holds it. */
type Vault = Pick<Engine, 'database' | 'keys'>

/** $1 and $2 are the book. */
export const quoteColumns = `q.id, q.version, q.status, q.owner_id as "ownerId", q.source, q.destination,
  q.source_account_id as "sourceAccountId", q.destination_account_id as "destinationAccountId",
  q.sending_currency as "sendingCurrency", q.receiving_currency as "receivingCurrency",
  q.sending_amount as "sendingMinor", q.receiving_amount as "receivingMinor", q.amounts,
  q.exchange_rate as "exchangeRate", q.rate_details as "rateDetails",
  q.payment_instructions as "paymentInstructions", q.payment_reference as "paymentReference", q.options,
  q.sca_challenge as "scaChallenge",
  q.created_at as "createdAt", q.updated_at as "updatedAt", q.expires_at as "expiresAt",
  (select t.status from transactions t
   where t.platform_id = $1 and t.environment = $2 and t.id = q.transaction_id
  ) as "transactionStatus", ${storedWordsOf('q')}`

const load = statement(
  'quotes.load',
  `select ${quoteColumns} from quotes q where q.platform_id = $1 and q.environment = $2 and q.id = any($3::text[])`,
)
const loadRows = batchedLoad<Quote & StoredWords>(load)

export async function loadQuotes(
  { database, keys }: Vault,
  book: Book,
  ids: readonly string[],
): Promise<Quote[]> {
  const rows = await loadRows(database, book, ids)
  return rows.map((row) => openQuote(keys, book, row))
}

export async function loadQuote(vault: Vault, book: Book, id: string): Promise<Quote | undefined> {
  const [quote] = await loadQuotes(vault, book, [id])
  return quote
}

const loadByReference = statement(
  'quotes.loadByReference',
  `select ${quoteColumns} from quotes q
   where q.platform_id = $1 and q.environment = $2 and q.payment_reference = $3`,
)

/** The realtime quote that awaits a payment with this reference. */
export async function loadQuoteByReference(
  { database, keys }: Vault,
  book: Book,
  reference: string,
): Promise<Quote | undefined> {
  const [quote] = await database.read<Quote & StoredWords>(book, loadByReference, [
    book.platformId,
    book.environment,
    reference,
  ])
  return quote && openQuote(keys, book, quote)
}

/** Quotes whose time is up, by the clock of each book. */
export const dueQuotes = statement('quotes.due', dueInAnyBook('quotes', "status = 'PENDING'"))

export const firstDueQuoteOfBook = statement(
  'quotes.firstDueOfBook',
  `select id, expires_at as "runAt" from quotes
   where platform_id = $1 and environment = $2 and status = 'PENDING' and expires_at <= $3
     and id <> all($4::text[])
   order by expires_at, id limit 1`,
)
export const upcomingQuotesOfBook = statement(
  'quotes.upcomingOfBook',
  `select id, expires_at as "runAt" from quotes
   where platform_id = $1 and environment = $2 and status = 'PENDING'
   order by expires_at, id limit $3`,
)
