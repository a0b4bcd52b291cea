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

/** The receivables that these postings make: one for each receivable account that is debited. */
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

/** Who gets what is taken back: the account that the money came from at first, where it is one. */
function counterAccountOf({ source }: Transaction): string | undefined {
  return 'accountId' in source ? source.accountId : undefined
}

/**
 * The records of what these postings take out of internal accounts, for their owners: money that had been given, and that the
 * payment says no more of. A credit that has failed counts as taken back whole: what could not be taken is a credit of its own.
 */
export function takenBack(facts: StepFacts, postings: readonly Posting[]): Transaction[] {
  const { transaction, accounts, now, newItemId, mirrorPlatformCustomerId } = facts
  const { delivery } = transaction.flow
  return accounts.flatMap((account) => {
    const taken = postings.filter(({ debit }) => debit === ledgerAccount.available(account.id))
    if (isOwnCredit(account.id, account.ownerId)) return keptOf(account, taken)
    return taken.map(({ currency, amountMinor }) =>
      debitRecord({
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
      }),
    )
  })

  /** What the account keeps of its credit: it was spent, or the account is frozen. Its owner owes it. */
  function keptOf({ id: accountId, ownerId, currency }: InternalAccount, taken: readonly Posting[]) {
    const { status, receivedMinor } = transaction
    // One that waited in suspense was never credited.
    if (status !== 'COMPLETED' || receivedMinor === null) return []
    const amountMinor = taken.reduce((left, posting) => left - posting.amountMinor, receivedMinor)
    return amountMinor > 0n
      ? [creditRecord(facts, { currency, amountMinor }, { accountId, ownerId, isFee: false })]
      : []
  }

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
  recordOf,
  ...record
}: Pick<Transaction, 'id' | 'ownerId' | 'platformCustomerId' | 'reference' | 'quoteId'> & {
  readonly now: Instant
  readonly accountId: string
  /** The account that gets it, or that the money came from at first. */
  readonly counterAccountId: string
  readonly currency: string
  readonly amountMinor: bigint
  /** The payment that has the postings, where the record has none of its own. */
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
