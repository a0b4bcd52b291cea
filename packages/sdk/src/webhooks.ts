import { createPublicKey, verify } from 'node:crypto'

export interface WebhookVerification {
  /** The raw body, byte for byte as it arrived. */
  readonly body: string | Uint8Array
  /** The `X-Service-Signature` (or `X-Grid-Signature`) header. */
  readonly signature: string | undefined
  /** `webhookPublicKey` of `credentials.json`, or `publicKey` of `GET /webhooks/public-key`: one PEM, or several while a key is being rotated. */
  readonly publicKey: string | readonly string[]
}

export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

const pemPattern = /-----BEGIN PUBLIC KEY-----[^-]{1,1000}-----END PUBLIC KEY-----/g

/**
 * The event of a webhook request whose signature is good, else null: ECDSA P-256 over the SHA-256 of the
 * raw body, DER-encoded, in standard base64.
 */
export function verifyWebhook({ body, signature, publicKey }: WebhookVerification): WebhookEvent | null {
  if (!signature) return null
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signatureBytes = Buffer.from(signature, 'base64')
  const keys = [publicKey].flat().flatMap((text) => text.match(pemPattern) ?? [])
  const isGenuine = keys.some((pem) => {
    try {
      return verify('sha256', bytes, createPublicKey(pem), signatureBytes)
    } catch {
      return false
    }
  })
  return isGenuine ? (JSON.parse(Buffer.from(bytes).toString('utf8')) as WebhookEvent) : null
}
