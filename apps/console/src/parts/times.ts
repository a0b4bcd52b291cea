import { locale } from '../language/locale.ts'

/** Moments as people write and read them. */

export const timeModes = ['local', 'utc', 'relative'] as const
/** In the zone of the reader with its offset, in UTC, or from now on. */
export type TimeMode = (typeof timeModes)[number]

const short = {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
/** As long as the one before: what is not of this year is told to the minute. */
const shortOfYear = {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const
const toHour = { day: '2-digit', month: 'short', hour: '2-digit' } as const
const toMinute = { ...toHour, minute: '2-digit' } as const
const toHourOfYear = { ...toHour, year: 'numeric' } as const
const long = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'longOffset',
} as const
const exact = { ...long, fractionalSecondDigits: 3 } as const
const day = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const dayToSecond = { ...day, second: '2-digit' } as const

/** Making one takes long, using it does not. */
function both(options: Intl.DateTimeFormatOptions) {
  const local = new Intl.DateTimeFormat('en-GB', options)
  const utc = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (at: Date, mode: TimeMode) => (mode === 'utc' ? utc : local).format(at)
}

const shortFormat = both(short)
const shortOfYearFormat = both(shortOfYear)
const hourFormat = both(toHour)
const minuteFormat = both(toMinute)
const hourOfYearFormat = both(toHourOfYear)
const longFormat = both(long)
const exactFormat = both(exact)
const dayFormat = both(day)
const dayToSecondFormat = both(dayToSecond)

const yearOf = (at: Date, mode: TimeMode) => (mode === 'utc' ? at.getUTCFullYear() : at.getFullYear())

const isThisYear = (at: Date, mode: TimeMode, nowMs: number) =>
  yearOf(at, mode) === yearOf(new Date(nowMs), mode)

/**
 * `23 Nov, 09:00:04`, for a column, and `23 Feb 2027, 09:00` where it is not of the year of now, by the clock of the page; in UTC
 * with a `Z` behind it.
 */
export function shortOf(at: Date, mode: TimeMode, nowMs: number): string {
  const format = isThisYear(at, mode, nowMs) ? shortFormat : shortOfYearFormat
  return `${format(at, mode)}${mode === 'utc' ? 'Z' : ''}`
}

/** `23 Nov, 09:00`, of what is known to the hour; with the year where it is not that of now. */
export function hourOf(at: Date, mode: TimeMode, nowMs: number): string {
  const format = isThisYear(at, mode, nowMs) ? hourFormat : hourOfYearFormat
  return `${format(at, mode)}:00${mode === 'utc' ? 'Z' : ''}`
}

/** `23 Nov, 09:00`, of what is known to the minute; with the year where it is not that of now. */
export function minuteOf(at: Date, mode: TimeMode, nowMs: number): string {
  const format = isThisYear(at, mode, nowMs) ? minuteFormat : shortOfYearFormat
  return `${format(at, mode)}${mode === 'utc' ? 'Z' : ''}`
}

/** `23 Nov 2026, 09:00:04 +01:00`, or to the millisecond. */
export function longOf(at: Date, mode: TimeMode, isExact = false): string {
  const text = (isExact ? exactFormat : longFormat)(at, mode)
  return mode === 'utc'
    ? `${text.slice(0, text.indexOf('GMT'))}UTC`
    : text.replace(/GMT$/, '+00:00').replace('GMT', '')
}

/** To the minute, for a clock; to the second for one that stands still, which is right as long as it does. */
export function dayOf(at: Date, mode: TimeMode, toSecond = false): string {
  return `${(toSecond ? dayToSecondFormat : dayFormat)(at, mode)}${mode === 'utc' ? ' UTC' : ''}`
}

const relative = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'always' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `3 min. ago`, `in 2 days`; the milliseconds are from now on. */
export function relativeOf(ms: number): string {
  const [unit, size] = units.find((each) => Math.abs(ms) >= each[1]) ?? (['second', 1_000] as const)
  return relative.format(Math.trunc(ms / size), unit)
}

const spans: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }

/**
 * What somebody writes into a time filter, as the API takes it: `-2h` (s, m, h, d, w), `now`, `today`, `yesterday`, `2026-11-23`,
 * and ISO 8601 with or without seconds and zone. A day is its beginning as `FROM`, its end as `UNTIL`. Without a zone it is that of
 * the reader, or UTC in that mode. Undefined: none of these.
 */
export function timeOf(
  written: string,
  { nowMs, mode, side }: { readonly nowMs: number; readonly mode: TimeMode; readonly side: 'FROM' | 'UNTIL' },
): string | undefined {
  const text = written.trim().toLowerCase()
  if (text.length > 40) return undefined
  if (text === 'now') return isoOf(nowMs)
  const span = /^[-\u2212](\d{1,6}) ?([smhdw])$/.exec(text)
  if (span) return isoOf(nowMs - Number(span[1]) * spans[span[2]!]!)
  if (text in days) return isoOf(edgeOf(dayAt(nowMs, days[text]!, mode), side, mode))
  const date = /^(\d{4}-\d\d-\d\d)$/.exec(text)
  if (date) {
    const begin = Date.parse(`${date[1]}T00:00:00${mode === 'utc' ? 'Z' : ''}`)
    return isReal(date[1]!) ? isoOf(edgeOf(begin, side, mode)) : undefined
  }
  const exact = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(z|[+-]\d\d:\d\d)?$/.exec(text)
  if (!exact || !isReal(exact[1]!)) return undefined
  return isoOf(Date.parse(`${exact[1]}T${exact[2]}${exact[3]?.toUpperCase() ?? (mode === 'utc' ? 'Z' : '')}`))
}

function isoOf(ms: number): string | undefined {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function isReal(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`)
  return Number.isFinite(at.getTime()) && at.toISOString().startsWith(date)
}

function dayAt(nowMs: number, by: number, mode: TimeMode): number {
  const at = new Date(nowMs)
  return mode === 'utc'
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + by)
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + by).getTime()
}

/** Its last millisecond, as lists count the end in. Days of 23 and 25 hours end by the calendar. */
function edgeOf(begin: number, side: 'FROM' | 'UNTIL', mode: TimeMode): number {
  if (side === 'FROM') return begin
  if (mode === 'utc') return begin + 86_400_000 - 1
  const next = new Date(begin)
  next.setDate(next.getDate() + 1)
  return next.getTime() - 1
}
