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
  description: 'STORED: no endpoint was set when the event happened, so Corridor does not send it to one.',
})

const shown = {
  id: idOf('Webhook'),
  type: EventType,
  resourceId: Type.String({ description: 'Resource that the event is about.' }),
  status: Status,
  attempts: Type.Integer({ minimum: 0, description: 'Attempts at the endpoint.' }),
  lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
  lastError: nullable(Type.String({ description: 'Error of the last attempt.' })),
  lastMilliseconds: nullable(
    Type.Integer({ minimum: 0, description: 'Duration of the last attempt. Null if it was not recorded.' }),
  ),
  nextAttemptAt: nullable(
    timestamp({
      description: 'Time of the next attempt, on the clock of the environment. Null: no attempt is planned.',
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
          status: nullable(Type.Integer({ description: 'HTTP status of the response. Null: no response.' })),
          error: nullable(Type.String({ description: 'Reason for the failure. Null: delivered.' })),
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
    resourceId: Type.Optional(repeatable(aboutOne('Resource that the event is about.'))),
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
    payload: openObject({ description: 'Body of the event. For an erased customer, the part that is left.' }),
    body: Type.String({ description: 'The exact bytes that Corridor sends and signs.' }),
    attemptLog: Type.Array(
      Type.Object(
        {
          via: Type.String({ description: '`endpoint`, or `listen:` and the name of a listener.' }),
          attempt: Type.Integer({ minimum: 1 }),
          at: timestamp(),
          status: nullable(Type.Integer({ description: 'HTTP status of the response.' })),
          error: nullable(Type.String({ description: 'Reason for the failure.' })),
          milliseconds: nullable(
            Type.Integer({ minimum: 0, description: 'Duration. Null if it was not recorded.' }),
          ),
          times: nullable(
            Type.Object(
              {
                dns: nullable(Type.Integer({ minimum: 0, description: 'Time to look up the host name.' })),
                connect: nullable(Type.Integer({ minimum: 0, description: 'Time to connect.' })),
                tls: nullable(
                  Type.Integer({
                    minimum: 0,
                    description: 'Time to set up encryption. Null for http.',
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
                    'True if the request used an open connection, so that the parts before it took no time.',
                }),
              },
              {
                $id: 'WebhookAttemptTimes',
                description:
                  'Duration of each part, in milliseconds. Null for a part that did not finish. The whole object is null if nothing was measured, for example for a listener.',
              },
            ),
          ),
          answer: nullable(
            Type.String({
              description:
                'Response body, up to 64 KiB. Kept only for the latest twenty attempts. Null if there was no response or Corridor did not keep it. Bodies from your endpoint are kept only if the installation allows webhooks to private addresses; responses to approval webhooks never are.',
            }),
          ),
          headers: Type.Record(Type.String(), Type.String(), {
            description:
              'Request headers, with only the beginning of the signature. Corridor keeps the signature and its key for the last attempt, while it retries the event.',
          }),
        },
        { $id: 'WebhookEventAttempt' },
      ),
      { description: 'The last twenty attempts at the endpoint, and the last twenty of each listener.' },
    ),
    lastAnswer: nullable(
      Type.String({
        description:
          "Your endpoint's response to the last failed attempt, up to 64 KiB. Kept only if the installation allows webhooks to private addresses, and never for an approval webhook.",
      }),
    ),
    signature: nullable(
      Type.Object(
        {
          keyId: Type.String({ description: 'Value of `X-Webhook-Key-Id`.' }),
          isVerified: Type.Boolean({
            description: 'True if it verifies these bytes with a key of `GET /webhooks/public-key`.',
          }),
          isOfAttempts: Type.Boolean({
            description: 'True: the attempts had this signature. False: a resend would use it.',
          }),
        },
        {
          $id: 'WebhookEventSignature',
          description:
            'The signature of the attempts while Corridor retries the event; afterwards the signature that a resend would have. Null if Corridor would send nothing.',
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
    'Sends the same id and bytes to the current endpoint and to listeners. Fails with 409 while the event is being sent, if its response has already approved or rejected something, or if the event had no endpoint and no listener is connected.',
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
        'Default: the first three. STORED events go only to listeners. RETRYING events are sent now instead of at their next attempt.',
    }),
  ),
  resourceIds: Type.Optional(
    Type.Array(aboutOne('Resource that the event is about.'), {
      minItems: 1,
      maxItems: 50,
      description: 'Only events about one of these resources. Default: all.',
    }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'Maximum number per second.' }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ default: false, description: 'Only count the events; send nothing.' }),
  ),
}

export const ReplayResult = Type.Object(
  {
    matching: Type.Integer({
      minimum: 0,
      description: 'Number of matching events. 10,001 means more than 10,000.',
    }),
    replayed: Type.Integer({
      minimum: 0,
      description: 'Number of events that Corridor sends again; 0 for a dry run.',
    }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'Number of events that are not sent again: STORED events without a listener, and events that are being sent now.',
    }),
    until: Type.Optional(timestamp({ description: 'Due time of the last event.' })),
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
    'Sends the events again, oldest first, with the same ids and bytes, so that your handler can recognize duplicates. At most 1,000 at a time. For more, ask the operator: a second operator has to approve the replay.',
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
    'At most 10,000 at a time. Above 1,000 a second operator has to approve the replay. A dry run reports the number.',
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
