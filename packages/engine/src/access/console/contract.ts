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
        "Id of the operator or token that signed in; `operator` for the environment's operator key.",
    }),
    role: Type.Optional(enumOf([...operatorRoles], { description: 'Only for an operator.' })),
    platformId: Type.Optional(Type.String({ description: 'Platform of the token. Only for a token.' })),
    platformName: Type.Optional(Type.String()),
    environment: Type.Optional(enumOf([...environments], { description: 'Only for a token.' })),
    permissions: Type.Optional(Type.Array(Type.String(), { description: 'Only for a token.' })),
    signedInAt: timestamp(),
    idleSeconds: Type.Integer({ description: 'Seconds without activity after which the session ends.' }),
    hasWorlds: Type.Boolean({ description: 'True if this server allows forks of its sandbox.' }),
  },
  { $id: 'ConsoleSession', description: 'A console session.' },
)
export type ConsoleSession = Static<typeof ConsoleSession>

export const openConsoleSession = operation({
  id: 'openConsoleSession',
  method: 'POST',
  path: '/console/session',
  tag,
  summary: 'Sign in to the console with an operator key or a platform token',
  description:
    'Sets a cookie that only `/console/api` accepts. To change something in production, sign in again if your last sign-in is older than five minutes.',
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
  summary: 'Create a link that signs its first user in to the console of a sandbox',
  description:
    'Requires a sandbox token. The link expires after ten minutes, or when the secret that created the link is revoked.',
  auth: 'console',
  surface: 'operator',
  sandboxOnly: true,
  permissions: [],
  responses: {
    201: Type.Object(
      {
        path: Type.String({ description: 'Path on this server. Only this response contains the path.' }),
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
  summary: 'Sign in to the console with a one-time link',
  auth: 'none',
  surface: 'operator',
  permissions: [],
  body: Type.Object(
    {
      token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,800}\\.[A-Za-z0-9_-]{1,100}$' }),
      replaces: Type.Optional(
        Type.Boolean({
          description:
            'If true, the request ends an existing session of an operator or another platform in this browser. Otherwise the response is 409 with the platform name of the link, so that a link from another person cannot silently replace the session.',
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
  summary: 'Read the current console session',
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
    seenAt: timestamp({ description: 'Last use, to the minute.' }),
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
  summary: 'List console sessions',
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
  summary: 'End a console session immediately',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'STOP',
  permissions: [],
  params: Type.Object({ sessionId: Type.String() }),
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
})
