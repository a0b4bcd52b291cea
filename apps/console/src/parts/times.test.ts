import { expect, it } from 'vitest'
import { hourOf, longOf, relativeOf, shortOf, timeOf } from './times.ts'

const nowMs = Date.parse('2026-11-23T09:30:00.000Z')
const asked = (text: string, side: 'FROM' | 'UNTIL' = 'FROM') => timeOf(text, { nowMs, mode: 'utc', side })

it.each([
  ['now', '2026-11-23T09:30:00.000Z'],
  ['-2h', '2026-11-23T07:30:00.000Z'],
  ['-90s', '2026-11-23T09:28:30.000Z'],
  ['\u221230m', '2026-11-23T09:00:00.000Z'],
  [' -1 D ', '2026-11-22T09:30:00.000Z'],
  ['-1w', '2026-11-16T09:30:00.000Z'],
  ['today', '2026-11-23T00:00:00.000Z'],
  ['Yesterday', '2026-11-22T00:00:00.000Z'],
  ['2026-02-01', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01 08:15', '2026-02-01T08:15:00.000Z'],
  ['2026-02-01T08:15:30.5+02:00', '2026-02-01T06:15:30.500Z'],
  ['2026-02-01t08:15z', '2026-02-01T08:15:00.000Z'],
])('reads %s from a time filter', (text, at) => {
  expect(asked(text)).toBe(at)
})

it.each([
  ['yesterday', '2026-11-22T23:59:59.999Z'],
  ['2026-11-23', '2026-11-23T23:59:59.999Z'],
  ['-2h', '2026-11-23T07:30:00.000Z'],
])('takes a day whole where it is the end: %s', (text, at) => {
  expect(asked(text, 'UNTIL')).toBe(at)
})

it.each([
  '',
  'soon',
  '2h',
  '-2',
  '-9999999h',
  '2026-02-31',
  '2026-13-01T00:00',
  '2026-02-01T25:00',
  '1'.repeat(60),
])('does not guess at %s', (text) => {
  expect(asked(text)).toBeUndefined()
})

it('writes moments with their zone, or from now on', () => {
  const at = new Date('2026-11-23T09:30:05.000Z')
  expect(shortOf(at, 'utc', nowMs)).toBe('23 Nov, 09:30:05Z')
  expect(longOf(at, 'utc')).toBe('23 Nov 2026, 09:30:05 UTC')
  expect(longOf(at, 'local')).toMatch(/^\d+ Nov 2026, \d\d:\d\d:05 [+-]\d\d:\d\d$/)
  expect(relativeOf(-125_000)).toBe('2 min. ago')
  expect(relativeOf(86_400_000 * 3)).toBe('in 3 days')
  expect(relativeOf(-400)).toBe('0 sec. ago')
})

it.each([
  ['2027-02-23T09:30:05.000Z', '23 Feb 2027, 09:30Z', '23 Feb 2027, 09:00Z'],
  ['2025-12-31T23:59:59.999Z', '31 Dec 2025, 23:59Z', '31 Dec 2025, 23:00Z'],
  ['2026-01-01T00:00:00.000Z', '01 Jan, 00:00:00Z', '01 Jan, 00:00Z'],
])('names the year where it is not that of now: %s', (at, short, hour) => {
  expect(shortOf(new Date(at), 'utc', nowMs)).toBe(short)
  expect(hourOf(new Date(at), 'utc', nowMs)).toBe(hour)
  // By the clock that the page shows, wherever that is.
  expect(shortOf(new Date(at), 'utc', Date.parse(at))).not.toContain(at.slice(0, 4))
})
