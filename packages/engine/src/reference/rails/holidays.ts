import { allForYear } from '@18f/us-federal-holidays'
import type { Instant } from '@corridor/kernel'
import { gregorianEaster } from 'date-easter'

/** Calendars of settlement systems that are known here. A rail without one only knows weekends. */
export type BankCalendar = 'FEDERAL_RESERVE' | 'TARGET'

const dayMs = 24 * 60 * 60 * 1000

/** Whether the system rests on the day, apart from Saturdays and Sundays. Days are of UTC. */
export function isBankHoliday(calendar: BankCalendar, at: Instant): boolean {
  const day = new Date(at)
  return daysOff(calendar, day.getUTCFullYear()).has(day.toISOString().slice(0, 10))
}

const holidaysOf: Readonly<Record<BankCalendar, (year: number) => string[]>> = {
  // The Reserve Banks move holidays from Sunday to Monday, but not from Saturday to Friday as the government does.
  FEDERAL_RESERVE: (year) =>
    allForYear(year, { shiftSaturdayHolidays: false }).map(({ dateString }) => withZeros(dateString)),
  // Decision ECB/2012/27 on TARGET, and its successor: six days, which are not moved.
  TARGET: (year) => {
    const { month, day } = gregorianEaster(year)
    const easter = Date.UTC(year, month - 1, day)
    const near = [easter - 2 * dayMs, easter + dayMs].map((at) => new Date(at).toISOString().slice(0, 10))
    return [`${year}-01-01`, ...near, `${year}-05-01`, `${year}-12-25`, `${year}-12-26`]
  },
}

function withZeros(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

/** A sandbox clock can visit many years: few are remembered. */
const mostYears = 20
const known = new Map<string, ReadonlySet<string>>()

function daysOff(calendar: BankCalendar, year: number): ReadonlySet<string> {
  const key = `${calendar} ${year}`
  let days = known.get(key)
  if (!days) {
    days = new Set(holidaysOf[calendar](year))
    if (known.size >= mostYears) known.clear()
    known.set(key, days)
  }
  return days
}
