import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, nullable, plainText, timestamp } from '../../vocabulary/shapes.ts'
import { EventType } from '../../vocabulary/webhook.ts'

const tag = 'Webhooks'
const listenerPath = Type.Object({ listenerId: Type.String() })

export const OpenListenerRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9._-]+$',
      description:
        'Name of the listener. A listener that you open again with the same name continues where it stopped.',
    }),
    types: Type.Optional(
      Type.Array(EventType, {
        minItems: 1,
        maxItems: 50,
        description: 'Event types to receive. Default: all types.',
      }),
    ),
    onlyHere: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'If true, Corridor sends nothing to the configured endpoint while the listener is connected.',
      }),
    ),
  },
  { $id: 'WebhookListenerOpenRequest' },
)
export type OpenListenerRequest = Static<typeof OpenListenerRequest>

export const WebhookListener = Type.Object(
  {
    id: idOf('WebhookListener'),
    name: Type.String(),
    session: Type.String({ description: 'Session that opened the listener last. Other sessions get 409.' }),
    waiting: Type.Integer({
      minimum: 0,
      description:
        'Number of events that the listener has not received yet. A value of 10,000 can mean more.',
    }),
    resumed: Type.Boolean({
      description: 'True if the listener continues where it stopped, false if it starts now.',
    }),
  },
  { $id: 'WebhookListener' },
)

export const openWebhookListener = operation({
  id: 'openWebhookListener',
  method: 'POST',
  path: '/webhook-listeners',
  tag,
  summary: 'Open a webhook listener',
  description:
    'Use a listener for development without a public address. `corridor listen` fetches events from the listener and passes them to a program on your machine. A listener keeps its position for seven days, so an interruption loses no event. If you open a listener with the same name again, the new connection replaces the old connection. A platform can have 50 listeners.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: OpenListenerRequest,
  responses: { 201: WebhookListener },
  answersApart: 'listeners are counted and opened with a lock of their own',
  errors: ['CONFLICT'],
  example: { name: 'lap-1' },
  extension: true,
})

export const ListenedTo = Type.Object(
  {
    id: idOf('WebhookListener'),
    name: Type.String(),
    types: nullable(
      Type.Array(EventType, {
        description: 'Event types that the listener receives. If null, the listener receives all types.',
      }),
    ),
    onlyHere: Type.Boolean(),
    isConnected: Type.Boolean({
      description: 'True if the listener fetched events within the last thirty seconds.',
    }),
    position: timestamp({
      description:
        'The listener has received all events before this time. The value can be about a minute old.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description:
        'Number of events that the listener has not received or has to receive again. A value of 1,000 can mean more.',
    }),
  },
  { $id: 'KnownWebhookListener' },
)
export type ListenedTo = Static<typeof ListenedTo>

export const listWebhookListeners = operation({
  id: 'listWebhookListeners',
  method: 'GET',
  path: '/webhook-listeners',
  tag,
  summary: 'List webhook listeners',
  description:
    'Returns connected listeners, and listeners that can still continue where they stopped, sorted by name.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  responses: {
    200: Type.Object({ data: Type.Array(ListenedTo, { maxItems: 50 }) }, { $id: 'WebhookListeners' }),
  },
  errors: [],
  extension: true,
})

/** One attempt that the listener is to make: exactly these bytes and headers. */
export const ListenerDelivery = Type.Object(
  {
    id: idOf('Webhook'),
    type: EventType,
    resourceId: Type.String(),
    attempt: Type.Integer({ minimum: 1 }),
    createdAt: timestamp(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers of the delivery. Pass the headers on unchanged.',
    }),
    body: Type.String({
      description:
        'Body of the delivery. Pass the body on unchanged, because the signature covers these bytes.',
    }),
    timeoutMs: Type.Integer({ description: 'Time limit for the response.' }),
  },
  { $id: 'WebhookListenerDelivery' },
)
export type ListenerDelivery = Static<typeof ListenerDelivery>

export const nextListenerDeliveries = operation({
  id: 'nextListenerDeliveries',
  method: 'GET',
  path: '/webhook-listeners/{listenerId}/deliveries',
  tag,
  summary: 'Fetch events for a listener',
  description:
    'Returns the same events until you report their results. Deliver events of the same resource one after the other, in the order of the response. Each request keeps the listener connected for thirty seconds.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  params: listenerPath,
  query: Type.Object({ session: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    200: Type.Object({ data: Type.Array(ListenerDelivery) }, { $id: 'WebhookListenerDeliveries' }),
  },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

export const ListenerResult = Type.Object(
  {
    id: idOf('Webhook'),
    attempt: Type.Integer({ minimum: 1, maximum: 10_000 }),
    status: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 100,
          maximum: 599,
          description: 'Status of the response. Absent if there was no response.',
        }),
      ),
    ),
    error: Type.Optional(plainText({ description: 'Reason for the missing response.' })),
    body: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description:
          'Response body. Corridor evaluates the body if the event is an approval webhook. For other events, Corridor stores the body with the attempt.',
      }),
    ),
    milliseconds: Type.Integer({ minimum: 0, maximum: 3_600_000 }),
  },
  { $id: 'WebhookListenerResult' },
)
export type ListenerResult = Static<typeof ListenerResult>

/** What became of one event at the listener. */
const Outcome = Type.Object(
  {
    id: idOf('Webhook'),
    status: Type.String({ description: 'Status of the event: DELIVERED, RETRYING or FAILED.' }),
    retryAt: Type.Optional(timestamp({ description: 'Time on the sandbox clock.' })),
  },
  { $id: 'WebhookListenerOutcome' },
)
export type ListenerOutcome = Static<typeof Outcome>

export const reportListenerResults = operation({
  id: 'reportListenerResults',
  method: 'POST',
  path: '/webhook-listeners/{listenerId}/results',
  tag,
  summary: 'Report the results of a listener',
  description:
    'Reporting a result twice changes nothing. Corridor retries failed events as it does for an endpoint. A response to an approval webhook, such as INCOMING_PAYMENT.PENDING, has the same effect as a response from the endpoint. The first response counts.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  params: listenerPath,
  body: Type.Object(
    {
      session: Type.String({ minLength: 1, maxLength: 64 }),
      results: Type.Array(ListenerResult, { minItems: 1, maxItems: 100 }),
    },
    { $id: 'WebhookListenerResultsRequest' },
  ),
  responses: { 200: Type.Object({ data: Type.Array(Outcome) }, { $id: 'WebhookListenerOutcomes' }) },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})
