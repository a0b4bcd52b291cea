export { decideByPlatform } from './commands.ts'
export { loadSettlementFacts } from './jobs.ts'
export { decideReceipt, decideSettlement, notAwaiting } from './rules.ts'
