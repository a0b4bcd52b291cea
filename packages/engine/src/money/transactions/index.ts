export { readTransaction, readTransactions } from './reads.ts'
export { mayBeCancelled } from './rules.ts'
