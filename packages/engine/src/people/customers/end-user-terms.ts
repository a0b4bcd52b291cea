import { failed, ok, type Result } from '@corridor/kernel'
import type { Settings } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { EndUserTerms, EndUserTermsConsent } from './contract.ts'

/** Current first. Older versions stay good as evidence of what a person accepted (customers 7). */
export const knownVersions = ['V1', '2025-10-13'] as const

export function termsPath(version: string): string {
  return `/terms/end-users/${version}`
}

/** The terms that people are asked to accept now: where the operator has published them, else our page. */
export function currentTerms({ baseUrl, endUserTermsUrl }: Settings): EndUserTerms {
  const [version] = knownVersions
  return { version, url: endUserTermsUrl ?? baseUrl + termsPath(version) }
}

/** Fails with END_USER_TERMS_VERSION_NOT_FOUND. */
export function acceptConsent(
  consent: EndUserTermsConsent | undefined,
): Result<EndUserTermsConsent | undefined, Failure> {
  if (!consent) return ok(undefined)
  const { acceptedAt, ipAddress, termsVersion, acceptanceMethod } = consent
  if (!(knownVersions as readonly string[]).includes(termsVersion)) {
    const details = { termsVersion, currentVersion: knownVersions[0] }
    return failed(fail('END_USER_TERMS_VERSION_NOT_FOUND', details))
  }
  return ok({ acceptedAt, ipAddress, termsVersion, acceptanceMethod })
}
