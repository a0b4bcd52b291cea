import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { keyOf } from '../../people/customers/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { answer, canAnswer, requireScaCustomer } from './answers.ts'
import { afterFailure, lockRefusal, noAttempts } from './attempts.ts'
import type { ScaFactor } from './challenge-schemas.ts'
import { ask } from './challenges.ts'
import type { RecordSecurityEventRequest, ScaLoginCompleteRequest } from './contract.ts'
import { availableFactors, chooseFactor } from './factors.ts'
import { isOfFactor, readProof } from './proofs.ts'
import { relyingPartyOf } from './relying-party.ts'
import { type ScaState, saveState } from './state.ts'
import { loadPendingChallenge } from './store.ts'

/** How long a login lasts (customers 13.1). */
export const sessionMs = 180 * 24 * 60 * 60_000

/** Whether a customer is logged in, which authorizing a payment takes (customers 13.7). */
export function hasSession({ sessionExpiresAt }: Pick<ScaState, 'sessionExpiresAt'>, now: number): boolean {
  return sessionExpiresAt !== null && now < sessionExpiresAt
}

/** Asks a customer for the proof of a login; what was asked before is void (customers 13.4). */
export async function startLogin(
  engine: Engine,
  scope: Scope,
  { customerId, factor }: { readonly customerId: string; readonly factor: ScaFactor },
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const available = availableFactors(customer, state, engine.adapters[scope.environment], 'login')
    const chosen = chooseFactor(available, factor, 'factor')
    if ('refusal' in chosen) return failed(chosen.refusal)
    const asked = await ask(engine, scope, {
      customer,
      state,
      kind: 'LOGIN',
      subjectId: customer.id,
      factor,
      availableFactors: available,
      message: (code) =>
        `${code} is your code to log in. It is valid for 5 minutes. Do not share it with anyone.`,
      replaced: await loadPendingChallenge(engine, scope, customer.id),
    })
    const { id, expiresAt, passkeyAssertionOptions: passkeyOptions } = asked.wire
    const party = passkeyOptions ? await relyingPartyOf(engine, scope) : undefined
    const shown = {
      factor,
      ...(factor === 'SMS_OTP' ? { challengeId: id, expiresAt } : {}),
      ...(party ? { passkeyOptions, allowedOrigins: party.origins, relyingPartyId: party.id } : {}),
    }
    return ok({ ...asked.changes, result: () => ({ status: 200, body: shown }) })
  })
}

/**
 * Opens a login session for a right proof and forgets failed attempts (customers 13.4). A lock comes before
 * everything about the proof; what does not answer the question at all is not counted.
 */
export async function completeLogin(
  engine: Engine,
  scope: Scope,
  customerId: string,
  request: ScaLoginCompleteRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const locked = lockRefusal(state, scope.now)
    if (locked) return failed(locked)
    const challenge = await loadPendingChallenge(engine, scope, customer.id)
    if (!challenge || scope.now >= challenge.expiresAt) {
      return failed(failFields([{ field: 'factor', message: 'has no open login' }]))
    }
    if (challenge.factor !== request.factor) {
      return failed(failFields([{ field: 'factor', message: 'differs from the factor of the login' }]))
    }
    if (challenge.factor === 'SMS_OTP' && request.challengeId !== challenge.id) {
      return failed(failFields([{ field: 'challengeId', message: 'does not belong to the open login' }]))
    }
    const proof = readProof(request)
    if (!isOfFactor(proof, challenge.factor) || !canAnswer(engine, scope, { customer, state, challenge })) {
      return failed(failFields([{ field: 'code', message: 'is not a proof of this factor' }]))
    }
    const answered = await answer(engine, scope, { customer, state, challenge, proof })
    if (!answered.ok) return ok(answered.failure)
    const sessionExpiresAt = Math.max(scope.now + sessionMs, state.sessionExpiresAt ?? 0)
    const loggedIn = { ...answered.value.state, ...noAttempts, sessionExpiresAt }
    const saved = saveState(keyOf(customer), state, loggedIn)
    const body = { status: 'SUCCESS', sessionExpiresAt: toTimestamp(sessionExpiresAt) }
    return ok({
      ...saved,
      updates: [...saved.updates, answered.value.challenge],
      result: () => ({ status: 200, body }),
    })
  })
}

/** What the platform saw of a customer elsewhere, and what it leads to here (customers 13.5). */
export async function recordSecurityEvent(
  engine: Engine,
  scope: Scope,
  customerId: string,
  { eventType }: RecordSecurityEventRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const isReset = eventType === 'RESET_PASSWORD_COMPLETED'
    if (!isReset && state.isSuspended) {
      const { failedAttempts } = state
      return failed(fail('ACCOUNT_LOCKED', { suspended: true, failedAttempts }))
    }
    const after: ScaState = isReset
      ? { ...state, ...noAttempts, sessionExpiresAt: null }
      : { ...state, ...afterFailure(state, scope.now) }
    const { isSuspended: suspended, lockedUntil, failedAttempts } = after
    const body = {
      eventType,
      suspended,
      lockedUntil: lockedUntil === null ? null : toTimestamp(lockedUntil),
      failedAttempts,
    }
    return ok({ ...saveState(keyOf(customer), state, after), result: () => ({ status: 200, body }) })
  })
}
