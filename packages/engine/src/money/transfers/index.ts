export { preparePaymentOn, prepareTransferIn, prepareTransferOut } from './commands.ts'
