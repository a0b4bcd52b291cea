import { verifyWebhook } from '@corridor/sdk/index.ts'

/** The body of a webhook; tests say which it is by what they expect of it. */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

/** A request as it arrived. */
export interface ReceivedWebhook {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The raw text: what the signature covers. */
  readonly body: string
  /** The body read as JSON, whether or not its signature is good. */
  readonly event: WebhookEvent
}

/** What an endpoint answers: a status, a whole response, or a rejection for no answer at all. */
type Script = (webhook: ReceivedWebhook, index: number) => number | Response | Promise<number | Response>

/** One endpoint of a platform. */
export interface Inbox {
  readonly url: string
  /** Everything that arrived, in order. */
  readonly received: readonly ReceivedWebhook[]
  /** Replaces what the endpoint does; until then it answers 200. `index` counts the requests from 0. */
  answer(script: Script): void
  /** Resolves once this many requests have arrived. */
  arrived(count: number): Promise<void>
}

/** A network that consists of webhook endpoints; give `network` to the test server. */
export interface WebhookReceiver {
  readonly network: typeof fetch
  /** A new endpoint with an address of its own. */
  inbox(): Inbox
}

export function recordWebhooks(): WebhookReceiver {
  const endpoints = new Map<string, (webhook: ReceivedWebhook) => Promise<Response>>()

  return {
    network: (async (input, init) => {
      const request = new Request(input, { ...init, signal: null })
      const receive = endpoints.get(request.url)
      if (!receive) throw new TypeError(`nobody listens at ${request.url}`)
      const body = await request.text()
      const headers = Object.fromEntries(request.headers)
      return receive({ url: request.url, headers, body, event: JSON.parse(body) as WebhookEvent })
    }) as typeof fetch,

    inbox() {
      const url = `https://receiver-${endpoints.size + 1}.test/webhooks`
      const received: ReceivedWebhook[] = []
      let script: Script = () => 200
      let waiting: { count: number; resolve: () => void }[] = []
      endpoints.set(url, async (webhook) => {
        received.push(webhook)
        for (const { count, resolve } of waiting) if (received.length >= count) resolve()
        waiting = waiting.filter(({ count }) => received.length < count)
        const answer = await script(webhook, received.length - 1)
        return typeof answer === 'number' ? new Response(null, { status: answer }) : answer
      })
      return {
        url,
        received,
        answer(next) {
          script = next
        },
        arrived(count) {
          if (received.length >= count) return Promise.resolve()
          return new Promise((resolve) => waiting.push({ count, resolve }))
        },
      }
    },
  }
}

/** The event when the signature over the raw body is good, as an integrator would check it. */
export async function verifyReceived(
  webhook: ReceivedWebhook,
  publicKey: string,
): Promise<WebhookEvent | null> {
  const { body, headers } = webhook
  return (await verifyWebhook({ body, signature: headers['x-service-signature'], publicKey })) as WebhookEvent
}
