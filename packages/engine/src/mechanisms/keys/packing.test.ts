import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack, unpack } from './packing.ts'

const usual =
  '{"id":"Transaction:01a207b0-daba-7008-a95a-15a837bfeca0","status":"PROCESSING","customerId":"Customer:01a207b0-d696-7027-8dc0-4ce3a040ae2f","sentAmount":{"amount":1000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"description":"Zoë, Zoë, Zoë"}'

describe('a packed text', () => {
  it('is unpacked to the byte, whatever it is', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(usual, '"currency":{"code":"', 'aaaaaaaa', '\u0001', 'é', '🙂'),
      fc.tuple(fc.string({ maxLength: 9 }), fc.nat(400)).map(([text, times]) => text.repeat(times)),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        return unpack(pack(text)) === text
      }),
      { numRuns: 200 },
    )
  })

  it('may be longer than what is looked back at, and than the room that is kept', () => {
    const noise = randomBytes(70_000).toString('latin1')
    for (const text of ['', 'x'.repeat(300_000), noise, `${usual}${noise}${usual}${noise}`, usual]) {
      expect(unpack(pack(text)) === text).toBe(true)
    }
    expect(pack('x'.repeat(300_000)).length).toBeLessThan(1_500)
    expect(pack(noise).length).toBeLessThan(Buffer.byteLength(noise) * 1.005 + 24)
  })

  it('is a block of LZ4: what another implementation has packed is unpacked', () => {
    // lz4_flex 0.11, `compress_prepend_size_with_dict`.
    const packed =
      'HAEAAAMtBAntBPATMWEyMDdiMC1kYWJhLTcwMDgtYTk1YS0xNWE4MzdiZmVjYcsCD6gCAw+NAwQFUwDwCzY5Ni03MDI3LThkYzAtNGNlM2EwNDBhZTJm+wIPkgICQDEwMDBZAA+VAj5zZGVzY3JpcKwEYlpvw6ssIAYAYFpvw6sifQ=='
    expect(unpack(Buffer.from(packed, 'base64'))).toBe(usual)
    expect(pack(usual).length).toBeLessThanOrEqual(Buffer.from(packed, 'base64').length + 10)
  })

  it('says so where it is cut, changed or none, and asks for no more memory than its length allows', () => {
    const packed = pack(usual)
    for (let length = 0; length < packed.length; length++) {
      expect(() => unpack(packed.subarray(0, length))).toThrow('whole')
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2_000), (bytes, length) => {
        const claimed = Buffer.from([length & 255, length >> 8, 0, 0, ...bytes])
        try {
          return Buffer.byteLength(unpack(claimed)) >= 0
        } catch (error) {
          return String(error).includes('whole')
        }
      }),
      { numRuns: 2_000 },
    )
    expect(() => unpack(Buffer.from([255, 255, 255, 255, 0]))).toThrow('whole')
  })
})
