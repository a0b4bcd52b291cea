import type { Id, Instant } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Posting } from './postings.ts'
import type { StepFacts } from './step.ts'
import { amountsToText, plainAmounts, type Transaction } from './transaction.ts'

/** Who gets what is taken back: the account that the money came from at first, where it is one. */
function counterAccountOf({ source }: Transaction): string | undefined {
  return 'accountId' in source ? source.accountId : undefined
}

/**
 * The records of what these postings take out of internal accounts, for their owners: money that had been given, and that the
 * payment says no more of.
 */
export function takenBack(facts: StepFacts, postings: readonly Posting[]): Transaction[] {
  const { transaction, accounts, now, newItemId, mirrorPlatformCustomerId } = facts
  const { delivery } = transaction.flow
  return accounts.flatMap((account) => {
    // Its own credit is undone by its failure.
    if (isOwnCredit(account.id, account.ownerId)) return []
    return postings
      .filter(({ debit }) => debit === ledgerAccount.available(account.id))
      .map(({ currency, amountMinor }) =>
        debitRecord({
          id: newItemId(),
          now,
          ownerId: account.ownerId,
          platformCustomerId: platformCustomerIdOf(account.ownerId),
          reference: transaction.reference,
          quoteId: transaction.quoteId,
          accountId: account.id,
          counterAccountId: counterAccountOf(transaction) ?? account.id,
          currency,
          amountMinor,
        }),
      )
  })

  function platformCustomerIdOf(ownerId: string): string {
    if (ownerId === transaction.ownerId) return transaction.platformCustomerId
    return ownerId === platformOwner ? platformOwner : (mirrorPlatformCustomerId ?? ownerId)
  }

  function isOwnCredit(accountId: string, ownerId: string): boolean {
    return delivery.kind === 'INTERNAL' && delivery.accountId === accountId && ownerId === transaction.ownerId
  }
}

/** The record of money that left an internal account at once and for good. */
export function debitRecord({
  now,
  accountId,
  counterAccountId,
  currency,
  amountMinor,
  ...record
}: Pick<Transaction, 'id' | 'ownerId' | 'platformCustomerId' | 'reference' | 'quoteId'> & {
  readonly now: Instant
  readonly accountId: string
  /** The account that gets it, or that the money came from at first. */
  readonly counterAccountId: string
  readonly currency: string
  readonly amountMinor: bigint
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
    },
    details: {},
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  }
}
