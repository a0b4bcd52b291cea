import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { ApiTokenCreateRequest } from './contract.ts'
import {
  decideCreateToken,
  decideDeleteToken,
  decideRevokeToken,
  decideRotateToken,
  type NewCredential,
} from './rules.ts'
import { loadOtherManagingToken, loadToken, type Token } from './store.ts'

export async function createToken(
  engine: Engine,
  scope: Scope,
  request: ApiTokenCreateRequest,
): Promise<Result<Reply, Failure>> {
  const credential = newCredential(engine)
  return commit(engine.applier, scope, async () => decideCreateToken(scope, request, credential))
}

export async function deleteToken(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return changeToken(engine, scope, id, async (token) =>
    decideDeleteToken(
      scope,
      token,
      await loadOtherManagingToken(engine.database, scope, { id, realNow: engine.world.now() }),
    ),
  )
}

/** Ends a token even when it is the last one that can manage the platform; for the operator. */
export async function revokeToken(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return changeToken(engine, scope, id, async (token) => ok(decideRevokeToken(scope, token)))
}

/** What is remembered of the token is forgotten here at once, and within two seconds by every other process. */
async function changeToken(
  engine: Engine,
  scope: Scope,
  id: string,
  decide: (token: Token) => Promise<Result<Decision<Reply>, Failure>>,
): Promise<Result<Reply, Failure>> {
  let clientId: string | undefined
  const ended = await commit(engine.applier, scope, async () => {
    const token = await loadToken(engine.database, scope, id)
    if (!token) return failed(fail('TOKEN_NOT_FOUND', { resourceType: 'Token', id }))
    clientId = token.clientId
    return decide(token)
  })
  if (ended.ok && clientId !== undefined) engine.authenticator.forget(clientId)
  return ended
}

const defaultOverlapSeconds = 86_400

/** Another secret for a token, beside the one of before for a while. */
export async function rotateToken(
  engine: Engine,
  scope: Scope,
  id: string,
  overlapSeconds = defaultOverlapSeconds,
): Promise<Result<Reply, Failure>> {
  const credential = newCredential(engine)
  return changeToken(engine, scope, id, async (token) =>
    decideRotateToken(scope, token, credential, {
      realNow: engine.world.now(),
      overlapMs: overlapSeconds * 1000,
    }),
  )
}

/** A client id and a secret of 256 random bits; only the keyed hash of the secret is stored. */
export function newCredential(engine: Pick<Engine, 'world' | 'keys'>): NewCredential {
  const { world, keys } = engine
  const random = (bytes: number) => Buffer.from(world.randomBytes(bytes))
  const clientSecret = random(32).toString('base64url')
  return {
    id: world.id('Token'),
    // Letters and digits only: an id that begins with a dash is an option to many a command line.
    clientId: random(15).toString('hex'),
    clientSecret,
    secretHash: keys.hashSecret(clientSecret),
  }
}
