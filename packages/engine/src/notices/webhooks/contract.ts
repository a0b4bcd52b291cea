import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, listOf, nullable, paging, timestamp } from '../../vocabulary/shapes.ts'
import { TestWebhookResponse } from './test-webhook-schemas.ts'

export { TestWebhookResponse } from './test-webhook-schemas.ts'

export const testConfiguredWebhook = operation({
  id: 'testConfiguredWebhook',
  method: 'POST',
  path: '/webhooks/test',
  tag: 'Webhooks',
  summary: 'Send a test webhook to the configured endpoint',
  description:
    'The path that older clients call; it works in production as well. The endpoint that a fork was copied with is told nothing: `WEBHOOK_ENDPOINT_NOT_SET` there until it has one of its own.',
  auth: 'basic',
  permissions: ['MANAGE'],
  responses: { 200: TestWebhookResponse },
  errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
  events: ['TEST'],
  extension: true,
})

const undelivered = enumOf(['RETRYING', 'FAILED'], {
  description: 'RETRYING: it is tried again by itself. FAILED: it was given up.',
})

/** An event as the operator sees it: how its delivery went, and nothing of what it says. */
export const FailedEvent = Type.Object(
  {
    id: idOf('Webhook'),
    type: Type.String(),
    resourceId: Type.String(),
    status: undelivered,
    attempts: Type.Integer({ minimum: 0 }),
    lastStatus: nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
    lastError: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    createdAt: timestamp(),
  },
  { $id: 'FailedEvent' },
)
export type FailedEvent = Static<typeof FailedEvent>

const bookOfEvents = {
  platformId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  environment: enumOf(['SANDBOX', 'PRODUCTION']),
}

export const listFailedEvents = operation({
  id: 'listFailedEvents',
  method: 'GET',
  path: '/operator/events',
  tag: 'Operator',
  summary: "List a platform's events that were given up, or that wait for another attempt",
  description: 'Those that were given up where `status` is absent.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({ ...bookOfEvents, status: Type.Optional(undelivered), ...paging }),
  responses: { 200: listOf('FailedEventListResponse', FailedEvent) },
  errors: [],
  extension: true,
})

/** How deliveries to one platform stand, where they do not go as they should. */
export const EndpointHealth = Type.Object(
  {
    ...bookOfEvents,
    isFailing: Type.Boolean({
      description: 'Three attempts or more at an event that waits were in vain, or events were given up.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Events that wait for another attempt; 10,000 may stand for more.',
    }),
    oldestAt: Type.Optional(timestamp({ description: 'When the oldest of those happened.' })),
    oldestSeconds: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How long ago that is, on the clock of its environment.' }),
    ),
    lastStatus: nullable(
      Type.Integer({ description: 'The HTTP status of the last answer to the oldest of those.' }),
    ),
    lastError: nullable(Type.String({ description: 'Why the last attempt at it failed.' })),
    givenUp: Type.Integer({
      minimum: 0,
      description: 'Events that are not tried any more; 10,000 may stand for more.',
    }),
    lastGivenUpAt: Type.Optional(timestamp({ description: 'When the latest of those happened.' })),
  },
  { $id: 'EndpointHealth' },
)
export type EndpointHealth = Static<typeof EndpointHealth>

export const listFailingEndpoints = operation({
  id: 'operatorListEndpoints',
  method: 'GET',
  path: '/operator/endpoints',
  tag: 'Operator',
  summary: 'List platforms whose events wait for another attempt or were given up',
  description:
    'Those that fail first, then those that have waited longest. A platform is absent while its endpoint takes everything at once.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('EndpointHealthList', EndpointHealth) },
  errors: [],
  extension: true,
})

/** How the delivery of one event went. Neither what it says nor what it was answered. */
export const EventDelivery = Type.Object(
  {
    id: idOf('Webhook'),
    type: Type.String(),
    resourceId: Type.String(),
    status: enumOf(['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED', 'STORED'], {
      description: 'STORED: there was no endpoint when it happened, and it is never sent.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    attemptLog: Type.Array(
      Type.Object(
        {
          attempt: Type.Integer({ minimum: 1 }),
          at: timestamp(),
          status: nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
          error: nullable(Type.String({ description: 'Why it failed.' })),
        },
        { $id: 'EventAttempt' },
      ),
      { description: 'The last twenty, oldest first.' },
    ),
    createdAt: timestamp(),
  },
  { $id: 'EventDelivery' },
)
export type EventDelivery = Static<typeof EventDelivery>

export const getEventDelivery = operation({
  id: 'getEventDelivery',
  method: 'GET',
  path: '/operator/events/{eventId}',
  tag: 'Operator',
  summary: 'Read how the delivery of an event went',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: Type.Object({ eventId: Type.String() }),
  query: Type.Object(bookOfEvents),
  responses: { 200: EventDelivery },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

export const resendEvent = operation({
  id: 'resendEvent',
  method: 'POST',
  path: '/operator/events/{eventId}/resend',
  tag: 'Operator',
  summary: 'Send an event again that was given up',
  description: 'With the same id and the same bytes. One more attempt, at the endpoint configured now.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'REPAIR',
  permissions: [],
  params: Type.Object({ eventId: Type.String() }),
  body: Type.Object(bookOfEvents, { $id: 'ResendEventRequest' }),
  responses: { 202: Type.Object({ id: idOf('Webhook') }, { $id: 'ResendEventResponse' }) },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

export const rotateWebhookKey = operation({
  id: 'rotateWebhookKey',
  method: 'POST',
  path: '/operator/webhook-keys',
  tag: 'Operator',
  summary: 'Replace the key that signs the webhooks of a platform',
  description:
    'The new key is published at once and signs ten minutes later; the one before stays published for thirty days after that. 409 while a new key is waiting.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'REPAIR',
  permissions: [],
  body: Type.Object(bookOfEvents, { $id: 'WebhookKeyRotateRequest' }),
  responses: {
    201: Type.Object(
      { keyId: Type.String(), publicKey: Type.String({ description: 'PEM' }), signsFrom: timestamp() },
      { $id: 'WebhookKeyRotated' },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

export const WebhookPublicKey = Type.Object(
  {
    keyId: Type.String({ description: 'The key that signs now, as in X-Webhook-Key-Id.' }),
    publicKey: Type.String({
      description: 'In PEM. Several while a key is being replaced, the one that signs first: accept any.',
    }),
  },
  { $id: 'WebhookPublicKey' },
)
export type WebhookPublicKey = Static<typeof WebhookPublicKey>

export const getWebhookPublicKey = operation({
  id: 'getWebhookPublicKey',
  method: 'GET',
  path: '/webhooks/public-key',
  tag: 'Webhooks',
  summary: 'Get the key that verifies your webhooks',
  description:
    'Each platform has its own in each environment. Without credentials: /.well-known/webhook-public-key?platform= with the clientId of one of its tokens.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: WebhookPublicKey },
  errors: [],
  extension: true,
})
