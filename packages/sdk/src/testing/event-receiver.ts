import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Corridor, TimeoutError, type WebhookEvent } from '../index.ts'

type EventType = WebhookEvent['type']
/** One schema stands for several types, so `Extract` finds none. */
type EventOf<T extends EventType, Event = WebhookEvent> = Event extends { readonly type: infer Types }
  ? T extends Types
    ? Event
    : never
  : never

export interface EventWaiting<T extends EventType> {
  /** Which of this type is meant; default: any. */
  readonly where?: (event: EventOf<T>) => boolean
  /** In real time. Default: 10 seconds. */
  readonly timeoutMs?: number
}

export interface ReceivedEvents {
  /** All that came, verified, in order. */
  readonly all: readonly WebhookEvent[]
  /** The next event of this type; each is handed out once. Fails with TimeoutError. */
  waitFor<T extends EventType>(type: T, waiting?: EventWaiting<T>): Promise<EventOf<T>>
}

export interface EventReceiver {
  readonly url: string
  readonly events: ReceivedEvents
  close(): Promise<void>
}

interface Waiter {
  take(): boolean
}

/** A webhook endpoint on this machine that verifies what comes, as yours has to. */
export async function receiveEvents(client: () => Corridor): Promise<EventReceiver> {
  const all: WebhookEvent[] = []
  const untaken = new Set<WebhookEvent>()
  const waiters = new Set<Waiter>()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      try {
        const event = await client().webhooks.unwrap(Buffer.concat(chunks), request.headers)
        if (!all.some(({ id }) => id === event.id)) {
          all.push(event)
          untaken.add(event)
        }
        response.writeHead(200).end()
        for (const waiter of [...waiters]) if (waiter.take()) waiters.delete(waiter)
      } catch {
        response.writeHead(401).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events: {
      all,
      waitFor(type, { where = () => true, timeoutMs = 10_000 } = {}) {
        return new Promise((resolve, reject) => {
          const waiter: Waiter = {
            take() {
              for (const event of untaken) {
                if (event.type !== type || !where(event as never)) continue
                untaken.delete(event)
                clearTimeout(timer)
                resolve(event as never)
                return true
              }
              return false
            },
          }
          const timer = setTimeout(() => {
            waiters.delete(waiter)
            const came = all.map((event) => event.type).join(', ') || 'nothing'
            reject(new TimeoutError(`no ${type} came within ${timeoutMs} ms; what came: ${came}`))
          }, timeoutMs)
          if (!waiter.take()) waiters.add(waiter)
        })
      },
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
