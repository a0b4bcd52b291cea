import { toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  isCompressed,
  newScalar,
  type PublicPoint,
  parsePoint,
  publicPointOf,
  sealSessionKey,
} from '../../mechanisms/wallet-crypto/index.ts'
import {
  type AuthMethod,
  sessionLifeMs,
  type WalletSession,
} from '../../platform/wallet-credentials/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { AuthSessionWire } from './credential-schemas.ts'
import { renderSession } from './render.ts'

/** A session that is to be, and what the caller is told of it. */
export interface OpenedSession {
  readonly changes: Required<Pick<Decision, 'requires' | 'inserts'>>
  readonly body: AuthSessionWire
}

/** The key of a session: the client's own, or one that is made, sealed to the client's and forgotten. */
export interface SessionKey {
  readonly publicKey: PublicPoint
  readonly sealed?: string
}

/** Which of the two the form of the client's key asks for (wallets 1). The key has been checked. */
export async function sessionKeyFor(
  { world }: Pick<Engine, 'world'>,
  clientKey: string,
): Promise<SessionKey> {
  const client = parsePoint(clientKey)!
  if (isCompressed(clientKey)) return { publicKey: client }
  const scalar = newScalar(world)
  return { publicKey: publicPointOf(scalar), sealed: await sealSessionKey(world, client, scalar) }
}

/** Opens a session of a credential for fifteen minutes (wallets 8), while the credential is there. */
export function openSession(
  { world }: Pick<Engine, 'world'>,
  scope: Scope,
  method: AuthMethod,
  { publicKey, sealed }: SessionKey,
): OpenedSession {
  const { accountId, ownerId, id: credentialId } = method
  const session: WalletSession = {
    id: world.id('Session'),
    version: 1n,
    accountId,
    ownerId,
    credentialId,
    publicKey: publicKey.compressed,
    status: 'ACTIVE',
    createdAt: scope.now,
    updatedAt: scope.now,
    expiresAt: scope.now + sessionLifeMs,
  }
  const at = toTimestamp(scope.now)
  const row = {
    id: session.id,
    account_id: accountId,
    owner_id: ownerId,
    credential_id: credentialId,
    public_key: session.publicKey,
    status: session.status,
    created_at: at,
    updated_at: at,
    expires_at: toTimestamp(session.expiresAt),
  }
  return {
    changes: {
      requires: [{ table: 'auth_methods', id: credentialId, from: ['ACTIVE'] }],
      inserts: [{ table: 'wallet_sessions', row }],
    },
    body: {
      ...renderSession(session, method),
      ...(sealed === undefined ? {} : { encryptedSessionSigningKey: sealed }),
    },
  }
}
