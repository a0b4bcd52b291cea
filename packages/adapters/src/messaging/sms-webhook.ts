import { createHmac } from 'node:crypto'
import type { WebhookSender } from '@corridor/engine/ports/adapters.ts'
import type { MessageOutcome, SmsMessage } from '@corridor/engine/ports/messenger.ts'
import type { World } from '@corridor/kernel'

export interface SmsWebhookOptions {
  readonly url: string
  /** Shared with the receiver. */
  readonly secret: string
}

const timeoutMs = 10_000
/** The receiver says that no other attempt will do: it has read the request and refuses it. */
const finalStatuses = [400, 404, 410, 422]

/**
 * Hands an SMS to a program of the operator's as a signed POST: `{id, to, text}`, with the header
 * `X-Corridor-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The receiver drops an id it
 * has seen, and answers 2xx once the SMS is its business.
 */
export function smsWebhook(
  world: Pick<World, 'now'>,
  webhooks: WebhookSender,
  { url, secret }: SmsWebhookOptions,
): (message: SmsMessage) => Promise<MessageOutcome> {
  return async ({ id, to, text }) => {
    const body = JSON.stringify({ id, to, text })
    const time = Math.floor(world.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    const answer = await webhooks.send({
      url,
      headers: {
        'content-type': 'application/json',
        'x-corridor-signature': `t=${time},v1=${signature}`,
        'idempotency-key': id,
      },
      body,
      timeoutMs,
    })
    if (!answer.ok) return { ok: false, reason: answer.reason, isFinal: false }
    if (answer.status >= 200 && answer.status < 300) return { ok: true }
    return { ok: false, reason: `HTTP ${answer.status}`, isFinal: finalStatuses.includes(answer.status) }
  }
}
