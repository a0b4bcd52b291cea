export { receiveInboundPayment } from './commands.ts'
export { creditFor } from './rules.ts'
