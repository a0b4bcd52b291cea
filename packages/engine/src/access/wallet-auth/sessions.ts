import { failed, ok, type Result, stateAfter } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { decideSigned } from '../../mechanisms/signed-requests/index.ts'
import { parsePoint } from '../../mechanisms/wallet-crypto/index.ts'
import {
  type AuthMethod,
  isActive,
  loadActiveSessions,
  loadAuthMethod,
  loadSession,
  signersOf,
  type WalletSession,
  walletSessionMachine,
} from '../../platform/wallet-credentials/index.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { refreshAuthSession, revokeAuthSession } from './contract.ts'
import { openSession, sessionKeyFor } from './open-session.ts'
import { endSessionPayload, sessionPayload } from './payloads.ts'
import { loadWallet, missing, unauthorized } from './wallet.ts'

/** Ends a session; any session of the wallet may sign for that, the one that ends included (wallets 8). */
export async function revokeSession(
  engine: Engine,
  { scope, params, header }: Call<typeof revokeAuthSession>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireSession(engine, scope, params.id)
    if (!found.ok) return found
    const { session, method } = found.value
    if (!method || !isActive(session, scope.now)) return failed(missing('Session', params.id))
    const wallet = await loadWallet(engine, scope, session.accountId)
    if (!wallet.ok) return wallet
    const { id, version, accountId, ownerId } = session
    return decideSigned(engine, scope, {
      operation: revokeAuthSession.id,
      resourceId: id,
      ownerId,
      body: {},
      header,
      challenge: () =>
        ok({
          payloadToSign: endSessionPayload({ names: wallet.value.names, now: scope.now }, id),
          fields: { type: method.type },
        }),
      async signers() {
        const sessions = await loadActiveSessions(engine.database, scope, [accountId])
        return signersOf(sessions)
      },
      effect: () =>
        ok({
          updates: [
            {
              table: 'wallet_sessions',
              id,
              from: ['ACTIVE'],
              version,
              set: {
                status: stateAfter(walletSessionMachine, 'revoke'),
                updated_at: changedAt(scope, session.updatedAt),
              },
            },
          ],
          result: () => ({ status: 204 }),
        }),
    })
  })
}

/** Opens another session on the strength of one that is active, which alone may sign for it (wallets 8). */
export async function refreshSession(
  engine: Engine,
  { scope, params, body, header }: Call<typeof refreshAuthSession>,
): Promise<Result<Reply, Failure>> {
  const { clientPublicKey } = body
  if (!parsePoint(clientPublicKey)) {
    return failed(failFields([{ field: 'clientPublicKey', message: 'is not a point on P-256' }]))
  }
  return commit(engine.applier, scope, async () => {
    const found = await requireSession(engine, scope, params.id)
    if (!found.ok) return found
    const { session, method } = found.value
    if (!method || !isActive(session, scope.now)) return failed(unauthorized('Session is not active'))
    const wallet = await loadWallet(engine, scope, session.accountId)
    if (!wallet.ok) return wallet
    const { id, ownerId, publicKey } = session
    return decideSigned(engine, scope, {
      operation: refreshAuthSession.id,
      resourceId: id,
      ownerId,
      body: { clientPublicKey },
      header,
      challenge: () =>
        ok({ payloadToSign: sessionPayload({ names: wallet.value.names, now: scope.now }, clientPublicKey) }),
      signers: () => ({ publicKeys: [publicKey] }),
      async effect() {
        const key = await sessionKeyFor(engine, clientPublicKey)
        const opened = openSession(engine, scope, method, key)
        return ok({
          ...opened.changes,
          requires: [{ table: 'wallet_sessions', id, from: ['ACTIVE'] } as const, ...opened.changes.requires],
          result: () => ({ status: 201, body: opened.body }),
        })
      },
    })
  })
}

/** A session with the credential that opened it, if that is still there. */
async function requireSession(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<{ session: WalletSession; method: AuthMethod | undefined }, Failure>> {
  const session = await loadSession(engine, scope, id)
  if (!session) return failed(missing('Session', id))
  return ok({ session, method: await loadAuthMethod(engine, scope, session.credentialId) })
}
