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
  '002': { meaning: 'the link fails with 400 STABLECOIN_PROVIDER_ACCOUNT_INVALID', isRejected: true },
  '003': { meaning: 'the account is linked and becomes REVOKED after its first use', isRevokedByUse: true },
  '004': {
    meaning: 'the credentials give access to two accounts, acct_a and acct_b',
    accounts: ['acct_a', 'acct_b'],
  },
  '006': { meaning: 'the account is linked as INVALID', isUsable: false },
}

/** The last three characters of `providerTokenIdentifier`. */
export const stablecoinTokens: Readonly<
  Record<
    string,
    { readonly meaning: string; readonly status?: IssuanceReport['status']; readonly readyAfterMs?: number }
  >
> = {
  '001': { meaning: 'the coin stays PENDING_REVIEW', status: 'PENDING_REVIEW' },
  '002': { meaning: 'the coin becomes REJECTED', status: 'REJECTED' },
  '003': { meaning: 'the coin becomes FAILED', status: 'FAILED' },
  '005': { meaning: 'the coin becomes PROVISIONED after 30 seconds', readyAfterMs: 30_000 },
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
  '002': { meaning: 'the operation is accepted, then becomes FAILED', isFailing: true },
  '005': { meaning: 'the operation stays in PROCESSING for 30 seconds', processingMs: 30_000 },
  '008': { meaning: 'the provider is unavailable, and the response is 503', isUnavailable: true },
}
