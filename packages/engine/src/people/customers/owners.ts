import { isDeepStrictEqual } from 'node:util'
import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { IdentityStatus } from '../../ports/identity.ts'
import type { BeneficialOwner as BeneficialOwnerWire } from '../person/beneficial-owner-schemas.ts'

/** A person who owns or controls a business customer, as part of what the customer shows (customers 12). */
export interface BeneficialOwner {
  readonly id: Id<'BeneficialOwner'>
  readonly version: bigint
  readonly customerId: Id<'Customer'>
  readonly status: IdentityStatus
  readonly roles: BeneficialOwnerWire['roles']
  readonly ownershipPercentage: number
  readonly personalInfo: BeneficialOwnerWire['personalInfo']
  /** `personalInfo` as it is stored, sealed with the key of the business. */
  readonly personalSealed: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** An owner as it is stored. JSON holds no bigint, so the version may be text. */
export type OwnerRow = Omit<BeneficialOwner, 'personalInfo' | 'personalSealed' | 'version'> & {
  readonly version: bigint | string
  readonly personalSealed: string | null
}

export const sealedOwners: SealedColumn = {
  table: 'beneficial_owners',
  column: 'personal',
  row: 'id',
  owner: 'customer_id',
  formerly: 'beneficial owner {row}',
}

/** Undefined for an owner of a business that was erased: nobody can read who that was. */
export function openOwner(key: DataKey | null, row: OwnerRow): BeneficialOwner | undefined {
  const { personalSealed } = row
  if (!key || personalSealed === null) return undefined
  const personalInfo = JSON.parse(
    key.open(sealedOwners, row.id, personalSealed),
  ) as BeneficialOwner['personalInfo']
  return { ...row, version: BigInt(row.version), personalSealed, personalInfo }
}

/** Every sealing looks different, so what tells nothing new keeps its text. */
export function sealOwner(
  key: DataKey,
  owner: Omit<BeneficialOwner, 'personalSealed'>,
  before?: BeneficialOwner,
): BeneficialOwner {
  if (before && isDeepStrictEqual(before.personalInfo, owner.personalInfo)) {
    return { ...owner, personalSealed: before.personalSealed }
  }
  return { ...owner, personalSealed: key.seal(sealedOwners, owner.id, JSON.stringify(owner.personalInfo)) }
}

export function renderOwner(owner: BeneficialOwner): BeneficialOwnerWire {
  return {
    id: owner.id,
    customerId: owner.customerId,
    roles: [...owner.roles],
    ownershipPercentage: owner.ownershipPercentage,
    personalInfo: owner.personalInfo,
    kycStatus: owner.status,
    createdAt: toTimestamp(owner.createdAt),
    updatedAt: toTimestamp(owner.updatedAt),
  }
}

/** The owner for an event, which is kept and sent on: without the number of the document (customers 12). */
export function maskOwner(owner: BeneficialOwner): BeneficialOwner {
  return { ...owner, personalInfo: { ...owner.personalInfo, identifier: '***' } }
}

/** The owners of the customers of a statement, in the order of their creation. */
export const ownersColumn = `case when customer_type = 'BUSINESS' then (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'version', o.version::text, 'customerId', o.customer_id, 'status', o.status,
      'roles', o.roles, 'ownershipPercentage', o.ownership_percentage, 'personalSealed', o.personal,
      'createdAt', round(extract(epoch from o.created_at) * 1000),
      'updatedAt', round(extract(epoch from o.updated_at) * 1000)) order by o.created_at, o.id), '[]')
    from beneficial_owners o
    where o.platform_id = customers.platform_id and o.environment = customers.environment
      and o.customer_id = customers.id)
  else '[]' end as owners`
