export { decideByPlatform } from './commands.ts'
export { loadSettlementFacts } from './jobs.ts'
export { sealedPayeeInformation, takePayeeInformation } from './payee-information.ts'
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
