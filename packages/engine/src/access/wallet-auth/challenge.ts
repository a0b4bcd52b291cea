import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { issueChallenge } from '../../mechanisms/signed-requests/index.ts'
import { parsePoint } from '../../mechanisms/wallet-crypto/index.ts'
import { walletIdentity } from '../../platform/internal-accounts/index.ts'
import type { AuthMethod } from '../../platform/wallet-credentials/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { challengeAuthCredential } from './contract.ts'
import { counted, limitRefusal } from './limits.ts'
import { issueOtp } from './otp.ts'
import { passkeyChallenge } from './payloads.ts'
import { renderAuthMethod } from './render.ts'
import { requireAuthMethod } from './wallet.ts'

/** The first step of signing in: a code for the contact on file, or a text for the passkey (wallets 5.4). */
export async function challengeCredential(
  engine: Engine,
  { scope, params, body }: Call<typeof challengeAuthCredential>,
): Promise<Result<Reply, Failure>> {
  const clientPublicKey = (body as { clientPublicKey?: string } | undefined)?.clientPublicKey
  return commit(engine.applier, scope, async () => {
    const found = await requireAuthMethod(engine, scope, params.id)
    if (!found.ok) return found
    const method = found.value
    if (method.type === 'OAUTH') {
      return failed(failFields([{ field: 'id', message: 'needs no challenge' }]))
    }
    if (method.type === 'PASSKEY' && (clientPublicKey === undefined || !parsePoint(clientPublicKey))) {
      const message = clientPublicKey === undefined ? 'is required' : 'is not a point on P-256'
      return failed(failFields([{ field: 'clientPublicKey', message }]))
    }
    const refusal = limitRefusal(engine, scope, method, 'challenges')
    if (refusal) return failed(refusal)
    return method.type === 'PASSKEY'
      ? decidePasskeyChallenge(engine, scope, method, clientPublicKey!)
      : decideOtpChallenge(engine, scope, method, method.type)
  })
}

async function decideOtpChallenge(
  engine: Engine,
  scope: Scope,
  method: AuthMethod,
  type: 'EMAIL_OTP' | 'SMS_OTP',
): Promise<Result<Decision<Reply>, Failure>> {
  const { id, version, ownerId, dataKey, content } = method
  const { columns, bundle, message } = await issueOtp(engine, scope, {
    type,
    methodId: id,
    contact: content.nickname,
    ownerId,
    dataKey,
  })
  const at = changedAt(scope, method.updatedAt)
  const attempts = counted(method.attempts, 'challenges', scope.now)
  const changed = { ...method, updatedAt: Date.parse(at) }
  return ok({
    updates: [
      { table: 'auth_methods', id, from: ['ACTIVE'], version, set: { ...columns, attempts, updated_at: at } },
    ],
    inserts: message.inserts,
    jobs: message.jobs,
    result: () => ({
      status: 200,
      body: { ...renderAuthMethod(changed), otpEncryptionTargetBundle: bundle },
    }),
  })
}

/** Several may be under way, each for one answer; no two are equal (wallets 3.6). */
function decidePasskeyChallenge(
  engine: Engine,
  scope: Scope,
  method: AuthMethod,
  clientPublicKey: string,
): Result<Decision<Reply>, Failure> {
  const { id, version, accountId, ownerId, dataKey } = method
  const lastChallengeAt = Math.max(scope.now, (method.attempts.lastChallengeAt ?? 0) + 1)
  const names = walletIdentity(engine.keys, accountId)
  const challenge = passkeyChallenge({ names, now: lastChallengeAt }, clientPublicKey)
  const action = { operation: challengeAuthCredential.id, resourceId: id, body: {} }
  const issued = issueChallenge(engine.world, scope, action, {
    payloadToSign: challenge,
    details: { clientPublicKey },
    owner: { id: ownerId, key: dataKey },
  })
  const attempts = { ...counted(method.attempts, 'challenges', scope.now), lastChallengeAt }
  const { requestId, expiresAt } = issued.challenge
  return ok({
    ...issued.changes,
    updates: [{ table: 'auth_methods', id, from: ['ACTIVE'], version, set: { attempts } }],
    result: () => ({ status: 200, body: { ...renderAuthMethod(method), challenge, requestId, expiresAt } }),
  })
}
