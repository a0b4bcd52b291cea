import type { Id, Instant } from '@corridor/kernel'
import type { CardState, CardStateReason } from './card-schemas.ts'

/** What a card is called when the platform gives it no name of its own. */
export const unnamed = (id: Id<'Card'>) => `card-${id.slice('Card:'.length)}`

/** A card as it is on record. Its number is at the processor and nowhere here. */
export interface Card {
  readonly id: Id<'Card'>
  readonly version: bigint
  readonly cardholderId: Id<'Customer'>
  readonly platformCardId: string
  readonly state: CardState
  readonly stateReason: CardStateReason | null
  readonly form: 'VIRTUAL'
  readonly currency: string
  readonly fundingCurrency: string
  /** Cents; null: no limit. */
  readonly maxSpendMinor: bigint | null
  /** In order; only the first is charged (cards 1.5). */
  readonly fundingAccounts: readonly Id<'InternalAccount'>[]
  readonly brand: 'VISA' | 'MASTERCARD' | null
  readonly last4: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly processorRef: string | null
  readonly issuerRef: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
