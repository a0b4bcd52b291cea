import { isDeepStrictEqual } from 'node:util'
import { assert, failed, type Instant, lowerAscii, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { activityPayload, decideSigned, loadSignedRequest } from '../../mechanisms/signed-requests/index.ts'
import {
  loadOwnedInternalAccounts,
  type WalletIdentity,
  walletIdentity,
} from '../../platform/internal-accounts/index.ts'
import { loadSigners } from '../../platform/wallet-credentials/index.ts'
import type { Contact } from '../../ports/contact-credentials.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type CustomerUpdateRequest, updateCustomerById } from './contract.ts'
import { isSameEmail } from './rules.ts'
import type { Customer } from './store.ts'

/** A change of a customer, and how it is decided once nothing more has to be signed. */
interface Change {
  readonly before: Customer
  readonly request: CustomerUpdateRequest
  readonly header: Call['header']
  readonly decide: () => Promise<Result<Decision<Reply>, Failure>>
}

/**
 * Decides a change of a customer, behind the signature of its wallet where it touches a contact that unlocks
 * one (customers 5.2, wallets 6). The whole change waits for the signature, whatever else is in it. Other
 * changes ignore the headers, unless they answer a challenge of this customer, whatever became of it.
 */
export async function decideContactChange(
  engine: Engine,
  scope: Scope,
  change: Change,
): Promise<Result<Decision<Reply>, Failure>> {
  const { before, request, header, decide } = change
  const contact = changedContact(before, request)
  const tied = contact ? await engine.contactCredentials.tied(engine, scope, before.id, contact.type) : []
  if (tied.length === 0 && !(await isAnswer(engine, scope, change))) return decide()
  return decideSigned(engine, scope, {
    operation: updateCustomerById.id,
    resourceId: before.id,
    ownerId: before.id,
    body: request,
    header,
    isRemembered: true,
    async challenge() {
      assert(contact, 'without headers only a changed contact gets here')
      if (contact.value === null) {
        return failed(fail('CONFLICT', { field: contact.field, reason: 'UNLOCKS_WALLET' }))
      }
      const wanted = { type: contact.type, value: contact.value }
      const plain = await decide()
      if (!plain.ok) return plain
      if (await engine.contactCredentials.isHeldByOthers(engine, scope, wanted, tied)) {
        return failed(heldByOthers(wanted))
      }
      const [walletId] = await loadWalletIds(engine, scope, before)
      assert(walletId, 'a credential belongs to a wallet')
      return ok({
        payloadToSign: contactPayload(walletIdentity(engine.keys, walletId), wanted, scope.now),
        details: { ...boundTo(before, contact.type, tied) },
      })
    },
    async signers() {
      const wallets = await loadWalletIds(engine, scope, before)
      return loadSigners(engine.database, scope, wallets)
    },
    effect: ({ details }) => decideSignedChange(engine, scope, change, details as unknown as Bound),
  })
}

/** What a challenge was about besides its body; a change of it in between makes the challenge void. */
interface Bound {
  readonly type: Contact['type']
  readonly credentialIds: readonly string[]
  /** The contact that was to be replaced: of several challenges one succeeds (customers 5.3). */
  readonly replaced: string | null
}

function boundTo({ profile }: Customer, type: Contact['type'], credentialIds: readonly string[]): Bound {
  const replaced = type === 'EMAIL_OTP' ? lowerAscii(profile.email ?? '') || undefined : profile.phoneNumber
  return { type, credentialIds, replaced: replaced ?? null }
}

/** The contact, every tied credential and the rest of the change, as one; nothing when one of them cannot. */
async function decideSignedChange(
  engine: Engine,
  scope: Scope,
  { before, request, decide }: Change,
  bound: Bound,
): Promise<Result<Decision<Reply>, Failure>> {
  const { contactCredentials: credentials } = engine
  const { type } = bound
  const value = type === 'EMAIL_OTP' ? request.email : request.phoneNumber
  assert(value != null, 'the body is the one that was challenged')
  const tied = await credentials.tied(engine, scope, before.id, type)
  if (await credentials.isHeldByOthers(engine, scope, { type, value }, tied)) {
    return failed(heldByOthers({ type, value }))
  }
  if (!isDeepStrictEqual(boundTo(before, type, tied), bound)) return failed(credentialsChanged(type))
  const plain = await decide()
  if (!plain.ok) return plain
  const moved = await credentials.change(engine, scope, tied, { type, value })
  if (!moved) return failed(fail('EMAIL_OTP_CREDENTIAL_SYNC_FAILED'))
  return ok({
    ...plain.value,
    updates: [...(plain.value.updates ?? []), ...(moved.updates ?? [])],
    statements: [...(plain.value.statements ?? []), ...(moved.statements ?? [])],
  })
}

/** The contact that a request changes, if any; both cannot come together. Null takes it away. */
function changedContact({ profile }: Customer, { email, phoneNumber }: CustomerUpdateRequest) {
  if (email !== undefined && !isSameEmail(profile.email, email ?? undefined)) {
    return { type: 'EMAIL_OTP', field: 'email', value: email } as const
  }
  if (phoneNumber !== undefined && profile.phoneNumber !== (phoneNumber ?? undefined)) {
    return { type: 'SMS_OTP', field: 'phoneNumber', value: phoneNumber } as const
  }
  return undefined
}

/** Whether a request names a challenge of this customer; a Request-Id may also be for tracing alone. */
async function isAnswer(engine: Engine, scope: Scope, { before, header }: Change): Promise<boolean> {
  const requestId = header('request-id')
  const challenge = requestId === undefined ? undefined : await loadSignedRequest(engine, scope, requestId)
  return challenge?.operation === updateCustomerById.id && challenge.resourceId === before.id
}

async function loadWalletIds(engine: Engine, scope: Scope, { id }: Customer): Promise<string[]> {
  const accounts = await loadOwnedInternalAccounts(engine.database, scope, id)
  return accounts.filter(({ type }) => type === 'EMBEDDED_WALLET').map((account) => account.id)
}

/** What is signed for another contact (wallets 4.3, S8). */
function contactPayload(
  { organizationId, userId }: WalletIdentity,
  { type, value }: Contact,
  now: Instant,
): string {
  const isEmail = type === 'EMAIL_OTP'
  return activityPayload({
    type: isEmail ? 'ACTIVITY_TYPE_UPDATE_USER_EMAIL' : 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    timestampMs: now,
    organizationId,
    parameters: { [isEmail ? 'userEmail' : 'userPhoneNumber']: value, userId },
  })
}

/** There are codes of their own for e-mail alone (wallets 6). */
function heldByOthers({ type }: Contact): Failure {
  if (type === 'EMAIL_OTP') return fail('EMAIL_OTP_EMAIL_ALREADY_EXISTS')
  return fail('CONFLICT', { field: 'phoneNumber', reason: 'CREDENTIAL_EXISTS' })
}

function credentialsChanged(type: Contact['type']): Failure {
  if (type === 'EMAIL_OTP') return fail('EMAIL_OTP_CREDENTIAL_SET_CHANGED')
  return fail('CONFLICT', { field: 'phoneNumber', reason: 'CREDENTIAL_SET_CHANGED' })
}
