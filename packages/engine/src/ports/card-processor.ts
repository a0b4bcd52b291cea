import type { Instant } from '@corridor/kernel'

/**
 * Who makes cards and carries what is bought with them (cards 1). Corridor decides about authorizations
 * itself and in real time; the processor is told, and tells what the network says.
 */
export interface CardProcessor {
  /** Orders a card. Ordering the same id twice is ordering one. */
  provision(order: CardOrder, now: Instant): Promise<Provisioning>
  /** What the processor has against an account that is to fund a card. Part of a decision: never a call. */
  screenAccount(accountId: string): 'INSUFFICIENT_BALANCE' | 'ACCOUNT_CLOSED' | undefined
  /** What the processor says to an authorization before Corridor does. Part of a decision: never a call. */
  screen(merchantDescriptor: string): Screening
  /** The course that charging the cardholder takes. Part of a decision: never a call. */
  pullCourse(pull: CardPull): PullCourse
  /** What has become of a charge that is confirmed later. */
  fetchPull(pull: CardPull, startedAt: Instant, now: Instant): Promise<PullOutcome>
  /** The number and its companions, for the page that shows them and for nothing else. */
  reveal(card: RevealOrder): Promise<RevealedCard>
}

export interface CardOrder {
  readonly cardId: string
  readonly cardholderId: string
  /** Absent where the platform gave the card no name. */
  readonly platformCardId?: string
  readonly currency: string
  readonly orderedAt: Instant
}

export type Provisioning =
  | {
      readonly status: 'ACTIVE'
      readonly brand: 'VISA' | 'MASTERCARD'
      readonly last4: string
      readonly processorRef: string
      readonly issuerRef: string
    }
  | { readonly status: 'REJECTED' }
  | { readonly status: 'PENDING'; readonly checkAt: Instant }

export interface Screening {
  readonly decline?: 'INSUFFICIENT_FUNDS' | 'CARD_PAUSED'
  /** How the id of the transaction has to end, where that steers what comes later. */
  readonly idEnding?: string
}

export interface CardPull {
  readonly transactionId: string
  readonly merchantDescriptor: string
  /** The charge that an authorization begins with; others come after it. */
  readonly isFirst: boolean
}

/** At once, refused, or taken in good faith and confirmed or not later. */
export type PullCourse = 'AT_ONCE' | 'REFUSED' | 'CONFIRMED_LATER'

export type PullOutcome =
  | { readonly status: 'CONFIRMED' }
  | { readonly status: 'FAILED' }
  | { readonly status: 'PENDING'; readonly checkAt: Instant }

export interface RevealOrder {
  readonly cardId: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

export interface RevealedCard {
  readonly number: string
  readonly securityCode: string
}
