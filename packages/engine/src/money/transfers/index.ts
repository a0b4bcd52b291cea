export { prepareTransferOut } from './commands.ts'
