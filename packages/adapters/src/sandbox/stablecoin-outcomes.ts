import type { IssuanceReport } from '@corridor/engine/ports/stablecoin-issuer.ts'

/** Magic endings of the scripted stablecoin provider (cards-stablecoins 2.1 to 2.4). */

/** The last three characters of `apiClientId`. */
export const stablecoinCredentials: Readonly<
  Record<
    string,
    {
      readonly meaning: string
      readonly isRejected?: true
      readonly isRevokedByUse?: true
      readonly isUsable?: false
      readonly accounts?: readonly string[]
    }
  >
> = {
  '002': { meaning: 'rejected: 400 STABLECOIN_PROVIDER_ACCOUNT_INVALID', isRejected: true },
  '003': { meaning: 'is linked; becomes REVOKED after its first use', isRevokedByUse: true },
  '004': { meaning: 'gives access to two accounts, acct_a and acct_b', accounts: ['acct_a', 'acct_b'] },
  '006': { meaning: 'is linked as INVALID', isUsable: false },
}

/** The last three characters of `providerTokenIdentifier`. */
export const stablecoinTokens: Readonly<
  Record<
    string,
    { readonly meaning: string; readonly status?: IssuanceReport['status']; readonly readyAfterMs?: number }
  >
> = {
  '001': { meaning: 'stays PENDING_REVIEW', status: 'PENDING_REVIEW' },
  '002': { meaning: 'REJECTED', status: 'REJECTED' },
  '003': { meaning: 'FAILED', status: 'FAILED' },
  '005': { meaning: 'PROVISIONED after 30 seconds', readyAfterMs: 30_000 },
}

/** Its ending of a token lets the request for enabling be approved without the operator. */
export const enablementSuffix = { suffix: '101', approvedAfterMs: 5_000 } as const

export interface ScriptedMint {
  readonly meaning: string
  readonly isFailing?: true
  readonly isUnavailable?: true
  readonly processingMs?: number
}

/** The last three characters of the `description` of a mint or burn. */
export const stablecoinOperations: Readonly<Record<string, ScriptedMint>> = {
  '002': { meaning: 'accepted, then FAILED', isFailing: true },
  '005': { meaning: '30 seconds in PROCESSING', processingMs: 30_000 },
  '008': { meaning: 'the provider is unavailable: 503', isUnavailable: true },
}
