import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type RailId, railOf, rails, settlementEstimate } from './index.ts'

const at = (text: string) => Date.parse(text)

describe('settlementEstimate', () => {
  // 2026-11-20 is a Friday.
  test.each<[RailId, string, string | null, number]>([
    ['RTP', '2026-11-21T10:00:00Z', null, 60],
    ['SOLANA', '2026-11-21T10:00:00Z', null, 60],
    ['UMA', '2026-11-20T10:00:00Z', null, 60],
    ['NEFT', '2026-11-21T10:00:00Z', '2026-11-21T12:00:00.000Z', 7200],
    ['SEPA', '2026-11-19T10:00:00Z', '2026-11-20T10:00:00.000Z', 86_400],
    ['SEPA', '2026-11-20T10:00:00Z', '2026-11-23T10:00:00.000Z', 259_200],
    ['SEPA', '2026-11-21T10:00:00Z', '2026-11-24T00:00:00.000Z', 223_200],
    ['ACH', '2026-11-20T10:00:00Z', '2026-11-24T10:00:00.000Z', 345_600],
    ['ACH', '2026-11-16T10:00:00Z', '2026-11-18T10:00:00.000Z', 172_800],
    ['SWIFT', '2026-11-18T00:00:00Z', '2026-11-23T00:00:00.000Z', 432_000],
    ['WIRE', '2026-11-19T20:00:00Z', '2026-11-19T21:00:00.000Z', 3600],
    ['WIRE', '2026-11-19T20:59:59.500Z', '2026-11-19T21:00:59.500Z', 60],
    ['WIRE', '2026-11-19T21:00:00Z', '2026-11-20T21:00:00.000Z', 86_400],
    ['WIRE', '2026-11-20T21:00:00Z', '2026-11-23T21:00:00.000Z', 259_200],
    ['WIRE', '2026-11-22T12:00:00Z', '2026-11-23T21:00:00.000Z', 118_800],
    // 2026-12-25 is a Friday, 2027-07-04 a Sunday, 2026-07-04 and 2027-12-25 are Saturdays.
    ['ACH', '2026-12-23T10:00:00Z', '2026-12-28T10:00:00.000Z', 432_000],
    ['ACH', '2026-12-25T10:00:00Z', '2026-12-30T00:00:00.000Z', 396_000],
    ['ACH', '2026-07-02T10:00:00Z', '2026-07-06T10:00:00.000Z', 345_600],
    ['ACH', '2027-07-02T10:00:00Z', '2027-07-07T10:00:00.000Z', 432_000],
    ['WIRE', '2026-11-26T12:00:00Z', '2026-11-27T21:00:00.000Z', 118_800],
    ['WIRE', '2027-12-24T12:00:00Z', '2027-12-24T21:00:00.000Z', 32_400],
    ['SWIFT', '2026-12-23T10:00:00Z', '2026-12-29T10:00:00.000Z', 518_400],
    ['SEPA', '2026-04-02T10:00:00Z', '2026-04-07T10:00:00.000Z', 432_000],
    ['SEPA', '2026-12-24T10:00:00Z', '2026-12-28T10:00:00.000Z', 345_600],
    ['SEPA', '2026-05-01T10:00:00Z', '2026-05-05T00:00:00.000Z', 309_600],
    ['SEPA', '2026-07-03T10:00:00Z', '2026-07-06T10:00:00.000Z', 259_200],
    ['PESONET', '2026-12-24T10:00:00Z', '2026-12-25T10:00:00.000Z', 86_400],
  ])('%s at %s: %s in %d s', (id, from, expected, timelineSeconds) => {
    const estimate = settlementEstimate(railOf(id), at(from))
    expect(estimate.timelineSeconds).toBe(timelineSeconds)
    expect(estimate.expectedAt === null ? null : new Date(estimate.expectedAt).toISOString()).toBe(expected)
  })

  it('lies ahead, within a week, and never on a weekend unless the rail works then', () => {
    const railIds = fc.constantFrom(...rails.map((rail) => rail.id))
    fc.assert(
      fc.property(railIds, fc.integer({ min: 0, max: 4_102_444_800_000 }), (id, now) => {
        const rail = railOf(id)
        const { expectedAt, timelineSeconds } = settlementEstimate(rail, now)
        expect(timelineSeconds >= 60 && timelineSeconds <= 7 * 86_400).toBe(true)
        if (expectedAt === null) return
        expect(expectedAt).toBeGreaterThan(now)
        const weekday = new Date(expectedAt).getUTCDay()
        if (rail.settlement.kind !== 'HOURS') expect(weekday >= 1 && weekday <= 5).toBe(true)
      }),
    )
  })
})
