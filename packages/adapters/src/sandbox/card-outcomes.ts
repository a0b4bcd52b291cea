import type { PullCourse } from '@corridor/engine/ports/card-processor.ts'

/** Magic endings of the scripted card issuer and network (cards 1.7). */

/** The last three characters of `platformCardId`, or of the cardholder's id where the card has no name. */
export const cardOrders: Readonly<
  Record<
    string,
    {
      readonly meaning: string
      readonly isStuck?: true
      readonly isRejected?: true
      readonly readyAfterMs?: number
    }
  >
> = {
  '001': { meaning: 'the card stays PROCESSING', isStuck: true },
  '002': { meaning: 'the card becomes CLOSED with the reason ISSUER_REJECTED', isRejected: true },
  '005': { meaning: 'the card becomes ACTIVE after about 30 seconds', readyAfterMs: 30_000 },
}

/** The last three characters of an internal account, which are those of its customer's `platformCustomerId`. */
export const cardSources: Readonly<
  Record<string, { readonly meaning: string; readonly reason: 'INSUFFICIENT_BALANCE' | 'ACCOUNT_CLOSED' }>
> = {
  '002': { meaning: 'the account is ineligible with INSUFFICIENT_BALANCE', reason: 'INSUFFICIENT_BALANCE' },
  '003': { meaning: 'the account is ineligible with ACCOUNT_CLOSED', reason: 'ACCOUNT_CLOSED' },
}

export interface ScriptedPurchase {
  readonly meaning: string
  readonly decline?: 'INSUFFICIENT_FUNDS' | 'CARD_PAUSED'
  readonly isFailing?: true
  readonly delayMs?: number
  readonly idEnding?: string
}

/** The last three characters of `merchant.descriptor`, blanks at its end aside. */
export const cardPurchases: Readonly<Record<string, ScriptedPurchase>> = {
  '002': { meaning: 'the purchase is declined with INSUFFICIENT_FUNDS', decline: 'INSUFFICIENT_FUNDS' },
  '003': { meaning: 'the purchase is declined with CARD_PAUSED', decline: 'CARD_PAUSED' },
  '005': {
    meaning: 'the purchase is approved, and the charge is confirmed after about 30 seconds',
    delayMs: 30_000,
  },
  '006': {
    meaning: 'the purchase is approved, but the confirmation of the charge fails (EXCEPTION)',
    isFailing: true,
  },
  '102': {
    meaning: 'the purchase is approved, but a charge above the authorized amount fails',
    idEnding: '002',
  },
  '105': {
    meaning: 'the purchase is approved, but a charge above the authorized amount is confirmed slowly',
    idEnding: '005',
  },
  '106': {
    meaning: 'the purchase is approved, but the confirmation of a charge above the authorized amount fails',
    idEnding: '006',
  },
}

/** The last three characters of a card transaction's id: charges after the first. */
export const laterCharges: Readonly<
  Record<string, { readonly course: PullCourse; readonly isFailing?: true; readonly delayMs?: number }>
> = {
  '002': { course: 'REFUSED' },
  '005': { course: 'CONFIRMED_LATER', delayMs: 30_000 },
  '006': { course: 'CONFIRMED_LATER', isFailing: true },
}
