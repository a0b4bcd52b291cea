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
  description:
    'STORED means that no endpoint was set when the event happened, so Corridor does not send the event to an endpoint.',
})

const shown = {
  id: idOf('Webhook'),
  type: EventType,
  resourceId: Type.String({ description: 'Id of the resource that the event is about.' }),
  status: Status,
  attempts: Type.Integer({ minimum: 0, description: 'Number of delivery attempts to the endpoint.' }),
  lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
  lastError: nullable(Type.String({ description: 'Error of the last attempt.' })),
  lastMilliseconds: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Duration of the last attempt. Null if the duration was not recorded.',
    }),
  ),
  nextAttemptAt: nullable(
    timestamp({
      description:
        'Time of the next attempt, on the clock of the environment. Null if no attempt is planned.',
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
            Type.Integer({ description: 'HTTP status of the response. Null if there was no response.' }),
          ),
          error: nullable(
            Type.String({ description: 'Reason for the failure. Null if the event was delivered.' }),
          ),
        },
        { $id: 'WebhookEventLatestAttempt' },
      ),
      { maxItems: 10, description: 'The last ten attempts at the endpoint, oldest first.' },
    ),
  },
  { $id: 'WebhookEvent' },
)
export type SentEvent = Static<typeof SentEvent>

const aboutOne = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

const filters = {
  createdAfter: Type.Optional(timestamp({ description: 'Happened at or after this time.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Happened at or before this time.' })),
}

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/webhook-events',
  tag,
  summary: 'List events and their delivery',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    type: Type.Optional(repeatable(EventType)),
    status: Type.Optional(repeatable(Status)),
    resourceId: Type.Optional(repeatable(aboutOne('Id of the resource that the event is about.'))),
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
    payload: openObject({
      description: 'Body of the event. If the customer was erased, this is the remaining part.',
    }),
    body: Type.String({ description: 'Exact bytes that Corridor sends and signs.' }),
    attemptLog: Type.Array(
      Type.Object(
        {
          via: Type.String({ description: '`endpoint`, or `listen:` and the name of a listener.' }),
          attempt: Type.Integer({ minimum: 1 }),
          at: timestamp(),
          status: nullable(Type.Integer({ description: 'HTTP status of the response.' })),
          error: nullable(Type.String({ description: 'Reason for the failure.' })),
          milliseconds: nullable(
            Type.Integer({
              minimum: 0,
              description: 'Duration of the attempt. Null if the duration was not recorded.',
            }),
          ),
          times: nullable(
            Type.Object(
              {
                dns: nullable(Type.Integer({ minimum: 0, description: 'Time to look up the host name.' })),
                connect: nullable(Type.Integer({ minimum: 0, description: 'Time to connect.' })),
                tls: nullable(
                  Type.Integer({
                    minimum: 0,
                    description: 'Time to set up TLS. Null for http.',
                  }),
                ),
                wait: nullable(
                  Type.Integer({
                    minimum: 0,
                    description:
                      'Time from sending the request to the start of the response or to the timeout.',
                  }),
                ),
                isReused: Type.Boolean({
                  description:
                    'True if the request reused an open connection, so that looking up the host and connecting took no time.',
                }),
              },
              {
                $id: 'WebhookAttemptTimes',
                description:
                  'Duration of each part of the attempt, in milliseconds. A part that did not finish is null. The whole object is null if Corridor measured nothing, for example for a listener.',
              },
            ),
          ),
          answer: nullable(
            Type.String({
              description:
                'Response body, up to 64 KiB, of the latest twenty attempts. Null if there was no response or Corridor did not keep the body. Corridor keeps bodies from your endpoint only if the installation allows webhooks to private addresses, and never keeps responses to approval webhooks.',
            }),
          ),
          headers: Type.Record(Type.String(), Type.String(), {
            description:
              'Request headers, with only the beginning of the signature. While Corridor retries the event, it keeps the signature and the key of the last attempt.',
          }),
        },
        { $id: 'WebhookEventAttempt' },
      ),
      { description: 'The last twenty attempts at the endpoint, and the last twenty of each listener.' },
    ),
    lastAnswer: nullable(
      Type.String({
        description:
          "Your endpoint's response to the last failed attempt, up to 64 KiB. Corridor keeps the response only if the installation allows webhooks to private addresses, and never for an approval webhook.",
      }),
    ),
    signature: nullable(
      Type.Object(
        {
          keyId: Type.String({ description: 'Value of `X-Webhook-Key-Id`.' }),
          isVerified: Type.Boolean({
            description: 'True if the signature matches these bytes and a key in `GET /webhooks/public-key`.',
          }),
          isOfAttempts: Type.Boolean({
            description:
              'True if the attempts had this signature. False if only a resend would have the signature.',
          }),
        },
        {
          $id: 'WebhookEventSignature',
          description:
            'While Corridor retries the event, this is the signature of the attempts. Afterwards, this is the signature that a resend would have. Null if Corridor would not send the event again.',
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
  summary: 'Resend an event',
  description:
    'Sends the event again to the current endpoint and to listeners, with the same id and bytes. Returns 409 while Corridor is sending the event, or if an earlier response to the event approved or rejected a payment. Also returns 409 if the event had no endpoint and no listener is connected.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: Type.Object({ eventId: Type.String() }),
  responses: { 202: Type.Object({ id: idOf('Webhook') }, { $id: 'WebhookEventResent' }) },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

/** Which events are sent again: at least one bound in time, so that nobody sends everything by accident. */
const replayed = {
  createdAfter: timestamp({ description: 'Happened at or after this time.' }),
  createdBefore: Type.Optional(timestamp({ description: 'Happened at or before this time.' })),
  types: Type.Optional(Type.Array(EventType, { minItems: 1, maxItems: 50 })),
  statuses: Type.Optional(
    Type.Array(enumOf(['DELIVERED', 'FAILED', 'STORED', 'RETRYING']), {
      minItems: 1,
      maxItems: 4,
      description:
        'Default: the first three statuses. Corridor sends STORED events only to listeners, and sends RETRYING events now instead of at their next attempt.',
    }),
  ),
  resourceIds: Type.Optional(
    Type.Array(aboutOne('Id of the resource that the event is about.'), {
      minItems: 1,
      maxItems: 50,
      description: 'Resources whose events to replay. Default: all resources.',
    }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 50,
      description: 'Maximum number of events per second.',
    }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'If true, Corridor only counts the events and sends nothing.',
    }),
  ),
}

export const ReplayResult = Type.Object(
  {
    matching: Type.Integer({
      minimum: 0,
      description: 'Number of matching events. The value 10,001 means more than 10,000.',
    }),
    replayed: Type.Integer({
      minimum: 0,
      description: 'Number of events that Corridor sends again. The value is 0 for a dry run.',
    }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'Number of events that Corridor does not send again, because they are STORED and have no listener or are being sent now.',
    }),
    until: Type.Optional(timestamp({ description: 'Time at which Corridor will send the last event.' })),
  },
  { $id: 'WebhookReplay' },
)

export const replayWebhookEvents = operation({
  id: 'replayWebhookEvents',
  method: 'POST',
  path: '/webhook-events/replay',
  tag,
  summary: 'Replay events of a period',
  description:
    'Sends the events again, oldest first. The ids and bytes stay the same, so that your handler can recognize duplicates. You can replay at most 1,000 events at a time. To replay more events, ask the operator, who needs the approval of a second operator.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: Type.Object(replayed, { $id: 'WebhookReplayRequest' }),
  responses: { 200: ReplayResult },
  answersApart: 'the events are looked for before they are sent again',
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
  summary: "Replay a platform's events of a period",
  description:
    'You can replay at most 10,000 events at a time. For more than 1,000 events, a second operator has to approve the replay. A dry run only counts the events.',
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
