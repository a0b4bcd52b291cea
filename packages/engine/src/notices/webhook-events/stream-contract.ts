import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, nullable } from '../../vocabulary/shapes.ts'

export const streamEvents = operation({
  id: 'streamEvents',
  method: 'GET',
  path: '/stream',
  tag: 'Webhooks',
  summary: 'See events as they happen',
  description:
    'With `Accept: text/event-stream` server-sent events: `ready` once everything that happens from then on is told, then an `event` for each, with its `id`, `type`, `resourceId` and `createdAt`, in order and once. `Last-Event-ID` goes on after that event; `resync` instead of `ready` says that what was missed is more than 1,000 events or not kept, so read your lists again. `clock` tells `now` and `offsetSeconds` when the clock of a sandbox was moved. `end` says with a `code` that you may not see more. A comment comes every ten seconds. At most 20 streams of a platform in a process. With another `Accept` the id at which a stream would begin now.',
  auth: 'basic',
  permissions: ['VIEW'],
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(Type.String({ description: 'The `id` that came last.' })),
  }),
  responses: {
    200: Type.Object({ lastEventId: nullable(idOf('Webhook')) }, { $id: 'EventStreamPosition' }),
  },
  isStream: true,
  errors: [],
  extension: true,
})
