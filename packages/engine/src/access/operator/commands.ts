import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { listMessages as readMessages, renderMessage } from '../../notices/messages/index.ts'
import { type PlatformSettings, createPlatform as provision } from '../../platform/platforms/index.ts'
import {
  type ApiTokenCreateRequest,
  createToken,
  revokeToken as endToken,
} from '../../platform/tokens/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Environment, Scope } from '../../vocabulary/scope.ts'
import type { OperatorPlatformCreateRequest } from './contract.ts'
import { renderPlatform, unpaged } from './render.ts'
import { refuseEmbeddedProduction } from './rules.ts'
import { listLimit, loadPlatformIn, type PlatformRow, reviveJob, saveSettings } from './store.ts'

/** A platform in one environment, as the paths of the operator name it. */
export interface PlatformKey {
  readonly platformId: string
  readonly environment: Environment
}

export async function createPlatform(
  engine: Engine,
  actor: Actor,
  request: OperatorPlatformCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { name, environment, isRegulated = false, skipPaperwork = false, settings = {} } = request
  const refusal = refuseEmbeddedProduction({
    requiresDurableDatabase: engine.adapters[environment].rules.requiresDurableDatabase,
    databaseKind: engine.database.kind,
    isAllowed: engine.settings.allowEmbeddedProduction,
    isSeeded: engine.settings.isSeeded === true,
  })
  if (refusal) return failed(refusal)
  const created = await provision(engine, { name, environment, isRegulated, skipPaperwork, settings }, actor)
  if (!created.ok) return created
  const { platformId, tokenId, clientId, clientSecret, webhookPublicKey } = created.value
  const platform = await requirePlatform(engine, { platformId, environment })
  if (!platform.ok) return platform
  const token = { id: tokenId, clientId, clientSecret }
  return ok({ status: 201, body: { ...renderPlatform(platform.value), token, webhookPublicKey } })
}

export async function updateSettings(
  engine: Engine,
  actor: Actor,
  key: PlatformKey,
  settings: PlatformSettings,
): Promise<Result<Reply, Failure>> {
  const known = await requirePlatform(engine, key)
  if (!known.ok) return known
  await saveSettings(engine.database, actor, known.value, settings)
  const changed = await requirePlatform(engine, key)
  return changed.ok ? ok({ status: 200, body: renderPlatform(changed.value) }) : changed
}

export async function issueToken(
  engine: Engine,
  actor: Actor,
  key: PlatformKey,
  request: ApiTokenCreateRequest,
): Promise<Result<Reply, Failure>> {
  const scope = await scopeOf(engine, actor, key)
  return scope.ok ? createToken(engine, scope.value, request) : scope
}

export async function revokeToken(
  engine: Engine,
  actor: Actor,
  key: PlatformKey,
  tokenId: string,
): Promise<Result<Reply, Failure>> {
  const scope = await scopeOf(engine, actor, key)
  return scope.ok ? endToken(engine, scope.value, tokenId) : scope
}

export async function retryJob(engine: Engine, actor: Actor, id: string): Promise<Result<Reply, Failure>> {
  const outcome = await reviveJob(engine.database, actor, id, toTimestamp(engine.world.now()))
  if (outcome === 'unknown') return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Job', id }))
  if (outcome === 'superseded') {
    return failed(fail('CONFLICT', { reason: 'PENDING_WITH_SAME_KEY', resourceType: 'Job', id }))
  }
  return ok({ status: 204 })
}

/** What a platform has sent, the latest first; texts only where nobody else received them. */
export async function listMessages(
  engine: Engine,
  key: PlatformKey,
  filters: { readonly customerId?: string; readonly channel?: 'EMAIL' | 'SMS' },
): Promise<Result<Reply, Failure>> {
  const known = await requirePlatform(engine, key)
  if (!known.ok) return known
  const { messenger } = engine.adapters[key.environment]
  const page = { limit: listLimit - 1, sortOrder: 'desc', after: null } as const
  const { rows } = await readMessages(engine, key, filters, page)
  return ok({ status: 200, body: unpaged(rows.map((message) => renderMessage(message, messenger))) })
}

async function scopeOf(engine: Engine, actor: Actor, key: PlatformKey): Promise<Result<Scope, Failure>> {
  const platform = await requirePlatform(engine, key)
  return platform.ok ? ok(await engine.clock.scope(key, actor)) : platform
}

async function requirePlatform(
  { database }: Engine,
  { platformId, environment }: PlatformKey,
): Promise<Result<PlatformRow, Failure>> {
  const platform = await loadPlatformIn(database, platformId, environment)
  if (platform) return ok(platform)
  return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Platform', id: platformId }))
}
