import { assert, failed, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { LivenessStart } from '../../ports/ownership.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadKnownAccount, primaryIdOf, type Side } from './commands.ts'
import { decideChallenge, decideSignature, type NewChallenge, proofRefusal } from './ownership-rules.ts'
import { loadOutstandingChallenge, type OwnershipChallenge } from './ownership-store.ts'
import type { ExternalAccount } from './store.ts'

export async function challengeOwner(
  engine: Engine,
  scope: Scope,
  side: Side,
  id: string,
  method: OwnershipChallenge['method'],
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const known = await loadKnownAccount(engine, scope, side, id)
  if (!known.ok) return known
  const refusal = proofRefusal(known.value)
  if (refusal) return failed(refusal)

  const challengeId = world.id('OwnershipChallenge')
  let liveness: LivenessStart | undefined
  if (method === 'LIVENESS') {
    const session = { challengeId, address: primaryIdOf(known.value), startedAt: scope.now }
    liveness = await engine.adapters[scope.environment].ownership.startLiveness(session, scope.now)
    if (!liveness) return failed(fail('NOT_IMPLEMENTED', { reason: 'NO_LIVENESS_PROVIDER', field: 'method' }))
  }
  const challenge: NewChallenge = {
    id: challengeId,
    nonce: Buffer.from(world.randomBytes(16)).toString('hex'),
    method,
    ...(liveness ? { liveness } : {}),
  }
  return commit(engine.applier, scope, async () => {
    const account = await loadKnownAccount(engine, scope, side, id)
    if (!account.ok) return account
    const outstanding = await loadOutstandingChallenge(database, scope, id)
    return decideChallenge(scope, account.value, outstanding, challenge)
  })
}

/** Checks a signature before any transaction is open: what a scheme needs may one day include a network call. */
export async function verifyOwner(
  engine: Engine,
  scope: Scope,
  side: Side,
  id: string,
  answer: { readonly signature: string; readonly signatureScheme?: 'bip137' | 'electrum' },
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const known = await loadKnownAccount(engine, scope, side, id)
  if (!known.ok) return known
  const answered = await loadOutstandingChallenge(database, scope, id)
  if (!isSignatureOutstanding(answered)) return failed(nothingOutstanding(known.value))

  const { network } = accountTypeOf(known.value.accountInfo)
  assert(network, 'only wallets are challenged')
  const isGenuine = await engine.adapters[scope.environment].ownership.verifySignature({
    network,
    address: primaryIdOf(known.value),
    message: answered.message,
    signature: answer.signature,
    scheme: answer.signatureScheme ?? 'bip137',
  })
  return commit(engine.applier, scope, async () => {
    const account = await loadKnownAccount(engine, scope, side, id)
    if (!account.ok) return account
    const challenge = await loadOutstandingChallenge(database, scope, id)
    // Voided or answered while the signature was being checked: what was checked no longer counts.
    if (challenge?.id !== answered.id) return failed(nothingOutstanding(account.value))
    return decideSignature(scope, account.value, challenge, { isGenuine })
  })
}

function isSignatureOutstanding(
  challenge: OwnershipChallenge | undefined,
): challenge is OwnershipChallenge & { message: string } {
  return challenge?.method === 'WALLET_SIGNATURE' && challenge.message !== null
}

function nothingOutstanding({ id, status }: ExternalAccount): Failure {
  return fail('CONFLICT', { externalAccountId: id, status, reason: 'NO_OUTSTANDING_CHALLENGE' })
}
