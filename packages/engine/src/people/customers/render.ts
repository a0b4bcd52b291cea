import { toTimestamp } from '@corridor/kernel'
import type { BusinessCustomer, Customer as CustomerWire, IndividualCustomer } from './contract.ts'
import { maskOwner, renderOwner } from './owners.ts'
import type { Customer } from './store.ts'

/** Every business has a name in the published form; one that was erased has this. */
const erasedName = 'ERASED'

/** The customer for an event: as its GET shows it, without the numbers of owners (customers 12, 15). */
export function renderCustomerForEvent(customer: Customer): CustomerWire {
  return renderCustomer({ ...customer, owners: customer.owners.map(maskOwner) })
}

/** The customer as its GET shows it (customers 4.1). */
export function renderCustomer(customer: Customer): CustomerWire {
  const { profile, status } = customer
  const common = {
    id: customer.id,
    platformCustomerId: customer.platformCustomerId,
    umaAddress: customer.umaAddress,
    ...(customer.region === null ? {} : { region: customer.region }),
    currencies: [...customer.currencies],
    ...(customer.consent === null ? {} : { endUserTermsConsent: customer.consent }),
    ...(customer.contactVerification === null ? {} : { contactVerification: customer.contactVerification }),
    isDeleted: customer.deletedAt !== null,
    createdAt: toTimestamp(customer.createdAt),
    updatedAt: toTimestamp(customer.updatedAt),
  }
  const { businessInfo, ...personal } = profile
  if (customer.customerType === 'INDIVIDUAL') {
    return {
      ...common,
      customerType: 'INDIVIDUAL',
      kycStatus: status,
      ...personal,
    } satisfies IndividualCustomer
  }
  return {
    ...common,
    customerType: 'BUSINESS',
    kybStatus: status,
    ...personal,
    businessInfo: { ...businessInfo, legalName: businessInfo?.legalName ?? erasedName },
    beneficialOwners: customer.owners.map(renderOwner),
  } satisfies BusinessCustomer
}

/** What people call the customer: a full name or a legal name, if it has told one. */
export function customerName({ profile }: Pick<Customer, 'profile'>): string | undefined {
  return profile.businessInfo?.legalName ?? profile.fullName
}
