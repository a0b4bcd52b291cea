import { failed, type Id, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Permission, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
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
  const held = scope.actor.permissions
  const excess = permissions.find((permission) => !held.includes(permission) && permission !== 'VIEW')
  if (excess) return failed(fail('FORBIDDEN', { requiredPermission: excess }))
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
      } satisfies ApiToken,
    }),
  })
}

/**
 * The last token that can manage the platform stays, or nobody could ever make another (customers 3.1). The
 * one that is left must still be as it was: of two removals at once the second is decided anew.
 */
export function decideDeleteToken(
  scope: Scope,
  token: Token,
  left: Pick<Token, 'id' | 'version'> | undefined,
): Result<Decision<Reply>, Failure> {
  const removal = decideRevokeToken(scope, token)
  if (!token.permissions.includes('MANAGE')) return ok(removal)
  if (!left) {
    return failed(
      failFields([{ field: 'tokenId', message: 'is the last token that can manage the platform' }]),
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
