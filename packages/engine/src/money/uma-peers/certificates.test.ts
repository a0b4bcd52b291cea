import { X509Certificate } from 'node:crypto'
import { PubKeyResponse } from '@uma-sdk/core'
import { describe, expect, it } from 'vitest'
import { certificateOf } from './certificates.ts'
import { publicKeyOf } from './wire.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)

describe('the certificate of a key', () => {
  it.each(['alpha.internal', 'localhost:7001', `${'a'.repeat(200)}.example`])('of %s is one', (domain) => {
    const hex = certificateOf(domain, key(7))
    expect(certificateOf(domain, key(7))).toBe(hex)
    const certificate = new X509Certificate(Buffer.from(hex, 'hex'))
    expect(certificate.subject).toBe(`CN=${domain.slice(0, 64)}`)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('secp256k1')
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.parse('2100-01-01'))
  })

  it('is another for another key, and not signed by it', () => {
    const [first, second] = [key(7), key(8)].map(
      (one) => new X509Certificate(Buffer.from(certificateOf('alpha.internal', one), 'hex')),
    )
    expect(first!.serialNumber).not.toBe(second!.serialNumber)
    expect(first!.verify(second!.publicKey)).toBe(false)
  })

  it('is read by the public SDK as the key that it is of', () => {
    const text = JSON.stringify({
      signingCertChain: [certificateOf('alpha.internal', key(7))],
      encryptionCertChain: [certificateOf('alpha.internal', key(8))],
    })
    const read = PubKeyResponse.fromJson(text)
    expect(Buffer.from(read.getSigningPubKey()).toString('hex')).toBe(publicKeyOf(key(7)))
    expect(Buffer.from(read.getEncryptionPubKey()).toString('hex')).toBe(publicKeyOf(key(8)))
  })
})
