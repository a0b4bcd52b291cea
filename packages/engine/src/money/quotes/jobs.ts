import { assert, ok } from '@corridor/kernel'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import { decideExpire } from './rules.ts'
import { dueQuotes, firstDueQuoteOfBook, loadQuote, upcomingQuotesOfBook } from './store.ts'

/** Ends quotes whose time is up. Reads show them expired before it comes by (accounts 7.3). */
export const expireQuotes: Sweep = {
  kind: 'quotes.expire',
  due: dueQuotes,
  dueOfBook: firstDueQuoteOfBook,
  upcomingOfBook: upcomingQuotesOfBook,
  async run(engine, scope, id) {
    const quote = await loadQuote(engine, scope, id)
    assert(quote, 'a quote that falls due is on record')
    return ok(decideExpire(scope, quote))
  },
}
