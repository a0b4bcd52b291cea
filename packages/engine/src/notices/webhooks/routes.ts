import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as commands from './commands.ts'
import {
  type EventDelivery,
  type FailedEvent,
  getEventDelivery,
  getWebhookPublicKey,
  listFailedEvents,
  resendEvent,
  rotateWebhookKey,
  testConfiguredWebhook,
} from './contract.ts'
import { type GivenUpEvent, givenUpEvents, loadEvent } from './store.ts'

export const webhookRoutes = [
  route(testConfiguredWebhook, async (engine, { scope }) => {
    const sent = await commands.sendTestWebhook(engine, scope, {})
    return sent.ok ? ok({ status: 200, body: sent.value }) : sent
  }),

  route(getWebhookPublicKey, async (engine, { scope }) =>
    ok({ status: 200, body: await commands.readPublicKeys(engine, scope) }),
  ),

  route(listFailedEvents, async (engine, { query }) => {
    const { platformId, environment } = query
    const book = { platformId, environment }
    const page = readPage(engine.keys, book, 'failed events', query, {})
    if (!page.ok) return page
    const { rows, totalCount } = await givenUpEvents.read(engine.database, book, {}, page.value)
    return ok({
      status: 200,
      body: toPage(engine.keys, book, 'failed events', page.value, {}, rows, totalCount, renderEvent),
    })
  }),

  route(getEventDelivery, async (engine, { params: { eventId: id }, query }) => {
    const event = await loadEvent(engine.database, query, id)
    if (!event) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Webhook', id }))
    const { version: _, attemptLog, createdAt, ...shown } = event
    const body: EventDelivery = {
      ...shown,
      attemptLog: (attemptLog ?? []).map(({ attempt, at, status, error }) => ({
        attempt,
        at,
        status,
        error,
      })),
      createdAt: toTimestamp(createdAt),
    }
    return ok({ status: 200, body })
  }),

  route(resendEvent, (engine, { scope, params, body }) =>
    commands.resendEvent(engine, scope.actor, body, params.eventId),
  ),

  route(rotateWebhookKey, (engine, { scope, body }) => commands.rotateKey(engine, scope.actor, body)),
]

function renderEvent({ createdAt, ...event }: GivenUpEvent): FailedEvent {
  return { ...event, createdAt: toTimestamp(createdAt) }
}
