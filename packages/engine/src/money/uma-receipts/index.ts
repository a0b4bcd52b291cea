export { decideByPlatform } from './commands.ts'
export { loadSettlementFacts } from './jobs.ts'
export { decideFailure, decideReceipt, decideSettlement, isAwaited, notAwaiting } from './rules.ts'
