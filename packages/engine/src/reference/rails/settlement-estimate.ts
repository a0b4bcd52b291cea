import { assertNever, type Instant } from '@corridor/kernel'
import { type BankCalendar, isBankHoliday } from './holidays.ts'
import type { Rail } from './rail.ts'

const secondMs = 1000
const hourMs = 60 * 60 * secondMs
const dayMs = 24 * hourMs
const instantSeconds = 60

export interface SettlementEstimate {
  /** `settlementTimelineSeconds`: from `at` until the money is expected. */
  readonly timelineSeconds: number
  /** `expectedSettlementAt`; null on instant rails. */
  readonly expectedAt: Instant | null
}

/**
 * When a payment handed to the rail at `at` should arrive (accounts 1.1). Business days are Monday to
 * Friday in UTC without the holidays of the rail, if its calendar is known. A payment made on a day that is none
 * starts at 00:00 of the next one.
 */
export function settlementEstimate(rail: Rail, at: Instant): SettlementEstimate {
  const { settlement, holidays } = rail
  switch (settlement.kind) {
    case 'INSTANT':
      return { timelineSeconds: instantSeconds, expectedAt: null }
    case 'HOURS':
      return until(at, at + settlement.hours * hourMs)
    case 'BUSINESS_DAYS':
      return until(at, addBusinessDays(businessStart(at, holidays), settlement.days, holidays))
    case 'SAME_BUSINESS_DAY':
      return until(at, sameBusinessDay(at, settlement.cutOffUtcHour, holidays))
    default:
      return assertNever(settlement)
  }
}

function until(at: Instant, expectedAt: Instant): SettlementEstimate {
  return { timelineSeconds: Math.ceil((expectedAt - at) / secondMs), expectedAt }
}

type Calendar = BankCalendar | undefined

/** The cut-off of the day a payment is booked on; a payment just before it still needs its minute. */
function sameBusinessDay(at: Instant, cutOffUtcHour: number, calendar: Calendar): Instant {
  const start = businessStart(at, calendar)
  const cutOff = startOfDay(start) + cutOffUtcHour * hourMs
  if (start < cutOff) return Math.max(cutOff, start + instantSeconds * secondMs)
  return addBusinessDays(cutOff, 1, calendar)
}

function businessStart(at: Instant, calendar: Calendar): Instant {
  if (isBusinessDay(at, calendar)) return at
  let day = startOfDay(at)
  while (!isBusinessDay(day, calendar)) day += dayMs
  return day
}

function addBusinessDays(from: Instant, days: number, calendar: Calendar): Instant {
  let day = from
  for (let left = days; left > 0; ) {
    day += dayMs
    if (isBusinessDay(day, calendar)) left--
  }
  return day
}

function startOfDay(at: Instant): Instant {
  return Math.floor(at / dayMs) * dayMs
}

/** 1970-01-01 was a Thursday. */
function isBusinessDay(at: Instant, calendar: Calendar): boolean {
  const weekday = (Math.floor(at / dayMs) + 4) % 7
  if (weekday === 0 || weekday === 6) return false
  return calendar === undefined || !isBankHoliday(calendar, at)
}
