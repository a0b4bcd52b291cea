import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Customer, keyOf, loadCustomer } from '../../people/customers/index.ts'
import { type Decision, refusing } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { afterFailure, lockRefusal } from './attempts.ts'
import { answered, type Challenge, isRevoked, moveChallenge } from './challenges.ts'
import { applicabilityRefusal, availableFactors } from './factors.ts'
import { judge, type Proof } from './proofs.ts'
import { type ScaState, saveState } from './state.ts'
import { loadState } from './store.ts'

/** A customer under strong authentication, and how it stands. */
export interface ScaCustomer {
  readonly customer: Customer
  readonly state: ScaState
}

/**
 * The customer that a query names: USER_NOT_FOUND for an unknown or deleted one, CONFLICT for one whom strong
 * authentication does not apply to (customers 13.1).
 */
export async function requireScaCustomer(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<ScaCustomer, Failure>> {
  const customer = await loadCustomer(engine, scope, id)
  if (!customer || customer.deletedAt !== null) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
  }
  const refusal = applicabilityRefusal(customer)
  if (refusal) return failed(refusal)
  return ok({ customer, state: await loadState(engine, scope, customer) })
}

/** A proof that was right: what its effect is committed with. */
export interface Accepted {
  /** As the proof leaves it; whoever changes it further saves that instead. */
  readonly state: ScaState
  readonly challenge: ReturnType<typeof moveChallenge>
}

/**
 * Judges the answer to a question whose time, kind and lock have been checked. A wrong one is a decision of its
 * own: it counts, and its caller is told so, or that it led to a lock (customers 13.5).
 */
export async function answer(
  engine: Engine,
  scope: Scope,
  given: ScaCustomer & { readonly challenge: Challenge; readonly proof: Proof },
): Promise<Result<Accepted, Decision<never>>> {
  const { customer, state, challenge, proof } = given
  const proved = canAnswer(engine, scope, given)
    ? await judge(engine, scope, { customer, challenge, state, proof })
    : undefined
  if (proved)
    return ok({
      state: proved,
      challenge: moveChallenge(challenge, 'accept', answered(challenge, scope.now)),
    })
  const after = { ...state, ...afterFailure(state, scope.now) }
  const field = proof.kind === 'CODE' ? 'code' : 'passkeyAssertion'
  const failure = lockRefusal(after, scope.now) ?? failFields([{ field, message: 'is wrong' }])
  const saved = saveState(keyOf(customer), state, after)
  const counted = moveChallenge(challenge, 'refuse', answered(challenge, scope.now))
  return failed(refusing(failure, { ...saved, updates: [...saved.updates, counted] }))
}

/** Whether the factor that was asked is still the customer's: a phone may have changed, a passkey may be gone. */
export function canAnswer(
  engine: Engine,
  scope: Scope,
  { customer, state, challenge }: ScaCustomer & { readonly challenge: Challenge },
): boolean {
  const { factor, credentialId } = challenge
  const available = availableFactors(customer, state, engine.adapters[scope.environment])
  return (
    available.includes(factor) &&
    !isRevoked(challenge) &&
    (credentialId === null || credentialId === state.factors.passkey?.credentialId)
  )
}
