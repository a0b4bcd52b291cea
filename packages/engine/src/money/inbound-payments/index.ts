export { receiveInboundPayment } from './commands.ts'
export { creditFor, type InboundPayment } from './rules.ts'
export type { BookedPayment, InboundOutcome } from './store.ts'
