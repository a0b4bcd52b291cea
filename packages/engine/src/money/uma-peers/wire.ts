import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { type Instant, lowerAscii, parseRate, type Rate, type World } from '@corridor/kernel'
import { secp256k1 } from '@noble/curves/secp256k1'
import { hkdf } from '@noble/hashes/hkdf'
import { sha256 } from '@noble/hashes/sha2'

/** The cryptography and the notations of UMA messages (webhooks-uma 6). Pure: time and randomness are given. */

type Randomness = Pick<World, 'randomBytes'>

/** The three members that sign a message. */
export interface SignatureParts {
  readonly signature: string
  readonly signatureNonce: string
  readonly signatureTimestamp: number
}

/** ECDSA over SHA-256 of the text, DER in hexadecimal. */
export function sign(text: string, privateKey: Uint8Array): string {
  return secp256k1.sign(sha256(Buffer.from(text)), privateKey).toDERHex()
}

const derForm = /^30[0-9a-f]{12,142}$/i

/** Whether the signature over the text is one by this key; nothing that is sent makes it throw. */
export function isSigned(text: string, signature: string, publicKey: Uint8Array): boolean {
  if (!derForm.test(signature)) return false
  try {
    const parsed = secp256k1.Signature.fromDER(signature)
    return secp256k1.verify(parsed, sha256(Buffer.from(text)), publicKey, { lowS: false })
  } catch {
    return false
  }
}

/** Signs `parts|nonce|timestamp`, as every message of the protocol is signed. */
export function signParts(
  parts: readonly string[],
  privateKey: Uint8Array,
  { world, now }: { readonly world: Randomness; readonly now: Instant },
): SignatureParts {
  const signatureNonce = newNonce(world)
  const signatureTimestamp = Math.floor(now / 1000)
  const text = signedText(parts, { signatureNonce, signatureTimestamp })
  return { signature: sign(text, privateKey), signatureNonce, signatureTimestamp }
}

export function signedText(
  parts: readonly string[],
  { signatureNonce, signatureTimestamp }: Omit<SignatureParts, 'signature'>,
): string {
  return [...parts, signatureNonce, String(signatureTimestamp)].join('|')
}

/** 128 bits: two of ours never meet by chance. */
function newNonce(world: Randomness): string {
  return Buffer.from(world.randomBytes(16)).toString('hex')
}

/** A new private key; 48 bytes are reduced, so that no value is likelier than another. */
export function newPrivateKey(world: Randomness): Uint8Array {
  const bytes = Buffer.from(world.randomBytes(48))
  const value = (BigInt(`0x${bytes.toString('hex')}`) % (secp256k1.CURVE.n - 1n)) + 1n
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

/** Uncompressed, 65 bytes in hexadecimal: the form in which keys are published. */
export function publicKeyOf(privateKey: Uint8Array): string {
  return Buffer.from(secp256k1.getPublicKey(privateKey, false)).toString('hex')
}

/** The point that a published key stands for, or undefined for what is none. */
export function parsePublicKey(hex: unknown): Uint8Array | undefined {
  if (typeof hex !== 'string' || !/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(hex)) return undefined
  try {
    return secp256k1.ProjectivePoint.fromHex(hex).toRawBytes(false)
  } catch {
    return undefined
  }
}

const [pointBytes, ivBytes, tagBytes] = [65, 16, 16]

/** ECIES as the public SDKs do it: ephemeral key, nonce, tag, AES-256-GCM under HKDF-SHA256 of both points. */
export function encryptTo(publicKey: Uint8Array, text: string, world: Randomness): string {
  const ephemeral = newPrivateKey(world)
  const point = secp256k1.getPublicKey(ephemeral, false)
  const iv = world.randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', sharedKey(point, ephemeral, publicKey), iv)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([point, iv, cipher.getAuthTag(), ciphertext]).toString('hex')
}

/** The text, or undefined where it was not encrypted to this key. */
export function decryptWith(privateKey: Uint8Array, hex: string): string | undefined {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length < pointBytes + ivBytes + tagBytes) return undefined
  try {
    const point = bytes.subarray(0, pointBytes)
    const iv = bytes.subarray(pointBytes, pointBytes + ivBytes)
    const tag = bytes.subarray(pointBytes + ivBytes, pointBytes + ivBytes + tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', sharedKey(point, privateKey, point), iv)
    decipher.setAuthTag(tag)
    const opened = [decipher.update(bytes.subarray(pointBytes + ivBytes + tagBytes)), decipher.final()]
    return Buffer.concat(opened).toString('utf8')
  } catch {
    return undefined
  }
}

function sharedKey(ephemeralPoint: Uint8Array, privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const shared = secp256k1.getSharedSecret(privateKey, publicKey, false)
  return hkdf(sha256, Buffer.concat([ephemeralPoint, shared]), undefined, undefined, 32)
}

/** What stands for an invoice between institutions that settle bilaterally (webhooks-uma 6.7). */
export interface BilateralInvoice {
  readonly paymentHash: string
  readonly amountMsats: bigint
  /** Real time. */
  readonly expiresAt: Instant
}

const prefix = 'bilateral1'

export function writeInvoice({ paymentHash, amountMsats, expiresAt }: BilateralInvoice): string {
  return `${prefix}.${paymentHash}.${amountMsats}.${Math.floor(expiresAt / 1000)}`
}

const invoiceForm = /^bilateral1\.([0-9a-f]{64})\.([1-9][0-9]{0,17})\.([1-9][0-9]{0,11})$/

export function readInvoice(text: unknown): BilateralInvoice | undefined {
  const match = typeof text === 'string' && text.length <= 128 ? invoiceForm.exec(text) : null
  if (!match) return undefined
  return { paymentHash: match[1]!, amountMsats: BigInt(match[2]!), expiresAt: Number(match[3]) * 1000 }
}

export function hashOf(preimage: string): string {
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
}

/** What a Lightning invoice commits to: the metadata of the lookup and the payer data, as they went over the wire. */
export function descriptionHashOf(description: string): string {
  return createHash('sha256').update(description, 'utf8').digest('hex')
}

const multiplierForm = /^[0-9]{1,18}(\.[0-9]{1,18})?$/

/** A multiplier on the wire is a JSON number: its decimal text is taken as exact. Undefined for what is none. */
export function readMultiplier(value: unknown): Rate | undefined {
  const text = typeof value === 'number' ? String(value) : ''
  return multiplierForm.test(text) && Number(text) > 0 ? parseRate(text) : undefined
}

const domainForm = /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9][0-9]{0,4})?$/

export function isDomain(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 258 && domainForm.test(value)
}

/** Who vouches for a lookup, as its address says it: `domain:signature,domain:signature`, a port before the last colon. */
export function readBackingSignatures(
  text: string | undefined,
): readonly { readonly domain: string; readonly signature: string }[] | undefined {
  if (text === undefined || text === '') return undefined
  return text.split(',', 10).map((entry) => {
    const colon = entry.lastIndexOf(':')
    return { domain: lowerAscii(entry.slice(0, Math.max(colon, 0))), signature: entry.slice(colon + 1) }
  })
}

/** The same, as a parameter of a lookup; none where nobody vouches. */
export function writeBackingSignatures({
  backingSignatures,
}: {
  readonly backingSignatures?: readonly { readonly domain: string; readonly signature: string }[]
}): { readonly backingSignatures?: string } {
  if (!backingSignatures) return {}
  return {
    backingSignatures: backingSignatures.map(({ domain, signature }) => `${domain}:${signature}`).join(','),
  }
}

/** A host name, outside production with a port. Peers' domains and callback hosts are matched as texts. */
export function usesPlainHttp(domain: string): boolean {
  const [host = ''] = domain.split(':')
  return ['localhost', '127.0.0.1'].includes(host) || host.endsWith('.local') || host.endsWith('.internal')
}

const longestAddress = 2_048

/** Whether a peer may name this address as its own: over TLS, unless it is spoken to without (webhooks-uma 6.2). */
export function isPeerAddress(value: unknown, domain: string): value is string {
  if (typeof value !== 'string' || value.length > longestAddress || !URL.canParse(value)) return false
  return value.startsWith('https://') || (value.startsWith('http://') && usesPlainHttp(domain))
}

export function wellKnown(domain: string, path: string): string {
  return `${usesPlainHttp(domain) ? 'http' : 'https'}://${domain}/.well-known/${path}`
}
