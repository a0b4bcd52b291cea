export * from '../ledger/accounts.ts'
export * from './clawbacks.ts'
export * from './postings.ts'
export * from './receipts.ts'
