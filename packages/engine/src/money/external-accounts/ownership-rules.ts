import { failed, type Id, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { LivenessStart } from '../../ports/ownership.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { type Decision, type NewJob, refusing, type Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { OwnershipChallenge as OwnershipChallengeWire } from './contract.ts'
import type { OwnershipChallenge } from './ownership-store.ts'
import { renderExternalAccount } from './render.ts'
import { moveAccount } from './rules.ts'
import type { ExternalAccount } from './store.ts'

export const challengeLifeMs = 10 * 60 * 1000

/** The job that asks a liveness provider how a session went. */
export const livenessJob = 'externalAccounts.liveness'

export interface LivenessJob {
  readonly externalAccountId: string
  readonly challengeId: string
}

/**
 * Why an account is not one whose owner has to be proved, or undefined: only a customer's or platform's
 * own self-custody wallet that is not proved yet (accounts 4.9). A CONFLICT.
 */
export function proofRefusal(account: ExternalAccount): Failure | undefined {
  const { status, ownershipType, accountInfo, id } = account
  const isUnproved = status === 'PENDING_OWNERSHIP_VERIFICATION' || status === 'UNVERIFIED'
  const isOwnWallet = ownershipType === 'FIRST_PARTY' && accountTypeOf(accountInfo).isSelfCustody(accountInfo)
  if (isUnproved && isOwnWallet) return undefined
  return fail('CONFLICT', { externalAccountId: id, status, reason: 'OWNERSHIP_PROOF_NOT_APPLICABLE' })
}

export interface NewChallenge {
  readonly id: Id<'OwnershipChallenge'>
  /** 128 random bits, hexadecimal: what makes a signature good for this challenge alone. */
  readonly nonce: string
  readonly method: OwnershipChallenge['method']
  /** What the provider answered, for LIVENESS. */
  readonly liveness?: LivenessStart
}

/** Issues a challenge; the one before it, of whatever method, is void (accounts 4.9). */
export function decideChallenge(
  scope: Scope,
  account: ExternalAccount,
  outstanding: OwnershipChallenge | undefined,
  { id, nonce, method, liveness }: NewChallenge,
): Result<Decision<Reply>, Failure> {
  const refusal = proofRefusal(account)
  if (refusal) return failed(refusal)
  const move = moveAccount(scope, account, 'challenge')
  if (!move.ok) return move
  const at = toTimestamp(scope.now)
  const expiresAt = toTimestamp(scope.now + challengeLifeMs)
  const message = method === 'WALLET_SIGNATURE' ? messageToSign({ account, nonce, expiresAt }) : null
  const body: OwnershipChallengeWire =
    liveness === undefined
      ? { method: 'WALLET_SIGNATURE', messageToSign: message!, expiresAt }
      : {
          method: 'LIVENESS',
          verificationLink: liveness.verificationLink,
          ...(liveness.token === undefined ? {} : { token: liveness.token }),
          expiresAt,
        }
  return ok({
    updates: [move.value.update, ...(outstanding ? [closing(scope, outstanding, 'VOIDED')] : [])],
    inserts: [
      {
        table: 'ownership_challenges',
        row: {
          id,
          external_account_id: account.id,
          method,
          status: 'OUTSTANDING',
          message,
          created_at: at,
          updated_at: at,
          expires_at: expiresAt,
        },
      },
    ],
    jobs: liveness
      ? [livenessCheck({ externalAccountId: account.id, challengeId: id }, liveness.checkAt)]
      : [],
    events: move.value.events,
    unique: { ownership_challenges_outstanding: 'stale' },
    result: () => ({ status: 201, body }),
  })
}

/** One line, because hardware wallets show no more; it says to the signer what the signature does. */
function messageToSign({
  account,
  nonce,
  expiresAt,
}: {
  account: ExternalAccount
  nonce: string
  expiresAt: string
}): string {
  return `I confirm that I own this wallet, registered as ${account.id}. Nonce ${nonce}, valid until ${expiresAt}.`
}

/**
 * What a signature does to its account (accounts 4.9). A bad or late one makes the account UNVERIFIED
 * and is refused with INVALID_INPUT; both are committed.
 */
export function decideSignature(
  scope: Scope,
  account: ExternalAccount,
  challenge: OwnershipChallenge,
  { isGenuine }: { readonly isGenuine: boolean },
): Result<Decision<Reply>, Failure> {
  const isExpired = scope.now >= challenge.expiresAt
  const isProved = isGenuine && !isExpired
  const outcome = decideProof(scope, account, challenge, { isProved })
  if (!outcome.ok) return outcome
  const { changes, account: after } = outcome.value
  if (isProved) {
    return ok({ ...changes, result: () => ({ status: 200, body: renderExternalAccount(after) }) })
  }
  const reason = isExpired ? 'CHALLENGE_EXPIRED' : 'SIGNATURE_INVALID'
  return ok(refusing(fail('INVALID_INPUT', { reason, field: 'signature' }), changes))
}

/** The end of a liveness session; one that is not over when the challenge expires has failed. */
export function decideLiveness(
  scope: Scope,
  account: ExternalAccount,
  challenge: OwnershipChallenge,
  { isPassed }: { readonly isPassed: boolean },
): Result<Decision<null>, Failure> {
  const outcome = decideProof(scope, account, challenge, { isProved: isPassed })
  return outcome.ok ? ok({ ...outcome.value.changes, result: () => null }) : outcome
}

function decideProof(
  scope: Scope,
  account: ExternalAccount,
  challenge: OwnershipChallenge,
  { isProved }: { readonly isProved: boolean },
): Result<{ changes: Omit<Decision, 'result'>; account: ExternalAccount }, Failure> {
  const move = moveAccount(scope, account, isProved ? 'proveOwnership' : 'failOwnership')
  if (!move.ok) return move
  return ok({
    changes: {
      updates: [move.value.update, closing(scope, challenge, isProved ? 'PASSED' : 'FAILED')],
      events: move.value.events,
    },
    account: move.value.account,
  })
}

/** A challenge is answered or voided once; the guard decides between two who try at the same moment. */
function closing(scope: Scope, challenge: OwnershipChallenge, status: OwnershipChallenge['status']): Update {
  return {
    table: 'ownership_challenges',
    id: challenge.id,
    version: challenge.version,
    from: ['OUTSTANDING'],
    set: { status, updated_at: toTimestamp(scope.now) },
  }
}

export function livenessCheck(payload: LivenessJob, runAt: Instant): NewJob {
  return { kind: livenessJob, payload, runAt }
}
