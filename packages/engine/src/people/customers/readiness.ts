import type { MoneyGates } from '../../platform/platforms/index.ts'
import type { Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Customer } from './store.ts'

/**
 * Whether the customer may move money, checked by every movement in its name (customers 1.2, 7): not
 * deleted (CUSTOMER_DELETED), terms accepted where that is asked (END_USER_TERMS_NOT_ACCEPTED), verified
 * as far as the gate asks (USER_NOT_READY).
 */
export function assertCustomerReady(
  customer: Pick<Customer, 'id' | 'customerType' | 'status' | 'consent' | 'deletedAt'>,
  gates: MoneyGates,
): Failure | undefined {
  const { id: customerId, customerType, status } = customer
  if (customer.deletedAt !== null) return fail('CUSTOMER_DELETED', { customerId })
  if (gates.requiresTermsConsent && customer.consent === null) {
    return fail('END_USER_TERMS_NOT_ACCEPTED', { customerId })
  }
  const isReady = gates.customerGate === 'STRICT' ? status === 'APPROVED' : status !== 'REJECTED'
  if (isReady) return undefined
  const shown = customerType === 'INDIVIDUAL' ? { kycStatus: status } : { kybStatus: status }
  return fail('USER_NOT_READY', { customerId, ...shown })
}

/** Makes a decision stale when the customer is changed meanwhile, above all deleted or rejected. */
export function whileCustomerStays({ id, version }: Pick<Customer, 'id' | 'version'>): Requirement {
  return { table: 'customers', id, version }
}
