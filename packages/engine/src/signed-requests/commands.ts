import { ok, type Result } from '@corridor/kernel'
import { type Decision, refusing } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import { entryOf, type Failure } from '../http/errors.ts'
import type { Call, Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { readSignedRetry } from './legs.ts'
import { type Challenge, issueChallenge, redeemChallenge, type SignedAction } from './rules.ts'
import { loadSignedRequest, type SignedRequest } from './store.ts'

/** One action behind the signature of a wallet; every operation of that kind is one of these. */
export interface SignedCall extends SignedAction {
  readonly header: Call['header']
  /** The first leg: what to sign. Only asked for there. `fields` join the body of the 202. */
  readonly challenge: () => Challenge & { readonly fields?: Readonly<Record<string, unknown>> }
  /** Compressed public keys that may sign, read when an answer comes: a session may be younger than its challenge. */
  readonly signingKeys: () => Promise<readonly string[]>
  /**
   * The second leg: the effect, with what the first leg put aside. A refusal here cannot heal, so it uses
   * the challenge up like a success does; an outage leaves it as it is.
   */
  readonly effect: (
    request: SignedRequest,
  ) => Promise<Result<Decision<Reply>, Failure>> | Result<Decision<Reply>, Failure>
}

/**
 * Decides either leg of a signed action (wallets 4): 202 with a challenge, or the effect once the wallet's
 * signature over it is there. To be called inside `commit`, after every check that needs no signature.
 */
export async function decideSigned(
  engine: Pick<Engine, 'database' | 'world' | 'adapters'>,
  scope: Scope,
  call: SignedCall,
): Promise<Result<Decision<Reply>, Failure>> {
  const retry = readSignedRetry(call.header)
  if (!retry.ok) return retry
  if (!retry.value) {
    const { fields = {}, ...asked } = call.challenge()
    const { challenge, changes } = issueChallenge(engine.world, scope, call, asked)
    return ok({ ...changes, result: () => ({ status: 202, body: { ...fields, ...challenge } }) })
  }
  const [request, publicKeys] = await Promise.all([
    loadSignedRequest(engine.database, scope, retry.value.requestId),
    call.signingKeys(),
  ])
  const { signatureLiteral: literal } = engine.adapters[scope.environment].rules
  const redeemed = redeemChallenge(scope, call, {
    retry: retry.value,
    request,
    signers: { publicKeys, literal },
  })
  if (!redeemed.ok) return ok(redeemed.failure)
  const used = redeemed.value
  const effect = await call.effect(request!)
  if (effect.ok) return ok({ ...effect.value, updates: [used, ...(effect.value.updates ?? [])] })
  const isOutage = entryOf(effect.failure.code).status >= 500
  return isOutage ? effect : ok(refusing(effect.failure, { updates: [used] }))
}
