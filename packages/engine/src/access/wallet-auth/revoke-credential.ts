import { failed, ok, type Result, stateAfter, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { decideSigned, signedRequestMachine } from '../../mechanisms/signed-requests/index.ts'
import {
  authMethodMachine,
  loadActiveSessions,
  loadAuthMethods,
  revokeSessionsOf,
  signersOf,
} from '../../platform/wallet-credentials/index.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { changedAt } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import { challengeAuthCredential, revokeAuthCredential, verifyAuthCredential } from './contract.ts'
import { revokePayload } from './payloads.ts'
import { loadWallet, requireAuthMethod } from './wallet.ts'

/** What else was asked of a credential can no longer be answered. */
const endRequests = statement(
  'walletAuth.endRequests',
  `update signed_requests set status = '${stateAfter(signedRequestMachine, 'end')}', version = version + 1
   where platform_id = $1 and environment = $2 and resource_id = $3 and operation = any($4::text[])
     and status = 'PENDING' and id <> $5`,
)
const aimedAtCredential = [revokeAuthCredential.id, verifyAuthCredential.id, challengeAuthCredential.id]

/** Takes a credential away, with every session it opened (wallets 5.7). */
export async function revokeCredential(
  engine: Engine,
  { scope, params, header }: Call<typeof revokeAuthCredential>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireAuthMethod(engine, scope, params.id)
    if (!found.ok) return found
    const method = found.value
    const { id, type, ownerId, accountId } = method
    const wallet = await loadWallet(engine, scope, accountId)
    if (!wallet.ok) return wallet
    const { names } = wallet.value
    const loadOthers = async () =>
      (await loadAuthMethods(engine, scope, [accountId])).filter((each) => each.id !== id)
    return decideSigned(engine, scope, {
      operation: revokeAuthCredential.id,
      resourceId: id,
      ownerId,
      body: {},
      header,
      async challenge() {
        if ((await loadOthers()).length === 0) return failed(lastCredential())
        return ok({ payloadToSign: revokePayload({ names, now: scope.now }, method), fields: { type } })
      },
      async signers() {
        const sessions = await loadActiveSessions(engine.database, scope, [accountId])
        const of = (isOwn: boolean) =>
          signersOf(sessions.filter(({ credentialId }) => (credentialId === id) === isOwn))
        const reason = 'Signing session belongs to the credential being revoked'
        return { ...of(false), excluded: { publicKeys: of(true).publicKeys, reason } }
      },
      async effect(request) {
        const others = await loadOthers()
        if (others.length === 0) return failed(lastCredential())
        const { platformId, environment } = scope
        const at = changedAt(scope, method.updatedAt)
        return ok({
          updates: [
            {
              table: 'auth_methods',
              id,
              from: ['ACTIVE'],
              version: method.version,
              set: { status: stateAfter(authMethodMachine, 'revoke'), otp: null, updated_at: at },
            },
          ],
          // Two credentials that revoke each other would leave none.
          requires: others.map((other) => ({ table: 'auth_methods', id: other.id, from: ['ACTIVE'] })),
          statements: [
            {
              statement: revokeSessionsOf,
              parameters: [platformId, environment, id, toTimestamp(scope.now)],
            },
            {
              statement: endRequests,
              parameters: [platformId, environment, id, aimedAtCredential, request.id],
            },
          ],
          result: () => ({ status: 204 }),
        })
      },
    })
  })
}

function lastCredential(): Failure {
  return failFields([{ field: 'id', message: 'is the only credential of its wallet' }])
}
