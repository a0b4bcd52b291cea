import type { WebhookSender } from '../../ports/adapters.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { WebhookKeys, WebhookSigner } from '../keys/webhook-keys.ts'
import type { FaultKind } from './fault.ts'
import type { Faults } from './faults.ts'

const signatures = ['X-Grid-Signature', 'X-Service-Signature']

/** Sends one event as the faults of a book have it. What the platform is told by its next attempt is what it always was. */
export function faultyWebhooks(
  sender: WebhookSender,
  {
    faults,
    keys,
  }: { readonly faults: Pick<Faults, 'hit'>; readonly keys: Pick<WebhookKeys, 'staleWebhookSigner'> },
  book: Book,
  eventId: string,
): WebhookSender {
  return {
    async send(delivery) {
      const hits = await faults.hit(book, 'WEBHOOK', { id: eventId, ...namedIn(delivery.body) })
      const hitOf = (kind: FaultKind) => hits.find(({ fault }) => fault.kind === kind)?.fault
      const error = hitOf('ERROR')
      if (error) return { ok: true, status: error.params.status ?? 500, body: '' }
      if (hitOf('REFUSED')) return { ok: false, reason: 'ECONNREFUSED' }
      const shown = hits.filter(({ fault }) => !fault.isHidden).map(({ fault }) => fault.id)
      const stale = hitOf('STALE_KEY') ? await keys.staleWebhookSigner(book) : undefined
      const signed = stale ? signedBy(stale, delivery) : delivery.headers
      const headers = {
        ...(hitOf('BAD_SIGNATURE') ? withOtherBit(signed) : signed),
        ...(shown.length > 0 ? { 'X-Corridor-Fault': shown.join(', ') } : {}),
      }
      const duplicate = hitOf('DUPLICATE')
      const copies = duplicate ? (duplicate.params.copies ?? 2) : 1
      for (let copy = 1; copy < copies; copy++) await sender.send({ ...delivery, headers })
      return sender.send({ ...delivery, headers })
    },
  }
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
