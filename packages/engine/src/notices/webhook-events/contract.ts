import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  nullable,
  openObject,
  Proposed,
  paging,
  repeatable,
  timestamp,
} from '../../vocabulary/shapes.ts'
import { EventType } from '../../vocabulary/webhook.ts'

const tag = 'Webhooks'

const Status = enumOf(['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED', 'STORED'], {
  $id: 'WebhookEventStatus',
  description: 'STORED: there was no endpoint when it happened, and it is not sent to one.',
})

const shown = {
  id: idOf('Webhook'),
  type: EventType,
  resourceId: Type.String({ description: 'What it tells of.' }),
  status: Status,
  attempts: Type.Integer({ minimum: 0, description: 'At the endpoint.' }),
  lastStatus: nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  lastError: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  lastMilliseconds: nullable(
    Type.Integer({ minimum: 0, description: 'How long the last attempt took; null where that is not kept.' }),
  ),
  nextAttemptAt: nullable(
    timestamp({
      description: 'When it is tried again, on the clock of the environment; null where it is not.',
    }),
  ),
  createdAt: timestamp(),
}

/** An event and how its delivery goes, as the platform sees it. */
export const SentEvent = Type.Object(
  {
    ...shown,
    latestAttempts: Type.Array(
      Type.Object(
        {
          at: timestamp(),
          status: nullable(
            Type.Integer({ description: 'The HTTP status of the answer; null where none came.' }),
          ),
          error: nullable(Type.String({ description: 'Why it failed; null where it was taken.' })),
        },
        { $id: 'WebhookEventLatestAttempt' },
      ),
      { maxItems: 10, description: 'The last ten at the endpoint, the oldest first.' },
    ),
  },
  { $id: 'WebhookEvent' },
)
export type SentEvent = Static<typeof SentEvent>

const aboutOne = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

const filters = {
  createdAfter: Type.Optional(timestamp({ description: 'Happened at this time or later.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Happened at this time or earlier.' })),
}

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/webhook-events',
  tag,
  summary: 'List events and how their delivery goes',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    type: Type.Optional(repeatable(EventType)),
    status: Type.Optional(repeatable(Status)),
    resourceId: Type.Optional(repeatable(aboutOne('Tells of this.'))),
    ...filters,
    ...paging,
  }),
  responses: { 200: listOf('WebhookEventListResponse', SentEvent) },
  errors: [],
  extension: true,
})

export const WebhookEventDetails = Type.Object(
  {
    ...shown,
    payload: openObject({ description: 'What is sent, or of an erased customer what is left of it.' }),
    body: Type.String({ description: 'The same as it is sent, byte for byte: this is what is signed.' }),
    attemptLog: Type.Array(
      Type.Object(
        {
          via: Type.String({ description: '`endpoint`, or `listen:` and the name of a listener.' }),
          attempt: Type.Integer({ minimum: 1 }),
          at: timestamp(),
          status: nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
          error: nullable(Type.String({ description: 'Why it failed.' })),
          milliseconds: nullable(
            Type.Integer({ minimum: 0, description: 'How long it took; null where that is not kept.' }),
          ),
          times: nullable(
            Type.Object(
              {
                dns: nullable(
                  Type.Integer({ minimum: 0, description: 'Until the name of the host had been looked up.' }),
                ),
                connect: nullable(Type.Integer({ minimum: 0, description: 'Until it was connected.' })),
                tls: nullable(
                  Type.Integer({
                    minimum: 0,
                    description: 'Until the connection was encrypted; null for http.',
                  }),
                ),
                wait: nullable(
                  Type.Integer({
                    minimum: 0,
                    description:
                      'From when the request was sent until the answer began, or until nobody waited any longer.',
                  }),
                ),
                isReused: Type.Boolean({
                  description:
                    'Whether it went over a connection that was open already, so that none of its parts took time.',
                }),
              },
              {
                $id: 'WebhookAttemptTimes',
                description:
                  'How long its parts took, in milliseconds; a part that did not come to its end is null. Null as a whole where that was not measured, as for a listener.',
              },
            ),
          ),
          answer: nullable(
            Type.String({
              description:
                'What was answered, up to 64 KiB, of the latest twenty attempts; null where none came and where it is not kept. That of your endpoint only where the installation lets webhooks reach private addresses, and never that to an event that asks something.',
            }),
          ),
          headers: Type.Record(Type.String(), Type.String(), {
            description:
              'Of the request; of the signature its beginning. It and its key are kept of the last attempt alone, while it is tried again.',
          }),
        },
        { $id: 'WebhookEventAttempt' },
      ),
      { description: 'The last twenty at the endpoint, and the last twenty of each listener.' },
    ),
    lastAnswer: nullable(
      Type.String({
        description:
          'What your endpoint answered to the last attempt that failed, up to 64 KiB; only where the installation lets webhooks reach private addresses, and never to an event that asks something.',
      }),
    ),
    signature: nullable(
      Type.Object(
        {
          keyId: Type.String({ description: 'That of `X-Webhook-Key-Id`.' }),
          isVerified: Type.Boolean({
            description: 'Whether it verifies these bytes with a key of `GET /webhooks/public-key`.',
          }),
          isOfAttempts: Type.Boolean({
            description: 'Whether its attempts had it. That of others is what a resend would have now.',
          }),
        },
        {
          $id: 'WebhookEventSignature',
          description:
            'What its attempts are signed with while it is tried again, else what a resend would be signed with; null where nothing would be sent.',
        },
      ),
    ),
  },
  { $id: 'WebhookEventDetails' },
)
export type WebhookEventDetails = Static<typeof WebhookEventDetails>

export const getWebhookEvent = operation({
  id: 'getWebhookEvent',
  method: 'GET',
  path: '/webhook-events/{eventId}',
  tag,
  summary: 'Read an event and its attempts',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ eventId: Type.String() }),
  responses: { 200: WebhookEventDetails },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

export const resendWebhookEvent = operation({
  id: 'resendWebhookEvent',
  method: 'POST',
  path: '/webhook-events/{eventId}/resend',
  tag,
  summary: 'Send an event again',
  description:
    'With the same id and the same bytes, to the endpoint configured now and to listeners. 409 while it is being sent, where its answer has decided something, and where there was no endpoint and nobody listens.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: Type.Object({ eventId: Type.String() }),
  responses: { 202: Type.Object({ id: idOf('Webhook') }, { $id: 'WebhookEventResent' }) },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

/** Which events are sent again: at least one bound in time, so that nobody sends everything by accident. */
const replayed = {
  createdAfter: timestamp({ description: 'Happened at this time or later.' }),
  createdBefore: Type.Optional(timestamp({ description: 'Happened at this time or earlier.' })),
  types: Type.Optional(Type.Array(EventType, { minItems: 1, maxItems: 50 })),
  statuses: Type.Optional(
    Type.Array(enumOf(['DELIVERED', 'FAILED', 'STORED', 'RETRYING']), {
      minItems: 1,
      maxItems: 4,
      description:
        'The first three when absent. STORED ones go to listeners alone; RETRYING ones are tried now and not when their turn comes.',
    }),
  ),
  resourceIds: Type.Optional(
    Type.Array(aboutOne('What it tells of.'), {
      minItems: 1,
      maxItems: 50,
      description: 'Those that tell of one of these; all when absent.',
    }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'How many a second at most.' }),
  ),
  dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Count them, and send nothing.' })),
}

export const ReplayResult = Type.Object(
  {
    matching: Type.Integer({
      minimum: 0,
      description: 'How many there are; 10,001 stands for more than 10,000.',
    }),
    replayed: Type.Integer({
      minimum: 0,
      description: 'How many of them are sent again; none by a dry run.',
    }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'How many of them are not, or would not be: STORED ones while nobody listens, and those that are being sent by now.',
    }),
    until: Type.Optional(timestamp({ description: 'When the last one of them is due.' })),
  },
  { $id: 'WebhookReplay' },
)

export const replayWebhookEvents = operation({
  id: 'replayWebhookEvents',
  method: 'POST',
  path: '/webhook-events/replay',
  tag,
  summary: 'Send events of a period again',
  description:
    'Oldest first, with the same ids and bytes, so that your handler tells what it has seen. At most 1,000 at a time; more is for the operator, and for two of them.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: Type.Object(replayed, { $id: 'WebhookReplayRequest' }),
  responses: { 200: ReplayResult },
  errors: [],
  example: { createdAfter: '2025-10-13T00:00:00.000Z', dryRun: true },
  extension: true,
})
export type ReplayRequest = Static<typeof replayWebhookEvents.body>

export const operatorReplayEvents = operation({
  id: 'operatorReplayEvents',
  method: 'POST',
  path: '/operator/events/replay',
  tag: 'Operator',
  summary: "Send a platform's events of a period again",
  description:
    'At most 10,000 at a time. A second operator has to approve what is more than 1,000; a dry run says how many there are.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'DELIVERY',
  permissions: [],
  body: Type.Object(
    {
      platformId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
      environment: enumOf(['SANDBOX', 'PRODUCTION']),
      ...replayed,
    },
    { $id: 'OperatorReplayRequest' },
  ),
  responses: { 200: ReplayResult, 202: Proposed },
  errors: [],
  extension: true,
})
