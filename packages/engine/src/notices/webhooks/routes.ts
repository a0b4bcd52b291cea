import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as commands from './commands.ts'
import {
  type EndpointHealth,
  type EventDelivery,
  type FailedEvent,
  getEventDelivery,
  getWebhookPublicKey,
  listFailedEvents,
  listFailingEndpoints,
  resendEvent,
  rotateWebhookKey,
  testConfiguredWebhook,
} from './contract.ts'
import {
  type EndpointRow,
  listEndpoints,
  loadEvent,
  type UndeliveredEvent,
  undeliveredEvents,
} from './store.ts'

export const webhookRoutes = [
  route(testConfiguredWebhook, async (engine, { scope }) => {
    const sent = await commands.sendTestWebhook(engine, scope, {})
    return sent.ok ? ok({ status: 200, body: sent.value }) : sent
  }),

  route(getWebhookPublicKey, async (engine, { scope }) =>
    ok({ status: 200, body: await commands.readPublicKeys(engine, scope) }),
  ),

  route(listFailedEvents, async (engine, { query }) => {
    const { platformId, environment, status = 'FAILED' } = query
    const book = { platformId, environment }
    const filters = { status }
    const page = readPage(engine.keys, book, 'failed events', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await undeliveredEvents[status].read(engine.database, book, {}, page.value)
    return ok({
      status: 200,
      body: toPage(engine.keys, book, 'failed events', page.value, filters, rows, totalCount, renderEvent),
    })
  }),

  route(listFailingEndpoints, async ({ database, world }) => {
    const data = (await listEndpoints(database, toTimestamp(world.now()))).map(renderEndpoint)
    return ok({ status: 200, body: { data, hasMore: false, totalCount: data.length } })
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

function renderEvent({ createdAt, ...event }: UndeliveredEvent): FailedEvent {
  return { ...event, createdAt: toTimestamp(createdAt) }
}

function renderEndpoint(row: EndpointRow): EndpointHealth {
  const { platformId, environment, isFailing, waiting, oldestAt, oldestMs, lastStatus, lastError } = row
  return {
    ...{ platformId, environment, isFailing, lastStatus, lastError },
    waiting: Number(waiting),
    ...(oldestAt === null ? {} : { oldestAt: toTimestamp(oldestAt) }),
    ...(oldestMs === null ? {} : { oldestSeconds: Math.max(0, Number(oldestMs / 1000n)) }),
    givenUp: Number(row.givenUp),
    ...(row.lastGivenUpAt === null ? {} : { lastGivenUpAt: toTimestamp(row.lastGivenUpAt) }),
  }
}
