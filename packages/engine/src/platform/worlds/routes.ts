import { ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Fork, Snapshot } from '../../ports/worlds.ts'
import { apiVersion } from '../../vocabulary/version.ts'
import * as contract from './contract.ts'

export const worldRoutes = [
  route(contract.forkSandbox, async ({ worlds }, { body }) => {
    const made = await worlds.fork(body.name, body.from)
    return made.ok ? ok({ status: 201, body: renderFork(made.value) }) : made
  }),
  route(contract.listSandboxWorlds, async ({ worlds }) => {
    const found = await worlds.list()
    return found.ok ? ok({ status: 200, body: { data: found.value.map(renderFork) } }) : found
  }),
  route(contract.deleteSandboxWorld, async ({ worlds }, { params }) => {
    const dropped = await worlds.drop(params.name)
    return dropped.ok ? ok({ status: 204 }) : dropped
  }),
  route(contract.createSandboxSnapshot, async ({ worlds }, { body }) => {
    const made = await worlds.snapshot(body.name)
    return made.ok ? ok({ status: 201, body: renderSnapshot(made.value) }) : made
  }),
  route(contract.listSandboxSnapshots, async ({ worlds }) => {
    const found = await worlds.snapshots()
    return found.ok ? ok({ status: 200, body: { data: found.value.map(renderSnapshot) } }) : found
  }),
  route(contract.deleteSandboxSnapshot, async ({ worlds }, { params }) => {
    const dropped = await worlds.dropSnapshot(params.name)
    return dropped.ok ? ok({ status: 204 }) : dropped
  }),
  route(contract.restoreSandboxSnapshot, async ({ worlds }, { params, asker }) => {
    const restored = await worlds.restore(params.name, asker)
    return restored.ok ? ok({ status: 200, body: renderSnapshot(restored.value) }) : restored
  }),
  route(contract.resetSandbox, async ({ worlds }, { asker }) => {
    const restored = await worlds.reset(asker)
    return restored.ok ? ok({ status: 200, body: renderSnapshot(restored.value) }) : restored
  }),
]

function renderFork({ name, baseUrl, from, createdAt }: Fork) {
  return { name, baseUrl: `${baseUrl}/${apiVersion}`, from, createdAt: toTimestamp(createdAt) }
}

function renderSnapshot({ name, of, createdAt }: Snapshot) {
  return { name, of, createdAt: toTimestamp(createdAt) }
}
