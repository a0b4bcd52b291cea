import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Call, Reply } from '../http/operation.ts'
import { operatorActor, type Scope } from '../http/scope.ts'
import { decideSigned, loadSessionKeys } from '../signed-requests/index.ts'
import { exportInternalAccount, updateInternalAccount } from './contract.ts'
import type { InternalAccountEvent } from './machine.ts'
import { newInstructions } from './open-accounts.ts'
import { decideMove, decidePrivacy, exportPayload, privacyPayload, walletRefusal } from './rules.ts'
import {
  findBookOfInternalAccount,
  hasPaymentsUnderWay,
  type InternalAccount,
  loadInternalAccount,
} from './store.ts'
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

/** Changes the status of an account, in whatever book it is (accounts 3.1). */
export async function moveInternalAccount(
  engine: Engine,
  id: string,
  on: InternalAccountEvent,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const book = await findBookOfInternalAccount(database, id)
  if (!book) return failed(notFound(id))
  const scope = await engine.clock.scope(book, operatorActor)
  return commit(engine.applier, scope, async () => {
    const account = await loadInternalAccount(database, scope, id)
    if (!account) return failed(notFound(id))
    return decideMove(scope, account, on, {
      newInstructions: newInstructions(world, account),
      hasPaymentsUnderWay: on === 'close' && (await hasPaymentsUnderWay(database, scope, id)),
    })
  })
}

function notFound(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id })
}

async function loadWallet(
  { database }: Engine,
  scope: Scope,
  id: string,
): Promise<Result<InternalAccount, Failure>> {
  const account = await loadInternalAccount(database, scope, id)
  if (!account) return failed(notFound(id))
  const refusal = walletRefusal(account)
  return refusal ? failed(refusal) : ok(account)
}
