import { failed, ok, type Result } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { type Failure, fail, failFields } from '../http/errors.ts'
import type { Book } from '../http/scope.ts'
import { platformOwner } from '../internal-accounts/index.ts'
import { loadSender, loadSenderByUma } from './store.ts'

/** Who would send. */
export interface Sender {
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  /** That of the primary internal account; undefined for a platform without currencies. */
  readonly currency: string | undefined
}

/**
 * The sender named in a lookup's query (accounts 5.1): a customer by id or by UMA address, or the platform
 * itself. USER_NOT_FOUND for an unknown one, INVALID_INPUT when the two name different customers.
 */
export async function resolveSender(
  database: Database,
  book: Book,
  query: { readonly customerId?: string; readonly senderUmaAddress?: string },
  platformCurrencies: readonly string[],
): Promise<Result<Sender, Failure>> {
  const { customerId, senderUmaAddress } = query
  if (customerId === undefined && senderUmaAddress === undefined) {
    return ok({ ownerId: platformOwner, currency: platformCurrencies[0] })
  }
  const byId = customerId === undefined ? undefined : await loadSender(database, book, customerId)
  if (customerId !== undefined && !byId) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: customerId }))
  }
  const byUma =
    senderUmaAddress === undefined ? undefined : await loadSenderByUma(database, book, senderUmaAddress)
  if (senderUmaAddress !== undefined && !byUma) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', field: 'senderUmaAddress' }))
  }
  if (byId && byUma && byId.id !== byUma.id) {
    return failed(failFields([{ field: 'senderUmaAddress', message: 'belongs to another customer' }]))
  }
  const { id, currencies } = (byId ?? byUma)!
  return ok({ ownerId: id, currency: currencies[0] ?? platformCurrencies[0] })
}
