import { assert, failed, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { keyOf, loadCustomer, sealOwner } from '../customers/index.ts'
import type { BeneficialOwnerCreateRequest, BeneficialOwnerUpdateRequest } from './contract.ts'
import { changedOwner, decideCreateOwner, decideUpdateOwner, newOwner } from './rules.ts'
import { loadOwner } from './store.ts'

/** Adds an owner; one who comes after the decision about the business is decided at once (customers 12). */
export async function createOwner(
  engine: Engine,
  scope: Scope,
  request: BeneficialOwnerCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { world } = engine
  const { identity } = engine.adapters[scope.environment]
  const { personalInfo } = request
  return commit(engine.applier, scope, async () => {
    const customer = await loadCustomer(engine, scope, request.customerId)
    if (!customer || customer.deletedAt !== null) {
      return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: request.customerId }))
    }
    if (customer.customerType !== 'BUSINESS') {
      return failed(failFields([{ field: 'customerId', message: 'is not a business' }]))
    }
    const { status: business } = customer
    const isDecided = business === 'APPROVED' || business === 'REJECTED'
    const owner = newOwner(scope, request, {
      id: world.id('BeneficialOwner'),
      customerId: customer.id,
      status: isDecided
        ? identity.decideOwner({ lastName: personalInfo.lastName, business, isPartOfDecision: false })
        : 'UNVERIFIED',
    })
    return decideCreateOwner(scope, customer, sealOwner(keyOf(customer), owner))
  })
}

export async function updateOwner(
  engine: Engine,
  scope: Scope,
  { id, request }: { id: string; request: BeneficialOwnerUpdateRequest },
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const before = await loadOwner(engine, scope, id)
    if (!before) return failed(unknownOwner(id))
    const customer = await loadCustomer(engine, scope, before.customerId)
    assert(customer, 'every owner belongs to a business')
    if (customer.deletedAt !== null) return failed(unknownOwner(id))
    const after = sealOwner(keyOf(customer), changedOwner(before, request), before)
    return decideUpdateOwner(scope, customer, { before, after })
  })
}

export function unknownOwner(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'BeneficialOwner', id })
}
