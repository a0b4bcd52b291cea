import { failed, ok, type Result } from '@corridor/kernel'
import { base32nopad } from '@scure/base'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { keyOf } from '../../people/customers/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { requireScaCustomer, type ScaCustomer } from './answers.ts'
import type { PasskeyEnrollmentConfirmRequest, TotpEnrollmentConfirmRequest } from './contract.ts'
import { availableFactors, withoutFactor } from './factors.ts'
import { creationOptions, registerPasskey } from './passkeys.ts'
import { recoveryText } from './proofs.ts'
import { relyingPartyOf } from './relying-party.ts'
import { type EnrolledFactors, saveState } from './state.ts'
import { markEnrolled } from './store.ts'

/** How long an enrolment that was started may be confirmed (customers 13.3). */
const startMs = 10 * 60_000
const secretBytes = 20
const challengeBytes = 32
const recoveryCodes = 10

/** What a customer can prove itself with, in the order of customers 13.2. */
export async function listFactors(
  engine: Engine,
  scope: Scope,
  customerId: string,
): Promise<Result<Reply, Failure>> {
  const found = await requireScaCustomer(engine, scope, customerId)
  if (!found.ok) return found
  const { customer, state } = found.value
  const { passkey } = state.factors
  const factors = availableFactors(customer, state, engine.adapters[scope.environment]).map((factor) => ({
    factor,
    ...(factor === 'PASSKEY' && passkey ? { credentialId: passkey.credentialId } : {}),
  }))
  return ok({ status: 200, body: { factors } })
}

function enrolledRefusal(
  { factors }: { factors: EnrolledFactors },
  type: 'TOTP' | 'PASSKEY',
): Failure | undefined {
  if (type === 'TOTP' && factors.totp) return fail('CONFLICT', { reason: 'FACTOR_ENROLLED' })
  return type === 'PASSKEY' && factors.passkey ? fail('PASSKEY_ALREADY_ENROLLED') : undefined
}

/** Starts an enrolment; one of the same kind that was not confirmed is forgotten (customers 13.3). */
export async function startEnrolment(
  engine: Engine,
  scope: Scope,
  customerId: string,
  type: 'TOTP' | 'PASSKEY',
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const refusal = enrolledRefusal(state, type)
    if (refusal) return failed(refusal)
    const { start, shown } = await (type === 'TOTP' ? startTotp : startPasskey)(engine, scope, found.value)
    const after = { ...state, factors: { ...state.factors, ...start } }
    return ok({
      ...saveState(keyOf(customer), state, after),
      result: () => ({ status: 200, body: { type, ...shown } }),
    })
  })
}

async function startTotp(engine: Engine, scope: Scope, { customer }: ScaCustomer) {
  const bytes = engine.world.randomBytes(secretBytes)
  const { name: issuer } = await relyingPartyOf(engine, scope)
  const { totp } = engine.adapters[scope.environment].factors
  return {
    start: {
      totpStart: { secret: Buffer.from(bytes).toString('base64url'), expiresAt: scope.now + startMs },
    },
    shown: {
      secret: Buffer.from(bytes).toString('hex'),
      secretBase32Encoded: base32nopad.encode(bytes),
      totpUri: totp.uri(bytes, { issuer, account: customer.platformCustomerId }),
    },
  }
}

async function startPasskey(engine: Engine, scope: Scope, { customer }: ScaCustomer) {
  const challenge = Buffer.from(engine.world.randomBytes(challengeBytes)).toString('base64url')
  const relyingParty = await relyingPartyOf(engine, scope)
  const options = await creationOptions({
    challenge,
    party: relyingParty,
    userName: customer.platformCustomerId,
    userId: customer.id,
  })
  return {
    start: { passkeyStart: { challenge, expiresAt: scope.now + startMs } },
    shown: { options, allowedOrigins: relyingParty.origins, relyingPartyId: relyingParty.id },
  }
}

const wrong = (field: string, message: string) => failed(failFields([{ field, message }]))

/** Enrols the app whose code shows that it has the secret; answers with codes for the day it is lost. */
export async function confirmTotp(
  engine: Engine,
  scope: Scope,
  customerId: string,
  { secret, code }: TotpEnrollmentConfirmRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const refusal = enrolledRefusal(state, 'TOTP')
    if (refusal) return failed(refusal)
    const { totpStart: start } = state.factors
    const bytes = start && scope.now < start.expiresAt ? Buffer.from(start.secret, 'base64url') : undefined
    const isMeant = bytes && [bytes.toString('hex'), base32nopad.encode(bytes)].includes(secret)
    if (!bytes || !isMeant)
      return wrong('secret', 'is not that of an enrolment that was started and is not too old')
    const { totp } = engine.adapters[scope.environment].factors
    const step = totp.match({ secret: bytes, code, now: scope.now, lastStep: -1 })
    if (step === undefined) return wrong('code', 'is not right')
    const codes = Array.from({ length: recoveryCodes }, () => newRecoveryCode(engine))
    const recoveryHashes = codes.map((each) => engine.keys.hashSecret(recoveryText(customer.id, each)))
    const enrolled = { secret: start!.secret, lastStep: step, recoveryHashes }
    const factors = { ...withoutFactor(state.factors, 'TOTP'), totp: enrolled }
    return ok({
      ...saveState(keyOf(customer), state, { ...state, factors }),
      statements: [replaced(scope, customer.id, 'TOTP')],
      result: () => ({ status: 200, body: { type: 'TOTP', recoveryCodes: codes } }),
    })
  })
}

/** Enrols the passkey that answers the challenge of the start (customers 13.3). */
export async function confirmPasskey(
  engine: Engine,
  scope: Scope,
  customerId: string,
  { origin, credential }: PasskeyEnrollmentConfirmRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const refusal = enrolledRefusal(state, 'PASSKEY')
    if (refusal) return failed(refusal)
    const { passkeyStart: start } = state.factors
    if (!start || scope.now >= start.expiresAt) return wrong('type', 'has no enrolment that was started')
    const party = await relyingPartyOf(engine, scope)
    if (!party.origins.includes(origin)) return wrong('origin', 'is not one of allowedOrigins')
    const { challenge } = start
    const { factors: given } = engine.adapters[scope.environment]
    const passkey = await registerPasskey(given, credential, { challenge, origin, party })
    if (!passkey) return wrong('credential', 'does not answer the challenge of this enrolment')
    const factors = { ...withoutFactor(state.factors, 'PASSKEY'), passkey }
    const { credentialId } = passkey
    return ok({
      ...saveState(keyOf(customer), state, { ...state, factors }),
      statements: [replaced(scope, customer.id, 'PASSKEY')],
      result: () => ({ status: 200, body: { type: 'PASSKEY', factor: { factor: 'PASSKEY', credentialId } } }),
    })
  })
}

/** Takes a passkey away; what was asked of it cannot be answered any more (customers 13.3). */
export async function deletePasskey(
  engine: Engine,
  scope: Scope,
  customerId: string,
  credentialId: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    if (state.factors.passkey?.credentialId !== credentialId) {
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ScaCredential', id: credentialId }))
    }
    const after = { ...state, factors: withoutFactor(state.factors, 'PASSKEY') }
    return ok({ ...saveState(keyOf(customer), state, after), result: () => ({ status: 204 }) })
  })
}

function replaced(scope: Scope, customerId: string, factor: 'TOTP' | 'PASSKEY') {
  const { platformId, environment } = scope
  return { statement: markEnrolled, parameters: [platformId, environment, customerId, factor] }
}

/** Letters and digits that are not taken for each other. */
const recoveryAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

function newRecoveryCode({ world }: Engine): string {
  const text = [...world.randomBytes(12)]
    .map((byte) => recoveryAlphabet[byte % recoveryAlphabet.length])
    .join('')
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}
