import { isDeepStrictEqual } from 'node:util'
import { failed, type Id, ok, type Result, toTimestamp, upperAscii } from '@corridor/kernel'
import type { IdentityStatus } from '../../ports/identity.ts'
import type { Decision, Row } from '../../vocabulary/decision.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import {
  type BeneficialOwner,
  type Customer,
  changeCustomer,
  normalizeAddress,
  normalizeName,
  renderOwner,
} from '../customers/index.ts'
import type { BeneficialOwnerCreateRequest, BeneficialOwnerUpdateRequest } from './contract.ts'

type PersonalInfo = BeneficialOwner['personalInfo']

/** The owner that a request describes (customers 12). */
export function newOwner(
  scope: Scope,
  request: BeneficialOwnerCreateRequest,
  given: {
    readonly id: Id<'BeneficialOwner'>
    readonly customerId: Id<'Customer'>
    readonly status: IdentityStatus
  },
): Omit<BeneficialOwner, 'personalSealed'> {
  return {
    ...given,
    version: 1n,
    roles: [...new Set(request.roles)],
    ownershipPercentage: request.ownershipPercentage,
    personalInfo: mergeInfo({}, request.personalInfo),
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** Adds an owner to a business, which counts as a change of the business (customers 12). */
export function decideCreateOwner(
  scope: Scope,
  customer: Customer,
  owner: BeneficialOwner,
): Result<Decision<Reply>, Failure> {
  const owners = [...customer.owners, owner]
  const refusal = refuseShares(owners)
  if (refusal) return failed(refusal)
  const { updates } = changeCustomer(scope, customer, { ...customer, owners }, { isTouched: true })
  return ok({
    updates,
    inserts: [{ table: 'beneficial_owners', row: rowOf(owner) }],
    result: () => ({ status: 201, body: renderOwner(owner) }),
  })
}

/** The owner after a PATCH: personalInfo is merged, lists and the address are replaced. */
export function changedOwner(
  owner: BeneficialOwner,
  request: BeneficialOwnerUpdateRequest,
): Omit<BeneficialOwner, 'personalSealed'> {
  return {
    ...owner,
    roles: request.roles ? [...new Set(request.roles)] : owner.roles,
    ownershipPercentage: request.ownershipPercentage ?? owner.ownershipPercentage,
    personalInfo: mergeInfo(owner.personalInfo, request.personalInfo ?? {}),
  }
}

export function decideUpdateOwner(
  scope: Scope,
  customer: Customer,
  change: { readonly before: BeneficialOwner; readonly after: BeneficialOwner },
): Result<Decision<Reply>, Failure> {
  const { before, after } = change
  const old = rowOf(before)
  const set = Object.fromEntries(
    Object.entries(rowOf(after)).filter(([column, value]) => !isDeepStrictEqual(value, old[column])),
  )
  if (Object.keys(set).length === 0) {
    return ok({ result: () => ({ status: 200, body: renderOwner(before) }) })
  }
  const refusal = refuseShares(customer.owners.map((owner) => (owner.id === after.id ? after : owner)))
  if (refusal) return failed(refusal)
  const at = changedAt(scope, before.updatedAt)
  const owner = { ...after, updatedAt: Date.parse(at) }
  const { updates } = changeCustomer(scope, customer, customer, { isTouched: true })
  return ok({
    updates: [
      ...updates,
      {
        table: 'beneficial_owners',
        id: owner.id,
        version: before.version,
        set: { ...set, updated_at: at },
      },
    ],
    result: () => ({ status: 200, body: renderOwner(owner) }),
  })
}

const wholePercent = 100

/** Nobody can own more than all of a business together. */
function refuseShares(owners: readonly BeneficialOwner[]): Failure | undefined {
  const total = owners
    .filter(({ roles }) => roles.includes('UBO'))
    .reduce((sum, { ownershipPercentage }) => sum + ownershipPercentage, 0)
  if (total <= wholePercent) return undefined
  const message = `raises the total of the owners with the role UBO to ${total} percent`
  return failFields([{ field: 'ownershipPercentage', message }])
}

function mergeInfo(stored: Partial<PersonalInfo>, given: Readonly<Record<string, unknown>>): PersonalInfo {
  const merged: Record<string, unknown> = {}
  for (const key of infoKeys) {
    const value = given[key] === undefined ? stored[key] : given[key]
    if (value !== undefined && value !== null) merged[key] = value
  }
  if (given.address) merged.address = normalizeAddress(given.address as Record<string, unknown>)
  for (const key of ['firstName', 'middleName', 'lastName']) {
    if (typeof merged[key] === 'string') merged[key] = normalizeName(merged[key])
  }
  for (const key of ['nationality', 'countryOfIssuance']) {
    if (typeof merged[key] === 'string') merged[key] = upperAscii(merged[key])
  }
  return merged as PersonalInfo
}

const infoKeys = [
  'firstName',
  'middleName',
  'lastName',
  'birthDate',
  'nationality',
  'email',
  'phoneNumber',
  'address',
  'idType',
  'countryOfIssuance',
  'identifier',
] as const satisfies readonly (keyof PersonalInfo)[]

function rowOf(owner: BeneficialOwner): Row {
  return {
    id: owner.id,
    customer_id: owner.customerId,
    status: owner.status,
    roles: owner.roles,
    ownership_percentage: owner.ownershipPercentage,
    personal: owner.personalSealed,
    created_at: toTimestamp(owner.createdAt),
    updated_at: toTimestamp(owner.updatedAt),
  }
}
