import type { Adapters, RateSource, WebhookSender } from '@corridor/engine/ports/adapters.ts'
import type { Messenger, OneTimeCodes } from '@corridor/engine/ports/messenger.ts'
import { walletOwnership } from './custody/wallet-ownership.ts'
import { reviewedIdentity } from './identity/reviewed-identity.ts'
import { declaredBeneficiaries } from './rails/declared-beneficiaries.ts'
import { railClients } from './rails/index.ts'
import { closedUma } from './uma/closed-uma.ts'

/** The real outside world. A rail without a client here answers 501 NOT_IMPLEMENTED. */
export function productionAdapters(parts: {
  rates: RateSource
  webhooks: WebhookSender
  messenger: Messenger
  codes: OneTimeCodes
}): Adapters {
  return {
    rail: (railId) => railClients.find(({ id }) => id === railId)?.client,
    rates: parts.rates,
    beneficiaries: declaredBeneficiaries,
    identity: reviewedIdentity,
    ownership: walletOwnership,
    uma: closedUma,
    webhooks: parts.webhooks,
    messenger: parts.messenger,
    codes: parts.codes,
    rules: {
      accountChecks: 'FULL',
      pullableAccounts: 'US_ONLY',
      customerGate: 'STRICT',
      termsGate: 'CUSTOMERS_OF_UNREGULATED',
      requiresContactInEea: true,
      requiresTwoNames: true,
      rateLimitFactor: 1,
      documentTypeFrom: 'CONTENT',
      contactResendMs: 30_000,
      allowsPrivateEndpoints: false,
      requiresPayerData: true,
      requiresOwnUmaDomain: true,
      signatureLiteral: undefined,
      newInternalAccountStatus: 'PENDING',
      newExternalAccountStatus: 'PENDING',
      requiresDurableDatabase: true,
      stepMs: 0,
    },
  }
}
