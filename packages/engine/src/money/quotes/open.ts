import { ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { StoredWords } from '../../mechanisms/keys/words.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { listQuotes } from './contract.ts'
import { openQuote, type Quote } from './quote.ts'
import { renderQuote } from './render.ts'
import { quoteColumns } from './store.ts'

/** By the index of what is yet to expire, so that those of the past, which are almost all, are not read. */
const openQuotes = defineList<Quote & StoredWords>()({
  name: 'quotes.open',
  table: 'quotes q',
  columns: quoteColumns,
  where: `status = 'PENDING'`,
  filters: { openAt: 'expires_at > ?::timestamptz', customerId: equals('owner_id') },
})

/** A page of the quotes that may still be executed, by the clock of the book. */
export async function readOpenQuotes(
  { database, keys }: Pick<Engine, 'database' | 'keys'>,
  scope: Scope,
  query: Call<typeof listQuotes>['query'],
): Promise<Result<Reply, Failure>> {
  const own = `PlatformConfig:${scope.platformId}`
  const filters = { customerId: query.customerId?.map((id) => (id === own ? platformOwner : id)) }
  const page = readPage(keys, scope, 'quotes', query, filters)
  if (!page.ok) return page
  const meant = { ...filters, openAt: toTimestamp(scope.now) }
  const { rows, totalCount } = await openQuotes.read(database, scope, meant, page.value)
  const render = (row: Quote & StoredWords) => renderQuote(openQuote(keys, scope, row), scope.now)
  const body = toPage(keys, scope, 'quotes', page.value, filters, rows, totalCount, render)
  return ok({ status: 200, body })
}
