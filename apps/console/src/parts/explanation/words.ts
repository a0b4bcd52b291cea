import { t } from '../../language/t.ts'
import type { Explanation } from './use-explanation.ts'

type Status = Explanation['status']

export const waitingFor: Readonly<Record<Status['waitingFor'], string>> = {
  NOBODY: t('No action is needed.'),
  CUSTOMER: t('Waiting for the customer.'),
  PLATFORM: t('Waiting for you.'),
  RAIL: t('Waiting for the rail.'),
  OPERATOR: t('Waiting for the operator of this installation.'),
  CLOCK: t('The next step starts automatically.'),
}

/** Why an operator has paused payouts, as far as everybody may know. */
export const pauseReasons: Readonly<Record<NonNullable<Status['paused']>['reasonCode'], string>> = {
  RAIL_UNAVAILABLE: t('the rail is not available'),
  INVESTIGATION: t('something is examined'),
  MAINTENANCE: t('maintenance'),
  OTHER: t('for a reason known to the operator'),
}

export const safeToRetry: Readonly<Record<Status['safeToRetry']['answer'], string>> = {
  YES: t('yes'),
  YES_SAME_KEY: t('yes, with the same key'),
  YES_NEW_QUOTE: t('yes, with a new quote'),
  NO: t('no'),
}

/** The names that formulas use, as a person would say them. */
export const stepNames: Readonly<Record<string, string>> = {
  sending: t('Sent, fees included'),
  receivingLocked: t('To receive, locked'),
  serviceFixed: t('Service fee, fixed'),
  serviceVariable: t('Service fee, share'),
  networkFee: t('Network fee'),
  platformFixed: t('Platform fee, fixed'),
  platformVariable: t('Platform fee, share'),
  counterpartyFee: t('Fee of the receiving institution'),
  netConverted: t('Converted'),
  grossReceiving: t('After conversion'),
  fxSurplus: t('Beyond the locked amount'),
  receiving: t('Received'),
  feesIncluded: t('All fees'),
  available: t('Available'),
  underReview: t('Under review'),
}

/** To which amount a step was rounded, and how. */
export const rounded: Readonly<
  Record<Explanation['derivation'][number]['rounding'], (amount: string) => string>
> = {
  NONE: (amount) => t('to {amount}', { amount }),
  FLOOR: (amount) => t('rounded down to {amount}', { amount }),
  CEIL: (amount) => t('rounded up to {amount}', { amount }),
  HALF_UP: (amount) => t('rounded half up to {amount}', { amount }),
}

export const postingKinds: Readonly<
  Record<Explanation['journals'][number]['postings'][number]['kind'], string>
> = {
  POSTED: t('posted'),
  PENDING: t('held'),
  POST_PENDING: t('held is posted'),
  VOID_PENDING: t('held is released'),
}

/** By whose doing something happened, where that is not the payment's own course. */
export const timelineKinds: Readonly<Partial<Record<Explanation['timeline'][number]['kind'], string>>> = {
  RAIL: t('Rail:'),
  CLOCK: t('Clock:'),
  OPERATOR: t('Operator:'),
}
