import { ok, type Result } from '@corridor/kernel'
import type { Decision } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import type { Failure } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { openAccounts } from '../internal-accounts/index.ts'
import type { Configuration, loadPlatform } from '../platforms/index.ts'
import type { CustomerCreateRequest } from './contract.ts'
import { acceptConsent } from './end-user-terms.ts'
import { type Personal, sealConsent, sealIdentifier, sealPersonal } from './personal.ts'
import { accountCurrencies, decideCreate, newCustomer } from './rules.ts'
import { generateUmaAddress } from './uma-address.ts'

/** What a platform's new customers have in common. */
export interface CreationFacts {
  readonly config: Configuration
  readonly platform: Awaited<ReturnType<typeof loadPlatform>>
}

/**
 * Makes a customer of a request whose fields have been checked: with a key, a name, accounts and the status
 * that its identity starts with (customers 4.1). END_USER_TERMS_VERSION_NOT_FOUND for a consent to unknown terms.
 */
export function makeCustomer(
  engine: Engine,
  scope: Scope,
  request: CustomerCreateRequest,
  facts: CreationFacts & { readonly imported?: Personal['imported'] },
): Result<Decision<Reply>, Failure> {
  const { world, keys } = engine
  const { config, platform, imported = null } = facts
  const { identity, rules } = engine.adapters[scope.environment]
  const consent = acceptConsent(request.endUserTermsConsent)
  if (!consent.ok) return consent
  const sealedKey = keys.newDataKey()
  const dataKey = keys.dataKey(sealedKey)
  const identifier = request.customerType === 'INDIVIDUAL' ? request.identifier : undefined
  const described = newCustomer(scope, request, {
    config,
    assigned: {
      id: world.id('Customer'),
      platformCustomerId: world.uuid(),
      umaAddress: generateUmaAddress(world, config.umaDomain),
      consent: consent.value ?? null,
      imported,
      dataKey,
      identifierSealed: identifier == null ? null : sealIdentifier(dataKey, identifier),
    },
  })
  const customer = sealPersonal(described)
  const { customerType, originalName } = customer
  const status = identity.decideAtCreation({
    customerType,
    isRegulated: platform.isRegulated,
    skipPaperwork: platform.skipPaperwork,
    ...(originalName === null ? {} : { fullName: originalName }),
  })
  const accounts = openAccounts(world, {
    ownerId: customer.id,
    currencies: accountCurrencies(customer.currencies, config),
    now: scope.now,
    status: rules.newInternalAccountStatus,
  })
  return ok(
    decideCreate(customer, {
      status,
      accounts,
      isAddressChosen: request.umaAddress !== undefined,
      sealedKey,
      consentSealed: consent.value ? sealConsent(dataKey, consent.value) : null,
    }),
  )
}
