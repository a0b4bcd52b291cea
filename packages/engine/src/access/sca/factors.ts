import { type Customer, isEea } from '../../people/customers/index.ts'
import type { Adapters } from '../../ports/adapters.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { fail, failFields } from '../../vocabulary/errors.ts'
import type { ScaFactor } from './challenge-schemas.ts'
import type { EnrolledFactors, ScaState } from './state.ts'

/** What a factor may be used for; the order is that of lists (customers 13.2). */
export const factorUses = {
  SMS_OTP: { login: true, payment: true, trust: true },
  /** A code of an app cannot be bound to an amount and a payee, so it never authorizes a payment. */
  TOTP: { login: true, payment: false, trust: true },
  PASSKEY: { login: true, payment: true, trust: true },
} as const satisfies Record<ScaFactor, object>

export type FactorUse = keyof (typeof factorUses)[ScaFactor]

/** What decides whether codes by SMS reach a customer. */
export type SmsAvailability = Pick<Adapters, 'rules' | 'messenger'>

/** Whether a customer authorizes its payments (customers 13.1). Everybody else never sees any of it. */
export function isUnderSca(customer: Pick<Customer, 'region'> | undefined): boolean {
  return isEea(customer?.region)
}

const authorizedCurrencies: ReadonlySet<string> = new Set(['EUR', 'USDC'])

/** Which movements a customer under strong authentication has to authorize (customers 13.1). */
export function isAuthorizedMovement(
  customer: Pick<Customer, 'region'> | undefined,
  { sendingCurrency, receivingCurrency }: { sendingCurrency: string; receivingCurrency: string },
): boolean {
  if (!isUnderSca(customer)) return false
  return authorizedCurrencies.has(sendingCurrency) || authorizedCurrencies.has(receivingCurrency)
}

/** CONFLICT for customers whom strong authentication does not apply to. */
export function applicabilityRefusal(customer: Pick<Customer, 'id' | 'region'>): Failure | undefined {
  if (isUnderSca(customer)) return undefined
  return fail('CONFLICT', { customerId: customer.id, reason: 'STRONG_AUTHENTICATION_NOT_REQUIRED' })
}

/** The factors that a customer can answer with, in the order of lists. */
export function availableFactors(
  customer: Pick<Customer, 'contactVerification'>,
  { factors }: Pick<ScaState, 'factors'>,
  sms: SmsAvailability,
  use?: FactorUse,
): ScaFactor[] {
  const has: Record<ScaFactor, boolean> = {
    SMS_OTP: reachesPhone(customer, sms),
    TOTP: factors.totp !== undefined,
    PASSKEY: factors.passkey !== undefined,
  }
  return (Object.keys(factorUses) as ScaFactor[]).filter(
    (factor) => has[factor] && (use === undefined || factorUses[factor][use]),
  )
}

function reachesPhone(
  { contactVerification }: Pick<Customer, 'contactVerification'>,
  { rules, messenger }: SmsAvailability,
): boolean {
  if (!rules.requiresVerifiedPhone) return true
  return contactVerification?.phone === 'VERIFIED' && messenger.channels.includes('SMS')
}

/**
 * The factor that a challenge asks for: the one that was chosen, else SMS where that is to be had, else
 * whatever is. INVALID_INPUT for one that is not enrolled or not for this use.
 */
export function chooseFactor(
  available: readonly ScaFactor[],
  chosen: ScaFactor | undefined,
  field = 'scaFactor',
): { readonly factor: ScaFactor } | { readonly refusal: Failure } {
  const factor = chosen ?? available[0]
  if (factor !== undefined && available.includes(factor)) return { factor }
  const message = available.length === 0 ? 'is required: the customer has no factor' : 'is not available'
  return { refusal: failFields([{ field, message, constraint: { enum: available } }]) }
}

/** The factors without one of them: what a reset or a deletion leaves. */
export function withoutFactor(factors: EnrolledFactors, factor: ScaFactor): EnrolledFactors {
  const { totp, passkey, totpStart, passkeyStart } = factors
  const keepsTotp = factor !== 'TOTP'
  const keepsPasskey = factor !== 'PASSKEY'
  return {
    ...(keepsTotp && totp ? { totp } : {}),
    ...(keepsTotp && totpStart ? { totpStart } : {}),
    ...(keepsPasskey && passkey ? { passkey } : {}),
    ...(keepsPasskey && passkeyStart ? { passkeyStart } : {}),
  }
}
