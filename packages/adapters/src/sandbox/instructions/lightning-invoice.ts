import { assert, type Instant } from '@corridor/kernel'
import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { bech32 } from '@scure/base'
import type { Randomness } from './coordinates.ts'

/** Tags of BOLT11 fields. */
const tag = { paymentHash: 1, description: 13, paymentSecret: 16, expiry: 6, finalCltvDelta: 24 } as const

/**
 * A BOLT11 invoice over exactly `amountSat`, on the main network. It is complete and signed, but
 * without a node behind it nobody claims what is paid to it: a real node replaces this function.
 */
export function lightningInvoice(
  world: Randomness,
  {
    amountSat,
    description,
    now,
    lifeSeconds,
  }: {
    readonly amountSat: bigint
    readonly description: string
    readonly now: Instant
    readonly lifeSeconds: number
  },
): string {
  assert(amountSat > 0n, 'an invoice asks for something')
  const words = [
    ...numberWords(Math.floor(now / 1000), 7),
    ...field(tag.paymentHash, bech32.toWords(sha256(world.randomBytes(32)))),
    ...field(tag.paymentSecret, bech32.toWords(world.randomBytes(32))),
    ...field(tag.description, bech32.toWords(new TextEncoder().encode(description))),
    ...field(tag.expiry, numberWords(lifeSeconds, 4)),
    ...field(tag.finalCltvDelta, numberWords(18, 1)),
  ]
  // A nano-bitcoin is a tenth of a satoshi.
  const prefix = `lnbc${amountSat * 10n}n`
  const signedPart = Uint8Array.of(...new TextEncoder().encode(prefix), ...wordsToBytes(words))
  const signature = secp256k1.sign(sha256(signedPart), payeeKey(world))
  const signatureBytes = Uint8Array.of(...signature.toCompactRawBytes(), signature.recovery)
  return bech32.encode(prefix, [...words, ...bech32.toWords(signatureBytes)], false)
}

/** A private key is any number below the order of the curve; random bytes practically always are. */
function payeeKey(world: Randomness): Uint8Array {
  for (let attempt = 0; attempt < 8; attempt++) {
    const key = world.randomBytes(32)
    if (secp256k1.utils.isValidPrivateKey(key)) return key
  }
  throw new Error('assertion failed: the source of randomness is broken')
}

function field(type: number, data: readonly number[]): number[] {
  return [type, ...numberWords(data.length, 2), ...data]
}

/** A number as big-endian groups of five bits. */
function numberWords(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(value / 32 ** (count - 1 - index)) % 32)
}

/** Groups of five bits as bytes, the last one filled with zeros: what the signature covers. */
function wordsToBytes(words: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let bits = 0
  let pending = 0
  for (const word of words) {
    pending = (pending << 5) | word
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((pending >> bits) & 0xff)
      pending &= (1 << bits) - 1
    }
  }
  if (bits > 0) bytes.push((pending << (8 - bits)) & 0xff)
  return Uint8Array.from(bytes)
}
