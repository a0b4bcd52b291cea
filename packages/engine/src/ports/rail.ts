import type { Instant } from '@corridor/kernel'
import type { CallContext } from './call-context.ts'

/**
 * How money leaves and enters. An adapter submits with our id as its own idempotency key and answers in
 * these words; whatever a network says beyond them is still pending (convention: unknown is pending).
 */
export interface RailClient {
  /** Hands a payout to the rail. Submitting the same transaction twice is submitting it once. */
  submitPayout(payout: PayoutInstruction, now: Instant): Promise<Submission>
  /** What has become of a submitted payout. */
  fetchPayout(payout: PayoutInstruction, now: Instant): Promise<PayoutOutcome>
  /** Whether it reaches an account with these details; absent: it reaches all of its kind. What it does not is answered 501. */
  reaches?(accountInfo: Readonly<Record<string, unknown>>): boolean
  /** Collects from an external account; present when the rail is declared to support pulls. */
  submitPull?(pull: PullInstruction, now: Instant): Promise<Submission>
  fetchPull?(pull: PullInstruction, now: Instant): Promise<PullOutcome>
  /**
   * Asks the rail to stop a payout or pull; true when it will not be delivered. Asked only once the rail has
   * answered the submission, never beside another call about the same payment, and again when its answer was lost:
   * the same answer then.
   */
  requestCancel?(instruction: PayoutInstruction | PullInstruction, now: Instant): Promise<boolean>
  /**
   * Of a simulated rail: what of the account decides what becomes of a payment; undefined where nothing does. Told from these alone,
   * and asked for explanations only (accounts 12).
   */
  decides?(
    instruction: Pick<Instruction, 'rail' | 'primaryId' | 'flow'>,
    side: 'PAYOUT' | 'PULL',
  ): DecidedOutcome | undefined
}

/** What becomes of a payment because of the account that it goes to, or comes from. */
export interface DecidedOutcome {
  /** What of it: `the account ends in 004`. */
  readonly by: string
  readonly meaning: string
  readonly failsAs?: RailFailure
  readonly isReturned?: boolean
  readonly isCancelled?: boolean
}

interface Instruction {
  readonly transactionId: string
  readonly rail: string
  readonly currency: string
  readonly amountMinor: bigint
  /** The account type and details that the rail needs, as registered and normalised. */
  readonly accountType: string
  readonly accountInfo: Readonly<Record<string, unknown>>
  /** The identifier by which the account's institution knows it. */
  readonly primaryId: string
  readonly submittedAt: Instant
  /** Whether the payment runs through a quote or one of the deprecated transfers. */
  readonly flow: 'QUOTE' | 'TRANSFER'
  /** The caller waits for the outcome, so steps that need no waiting are not paced. */
  readonly isImmediate: boolean
  readonly context?: RailContext
}

/** Which hand-over of a payment a call is about: a payment that is collected and paid out has two. */
export interface RailContext extends CallContext {
  readonly side: 'PULL' | 'PAYOUT'
}

export interface PayoutInstruction extends Instruction {
  readonly remittanceInformation?: string
}
export type PullInstruction = Instruction

/** Each `checkAt` is when to ask again. */
export type Submission =
  | { readonly status: 'PENDING'; readonly checkAt: Instant }
  | { readonly status: 'ACCEPTED'; readonly checkAt: Instant }
  | Failed

export type PayoutOutcome =
  | { readonly status: 'PENDING'; readonly checkAt: Instant }
  | { readonly status: 'ACCEPTED'; readonly checkAt: Instant }
  /**
   * Delivered. With `checkAt` the rail may still report a return. `routingCostMinor` is what a Lightning
   * payment cost on the way, in satoshi; the service bears it (accounts 13, row 11). `routingCostMsats` is the same of a
   * UMA payment, in millisatoshi.
   */
  | {
      readonly status: 'SETTLED'
      readonly checkAt?: Instant
      readonly routingCostMinor?: bigint
      readonly routingCostMsats?: bigint
    }
  | { readonly status: 'RETURNED' }
  | { readonly status: 'CANCELLED' }
  | Failed

export type PullOutcome =
  | { readonly status: 'PENDING'; readonly checkAt: Instant }
  | { readonly status: 'ACCEPTED'; readonly checkAt: Instant }
  /** Collected. With `checkAt` the bank may still take it back. */
  | { readonly status: 'SETTLED'; readonly checkAt?: Instant }
  | { readonly status: 'RETURNED' }
  | Failed

export interface Failed {
  readonly status: 'FAILED'
  readonly reason: RailFailure
  /** The failure came from waiting too long, not from an answer. */
  readonly isTimeout?: true
  /** The money cannot be given back either; it goes to suspense for the operator. */
  readonly isRefundImpossible?: true
}

/** Why a rail did not deliver, in our words (accounts 0.4). */
export type RailFailure =
  | 'INSUFFICIENT_FUNDS'
  | 'ACCOUNT_INVALID'
  | 'ACCOUNT_CANNOT_RECEIVE'
  | 'LIMIT_EXCEEDED'
  | 'COMPLIANCE_REJECTED'
  /** Accepted, and given back before it was delivered. */
  | 'RETURNED'
  | 'INTERNAL'
