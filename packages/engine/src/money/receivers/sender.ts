import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  assertCustomerReady,
  type Customer,
  findCustomerByUma,
  loadCustomer,
} from '../../people/customers/index.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { type Configuration, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'

/** Who would send. */
export interface Sender {
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  /** That of the primary internal account; undefined for a platform without currencies. */
  readonly currency: string | undefined
  /** Undefined when the platform itself would send. */
  readonly customer: Customer | undefined
}

/**
 * The sender named in a lookup's query (accounts 5.1): a customer by id or by UMA address, or the platform
 * itself. USER_NOT_FOUND for an unknown one, INVALID_INPUT when the two name different customers,
 * USER_NOT_READY for one that may not move money.
 */
export async function resolveSender(
  engine: Engine,
  scope: Scope,
  query: { readonly customerId?: string; readonly senderUmaAddress?: string },
  configuration: Configuration,
): Promise<Result<Sender, Failure>> {
  const { database } = engine
  const { customerId, senderUmaAddress } = query
  const platformCurrency = configuration.supportedCurrencies[0]?.currencyCode
  if (customerId === undefined && senderUmaAddress === undefined) {
    return ok({ ownerId: platformOwner, currency: platformCurrency, customer: undefined })
  }
  const idByUma =
    senderUmaAddress === undefined ? undefined : await findCustomerByUma(database, scope, senderUmaAddress)
  if (senderUmaAddress !== undefined && idByUma === undefined) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', field: 'senderUmaAddress' }))
  }
  const id = (customerId ?? idByUma)!
  const customer = await loadCustomer(engine, scope, id)
  if (!customer || customer.deletedAt !== null) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
  }
  if (idByUma !== undefined && idByUma !== customer.id) {
    return failed(failFields([{ field: 'senderUmaAddress', message: 'belongs to another customer' }]))
  }
  const refusal = await readinessRefusal(engine, scope, customer, configuration)
  if (refusal) return failed(refusal)
  return ok({ ownerId: customer.id, currency: customer.currencies[0] ?? platformCurrency, customer })
}

/** A lookup asks about verification, not about terms: nothing is moved yet (conventions 12.2). */
async function readinessRefusal(
  { adapters, database }: Engine,
  scope: Scope,
  customer: Customer,
  { settings }: Configuration,
): Promise<Failure | undefined> {
  const platform = await loadPlatform(database, scope)
  const gates = moneyGates(adapters[scope.environment].rules, settings, platform)
  return assertCustomerReady(customer, { ...gates, requiresTermsConsent: false })
}
