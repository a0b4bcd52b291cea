import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  type InternalAccount,
  loadInternalAccount,
  loadOwnedInternalAccount,
} from '../../platform/internal-accounts/index.ts'
import { currencyOf } from '../../reference/currencies/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { renderTransaction } from './render.ts'
import { loadTransaction } from './store.ts'
import { decideCredit, decideSendBack, type SuspenseItem } from './suspense.ts'
import { findBookOfTransaction, loadSuspenseItem } from './suspense-store.ts'
import type { Transaction } from './transaction.ts'

/**
 * Moves the money of a failed refund out of suspense, once (accounts 13, row 17): to the owner's account, or
 * out by a rail. The refund stays FAILED, for no state follows that one; CONFLICT when nothing waits.
 */
export async function resolveRefund(
  engine: Engine,
  actor: Actor,
  id: string,
  { to, reason }: { readonly to: 'ACCOUNT' | 'RAIL'; readonly reason: string },
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const unknown = fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id })
  const book = await findBookOfTransaction(database, id)
  if (!book) return failed(unknown)
  const scope = await engine.clock.scope(book, actor)
  return commit(engine.applier, scope, async () => {
    const transaction = await loadTransaction(engine, scope, id)
    if (!transaction) return failed(unknown)
    const item = await loadSuspenseItem(database, scope, id)
    if (item?.kind !== 'REFUND') {
      return failed(fail('CONFLICT', { reason: 'NO_FAILED_REFUND', status: transaction.status, id }))
    }
    if (item.status !== 'WAITING') {
      return failed(fail('CONFLICT', { reason: 'RESOLVED', status: item.status, id }))
    }
    const decision =
      to === 'RAIL'
        ? ok(decideSendBack(scope, item, railBack(transaction, item), reason))
        : await creditOwner(engine, scope, transaction, { item, reason })
    if (!decision.ok) return decision
    const body = renderTransaction(scope, transaction)
    return ok({ ...decision.value, result: () => ({ status: 200, body }) })
  })
}

async function creditOwner(
  { database }: Engine,
  scope: Scope,
  transaction: Transaction,
  { item, reason }: { readonly item: SuspenseItem; readonly reason: string },
): Promise<Result<Decision<void>, Failure>> {
  const account = await accountOf()
  if (!account) return failed(fail('CONFLICT', { reason: 'NO_ACCOUNT', id: transaction.id }))
  const { id: accountId, status } = account
  if (status !== 'ACTIVE') {
    return failed(fail('CONFLICT', { reason: 'ACCOUNT_NOT_ACTIVE', status, accountId, id: transaction.id }))
  }
  return ok(decideCredit(scope, item, account, reason))

  /** Where the refund was to go, if that is an account; else the owner's account of the currency. */
  async function accountOf(): Promise<InternalAccount | undefined> {
    const { refundRoute } = transaction.flow
    return refundRoute?.kind === 'INTERNAL'
      ? loadInternalAccount(database, scope, refundRoute.accountId)
      : loadOwnedInternalAccount(database, scope, transaction.ownerId, item.currency)
  }
}

/** The rail that brought the money; what was paid from an account leaves by the usual rail of its currency. */
function railBack({ flow }: Transaction, { currency }: SuspenseItem): string {
  if (flow.refundRoute?.kind === 'RAIL') return flow.refundRoute.rail
  if (flow.funding.kind !== 'INTERNAL') return flow.funding.rail
  return currencyOf(currency).usualRail
}
