import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { loadActiveSessions, loadAuthMethods } from '../../platform/wallet-credentials/index.ts'
import { addCredential } from './add-credential.ts'
import { challengeCredential } from './challenge.ts'
import {
  challengeAuthCredential,
  createAuthCredential,
  listAuthCredentials,
  listAuthSessions,
  refreshAuthSession,
  revokeAuthCredential,
  revokeAuthSession,
  verifyAuthCredential,
} from './contract.ts'
import { checkCreate } from './field-checks.ts'
import { renderAuthMethod, renderSession } from './render.ts'
import { revokeCredential } from './revoke-credential.ts'
import { refreshSession, revokeSession } from './sessions.ts'
import { verifyCredential } from './verify.ts'

export const walletAuthRoutes = [
  route(listAuthCredentials, async (engine, { scope, query }) => {
    const methods = await loadAuthMethods(engine, scope, query.accountId)
    return ok({ status: 200, body: { data: methods.map(renderAuthMethod) } })
  }),

  route(createAuthCredential, addCredential, { check: (_engine, _scope, body) => checkCreate(body) }),
  route(revokeAuthCredential, revokeCredential),
  route(challengeAuthCredential, challengeCredential),
  route(verifyAuthCredential, verifyCredential),

  route(listAuthSessions, async (engine, { scope, query }) => {
    const [sessions, methods] = await Promise.all([
      loadActiveSessions(engine.database, scope, query.accountId),
      loadAuthMethods(engine, scope, query.accountId),
    ])
    const data = sessions.flatMap((session) => {
      const method = methods.find(({ id }) => id === session.credentialId)
      return method ? [renderSession(session, method)] : []
    })
    return ok({ status: 200, body: { data } })
  }),

  route(revokeAuthSession, revokeSession),
  route(refreshAuthSession, refreshSession),
]
