import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerAscii, upperAscii } from './ascii.ts'

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
