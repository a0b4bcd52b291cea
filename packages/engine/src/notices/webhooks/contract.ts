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
    'Path for older clients; it also works in production. A fork never calls the endpoint that it copied: you get `WEBHOOK_ENDPOINT_NOT_SET` until the fork has its own.',
  auth: 'basic',
  permissions: ['MANAGE'],
  responses: { 200: TestWebhookResponse },
  answersApart: 'it calls an endpoint before it responds',
  errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
  events: ['TEST'],
  extension: true,
})

const undelivered = enumOf(['RETRYING', 'FAILED'], {
  description: 'RETRYING: Corridor retries the event. FAILED: Corridor no longer retries it.',
})

/** An event as the operator sees it: how its delivery went, and nothing of what it says. */
export const FailedEvent = Type.Object(
  {
    id: idOf('Webhook'),
    type: Type.String(),
    resourceId: Type.String(),
    status: undelivered,
    attempts: Type.Integer({ minimum: 0 }),
    lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
    lastError: nullable(Type.String({ description: 'Error of the last attempt.' })),
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
  summary: "List a platform's failed and retrying events",
  description: 'Default for `status`: FAILED.',
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
      description:
        'True if at least three attempts at a waiting event failed, or if Corridor no longer retries an event.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Events that are waiting for another attempt. A value of 10,000 can mean more.',
    }),
    oldestAt: Type.Optional(timestamp({ description: 'Time of the oldest waiting event.' })),
    oldestSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Age of the oldest waiting event, on the clock of its environment.',
      }),
    ),
    lastStatus: nullable(
      Type.Integer({ description: 'HTTP status of the last response to the oldest waiting event.' }),
    ),
    lastError: nullable(Type.String({ description: 'Error of the last attempt at it.' })),
    givenUp: Type.Integer({
      minimum: 0,
      description: 'Events that Corridor no longer retries. A value of 10,000 can mean more.',
    }),
    lastGivenUpAt: Type.Optional(timestamp({ description: 'Time of the latest failed event.' })),
  },
  { $id: 'EndpointHealth' },
)
export type EndpointHealth = Static<typeof EndpointHealth>

export const listFailingEndpoints = operation({
  id: 'operatorListEndpoints',
  method: 'GET',
  path: '/operator/endpoints',
  tag: 'Operator',
  summary: 'List platforms with failed or retrying events',
  description:
    'Failing platforms first, then the longest waits. A platform is absent while its endpoint accepts every event at the first attempt.',
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
      description: 'STORED: no endpoint was set when the event happened, so Corridor never sends it.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    attemptLog: Type.Array(
      Type.Object(
        {
          attempt: Type.Integer({ minimum: 1 }),
          at: timestamp(),
          status: nullable(Type.Integer({ description: 'HTTP status of the response.' })),
          error: nullable(Type.String({ description: 'Reason for the failure.' })),
        },
        { $id: 'EventAttempt' },
      ),
      { description: 'The last twenty attempts, oldest first.' },
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
  summary: 'Read an event and its attempts',
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
  summary: 'Retry a failed event',
  description: 'Sends the same id and bytes once to the current endpoint.',
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
  summary: 'Replace the webhook signing key of a platform',
  description:
    'Corridor publishes the new key at once and signs with it ten minutes later. It publishes the old key for thirty more days. 409 while another new key is waiting.',
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
    keyId: Type.String({ description: 'Current signing key, as in X-Webhook-Key-Id.' }),
    publicKey: Type.String({
      description:
        'In PEM. During a replacement it contains several keys, the signing key first; accept any of them.',
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
  summary: 'Read the key that verifies your webhooks',
  description:
    'Each platform has one key per environment. You can also read it without credentials, at /.well-known/webhook-public-key?platform= with the clientId of one of your tokens.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: WebhookPublicKey },
  errors: [],
  extension: true,
})
