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
      description: 'A listener that is opened again under its name goes on where it was.',
    }),
    types: Type.Optional(
      Type.Array(EventType, { minItems: 1, maxItems: 50, description: 'All of them when absent.' }),
    ),
    onlyHere: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Nothing is sent to the configured endpoint while the listener is connected.',
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
    session: Type.String({ description: 'Of whoever opened it last; another session gets 409.' }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Events that it has not taken yet; 10,000 may stand for more.',
    }),
    resumed: Type.Boolean({ description: 'Whether it goes on where it was, and does not begin now.' }),
  },
  { $id: 'WebhookListener' },
)

export const openWebhookListener = operation({
  id: 'openWebhookListener',
  method: 'POST',
  path: '/webhook-listeners',
  tag,
  summary: 'Listen to webhooks without an address of your own',
  description:
    'For development: `corridor listen` takes what is to be delivered from here and hands it to a program on your machine. A listener remembers for seven days what it has taken, so nothing is lost while it is away. Whoever opens the same name takes over. A platform has up to 50.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: OpenListenerRequest,
  responses: { 201: WebhookListener },
  errors: ['CONFLICT'],
  example: { name: 'lap-1' },
  extension: true,
})

export const ListenedTo = Type.Object(
  {
    id: idOf('WebhookListener'),
    name: Type.String(),
    types: nullable(Type.Array(EventType, { description: 'Null: all of them.' })),
    onlyHere: Type.Boolean(),
    isConnected: Type.Boolean({ description: 'Whether it has asked within thirty seconds.' }),
    position: timestamp({
      description: 'What happened before this time it has taken. It follows about a minute late.',
    }),
    waiting: Type.Integer({
      minimum: 0,
      description: 'Events that it has not taken, or has to be handed again; 1,000 may stand for more.',
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
  summary: 'See who listens to webhooks',
  description:
    'All that are remembered, by name: those that listen now, and those that may go on where they were.',
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
    headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent as they are.' }),
    body: Type.String({ description: 'To be sent as it is: these bytes are signed.' }),
    timeoutMs: Type.Integer({ description: 'How long the answer may take.' }),
  },
  { $id: 'WebhookListenerDelivery' },
)
export type ListenerDelivery = Static<typeof ListenerDelivery>

export const nextListenerDeliveries = operation({
  id: 'nextListenerDeliveries',
  method: 'GET',
  path: '/webhook-listeners/{listenerId}/deliveries',
  tag,
  summary: 'Take what a listener is to deliver next',
  description:
    'The same again until it is answered with the results. Deliver the events of one resource in this order, one after the other. Asking keeps the listener connected for thirty seconds.',
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
        Type.Integer({ minimum: 100, maximum: 599, description: 'Of the answer; absent where none came.' }),
      ),
    ),
    error: Type.Optional(plainText({ description: 'Why no answer came.' })),
    body: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description:
          'What was answered: it decides what an event asked, and is shown with the attempt of any other.',
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
    status: Type.String({ description: 'DELIVERED, RETRYING or FAILED.' }),
    retryAt: Type.Optional(timestamp({ description: "On the sandbox's clock." })),
  },
  { $id: 'WebhookListenerOutcome' },
)
export type ListenerOutcome = Static<typeof Outcome>

export const reportListenerResults = operation({
  id: 'reportListenerResults',
  method: 'POST',
  path: '/webhook-listeners/{listenerId}/results',
  tag,
  summary: 'Say how the deliveries of a listener went',
  description:
    'Saying it twice changes nothing. What was not taken is due again by the rules of every webhook. An answer to an event that asks something, such as INCOMING_PAYMENT.PENDING, decides as that of the endpoint would, and the first one counts.',
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
