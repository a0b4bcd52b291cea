import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerAscii, typedCode, upperAscii } from './ascii.ts'

describe('letter case of identifiers', () => {
  it.each(['ﬁ', 'ß', 'ı', 'ſ', 'ŉ', '\u212a', 'İ', 'Å', 'é'])('keeps %s', (text) => {
    expect([upperAscii(text), lowerAscii(text)]).toEqual([text, text])
  })

  it('makes an ASCII text only of an ASCII text, and of that what Unicode makes', () => {
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string())
    fc.assert(
      fc.property(texts, (text) => {
        const isAscii = /^[\0-\x7f]*$/.test(text)
        for (const [mapped, expected] of [
          [upperAscii(text), text.toUpperCase()],
          [lowerAscii(text), text.toLowerCase()],
        ] as const) {
          expect(/^[\0-\x7f]*$/.test(mapped)).toBe(isAscii)
          expect(mapped).toHaveLength(text.length)
          if (isAscii) expect(mapped).toBe(expected)
        }
      }),
    )
  })
})

describe('typed codes', () => {
  it.each([
    ['123 456', '123456'],
    ['123\u2013456', '123456'],
    ['ABCD-EFGH-IJKL', 'ABCD-EFGH-IJKL'],
    ['1234-5678-9012', '1234-5678-9012'],
    ['12-3', '12-3'],
    ['', ''],
  ])('%j are %j', (typed, code) => expect(typedCode(typed)).toBe(code))

  it('are the digits that were typed, whatever stands between them', () => {
    const between = fc.constantFrom('', ' ', '-', '\u00a0', '\u200b', '\ufeff')
    const digits = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), between), { minLength: 4, maxLength: 8 })
    fc.assert(
      fc.property(digits, (parts) => {
        expect(typedCode(parts.flat().join(''))).toBe(parts.map(([digit]) => digit).join(''))
      }),
    )
  })
})
