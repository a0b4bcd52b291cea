import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Sandbox'
const named = Type.Object({ name: Type.String() })
const name = (description: string) => Type.String({ pattern: '^[a-z0-9-]{1,40}$', description })

export const World = Type.Object(
  {
    name: Type.String(),
    baseUrl: Type.String({ description: 'In place of that of the main world, with the version segment.' }),
    from: Type.String({ description: 'The world or snapshot that it is a copy of.' }),
    createdAt: timestamp({ description: 'In real time.' }),
  },
  { $id: 'SandboxWorld', description: 'A copy of the sandbox that goes on by itself.' },
)

export const Snapshot = Type.Object(
  {
    name: Type.String(),
    of: Type.String({ description: 'The world that it was taken of.' }),
    createdAt: timestamp({ description: 'In real time.' }),
  },
  { $id: 'SandboxSnapshot', description: 'The sandbox as it was at a moment.' },
)

const common = { tag, auth: 'basic', sandboxOnly: true, extension: true } as const

export const forkSandbox = operation({
  ...common,
  id: 'forkSandbox',
  method: 'POST',
  path: '/sandbox/worlds',
  summary: 'Fork the sandbox',
  description:
    'A copy of everything, with the same credentials, at `/w/{name}` in front of the version segment. Its clock and its jobs go on independently. Its webhooks are held until it has another endpoint than the one it was copied with, or a listener. A fork that nobody asks for 24 hours is removed. Below `/w/{name}` of a fork that is not there, or no more, every operation answers 404 `REFERENCE_NOT_FOUND`. For installations that are set up to be copied, such as that of `corridor dev`.',
  permissions: ['MANAGE'],
  body: Type.Object(
    {
      name: name('Of the fork: it is part of its address.'),
      from: Type.Optional(name('A snapshot; the world as it is now when absent.')),
    },
    { $id: 'SandboxForkRequest' },
  ),
  responses: { 201: World },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
  example: { name: 'test-7' },
})

export const listSandboxWorlds = operation({
  ...common,
  id: 'listSandboxWorlds',
  method: 'GET',
  path: '/sandbox/worlds',
  summary: 'List the forks of the sandbox',
  permissions: ['VIEW'],
  responses: { 200: Type.Object({ data: Type.Array(World) }, { $id: 'SandboxWorlds' }) },
  errors: ['CONFLICT'],
})

export const deleteSandboxWorld = operation({
  ...common,
  id: 'deleteSandboxWorld',
  method: 'DELETE',
  path: '/sandbox/worlds/{name}',
  summary: 'Remove a fork of the sandbox',
  permissions: ['MANAGE'],
  params: named,
  responses: { 204: null },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
})

export const createSandboxSnapshot = operation({
  ...common,
  id: 'createSandboxSnapshot',
  method: 'POST',
  path: '/sandbox/snapshots',
  summary: 'Take a snapshot of the sandbox',
  permissions: ['MANAGE'],
  body: Type.Object({ name: name('Of the snapshot.') }, { $id: 'SandboxSnapshotRequest' }),
  responses: { 201: Snapshot },
  errors: ['CONFLICT'],
  example: { name: 'before-payday' },
})

export const listSandboxSnapshots = operation({
  ...common,
  id: 'listSandboxSnapshots',
  method: 'GET',
  path: '/sandbox/snapshots',
  summary: 'List the snapshots of the sandbox',
  permissions: ['VIEW'],
  responses: { 200: Type.Object({ data: Type.Array(Snapshot) }, { $id: 'SandboxSnapshots' }) },
  errors: ['CONFLICT'],
})

export const deleteSandboxSnapshot = operation({
  ...common,
  id: 'deleteSandboxSnapshot',
  method: 'DELETE',
  path: '/sandbox/snapshots/{name}',
  summary: 'Remove a snapshot of the sandbox',
  permissions: ['MANAGE'],
  params: named,
  responses: { 204: null },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
})

export const restoreSandboxSnapshot = operation({
  ...common,
  id: 'restoreSandboxSnapshot',
  method: 'POST',
  path: '/sandbox/snapshots/{name}/restore',
  summary: 'Make the sandbox what it was',
  description:
    'The world that is asked becomes what the snapshot holds: everything that happened since is gone, its clock included. Requests wait meanwhile, for five seconds at most. Whoever reads the stream of events is told `world.restored`, and the stream ends. After 503, or no answer at all, ask for something that has changed since the snapshot: mostly nothing came of it and the sandbox is as it was, but where the database was away at the end the restore can be done all the same. A repetition makes the sandbox what the snapshot holds in either case, and what was done in between is gone.',
  permissions: ['MANAGE'],
  params: named,
  responses: { 200: Snapshot },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
})

export const resetSandbox = operation({
  ...common,
  id: 'resetSandbox',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Begin the sandbox anew',
  description:
    'Restores what the installation was when it was set up: the snapshot `start`, with the credentials of the first start alone. It is made at the first start where `CORRIDOR_WORLDS` is on then. Where that came later there is none, which is 404 until the main world is asked for a snapshot `start`: a reset goes back to that moment. 503 says what it says of a restore.',
  permissions: ['MANAGE'],
  responses: { 200: Snapshot },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
})
