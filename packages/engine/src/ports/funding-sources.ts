import type { Requirement } from '../vocabulary/decision.ts'
import type { Book } from '../vocabulary/scope.ts'

/** That an account pays for a card; the feature of the cards says so (wallets 9.2). */
export interface FundingSource {
  readonly id: `CardFundingSource:${string}`
  readonly status: 'ACTIVE' | 'INACTIVE'
  /** For a decision that counts on the binding. */
  readonly stays: Requirement
}

/** What delegated keys need of the cards. */
export interface FundingSources<E> {
  /** The binding of an account to a card of the book, whatever its status; none for a card that is not there. */
  load(
    engine: E,
    book: Book,
    pair: { readonly cardId: string; readonly accountId: string },
  ): Promise<FundingSource | undefined>
}
