import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Sandbox'
const named = Type.Object({ name: Type.String() })
const name = (description: string) => Type.String({ pattern: '^[a-z0-9-]{1,40}$', description })

export const World = Type.Object(
  {
    name: Type.String(),
    baseUrl: Type.String({ description: 'Base URL of the fork, with the version segment.' }),
    from: Type.String({ description: 'Sandbox, fork or snapshot from which the fork was copied.' }),
    createdAt: timestamp({ description: 'Creation time, in real time.' }),
  },
  { $id: 'SandboxWorld', description: 'An independent copy of the sandbox.' },
)

export const Snapshot = Type.Object(
  {
    name: Type.String(),
    of: Type.String({ description: 'Sandbox or fork that the snapshot was taken from.' }),
    createdAt: timestamp({ description: 'Creation time, in real time.' }),
  },
  { $id: 'SandboxSnapshot', description: 'Saved state of the sandbox.' },
)

const common = { tag, auth: 'basic', sandboxOnly: true, extension: true } as const

export const forkSandbox = operation({
  ...common,
  id: 'forkSandbox',
  method: 'POST',
  path: '/sandbox/worlds',
  summary: 'Fork the sandbox',
  description:
    'Copies the sandbox, including its credentials. Call the fork with `/w/{name}` in front of the version segment. The fork has its own clock and jobs, and sends no webhooks until it has an endpoint of its own or a listener. Corridor removes a fork after 24 hours without a request. The installation must allow forks, as with `corridor dev`.',
  permissions: ['MANAGE'],
  body: Type.Object(
    {
      name: name("Name of the fork. The name is part of the fork's address."),
      from: Type.Optional(name('Name of the snapshot to fork. Default: the current state.')),
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
  body: Type.Object({ name: name('Name of the snapshot.') }, { $id: 'SandboxSnapshotRequest' }),
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
  summary: 'Restore a snapshot of the sandbox',
  description:
    'Restores the sandbox or fork that you address, including its clock, and discards later changes. During the restore, requests wait for up to five seconds. Event streams get `world.restored` and end. After a 503 or without a response, read a resource that has changed since the snapshot to see whether the restore succeeded. You can safely repeat the restore, but it discards changes made in between.',
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
  summary: 'Reset the sandbox',
  description:
    'Restores the snapshot `start`, with only the credentials of the first startup. Corridor takes this snapshot at the first startup if `CORRIDOR_WORLDS` is already on. If `CORRIDOR_WORLDS` was off at the first startup, the response is 404 until you take a snapshot of the main sandbox and name it `start`. If the response is 503, see the restore operation.',
  permissions: ['MANAGE'],
  responses: { 200: Snapshot },
  errors: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
})
