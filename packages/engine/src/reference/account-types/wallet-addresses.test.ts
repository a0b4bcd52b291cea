import { bech32 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import {
  isEvmAddress,
  isSolanaAddress,
  isSparkAddress,
  isTronAddress,
  readInvoice,
} from './wallet-addresses.ts'

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SPARK = 'spark1qv9pzxqlyckngw6zf9g9whn9d3eh4qvg37tfmf9tk2uup37w6hww86h3lqvvxgw7'
/** The second example of the BOLT11 specification: one minute to pay. */
const INVOICE =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

const table: readonly [string, (text: string) => boolean, string[], string[]][] = [
  [
    'isEvmAddress',
    isEvmAddress,
    [EVM, EVM.toLowerCase(), `0x${EVM.slice(2).toUpperCase()}`],
    [EVM.replace('aA', 'Aa'), EVM.slice(0, -1), `${EVM.slice(0, -1)}g`],
  ],
  [
    'isSolanaAddress',
    isSolanaAddress,
    ['4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg'],
    ['4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd002', '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94'],
  ],
  [
    'isTronAddress',
    isTronAddress,
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ],
  [
    'isSparkAddress',
    isSparkAddress,
    [SPARK],
    [`${SPARK.slice(0, -1)}q`, SPARK.replace('spark1q', 'spark1Q')],
  ],
]

describe.each(table)('%s', (_name, accepts, genuine, invented) => {
  it.each(genuine)('accepts %s', (text) => expect(accepts(text)).toBe(true))
  it.each(invented)('refuses %s', (text) => expect(accepts(text)).toBe(false))
})

describe('readInvoice', () => {
  it('reads the payment hash and the end of the payment window', () => {
    expect(readInvoice(INVOICE)).toEqual({
      paymentHash: '0001020304050607080900010203040506070809000102030405060708090102',
      expiresAt: (1496314658 + 60) * 1000,
      amountMsats: 250_000_000n,
    })
  })
  it('knows nothing about an invoice that names two payments, of which a node would take the other', () => {
    const { prefix, words } = bech32.decode(INVOICE as `${string}1${string}`, false)
    const signature = words.slice(-104)
    const field = (length: number) => [1, length >> 5, length & 31]
    const hash = [...field(52), ...bech32.toWords(Buffer.from('ee'.repeat(32), 'hex'))]
    const short = [...field(32), ...bech32.toWords(Buffer.from('ee'.repeat(20), 'hex'))]
    const rest = words.slice(0, -104)
    for (const more of [hash, short]) {
      expect(readInvoice(bech32.encode(prefix, [...rest, ...more, ...signature], false))).toBeUndefined()
    }
    expect(readInvoice(bech32.encode(prefix, [...rest, ...signature], false))).toEqual(readInvoice(INVOICE))
  })
  it('knows nothing about an invoice with a wrong checksum', () => {
    expect(readInvoice(INVOICE.replace(/p$/, 'q'))).toBeUndefined()
  })
})
