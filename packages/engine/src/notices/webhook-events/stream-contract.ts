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
    'With `Accept: text/event-stream`, the response is a stream of server-sent events. The stream starts with `ready`. Corridor then sends each event once and in order, as an `event` with `id`, `type`, `resourceId` and `createdAt`. Send `Last-Event-ID` to continue after an event. If you missed more than 1,000 events, or Corridor no longer keeps the missed events, the stream starts with `resync` instead of `ready`. After `resync`, read your lists again. When the sandbox clock moves, the stream sends `clock` with `now` and `offsetSeconds`. When you lose access, the stream sends `end` with a `code`. Every ten seconds, Corridor also sends a comment line (`:`) to keep the connection open. A platform can have 20 streams per process. With any other `Accept`, the response is the id at which a stream would start now.',
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
