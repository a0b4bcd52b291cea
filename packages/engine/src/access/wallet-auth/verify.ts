import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  challengeLifeMs,
  consume,
  countFailure,
  decideSigned,
  isAnswerable,
  loadSignedRequest,
  noPendingRequest,
} from '../../mechanisms/signed-requests/index.ts'
import {
  checkTimes,
  isNonceOf,
  type OidcClaims,
  parseOidcToken,
  parseOtpBundle,
  parsePoint,
  verificationToken,
  verifyPasskeyAssertion,
} from '../../mechanisms/wallet-crypto/index.ts'
import { walletIdentity } from '../../platform/internal-accounts/index.ts'
import { type AuthMethod, sealAuthContent } from '../../platform/wallet-credentials/index.ts'
import { type Decision, refusing, type Update } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { issuerAnswer } from './add-credential.ts'
import { challengeAuthCredential, verifyAuthCredential } from './contract.ts'
import type { OauthVerifyRequest, PasskeyVerifyRequest } from './credential-schemas.ts'
import { counted, limitRefusal } from './limits.ts'
import { openSession, sessionKeyFor } from './open-session.ts'
import { tryOtp } from './otp.ts'
import { requireAuthMethod, unauthorized } from './wallet.ts'

type Verify = Call<typeof verifyAuthCredential>
type Decided = Result<Decision<Reply>, Failure>

/** Signs in: a proof of the credential opens a session (wallets 5.6). */
export async function verifyCredential(engine: Engine, call: Verify): Promise<Result<Reply, Failure>> {
  const { scope, params, body } = call
  const { type } = body
  const before = await requireAuthMethod(engine, scope, params.id)
  if (!before.ok) return before
  if (before.value.type !== type) {
    return failed(failFields([{ field: 'type', message: `is not the type of this credential` }]))
  }
  // Issuers are asked over the network, so before anything is decided, and only about tokens that fit.
  const issuer = type === 'OAUTH' ? await checkToken(engine, scope, before.value, body) : ok<null>(null)
  if (!issuer.ok && issuer.failure.code === 'SERVICE_UNAVAILABLE') return issuer
  return commit(engine.applier, scope, async () => {
    const found = await requireAuthMethod(engine, scope, params.id)
    if (!found.ok) return found
    const method = found.value
    if (type === 'OAUTH') return decideOauth(engine, scope, method, body, issuer)
    if (type === 'PASSKEY') return decidePasskey(engine, call, method, body)
    return decideOtp(engine, call, method, body.encryptedOtpBundle)
  })
}

/** Commits a failed proof: it counts, whatever else it changes. */
function failedProof(
  scope: Scope,
  { id, version, attempts }: AuthMethod,
  failure: Failure,
  { set = {}, updates = [] }: { readonly set?: Update['set']; readonly updates?: readonly Update[] } = {},
): Decision<never> {
  const counting: Update = {
    table: 'auth_methods',
    id,
    version,
    set: { attempts: counted(attempts, 'failures', scope.now), ...set },
  }
  return refusing(failure, { updates: [counting, ...updates] })
}

/** The code was sealed with a key of the client's, whose signature then opens the session (wallets 4, S5). */
function decideOtp(
  engine: Engine,
  { scope, header }: Verify,
  method: AuthMethod,
  encryptedOtpBundle: string,
): Decided | Promise<Decided> {
  const { id, type, version } = method
  const message = parseOtpBundle(encryptedOtpBundle)
  if (!message || (type !== 'EMAIL_OTP' && type !== 'SMS_OTP')) {
    const problem = 'must be a JSON string with encappedPublic and ciphertext in hex'
    return failed(failFields([{ field: 'encryptedOtpBundle', message: problem }]))
  }
  return decideSigned(engine, scope, {
    operation: verifyAuthCredential.id,
    resourceId: id,
    ownerId: method.ownerId,
    body: { encryptedOtpBundle },
    header,
    async challenge() {
      const refusal = limitRefusal(engine, scope, method, 'failures')
      if (refusal) return failed(refusal)
      const verdict = await tryOtp(engine, scope, method, message)
      if ('reason' in verdict) {
        const set = 'otp' in verdict ? { otp: verdict.otp } : {}
        return failed(failedProof(scope, method, unauthorized(verdict.reason), { set }))
      }
      const { organizationId } = walletIdentity(engine.keys, method.accountId)
      const publicKey = verdict.publicKey.compressed
      const token = verificationToken(
        {
          id: verdict.otp.id,
          type,
          contact: method.content.nickname,
          organizationId,
          publicKey,
          issuedAt: scope.now,
          expiresAt: scope.now + challengeLifeMs,
        },
        engine.keys.quorumKey(scope.environment),
      )
      return ok({
        payloadToSign: token,
        details: { publicKey },
        fields: { type },
        updates: [
          { table: 'auth_methods', id, from: ['ACTIVE'], version, set: { otp: verdict.otp } } as const,
        ],
      })
    },
    signers: (request) => ({ publicKeys: request ? [String(request.details.publicKey)] : [] }),
    effect({ details }) {
      const publicKey = parsePoint(String(details.publicKey))!
      const { changes, body } = openSession(engine, scope, method, { publicKey })
      return ok({ ...changes, result: () => ({ status: 200, body }) })
    },
  })
}

/** Tries of one challenge by a passkey. */
const mostAssertions = 5

async function decidePasskey(
  engine: Engine,
  { scope, header }: Verify,
  method: AuthMethod,
  { assertion }: PasskeyVerifyRequest,
): Promise<Decided> {
  const requestId = header('request-id')
  if (requestId === undefined) {
    return failed(fail('REQUEST_ID_MISSING', { reason: 'Request-Id header is required' }))
  }
  const refusal = limitRefusal(engine, scope, method, 'failures')
  if (refusal) return failed(refusal)
  const { id, content, dataKey } = method
  const request = await loadSignedRequest(engine, scope, requestId)
  const action = { operation: challengeAuthCredential.id, resourceId: id, body: {} }
  const passkey = content.passkey
  if (!request || !passkey || !isAnswerable(scope, request, action)) return failed(noPendingRequest())

  const { passkeyLiteral } = engine.adapters[scope.environment].rules
  const isLiteral = passkeyLiteral !== undefined && assertion.signature === passkeyLiteral
  const checked = isLiteral
    ? ok(passkey.counter)
    : await verifyPasskeyAssertion(passkey, assertion, request.payloadToSign)
  if (!checked.ok) {
    const updates = [countFailure(request, mostAssertions)]
    return ok(failedProof(scope, method, unauthorized(checked.failure), { updates }))
  }
  const key = await sessionKeyFor(engine, String(request.details.clientPublicKey))
  const { changes, body } = openSession(engine, scope, method, key)
  const used = sealAuthContent(dataKey, id, { ...content, passkey: { ...passkey, counter: checked.value } })
  return ok({
    inserts: changes.inserts,
    updates: [
      consume(request),
      // Under its version, or two signatures with one counter could both count.
      { table: 'auth_methods', id, from: ['ACTIVE'], version: method.version, set: { content: used } },
    ],
    result: () => ({ status: 200, body }),
  })
}

/** What can be said of a token without asking anybody, in the order of wallets 5.6. */
function checkClaims(
  scope: Scope,
  { content }: AuthMethod,
  { oidcToken, clientPublicKey }: OauthVerifyRequest,
): Result<OidcClaims, Failure> {
  const claims = parseOidcToken(oidcToken)
  if (!claims) {
    const message = 'is not a JWT with iss, aud, sub, iat and exp'
    return failed(failFields([{ field: 'oidcToken', message }]))
  }
  if (!parsePoint(clientPublicKey)) {
    return failed(failFields([{ field: 'clientPublicKey', message: 'is not a point on P-256' }]))
  }
  const { oauth } = content
  if (claims.iss !== oauth?.iss || claims.aud !== oauth.aud || claims.sub !== oauth.sub) {
    return failed(unauthorized('OIDC token identity mismatch'))
  }
  if (!isNonceOf(claims, clientPublicKey)) return failed(unauthorized('OIDC token nonce mismatch'))
  const timely = checkTimes(claims, scope.now)
  return timely.ok ? ok(claims) : failed(unauthorized(timely.failure))
}

async function checkToken(
  engine: Engine,
  scope: Scope,
  method: AuthMethod,
  request: OauthVerifyRequest,
): Promise<Result<null, Failure>> {
  const refusal = limitRefusal(engine, scope, method, 'failures')
  if (refusal) return failed(refusal)
  const claims = checkClaims(scope, method, request)
  if (!claims.ok) return claims
  const { openId } = engine.adapters[scope.environment]
  if (!openId.supports(claims.value.iss)) return failed(unauthorized('OIDC token identity mismatch'))
  return issuerAnswer(await openId.verifySignature(request.oidcToken, claims.value.iss))
}

async function decideOauth(
  engine: Engine,
  scope: Scope,
  method: AuthMethod,
  { clientPublicKey }: OauthVerifyRequest,
  checked: Result<null, Failure>,
): Promise<Decided> {
  // The limit at its turn: it held before the issuer was asked, and others may have failed meanwhile.
  const refusal = limitRefusal(engine, scope, method, 'failures')
  if (refusal) return failed(refusal)
  if (!checked.ok) {
    const isProof = checked.failure.code === 'UNAUTHORIZED'
    return isProof ? ok(failedProof(scope, method, checked.failure)) : checked
  }
  const { changes, body } = openSession(engine, scope, method, await sessionKeyFor(engine, clientPublicKey))
  return ok({ ...changes, result: () => ({ status: 200, body }) })
}
