import { type Instant, lowerAscii, upperAscii } from '@corridor/kernel'
import { base58, bech32m, createBase58check } from '@scure/base'
import { decode } from 'light-bolt11-decoder'
import { isAddress, sha256 } from 'viem/utils'

/** Forty hex digits; mixed case must spell the EIP-55 checksum (accounts 4.4). */
export function isEvmAddress(address: string): boolean {
  // All upper case carries no checksum either, but the library only exempts all lower case.
  const digits = address.slice(2)
  return isAddress(digits === upperAscii(digits) ? lowerAscii(address) : address)
}

/** An Ed25519 public key in base58: 32 bytes. */
export function isSolanaAddress(address: string): boolean {
  return decoded(() => base58.decode(address))?.length === 32
}

const base58check = createBase58check((bytes: Uint8Array) => sha256(bytes, 'bytes'))

/** Base58 with checksum over the version byte 0x41 and a 20-byte account. */
export function isTronAddress(address: string): boolean {
  const bytes = decoded(() => base58check.decode(address))
  return bytes?.length === 21 && bytes[0] === 0x41
}

/** Bech32m of the main network, any length: published samples are shorter than a key would be. */
export function isSparkAddress(address: string): boolean {
  const parts = decoded(() => bech32m.decode(address as `${string}1${string}`, false))
  return parts !== undefined && (parts.prefix === 'spark' || parts.prefix === 'sp')
}

export interface Invoice {
  readonly paymentHash: string
  readonly expiresAt: Instant
  /** Absent where whoever pays chooses. */
  readonly amountMsats?: bigint
}

/** Of two of these nodes take the first, others the last: an invoice that says one of them twice is paid by nobody. */
const saidOnce: ReadonlySet<string> = new Set([
  'payment_hash',
  'payment_secret',
  'expiry',
  'description_hash',
])

/** What a BOLT11 invoice says, or undefined when its checksum or structure is wrong, or what it says is ambiguous. */
export function readInvoice(invoice: string): Invoice | undefined {
  const sections = decoded(() => decode(invoice))?.sections
  if (!sections) return undefined
  const values = new Map<string, unknown>()
  for (const { name, value } of sections as readonly { name: string; value?: unknown }[]) {
    if (saidOnce.has(name) && values.has(name)) return undefined
    values.set(name, value)
  }
  const paymentHash = values.get('payment_hash')
  const timestampSeconds = values.get('timestamp')
  if (typeof paymentHash !== 'string' || !/^[0-9a-f]{64}$/.test(paymentHash)) return undefined
  if (typeof timestampSeconds !== 'number') return undefined
  const expirySeconds = values.get('expiry')
  const lifetimeSeconds = typeof expirySeconds === 'number' ? expirySeconds : DEFAULT_INVOICE_LIFETIME_SECONDS
  const amount = values.get('amount')
  return {
    paymentHash,
    expiresAt: (timestampSeconds + lifetimeSeconds) * 1000,
    ...(typeof amount === 'string' && /^[0-9]{1,18}$/.test(amount) ? { amountMsats: BigInt(amount) } : {}),
  }
}

/** BOLT11: an invoice that names no expiry lives an hour. */
const DEFAULT_INVOICE_LIFETIME_SECONDS = 3600

/** The decoders throw at a user's typing mistake; to us that is an answer. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
