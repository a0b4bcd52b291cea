import type { NewEvent } from '@corridor/engine/vocabulary/decision.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import type { Inbox, TestServer, WebhookReceiver } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

/** What the tests of webhooks share: platforms with an endpoint, and events to deliver to it. */

export const second = 1_000
export const day = 24 * 60 * 60 * second

const listEvents = `select id, status, attempts, last_status as "lastStatus", last_error as "lastError",
     last_response as "lastResponse"
   from events where platform_id = $1 and environment = $2 order by seq`

export function webhookEndpoints(server: () => TestServer, receiver: WebhookReceiver) {
  async function platformWithInbox(options: { environment?: 'PRODUCTION' } = {}) {
    const platform = await server().platform(options)
    const inbox = receiver.inbox()
    await setEndpoint(platform, inbox.url)
    return { platform, inbox }
  }

  /** As PATCH /config does it, without the TEST event. */
  function setEndpoint(book: Book, url: string | null): Promise<void> {
    const id = `PlatformConfig:${book.platformId}`
    return server().commit(book, {
      updates: [{ table: 'platform_configs', id, set: { webhook_endpoint: url } }],
    })
  }

  /** Commits a decision whose only effect is these events, in this order. */
  async function emit(book: Book, ...events: Partial<NewEvent>[]): Promise<void> {
    expect(events).not.toEqual([])
    await server().commit(book, {
      events: events.map((event) => ({
        type: 'TEST',
        resourceId: 'Thing:1',
        subjectId: null,
        data: {},
        ...event,
      })),
    })
  }

  /** How far the delivery of each event has come, oldest first. */
  function deliveriesOf(book: Book) {
    type Row = { id: string; status: string; attempts: number; lastError: string | null }
    return server().rows<Row>(listEvents, [book.platformId, book.environment])
  }

  return { platformWithInbox, setEndpoint, emit, deliveriesOf }
}

export function namesOf(inbox: Inbox) {
  return inbox.received.map(({ event }) => event.data.name)
}

/** An answer that the test gives when it wants to. */
export function pendingAnswer() {
  let give: (status: number) => void = () => {}
  const answer = new Promise<number>((resolve) => {
    give = resolve
  })
  return { answer, give }
}
