import { ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { openAccounts } from '../../platform/internal-accounts/index.ts'
import type { Configuration, loadPlatform } from '../../platform/platforms/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { CustomerCreateRequest } from './contract.ts'
import { acceptConsent } from './end-user-terms.ts'
import { type Personal, sealConsent, sealIdentifier, sealPersonal } from './personal.ts'
import { accountCurrencies, decideCreate, newCustomer } from './rules.ts'
import { generateUmaAddress } from './uma-address.ts'
import { walletParts } from './wallet-opening.ts'

/** What a platform's new customers have in common. */
export interface CreationFacts {
  readonly config: Configuration
  readonly platform: Awaited<ReturnType<typeof loadPlatform>>
}

/**
 * Makes a customer of a request whose fields have been checked: with a key, a name, accounts and the status
 * that its identity starts with (customers 4.1). END_USER_TERMS_VERSION_NOT_FOUND for a consent to unknown terms.
 */
export async function makeCustomer(
  engine: Engine,
  scope: Scope,
  request: CustomerCreateRequest,
  facts: CreationFacts & { readonly imported?: Personal['imported'] },
): Promise<Result<Decision<Reply>, Failure>> {
  const { world, keys } = engine
  const { config, platform, imported = null } = facts
  const { identity, rules } = engine.adapters[scope.environment]
  const consent = acceptConsent(request.endUserTermsConsent)
  if (!consent.ok) return consent
  const id = world.id('Customer')
  const sealedKey = keys.newDataKey(scope, id)
  const dataKey = keys.dataKey(scope, id, sealedKey)
  const identifier = request.customerType === 'INDIVIDUAL' ? request.identifier : undefined
  const described = newCustomer(scope, request, {
    config,
    assigned: {
      id,
      platformCustomerId: world.uuid(),
      umaAddress: generateUmaAddress(world, config.umaDomain),
      consent: consent.value ?? null,
      imported,
      dataKey,
      identifierSealed: identifier == null ? null : sealIdentifier(dataKey, id, identifier),
    },
  })
  const customer = sealPersonal({ keys, book: scope }, described)
  const { customerType, originalName } = customer
  const status = identity.decideAtCreation({
    customerType,
    isRegulated: platform.isRegulated,
    skipPaperwork: platform.skipPaperwork,
    ...(originalName === null ? {} : { fullName: originalName }),
  })
  const accounts = await openAccounts(engine, scope.environment, {
    ownerId: customer.id,
    currencies: accountCurrencies(customer.currencies, config),
    now: scope.now,
    idEnding: rules.accountIdsFollowNames ? steeringEnding(request.platformCustomerId) : undefined,
  })
  return ok(
    decideCreate(customer, {
      status,
      accounts: [...accounts, ...walletParts(engine, customer, { accounts, now: scope.now })],
      isAddressChosen: request.umaAddress !== undefined,
      sealedKey,
      consentSealed: consent.value ? sealConsent(dataKey, id, consent.value) : null,
    }),
  )
}

/** The end of a platform's own name for its customer that steers what becomes of cards (cards 1.7). */
function steeringEnding(platformCustomerId: string | undefined): string | undefined {
  return /00[1235]$/.exec(platformCustomerId ?? '')?.[0]
}
