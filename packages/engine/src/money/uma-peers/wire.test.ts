import { parseRate, rate } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import { fromUmaKey, toUmaKey } from './fields.ts'
import {
  decryptWith,
  encryptTo,
  isSigned,
  newPrivateKey,
  parsePublicKey,
  publicKeyOf,
  readInvoice,
  readMultiplier,
  sign,
  signParts,
  writeInvoice,
} from './wire.ts'

// Recorded from the public SDK (@uma-sdk/core 1.5.0 and its eciesjs), with the private key 1111…11.
const privateKey = Buffer.from('11'.repeat(32), 'hex')
const recorded = {
  publicKey: [
    '044f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa',
    '385b6b1b8ead809ca67454d9683fcf2ba03456d6fe2c4abe2b07f0fbdbb2f1c1',
  ].join(''),
  nonce: '3929183747',
  timestamp: 1795338945,
  signature: [
    '3044022065cd4a78cc2725f3d208151b26544ea779a9733a511074a3bf49b2b46e083869',
    '0220059925788810a213da666cc94b6b5f021f7c7aa191971558907bece3e96bd98e',
  ].join(''),
  ciphertext: [
    '047a9ad63d2bffdc710246ec41720ba056757c8925627f195dfcbfb1b0bf6557c9d1115e4b0b8d0a20717e85d9fd374d',
    '5efc9569105c5231206b37ec1acbf2011e116f23dbf8070764ced883a7b32bde615d1d9cf91f63676c22089cab7918ad',
    '5b7ff98a4eb779a2afc0ee10',
  ].join(''),
}

let seed = 0
const world = {
  randomBytes: (count: number) => Uint8Array.from({ length: count }, () => (seed = (seed * 31 + 7) % 251)),
}
const point = parsePublicKey(recorded.publicKey)!

describe('a message', () => {
  it('is signed as the public SDK signs it, to the byte', () => {
    const text = `$bob@b.internal|${recorded.nonce}|${recorded.timestamp}`
    expect(publicKeyOf(privateKey)).toBe(recorded.publicKey)
    expect(sign(text, privateKey)).toBe(recorded.signature)
    expect(isSigned(text, recorded.signature, point)).toBe(true)
    expect(isSigned(`${text}0`, recorded.signature, point)).toBe(false)
  })

  it('is signed over its parts, a nonce and the time', () => {
    const { signature, signatureNonce, signatureTimestamp } = signParts(['a', 'b'], privateKey, {
      world,
      now: 1_999,
    })
    expect(signatureTimestamp).toBe(1)
    expect(isSigned(`a|b|${signatureNonce}|1`, signature, point)).toBe(true)
  })

  it.each([
    '',
    'zz',
    '30',
    '3006',
    recorded.signature.slice(0, 60),
    `${recorded.signature}00`,
    '30'.repeat(500),
  ])('with %j for a signature is not signed', (signature) => {
    expect(isSigned('text', signature, point)).toBe(false)
  })
})

describe('travel rule data', () => {
  it('that the public SDK encrypted is read, by nobody else', () => {
    expect(decryptWith(privateKey, recorded.ciphertext)).toBe('travel rule')
    expect(decryptWith(newPrivateKey(world), recorded.ciphertext)).toBeUndefined()
    expect(decryptWith(privateKey, recorded.ciphertext.replace(/..$/, '00'))).toBeUndefined()
    expect(decryptWith(privateKey, 'abcd')).toBeUndefined()
  })

  it('that is encrypted here is read with the key it was for', () => {
    expect(decryptWith(privateKey, encryptTo(point, 'Ana López', world))).toBe('Ana López')
  })
})

it.each([undefined, 7, '', '04', `05${recorded.publicKey.slice(2)}`, `${recorded.publicKey.slice(0, -2)}00`])(
  'a public key is not %j',
  (text) => {
    expect(parsePublicKey(text)).toBeUndefined()
  },
)

it('a multiplier is taken for the decimal that it is written as', () => {
  expect(readMultiplier(22883)).toEqual(rate(22883n, 1n))
  expect(readMultiplier(0.5)).toEqual(parseRate('0.5'))
  for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-9, 1e30, '5', null]) {
    expect(readMultiplier(wrong)).toBeUndefined()
  }
})

it('a bilateral invoice says hash, amount and time, and nothing else is one', () => {
  const invoice = { paymentHash: 'ab'.repeat(32), amountMsats: 22_885_000n, expiresAt: 1_760_346_000_000 }
  expect(readInvoice(writeInvoice(invoice))).toEqual(invoice)
  for (const wrong of [
    'lnbc1',
    '',
    7,
    writeInvoice({ ...invoice, amountMsats: 0n }),
    `${writeInvoice(invoice)}.1`,
  ]) {
    expect(readInvoice(wrong)).toBeUndefined()
  }
})

it('fields have the names of the protocol, and a UMA address is never a document', () => {
  expect(toUmaKey('FULL_NAME')).toBe('name')
  expect(toUmaKey('COUNTRY_OF_RESIDENCE')).toBe('countryOfResidence')
  expect(toUmaKey('ACCOUNT_IDENTIFIER')).toBe('accountNumber')
  expect(fromUmaKey('countryCode')).toBe('COUNTRY_OF_RESIDENCE')
  expect(fromUmaKey('taxId')).toBe('TAX_ID')
  expect(fromUmaKey('identifier')).toBeUndefined()
  expect(fromUmaKey('shoeSize')).toBeUndefined()
})
