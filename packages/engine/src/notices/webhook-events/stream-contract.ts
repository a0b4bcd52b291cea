import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, nullable } from '../../vocabulary/shapes.ts'

export const streamEvents = operation({
  id: 'streamEvents',
  method: 'GET',
  path: '/stream',
  tag: 'Webhooks',
  summary: 'Stream events',
  description:
    'With `Accept: text/event-stream` the response is a stream of server-sent events. `ready` marks its start. An `event` with `id`, `type`, `resourceId` and `createdAt` follows for each event, in order and once. Send `Last-Event-ID` to continue after an event. If you missed more than 1,000 events, or they are no longer kept, you get `resync` instead of `ready`: read your lists again. `clock` carries `now` and `offsetSeconds` after a move of the sandbox clock. `end` carries a `code` when you lose access. Comments come every ten seconds. At most 20 streams per platform and process. With any other `Accept` the response is the id at which a stream would start now.',
  auth: 'basic',
  permissions: ['VIEW'],
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(Type.String({ description: '`id` of the last event that you received.' })),
  }),
  responses: {
    200: Type.Object({ lastEventId: nullable(idOf('Webhook')) }, { $id: 'EventStreamPosition' }),
  },
  isStream: true,
  errors: [],
  extension: true,
})
