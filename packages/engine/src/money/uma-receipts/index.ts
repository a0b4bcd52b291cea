export { decideByPlatform } from './commands.ts'
export { loadSettlementFacts } from './jobs.ts'
export {
  collectionOf,
  collectJob,
  decideFailure,
  decideReceipt,
  decideSettlement,
  isAwaited,
  notAwaiting,
  type ReceiptPayload,
} from './rules.ts'
