import { toTimestamp, toWireAmount } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import type { After, Decision, NewEvent, Requirement } from '../../vocabulary/decision.ts'
import { subjectOfOwner } from '../../vocabulary/subject.ts'
import type { InternalAccount as InternalAccountWire } from './contract.ts'
import { type InternalAccount, platformOwner } from './store.ts'

/** The account as its GET shows it (accounts 2.1): total is what can be spent plus what is held or reviewed. */
export function renderInternalAccount(account: InternalAccount): InternalAccountWire {
  const currency = toCurrency(account.currency)
  const total = account.availableMinor + account.heldMinor + account.pendingMinor
  return {
    id: account.id,
    ...(account.ownerId === platformOwner ? {} : { customerId: account.ownerId as `Customer:${string}` }),
    type: account.type,
    status: account.status,
    balance: { amount: toWireAmount(account.availableMinor), currency },
    totalBalance: { amount: toWireAmount(total), currency },
    ...(account.receivableMinor === 0n
      ? {}
      : { receivable: { amount: toWireAmount(account.receivableMinor), currency } }),
    // Kept while it is frozen, so that payers find the same coordinates afterwards (accounts 3.3).
    fundingPaymentInstructions: account.status === 'ACTIVE' ? account.fundingInstructions : [],
    ...(account.privateEnabled === null ? {} : { privateEnabled: account.privateEnabled }),
    createdAt: toTimestamp(account.createdAt),
    updatedAt: toTimestamp(account.updatedAt),
    version: Number(account.changes) + 1,
  }
}

/** The account as a journal leaves it. `moved` names the ledger accounts that the journal touches. */
export function withBalancesAfter(
  account: InternalAccount,
  after: After,
  moved: ReadonlySet<string>,
): InternalAccount {
  const available = ledgerAccount.available(account.id)
  const read = (key: string, before: bigint) => (moved.has(key) ? after.balance(key) : before)
  return {
    ...account,
    changes: after.version(account.id),
    updatedAt: after.changedAt(account.id),
    availableMinor: read(available, account.availableMinor),
    heldMinor: moved.has(available) ? after.held(available) : account.heldMinor,
    pendingMinor: read(ledgerAccount.pending(account.id), account.pendingMinor),
  }
}

/**
 * One INTERNAL_ACCOUNT.BALANCE_UPDATED for each of these accounts that the postings touch, or whose owner owes something else
 * after them, with the balances as of this journal (accounts 2.1, rule 6).
 */
export function balanceEvents(
  accounts: readonly InternalAccount[],
  postings: readonly MovedBetween[],
): NewEvent[] {
  const moved = keysOf(postings)
  return movedOf(accounts, moved).map((account) => ({
    type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    resourceId: account.id,
    subjectId: subjectOfOwner(account.ownerId),
    isOfBalance: true,
    data: (after) =>
      renderInternalAccount(withBalancesAfter(withReceivableAfter(account, postings), after, moved)),
  }))
}

/** Those events show the status and what is owed as well: a freeze or a debt at the same moment comes before, and is shown, or after. */
export function whileShown(
  accounts: readonly InternalAccount[],
  postings: readonly MovedBetween[],
): Requirement[] {
  return movedOf(accounts, keysOf(postings)).map(({ id, status, version }) => ({
    table: 'internal_accounts',
    id,
    version,
    from: [status],
    inTurn: true as const,
  }))
}

/**
 * What postings change of internal accounts whose owners owe something else afterwards: their rows count debts, so that whatever
 * was decided before is decided again, and where nothing moves on an account it changes all the same.
 */
export function owingChanges(
  accounts: readonly InternalAccount[],
  postings: readonly MovedBetween[],
): Required<Pick<Decision, 'updates' | 'changes'>> {
  const moved = keysOf(postings)
  const owing = accounts.filter((account) => moved.has(receivableOf(account)))
  return {
    updates: owing.map(({ id, status, version }) => ({
      table: 'internal_accounts',
      id,
      version,
      from: [status],
      set: {},
    })),
    changes: owing.filter(({ id }) => !balancesOf(id).some((key) => moved.has(key))),
  }
}

interface MovedBetween {
  readonly debit: string
  readonly credit: string
  readonly amountMinor: bigint
}

/** An account with what its owner owes after these postings. */
export function withReceivableAfter(
  account: InternalAccount,
  postings: readonly MovedBetween[],
): InternalAccount {
  const receivable = receivableOf(account)
  let { receivableMinor } = account
  for (const { debit, credit, amountMinor } of postings) {
    if (debit === receivable) receivableMinor += amountMinor
    if (credit === receivable) receivableMinor -= amountMinor
  }
  return { ...account, receivableMinor }
}

function keysOf(postings: readonly MovedBetween[]): ReadonlySet<string> {
  return new Set(postings.flatMap(({ debit, credit }) => [debit, credit]))
}

function movedOf(
  accounts: readonly InternalAccount[],
  moved: ReadonlySet<string>,
): readonly InternalAccount[] {
  return accounts.filter((account) =>
    [...balancesOf(account.id), receivableOf(account)].some((key) => moved.has(key)),
  )
}

const balancesOf = (id: string) => [ledgerAccount.available(id), ledgerAccount.pending(id)]
const receivableOf = ({ ownerId, currency }: InternalAccount) => ledgerAccount.receivable(ownerId, currency)
