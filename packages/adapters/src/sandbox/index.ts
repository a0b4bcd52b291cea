import type { Adapters, RateSource, WebhookSender } from '@corridor/engine/ports/adapters.ts'
import { ownershipOutcomes } from './outcomes.ts'
import { scriptedBeneficiaries } from './scripted-beneficiaries.ts'
import { scriptedIdentity } from './scripted-identity.ts'
import { scriptedCodes, scriptedMessenger } from './scripted-messenger.ts'
import { scriptedOwnership } from './scripted-ownership.ts'
import { scriptedRail } from './scripted-rail.ts'
import { scriptedUma } from './scripted-uma.ts'

/** The simulated outside world: scripted rails, lenient checks, real webhooks. */
export function sandboxAdapters(parts: {
  rates: RateSource
  webhooks: WebhookSender
  /** Where the simulated UMA users live. */
  umaDomains: readonly string[]
  stepMs: number
}): Adapters {
  const rail = scriptedRail(parts)
  return {
    rail: () => rail,
    rates: parts.rates,
    beneficiaries: scriptedBeneficiaries,
    identity: scriptedIdentity,
    ownership: scriptedOwnership,
    uma: scriptedUma({ domains: parts.umaDomains }),
    webhooks: parts.webhooks,
    messenger: scriptedMessenger,
    codes: scriptedCodes,
    rules: {
      accountChecks: 'SHAPE',
      pullableAccounts: 'ANY_BANK',
      customerGate: 'REJECTED_ONLY',
      termsGate: 'NOBODY',
      requiresContactInEea: false,
      requiresTwoNames: false,
      rateLimitFactor: 10,
      documentTypeFrom: 'SENDER',
      contactResendMs: 0,
      allowsPrivateEndpoints: true,
      requiresPayerData: false,
      requiresOwnUmaDomain: false,
      signatureLiteral: ownershipOutcomes.validSignature,
      newInternalAccountStatus: 'ACTIVE',
      newExternalAccountStatus: 'ACTIVE',
      requiresDurableDatabase: false,
      stepMs: parts.stepMs,
    },
  }
}
