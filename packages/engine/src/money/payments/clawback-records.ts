import { assert, type Id, type Instant } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { ledgerAccountKind } from '../../mechanisms/ledger/chart.ts'
import { type InternalAccount, platformOwner } from '../../platform/internal-accounts/index.ts'
import { creditRecord } from './credit-records.ts'
import type { Posting } from './postings.ts'
import { owe } from './receivable.ts'
import type { ReceivableCause } from './receivable-schemas.ts'
import type { StepFacts } from './step.ts'
import { amountsToText, plainAmounts, type Transaction } from './transaction.ts'

type Amount = Pick<Posting, 'currency' | 'amountMinor'>

/** Receivables that follow from these postings: one per debited receivable account. */
export function owedFor(facts: StepFacts, postings: readonly Posting[], cause: ReceivableCause) {
  const { transaction, now, newReceivableId } = facts
  return postings
    .filter(({ debit }) => ledgerAccountKind(debit) === 'recv')
    .map(({ debit, currency, amountMinor }) =>
      owe(now, {
        id: newReceivableId(),
        ownerId: ownerOf(debit, currency),
        currency,
        cause,
        transactionId: transaction.id,
        counterAccountId: counterAccountOf(transaction) ?? null,
        amountMinor,
      }),
    )
}

function ownerOf(receivableAccount: string, currency: string): string {
  const owner = receivableAccount.slice('recv:'.length, -(currency.length + 1))
  assert(ledgerAccount.receivable(owner, currency) === receivableAccount, 'it names its owner and currency')
  return owner
}

/** Account that gets the clawback: the original source of the money, if that is an internal account. */
function counterAccountOf({ source }: Transaction): string | undefined {
  return 'accountId' in source ? source.accountId : undefined
}

/**
 * Transactions that show owners what these postings take out of their internal accounts. The payment itself no longer shows
 * that money. A failed credit counts as taken back in full: the part that could not be taken is a credit of its own.
 */
export function takenBack(facts: StepFacts, postings: readonly Posting[]): Transaction[] {
  const { transaction, accounts, now, newItemId, mirrorPlatformCustomerId } = facts
  const { delivery } = transaction.flow
  return accounts.flatMap((account) => {
    const taken = postings.filter(({ debit }) => debit === ledgerAccount.available(account.id))
    if (!isOwnCredit(account.id, account.ownerId)) return taken.map((posting) => takenFrom(account, posting))
    // One that waited in suspense was never credited.
    const creditedMinor = transaction.status === 'COMPLETED' ? (transaction.receivedMinor ?? 0n) : 0n
    const takenMinor = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    if (takenMinor < creditedMinor) return [kept(account, creditedMinor - takenMinor)]
    // Beyond its credit, the account pays back the fee that it earned.
    return takenMinor > creditedMinor
      ? [takenFrom(account, { currency: account.currency, amountMinor: takenMinor - creditedMinor })]
      : []
  })

  function takenFrom(account: InternalAccount, { currency, amountMinor }: Amount): Transaction {
    return debitRecord({
      id: newItemId(),
      now,
      recordOf: transaction.id,
      ownerId: account.ownerId,
      platformCustomerId: platformCustomerIdOf(account.ownerId),
      reference: transaction.reference,
      quoteId: transaction.quoteId,
      accountId: account.id,
      counterAccountId: counterAccountOf(transaction) ?? account.id,
      currency,
      amountMinor,
    })
  }

  /** What the account keeps of its credit: it was spent, or the account is frozen. Its owner owes it. */
  function kept({ id: accountId, ownerId, currency }: InternalAccount, amountMinor: bigint): Transaction {
    return creditRecord(facts, { currency, amountMinor }, { accountId, ownerId, isFee: false })
  }

  function platformCustomerIdOf(ownerId: string): string {
    if (ownerId === transaction.ownerId) return transaction.platformCustomerId
    return ownerId === platformOwner ? platformOwner : (mirrorPlatformCustomerId ?? ownerId)
  }

  function isOwnCredit(accountId: string, ownerId: string): boolean {
    return delivery.kind === 'INTERNAL' && delivery.accountId === accountId && ownerId === transaction.ownerId
  }
}

/** Transaction for money that left an internal account at once and for good. */
export function debitRecord({
  now,
  accountId,
  counterAccountId,
  currency,
  amountMinor,
  recordOf,
  ...record
}: Pick<Transaction, 'id' | 'ownerId' | 'platformCustomerId' | 'reference' | 'quoteId'> & {
  readonly now: Instant
  readonly accountId: string
  /** Account that gets the money, or its original source. */
  readonly counterAccountId: string
  readonly currency: string
  readonly amountMinor: bigint
  /** Payment that has the postings, if the record has none of its own. */
  readonly recordOf?: string
}): Transaction {
  return {
    ...record,
    version: 1n,
    status: 'COMPLETED',
    type: 'OUTGOING',
    direction: 'DEBIT',
    sentMinor: amountMinor,
    sentCurrency: currency,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    source: { sourceType: 'ACCOUNT', accountId: accountId as Id<'InternalAccount'>, currency },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: counterAccountId as Id<'ExternalAccount'>,
      currency,
    },
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: 'DONE',
      kind: 'TRANSFER',
      funding: { kind: 'INTERNAL', accountId },
      delivery: { kind: 'INTERNAL', accountId: counterAccountId },
      amounts: amountsToText(plainAmounts(amountMinor)),
      isImmediate: true,
      ...(recordOf === undefined ? {} : { recordOf }),
    },
    details: {},
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  }
}
