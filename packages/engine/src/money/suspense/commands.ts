import { failed, ok, type Result, toTimestamp, toWireAmount } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PageQuery, readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { loadCustomer, whileCustomerStays } from '../../people/customers/index.ts'
import { loadInternalAccount, platformOwner } from '../../platform/internal-accounts/index.ts'
import { decimalsOf } from '../../reference/currencies/lookup.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Book, Scope } from '../../vocabulary/scope.ts'
import { creditFor } from '../inbound-payments/index.ts'
import { decideReplay, decideSendBack, type SuspenseItem } from '../payments/index.ts'
import type { SuspenseItem as SuspenseItemWire } from './contract.ts'
import { findBookOfItem, loadItem, type SuspenseRow, suspenseList } from './store.ts'

/** One page of what is or was in suspense in a book, like every list (conventions 7). */
export async function listSuspense(
  { database, keys }: Engine,
  book: Book,
  query: PageQuery & { readonly status?: SuspenseItem['status'] },
): Promise<Result<Reply, Failure>> {
  const filters = { status: query.status }
  const page = readPage(keys, book, 'suspense', query, filters)
  if (!page.ok) return page
  const { rows, totalCount } = await suspenseList.read(database, book, filters, page.value)
  const body = toPage(keys, book, 'suspense', page.value, filters, rows, totalCount, render)
  return ok({ status: 200, body })
}

/** One item, whatever became of it; REFERENCE_NOT_FOUND where there is none. */
export async function readSuspense({ database }: Engine, id: string): Promise<Result<Reply, Failure>> {
  const book = await findBookOfItem(database, id)
  const item = book && (await loadItem(database, book, id))
  return item ? ok({ status: 200, body: render(item) }) : failed(unknownItem(id))
}

/** Credits what nobody was known to await to the account that the operator found for it (accounts 13). */
export async function assignSuspense(
  engine: Engine,
  actor: Actor,
  itemId: string,
  { accountId, reason }: { readonly accountId: string; readonly reason: string },
): Promise<Result<Reply, Failure>> {
  return decideOn(engine, actor, itemId, async (scope, item) => {
    const account = await loadInternalAccount(engine.database, scope, accountId)
    if (!account) {
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id: accountId }))
    }
    const { status } = account
    if (status !== 'ACTIVE') {
      return failed(fail('CONFLICT', { reason: 'ACCOUNT_NOT_ACTIVE', status, accountId, id: itemId }))
    }
    const creditedMinor = creditFor(account, item)
    if (creditedMinor === undefined || !item.deposit) {
      return failed(fail('CONFLICT', { reason: 'CURRENCY', accountId, id: itemId }))
    }
    const customer =
      account.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, account.ownerId)
    if (customer && customer.deletedAt !== null) {
      return failed(fail('CUSTOMER_DELETED', { customerId: customer.id }))
    }
    const credited = { ...item, deposit: { ...item.deposit, creditedMinor: creditedMinor.toString() } }
    const decision = decideReplay(
      scope,
      credited,
      account,
      customer?.platformCustomerId ?? platformOwner,
      reason,
    )
    const { requires = [] } = decision
    return ok({ ...decision, requires: [...requires, ...(customer ? [whileCustomerStays(customer)] : [])] })
  })
}

/** Gives it back by the rail that brought it. */
export async function returnSuspense(
  engine: Engine,
  actor: Actor,
  itemId: string,
  reason: string,
): Promise<Result<Reply, Failure>> {
  return decideOn(engine, actor, itemId, async (scope, item) => {
    const rail = item.deposit?.rail
    return rail === undefined
      ? failed(fail('CONFLICT', { reason: 'FAILED_REFUND', id: itemId }))
      : ok(decideSendBack(scope, item, rail, reason))
  })
}

async function decideOn(
  engine: Engine,
  actor: Actor,
  id: string,
  decide: (scope: Scope, item: SuspenseRow) => Promise<Result<Decision<void>, Failure>>,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const unknown = unknownItem(id)
  const book = await findBookOfItem(database, id)
  if (!book) return failed(unknown)
  const scope = await engine.clock.scope(book, actor)
  const decided = await commit<null>(engine.applier, scope, async () => {
    const item = await loadItem(database, scope, id)
    if (!item) return failed(unknown)
    if (item.kind === 'REFUND') return failed(fail('CONFLICT', { reason: 'FAILED_REFUND', id }))
    if (item.kind === 'PULL') return failed(fail('CONFLICT', { reason: 'PULL_UNDER_WAY', id }))
    if (item.status !== 'WAITING') {
      return failed(fail('CONFLICT', { reason: 'RESOLVED', status: item.status, id }))
    }
    const decision = await decide(scope, item)
    return decision.ok ? ok({ ...decision.value, result: () => null }) : decision
  })
  if (!decided.ok) return decided
  const item = await loadItem(database, scope, id)
  return item ? ok({ status: 200, body: render(item) }) : failed(unknown)
}

function unknownItem(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'SuspenseItem', id })
}

function render(item: SuspenseRow): SuspenseItemWire {
  const { id, kind, status, internalAccountId, currency, amountMinor, deposit } = item
  return {
    id,
    kind,
    status,
    ...(internalAccountId === null
      ? {}
      : { internalAccountId: internalAccountId as `InternalAccount:${string}` }),
    currency,
    amount: toWireAmount(amountMinor),
    decimals: decimalsOf(currency),
    ...(deposit ? { rail: deposit.rail } : {}),
    ...(deposit?.payerReference === undefined ? {} : { payerReference: deposit.payerReference }),
    ...(item.decidedReason === null ? {} : { reason: item.decidedReason }),
    createdAt: toTimestamp(item.createdAt),
    ...(item.decidedAt === null ? {} : { decidedAt: toTimestamp(item.decidedAt) }),
    ...(item.decidedBy === null ? {} : { decidedBy: item.decidedBy }),
  }
}
