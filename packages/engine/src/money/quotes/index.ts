export { endAllUnauthorized, endUnauthorizedTransaction } from './authorization-commands.ts'
export {
  type CheckedSignature,
  checkSignature,
  createQuote,
  planExecution,
  readQuote,
} from './commands.ts'
export type { PricedDestination } from './fee-schedule.ts'
export { guardsOf } from './guards.ts'
export { amountBounds, amountRefusal, currencyRefusal } from './limits.ts'
export { type Pricing, type PricingInput, type PricingTerms, priceForward, pricePayment } from './pricing.ts'
export { type Quote, quoteStatusAfter, sealedQuoteWords } from './quote.ts'
export { loadSnapshot } from './quoted-rates.ts'
export { findQuoteByReference, loadFundableQuote, receiveFunds } from './receive-funds.ts'
export { renderQuote, statusOf as quoteStatusOf } from './render.ts'
export { loadReservedTransaction } from './reserved.ts'
export { insufficientBalance } from './rules.ts'
export { loadQuote, loadQuotes } from './store.ts'
export { noPlatformFee, pricingTerms, standingPlatformFee } from './terms.ts'
