import { createHash } from 'node:crypto'
import { base64url, failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { decideSigned } from '../../mechanisms/signed-requests/index.ts'
import {
  checkTimes,
  isExpired,
  type OidcClaims,
  parseOidcToken,
  verifyPasskeyRegistration,
} from '../../mechanisms/wallet-crypto/index.ts'
import {
  type AuthContent,
  type AuthMethod,
  type AuthMethodType,
  loadActiveSessions,
  loadAuthMethods,
  newAuthMethod,
  noAttempts,
  type OtpType,
  signersOf,
} from '../../platform/wallet-credentials/index.ts'
import type { Decision, Insert, Update } from '../../vocabulary/decision.ts'
import { type ErrorCode, type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { createAuthCredential } from './contract.ts'
import type {
  AuthCredentialCreateRequest,
  OauthCreateRequest,
  PasskeyCreateRequest,
} from './credential-schemas.ts'
import { counted } from './limits.ts'
import { issueOtp } from './otp.ts'
import { contactPayload, oauthPayload, passkeyPayload } from './payloads.ts'
import { isRegistrationUsed } from './registrations.ts'
import { renderAuthMethod } from './render.ts'
import { loadWallet, unauthorized, type Wallet } from './wallet.ts'

/**
 * Adds a credential to a wallet (wallets 5.2). The first one comes at once; every other waits for the signature
 * of a session. It is usable afterwards and opens no session by itself.
 */
export async function addCredential(
  engine: Engine,
  { scope, body, header }: Call<typeof createAuthCredential>,
): Promise<Result<Reply, Failure>> {
  const isRetry = header('request-id') !== undefined && header('service-wallet-signature') !== undefined
  const issuer = isRetry ? ok(null) : await checkIssuer(engine, scope, body)
  return commit(engine.applier, scope, async () => {
    const wallet = await loadWallet(engine, scope, body.accountId)
    if (!wallet.ok) return wallet
    const methods = await loadAuthMethods(engine, scope, [wallet.value.account.id])
    const facts = { wallet: wallet.value, methods, body }
    const prepare = () => prepareCredential(engine, scope, facts)
    if (methods.length === 0 && !isRetry) {
      const prepared = await prepare()
      if (!prepared.ok) return prepared
      const timely = checkAge(scope, prepared.value)
      if (!timely.ok) return timely
      if (!issuer.ok) return issuer
      return decideAdd(engine, scope, facts, prepared.value, { isFirst: true })
    }
    return decideSigned(engine, scope, {
      operation: createAuthCredential.id,
      resourceId: wallet.value.account.id,
      ownerId: wallet.value.customer.id,
      body,
      header,
      async challenge() {
        const prepared = await prepare()
        if (!prepared.ok) return prepared
        const timely = checkAge(scope, prepared.value)
        if (!timely.ok) return timely
        if (!issuer.ok) return issuer
        const { payloadToSign, content } = prepared.value
        return ok({ payloadToSign, details: { nickname: content.nickname }, fields: { type: body.type } })
      },
      async signers() {
        const sessions = await loadActiveSessions(engine.database, scope, [wallet.value.account.id])
        return signersOf(sessions)
      },
      async effect({ details }) {
        const prepared = await prepare()
        if (!prepared.ok) return prepared
        // A contact that changed meanwhile is not the one that was signed for.
        if (prepared.value.content.nickname !== details.nickname) {
          return failed(
            failFields([
              { field: 'type', message: 'refers to a contact that has changed since the request was signed' },
            ]),
          )
        }
        return decideAdd(engine, scope, facts, prepared.value, { isFirst: false })
      },
    })
  })
}

interface Facts {
  readonly wallet: Wallet
  readonly methods: readonly AuthMethod[]
  readonly body: AuthCredentialCreateRequest
}

/** A credential that may be added, as far as the wallet and its own proof go. */
interface Prepared {
  readonly type: AuthMethodType
  readonly content: AuthContent
  readonly payloadToSign: string
  readonly claims?: OidcClaims
  /** Names the challenge of a passkey, which counts once. */
  readonly registrationId?: string
}

/** The checks that need no signature, on either leg: what is added is there and is not there yet. */
async function prepareCredential(
  engine: Engine,
  scope: Scope,
  facts: Facts,
): Promise<Result<Prepared, Failure>> {
  const { body, wallet } = facts
  const signer = { names: wallet.names, now: scope.now }
  if (body.type === 'PASSKEY') return preparePasskey(engine, scope, facts, body)
  if (body.type === 'OAUTH') {
    const claims = parseOidcToken(body.oidcToken)
    if (!claims) return failed(wrong('oidcToken', 'is not a JWT with iss, aud, sub, iat and exp'))
    const { iss, aud, sub, email } = claims
    if (!engine.adapters[scope.environment].openId.supports(iss)) {
      return failed(wrong('oidcToken', 'is from an issuer that is not supported'))
    }
    const oauth = { iss, aud, sub }
    if (facts.methods.some(({ content }) => isSameIdentity(content.oauth, oauth))) {
      return failed(wrong('oidcToken', 'belongs to an identity that is already registered'))
    }
    if (isExpired(claims, scope.now)) return failed(unauthorized('OIDC token expired'))
    const content = { nickname: email ?? sub, oauth }
    return ok({ type: 'OAUTH', content, claims, payloadToSign: oauthPayload(signer, body, iss) })
  }
  const { email, phoneNumber } = wallet.customer.profile
  const contact = body.type === 'EMAIL_OTP' ? email : phoneNumber
  if (contact === undefined)
    return failed(
      wrong(
        'type',
        'requires an e-mail address (EMAIL_OTP) or phone number (SMS_OTP), which the customer does not have',
      ),
    )
  if (facts.methods.some(({ type }) => type === body.type)) return failed(fail(existing[body.type]))
  const payloadToSign = contactPayload(signer, body.type, contact)
  return ok({ type: body.type, content: { nickname: contact }, payloadToSign })
}

const existing = {
  EMAIL_OTP: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
  SMS_OTP: 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
} as const satisfies Record<OtpType, ErrorCode>

async function preparePasskey(
  engine: Engine,
  scope: Scope,
  { wallet, methods }: Facts,
  request: PasskeyCreateRequest,
): Promise<Result<Prepared, Failure>> {
  const { attestation, challenge } = request
  const credentialId = base64url(attestation.credentialId)
  if (methods.some(({ content }) => content.passkey?.credentialId === credentialId)) {
    return failed(fail('PASSKEY_CREDENTIAL_ALREADY_EXISTS'))
  }
  const { allowsLocalOrigins } = engine.adapters[scope.environment].rules
  const passkey = await verifyPasskeyRegistration(attestation, { challenge, allowsLocalOrigins })
  if (!passkey) return failed(wrong('attestation', 'does not verify for this challenge'))
  const digest = createHash('sha256').update(base64url(challenge)).digest('base64url')
  const registrationId = `${wallet.account.id} ${digest}`
  if (await isRegistrationUsed(engine, scope, registrationId)) {
    return failed(wrong('challenge', 'already belongs to another passkey'))
  }
  const nickname = request.nickname.trim()
  const payloadToSign = passkeyPayload({ names: wallet.names, now: scope.now }, request, nickname)
  return ok({ type: 'PASSKEY', content: { nickname, passkey }, payloadToSign, registrationId })
}

/** How old a token may be is judged when it is first shown: the user may take a minute to sign. */
function checkAge(scope: Scope, { claims }: Prepared): Result<null, Failure> {
  const timely = claims ? checkTimes(claims, scope.now) : ok(null)
  return timely.ok ? timely : failed(unauthorized(timely.failure))
}

/** Whether the issuer signed the token, asked before anything is decided; everything else is checked first. */
async function checkIssuer(
  engine: Engine,
  scope: Scope,
  body: AuthCredentialCreateRequest,
): Promise<Result<null, Failure>> {
  const claims = body.type === 'OAUTH' ? parseOidcToken(body.oidcToken) : undefined
  const { openId } = engine.adapters[scope.environment]
  if (!claims || !openId.supports(claims.iss)) return ok(null)
  return issuerAnswer(await openId.verifySignature((body as OauthCreateRequest).oidcToken, claims.iss))
}

export function issuerAnswer(answer: 'VALID' | 'INVALID' | 'UNREACHABLE'): Result<null, Failure> {
  if (answer === 'VALID') return ok(null)
  if (answer === 'INVALID') return failed(unauthorized('OIDC token signature invalid'))
  return failed({ ...fail('SERVICE_UNAVAILABLE'), retryAfterSeconds: 5 })
}

/** The new credential; a one-time password of it is sent right away, except for the first one (wallets 5.2). */
async function decideAdd(
  engine: Engine,
  scope: Scope,
  { wallet }: Facts,
  { type, content, registrationId }: Prepared,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Result<Decision<Reply>, Failure>> {
  const { account, customer } = wallet
  const dataKey = customer.dataKey!
  const owner = { accountId: account.id, ownerId: customer.id, dataKey, now: scope.now }
  const contact = content.nickname
  const id = engine.world.id('AuthMethod')
  const issued =
    (type === 'EMAIL_OTP' || type === 'SMS_OTP') && !isFirst
      ? await issueOtp(engine, scope, { type, contact, methodId: id, ownerId: customer.id, dataKey })
      : undefined
  const made = newAuthMethod(engine, owner, type, content, {
    id,
    ...(issued ? { ...issued.columns, attempts: counted(noAttempts, 'challenges', scope.now) } : {}),
  })
  const method: AuthMethod = {
    id: made.id,
    version: 1n,
    accountId: account.id,
    ownerId: customer.id,
    type,
    content,
    otp: issued?.columns.otp ?? null,
    otpTarget: issued?.columns.otp_target ?? null,
    attempts: noAttempts,
    createdAt: scope.now,
    updatedAt: scope.now,
    dataKey,
  }
  const registration: Insert[] =
    registrationId === undefined
      ? []
      : [
          {
            table: 'passkey_registrations',
            row: { id: registrationId, owner_id: customer.id, created_at: toTimestamp(scope.now) },
          },
        ]
  // Two first credentials cannot both come unsigned.
  const first: Update = { table: 'internal_accounts', id: account.id, version: account.version, set: {} }
  return ok({
    updates: isFirst ? [first] : [],
    // The contact that is tied is that of the customer, also at the moment of the commit.
    requires: [{ table: 'customers', id: customer.id, version: customer.version }],
    inserts: [made.insert, ...registration, ...(issued?.message.inserts ?? [])],
    jobs: issued?.message.jobs ?? [],
    // Somebody was faster; the facts say what that means.
    unique: {
      auth_methods_one_otp: 'stale',
      auth_methods_identity: 'stale',
      passkey_registrations_pkey: 'stale',
    },
    result: () => ({
      status: 201,
      body: {
        ...renderAuthMethod(method),
        ...(issued ? { otpEncryptionTargetBundle: issued.bundle } : {}),
      },
    }),
  })
}

function isSameIdentity(known: AuthContent['oauth'], given: NonNullable<AuthContent['oauth']>): boolean {
  return known?.iss === given.iss && known.aud === given.aud && known.sub === given.sub
}

function wrong(field: string, message: string): Failure {
  return failFields([{ field, message }])
}
