export { readTransaction, readTransactions } from './reads.ts'
