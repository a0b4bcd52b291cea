import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import * as listeners from './listener-commands.ts'
import {
  listWebhookListeners,
  nextListenerDeliveries,
  openWebhookListener,
  reportListenerResults,
} from './listener-contract.ts'
import { mostReplayed, mostReplayedByTwo } from './rules.ts'
import { countReplayed, eventList } from './store.ts'
import { streamEvents } from './stream-contract.ts'

/** Until somebody else may have left, where there are as many streams as there may be. */
const waitForStreamSeconds = 10

export const webhookEventRoutes = [
  route(contract.listWebhookEvents, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'webhook events', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await eventList.read(engine.database, scope, filters, page.value)
    const body = toPage(
      engine.keys,
      scope,
      'webhook events',
      page.value,
      filters,
      rows,
      totalCount,
      commands.renderListedEvent,
    )
    return ok({ status: 200, body })
  }),

  route(contract.replayWebhookEvents, (engine, { scope, body }) =>
    commands.replay(engine, scope, scope, body, mostReplayed),
  ),

  route(contract.getWebhookEvent, async (engine, { scope, params: { eventId: id } }) => {
    const body = await commands.readEvent(engine, scope, id)
    return body
      ? ok({ status: 200, body })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Webhook', id }))
  }),

  route(contract.resendWebhookEvent, (engine, { scope, params }) =>
    commands.resendByPlatform(engine, scope, params.eventId),
  ),

  route(openWebhookListener, (engine, { scope, body }) => listeners.openWebhookListener(engine, scope, body)),

  route(listWebhookListeners, async (engine, { scope }) =>
    ok({ status: 200, body: await listeners.listWebhookListeners(engine, scope) }),
  ),

  route(nextListenerDeliveries, (engine, { scope, params, query }) =>
    listeners.nextDeliveries(engine, scope, params.listenerId, query.session),
  ),

  route(reportListenerResults, (engine, { scope, params, body }) =>
    listeners.reportResults(engine, scope, params.listenerId, body),
  ),

  route(streamEvents, async (engine, { scope, header }) => {
    if (!header('accept')?.includes('text/event-stream')) {
      return ok({ status: 200, body: { lastEventId: await engine.eventStreams.newest(scope) } })
    }
    const stream = engine.eventStreams.open(scope, header('last-event-id'))
    return stream
      ? ok({ status: 200, stream })
      : failed({ ...fail('RATE_LIMITED'), retryAfterSeconds: waitForStreamSeconds })
  }),

  route(
    contract.operatorReplayEvents,
    (engine, { scope, body }) => commands.replay(engine, scope, body, body, mostReplayedByTwo),
    {
      // A dry run, and what one platform could do by itself, needs nobody else.
      needsSecondPerson: async (engine, { body }) =>
        body.dryRun !== true &&
        (await countReplayed(engine.database, body, body, mostReplayed + 1)) > mostReplayed,
    },
  ),
]
