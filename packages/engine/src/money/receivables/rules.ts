import { failed, type Id, ok, type Result } from '@corridor/kernel'
import {
  balanceEvents,
  type InternalAccount,
  owingChanges,
  whileShown,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  collectOwed,
  debitRecord,
  journal,
  paymentEvent,
  payOff,
  type Receivable,
  renderReceivable,
  transactionRow,
  writeOff,
  writeOffOwed,
} from '../payments/index.ts'
import { insufficientBalance } from '../quotes/index.ts'

/** Input of the decision, beside the receivable. */
export interface CollectFacts {
  /** Account of the owner in the currency of the receivable, if there is one. */
  readonly account: InternalAccount | undefined
  readonly platformCustomerId: string
  /** Id of the transaction that the owner sees. */
  readonly recordId: Id<'Transaction'>
  readonly reference: string
}

/** Gives up what is left of a receivable. The owner's account, if there is one, shows that nothing is owed any more. */
export function decideWriteOff(
  scope: Scope,
  receivable: Receivable,
  account: InternalAccount | undefined,
): Result<Decision<Reply>, Failure> {
  const { id, status, remainingMinor, ownerId, currency } = receivable
  if (status !== 'OPEN') return failed(fail('CONFLICT', { reason: 'RESOLVED', status, id }))
  const { next, update, event } = writeOff(receivable, scope.now)
  const postings = writeOffOwed({ currency, amountMinor: remainingMinor }, ownerId)
  const accounts = account ? [account] : []
  const owing = owingChanges(accounts, postings)
  return ok({
    updates: [update, ...owing.updates],
    changes: owing.changes,
    requires: whileShown(accounts, postings),
    transfers: journal(id, 'writeOff', postings),
    events: [event, ...balanceEvents(accounts, postings)],
    result: () => ({ status: 200, body: renderReceivable(next) }),
  })
}

/** Collects the outstanding amount of a receivable from its owner's account, up to the balance. */
export function decideCollect(
  scope: Scope,
  receivable: Receivable,
  { account, platformCustomerId, recordId, reference }: CollectFacts,
): Result<Decision<Reply>, Failure> {
  const { id, status, remainingMinor, ownerId, currency, counterAccountId } = receivable
  if (status !== 'OPEN') return failed(fail('CONFLICT', { reason: 'RESOLVED', status, id }))
  if (!account) return failed(fail('CONFLICT', { reason: 'NO_ACCOUNT', id }))
  // What leaves an embedded wallet its holder has signed, and nobody signs a collection.
  if (account.type === 'EMBEDDED_WALLET') {
    return failed(fail('CONFLICT', { reason: 'HOLDER_MUST_SIGN', accountId: account.id, id }))
  }
  if (account.status !== 'ACTIVE') {
    return failed(
      fail('CONFLICT', { reason: 'ACCOUNT_NOT_ACTIVE', status: account.status, accountId: account.id, id }),
    )
  }
  const { availableMinor } = account
  if (availableMinor <= 0n)
    return failed(
      insufficientBalance(account.id, { availableMinor, requiredMinor: remainingMinor, currency }),
    )
  const amountMinor = availableMinor < remainingMinor ? availableMinor : remainingMinor
  const paid = payOff(receivable, amountMinor, scope.now)
  const postings = collectOwed({ currency, amountMinor }, { internalAccountId: account.id, ownerId })
  const record = debitRecord({
    id: recordId,
    now: scope.now,
    ownerId,
    platformCustomerId,
    reference,
    quoteId: null,
    accountId: account.id,
    counterAccountId: counterAccountId ?? account.id,
    currency,
    amountMinor,
  })
  const owing = owingChanges([account], postings)
  return ok({
    updates: [paid.update, ...owing.updates],
    changes: owing.changes,
    inserts: [{ table: 'transactions', row: transactionRow(record) }],
    requires: [whileStatusStays(account), ...whileShown([account], postings)],
    transfers: journal(recordId, 'collect', postings),
    events: [paymentEvent(scope, record, 'COMPLETED'), paid.event, ...balanceEvents([account], postings)],
    result: () => ({ status: 200, body: renderReceivable(paid.next) }),
  })
}
