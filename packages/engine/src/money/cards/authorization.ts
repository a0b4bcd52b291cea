import type { Instant } from '@corridor/kernel'
import type { Customer } from '../../people/customers/index.ts'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Screening } from '../../ports/card-processor.ts'
import type { Requirement } from '../../vocabulary/decision.ts'
import type { Card } from './card.ts'
import { unitsPerCent } from './card-transaction.ts'

/** Why an authorization is declined; shown to the operator and to nobody else (cards 1.5). */
export type DeclineReason =
  | 'CARD_PAUSED'
  | 'CARD_CLOSED'
  | 'CARD_NOT_ACTIVE'
  | 'CURRENCY_NOT_SUPPORTED'
  | 'SPEND_LIMIT_EXCEEDED'
  | 'FUNDING_SOURCE_UNAVAILABLE'
  | 'INSUFFICIENT_FUNDS'

/** The messages of a network that ask for a decision (cards 1.6, 1.7). */
export type AuthorizationKind =
  | 'authorization'
  | 'financial_authorization'
  | 'credit_authorization'
  | 'credit_authorization_advice'
  | 'financial_credit_authorization'
  | 'balance_inquiry'

type Test = 'paused' | 'closed' | 'active' | 'currency' | 'limit' | 'source' | 'screen' | 'funds'

/** Which tests each message has to pass, in the order of cards 1.5. */
const tests: Readonly<Record<AuthorizationKind, readonly Test[]>> = {
  authorization: ['paused', 'closed', 'active', 'currency', 'limit', 'source', 'screen', 'funds'],
  financial_authorization: ['paused', 'closed', 'active', 'currency', 'limit', 'source', 'screen', 'funds'],
  credit_authorization: ['paused', 'closed', 'active', 'currency', 'source', 'screen'],
  // The network has already decided: a pause comes too late.
  credit_authorization_advice: ['closed', 'active', 'currency', 'source', 'screen'],
  financial_credit_authorization: ['paused', 'closed', 'active', 'currency', 'source', 'screen'],
  balance_inquiry: ['paused', 'closed', 'active', 'source', 'screen'],
}

export interface AuthorizationFacts {
  readonly card: Card
  readonly customer: Pick<Customer, 'deletedAt'>
  /** The first funding source; undefined once a closed card has none. */
  readonly account: InternalAccount | undefined
  /** What a charge that the service signs requires; undefined: it may not, as for wallets without an active key. */
  readonly signing: readonly Requirement[] | undefined
  readonly amountMinor: bigint
  readonly currency: string
  readonly screening: Screening
  readonly now: Instant
}

/** The first test that fails, or undefined: approved. Amounts are cents of the card. */
export function declineReason(kind: AuthorizationKind, facts: AuthorizationFacts): DeclineReason | undefined {
  for (const test of tests[kind]) {
    const reason = checks[test](facts)
    if (reason) return reason
  }
  return undefined
}

const checks: Readonly<Record<Test, (facts: AuthorizationFacts) => DeclineReason | undefined>> = {
  paused: ({ card }) => (card.state === 'FROZEN' ? 'CARD_PAUSED' : undefined),
  // The cards of a customer who was deleted are closed one after the other; none is good meanwhile.
  closed: ({ card, customer }) =>
    card.state === 'CLOSED' || customer.deletedAt !== null ? 'CARD_CLOSED' : undefined,
  active: ({ card, now }) =>
    card.state === 'PROCESSING' || card.state === 'PENDING_KYC' || isPastExpiry(card, now)
      ? 'CARD_NOT_ACTIVE'
      : undefined,
  currency: ({ card, currency }) => (currency === card.currency ? undefined : 'CURRENCY_NOT_SUPPORTED'),
  limit: ({ card: { maxSpendMinor }, amountMinor }) =>
    maxSpendMinor !== null && amountMinor > maxSpendMinor ? 'SPEND_LIMIT_EXCEEDED' : undefined,
  source: ({ account, signing }) =>
    account?.status === 'ACTIVE' && signing ? undefined : 'FUNDING_SOURCE_UNAVAILABLE',
  screen: ({ screening }) => screening.decline,
  funds: ({ card, account, amountMinor }) =>
    account && account.availableMinor >= amountMinor * unitsPerCent(card.currency, card.fundingCurrency)
      ? undefined
      : 'INSUFFICIENT_FUNDS',
}

/** A card is good until the last day of its month, in UTC. */
export function isPastExpiry(
  { expMonth, expYear }: Pick<Card, 'expMonth' | 'expYear'>,
  now: Instant,
): boolean {
  return expMonth !== null && expYear !== null && now >= Date.UTC(expYear, expMonth, 1)
}
