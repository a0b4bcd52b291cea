import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BankCalendar, isBankHoliday } from './holidays.ts'
import { railOf, settlementEstimate } from './index.ts'

const dayMs = 86_400_000

function holidaysIn(calendar: BankCalendar, year: number): string[] {
  const days = Array.from({ length: 366 }, (_, index) => Date.UTC(year, 0, 1) + index * dayMs)
  return days
    .filter((at) => new Date(at).getUTCFullYear() === year && isBankHoliday(calendar, at))
    .map((at) => new Date(at).toISOString().slice(5, 10))
}

describe('bank holidays', () => {
  // As the Federal Reserve publishes them.
  it.each([
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25'],
    [2028, '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25'],
  ])('of the Federal Reserve in %i', (year, days) => {
    expect(holidaysIn('FEDERAL_RESERVE', year)).toEqual(days.split(' '))
  })

  // As the European Central Bank publishes them.
  it.each([
    [2025, '01-01 04-18 04-21 05-01 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-01 12-25 12-26'],
    [2027, '01-01 03-26 03-29 05-01 12-25 12-26'],
    [2028, '01-01 04-14 04-17 05-01 12-25 12-26'],
  ])('of TARGET in %i', (year, days) => {
    expect(holidaysIn('TARGET', year)).toEqual(days.split(' '))
  })

  it('are never the day on which a payment is expected', () => {
    const calendars = {
      ACH: 'FEDERAL_RESERVE',
      WIRE: 'FEDERAL_RESERVE',
      SWIFT: 'FEDERAL_RESERVE',
      SEPA: 'TARGET',
    }
    const ids = fc.constantFrom(...(Object.keys(calendars) as (keyof typeof calendars)[]))
    fc.assert(
      fc.property(ids, fc.integer({ min: 0, max: 4_102_444_800_000 }), (id, now) => {
        const { expectedAt } = settlementEstimate(railOf(id), now)
        expect(isBankHoliday(calendars[id] as BankCalendar, expectedAt!)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
