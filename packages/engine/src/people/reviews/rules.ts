import type { Instant } from '@corridor/kernel'
import type { ReviewTerms } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../customers/index.ts'
import { type DeclaredVolume, declaredVolumeOf } from '../verifications/index.ts'

export const defaultReviewTerms: ReviewTerms = {
  dueMs: 24 * 60 * 60_000,
  secondPersonAboveMinor: 10_000_00n,
}

/** What a customer says that it will move in a month, in cents of a US dollar; without an end where it names none. */
export interface ReviewAmount {
  readonly atLeastMinor: bigint
  readonly atMostMinor: bigint | undefined
}

const volumes: Readonly<Record<DeclaredVolume, ReviewAmount>> = {
  VOLUME_UNDER_10K: { atLeastMinor: 0n, atMostMinor: 10_000_00n },
  VOLUME_10K_TO_100K: { atLeastMinor: 10_000_00n, atMostMinor: 100_000_00n },
  VOLUME_100K_TO_1M: { atLeastMinor: 100_000_00n, atMostMinor: 1_000_000_00n },
  VOLUME_1M_TO_10M: { atLeastMinor: 1_000_000_00n, atMostMinor: 10_000_000_00n },
  VOLUME_OVER_10M: { atLeastMinor: 10_000_000_00n, atMostMinor: undefined },
}

/**
 * Undefined where the customer has not said. The more of what it said when it was submitted and what it says now: otherwise a
 * platform could say less for as long as the review lasts.
 */
export function amountOf(
  customer: Pick<Customer, 'profile'>,
  submitted: DeclaredVolume | null,
): ReviewAmount | undefined {
  const said = [submitted, declaredVolumeOf(customer)].flatMap((volume) => (volume ? [volumes[volume]] : []))
  const [first, second] = said
  return first && second && second.atLeastMinor > first.atLeastMinor ? second : first
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
