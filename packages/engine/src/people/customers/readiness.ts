import type { MoneyGates } from '../../platform/platforms/index.ts'
import type { Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Customer } from './store.ts'

/**
 * Precondition of every payment of a customer (customers 1.2, 7). The customer is not deleted (CUSTOMER_DELETED), has accepted the
 * terms if required (END_USER_TERMS_NOT_ACCEPTED), and is verified as required (USER_NOT_READY).
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

/** Optimistic read: a change of the customer meanwhile, such as a deletion or rejection, makes the decision stale. */
export function whileCustomerStays({ id, version }: Pick<Customer, 'id' | 'version'>): Requirement {
  return { table: 'customers', id, version }
}
