import type { Id } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { ledgerAccountKind } from '../../mechanisms/ledger/chart.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Posting } from './postings.ts'
import type { StepFacts } from './step.ts'
import { amountsToText, plainAmounts, type Transaction } from './transaction.ts'

/**
 * The records of what these postings give to internal accounts, for their owners, where the payment itself does not show it:
 * the receiver of a payment by another owner, or of one that was paid in from outside, and the platform for its fee. Each shows
 * what its account got, and nothing of what the payer was charged.
 */
export function creditRecords(facts: StepFacts, postings: readonly Posting[]): Transaction[] {
  const { transaction, accounts } = facts
  return postings.flatMap((posting) => {
    const account = accounts.find(({ id }) => posting.credit === ledgerAccount.available(id))
    if (!account) return []
    const from = ledgerAccountKind(posting.debit)
    const isFee = from === 'pfee'
    const isShown = from === 'txn' && transaction.ownerId === account.ownerId && !isPaidIn(transaction)
    if (from === 'txn' ? isShown : !isFee) return []
    return [creditRecord(facts, posting, { accountId: account.id, ownerId: account.ownerId, isFee })]
  })
}

/** Whether it is money going out to its owner's own account: paid in from outside, it came from no account of ours. */
function isPaidIn({ type, flow }: Transaction): boolean {
  return type === 'OUTGOING' && flow.funding.kind === 'REALTIME'
}

/** The record of what an account got of a payment. */
export function creditRecord(
  { transaction, now, newItemId, mirrorPlatformCustomerId }: StepFacts,
  { currency, amountMinor }: Pick<Posting, 'currency' | 'amountMinor'>,
  credited: { readonly accountId: Id<'InternalAccount'>; readonly ownerId: string; readonly isFee: boolean },
): Transaction {
  const { quoteId, source, reference, details, flow } = transaction
  const { accountId, ownerId, isFee } = credited
  const isWhole = transaction.sentCurrency === currency && transaction.sentMinor === amountMinor
  const isOwn = ownerId === transaction.ownerId
  return {
    id: newItemId(),
    version: 1n,
    status: 'COMPLETED',
    type: 'INCOMING',
    direction: 'CREDIT',
    ownerId,
    platformCustomerId: isOwn
      ? transaction.platformCustomerId
      : ownerId === platformOwner
        ? platformOwner
        : (mirrorPlatformCustomerId ?? ownerId),
    quoteId,
    // Where the payer was charged something else, that is the payer's business.
    sentMinor: isWhole ? amountMinor : null,
    sentCurrency: isWhole ? currency : null,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    source: isOwn ? source : shownSource(source, isWhole),
    destination: { destinationType: 'ACCOUNT', accountId, currency },
    reference,
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: 'DONE',
      kind: flow.kind,
      funding: flow.funding,
      delivery: { kind: 'INTERNAL', accountId },
      amounts: amountsToText(plainAmounts(amountMinor)),
      isImmediate: flow.isImmediate,
      recordOf: transaction.id,
    },
    details: details.description === undefined || isFee ? {} : { description: details.description },
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  }
}

/** The other side, without who paid in for it, and without a currency that is its own business. */
function shownSource(source: Transaction['source'], isWhole: boolean): Transaction['source'] {
  if (source.sourceType === 'REALTIME_FUNDING') {
    return { sourceType: source.sourceType, currency: source.currency }
  }
  if (isWhole) return source
  const { currency: _, ...rest } = source
  return rest
}
