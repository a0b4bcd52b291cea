export {
  endAllUnauthorized,
  endUnauthorizedTransaction,
  expireAuthorization,
} from './authorization-commands.ts'
export { createQuote, loadSignatureRefusal, loadSnapshot, planExecution, readQuote } from './commands.ts'
export type { PricedDestination } from './fee-schedule.ts'
export { guardsOf } from './guards.ts'
export { expireQuotes } from './jobs.ts'
export { amountRefusal, currencyRefusal } from './limits.ts'
export { type PricingInput, priceForward, pricePayment } from './pricing.ts'
export { type Quote, quoteStatusAfter } from './quote.ts'
export { findQuoteByReference, loadFundableQuote, receiveFunds } from './receive-funds.ts'
export { renderQuote, statusOf } from './render.ts'
export { loadReservedTransaction } from './reserved.ts'
export { insufficientBalance } from './rules.ts'
export { loadQuote, loadQuotes } from './store.ts'
export { pricingTerms, standingPlatformFee } from './terms.ts'
