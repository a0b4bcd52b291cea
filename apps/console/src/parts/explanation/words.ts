import { t } from '../../language/t.ts'
import type { Explanation } from './use-explanation.ts'

type Status = Explanation['status']

export const waitingFor: Readonly<Record<Status['waitingFor'], string>> = {
  NOBODY: 'Nobody is waited for.',
  CUSTOMER: 'It waits for the customer.',
  PLATFORM: 'It waits for you.',
  RAIL: 'It waits for the rail.',
  OPERATOR: 'It waits for the operator of this installation.',
  CLOCK: 'The next step begins by itself.',
}

/** Why an operator has paused payouts, as far as everybody may know. */
export const pauseReasons: Readonly<Record<NonNullable<Status['paused']>['reasonCode'], string>> = {
  RAIL_UNAVAILABLE: t('the rail is not available'),
  INVESTIGATION: t('something is looked into'),
  MAINTENANCE: t('maintenance'),
  OTHER: t('for a reason of the operator'),
}

export const safeToRetry: Readonly<Record<Status['safeToRetry']['answer'], string>> = {
  YES_SAME_KEY: 'yes, with the same key',
  YES_NEW_QUOTE: 'yes, with a new quote',
  NO: 'no',
}

/** The names that formulas use, as a person would say them. */
export const stepNames: Readonly<Record<string, string>> = {
  sending: 'Sent, fees included',
  receivingLocked: 'To be received, locked',
  serviceFixed: 'Service fee, fixed',
  serviceVariable: 'Service fee, share',
  networkFee: 'Network fee',
  platformFixed: 'Platform fee, fixed',
  platformVariable: 'Platform fee, share',
  counterpartyFee: 'Fee of the receiving institution',
  netConverted: 'Converted',
  grossReceiving: 'After conversion',
  fxSurplus: 'Beyond the locked amount',
  receiving: 'Received',
  feesIncluded: 'All fees',
  available: 'Available',
  underReview: 'Under review',
}

export const roundings: Readonly<Record<Explanation['derivation'][number]['rounding'], string>> = {
  NONE: '',
  FLOOR: 'rounded down',
  CEIL: 'rounded up',
  HALF_UP: 'rounded half up',
}

export const postingKinds: Readonly<
  Record<Explanation['journals'][number]['postings'][number]['kind'], string>
> = { POSTED: 'posted', PENDING: 'held', POST_PENDING: 'held is posted', VOID_PENDING: 'held is released' }

/** By whose doing something happened, where that is not the payment's own course. */
export const timelineKinds: Readonly<Partial<Record<Explanation['timeline'][number]['kind'], string>>> = {
  RAIL: 'Rail',
  CLOCK: 'Clock',
  OPERATOR: 'Operator',
}
