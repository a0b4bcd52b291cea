import { isDeepStrictEqual } from 'node:util'
import { failed, ok, type Result, stateAfter, toTimestamp, type World } from '@corridor/kernel'
import type { Decision, Requirement, Update } from '../../vocabulary/decision.ts'
import { refusing } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { SignedRequestChallenge } from '../../vocabulary/shapes.ts'
import type { DataKey } from '../keys/data-keys.ts'
import { type SignedRetry, signatureMalformed } from './legs.ts'
import { signedRequestMachine } from './machine.ts'
import { isStampOver, parseStamp } from './stamp.ts'
import { forgetExpired, type SignedRequest, sealChallenge } from './store.ts'

/** What a wallet is asked to sign for. An answer counts only for the same three. */
export interface SignedAction {
  /** The operation's id. */
  readonly operation: string
  readonly resourceId: string
  readonly body: unknown
}

export interface Challenge {
  readonly payloadToSign: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Whose signature counts (wallets 4.2, 10). */
export interface Signers {
  /** Compressed public keys, lower-case hex, of the active sessions that may sign. */
  readonly publicKeys: readonly string[]
  /** What must still hold of each of these keys when what it signed is written: that nobody has ended its session. */
  readonly whileActive?: ReadonlyMap<string, Requirement>
  /** A text that stands for any signature, where the environment has one. */
  readonly literal: string | undefined
  /** Keys of active sessions that may not sign for this, and why. One that is also above may. */
  readonly excluded?: { readonly publicKeys: readonly string[]; readonly reason: string } | undefined
}

export const challengeLifeMs = 300_000
const mostFailures = 10

/** The first leg: a new challenge, and the change that stores it. Earlier ones stay valid (wallets 4.2). */
export function issueChallenge(
  world: Pick<World, 'id'>,
  scope: Scope,
  action: SignedAction,
  {
    payloadToSign,
    details = {},
    owner,
    isRemembered = false,
  }: Challenge & {
    readonly owner: { readonly id: string; readonly key: DataKey }
    readonly isRemembered?: boolean
  },
): { challenge: SignedRequestChallenge; changes: Pick<Decision, 'inserts' | 'statements'> } {
  const requestId = world.id('Request')
  const now = toTimestamp(scope.now)
  const expiresAt = toTimestamp(scope.now + challengeLifeMs)
  const row = {
    id: requestId,
    operation: action.operation,
    resource_id: action.resourceId,
    owner_id: owner.id,
    content: sealChallenge(owner.key, requestId, { body: action.body ?? {}, payloadToSign, details }),
    is_remembered: isRemembered,
    status: 'PENDING',
    created_at: now,
    expires_at: expiresAt,
  }
  return {
    challenge: { payloadToSign, requestId, expiresAt },
    changes: {
      inserts: [{ table: 'signed_requests', row }],
      statements: [{ statement: forgetExpired, parameters: [scope.platformId, scope.environment, now] }],
    },
  }
}

/**
 * The second leg, checked in the order of wallets 4.2: the form of the signature, the challenge, the body,
 * the key, the signature. A failed try is counted and ten of them end the challenge, so the failure is a
 * decision of its own. A success yields the update that uses the challenge up.
 */
export function redeemChallenge(
  scope: Scope,
  action: SignedAction,
  {
    retry,
    request,
    signers,
  }: {
    readonly retry: SignedRetry
    readonly request: SignedRequest | undefined
    readonly signers: Signers
  },
): Result<Update, Decision<never>> {
  const live = request && isAnswerable(scope, request, action) ? request : undefined
  const isLiteral = signers.literal !== undefined && retry.signature === signers.literal
  if (!isLiteral && !parseStamp(retry.signature)) return failed(failedTry(live, signatureMalformed()))
  if (!live) return failed(refusing(noPendingRequest(), {}))
  if (!isDeepStrictEqual(live.body, action.body ?? {})) {
    const reason = 'Request body differs from the challenged body'
    return failed(failedTry(live, fail('WALLET_SIGNATURE_BODY_MISMATCH', { reason })))
  }
  const refusal = signatureRefusal(retry.signature, live.payloadToSign, signers)
  if (refusal) return failed(failedTry(live, refusal))
  return ok(consume(live))
}

/** Why a signature over this payload does not count: its form, its key or the signature itself. */
export function signatureRefusal(
  signature: string,
  payloadToSign: string,
  { publicKeys, literal, excluded }: Signers,
): Failure | undefined {
  if (literal !== undefined && signature === literal) return undefined
  const stamp = parseStamp(signature)
  if (!stamp) return signatureMalformed()
  const isAllowed = publicKeys.includes(stamp.publicKey)
  if (isAllowed && isStampOver(stamp, payloadToSign)) return undefined
  const isExcluded = !isAllowed && excluded?.publicKeys.includes(stamp.publicKey)
  const reason = isExcluded ? excluded!.reason : 'Wallet signature verification failed'
  return fail('WALLET_SIGNATURE_INVALID', { reason })
}

/** What the effect of an accepted signature requires: whoever ends the session at the same moment comes before, or after. */
export function whileSignerStays(
  signature: string,
  { whileActive }: Pick<Signers, 'whileActive'>,
): readonly Requirement[] {
  const stamp = whileActive && parseStamp(signature)
  const required = stamp && whileActive.get(stamp.publicKey)
  return required ? [required] : []
}

/** Nobody learns why a Request-Id does not count. */
export function noPendingRequest(): Failure {
  return fail('UNAUTHORIZED', { reason: 'Request-Id does not match an unexpired pending request' })
}

/** Whether a challenge may still be answered, for this operation on this resource. */
export function isAnswerable(scope: Scope, request: SignedRequest, action: SignedAction): boolean {
  return (
    request.status === 'PENDING' &&
    scope.now < request.expiresAt &&
    request.operation === action.operation &&
    request.resourceId === action.resourceId
  )
}

/** The update that uses a challenge up. */
export function consume({ id, version }: SignedRequest): Update {
  return {
    table: 'signed_requests',
    id,
    from: ['PENDING'],
    version,
    set: { status: stateAfter(signedRequestMachine, 'consume') },
  }
}

function failedTry(request: SignedRequest | undefined, failure: Failure): Decision<never> {
  return refusing(failure, { updates: request ? [countFailure(request, mostFailures)] : [] })
}

/** The update that counts a failed answer; the last one that is allowed ends the challenge. */
export function countFailure(request: SignedRequest, most: number): Update {
  const { id, version } = request
  const failures = request.failures + 1
  const status = failures >= most ? stateAfter(signedRequestMachine, 'end') : request.status
  return { table: 'signed_requests', id, from: ['PENDING'], version, set: { failures, status } }
}
