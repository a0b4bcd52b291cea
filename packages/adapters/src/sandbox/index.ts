import type { Adapters, RateSource, WebhookSender } from '@corridor/engine/ports/adapters.ts'
import type { PeerTransport } from '@corridor/engine/ports/uma.ts'
import { sandboxInstructions } from './instructions/sandbox-instructions.ts'
import { ownershipOutcomes, walletOutcomes } from './outcomes.ts'
import { sandboxLightning } from './sandbox-lightning.ts'
import { scriptedBeneficiaries } from './scripted-beneficiaries.ts'
import { scriptedFactors } from './scripted-factors.ts'
import { scriptedIdentity } from './scripted-identity.ts'
import { scriptedIssuer } from './scripted-issuer.ts'
import { scriptedCodes, scriptedMessenger } from './scripted-messenger.ts'
import { scriptedOpenId } from './scripted-open-id.ts'
import { scriptedOwnership } from './scripted-ownership.ts'
import { scriptedProcessor } from './scripted-processor.ts'
import { scriptedRail } from './scripted-rail.ts'
import { scriptedUma } from './scripted-uma.ts'

/**
 * The simulated outside world: scripted rails, lenient checks, real webhooks. Each call returns adapters of its own, so that a change to
 * those of one installation, as tests make them, does not reach the others of a process.
 */
export function sandboxAdapters(parts: {
  rates: RateSource
  webhooks: WebhookSender
  peers: PeerTransport
  /** Where this installation is reached: its simulated Lightning node says so in its invoices. */
  baseUrl: string
  /** Where webhooks may reach the network of this machine, everybody may see what answers there. */
  showsEndpointAnswers: boolean
  /** Where the simulated UMA users live. */
  umaDomains: readonly string[]
  /** Issuers of OpenID tokens besides the known ones. */
  openIdIssuers?: readonly string[]
  stepMs: number
}): Adapters {
  const rail = scriptedRail(parts)
  const instructions = { ...sandboxInstructions }
  return {
    rail: () => rail,
    instructions: () => instructions,
    rates: parts.rates,
    beneficiaries: { ...scriptedBeneficiaries },
    identity: { ...scriptedIdentity },
    ownership: { ...scriptedOwnership },
    uma: scriptedUma({ domains: parts.umaDomains }),
    peers: parts.peers,
    lightning: sandboxLightning(parts),
    webhooks: parts.webhooks,
    messenger: { ...scriptedMessenger },
    codes: { ...scriptedCodes },
    openId: scriptedOpenId(parts.openIdIssuers ?? []),
    cards: { ...scriptedProcessor },
    stablecoins: { ...scriptedIssuer },
    factors: {
      ...scriptedFactors,
      totp: { ...scriptedFactors.totp },
      liveness: { ...scriptedFactors.liveness },
    },
    rules: {
      accountChecks: 'SHAPE',
      pullableAccounts: 'ANY_BANK',
      customerGate: 'REJECTED_ONLY',
      termsGate: 'NOBODY',
      requiresContactInEea: false,
      requiresVerifiedPhone: false,
      requiresTwoNames: false,
      rateLimitFactor: 10,
      documentTypeFrom: 'SENDER',
      contactResendMs: 0,
      allowsPrivateEndpoints: true,
      showsEndpointAnswers: parts.showsEndpointAnswers,
      showsServiceAccounts: true,
      requiresPayerData: false,
      requiresOwnUmaDomain: false,
      invitesUnconfigured: true,
      signatureLiteral: ownershipOutcomes.validSignature,
      passkeyLiteral: walletOutcomes.validPasskeySignature,
      signsExports: false,
      allowsLocalOrigins: true,
      walletLimitFactors: { challenges: 12, failures: 6 },
      newInternalAccountStatus: 'ACTIVE',
      newExternalAccountStatus: 'ACTIVE',
      requiresDurableDatabase: false,
      takesTwoOperators: false,
      maxLiveCards: 1_000,
      accountIdsFollowNames: true,
      stepMs: parts.stepMs,
    },
  }
}
