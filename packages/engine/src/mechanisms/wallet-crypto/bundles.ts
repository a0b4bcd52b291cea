import type { World } from '@corridor/kernel'
import { sha256 } from '@noble/hashes/sha2'
import { createBase58check } from '@scure/base'
import type { QuorumKey } from '../keys/quorum-keys.ts'
import { openMessage, type SealedMessage, sealMessage } from './hpke.ts'
import { type PublicPoint, parsePoint, type Scalar, uncompressedForm } from './points.ts'

const base58check = createBase58check(sha256)
const version = 'v1.0.0'

/**
 * `data` in the envelope that clients check (wallets 3.2). The signature covers the bytes that the hex stands
 * for; clients compare the quorum key as text. Without a signer both are empty (wallets 3.5).
 */
function envelope(data: object, signer: QuorumKey | undefined): string {
  const bytes = Buffer.from(JSON.stringify(data))
  return JSON.stringify({
    version,
    data: bytes.toString('hex'),
    dataSignature: signer?.sign(bytes) ?? '',
    enclaveQuorumPublic: signer?.publicKey ?? '',
  })
}

/** What an OTP is sealed to: `otpEncryptionTargetBundle`, JSON as one text (wallets 3.2). */
export function otpTargetBundle(target: PublicPoint, signer: QuorumKey): string {
  return envelope({ targetPublic: target.uncompressed }, signer)
}

const longestOtpBundle = 8192
const hexForm = /^([0-9a-fA-F]{2})+$/
/** A tag and one byte. */
const shortestCiphertext = 17

/** The parts of `encryptedOtpBundle`; undefined for a text that is not of that form (wallets 5.5). */
export function parseOtpBundle(text: string): SealedMessage | undefined {
  if (text.length > longestOtpBundle) return undefined
  const parsed = parseObject(text)
  if (!parsed) return undefined
  const { encappedPublic, ciphertext } = parsed
  if (typeof encappedPublic !== 'string' || typeof ciphertext !== 'string') return undefined
  if (!uncompressedForm.test(encappedPublic) || !parsePoint(encappedPublic)) return undefined
  if (!hexForm.test(ciphertext) || ciphertext.length < 2 * shortestCiphertext) return undefined
  return { enc: Buffer.from(encappedPublic, 'hex'), ciphertext: Buffer.from(ciphertext, 'hex') }
}

/** An opened attempt: the code that was typed in, and the key that the session is to have (the TEK). */
export interface OtpAttempt {
  readonly code: string
  readonly publicKey: PublicPoint
}

/** Opens an attempt; undefined when it was not sealed to this key or does not hold what it should. */
export async function openOtpAttempt(
  target: Scalar,
  message: SealedMessage,
): Promise<OtpAttempt | undefined> {
  const plaintext = await openMessage(target, message)
  const parsed = plaintext && parseObject(textOf(plaintext) ?? '')
  if (!parsed) return undefined
  const { otp_code: code, public_key: key } = parsed
  if (typeof code !== 'string' || typeof key !== 'string') return undefined
  const publicKey = parsePoint(key)
  return publicKey && { code, publicKey }
}

/** A session key on its way to the client: base58check of the compressed enc, then the ciphertext (wallets 3.1). */
export async function sealSessionKey(
  world: Pick<World, 'randomBytes'>,
  client: PublicPoint,
  sessionKey: Scalar,
  ephemeral?: Scalar,
): Promise<string> {
  const recipient = Buffer.from(client.uncompressed, 'hex')
  const { enc, ciphertext } = await sealMessage(world, recipient, sessionKey, ephemeral)
  const compressed = parsePoint(Buffer.from(enc).toString('hex'))!.compressed
  return base58check.encode(Buffer.concat([Buffer.from(compressed, 'hex'), ciphertext]))
}

/** The words of a wallet on their way to its holder: `encryptedWalletCredentials` (wallets 3.5). */
export async function sealExport(
  world: Pick<World, 'randomBytes'>,
  wallet: { readonly organizationId: string; readonly mnemonic: string },
  client: PublicPoint,
  { signer, ephemeral }: { readonly signer: QuorumKey | undefined; readonly ephemeral?: Scalar },
): Promise<string> {
  const recipient = Buffer.from(client.uncompressed, 'hex')
  const plaintext = Buffer.from(wallet.mnemonic)
  const { enc, ciphertext } = await sealMessage(world, recipient, plaintext, ephemeral)
  const data = {
    encappedPublic: Buffer.from(enc).toString('hex'),
    ciphertext: Buffer.from(ciphertext).toString('hex'),
    organizationId: wallet.organizationId,
  }
  return envelope(data, signer)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
