import type { PeerTransport } from '@corridor/engine/ports/uma.ts'
import { guardedCalls, type Network, type WebhookSenderOptions } from '../messaging/webhook-sender.ts'

/** Speaks to other institutions under the same rules as to the endpoints of platforms (webhooks-uma 6.2). */
export function peerTransport(world: Network, options: WebhookSenderOptions): PeerTransport {
  const call = guardedCalls(world, options)
  const headers = { accept: 'application/json' }
  return {
    get: (url, timeoutMs) => call({ method: 'GET', url, headers, timeoutMs }),
    post: (url, body, timeoutMs) =>
      call({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        timeoutMs,
      }),
  }
}
