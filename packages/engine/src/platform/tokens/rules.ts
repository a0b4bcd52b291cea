import { failed, type Id, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { areaNames } from '../../vocabulary/areas.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Permission, Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope, type TokenLimits } from '../../vocabulary/scope.ts'
import type { ApiToken, ApiTokenCreateRequest } from './contract.ts'
import type { Token } from './store.ts'

const permissionOrder: readonly Permission[] = ['VIEW', 'TRANSACT', 'MANAGE']

/** What a new token needs that is not in the request. */
export interface NewCredential {
  readonly id: Id<'Token'>
  readonly clientId: string
  readonly clientSecret: string
  readonly secretHash: string
}

/**
 * A token may hold what its creator holds and no more; permissions are kept once each, in one order
 * (customers 3.1). Fails with FORBIDDEN.
 */
export function decideCreateToken(
  scope: Scope,
  request: ApiTokenCreateRequest,
  credential: NewCredential,
): Result<Decision<Reply>, Failure> {
  const permissions = permissionOrder.filter((permission) => request.permissions.includes(permission))
  const limits = inheritedLimits(scope, request)
  const excess = ofFormerSecret(scope) ?? excessOf(scope, permissions, limits)
  if (excess) return failed(excess)
  const at = toTimestamp(scope.now)
  const { id, clientId, clientSecret, secretHash } = credential
  const { name } = request
  return ok({
    inserts: [
      {
        table: 'tokens',
        row: {
          id,
          name,
          client_id: clientId,
          secret_hash: secretHash,
          permissions,
          expires_at: limits.expiresAt === undefined ? null : toTimestamp(limits.expiresAt),
          allowed_addresses: limits.allowedAddresses ?? null,
          areas: limits.areas ?? null,
          created_at: at,
          updated_at: at,
        },
      },
    ],
    result: () => ({
      status: 201,
      body: {
        id,
        name,
        permissions,
        clientId,
        clientSecret,
        createdAt: at,
        updatedAt: at,
        ...renderLimits(limits),
      } satisfies ApiToken,
    }),
  })
}

/** What is not said is as narrow as whoever creates it. */
function inheritedLimits({ actor }: Scope, request: ApiTokenCreateRequest): TokenLimits {
  const { expiresAt, allowedAddresses, areas } = request
  return {
    expiresAt: expiresAt === undefined ? actor.limits?.expiresAt : Date.parse(expiresAt),
    allowedAddresses: allowedAddresses ?? actor.limits?.allowedAddresses,
    areas: areas ? areaNames.filter((area) => areas.includes(area)) : actor.limits?.areas,
  }
}

const broader = fail('FORBIDDEN', { reason: 'BROADER_THAN_CALLER' })

/** Nobody gives, or gets by a rotation, more than they hold. */
function excessOf(
  { actor }: Scope,
  permissions: readonly Permission[],
  limits: TokenLimits,
): Failure | undefined {
  const requiredPermission = permissions.find(
    (permission) => !actor.permissions.includes(permission) && permission !== 'VIEW',
  )
  return requiredPermission ? fail('FORBIDDEN', { requiredPermission }) : beyondLimits(actor, limits)
}

function beyondLimits(actor: Scope['actor'], limits: TokenLimits): Failure | undefined {
  const { expiresAt, allowedAddresses, areas } = actor.limits ?? {}
  const isBroader =
    (expiresAt !== undefined && (limits.expiresAt ?? Number.POSITIVE_INFINITY) > expiresAt) ||
    !isWithin(limits.allowedAddresses, allowedAddresses) ||
    !isWithin(limits.areas, areas)
  return isBroader ? broader : undefined
}

function isWithin(given: readonly string[] | undefined, held: readonly string[] | undefined): boolean {
  return held === undefined || (given?.every((each) => held.includes(each)) ?? false)
}

/** Limits as the API shows them: those that there are. */
export function renderLimits({ expiresAt, allowedAddresses, areas }: TokenLimits): Partial<ApiToken> {
  return {
    ...(expiresAt === undefined ? {} : { expiresAt: toTimestamp(expiresAt) }),
    ...(allowedAddresses === undefined ? {} : { allowedAddresses: [...allowedAddresses] }),
    ...(areas === undefined ? {} : { areas: [...areas] }),
  }
}

/**
 * The secret of before a rotation writes no token: whoever has it could shut out those who have the new one, by a token
 * that it makes as well, or stay when the overlap is ended.
 */
function ofFormerSecret({ actor }: Scope): Failure | undefined {
  return actor.limits?.isFormer ? broader : undefined
}

/** Another secret; the one of before is good for as long as is said, and the one before that no more. */
export function decideRotateToken(
  scope: Scope,
  token: Token,
  credential: Pick<NewCredential, 'clientSecret' | 'secretHash'>,
  times: { readonly realNow: Instant; readonly overlapMs: number },
): Result<Decision<Reply>, Failure> {
  const limits = limitsOf(token)
  const excess = ofFormerSecret(scope) ?? excessOf(scope, token.permissions, limits)
  if (excess) return failed(excess)
  const at = changedAt(scope, token.updatedAt)
  const overlapEndsAt = toTimestamp(times.realNow + times.overlapMs)
  const set = {
    secret_hash: credential.secretHash,
    former_secret_hash: token.secretHash,
    former_secret_until: overlapEndsAt,
    updated_at: at,
  }
  const { id, name, permissions, clientId, createdAt, lastUsedAt } = token
  const body: ApiToken = {
    id,
    name,
    permissions: [...permissions],
    clientId,
    clientSecret: credential.clientSecret,
    createdAt: toTimestamp(createdAt),
    updatedAt: at,
    ...renderLimits(limits),
    ...(lastUsedAt === null ? {} : { lastUsedAt: toTimestamp(lastUsedAt) }),
    overlapEndsAt,
  }
  return ok({
    updates: [{ table: 'tokens', id, version: token.version, set }],
    result: () => ({ status: 200, body }),
  })
}

export function limitsOf({ expiresAt, allowedAddresses, areas }: Token): TokenLimits {
  return {
    expiresAt: expiresAt ?? undefined,
    allowedAddresses: allowedAddresses ?? undefined,
    areas: areas ?? undefined,
  }
}

/**
 * The last token that can manage the platform stays, or nobody could ever make another (customers 3.1). The
 * one that is left must still be as it was: of two removals at once the second is decided anew. A token that is held to
 * limits ends none that is held to less.
 */
export function decideDeleteToken(
  scope: Scope,
  token: Token,
  left: Pick<Token, 'id' | 'version'> | undefined,
): Result<Decision<Reply>, Failure> {
  const excess = ofFormerSecret(scope) ?? beyondLimits(scope.actor, limitsOf(token))
  if (excess) return failed(excess)
  const removal = decideRevokeToken(scope, token)
  if (!token.permissions.includes('MANAGE')) return ok(removal)
  if (!left) {
    return failed(
      failFields([{ field: 'tokenId', message: 'is the last token with which you can manage the platform' }]),
    )
  }
  const guard = { table: 'tokens', id: left.id, version: left.version, set: {} } as const
  return ok({ ...removal, updates: [...(removal.updates ?? []), guard] })
}

/** What the operator may do with any token, because the operator can issue another (customers 1). */
export function decideRevokeToken(scope: Scope, token: Token): Decision<Reply> {
  const at = toTimestamp(scope.now)
  return {
    updates: [
      { table: 'tokens', id: token.id, version: token.version, set: { deleted_at: at, updated_at: at } },
    ],
    result: () => ({ status: 204 }),
  }
}
