import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { describe, expect, it } from 'vitest'
import { isStampOver, parseStamp } from './stamp.ts'

/** Published vectors: the private keys are the hashes of `vector/session` and `vector/other`. */
const session = '0246560616540a27ec7249687658f9964d42fc75d3e5bac0c5ca658afd1c983ac3'
const payload =
  '{"organizationId":"org_vector","parameters":{"apiKeyIds":["key_vector"],"userId":"user_vector"},"timestampMs":"1775681700000","type":"ACTIVITY_TYPE_DELETE_API_KEYS"}'
const der =
  '30450221009434f881ca7f275f5f05ce2367832f3eb7febeb7e41bf206d4a68b3454b5dc6602202e14500e02a43b5aa77a9efb0e05f1cdbc65fc9cf303c2408439f03063599ec7'
const derHighS =
  '30460221009434f881ca7f275f5f05ce2367832f3eb7febeb7e41bf206d4a68b3454b5dc66022100d1ebaff0fd5bc4a658856104f1fa0e320080fe10b413dc446f7fda929909868a'
const header =
  'eyJwdWJsaWNLZXkiOiIwMjQ2NTYwNjE2NTQwYTI3ZWM3MjQ5Njg3NjU4Zjk5NjRkNDJmYzc1ZDNlNWJhYzBjNWNhNjU4YWZkMWM5ODNhYzMiLCJzY2hlbWUiOiJTSUdOQVRVUkVfU0NIRU1FX1RLX0FQSV9QMjU2Iiwic2lnbmF0dXJlIjoiMzA0NTAyMjEwMDk0MzRmODgxY2E3ZjI3NWY1ZjA1Y2UyMzY3ODMyZjNlYjdmZWJlYjdlNDFiZjIwNmQ0YTY4YjM0NTRiNWRjNjYwMjIwMmUxNDUwMGUwMmE0M2I1YWE3N2E5ZWZiMGUwNWYxY2RiYzY1ZmM5Y2YzMDNjMjQwODQzOWYwMzA2MzU5OWVjNyJ9'

const members = { publicKey: session, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature: der }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a stamp', () => {
  it('verifies over the exact payload alone', () => {
    const stamp = parseStamp(header)!
    expect(stamp).toEqual({ publicKey: session, signature: der })
    expect(isStampOver(stamp, payload)).toBe(true)
    expect(isStampOver(stamp, `${payload} `)).toBe(false)
  })

  it('may have a high S, padding, the other alphabet, more members, an uncompressed key', () => {
    const uncompressed = p256.ProjectivePoint.fromHex(session).toHex(false)
    for (const text of [
      encode({ ...members, signature: derHighS }),
      encode({ ...members, publicKey: uncompressed, more: 1 }),
      Buffer.from(JSON.stringify(members)).toString('base64'),
    ]) {
      const stamp = parseStamp(text)!
      expect(stamp.publicKey).toBe(session)
      expect(isStampOver(stamp, payload)).toBe(true)
    }
  })

  it('of another key is a stamp that names that key', () => {
    const secret = sha256(new TextEncoder().encode('vector/other'))
    const hash = sha256(new TextEncoder().encode(payload))
    const signature = p256.sign(hash, secret, { lowS: false }).toDERHex()
    const publicKey = Buffer.from(p256.getPublicKey(secret, true)).toString('hex')
    const stamp = parseStamp(encode({ ...members, publicKey, signature }))!
    expect(stamp.publicKey).toBe('03b2cff380d34472df498ebae1b456d6f0b1a3f5b285299baec23a76a391e22db3')
    expect(isStampOver(stamp, payload)).toBe(true)
    expect(isStampOver({ ...stamp, publicKey: session }, payload)).toBe(false)
  })

  it.each([
    ['free text', 'not a stamp!'],
    ['an empty object', encode({})],
    ['no object', encode('text')],
    ['null', encode(null)],
    ['another scheme', encode({ ...members, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' })],
    ['raw r and s', encode({ ...members, signature: 'a'.repeat(128) })],
    ['a byte after the signature', encode({ ...members, signature: `${der}00` })],
    ['a key off the curve', encode({ ...members, publicKey: `02${'f'.repeat(64)}` })],
    ['more than 4096 bytes', encode({ ...members, more: 'x'.repeat(4096) })],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')],
  ])('is not read from %s', (_what, text) => {
    expect(parseStamp(text)).toBeUndefined()
  })
})
