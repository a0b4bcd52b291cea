import type { Instant } from '@corridor/kernel'
import type { WebhookSender } from '../../ports/adapters.ts'
import type { Clock } from '../jobs/clock.ts'
import type { WebhookKeys, WebhookSigner } from '../keys/webhook-keys.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import { type FaultKind, holdingKinds, leavesAt, waitOf } from './fault.ts'
import type { Hit } from './faults.ts'
import { overlaid } from './overlay.ts'
import { repeated } from './repeated.ts'

const signatures = ['X-Grid-Signature', 'X-Service-Signature']

/** Sends events as the faults of a book have it. The next attempt of an event tells the platform what it always did. */
export function faultyWebhooks(
  webhooks: WebhookSender,
  {
    faults,
    keys,
    clock,
  }: {
    readonly faults: FaultsOfCalls
    readonly keys: Pick<WebhookKeys, 'staleWebhookSigner'>
    readonly clock: Pick<Clock, 'now'>
  },
): WebhookSender {
  return overlaid(webhooks, {
    send: (send) => async (delivery) => {
      const { context, body } = delivery
      if (!context || !(await faults.inForce(context.scope))) return send(delivery)
      const isAsked = (kind: FaultKind) => !holdingKinds.has(kind)
      const hits = await hitsOfCall(faults, context, 'WEBHOOK', isAsked, namedIn(body))
      const hitOf = (kind: FaultKind) => hits.find(({ fault }) => fault.kind === kind)?.fault
      const error = hitOf('ERROR')
      if (error) return { ok: true, status: error.params.status ?? 500, body: '' }
      if (hitOf('RATE_LIMITED')) return { ok: true, status: 429, body: '' }
      if (hitOf('REFUSED')) return { ok: false, reason: 'ECONNREFUSED' }
      const shown = hits.filter(({ fault }) => !fault.isHidden).map(({ fault }) => fault.id)
      const stale = hitOf('STALE_KEY') ? await keys.staleWebhookSigner(context.scope) : undefined
      const signed = stale ? signedBy(stale, delivery) : delivery.headers
      const headers = {
        ...(hitOf('BAD_SIGNATURE') ? withOtherBit(signed) : signed),
        ...(shown.length > 0 ? { 'X-Corridor-Fault': shown.join(', ') } : {}),
      }
      const pace = {
        bytesPerSecond: hitOf('SLOW_BODY')?.params.bytesPerSecond,
        isCutShort: hitOf('TRUNCATED') !== undefined,
      }
      const isPaced = pace.isCutShort || pace.bytesPerSecond !== undefined
      const { copies = 2, order } = hitOf('DUPLICATE')?.params ?? { copies: 1 }
      return repeated(copies, order, () => send({ ...delivery, headers, ...(isPaced ? { pace } : {}) }))
    },

    firstAttemptAt: (firstAttemptAt) => async (event) => {
      const { context } = event
      if (!(await faults.inForce(context.scope))) return firstAttemptAt?.(event)
      const isAsked = (kind: FaultKind) => holdingKinds.has(kind)
      const hits = await hitsOfCall(faults, context, 'WEBHOOK', isAsked, namedIn(event.body()))
      if (hits.length === 0) return firstAttemptAt?.(event)
      const now = await clock.now(context.scope)
      return Math.max(...hits.map((hit) => endOf(hit, now)))
    },
  })
}

function endOf({ fault, drawn, window }: Hit, now: Instant): Instant {
  if (window) return leavesAt(fault, window)
  if (fault.kind === 'LATENCY') return now + waitOf(fault.params, drawn)
  return now + (fault.params.seconds ?? 0) * 1000
}

function namedIn(body: string): { eventType?: string; customerIds: readonly string[] } {
  const { type, data } = JSON.parse(body) as { type?: string; data?: { customerId?: string } }
  return {
    ...(type === undefined ? {} : { eventType: type }),
    customerIds: data?.customerId === undefined ? [] : [data.customerId],
  }
}

function signedBy(
  { keyId, sign }: WebhookSigner,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Record<string, string> {
  const signature = sign(body)
  return {
    ...headers,
    ...Object.fromEntries(signatures.map((name) => [name, signature])),
    'X-Webhook-Key-Id': keyId,
  }
}

/** The last bit of the signature, which is base64 of DER: its form stays what it was. */
function withOtherBit(headers: Readonly<Record<string, string>>): Record<string, string> {
  const others = signatures.flatMap((name) => {
    const bytes = Buffer.from(headers[name] ?? '', 'base64')
    if (bytes.length === 0) return []
    bytes[bytes.length - 1]! ^= 1
    return [[name, bytes.toString('base64')] as const]
  })
  return { ...headers, ...Object.fromEntries(others) }
}
