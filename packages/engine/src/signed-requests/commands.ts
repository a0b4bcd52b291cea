import { failed, ok, type Result } from '@corridor/kernel'
import { type Decision, refusing } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import { entryOf, type Failure, fail } from '../http/errors.ts'
import type { Call, Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { loadSealedKey } from '../keys/data-keys.ts'
import { readSignedRetry } from './legs.ts'
import { type Challenge, issueChallenge, redeemChallenge, type SignedAction } from './rules.ts'
import { loadSignedRequest, type SignedRequest } from './store.ts'

/** One action behind the signature of a wallet; every operation of that kind is one of these. */
export interface SignedCall extends SignedAction {
  readonly header: Call['header']
  /** The customer whose key seals the challenge. */
  readonly ownerId: string
  /** Whether a request that was used or ran out stays known as such for good. */
  readonly isRemembered?: boolean
  /**
   * The first leg: what to sign, after every check that needs no signature. Only asked for there. `fields`
   * join the body of the 202.
   */
  readonly challenge: () => Promise<Result<AskedChallenge, Failure>> | Result<AskedChallenge, Failure>
  /** Compressed public keys that may sign, read when an answer comes: a session may be younger than its challenge. */
  readonly signingKeys: () => Promise<readonly string[]>
  /**
   * The second leg: the effect, with what the first leg put aside. A refusal that cannot heal uses the
   * challenge up like a success does; an outage leaves it as it is.
   */
  readonly effect: (
    request: SignedRequest,
  ) => Promise<Result<Decision<Reply>, Failure>> | Result<Decision<Reply>, Failure>
}

type AskedChallenge = Challenge & { readonly fields?: Readonly<Record<string, unknown>> }

/**
 * Decides either leg of a signed action (wallets 4): 202 with a challenge, or the effect once the wallet's
 * signature over it is there. To be called inside `commit`.
 */
export async function decideSigned(
  engine: Pick<Engine, 'database' | 'keys' | 'world' | 'adapters'>,
  scope: Scope,
  call: SignedCall,
): Promise<Result<Decision<Reply>, Failure>> {
  const retry = readSignedRetry(call.header)
  if (!retry.ok) return retry
  if (!retry.value) {
    const given = await call.challenge()
    if (!given.ok) return given
    const { fields = {}, ...asked } = given.value
    const { ownerId, isRemembered = false } = call
    const sealedKey = await loadSealedKey(engine.database, scope, ownerId)
    // Of an erased customer nothing is left that could be signed for.
    if (sealedKey === undefined) {
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Customer', id: ownerId }))
    }
    const owner = { id: ownerId, key: engine.keys.dataKey(sealedKey) }
    const { challenge, changes } = issueChallenge(engine.world, scope, call, {
      ...asked,
      owner,
      isRemembered,
    })
    return ok({ ...changes, result: () => ({ status: 202, body: { ...fields, ...challenge } }) })
  }
  const [request, publicKeys] = await Promise.all([
    loadSignedRequest(engine, scope, retry.value.requestId),
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
  const { status, retryable } = entryOf(effect.failure.code)
  return status >= 500 || retryable ? effect : ok(refusing(effect.failure, { updates: [used] }))
}
