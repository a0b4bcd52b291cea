import { describe, expect, it } from 'vitest'
import { totpCodes } from './totp.ts'

/** RFC 6238, appendix B, SHA-1: the last six of the eight digits printed there, which is what six digits are. */
const secret = new TextEncoder().encode('12345678901234567890')
const vectors: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

describe('a code of an authenticator app', () => {
  it.each(vectors)('at second %d is %s, as RFC 6238 prints it', (second, code) => {
    const now = second * 1000
    const step = Math.floor(second / 30)
    expect(totpCodes.match({ secret, code, now, lastStep: -1 })).toBe(step)
    expect(totpCodes.match({ secret, code, now: now + 30_000, lastStep: -1 })).toBe(step)
    expect(totpCodes.match({ secret, code, now: now + 90_000, lastStep: -1 })).toBeUndefined()
  })

  it('is good once: not again, and not after a later one', () => {
    const now = 59_000
    expect(totpCodes.match({ secret, code: '287082', now, lastStep: 1 })).toBeUndefined()
    expect(totpCodes.match({ secret, code: '287082', now, lastStep: 0 })).toBe(1)
  })

  it.each(['287083', '28708', '2870822', '', 'abcdef', ' 287082', '２８７０８２'])('is not %j', (code) => {
    expect(totpCodes.match({ secret, code, now: 59_000, lastStep: -1 })).toBeUndefined()
  })

  it('is made by an app from an address that says what it needs', () => {
    const uri = new URL(totpCodes.uri(secret, { issuer: 'Shop & Co', account: 'ana' }))
    expect(uri.protocol).toBe('otpauth:')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Shop & Co',
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
