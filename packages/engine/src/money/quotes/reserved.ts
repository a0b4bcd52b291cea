import { isId } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { quoteIdOf, type Transaction } from '../payments/index.ts'
import { waitingTransactionOf } from './authorization.ts'
import { isUnauthorized, statusOf } from './render.ts'
import { expiredTransactionOf, transactionOf } from './rules.ts'
import { loadQuote } from './store.ts'

/**
 * The transaction that an unexecuted quote has reserved: readable at once, on record only from execution
 * or expiry on (accounts 7.2).
 */
export async function loadReservedTransaction(
  engine: Pick<Engine, 'database' | 'keys'>,
  scope: Scope,
  id: string,
): Promise<Transaction | undefined> {
  if (!isId('Transaction', id)) return undefined
  const quote = await loadQuote(engine, scope, quoteIdOf(id))
  if (!quote) return undefined
  const status = statusOf(quote, scope.now)
  if (status === 'EXPIRED') return expiredTransactionOf(quote)
  const reserved = transactionOf(quote, quote.createdAt, { stage: 'DONE', isImmediate: false })
  if (status === 'PENDING_AUTHORIZATION') return waitingTransactionOf(quote)
  if (isUnauthorized(quote, scope.now)) return { ...reserved, status, failureReason: 'SCA_NOT_COMPLETED' }
  return status === 'FAILED' ? { ...reserved, status } : reserved
}
