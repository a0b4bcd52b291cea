import { createHash } from 'node:crypto'
import { failed, type Instant, largestWireMinor, ok, type Result, step, toTimestamp } from '@corridor/kernel'
import { canonicalJson } from '../../mechanisms/http/idempotency.ts'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { activityPayload } from '../../mechanisms/signed-requests/index.ts'
import type { After, Decision, NewEvent, NewJob, Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import { subjectOfOwner } from '../../vocabulary/subject.ts'
import { type InternalAccountEvent, internalAccountMachine } from './machine.ts'
import { renderInternalAccount, withBalancesAfter } from './render.ts'
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

/**
 * Setting what is set already changes nothing that anybody sees, and still counts as a change (wallets 7).
 */
export function decidePrivacy(
  scope: Scope,
  account: InternalAccount,
  privateEnabled: boolean,
): Decision<Reply> {
  const at = changedAt(scope, account.updatedAt)
  const { id, status } = account
  const changed = { ...account, privateEnabled, updatedAt: Date.parse(at) }
  const shown = shownOf(id)
  return {
    updates: [
      {
        table: 'internal_accounts',
        id,
        from: [status],
        set: { private_enabled: privateEnabled, updated_at: at },
      },
    ],
    changes: [account],
    result: (after) => ({
      status: 200,
      body: renderInternalAccount(withBalancesAfter(changed, after, new Set(shown))),
    }),
  }
}

/** The ledger accounts whose balances an internal account shows. */
function shownOf(id: string): string[] {
  return [ledgerAccount.available(id), ledgerAccount.pending(id)]
}

/** What a change of status is decided from, beside the account. */
export interface MoveFacts {
  /** Coordinates for an account that has none yet. */
  readonly newInstructions: InternalAccount['fundingInstructions']
  readonly hasPaymentsUnderWay: boolean
}

/** CONFLICT for a move that the machine does not list. */
export function moveRefusal(
  { id, status }: Pick<InternalAccount, 'id' | 'status'>,
  on: InternalAccountEvent,
): Failure | undefined {
  const next = step(internalAccountMachine, status, on)
  return next.ok ? undefined : fail(next.refusal, { reason: 'WRONG_STATUS', status, accountId: id })
}

/**
 * Changes the status of an account (accounts 3.1). CONFLICT for a move that the machine does not list, and
 * for closing an account that holds money or awaits some, or whose owner owes some.
 */
export function decideMove(
  scope: Scope,
  account: InternalAccount,
  on: InternalAccountEvent,
  { newInstructions, hasPaymentsUnderWay }: MoveFacts,
): Result<Decision<Reply>, Failure> {
  const { id, status } = account
  const next = step(internalAccountMachine, status, on)
  if (!next.ok) return failed(fail(next.refusal, { reason: 'WRONG_STATUS', status, accountId: id }))
  if (on === 'close' && account.availableMinor + account.heldMinor + account.pendingMinor !== 0n) {
    return failed(fail('CONFLICT', { reason: 'BALANCE_NOT_ZERO', status, accountId: id }))
  }
  if (on === 'close' && account.receivableMinor !== 0n) {
    return failed(fail('CONFLICT', { reason: 'RECEIVABLE_OPEN', status, accountId: id }))
  }
  if (on === 'close' && hasPaymentsUnderWay) {
    return failed(fail('CONFLICT', { reason: 'PAYMENTS_UNDER_WAY', status, accountId: id }))
  }
  const at = changedAt(scope, account.updatedAt)
  const fundingInstructions = on === 'activate' ? newInstructions : account.fundingInstructions
  const changed = { ...account, status: next.to, fundingInstructions, updatedAt: Date.parse(at) }
  const set = { status: next.to, funding_instructions: fundingInstructions, updated_at: at }
  // Payments go on meanwhile: it shows the balances that it finds when it is written.
  const shown = shownOf(id)
  const data = (after: After) => renderInternalAccount(withBalancesAfter(changed, after, new Set(shown)))
  return ok({
    // A debt that another process writes at the same moment comes before, and is found, or after.
    updates: [{ table: 'internal_accounts', id, version: account.version, from: [status], set }],
    statements: freezing(scope, changed),
    changes: [account],
    events: statusEvents(account, changed).map((event) => ({ ...event, data })),
    jobs: next.to === 'ACTIVE' ? [replaySuspense(id)] : [],
    result: (after) => ({ status: 200, body: data(after) }),
  })
}

const setFrozen = statement(
  'internalAccounts.setFrozen',
  `insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at, is_frozen)
   values ($1, $2, $3, $4, true, $5, $6)
   on conflict (platform_id, environment, id) do update set is_frozen = excluded.is_frozen`,
)

/** The ledger itself refuses what would change a frozen account (mechanisms/db/evaluate.ts). */
function freezing(
  { platformId, environment }: Scope,
  { id, currency, status, updatedAt }: InternalAccount,
): NonNullable<Decision['statements']> {
  if (status !== 'FROZEN' && status !== 'ACTIVE') return []
  const isFrozen = status === 'FROZEN'
  const parameters = [
    platformId,
    environment,
    ledgerAccount.available(id),
    currency,
    toTimestamp(updatedAt),
    isFrozen,
  ]
  return [{ statement: setFrozen, parameters }]
}

/** The status first; then the coordinates, where payers see others than before (accounts 14). */
function statusEvents(before: InternalAccount, after: InternalAccount): NewEvent[] {
  const data = renderInternalAccount(after)
  const shown = renderInternalAccount(before).fundingPaymentInstructions
  const changesInstructions = shown.length > 0 || data.fundingPaymentInstructions.length > 0
  const types = [
    'INTERNAL_ACCOUNT.STATUS_UPDATED',
    ...(changesInstructions ? ['INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED'] : []),
  ]
  return types.map((type) => ({
    ...{ type, resourceId: after.id, data },
    subjectId: subjectOfOwner(after.ownerId),
  }))
}

export const replaySuspenseKind = 'suspense.replay'

/** The job that credits what waits in suspense for an account. One per account at a time. */
export function replaySuspense(internalAccountId: string): NewJob {
  return { kind: replaySuspenseKind, key: internalAccountId, payload: { internalAccountId } }
}

/**
 * Makes a decision stale when the status of the account, or what its owner owes, is changed meanwhile: what is put into suspense after
 * the release of its account would wait for ever, and what is credited after its closing as well. It leaves the account as it
 * is, so that payments do not write it; its closing looks for them instead.
 */
export function whileStatusStays({
  id,
  status,
  version,
}: Pick<InternalAccount, 'id' | 'status' | 'version'>): Requirement {
  return { table: 'internal_accounts', id, version, from: [status], inTurn: true }
}

/** Whether the account can be credited with this much, in its minor units, and still be told (conventions 4). */
export function hasRoomFor({ availableMinor, heldMinor }: InternalAccount, amountMinor: bigint): boolean {
  return availableMinor + heldMinor + amountMinor <= largestWireMinor
}
