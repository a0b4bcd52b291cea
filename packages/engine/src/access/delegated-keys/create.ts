import { failed, ok, type Result, stateAfter, statesBefore, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  activityPayload,
  decideSigned,
  issueChallenge,
  loadOwnerKey,
  type SignedRequest,
} from '../../mechanisms/signed-requests/index.ts'
import { newScalar, publicPointOf } from '../../mechanisms/wallet-crypto/index.ts'
import { loadInternalAccount, walletIdentity } from '../../platform/internal-accounts/index.ts'
import { loadSigners } from '../../platform/wallet-credentials/index.ts'
import type { Decision, Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { createDelegatedKey } from './contract.ts'
import { delegatedKeyMachine } from './machine.ts'
import { renderDelegatedKey } from './render.ts'
import {
  type DelegatedKey,
  loadActiveDelegatedKey,
  loadDelegatedKey,
  sealedDelegatedSecrets,
} from './store.ts'

type Create = Call<typeof createDelegatedKey>

/** What the first leg puts aside, and what the second does. */
type Draft =
  | { readonly stage: 'USER'; readonly secret: string }
  | { readonly stage: 'POLICY'; readonly keyId: string }

/**
 * Lets the service sign for card payments out of a wallet, after two signatures by sessions of the wallet: one for
 * the key, one for what it may do (wallets 9.2). Between the two the key is PENDING and signs nothing.
 */
export async function createKey(
  engine: Engine,
  { scope, body, header }: Create,
): Promise<Result<Reply, Failure>> {
  const { cardId, internalAccountId: accountId, nickname } = body
  return commit(engine.applier, scope, async () => {
    const missing = (resourceType: string, id: string) =>
      failed(fail('REFERENCE_NOT_FOUND', { resourceType, id }))
    const account = await loadInternalAccount(engine.database, scope, accountId)
    if (!account) return missing('InternalAccount', accountId)
    if (account.type !== 'EMBEDDED_WALLET') {
      return failed(failFields([{ field: 'internalAccountId', message: 'is not an embedded wallet' }]))
    }
    const source = await engine.fundingSources.load(engine, scope, { cardId, accountId })
    if (source?.status !== 'ACTIVE') return missing('CardFundingSource', cardId)
    const ownerKey = await loadOwnerKey(engine, scope, account.ownerId)
    if (!ownerKey.ok) return ownerKey
    const taken = async () => {
      const active = await loadActiveDelegatedKey(engine.database, scope, source.id)
      return active && fail('CONFLICT', { reason: 'KEY_EXISTS' })
    }
    const names = walletIdentity(engine.keys, accountId)
    const action = {
      operation: createDelegatedKey.id,
      resourceId: accountId,
      body: { cardId, accountId, nickname },
    }
    const payload = (type: string, parameters: Record<string, unknown>) =>
      activityPayload({
        type,
        timestampMs: scope.now,
        organizationId: names.organizationId,
        parameters,
      })

    return decideSigned(engine, scope, {
      ...action,
      ownerId: account.ownerId,
      header,
      async challenge() {
        const refusal = await taken()
        if (refusal) return failed(refusal)
        const secret = newScalar(engine.world)
        const { compressed: publicKey } = publicPointOf(secret)
        const draft: Draft = { stage: 'USER', secret: Buffer.from(secret).toString('hex') }
        const users = [{ apiKeys: [{ publicKey }], userName: nickname }]
        return ok({ payloadToSign: payload('ACTIVITY_TYPE_CREATE_USERS_V3', { users }), details: draft })
      },
      signers: () => loadSigners(engine.database, scope, [accountId]),
      async effect(request: SignedRequest): Promise<Result<Decision<Reply>, Failure>> {
        const refusal = await taken()
        if (refusal) return failed(refusal)
        const draft = request.details as unknown as Draft
        if (draft.stage === 'POLICY') return activate(engine, scope, draft.keyId, source.stays)

        const id = engine.world.id('DelegatedKey')
        const secret = Uint8Array.from(Buffer.from(draft.secret, 'hex'))
        const at = toTimestamp(scope.now)
        const policy = {
          consensus: `approvers.any(user, user.id == '${id}')`,
          effect: 'EFFECT_ALLOW',
          policyName: `${cardId} ${source.id}`,
        }
        const next = issueChallenge(engine.world, scope, action, {
          payloadToSign: payload('ACTIVITY_TYPE_CREATE_POLICIES', { policies: [policy] }),
          details: { stage: 'POLICY', keyId: id } satisfies Draft,
          owner: { id: account.ownerId, key: ownerKey.value },
        })
        const row = {
          id,
          card_id: cardId,
          funding_source_id: source.id,
          account_id: accountId,
          owner_id: account.ownerId,
          public_key: publicPointOf(secret).compressed,
          secret: ownerKey.value.seal(sealedDelegatedSecrets, id, draft.secret),
          nickname,
          status: 'PENDING',
          created_at: at,
          updated_at: at,
        }
        return ok({
          ...next.changes,
          inserts: [{ table: 'delegated_keys', row }, ...(next.changes.inserts ?? [])],
          result: () => ({ status: 202, body: next.challenge }),
        })
      },
    })
  })
}

async function activate(
  engine: Engine,
  scope: Scope,
  id: string,
  stays: Requirement,
): Promise<Result<Decision<Reply>, Failure>> {
  const key = await loadDelegatedKey(engine.database, scope, id)
  if (!key) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'DelegatedKey', id }))
  const at = toTimestamp(Math.max(scope.now, key.updatedAt + 1))
  const status = stateAfter(delegatedKeyMachine, 'activate')
  const active: DelegatedKey = { ...key, status, updatedAt: Date.parse(at) }
  return ok({
    updates: [
      {
        table: 'delegated_keys',
        id,
        from: statesBefore(delegatedKeyMachine, 'activate'),
        version: key.version,
        set: { status, updated_at: at },
      },
    ],
    // A card that closes at the same moment would miss this key.
    requires: [stays],
    unique: { delegated_keys_one_active: 'stale' },
    result: () => ({ status: 201, body: renderDelegatedKey(active) }),
  })
}
