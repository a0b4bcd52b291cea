import { failed, ok, type Result } from '@corridor/kernel'
import { type Decision, refusing, type Update } from '../../vocabulary/decision.ts'
import { entryOf, type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Engine } from '../feature/engine.ts'
import { type DataKey, loadSealedKey } from '../keys/data-keys.ts'
import { readSignedRetry } from './legs.ts'
import {
  type Challenge,
  issueChallenge,
  redeemChallenge,
  type SignedAction,
  type Signers,
  whileSignerStays,
} from './rules.ts'
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
   * join the body of the 202 and `updates` its changes. A refusal may have an effect, such as a counted try.
   */
  readonly challenge: () => Promise<Asked> | Asked
  /** Who may sign, read when an answer comes: a session may be younger than its challenge. */
  readonly signers: (
    request: SignedRequest | undefined,
  ) => Promise<Omit<Signers, 'literal'>> | Omit<Signers, 'literal'>
  /**
   * The second leg: the effect, with what the first leg put aside. A refusal that cannot heal uses the
   * challenge up like a success does; an outage leaves it as it is.
   */
  readonly effect: (
    request: SignedRequest,
  ) => Promise<Result<Decision<Reply>, Failure>> | Result<Decision<Reply>, Failure>
}

type AskedChallenge = Challenge & {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly updates?: readonly Update[]
}
type Asked = Result<AskedChallenge, Failure | Decision<never>>

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
    if (!given.ok) return 'code' in given.failure ? failed(given.failure) : ok(given.failure)
    const { fields = {}, updates = [], ...asked } = given.value
    const { ownerId, isRemembered = false } = call
    const key = await loadOwnerKey(engine, scope, ownerId)
    if (!key.ok) return key
    const { challenge, changes } = issueChallenge(engine.world, scope, call, {
      ...asked,
      owner: { id: ownerId, key: key.value },
      isRemembered,
    })
    return ok({
      ...changes,
      updates,
      result: () => ({ status: 202, body: { ...fields, ...challenge } }),
    })
  }
  const request = await loadSignedRequest(engine, scope, retry.value.requestId)
  const signers = await call.signers(request)
  const { signatureLiteral: literal } = engine.adapters[scope.environment].rules
  const redeemed = redeemChallenge(scope, call, {
    retry: retry.value,
    request,
    signers: { ...signers, literal },
  })
  if (!redeemed.ok) return ok(redeemed.failure)
  const used = redeemed.value
  const effect = await call.effect(request!)
  if (effect.ok) {
    const updates = [used, ...(effect.value.updates ?? [])]
    // A session may sign for its own end: then its row is guarded as one that changes.
    const required = whileSignerStays(retry.value.signature, signers).filter(
      ({ table, id }) => !updates.some((update) => update.table === table && update.id === id),
    )
    return ok({ ...effect.value, updates, requires: [...(effect.value.requires ?? []), ...required] })
  }
  const { status, retryable } = entryOf(effect.failure.code)
  return status >= 500 || retryable ? effect : ok(refusing(effect.failure, { updates: [used] }))
}

/** The key that seals challenges of a customer. Of an erased one nothing is left that could be signed for. */
export async function loadOwnerKey(
  { database, keys }: Pick<Engine, 'database' | 'keys'>,
  scope: Scope,
  ownerId: string,
): Promise<Result<DataKey, Failure>> {
  const sealedKey = await loadSealedKey(database, scope, ownerId)
  if (sealedKey !== undefined) return ok(keys.dataKey(scope, ownerId, sealedKey))
  return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Customer', id: ownerId }))
}
