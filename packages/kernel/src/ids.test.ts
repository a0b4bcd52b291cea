import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type IdKind, isId, isUuid, newId, uuidSource, uuidV7 } from './ids.ts'

const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
const instant = fc.integer({ min: 0, max: 2 ** 48 - 2 })

describe('uuidV7', () => {
  it('places time, version, sequence and variant where RFC 9562 puts them', () => {
    const ones = new Uint8Array(10).fill(0xff)
    expect(uuidV7(0x0123456789ab, 0xfff, ones)).toBe('01234567-89ab-7fff-bfff-ffffffffffff')
    expect(uuidV7(0, 0, new Uint8Array(10))).toBe('00000000-0000-7000-8000-000000000000')
  })
})

describe('uuidSource', () => {
  it('makes ids that sort in the order they were made, whatever the randomness', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), random), { maxLength: 200 }), (steps) => {
        let now = 1_000
        let bytes = new Uint8Array(10)
        const next = uuidSource({ now: () => now, randomBytes: () => bytes })
        const made = steps.map(([laterMs, drawn]) => {
          now += laterMs
          bytes = Uint8Array.from(drawn)
          return next()
        })
        expect([...made].sort()).toEqual(made)
        expect(made.every(isUuid)).toBe(true)
      }),
    )
  })

  it('borrows from the next millisecond when one is used up', () => {
    const next = uuidSource({ now: () => 5, randomBytes: () => new Uint8Array(10) })
    const made = Array.from({ length: 5_000 }, next)
    expect(new Set(made).size).toBe(5_000)
    expect([...made].sort()).toEqual(made)
  })

  it('keeps order when the clock steps back', () => {
    let now = 10
    const next = uuidSource({ now: () => now, randomBytes: () => new Uint8Array(10) })
    const first = next()
    now = 4
    expect(next() > first).toBe(true)
  })
})

describe('newId', () => {
  it('makes a well-formed id of its kind and of no other', () => {
    const kinds: IdKind[] = ['Quote', 'Transaction', 'VerificationLink']
    for (const kind of kinds) {
      const id = newId(() => '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', kind)
      expect(kinds.filter((each) => isId(each, id))).toEqual([kind])
    }
  })

  it('never ends in digits that mean a scripted outcome', () => {
    fc.assert(
      fc.property(instant, random, (now, bytes) => {
        const next = uuidSource({ now: () => now, randomBytes: () => bytes })
        expect(newId(next, 'Transaction')).not.toMatch(/(00[1-7]|1\d\d)$/)
      }),
    )
    for (const suffix of ['001', '007', '102', '199']) {
      expect(newId(() => `0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6${suffix}`, 'Quote')).toMatch(/a$/)
    }
    expect(newId(() => '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6008', 'Quote')).toMatch(/008$/)
  })
})

describe('isId', () => {
  it.each([
    ['Quote:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', true],
    ['Quote:0198F2C4-7d1e-7a90-b6a1-2f3c4d5e6f70', false],
    ['Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', false],
    ['Quote:0198f2c4', false],
    ['0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', false],
    ['', false],
  ])('says of %s as a quote id: %s', (text, expected) => {
    expect(isId('Quote', text)).toBe(expected)
  })
})
