import type { Adapters, RateSource, WebhookSender } from '@corridor/engine/ports/adapters.ts'
import type { LightningNode } from '@corridor/engine/ports/lightning.ts'
import type { Messenger, OneTimeCodes } from '@corridor/engine/ports/messenger.ts'
import type { OpenIdIssuers } from '@corridor/engine/ports/open-id.ts'
import type { PeerTransport } from '@corridor/engine/ports/uma.ts'
import type { World } from '@corridor/kernel'
import { walletOwnership } from './custody/wallet-ownership.ts'
import { reviewedLiveness } from './factors/reviewed-liveness.ts'
import { totpCodes } from './factors/totp.ts'
import { reviewedIdentity } from './identity/reviewed-identity.ts'
import { lightningRail } from './lightning/lightning-rail.ts'
import { declaredBeneficiaries } from './rails/declared-beneficiaries.ts'
import { instructionIssuers, railAdapters } from './rails/index.ts'
import { connectRails } from './rails/rail-adapter.ts'
import { closedUma } from './uma/closed-uma.ts'

/** The real outside world. What has no client here is answered 501 NOT_IMPLEMENTED. */
export function productionAdapters(parts: {
  rates: RateSource
  webhooks: WebhookSender
  peers: PeerTransport
  lightning: LightningNode | undefined
  messenger: Messenger
  codes: OneTimeCodes
  openId: OpenIdIssuers
  world: World
  /** What the operator has set for rails, by `<ID>_<NAME>`. */
  railSettings: Readonly<Record<string, string>>
}): Adapters {
  const lightning = parts.lightning && lightningRail(parts.lightning)
  const clients = connectRails(railAdapters, parts.world, parts.railSettings)
  return {
    rail: (railId) => (railId === 'LIGHTNING' ? lightning : clients.get(railId)),
    instructions: (currency) =>
      instructionIssuers.find(({ currencies }) => currencies.includes(currency))?.issuer,
    rates: parts.rates,
    beneficiaries: declaredBeneficiaries,
    identity: reviewedIdentity,
    ownership: walletOwnership,
    uma: closedUma,
    peers: parts.peers,
    lightning: parts.lightning,
    webhooks: parts.webhooks,
    messenger: parts.messenger,
    codes: parts.codes,
    openId: parts.openId,
    cards: undefined,
    stablecoins: undefined,
    factors: { totp: totpCodes, liveness: reviewedLiveness },
    rules: {
      accountChecks: 'FULL',
      pullableAccounts: 'US_ONLY',
      customerGate: 'STRICT',
      termsGate: 'CUSTOMERS_OF_UNREGULATED',
      requiresContactInEea: true,
      requiresVerifiedPhone: true,
      requiresTwoNames: true,
      rateLimitFactor: 1,
      documentTypeFrom: 'CONTENT',
      contactResendMs: 30_000,
      allowsPrivateEndpoints: false,
      showsEndpointAnswers: false,
      showsServiceAccounts: false,
      requiresPayerData: true,
      requiresOwnUmaDomain: true,
      invitesUnconfigured: false,
      signatureLiteral: undefined,
      passkeyLiteral: undefined,
      signsExports: true,
      allowsLocalOrigins: false,
      walletLimitFactors: { challenges: 1, failures: 1 },
      newInternalAccountStatus: 'PENDING',
      newExternalAccountStatus: 'PENDING',
      requiresDurableDatabase: true,
      takesTwoOperators: true,
      maxLiveCards: 10_000,
      accountIdsFollowNames: false,
      stepMs: 0,
    },
  }
}
