import { assert, failed, isId, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  loadOwnedInternalAccount,
  openAccounts,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import { isCrypto } from '../../reference/currencies/index.ts'
import type { Decision, Insert } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import { loadTransaction, type RefundRoute, type Transaction, transactionIdOf } from '../payments/index.ts'
import { decideFunding, decideLateFunding, type Receipt } from './funding.ts'
import type { Quote } from './quote.ts'
import { statusOf } from './render.ts'
import { decideExpire } from './rules.ts'
import { loadQuote, loadQuoteByReference } from './store.ts'

/** What the caller adds to the commit that funds a quote. */
interface Funding {
  /** The caller can take the money back, so what is too late is refused. A rail cannot: it is refunded. */
  readonly isLateRefused: boolean
  /** The caller's own record of the payment. */
  readonly alongside?: (transaction: Transaction) => Insert
  readonly unique?: Decision['unique']
  readonly answer: (transaction: Transaction) => Reply
  /** What becomes of money that the quote has no use for, decided from the same facts; refused without it. */
  readonly instead?: (refusal: Failure) => Promise<Result<Decision<Reply>, Failure>>
}

/** Money arrived for a realtime quote (accounts 7.4, 12.6). */
export async function receiveFunds(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  { isLateRefused, alongside, unique = {}, answer, instead }: Funding,
): Promise<Result<Reply, Failure>> {
  const { stepMs } = engine.adapters[scope.environment].rules
  return commit(engine.applier, scope, async () => {
    const current = await loadQuote(engine, scope, quote.id)
    if (!current) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id: quote.id }))
    const owner =
      current.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, current.ownerId)
    if (owner && owner.deletedAt !== null) {
      const refusal = fail('CUSTOMER_DELETED', { customerId: owner.id })
      return instead ? instead(refusal) : failed(refusal)
    }
    const { refundRoute, openedAccounts } = await loadRefundRoute(engine, scope, current, receipt)
    const terms = { stepMs, refundRoute }
    const isLate = statusOf(current, scope.now) === 'EXPIRED'
    const decision =
      isLate && !isLateRefused
        ? await decideLate(engine, scope, current, receipt, terms)
        : decideFunding(scope, current, receipt, terms)
    if (!decision.ok) return instead ? instead(decision.failure) : decision
    const { transaction, inserts = [] } = decision.value
    return ok({
      ...decision.value,
      inserts: [...openedAccounts, ...inserts, ...(alongside ? [alongside(transaction)] : [])],
      requires: owner ? [whileCustomerStays(owner)] : [],
      unique: { ...unique, internal_accounts_one_per_currency: 'stale' },
      result: () => answer(transaction),
    })
  })
}

/**
 * Where the money goes if the payment fails (accounts 10.5): fiat back on the rail that brought it, coins
 * never to the wallet they came from but to the owner's account of their asset, opened when there is none.
 */
async function loadRefundRoute(
  engine: Engine,
  scope: Scope,
  { ownerId }: Quote,
  { currency, rail }: Receipt,
): Promise<{ refundRoute: RefundRoute; openedAccounts: readonly Insert[] }> {
  if (!isCrypto(currency)) return { refundRoute: { kind: 'RAIL', rail }, openedAccounts: [] }
  const account = await loadOwnedInternalAccount(engine.database, scope, ownerId, currency)
  if (account) return { refundRoute: { kind: 'INTERNAL', accountId: account.id }, openedAccounts: [] }
  const [opened] = await openAccounts(engine, scope.environment, {
    ownerId,
    currencies: [currency],
    now: scope.now,
  })
  assert(opened, 'one currency opens one account')
  const { table, row } = opened
  return {
    refundRoute: { kind: 'INTERNAL', accountId: row.id as string },
    openedAccounts: [{ table, row }],
  }
}

async function decideLate(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  terms: { readonly stepMs: number; readonly refundRoute: RefundRoute },
) {
  const id = transactionIdOf(quote.id)
  let expired = await loadTransaction(engine, scope, id)
  if (!expired) {
    // The sweep has not come by yet; expiry is told before the refund is.
    await commit(engine.applier, silently(scope), async () => ok(decideExpire(scope, quote)))
    expired = await loadTransaction(engine, scope, id)
  }
  if (!expired) return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }))
  return decideLateFunding(scope, expired, receipt, terms)
}

/** The realtime quote that a payment's reference names. */
export async function findQuoteByReference(
  engine: Engine,
  scope: Scope,
  reference: string,
): Promise<Quote | undefined> {
  return loadQuoteByReference(engine, scope, reference)
}

/** A quote that a caller wants to fund, or why that makes no sense (accounts 12.6). */
export async function loadFundableQuote(
  engine: Engine,
  scope: Scope,
  { quoteId, currencyCode }: { quoteId: string; currencyCode: string },
): Promise<Result<Quote, Failure>> {
  const quote = isId('Quote', quoteId) ? await loadQuote(engine, scope, quoteId) : undefined
  if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id: quoteId }))
  if (quote.source.sourceType !== 'REALTIME_FUNDING') {
    return failed(failFields([{ field: 'quoteId', message: 'is not a quote with realtime funding' }]))
  }
  if (currencyCode !== quote.sendingCurrency) {
    return failed(fail('INVALID_CURRENCY', { currency: currencyCode, supported: [quote.sendingCurrency] }))
  }
  return ok(quote)
}
