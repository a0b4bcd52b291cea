import type { Engine } from '../engine.ts'
import { productToken } from '../http/product.ts'
import type { Environment } from '../http/scope.ts'
import type { WebhookAnswer } from '../ports/adapters.ts'

/** One POST of final bytes to a platform's endpoint. */
export interface WebhookRequest {
  readonly eventId: string
  readonly body: string
  readonly url: string
  /** Counted from 1. */
  readonly attempt: number
  readonly timeoutMs: number
}

/** Signs the bytes and sends them, once (webhooks 3.1). Both signature headers carry the same value. */
export async function sendWebhook(
  engine: Engine,
  environment: Environment,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const { eventId, body, url, attempt, timeoutMs } = request
  const signer = engine.keys.webhookSigner(environment)
  const signature = signer.sign(body)
  return engine.adapters[environment].webhooks.send({
    url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': productToken,
      'X-Grid-Signature': signature,
      'X-Service-Signature': signature,
      'X-Webhook-Id': eventId,
      'X-Webhook-Attempt': String(attempt),
      'X-Webhook-Key-Id': signer.keyId,
    },
    body,
    timeoutMs,
  })
}
