import { isDeepStrictEqual } from 'node:util'
import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { openAccounts } from '../../platform/internal-accounts/index.ts'
import { loadConfig, loadPlatform } from '../../platform/platforms/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { decideContactChange } from './contact-change.ts'
import type { CustomerCreateRequest, CustomerUpdateRequest } from './contract.ts'
import { makeCustomer } from './creation.ts'
import { acceptConsent } from './end-user-terms.ts'
import { owesSomething, whileNothingIsOwed } from './owed.ts'
import { keyOf, openIdentifier, sealConsent, sealIdentifier, sealPersonal } from './personal.ts'
import { changedCustomer, decideDelete, decideUpdate, walletCurrency } from './rules.ts'
import {
  type Customer,
  findActiveCustomer,
  loadCustomer,
  loadRevocations,
  loadTakenAddresses,
  type Vault,
} from './store.ts'
import { normalizeUmaAddress } from './uma-address.ts'
import { hasWallet, walletParts } from './wallet-opening.ts'

/** Creates a customer whose fields have been checked. */
export async function createCustomer(
  engine: Engine,
  scope: Scope,
  request: CustomerCreateRequest,
): Promise<Result<Reply, Failure>> {
  const platform = await loadPlatform(engine.database, scope)
  return commit(engine.applier, scope, async () => {
    const config = await loadConfig(engine.database, scope)
    const taken = await refuseTakenId(engine, scope, request.platformCustomerId)
    return taken ? failed(taken) : makeCustomer(engine, scope, request, { config, platform })
  })
}

/** Changes a customer; a contact that unlocks a wallet takes the signature of its holder (customers 5). */
export async function updateCustomer(
  engine: Engine,
  scope: Scope,
  {
    id,
    request,
    header = () => undefined,
  }: { id: string; request: CustomerUpdateRequest; header?: Call['header'] },
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireActive(engine, scope, id)
    if (!found.ok) return found
    const before = found.value
    const decide = () => decideChange(engine, scope, before, request)
    return decideContactChange(engine, scope, { before, request, header, decide })
  })
}

async function decideChange(
  engine: Engine,
  scope: Scope,
  before: Customer,
  request: CustomerUpdateRequest,
): Promise<Result<Decision<Reply>, Failure>> {
  const consent = acceptConsent(request.endUserTermsConsent)
  if (!consent.ok) return consent
  const taken =
    (await refuseTakenId(engine, scope, request.platformCustomerId, before.id)) ??
    (await refuseTakenAddress(engine, scope, request.umaAddress, before))
  if (taken) return failed(taken)
  const identifierSealed = sealChanged(before, request)
  const changed = changedCustomer(before, request, { consent: consent.value, identifierSealed })
  if (!changed.ok) return changed
  const after = sealPersonal({ keys: engine.keys, book: scope }, changed.value, before)
  const isNewConsent = consent.value && !isDeepStrictEqual(after.consent, before.consent)
  const added = after.currencies.filter((currency) => !before.currencies.includes(currency))
  const isOpen = added.includes(walletCurrency) && (await hasWallet(engine, scope, before.id))
  const accounts = await openAccounts(engine, scope.environment, {
    ownerId: before.id,
    currencies: isOpen ? added.filter((currency) => currency !== walletCurrency) : added,
    now: scope.now,
  })
  const consentSealed = isNewConsent ? sealConsent(keyOf(before), before.id, consent.value) : null
  const parts = walletParts(engine, after, { accounts, now: scope.now })
  const isSamePhone = before.profile.phoneNumber === after.profile.phoneNumber
  const revocations = isSamePhone ? [] : await loadRevocations(engine.database, scope, before.id)
  const change = { before, after, accounts: [...accounts, ...parts], consentSealed, revocations }
  return ok(decideUpdate(scope, change))
}

export async function deleteCustomer(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireActive(engine, scope, id)
    if (!found.ok) return found
    if (await owesSomething(engine.database, scope, id))
      return failed(fail('CONFLICT', { reason: 'RECEIVABLE_OPEN', id }))
    const decision = decideDelete(scope, found.value, await loadRevocations(engine.database, scope, id))
    return ok({ ...decision, relies: [whileNothingIsOwed(id)] })
  })
}

/** A customer named in a path that is to be changed: USER_NOT_FOUND, or CUSTOMER_DELETED. */
export async function requireActive(
  vault: Vault,
  scope: Scope,
  id: string,
): Promise<Result<Customer, Failure>> {
  const customer = await loadCustomer(vault, scope, id)
  if (!customer) return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
  if (customer.deletedAt !== null) return failed(fail('CUSTOMER_DELETED', { customerId: customer.id }))
  return ok(customer)
}

/** CONFLICT naming the holder, so that a caller whose first answer was lost finds it (customers 4.2). */
async function refuseTakenId(
  engine: Engine,
  scope: Scope,
  platformCustomerId: string | undefined,
  ownId?: string,
): Promise<Failure | undefined> {
  if (platformCustomerId === undefined) return undefined
  const customerId = await findActiveCustomer(engine.database, scope, platformCustomerId)
  if (customerId === undefined || customerId === ownId) return undefined
  return fail('CONFLICT', { field: 'platformCustomerId', customerId })
}

/** Nobody should sign for a change that cannot be; the index has the last word. */
async function refuseTakenAddress(
  engine: Engine,
  scope: Scope,
  given: string | undefined,
  before: Customer,
): Promise<Failure | undefined> {
  if (given === undefined) return undefined
  const umaAddress = normalizeUmaAddress(given)
  if (umaAddress === before.umaAddress) return undefined
  const taken = await loadTakenAddresses(engine.database, scope, [umaAddress])
  return taken.has(umaAddress) ? fail('UMA_ADDRESS_EXISTS', { umaAddress }) : undefined
}

/** Every sealing looks different, so a number that is the same keeps its seal and changes nothing. */
function sealChanged(before: Customer, request: CustomerUpdateRequest): string | null {
  const identifier = request.customerType === 'INDIVIDUAL' ? request.identifier : undefined
  if (identifier === undefined || identifier === openIdentifier(before)) return before.identifierSealed
  return identifier === null ? null : sealIdentifier(keyOf(before), before.id, identifier)
}
