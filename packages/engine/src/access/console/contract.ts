import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { operatorRoles } from '../../vocabulary/roles.ts'
import { environments } from '../../vocabulary/scope.ts'
import { enumOf, idOf, listOf, paging, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Operator'

export const ConsoleSession = Type.Object(
  {
    id: idOf('ConsoleSession'),
    subject: Type.String({
      description:
        'Who has signed in: an operator or a token by its id, `operator` for the key of the environment.',
    }),
    role: Type.Optional(enumOf([...operatorRoles], { description: 'Of an operator.' })),
    platformId: Type.Optional(Type.String({ description: 'Of a token: the only platform it sees.' })),
    platformName: Type.Optional(Type.String()),
    environment: Type.Optional(enumOf([...environments], { description: 'Of a token.' })),
    permissions: Type.Optional(Type.Array(Type.String(), { description: 'Of a token.' })),
    signedInAt: timestamp(),
    idleSeconds: Type.Integer({ description: 'How long it lives unused.' }),
    hasWorlds: Type.Boolean({ description: 'Whether this server makes copies of its sandbox.' }),
  },
  { $id: 'ConsoleSession', description: 'A person who is signed in to the console.' },
)
export type ConsoleSession = Static<typeof ConsoleSession>

export const openConsoleSession = operation({
  id: 'openConsoleSession',
  method: 'POST',
  path: '/console/session',
  tag,
  summary: "Sign in to the console with an operator's key or the token of a platform",
  description:
    'The answer sets a cookie that `/console/api` takes and nothing else does. Whoever changes something in production has signed in within the last five minutes.',
  auth: 'console',
  surface: 'operator',
  permissions: [],
  responses: { 201: ConsoleSession },
  errors: [],
})

export const createStartLink = operation({
  id: 'createConsoleStartLink',
  method: 'POST',
  path: '/console/start-link',
  tag,
  summary: 'Make a link that signs its first user in to the console of a sandbox',
  description:
    'For the token of a sandbox. It lasts ten minutes, and ends with the secret that it was made with.',
  auth: 'console',
  surface: 'operator',
  sandboxOnly: true,
  permissions: [],
  responses: {
    201: Type.Object(
      {
        path: Type.String({ description: 'Behind the address of the server. Shown to nobody else.' }),
        expiresAt: timestamp(),
      },
      { $id: 'ConsoleStartLink' },
    ),
  },
  errors: ['FORBIDDEN'],
})

export const startConsoleSession = operation({
  id: 'startConsoleSession',
  method: 'POST',
  path: '/console/session/start',
  tag,
  summary: 'Sign in to the console with what a link holds, once',
  auth: 'none',
  surface: 'operator',
  permissions: [],
  body: Type.Object(
    {
      token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,800}\\.[A-Za-z0-9_-]{1,100}$' }),
      replaces: Type.Optional(
        Type.Boolean({
          description:
            'Whether the link ends the session that the browser has already, of an operator or of another platform. Without it the response is 409 with the name of the platform of the link: a link from somebody else must not change unnoticed where a person is signed in.',
        }),
      ),
    },
    { $id: 'ConsoleStartRequest' },
  ),
  responses: { 201: ConsoleSession },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
})

export const getConsoleSession = operation({
  id: 'getConsoleSession',
  method: 'GET',
  path: '/console/session',
  tag,
  summary: 'Read who is signed in to the console',
  auth: 'console',
  surface: 'operator',
  permissions: [],
  responses: { 200: ConsoleSession },
  errors: [],
})

export const closeConsoleSession = operation({
  id: 'closeConsoleSession',
  method: 'DELETE',
  path: '/console/session',
  tag,
  summary: 'Sign out of the console',
  auth: 'console',
  surface: 'operator',
  permissions: [],
  responses: { 204: null },
  errors: [],
})

export const OpenedSession = Type.Object(
  {
    id: idOf('ConsoleSession'),
    subject: Type.String(),
    platformId: Type.Optional(Type.String()),
    environment: Type.Optional(enumOf([...environments])),
    signedInAt: timestamp(),
    seenAt: timestamp({ description: 'When it was used last, to the minute.' }),
    endedAt: Type.Optional(timestamp()),
  },
  { $id: 'OpenedConsoleSession' },
)
export type OpenedSession = Static<typeof OpenedSession>

export const listSessions = operation({
  id: 'operatorListSessions',
  method: 'GET',
  path: '/operator/sessions',
  tag,
  summary: 'List who has signed in to the console',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  permissions: [],
  query: Type.Object({ ...paging }),
  responses: { 200: listOf('OpenedConsoleSessionList', OpenedSession) },
  errors: [],
})

export const endSession = operation({
  id: 'operatorEndSession',
  method: 'DELETE',
  path: '/operator/sessions/{sessionId}',
  tag,
  summary: 'End a session: its next request is refused by every process',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'STOP',
  permissions: [],
  params: Type.Object({ sessionId: Type.String() }),
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
})
