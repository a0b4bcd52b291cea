import type { ExchangeTimes, Instant } from '@corridor/kernel'
import type { CallContext } from './call-context.ts'
import type { CardProcessor } from './card-processor.ts'
import type { Factors } from './factors.ts'
import type { IdentityProvider } from './identity.ts'
import type { InstructionIssuer } from './instructions.ts'
import type { LightningNode } from './lightning.ts'
import type { Messenger, OneTimeCodes } from './messenger.ts'
import type { OpenIdIssuers } from './open-id.ts'
import type { OwnershipVerifier } from './ownership.ts'
import type { RailClient } from './rail.ts'
import type { StablecoinIssuer } from './stablecoin-issuer.ts'
import type { PeerTransport, UmaNetwork } from './uma.ts'

/**
 * The outside world of one environment. Production and its simulated twin implement the same ports, so
 * no feature needs to know which of them it is talking to.
 */
export interface Adapters {
  /** The client of a rail, or undefined where this installation has none: 501 NOT_IMPLEMENTED. */
  rail(railId: string): RailClient | undefined
  /** Prepares the client of a rail that Corridor implements itself for this environment. Absent: used as it is. */
  prepareRail?(client: RailClient): RailClient
  /** Who issues the coordinates that money in a currency is sent to; undefined: 501 NOT_IMPLEMENTED. */
  instructions(currency: string): InstructionIssuer | undefined
  readonly rates: RateSource
  readonly beneficiaries: BeneficiaryVerifier
  readonly identity: IdentityProvider
  readonly ownership: OwnershipVerifier
  readonly uma: UmaNetwork
  readonly peers: PeerTransport
  /** Settles with institutions that have no bilateral agreement, or undefined where this installation has no node. */
  readonly lightning: LightningNode | undefined
  readonly webhooks: WebhookSender
  readonly messenger: Messenger
  readonly codes: OneTimeCodes
  readonly openId: OpenIdIssuers
  /** Makes cards and carries their messages, or undefined where this installation has no issuer. */
  readonly cards: CardProcessor | undefined
  /** Mints and burns platforms' own stablecoins, or undefined where this installation has no issuer. */
  readonly stablecoins: StablecoinIssuer | undefined
  readonly factors: Factors
  readonly rules: EnvironmentRules
}

/** Mid-market rates: units of each currency per US dollar, as exact decimal or fraction text. */
export interface RateSource {
  snapshot(now: Instant, context?: CallContext): Promise<RateTable>
  /** Whether the rate of a quote is still to be had when it is executed; absent: it always is (accounts 7.4). */
  isToBeHad?(quoteId: string, now: Instant, context?: CallContext): Promise<boolean>
}

export interface RateTable {
  readonly updatedAt: Instant
  readonly perUsd: Readonly<Record<string, string>>
}

/** Compares the name a caller gave with the one the account's institution knows (accounts 4.10). */
export interface BeneficiaryVerifier {
  verify(request: {
    readonly accountType: string
    readonly primaryId: string
    readonly rails: readonly string[]
    readonly fullName: string
  }): Promise<BeneficiaryVerification>
}

export type BeneficiaryVerification =
  | {
      readonly status:
        | 'MATCHED'
        | 'PARTIAL_MATCH'
        | 'NOT_MATCHED'
        | 'UNSUPPORTED'
        | 'CHECKED_BY_RECEIVING_FI'
        | 'PENDING'
      readonly fullName?: string
    }
  /** The institution says that there is no such account. */
  | { readonly status: 'INVALID_ACCOUNT' }

/** Sends signed bytes to a platform's endpoint. Redirects are never followed. */
export interface WebhookSender {
  send(delivery: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
    /** How its body leaves on purpose; absent: as fast as it can. */
    readonly pace?: BodyPace
    /** Told before the end, where the network measures. */
    readonly onMeasured?: ((times: ExchangeTimes) => void) | undefined
    /** Breaks it off: nothing more is sent, and nobody waits. */
    readonly signal?: AbortSignal | undefined
    readonly context?: CallContext
  }): Promise<WebhookAnswer>
  /** Time of the first attempt, on the clock of the book. Asked once per event, before it. Undefined or absent: now. */
  firstAttemptAt?(event: { readonly context: CallContext; body(): string }): Promise<Instant | undefined>
}

export interface BodyPace {
  readonly bytesPerSecond: number | undefined
  /** Half of it, and then the connection is cut. */
  readonly isCutShort: boolean
}

export type WebhookAnswer =
  | { readonly ok: true; readonly status: number; readonly body: string }
  /** No HTTP answer: refused address, DNS, TLS, connection or time-out. */
  | { readonly ok: false; readonly reason: string }

/** Rules of the specification that differ between the environments, as data instead of ifs. */
export interface EnvironmentRules {
  /** How many times the operator's rate limits apply (conventions 8). */
  readonly rateLimitFactor: number
  /** Check digits, directories and alphabets of account details (accounts 4.4). */
  readonly accountChecks: 'SHAPE' | 'FULL'
  /** Which external accounts may be pulled from (accounts 7.1). */
  readonly pullableAccounts: 'ANY_BANK' | 'US_ONLY'
  /** Which customers may move money (customers 1.2). */
  readonly customerGate: 'REJECTED_ONLY' | 'STRICT'
  /** Who may move money only after accepting the terms (customers 7). */
  readonly termsGate: 'CUSTOMERS_OF_UNREGULATED' | 'NOBODY'
  /** Whether customers in the EEA must be reachable from the start (customers 9.1). */
  readonly requiresContactInEea: boolean
  /** Whether codes by SMS are an authentication factor only for phones that were verified (customers 13.2). */
  readonly requiresVerifiedPhone: boolean
  /** Whether an individual must give more than one name to be verified (customers 10.4). */
  readonly requiresTwoNames: boolean
  /** What says of which type a document is: its sender, or its first bytes (customers 11.1). */
  readonly documentTypeFrom: 'SENDER' | 'CONTENT'
  /** How soon another code may be sent over the same channel, in milliseconds (customers 9.1). */
  readonly contactResendMs: number
  /** Whether webhook endpoints may be plain http and on private addresses (webhooks 3.2). */
  readonly allowsPrivateEndpoints: boolean
  /** Whether callers see what their endpoint answered to a test webhook, beyond its status. */
  readonly showsEndpointAnswers: boolean
  /** Whether platforms see the ledger accounts of the service: its positions, fees and mirrors. */
  readonly showsServiceAccounts: boolean
  /** Whether purpose of payment and payer data are enforced (accounts 5.2, 7.2). */
  readonly requiresPayerData: boolean
  /** Whether platforms may invite before the operator has said what an invitation shows (webhooks-uma 4). */
  readonly invitesUnconfigured: boolean
  /** Whether a UMA address must be in the platform's own domain (customers 4.3). */
  readonly requiresOwnUmaDomain: boolean
  /** A text that is accepted in place of any wallet signature (wallets 10). */
  readonly signatureLiteral: string | undefined
  /** A text that is accepted in place of any signature by a passkey (wallets 10). */
  readonly passkeyLiteral: string | undefined
  /** Whether exports of wallets bear the signature that clients check (wallets 3.5). */
  readonly signsExports: boolean
  /** Whether passkeys may come from http://localhost (wallets 3.6). */
  readonly allowsLocalOrigins: boolean
  /** How many times the operator's limits on signing in to wallets apply (wallets 5.4). */
  readonly walletLimitFactors: { readonly challenges: number; readonly failures: number }
  /** Status of a new internal account (accounts 3.1). */
  readonly newInternalAccountStatus: 'ACTIVE' | 'PENDING'
  /** Status of a new external account that needs no ownership proof (accounts 4.2). */
  readonly newExternalAccountStatus: 'ACTIVE' | 'PENDING'
  /** Whether its money may only be kept on a database that survives a power cut. */
  readonly requiresDurableDatabase: boolean
  /** Whether what gives power over its money takes two operators (vocabulary/powers.ts). */
  readonly takesTwoOperators: boolean
  /** Live cards that a platform may have, unless the operator says otherwise (cards 1.2). */
  readonly maxLiveCards: number
  /** Whether accounts of a customer end like the platform's name for it, which steers simulations (cards 1.7). */
  readonly accountIdsFollowNames: boolean
  /** Pause before the first step of a payment runs in the background, in milliseconds. */
  readonly stepMs: number
}
