import { assert, type World } from '@corridor/kernel'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { bytesToHex, getAddress, sha256 } from 'viem/utils'

/** Where generated coordinates take their bytes from. */
export type Randomness = Pick<World, 'randomBytes'>

/*
 * Coordinates that nobody else has, each from bytes that nobody else is given, in the form that payers' banks and
 * wallets check before they send anything (accounts 3.3, 4.4).
 */

/** `count` random decimal digits. */
export function randomDigits(world: Randomness, count: number): string {
  // Six bytes are plenty per fifteen digits; the bias of a remainder is far below one in a million.
  let digits = ''
  while (digits.length < count) {
    const value = world.randomBytes(6).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    digits += (value % 1_000_000_000n).toString().padStart(9, '0')
  }
  return digits.slice(0, count)
}

/** Country, check digits and account part: mod 97 over the rearranged number leaves 1. */
export function ibanOf(country: string, accountPart: string): string {
  const digits = [...`${accountPart}${country}00`].map((character) => Number.parseInt(character, 36)).join('')
  const check = 98n - (BigInt(digits) % 97n)
  return `${country}${check.toString().padStart(2, '0')}${accountPart}`
}

/** ABA routing number from its first eight digits: weights 3, 7, 1 sum to a multiple of ten. */
export function routingNumberOf(first: string): string {
  return `${first}${complementOfTen(weighted(first, [3, 7, 1]))}`
}

/** CLABE from its first 17 digits: weights 3, 7, 1, each product modulo ten. */
export function clabeOf(first: string): string {
  const sum = [...first].reduce(
    (total, digit, index) => total + ((Number(digit) * [3, 7, 1][index % 3]!) % 10),
    0,
  )
  return `${first}${complementOfTen(sum)}`
}

/** Argentine CVU: a block of eight and one of fourteen digits, each ending in its check digit. */
export function cvuOf(entity: string, account: string): string {
  assert(entity.length === 7 && account.length === 13, 'a CVU has 7 and 13 digits before its check digits')
  const firstBlock = `${entity}${complementOfTen(weighted(entity, [7, 1, 3, 9]))}`
  return `${firstBlock}${account}${complementOfTen(weighted(account, [3, 9, 7, 1]))}`
}

function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * weights[index % weights.length]!, 0)
}

function complementOfTen(sum: number): number {
  return (10 - (sum % 10)) % 10
}

/** Twenty bytes with the checksum of EIP-55; the same account on every chain with Ethereum's addresses. */
export function evmAddress(world: Randomness): string {
  return getAddress(bytesToHex(world.randomBytes(20)))
}

export function solanaAddress(world: Randomness): string {
  return base58.encode(world.randomBytes(32))
}

const base58check = createBase58check((bytes: Uint8Array) => sha256(bytes, 'bytes'))

export function tronAddress(world: Randomness): string {
  return base58check.encode(Uint8Array.of(0x41, ...world.randomBytes(20)))
}

/** An identity key in the address's one field: tag, length, compressed public key. */
export function sparkAddress(world: Randomness): string {
  const payload = Uint8Array.of(0x0a, 33, 0x02, ...world.randomBytes(32))
  return bech32m.encode('spark', bech32m.toWords(payload), false)
}

/** Native segwit: witness version 0 and a 20-byte program. */
export function bitcoinAddress(world: Randomness): string {
  return bech32.encode('bc', [0, ...bech32.toWords(world.randomBytes(20))])
}

/** A random version-4 uuid: the kind of Pix key that says nothing about its owner. */
export function randomPixKey(world: Randomness): string {
  const bytes = world.randomBytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
