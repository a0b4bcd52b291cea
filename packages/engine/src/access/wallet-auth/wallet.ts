import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Customer, loadCustomer } from '../../people/customers/index.ts'
import {
  type InternalAccount,
  loadInternalAccount,
  type WalletIdentity,
  walletIdentity,
} from '../../platform/internal-accounts/index.ts'
import { type AuthMethod, loadAuthMethod } from '../../platform/wallet-credentials/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'

/** An embedded wallet with its customer, who is not erased. */
export interface Wallet {
  readonly account: InternalAccount
  readonly customer: Customer
  readonly names: WalletIdentity
}

/** REFERENCE_NOT_FOUND for an account that is none of the platform's, INVALID_INPUT for one of another type. */
export async function loadWallet(
  engine: Engine,
  scope: Scope,
  accountId: string,
): Promise<Result<Wallet, Failure>> {
  const account = await loadInternalAccount(engine.database, scope, accountId)
  if (!account) return failed(missing('InternalAccount', accountId))
  if (account.type !== 'EMBEDDED_WALLET') {
    return failed(failFields([{ field: 'accountId', message: 'is not an embedded wallet' }]))
  }
  const customer = await loadCustomer(engine, scope, account.ownerId)
  if (customer?.dataKey == null) return failed(missing('InternalAccount', accountId))
  return ok({ account, customer, names: walletIdentity(engine.keys, account.id) })
}

/** A credential named in a path. */
export async function requireAuthMethod(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<AuthMethod, Failure>> {
  const method = await loadAuthMethod(engine, scope, id)
  return method ? ok(method) : failed(missing('AuthMethod', id))
}

export function missing(resourceType: string, id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType, id })
}

/** A failed authentication: the reason is part of the API (wallets 11). */
export function unauthorized(reason: string): Failure {
  return fail('UNAUTHORIZED', { reason })
}
