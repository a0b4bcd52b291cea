import { createHash } from 'node:crypto'
import type { Instant } from '@corridor/kernel'
import type { Decision } from '../db/decision.ts'
import { type Failure, failFields } from '../http/errors.ts'
import { canonicalJson } from '../http/idempotency.ts'
import type { Reply } from '../http/operation.ts'
import { changedAt, type Scope } from '../http/scope.ts'
import { activityPayload } from '../signed-requests/index.ts'
import { renderInternalAccount } from './render.ts'
import type { InternalAccount } from './store.ts'
import type { WalletIdentity } from './wallet.ts'

/** What only embedded wallets have (accounts 3.2): INVALID_INPUT for every other account. */
export function walletRefusal({ type }: Pick<InternalAccount, 'type'>): Failure | undefined {
  if (type === 'EMBEDDED_WALLET') return undefined
  return failFields([{ field: 'id', message: 'is not an embedded wallet' }])
}

/** What is signed for a change of privacy: the account and the whole body, as a hash (wallets 4.3, S7). */
export function privacyPayload(
  { organizationId, walletId }: WalletIdentity,
  change: { readonly accountId: string; readonly body: object; readonly now: Instant },
): string {
  const payload = createHash('sha256').update(`${change.accountId}|${canonicalJson(change.body)}`)
  return activityPayload({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: change.now,
    organizationId,
    parameters: {
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
      payload: payload.digest('hex'),
      signWith: walletId,
    },
  })
}

/** What is signed for an export: the wallet and the key that it goes to (wallets 4.3, S6). */
export function exportPayload(
  { organizationId, walletId }: WalletIdentity,
  { clientPublicKey, now }: { readonly clientPublicKey: string; readonly now: Instant },
): string {
  return activityPayload({
    type: 'ACTIVITY_TYPE_EXPORT_WALLET',
    timestampMs: now,
    organizationId,
    parameters: { targetPublicKey: clientPublicKey, walletId },
  })
}

/** Setting what is set already changes nothing that anybody sees, and still counts as a change (wallets 7). */
export function decidePrivacy(
  scope: Scope,
  account: InternalAccount,
  privateEnabled: boolean,
): Decision<Reply> {
  const at = changedAt(scope, account.updatedAt)
  const changed = { ...account, privateEnabled, updatedAt: Date.parse(at) }
  return {
    updates: [
      {
        table: 'internal_accounts',
        id: account.id,
        version: account.version,
        set: { private_enabled: privateEnabled, updated_at: at },
      },
    ],
    result: () => ({ status: 200, body: renderInternalAccount(changed) }),
  }
}
