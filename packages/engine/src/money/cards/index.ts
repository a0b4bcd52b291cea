export type { CardTransactionRecord } from './card-transaction.ts'
export { renderCardTransaction } from './render.ts'
export { cardTransactionList, loadCardTransaction } from './store.ts'
