export { prepareTransferIn, prepareTransferOut } from './commands.ts'
