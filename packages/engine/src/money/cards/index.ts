export type { CardTransactionRecord } from './card-transaction.ts'
export { renderCardTransaction } from './render.ts'
export { openReveal, type RevealedCard } from './reveal.ts'
export { cardTransactionList, loadCardTransaction } from './store.ts'
