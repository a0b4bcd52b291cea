export { prepareTransferIn, prepareTransferOut, type TransferPlan } from './commands.ts'
