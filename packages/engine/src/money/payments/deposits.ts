import type { Id } from '@corridor/kernel'
import { balanceEvents, type InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { journal, type Posting } from './postings.ts'
import {
  depositStablecoinToUsdAccount,
  depositToAccount,
  suspenseStablecoinToUsdAccount,
  suspenseToAccount,
} from './receipts.ts'
import { paymentEvent } from './render.ts'
import { amountsToText, plainAmounts, type Transaction, transactionRow } from './transaction.ts'
import type { TransactionSource } from './transaction-schemas.ts'

/** Money that arrived for an internal account from outside (accounts 3.3). */
export interface Deposit {
  readonly transactionId: Id<'Transaction'>
  readonly account: InternalAccount
  readonly platformCustomerId: string
  /** What is credited, in the currency of the account. */
  readonly amountMinor: bigint
  /** What arrived, where it is a stablecoin that a dollar account is credited for. */
  readonly arrived?: { readonly currency: string; readonly amountMinor: bigint }
  /** Where the ledger mirrors it: a rail, or the simulated world. */
  readonly rail: string
  readonly reference: string
  /** Whether it waited in suspense until the account could be credited. */
  readonly isFromSuspense?: true
  /** What the rail told about the payer. */
  readonly originator?: Partial<Extract<TransactionSource, { sourceType: 'REALTIME_FUNDING' }>>
}

/** Credits a deposit in full: posting, record and events in one commit (accounts 12.6, 13 row 20). */
export function decideDeposit(
  scope: Scope,
  deposit: Deposit,
): Omit<Decision, 'result'> & { transaction: Transaction } {
  const { account, amountMinor, rail, transactionId } = deposit
  const { currency } = account
  const transaction: Transaction = {
    id: transactionId,
    version: 1n,
    status: 'COMPLETED',
    type: 'INCOMING',
    direction: 'CREDIT',
    ownerId: account.ownerId,
    platformCustomerId: deposit.platformCustomerId,
    quoteId: null,
    sentMinor: deposit.arrived?.amountMinor ?? amountMinor,
    sentCurrency: deposit.arrived?.currency ?? currency,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    source: {
      sourceType: 'REALTIME_FUNDING',
      currency: deposit.arrived?.currency ?? currency,
      ...deposit.originator,
    },
    destination: { destinationType: 'ACCOUNT', accountId: account.id, currency },
    reference: deposit.reference,
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: 'DONE',
      kind: 'DEPOSIT',
      funding: { kind: 'REALTIME', rail, isCrypto: false },
      delivery: { kind: 'INTERNAL', accountId: account.id },
      amounts: amountsToText(plainAmounts(amountMinor)),
      isImmediate: true,
    },
    details: {},
    createdAt: scope.now,
    updatedAt: scope.now,
    settledAt: scope.now,
  }
  const postings = postingsOf(deposit)
  return {
    transaction,
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    transfers: journal(transactionId, 'deposit', postings),
    events: [paymentEvent(scope, transaction, 'COMPLETED'), ...balanceEvents([account], postings)],
  }
}

function postingsOf({ account, amountMinor, arrived, rail, isFromSuspense }: Deposit): Posting[] {
  const { id: internalAccountId, currency } = account
  if (arrived) {
    const exchanged = { received: arrived, creditedUsdMinor: amountMinor }
    return isFromSuspense
      ? suspenseStablecoinToUsdAccount(exchanged, internalAccountId)
      : depositStablecoinToUsdAccount(exchanged, { rail, internalAccountId })
  }
  const received = { currency, amountMinor }
  return isFromSuspense
    ? suspenseToAccount(received, internalAccountId)
    : depositToAccount(received, { rail, internalAccountId })
}
