import { type Instant, lowerAscii, stateAfter, step, toTimestamp, toWireAmount } from '@corridor/kernel'
import type { SupportedCurrency } from '../../platform/platforms/index.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { InvitationStatus, UmaInvitation, UmaInvitationCreateRequest } from './contract.ts'
import { invitationMachine } from './machine.ts'
import type { Invitation } from './store.ts'

const codeForm = /^[0-9a-f]{8}$/

/** A code in the form it is stored in; people type them in any case. Undefined for what no code looks like. */
export function normalizeCode(code: string): string | undefined {
  const lower = code.length === 8 ? lowerAscii(code) : ''
  return codeForm.test(lower) ? lower : undefined
}

/** The status as of `now`: expiry needs nobody to come by (webhooks-uma 4). */
export function statusAt({ status, expiresAt }: Invitation, now: Instant): InvitationStatus {
  return status === 'PENDING' && expiresAt !== null && now >= expiresAt ? 'EXPIRED' : status
}

/** As GET and event show it. `baseUrl` is where the installation hands out its links. */
export function renderInvitation(
  invitation: Invitation,
  { now, baseUrl }: { readonly now: Instant; readonly baseUrl: string },
): UmaInvitation {
  const { id: code, amountMinor, currency, claimedAt, expiresAt, inviteeUma, firstName } = invitation
  return {
    code,
    createdAt: toTimestamp(invitation.createdAt),
    ...(claimedAt === null ? {} : { claimedAt: toTimestamp(claimedAt) }),
    url: `${baseUrl}/i/${code}`,
    ...(expiresAt === null ? {} : { expiresAt: toTimestamp(expiresAt) }),
    inviterUma: invitation.inviterUma,
    ...(inviteeUma === null ? {} : { inviteeUma }),
    status: statusAt(invitation, now),
    ...(firstName === null ? {} : { firstName }),
    ...(amountMinor === null || currency === null
      ? {}
      : { amountToSend: { amount: toWireAmount(amountMinor), currency: toCurrency(currency) } }),
  }
}

/** Why a new invitation is refused although its inviter is known, or undefined. */
export function creationRefusal(
  scope: Scope,
  { expiresAt, amountToSend }: UmaInvitationCreateRequest,
  { primary }: { readonly primary: SupportedCurrency | undefined },
): Failure | undefined {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= scope.now) {
    return failFields([{ field: 'expiresAt', message: 'is not in the future' }])
  }
  if (amountToSend === undefined) return undefined
  if (!primary)
    return failFields([
      { field: 'amountToSend', message: 'is not possible, because the inviter has no account' },
    ])
  const { minAmount: min, maxAmount: max, currencyCode: currency } = primary
  return amountToSend < min || amountToSend > max
    ? outOfRange(currency, { least: BigInt(min), most: BigInt(max) })
    : undefined
}

export function newInvitation(
  scope: Scope,
  { firstName, amountToSend, expiresAt }: UmaInvitationCreateRequest,
  facts: {
    readonly code: string
    readonly inviter: { readonly id: string; readonly umaAddress: string }
    readonly currency: string | undefined
  },
): Invitation {
  return {
    id: facts.code,
    version: 1n,
    customerId: facts.inviter.id,
    inviterUma: facts.inviter.umaAddress,
    firstName: firstName ?? null,
    amountMinor: amountToSend === undefined ? null : BigInt(amountToSend),
    currency: amountToSend === undefined ? null : (facts.currency ?? null),
    status: 'PENDING',
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
    claimedAt: null,
    inviteeUma: null,
    claimedBy: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

export function decideCreate(scope: Scope, invitation: Invitation, baseUrl: string): Decision<Reply> {
  const { id, customerId, inviterUma, firstName, amountMinor, currency, status, expiresAt } = invitation
  const at = toTimestamp(scope.now)
  const row = {
    id,
    customer_id: customerId,
    inviter_uma: inviterUma,
    first_name: firstName,
    amount: amountMinor,
    currency,
    status,
    expires_at: expiresAt === null ? null : toTimestamp(expiresAt),
    created_at: at,
    updated_at: at,
  }
  const body = renderInvitation(invitation, { now: scope.now, baseUrl })
  return {
    inserts: [{ table: 'invitations', row }],
    // Somebody has this code: another is drawn.
    unique: { invitations_code: 'stale', invitations_pkey: 'stale' },
    result: () => ({ status: 201, body }),
  }
}

/** Why an invitation cannot be claimed or cancelled any more, or undefined (webhooks-uma 4). */
export function closedRefusal(
  invitation: Invitation,
  on: 'claim' | 'cancel',
  now: Instant,
): Failure | undefined {
  const status = statusAt(invitation, now)
  const move = step(invitationMachine, status, on)
  if (move.ok) return undefined
  if (move.refusal === 'INVALID_INPUT') return fail('INVALID_INPUT', { reason: 'INVITATION_EXPIRED' })
  const { inviteeUma } = invitation
  return fail(move.refusal, { status, ...(status === 'CLAIMED' ? { inviteeUma } : {}) })
}

/** `scope` is that of the inviter's book; `claimedBy` names the request, so that its repetition succeeds. */
export function decideClaim(
  scope: Scope,
  invitation: Invitation,
  claim: { readonly inviteeUma: string; readonly claimedBy: string | null; readonly baseUrl: string },
): Decision<UmaInvitation> {
  const { inviteeUma, claimedBy, baseUrl } = claim
  const claimed: Invitation = {
    ...invitation,
    status: stateAfter(invitationMachine, 'claim'),
    claimedAt: scope.now,
    inviteeUma,
    claimedBy,
  }
  const body = renderInvitation(claimed, { now: scope.now, baseUrl })
  return {
    updates: [
      {
        table: 'invitations',
        id: invitation.id,
        from: ['PENDING'],
        version: invitation.version,
        set: {
          status: claimed.status,
          claimed_at: toTimestamp(scope.now),
          invitee_uma: inviteeUma,
          claimed_by: claimedBy,
          updated_at: changedAt(scope, invitation.updatedAt),
        },
      },
    ],
    events: [
      { type: 'INVITATION.CLAIMED', resourceId: invitation.id, subjectId: invitation.customerId, data: body },
    ],
    result: () => body,
  }
}

/** Ends an invitation that nobody has claimed; nobody is told. */
export function decideEnd(
  scope: Scope,
  invitation: Invitation,
  on: 'cancel' | 'expire',
): Pick<Decision, 'updates'> {
  return {
    updates: [
      {
        table: 'invitations',
        id: invitation.id,
        from: ['PENDING'],
        version: invitation.version,
        set: {
          status: stateAfter(invitationMachine, on),
          updated_at: changedAt(scope, invitation.updatedAt),
        },
      },
    ],
  }
}
