import type { IssuanceReport, StablecoinIssuer } from '@corridor/engine/ports/stablecoin-issuer.ts'
import type { Instant } from '@corridor/kernel'
import {
  enablementSuffix,
  type ScriptedMint,
  stablecoinCredentials,
  stablecoinOperations,
  stablecoinTokens,
} from './stablecoin-outcomes.ts'

/** Every wait of a scripted provider that is not said otherwise. */
const stepMs = 500
const patienceMs = 60 * 60 * 1000
/** What is scripted never changes: a clock that is moved by years need not stop at every hour for it. */
const monthMs = 30 * 24 * patienceMs

const ending = (text: string | undefined) => (text ?? '').slice(-3)

/**
 * A provider without a memory: what becomes of a mint stands in its description, what a token is in its name,
 * and what credentials are worth in the client id (cards-stablecoins 2).
 */
export const scriptedIssuer: StablecoinIssuer = {
  async checkCredentials({ apiClientId }, now) {
    const { isRejected, isUsable = true, accounts } = stablecoinCredentials[ending(apiClientId)] ?? {}
    if (isRejected) return { status: 'REJECTED' }
    return {
      status: 'KNOWN',
      isUsable,
      providerAccountIds: accounts ?? [`acct_${apiClientId}`],
      checkAgainAt: now + monthMs,
    }
  },

  async findToken(access, { providerTokenIdentifier }, now) {
    const symbol = providerTokenIdentifier.toUpperCase()
    return {
      status: 'FOUND',
      name: `${symbol} Dollar`,
      symbol,
      baseCurrency: 'USD',
      decimals: 6,
      issuance: issuanceOf(providerTokenIdentifier, now, now),
      ...newsOf(access.apiClientId),
    }
  },

  async fetchIssuance(_access, { providerTokenIdentifier }, registeredAt, now) {
    return issuanceOf(providerTokenIdentifier, registeredAt, now)
  },

  async submit(access, { operationType, source, description, token }, now) {
    const news = newsOf(access.apiClientId)
    if (outcomeOf(description).isUnavailable) return { status: 'UNAVAILABLE' }
    if (operationType === 'MINT' && source === 'WIRE') {
      return {
        status: 'AWAITS_FUNDS',
        providerStatus: 'pending',
        checkAt: now + patienceMs,
        fundingInstructions: {
          rail: 'WIRE',
          bankName: 'Sandbox Trust Bank',
          routingNumber: '021000021',
          accountNumber: '000123456789',
          beneficiaryName: 'Sandbox Issuer',
          reference: access.providerAccountId.slice(-12).toUpperCase(),
        },
        ...news,
      }
    }
    if (operationType === 'BURN' && source === 'EXTERNAL_ACCOUNT') {
      return {
        status: 'AWAITS_FUNDS',
        providerStatus: 'pending',
        checkAt: now + patienceMs,
        fundingInstructions: {
          rail: 'SPARK',
          network: token.network,
          address: `sprt1pgss${token.networkTokenIdentifier.slice(-20)}`,
          valueType: token.providerTokenIdentifier.toUpperCase(),
        },
        ...news,
      }
    }
    return { status: 'ACCEPTED', providerStatus: 'pending', checkAt: now + stepMs, ...news }
  },

  async fetchOperation(_access, { startedAt, description }, now) {
    if (startedAt === undefined) return { status: 'AWAITS_FUNDS', checkAt: now + patienceMs }
    const { isFailing, processingMs = 2 * stepMs } = outcomeOf(description)
    if (now < startedAt + stepMs) return { status: 'ACCEPTED', checkAt: startedAt + stepMs }
    if (now < startedAt + stepMs + processingMs) {
      return { status: 'PROCESSING', checkAt: startedAt + stepMs + processingMs }
    }
    return { status: isFailing ? 'FAILED' : 'COMPLETED' }
  },

  enablementDecision({ providerTokenIdentifier }, requestedAt) {
    const { suffix, approvedAfterMs } = enablementSuffix
    return ending(providerTokenIdentifier) === suffix
      ? { approvesAt: requestedAt + approvedAfterMs }
      : undefined
  },
}

function outcomeOf(description: string | undefined): ScriptedMint {
  return stablecoinOperations[ending(description)] ?? { meaning: 'completes within 2 seconds' }
}

function newsOf(apiClientId: string): { link?: 'REVOKED' } {
  return stablecoinCredentials[ending(apiClientId)]?.isRevokedByUse ? { link: 'REVOKED' } : {}
}

function issuanceOf(providerTokenIdentifier: string, registeredAt: Instant, now: Instant): IssuanceReport {
  const { status = 'PROVISIONED', readyAfterMs } = stablecoinTokens[ending(providerTokenIdentifier)] ?? {}
  if (readyAfterMs === undefined) return { status, checkAt: now + patienceMs }
  const readyAt = registeredAt + readyAfterMs
  return now < readyAt
    ? { status: 'PROVISIONING', checkAt: readyAt }
    : { status: 'PROVISIONED', checkAt: now }
}
