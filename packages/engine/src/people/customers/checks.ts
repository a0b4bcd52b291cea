import { type Instant, upperAscii } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import { type Configuration, loadConfig, loadDomainHolder } from '../../platform/platforms/index.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import { checkFields } from './field-checks.ts'
import { descriptionPairs, includesOther, mergeProfile, type Profile } from './profile.ts'
import { inferRegion, isEea } from './regions.ts'
import { missingProviderFields } from './required-fields.ts'
import { type Customer, loadCustomer } from './store.ts'
import { normalizeUmaAddress, parseUmaAddress } from './uma-address.ts'

/** What the fields of a request are measured against. */
interface Facts {
  readonly now: Instant
  readonly platformId: string
  readonly rules: Pick<EnvironmentRules, 'requiresOwnUmaDomain' | 'requiresContactInEea'>
  readonly config: Configuration
  /** Whose UMA domain the address of the request is in, if anybody's. */
  readonly domainHolder: string | undefined
  readonly stored: Customer | undefined
}

type Body = Readonly<Record<string, unknown>>

/** Every rule of customers 4.3 that the schema cannot state, for a new customer. */
export const checkCreate: BodyCheck = async (engine, scope, body) => {
  const facts = await loadFacts(engine, scope, body, undefined)
  return checkCustomer(facts, body)
}

/** The same for a change, measured on the customer that it leads to (customers 5.1). */
export const checkUpdate: BodyCheck = async (engine, scope, body, { customerId = '' }) => {
  const stored = await loadCustomer(engine, scope, customerId)
  if (!stored || stored.deletedAt !== null) return []
  if (body.customerType !== stored.customerType) {
    const constraint = { enum: [stored.customerType] }
    return [{ field: 'customerType', message: 'cannot be changed', constraint }]
  }
  const problems = checkCustomer(await loadFacts(engine, scope, body, stored), body)
  if ('email' in body && 'phoneNumber' in body) {
    problems.push({ field: 'phoneNumber', message: 'cannot be changed together with email' })
  }
  return problems
}

async function loadFacts(
  engine: Parameters<BodyCheck>[0],
  scope: Parameters<BodyCheck>[1],
  body: Body,
  stored: Customer | undefined,
): Promise<Facts> {
  const address = typeof body.umaAddress === 'string' ? parseUmaAddress(body.umaAddress) : undefined
  return {
    now: scope.now,
    platformId: scope.platformId,
    rules: engine.adapters[scope.environment].rules,
    config: await loadConfig(engine.database, scope),
    domainHolder: address && (await loadDomainHolder(engine.database, scope, address.domain)),
    stored,
  }
}

export function checkCustomer(facts: Facts, body: Body): FieldProblem[] {
  const { stored } = facts
  const customerType = stored?.customerType ?? body.customerType
  if (customerType !== 'INDIVIDUAL' && customerType !== 'BUSINESS') return []
  const profile = mergeProfile(customerType, stored?.profile ?? {}, body)
  const hasIdentifier =
    body.identifier === undefined ? stored?.identifierSealed != null : body.identifier !== null
  const asked = Array.isArray(body.currencies) ? body.currencies.filter(isText) : []
  return [
    ...checkFields({ customerType, now: facts.now, hasIdentifier, profile }, body),
    ...checkDescriptions(customerType, profile),
    ...checkCurrencies(facts, body.currencies),
    ...checkAddress(facts, body.umaAddress),
    ...checkContacts(facts, { customerType, profile, body, currencies: asked }),
    ...missingProviderFields(
      { customerType, profile, hasIdentifier },
      asked,
      facts.config.settings.providerRequiredCustomerFields ?? {},
    ),
  ]
}

/** Whoever says OTHER says what (customers 4.3). */
function checkDescriptions(customerType: 'INDIVIDUAL' | 'BUSINESS', profile: Profile): FieldProblem[] {
  const isPerson = customerType === 'INDIVIDUAL'
  const fields = (isPerson ? profile : profile.businessInfo) as Body | undefined
  const prefix = isPerson ? '' : 'businessInfo.'
  return descriptionPairs
    .filter(([choice, description]) => includesOther(fields?.[choice]) && !fields?.[description])
    .map(([choice, description]) => ({
      field: prefix + description,
      message: `is required, because ${choice} is OTHER`,
    }))
}

/** Only what the platform offers; what the customer holds may stay (customers 4.2). */
function checkCurrencies({ config, stored }: Facts, currencies: unknown): FieldProblem[] {
  if (!Array.isArray(currencies)) return []
  const supported = config.supportedCurrencies.map(({ currencyCode }) => currencyCode)
  const allowed = new Set([...supported, ...(stored?.currencies ?? [])])
  return currencies.flatMap((code, index) =>
    isText(code) && !allowed.has(code)
      ? [
          {
            field: `currencies.${index}`,
            message: 'is not offered by the platform',
            code: 'INVALID_CURRENCY' as const,
            details: { supported },
          },
        ]
      : [],
  )
}

function checkAddress(facts: Facts, address: unknown): FieldProblem[] {
  if (!isText(address) || normalizeUmaAddress(address) === facts.stored?.umaAddress) return []
  const refuse = (message: string): FieldProblem[] => [
    { field: 'umaAddress', message, code: 'INVALID_UMA_ADDRESS', details: { umaAddress: address } },
  ]
  const parsed = parseUmaAddress(address)
  if (!parsed) return refuse('does not have the format $name@domain')
  if (facts.rules.requiresOwnUmaDomain && parsed.domain !== facts.config.umaDomain) {
    return refuse('is not in the UMA domain of the platform')
  }
  const isForeign = facts.domainHolder !== undefined && facts.domainHolder !== facts.platformId
  return isForeign ? refuse('is in the UMA domain of another platform') : []
}

/**
 * Customers in the EEA verify their contacts, so they must have some (customers 9.1). A change is only
 * refused for what it takes away: both contacts cannot be given in one request.
 */
function checkContacts(
  { rules, stored }: Facts,
  request: {
    customerType: 'INDIVIDUAL' | 'BUSINESS'
    profile: Profile
    body: Body
    currencies: readonly string[]
  },
): FieldProblem[] {
  if (!rules.requiresContactInEea) return []
  const { customerType, profile } = request
  const region = regionAfter(stored, request)
  if (!isEea(region)) return []
  const business = profile.businessInfo
  const contacts: [field: string, before: unknown, after: unknown][] = [
    ['email', stored?.profile.email, profile.email],
    ['phoneNumber', stored?.profile.phoneNumber, profile.phoneNumber],
  ]
  if (customerType === 'BUSINESS') {
    for (const name of ['primaryContactFirstName', 'primaryContactLastName'] as const) {
      contacts.push([`businessInfo.${name}`, stored?.profile.businessInfo?.[name], business?.[name]])
    }
  }
  const isMovingIn = !isEea(stored?.region)
  return contacts
    .filter(([, before, after]) => !after && (isMovingIn || before))
    .map(([field]) => ({
      field,
      message: `is required in the region ${region}`,
      code: 'MISSING_MANDATORY_USER_INFO',
    }))
}

/** Where the customer will be served once the request is done. */
function regionAfter(
  stored: Customer | undefined,
  { body, profile, currencies }: { body: Body; profile: Profile; currencies: readonly string[] },
): string | null {
  if (body.region === null) return null
  const region = isText(body.region) ? upperAscii(body.region) : undefined
  if (stored) return region ?? stored.region
  const addressCountry = profile.address?.country
  return inferRegion({
    region,
    addressCountry,
    businessCountry: profile.businessInfo?.country,
    currencies,
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
