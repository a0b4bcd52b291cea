import type { Instant } from '@corridor/kernel'
import type { ReviewTerms } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../customers/index.ts'

export const defaultReviewTerms: ReviewTerms = {
  dueMs: 24 * 60 * 60_000,
  secondPersonAboveMinor: 10_000_00n,
}

/** What a customer says that it will move in a month, in cents of a US dollar; without an end where it names none. */
export interface ReviewAmount {
  readonly atLeastMinor: bigint
  readonly atMostMinor: bigint | undefined
}

type Profile = Customer['profile']
type Volume = NonNullable<Profile['expectedMonthlyTransactionVolume']>

const volumes: Readonly<Record<Volume, ReviewAmount>> = {
  VOLUME_UNDER_10K: { atLeastMinor: 0n, atMostMinor: 10_000_00n },
  VOLUME_10K_TO_100K: { atLeastMinor: 10_000_00n, atMostMinor: 100_000_00n },
  VOLUME_100K_TO_1M: { atLeastMinor: 100_000_00n, atMostMinor: 1_000_000_00n },
  VOLUME_1M_TO_10M: { atLeastMinor: 1_000_000_00n, atMostMinor: 10_000_000_00n },
  VOLUME_OVER_10M: { atLeastMinor: 10_000_000_00n, atMostMinor: undefined },
}

/** Undefined where the customer has not said: businesses have to, individuals may. */
export function amountOf({ profile }: { readonly profile: Profile }): ReviewAmount | undefined {
  const volume =
    profile.businessInfo?.expectedMonthlyTransactionVolume ?? profile.expectedMonthlyTransactionVolume
  return volume === undefined ? undefined : volumes[volume]
}

/** By the most that it may come to: up to the limit one person decides, and so where nothing was said. */
export function takesTwo(
  amount: ReviewAmount | undefined,
  { secondPersonAboveMinor: limit }: ReviewTerms,
): boolean {
  if (amount === undefined || limit === undefined) return false
  return amount.atMostMinor === undefined || amount.atMostMinor > limit
}

/** When it is to be decided, and how many whole seconds are left until then: below zero it is overdue. */
export function dueOf(
  submittedAt: Instant,
  now: Instant,
  { dueMs }: ReviewTerms,
): { readonly dueAt: Instant; readonly secondsLeft: number } {
  const dueAt = submittedAt + dueMs
  return { dueAt, secondsLeft: Math.floor((dueAt - now) / 1_000) }
}
