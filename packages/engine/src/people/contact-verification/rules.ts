import { failed, type Id, lowerAscii, ok, type Result, toTimestamp } from '@corridor/kernel'
import { queueMessage } from '../../notices/messages/index.ts'
import { type Decision, refusing } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { type Customer, renderCustomer } from '../customers/index.ts'
import { type Channel, type ContactCode, codeIdOf } from './store.ts'

export const codeLifetimeMs = 10 * 60 * 1000
/** A wrong guess more voids the code (customers 9.1). */
const maxWrongAttempts = 5

/** The address or number behind a channel, in the form that comparisons go by. */
export function contactOf({ profile }: Pick<Customer, 'profile'>, channel: Channel): string | undefined {
  return channel === 'email' ? lowerAscii(profile.email ?? '') || undefined : profile.phoneNumber
}

/**
 * What a code is hashed with: it opens the channel of one customer, and only for the contact it was sent
 * to. Whoever changes the contact needs another code.
 */
export function codeText(customer: Customer, channel: Channel, code: string): string {
  return [customer.id, channel, contactOf(customer, channel) ?? '', code].join('\n')
}

/** Why a channel takes no code: none is asked of the customer, or it is verified (CONFLICT). */
export function channelRefusal(customer: Customer, channel: Channel): Failure | undefined {
  const { id: customerId, contactVerification } = customer
  if (contactVerification === null) {
    return fail('CONFLICT', { customerId, reason: 'CONTACT_VERIFICATION_NOT_REQUIRED' })
  }
  const status = contactVerification[channel]
  return status === 'VERIFIED' ? fail('CONFLICT', { customerId, status }) : undefined
}

/**
 * Puts a code on record and a message on its way (customers 9.1). CONFLICT when the channel takes none or
 * nothing is on file, RATE_LIMITED when the last one was sent a moment ago.
 */
export function decideSend(
  scope: Scope,
  facts: {
    readonly customer: Customer
    readonly channel: Channel
    readonly previous: ContactCode | undefined
    readonly codeHash: string
    readonly message: { readonly id: Id<'Message'>; readonly contentSealed: string }
    readonly resendMs: number
  },
): Result<Decision<Reply>, Failure> {
  const { customer, channel, previous, codeHash } = facts
  const refusal = channelRefusal(customer, channel)
  if (refusal) return failed(refusal)
  const waitMs = previous ? previous.sentAt + facts.resendMs - scope.now : 0
  if (waitMs > 0) return failed({ ...fail('RATE_LIMITED'), retryAfterSeconds: Math.ceil(waitMs / 1000) })

  const expiresAt = scope.now + codeLifetimeMs
  const code = {
    code_hash: codeHash,
    wrong_attempts: 0,
    sent_at: toTimestamp(scope.now),
    expires_at: toTimestamp(expiresAt),
  }
  const id = codeIdOf(channel, customer.id)
  const message = queueMessage(scope, {
    ...facts.message,
    ownerId: customer.id,
    channel: channel === 'email' ? 'EMAIL' : 'SMS',
    purpose: 'CONTACT_VERIFICATION',
    expiresAt,
  })
  return ok({
    updates: previous ? [{ table: 'contact_codes', id, version: previous.version, set: code }] : [],
    inserts: [
      ...(previous ? [] : [{ table: 'contact_codes', row: { id, ...code } } as const]),
      ...message.inserts,
    ],
    jobs: message.jobs,
    // Somebody else sent the first code at the same moment.
    unique: { contact_codes_pkey: 'stale' },
    result: () => ({ status: 204 }),
  })
}

/**
 * Marks the channel as verified (customers 9.1). INVALID_INPUT for a code that is wrong, too old, void or
 * was never sent, told apart by nothing; a wrong one counts, and the fifth voids the code.
 */
export function decideConfirm(
  scope: Scope,
  facts: {
    readonly customer: Customer
    readonly channel: Channel
    readonly sent: ContactCode | undefined
    readonly isMatching: boolean
  },
): Result<Decision<Reply>, Failure> {
  const { customer, channel, sent, isMatching } = facts
  const refusal = channelRefusal(customer, channel)
  if (refusal) return failed(refusal)
  const wrong = failFields([{ field: 'code', message: 'is not a valid code' }])
  if (!sent || sent.codeHash === null || scope.now >= sent.expiresAt) return failed(wrong)
  if (!isMatching) {
    const wrongAttempts = sent.wrongAttempts + 1
    const isVoid = wrongAttempts >= maxWrongAttempts
    const set = { wrong_attempts: wrongAttempts, ...(isVoid ? { code_hash: null } : {}) }
    return ok(
      refusing(wrong, { updates: [{ table: 'contact_codes', id: sent.id, version: sent.version, set }] }),
    )
  }
  const at = changedAt(scope, customer.updatedAt)
  const contactVerification = { ...customer.contactVerification!, [channel]: 'VERIFIED' as const }
  const verified = { ...customer, contactVerification, updatedAt: Date.parse(at) }
  return ok({
    updates: [
      {
        table: 'customers',
        id: customer.id,
        version: customer.version,
        set: { contact_verification: contactVerification, updated_at: at },
      },
      { table: 'contact_codes', id: sent.id, version: sent.version, set: { code_hash: null } },
    ],
    result: () => ({ status: 200, body: renderCustomer(verified) }),
  })
}
