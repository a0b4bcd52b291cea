import type { ExchangeTimes } from '@corridor/kernel'
import type { Adapters, WebhookAnswer } from '../../ports/adapters.ts'
import { productToken } from '../../vocabulary/product.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { Keys } from '../keys/keys.ts'

/** What sending needs of an engine. */
export interface WebhookSending {
  readonly keys: Keys
  readonly adapters: Readonly<Record<Environment, Pick<Adapters, 'webhooks' | 'rules'>>>
}

/** One POST of final bytes to a platform's endpoint. */
export interface WebhookRequest {
  readonly eventId: string
  readonly body: string
  readonly url: string
  /** Counted from 1. */
  readonly attempt: number
  readonly timeoutMs: number
  /** By `signWebhook`, or by an attempt before: every attempt of an event has the same (webhooks 3.1). */
  readonly signed: Signed
  readonly onMeasured?: ((times: ExchangeTimes) => void) | undefined
  /** Breaks it off. */
  readonly signal?: AbortSignal | undefined
}

export interface Signed {
  readonly keyId: string
  readonly signature: string
}

/** Signs the bytes with the key of the moment; another text every time, for ECDSA takes a random number. */
export async function signWebhook({ keys }: WebhookSending, book: Book, body: string): Promise<Signed> {
  const signer = await keys.webhookSigner(book)
  return { keyId: signer.keyId, signature: signer.sign(body) }
}

/** The headers of one attempt (webhooks 3.1). Both signature headers carry the same value. */
export function webhookHeaders({
  eventId,
  attempt,
  signed: { keyId, signature },
}: Pick<WebhookRequest, 'eventId' | 'attempt' | 'signed'>): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': productToken,
    'X-Grid-Signature': signature,
    'X-Service-Signature': signature,
    'X-Webhook-Id': eventId,
    'X-Webhook-Attempt': String(attempt),
    'X-Webhook-Key-Id': keyId,
  }
}

/** Sends signed bytes, once (webhooks 3.1). */
export async function sendWebhook(
  engine: WebhookSending,
  book: Book,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const { body, url, timeoutMs, eventId, onMeasured, signal } = request
  const { webhooks } = engine.adapters[book.environment]
  return webhooks.send({
    url,
    headers: webhookHeaders(request),
    body,
    timeoutMs,
    context: { scope: book, id: eventId },
    ...(onMeasured ? { onMeasured } : {}),
    ...(signal ? { signal } : {}),
  })
}
