import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'

/** Who signed a payload, and how: the content of the signature header (wallets 3.3). */
export interface Stamp {
  /** Compressed point of P-256 in lower-case hex: the form in which session keys are kept. */
  readonly publicKey: string
  /** DER in hex. */
  readonly signature: string
}

const headerForm = /^[A-Za-z0-9_\-+/]+={0,2}$/
const largestStampBytes = 4096
const scheme = 'SIGNATURE_SCHEME_TK_API_P256'

/** Reads the value of the header; undefined for whatever is no stamp (WALLET_SIGNATURE_MALFORMED). */
export function parseStamp(header: string): Stamp | undefined {
  // The decoder drops characters that it does not know instead of refusing them.
  if (!headerForm.test(header)) return undefined
  const bytes = Buffer.from(header, 'base64url')
  if (bytes.length > largestStampBytes) return undefined
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const { publicKey, scheme: named, signature } = parsed as Record<string, unknown>
    if (typeof publicKey !== 'string' || typeof signature !== 'string' || named !== scheme) return undefined
    // Both of these throw for what is no point on the curve and no strict DER.
    const point = p256.ProjectivePoint.fromHex(publicKey)
    p256.Signature.fromDER(signature)
    return { publicKey: point.toHex(true), signature }
  } catch {
    return undefined
  }
}

/** Whether the stamp's key signed exactly these bytes. Half of all clients sign with a high S. */
export function isStampOver({ publicKey, signature }: Stamp, payload: string): boolean {
  const hash = sha256(new TextEncoder().encode(payload))
  return p256.verify(p256.Signature.fromDER(signature), hash, publicKey, { lowS: false })
}
