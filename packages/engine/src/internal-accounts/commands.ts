import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Call, Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { decideSigned, loadSessionKeys } from '../signed-requests/index.ts'
import { exportInternalAccount, updateInternalAccount } from './contract.ts'
import { decidePrivacy, exportPayload, privacyPayload, walletRefusal } from './rules.ts'
import { type InternalAccount, loadInternalAccount } from './store.ts'
import { walletIdentity } from './wallet.ts'

/** Hides the balance of an embedded wallet, or shows it, once its holder has signed (accounts 3.2, wallets 7). */
export async function changePrivacy(
  engine: Engine,
  { scope, params, body, header }: Call<typeof updateInternalAccount>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const wallet = await loadWallet(engine, scope, params.id)
    if (!wallet.ok) return wallet
    const { id: accountId } = wallet.value
    return decideSigned(engine, scope, {
      operation: updateInternalAccount.id,
      resourceId: accountId,
      ownerId: wallet.value.ownerId,
      body,
      header,
      challenge: () =>
        ok({
          payloadToSign: privacyPayload(walletIdentity(engine.keys, accountId), {
            accountId,
            body,
            now: scope.now,
          }),
        }),
      signingKeys: () => loadSessionKeys(engine.database, scope, accountId),
      effect: () => ok(decidePrivacy(scope, wallet.value, body.privateEnabled!)),
    })
  })
}

/** Hands the keys of an embedded wallet to its holder, once the holder has signed (accounts 3.2, wallets 7). */
export async function exportWallet(
  engine: Engine,
  { scope, params, body, header }: Call<typeof exportInternalAccount>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const wallet = await loadWallet(engine, scope, params.id)
    if (!wallet.ok) return wallet
    const { id: accountId } = wallet.value
    return decideSigned(engine, scope, {
      operation: exportInternalAccount.id,
      resourceId: accountId,
      ownerId: wallet.value.ownerId,
      body,
      header,
      challenge: () =>
        ok({
          payloadToSign: exportPayload(walletIdentity(engine.keys, accountId), { ...body, now: scope.now }),
        }),
      signingKeys: () => loadSessionKeys(engine.database, scope, accountId),
      // Wallets are accounts in the ledger so far: there is no secret behind them that could be handed out.
      effect: () => failed(fail('NOT_IMPLEMENTED', { reason: 'NO_WALLET_SECRET' })),
    })
  })
}

async function loadWallet(
  { database }: Engine,
  scope: Scope,
  id: string,
): Promise<Result<InternalAccount, Failure>> {
  const account = await loadInternalAccount(database, scope, id)
  if (!account) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id }))
  const refusal = walletRefusal(account)
  return refusal ? failed(refusal) : ok(account)
}
