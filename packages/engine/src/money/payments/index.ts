export { withStepsWithin } from './ahead.ts'
export { isCancelAsked, isCancellable } from './cancel-wish.ts'
export { debitRecord } from './clawback-records.ts'
export { collectOwed, writeOffOwed } from './clawbacks.ts'
export { type Deposit, decideDeposit } from './deposits.ts'
export { begunAt, type Due, dueOnWire, expectedEndOf, isUnderWay, lateStages, loadDue } from './late.ts'
export { isToldAs } from './payment-steps.ts'
export {
  captureHold,
  convert,
  debitPrefunded,
  hold,
  holdStep,
  type JournalStep,
  journal,
  journalSteps,
  type Posting,
  releaseHold,
  settlementAccount,
} from './postings.ts'
export {
  cardNetworkRail,
  depositToSuspense,
  realtimeReceipt,
  realtimeReceiptInStablecoin,
  receiptAfterExpiry,
  refusedUmaReceipt,
  umaReceiptInMsats,
  umaReceiptToAccount,
  wrongAmountReceipt,
} from './receipts.ts'
export { owe, payOff, type Receivable, renderReceivable, writeOff } from './receivable.ts'
export { loadReceivable, receivableColumns } from './receivable-store.ts'
export { endRefund, refundedAmountOf, startRefund } from './refund.ts'
export { paymentEvent, renderTransaction } from './render.ts'
export { askingKind, collectionKind, firstStep, nextStep, paymentOf, type Step, stepKind } from './step.ts'
export { loadTransaction, loadTransactions, readTransactionList } from './store.ts'
export { follow } from './story.ts'
export { decideReplay, decideSendBack, type SuspenseItem, suspenseRow, takeFromSuspense } from './suspense.ts'
export { resolveRefund } from './suspense-commands.ts'
export { loadSuspenseItem } from './suspense-store.ts'
export {
  type Approval,
  amountsToText,
  change,
  type Delivery,
  type Funding,
  type PaymentFlow,
  plainAmounts,
  quoteIdOf,
  type RefundRoute,
  type ShownTransaction,
  statusAfter,
  type Transaction,
  transactionIdOf,
  transactionRow,
  type UmaCounterparty,
  umaRail,
  type Volume,
} from './transaction.ts'
export type { TransactionStatus } from './transaction-schemas.ts'
export { endUmaPayment } from './uma-ending.ts'
export { countVolume, dailyUsdLimit, releaseVolume, volumeOf } from './volume.ts'
export { sealedTransactionWords, takeApart } from './words.ts'
