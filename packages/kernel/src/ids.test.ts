import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idKindOf, idKinds, isId, isUuid, newId, uuidV7 } from './ids.ts'
import { toTimestamp } from './world.ts'

const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
const instants = fc.integer({ min: 0, max: 4_102_444_800_000 })

describe('uuidV7', () => {
  it('writes the time first, then version and variant', () => {
    expect(uuidV7(0x0123456789ab, new Uint8Array(10).fill(0xff))).toBe('01234567-89ab-7fff-bfff-ffffffffffff')
    expect(uuidV7(0, new Uint8Array(10))).toBe('00000000-0000-7000-8000-000000000000')
  })

  it('is a well-formed uuid, and a later time sorts after an earlier one', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 1e9 }), tenBytes, tenBytes, (now, laterMs, a, b) => {
        const first = uuidV7(now, a)
        expect(isUuid(first)).toBe(true)
        expect(first < uuidV7(now + laterMs, b)).toBe(true)
      }),
    )
  })

  it('keeps 74 random bits: two different draws differ', () => {
    const seen = new Set<string>()
    for (let byte = 0; byte < 10; byte++) {
      const random = new Uint8Array(10)
      random[byte] = 1
      seen.add(uuidV7(1, random))
    }
    expect(seen.size).toBe(10)
  })
})

describe('ids', () => {
  it('are made and recognised for every kind, and for no other kind', () => {
    for (const kind of idKinds) {
      const id = newId({ now: () => 1, randomBytes: (count) => new Uint8Array(count).fill(7) }, kind)
      expect(idKindOf(id)).toBe(kind)
      for (const other of idKinds) expect(isId(other, id)).toBe(other === kind)
    }
  })

  it('never end in three digits that script an outcome', () => {
    fc.assert(
      fc.property(instants, tenBytes, fc.integer({ min: 0, max: 0xfff }), (now, random, ending) => {
        random[8] = (random[8]! & 0xf0) | (ending >> 8)
        random[9] = ending & 0xff
        const id = newId({ now: () => now, randomBytes: () => random }, 'Transaction')
        expect(isId('Transaction', id)).toBe(true)
        expect(id).not.toMatch(/(00[1-7]|1\d\d)$/)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    'Quote',
    'Quote:',
    'quote:0190b4a0-0000-7000-8000-00000000000a',
    'Quote:0190B4A0-0000-7000-8000-00000000000A',
    'Quote:0190b4a0-0000-7000-8000-00000000000a ',
    'Quote:0190b4a0-0000-7000-8000-00000000000a\n',
    'Quote:0190b4a000007000800000000000000a',
    'Invoice:0190b4a0-0000-7000-8000-00000000000a',
  ])('refuses %j', (text) => {
    expect(isId('Quote', text)).toBe(false)
    expect(idKindOf(text)).toBeUndefined()
  })
})

describe('toTimestamp', () => {
  it('always writes three fraction digits and Z', () => {
    expect(toTimestamp(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(toTimestamp(1_772_000_000_120)).toBe('2026-02-25T06:13:20.120Z')
  })
})
