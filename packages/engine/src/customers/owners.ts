import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { BeneficialOwner as BeneficialOwnerWire } from '../beneficial-owners/beneficial-owner-schemas.ts'
import type { Keys } from '../keys/keys.ts'
import type { IdentityStatus } from '../ports/identity.ts'

/** A person who owns or controls a business customer, as part of what the customer shows (customers 12). */
export interface BeneficialOwner {
  readonly id: Id<'BeneficialOwner'>
  readonly version: bigint
  readonly customerId: Id<'Customer'>
  readonly status: IdentityStatus
  readonly roles: BeneficialOwnerWire['roles']
  readonly ownershipPercentage: number
  readonly personalInfo: Omit<BeneficialOwnerWire['personalInfo'], 'identifier'>
  readonly identifierSealed: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** Opens what is sealed, for an answer to the platform itself. */
export type Unsealer = Pick<Keys, 'open'>

/** What stands for a number in everything that is kept or sent on, such as events. */
const masked = '***'

/** Without an unsealer the number is masked: that is what events get. */
export function renderOwner(owner: BeneficialOwner, keys?: Unsealer): BeneficialOwnerWire {
  const { firstName, lastName, ...rest } = owner.personalInfo
  return {
    id: owner.id,
    customerId: owner.customerId,
    roles: [...owner.roles],
    ownershipPercentage: owner.ownershipPercentage,
    personalInfo: {
      firstName,
      lastName,
      ...rest,
      identifier: keys ? keys.open(owner.identifierSealed) : masked,
    },
    kycStatus: owner.status,
    createdAt: toTimestamp(owner.createdAt),
    updatedAt: toTimestamp(owner.updatedAt),
  }
}

/** The owners of the customers of a statement, in the order of their creation; versions as text. */
export const ownersColumn = `case when customer_type = 'BUSINESS' then (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'version', o.version::text, 'customerId', o.customer_id, 'status', o.status,
      'roles', o.roles, 'ownershipPercentage', o.ownership_percentage, 'personalInfo', o.personal_info,
      'identifierSealed', o.identifier_sealed,
      'createdAt', round(extract(epoch from o.created_at) * 1000),
      'updatedAt', round(extract(epoch from o.updated_at) * 1000)) order by o.created_at, o.id), '[]')
    from beneficial_owners o
    where o.platform_id = customers.platform_id and o.environment = customers.environment
      and o.customer_id = customers.id)
  else '[]' end as owners`
