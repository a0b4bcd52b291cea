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
    'This path is for older clients and also works in production. A fork never calls the endpoint that it copied. The response is `WEBHOOK_ENDPOINT_NOT_SET` until the fork has an endpoint of its own.',
  auth: 'basic',
  permissions: ['MANAGE'],
  responses: { 200: TestWebhookResponse },
  answersApart: 'it calls an endpoint before it responds',
  errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
  events: ['TEST'],
  extension: true,
})

const undelivered = enumOf(['RETRYING', 'FAILED'], {
  description:
    'RETRYING means that Corridor retries the event. FAILED means that Corridor no longer retries the event.',
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
  description: 'If you omit `status`, the list contains only FAILED events.',
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
        'True if at least three attempts to deliver a waiting event failed, or if Corridor no longer retries an event.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Number of events that are waiting for another attempt. A value of 10,000 can mean more.',
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
    lastError: nullable(
      Type.String({ description: 'Error of the last attempt to deliver the oldest waiting event.' }),
    ),
    givenUp: Type.Integer({
      minimum: 0,
      description: 'Number of events that Corridor no longer retries. A value of 10,000 can mean more.',
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
    'Returns failing platforms first, then platforms with the longest waits. The list omits platforms whose endpoint accepts every event at the first attempt.',
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
      description:
        'STORED means that no endpoint was set when the event happened, so Corridor never sends the event.',
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
  description: 'Sends the event once to the current endpoint, with the same id and bytes.',
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
    'Corridor publishes the new key immediately and starts to sign with the new key after ten minutes. The old key stays published for thirty more days. Returns 409 while another replacement is in progress.',
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
        'Public key in PEM. While a key is being replaced, the field contains several keys, the signing key first. Accept signatures by any of these keys.',
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
    'Each platform has one key per environment. You can also read the key without credentials, at /.well-known/webhook-public-key?platform= followed by the clientId of one of your tokens.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: WebhookPublicKey },
  errors: [],
  extension: true,
})
