import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { decideSigned, loadOwnerKey } from '../../mechanisms/signed-requests/index.ts'
import { parsePoint, sealExport } from '../../mechanisms/wallet-crypto/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { loadMnemonic, loadSigners, newSecret } from '../wallet-credentials/index.ts'
import { exportInternalAccount, updateInternalAccount } from './contract.ts'
import { issueForAccount } from './issue.ts'
import type { InternalAccountEvent } from './machine.ts'
import {
  decideMove,
  decidePrivacy,
  exportPayload,
  moveRefusal,
  privacyPayload,
  walletRefusal,
} from './rules.ts'
import {
  findBookOfInternalAccount,
  hasPaymentsUnderWay,
  type InternalAccount,
  loadInternalAccount,
  whileUnused,
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
      signers: () => loadSigners(engine.database, scope, [accountId]),
      effect: () => ok(decidePrivacy(scope, wallet.value, body.privateEnabled!)),
    })
  })
}

/** Hands the words of an embedded wallet to its holder, once the holder has signed (accounts 3.2, wallets 7). */
export async function exportWallet(
  engine: Engine,
  { scope, params, body, header }: Call<typeof exportInternalAccount>,
): Promise<Result<Reply, Failure>> {
  const { clientPublicKey } = body
  return commit(engine.applier, scope, async () => {
    const wallet = await loadWallet(engine, scope, params.id)
    if (!wallet.ok) return wallet
    const { id: accountId } = wallet.value
    const names = walletIdentity(engine.keys, accountId)
    return decideSigned(engine, scope, {
      operation: exportInternalAccount.id,
      resourceId: accountId,
      ownerId: wallet.value.ownerId,
      body: { clientPublicKey },
      header,
      challenge: () => ok({ payloadToSign: exportPayload(names, { clientPublicKey, now: scope.now }) }),
      signers: () => loadSigners(engine.database, scope, [accountId]),
      effect: () => decideExport(engine, scope, wallet.value, clientPublicKey),
    })
  })
}

/** Seals the words to the client, another envelope every time. The account goes on working. */
async function decideExport(
  engine: Engine,
  scope: Scope,
  { id, ownerId }: InternalAccount,
  clientPublicKey: string,
): Promise<Result<Decision<Reply>, Failure>> {
  const { world, keys, adapters } = engine
  const dataKey = await loadOwnerKey(engine, scope, ownerId)
  if (!dataKey.ok) return dataKey
  const known = await loadMnemonic(engine, scope, id)
  // A wallet that is older than the words of wallets gets them now.
  const made =
    known === undefined
      ? newSecret(world, { accountId: id, ownerId, dataKey: dataKey.value, now: scope.now })
      : undefined
  const { organizationId } = walletIdentity(keys, id)
  const { signsExports } = adapters[scope.environment].rules
  const encryptedWalletCredentials = await sealExport(
    world,
    { organizationId, mnemonic: known ?? made!.mnemonic },
    parsePoint(clientPublicKey)!,
    { signer: signsExports ? keys.quorumKey(scope.environment) : undefined },
  )
  return ok({
    inserts: made ? [made.insert] : [],
    unique: { wallet_secrets_pkey: 'stale' },
    result: () => ({ status: 200, body: { id, encryptedWalletCredentials } }),
  })
}

/** Changes the status of an account, in whatever book it is (accounts 3.1). */
export async function moveInternalAccount(
  engine: Engine,
  actor: Actor,
  id: string,
  on: InternalAccountEvent,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const book = await findBookOfInternalAccount(database, id)
  if (!book) return failed(notFound(id))
  const scope = await engine.clock.scope(book, actor)
  const found = await loadInternalAccount(database, scope, id)
  if (!found) return failed(notFound(id))
  // Asked before anything is decided. An answer that comes late meets whatever the account has become.
  const isFirst = on === 'activate' && moveRefusal(found, on) === undefined
  const issued = isFirst ? await issueForAccount(engine, scope.environment, found) : ok([])
  if (!issued.ok) return issued
  return commit(engine.applier, scope, async () => {
    const account = await loadInternalAccount(database, scope, id)
    if (!account) return failed(notFound(id))
    const decided = decideMove(scope, account, on, {
      newInstructions: issued.value,
      hasPaymentsUnderWay: on === 'close' && (await hasPaymentsUnderWay(database, scope, id)),
    })
    // A payment that begins meanwhile leaves no mark on the account.
    return decided.ok && on === 'close' ? ok({ ...decided.value, relies: [whileUnused(id)] }) : decided
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
