import type { Instant } from '@corridor/kernel'

/**
 * A provider that mints and burns a platform's own stablecoin. It takes our operation id as its idempotency
 * key, and answers in these words; whatever it says beyond them is still pending (cards-stablecoins 2).
 */
export interface StablecoinIssuer {
  /** Whether the credentials are good, and for which accounts of the provider. Changes nothing there. */
  checkCredentials(credentials: IssuerCredentials, now: Instant): Promise<CredentialCheck>
  /** The token that the provider already knows by both names, or undefined. */
  findToken(access: IssuerAccess, token: TokenNames, now: Instant): Promise<TokenAnswer>
  /** How far the provider is with a token that was registered at that time. */
  fetchIssuance(
    access: IssuerAccess,
    token: TokenNames,
    registeredAt: Instant,
    now: Instant,
  ): Promise<IssuanceReport>
  /** Hands a mint or burn to the provider. Submitting the same operation twice is submitting it once. */
  submit(access: IssuerAccess, instruction: IssuerInstruction, now: Instant): Promise<IssuerSubmission>
  /** What has become of a submitted operation. */
  fetchOperation(access: IssuerAccess, instruction: IssuerInstruction, now: Instant): Promise<IssuerReport>
  /** Whether the enabling of a token is approved without the operator, and when. */
  enablementDecision(token: TokenNames, requestedAt: Instant): { readonly approvesAt: Instant } | undefined
}

export interface IssuerCredentials {
  readonly apiClientId: string
  readonly apiClientSecret: string
}

export interface IssuerAccess extends IssuerCredentials {
  readonly providerAccountId: string
}

export interface TokenNames {
  readonly network: string
  readonly networkTokenIdentifier: string
  readonly providerTokenIdentifier: string
}

export type CredentialCheck =
  /** `isUsable` false: the provider knows them and lets nothing be done with them at present. */
  | {
      readonly status: 'KNOWN'
      readonly providerAccountIds: readonly string[]
      readonly isUsable: boolean
      /** When to check again; an hour later when absent. */
      readonly checkAgainAt?: Instant
    }
  | { readonly status: 'REJECTED' }
  | { readonly status: 'REVOKED' }
  | { readonly status: 'UNAVAILABLE' }

/** What the provider said of the credentials in passing; absent: they are as good as before. */
interface LinkNews {
  readonly link?: 'INVALID' | 'REVOKED'
}

export interface IssuanceReport {
  readonly status: 'PENDING_REVIEW' | 'PROVISIONING' | 'PROVISIONED' | 'REJECTED' | 'FAILED'
  /** When to ask again, while the status is not final. */
  readonly checkAt: Instant
}

export type TokenAnswer = LinkNews &
  (
    | {
        readonly status: 'FOUND'
        readonly name: string
        readonly symbol: string
        readonly baseCurrency: string
        readonly decimals: number
        readonly issuance: IssuanceReport
      }
    | { readonly status: 'UNKNOWN_TOKEN' }
    | { readonly status: 'UNAVAILABLE' }
  )

export interface IssuerInstruction {
  readonly operationId: string
  readonly operationType: 'MINT' | 'BURN'
  readonly token: TokenNames
  /** Token units of the coin's decimals. */
  readonly amountMinor: bigint
  readonly source: string
  /** The rail that a burn is paid out by. */
  readonly rail: string | undefined
  readonly description: string | undefined
  readonly submittedAt: Instant
  /** When the funds were seen or the provider took it on; what later times count from. */
  readonly startedAt: Instant | undefined
}

export type IssuerSubmission = LinkNews &
  (
    | { readonly status: 'ACCEPTED'; readonly providerStatus: string; readonly checkAt: Instant }
    | {
        readonly status: 'AWAITS_FUNDS'
        readonly providerStatus: string
        readonly fundingInstructions: Readonly<Record<string, string>>
        readonly checkAt: Instant
      }
    /** Refused for good: nothing of it exists at the provider. */
    | { readonly status: 'REFUSED'; readonly reason: 'LINK' | 'INSUFFICIENT_BALANCE' }
    /** The provider says that it took nothing on. */
    | { readonly status: 'UNAVAILABLE' }
  )

export type IssuerReport =
  | { readonly status: 'AWAITS_FUNDS' | 'ACCEPTED' | 'PROCESSING'; readonly checkAt: Instant }
  | { readonly status: 'COMPLETED' }
  | { readonly status: 'FAILED' }
