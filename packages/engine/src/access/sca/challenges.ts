import { assert, type Id, type Instant, ok, type Result, step, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { queueMessage, sealContent } from '../../notices/messages/index.ts'
import { type Customer, keyOf } from '../../people/customers/index.ts'
import type { Decision, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { ScaChallenge, ScaFactor } from './challenge-schemas.ts'
import { challengeMachine } from './machines.ts'
import { requestOptions } from './passkeys.ts'
import { relyingPartyOf } from './relying-party.ts'
import type { ScaState } from './state.ts'
import { forgetSettled } from './store.ts'

/** A question to a customer (customers 13.4, 13.7, 13.8). */
export interface Challenge {
  readonly id: Id<'ScaChallenge'>
  readonly version: bigint
  readonly customerId: string
  readonly kind: 'LOGIN' | 'PAYMENT' | 'TRUST' | 'UNTRUST'
  /** The customer, the quote or the external account that it is about. */
  readonly subjectId: string
  readonly factor: ScaFactor
  readonly purpose: string | null
  readonly status: 'PENDING' | 'ACCEPTED' | 'REPLACED' | 'EXPIRED'
  readonly codeHash: string | null
  readonly passkeyChallenge: string | null
  /** The passkey that was asked: none that is enrolled later answers for it. */
  readonly credentialId: string | null
  readonly answeredAt: readonly Instant[]
  readonly resentAt: readonly Instant[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** How long an answer is awaited (customers 13.4, 13.7, 13.8). */
export const challengeMs = 5 * 60_000
const rememberMs = 24 * 60 * 60_000
const challengeBytes = 32

/** A new question, what the customer is shown of it, and the changes that ask it. */
export interface Asked {
  readonly challenge: Challenge
  readonly wire: ScaChallenge
  readonly changes: Required<Pick<Decision, 'updates' | 'inserts' | 'jobs' | 'statements'>> & {
    readonly unique: NonNullable<Decision['unique']>
  }
}

export interface Question {
  readonly customer: Customer
  readonly state: ScaState
  readonly kind: Challenge['kind']
  readonly subjectId: string
  readonly factor: ScaFactor
  readonly availableFactors: readonly ScaFactor[]
  readonly purpose?: string
  /** Default: five minutes. */
  readonly expiresAt?: Instant
  /** What the SMS says around the code. */
  readonly message: (code: string) => string
  /** What is being asked about the same subject, and is not to be answered any more. */
  readonly replaced?: Challenge | undefined
}

/** Asks a customer for a proof; nothing is sent before the decision is committed. */
export async function ask(engine: Engine, scope: Scope, question: Question): Promise<Asked> {
  const { world, keys, adapters } = engine
  const { codes } = adapters[scope.environment]
  const { customer, state, kind, subjectId, factor, purpose, replaced } = question
  const id = world.id('ScaChallenge')
  const expiresAt = question.expiresAt ?? scope.now + challengeMs
  const isPasskey = factor === 'PASSKEY'
  const { passkey } = state.factors
  const passkeyChallenge = isPasskey
    ? Buffer.from(world.randomBytes(challengeBytes)).toString('base64url')
    : null
  const code = factor === 'SMS_OTP' ? codes.issue('STRONG_AUTHENTICATION') : undefined
  const challenge: Challenge = {
    id,
    version: 1n,
    customerId: customer.id,
    kind,
    subjectId,
    factor,
    purpose: purpose ?? null,
    status: 'PENDING',
    codeHash: code === undefined ? null : keys.hashSecret(codeText({ id }, customer, code)),
    passkeyChallenge,
    credentialId: isPasskey ? (passkey?.credentialId ?? null) : null,
    answeredAt: [],
    resentAt: [],
    createdAt: scope.now,
    expiresAt,
  }
  const sent =
    code === undefined
      ? undefined
      : smsWith(engine, scope, customer, { text: question.message(code), code, expiresAt })
  const options =
    passkeyChallenge !== null && passkey
      ? await requestOptions({
          challenge: passkeyChallenge,
          party: await relyingPartyOf(engine, scope),
          credentialId: passkey.credentialId,
        })
      : undefined
  const horizon = toTimestamp(scope.now - rememberMs)
  return {
    challenge,
    wire: {
      id,
      expiresAt: toTimestamp(expiresAt),
      factor,
      availableFactors: [...question.availableFactors],
      ...(purpose === undefined ? {} : { purpose }),
      ...(options ? { passkeyAssertionOptions: options } : {}),
    },
    changes: {
      updates: replaced ? [moveChallenge(replaced, 'replace')] : [],
      inserts: [{ table: 'sca_challenges', row: rowOf(challenge) }, ...(sent?.inserts ?? [])],
      jobs: sent?.jobs ?? [],
      statements: [
        { statement: forgetSettled, parameters: [scope.platformId, scope.environment, customer.id, horizon] },
      ],
      // Somebody else asked at the same moment.
      unique: { sca_challenges_pending: 'stale' },
    },
  }
}

/** What a code is hashed with: it answers one question only, of whoever has the phone that it was sent to. */
export function codeText({ id }: Pick<Challenge, 'id'>, { profile }: Customer, code: string): string {
  return [id, profile.phoneNumber ?? '', code].join('\n')
}

/**
 * Whether another phone has taken the place of the one that was asked (customers 5.1): nothing answers the question
 * any more, and it ends with its time.
 */
export function isRevoked({ factor, codeHash }: Pick<Challenge, 'factor' | 'codeHash'>): boolean {
  return factor === 'SMS_OTP' && codeHash === null
}

function smsWith(
  { world }: Engine,
  scope: Scope,
  customer: Customer,
  { text, code, expiresAt }: { readonly text: string; readonly code: string; readonly expiresAt: Instant },
): ReturnType<typeof queueMessage> | undefined {
  const to = customer.profile.phoneNumber
  // Only the sandbox asks somebody without a phone; its codes are known (customers 13.2).
  if (to === undefined) return undefined
  const id = world.id('Message')
  return queueMessage(scope, {
    id,
    ownerId: customer.id,
    channel: 'SMS',
    purpose: 'STRONG_AUTHENTICATION',
    contentSealed: sealContent(keyOf(customer), id, { to, text, code }),
    expiresAt,
  })
}

const resendWindowMs = 60_000
const maxResends = 3
const answerWindowMs = 60_000
const maxAnswers = 10

/**
 * Sends another code for the same question, which keeps its id and its time (customers 13.7). RATE_LIMITED
 * after three within a minute.
 */
export function decideResend(
  engine: Engine,
  scope: Scope,
  customer: Customer,
  challenge: Challenge,
  message: (code: string) => string,
): Result<Decision<undefined>, Failure> {
  const limited = overLimit(challenge.resentAt, scope.now, { most: maxResends, windowMs: resendWindowMs })
  if (limited) return { ok: false, failure: limited }
  const code = engine.adapters[scope.environment].codes.issue('STRONG_AUTHENTICATION')
  const { expiresAt } = challenge
  const sent = smsWith(engine, scope, customer, { text: message(code), code, expiresAt })
  const set = {
    code_hash: engine.keys.hashSecret(codeText(challenge, customer, code)),
    resent_at: recent(challenge.resentAt, scope.now, resendWindowMs),
  }
  return ok({
    updates: [moveChallenge(challenge, 'resend', set)],
    inserts: sent?.inserts ?? [],
    jobs: sent?.jobs ?? [],
    result: () => undefined,
  })
}

/** RATE_LIMITED for the eleventh answer to one question within a minute (customers 13.7). */
export function answersRefusal(challenge: Challenge, now: Instant): Failure | undefined {
  return overLimit(challenge.answeredAt, now, { most: maxAnswers, windowMs: answerWindowMs })
}

/** The column that remembers an answer for that limit. */
export function answered(challenge: Challenge, now: Instant) {
  return { answered_at: recent(challenge.answeredAt, now, answerWindowMs) }
}

function overLimit(
  times: readonly Instant[],
  now: Instant,
  { most, windowMs }: { readonly most: number; readonly windowMs: number },
): Failure | undefined {
  const within = times.filter((at) => at > now - windowMs)
  if (within.length < most) return undefined
  const waitMs = within[within.length - most]! + windowMs - now
  return {
    ...fail('RATE_LIMITED', { scope: 'CHALLENGE' }),
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  }
}

function recent(times: readonly Instant[], now: Instant, windowMs: number): Instant[] {
  return [...times.filter((at) => at > now - windowMs), now]
}

/** The guarded update of a move that the machine lists. */
export function moveChallenge(
  { id, status, version }: Challenge,
  on: (typeof challengeMachine)['transitions'][number]['on'],
  set: Update['set'] = {},
): Update {
  const next = step(challengeMachine, status, on)
  assert(next.ok, `a challenge that is ${status} does not ${on}`)
  return {
    table: 'sca_challenges',
    id,
    version,
    from: [status],
    set: { ...set, ...(next.to === status ? {} : { status: next.to }) },
  }
}

function rowOf(challenge: Challenge) {
  return {
    id: challenge.id,
    customer_id: challenge.customerId,
    kind: challenge.kind,
    subject_id: challenge.subjectId,
    factor: challenge.factor,
    purpose: challenge.purpose,
    status: challenge.status,
    code_hash: challenge.codeHash,
    passkey_challenge: challenge.passkeyChallenge,
    credential_id: challenge.credentialId,
    created_at: toTimestamp(challenge.createdAt),
    expires_at: toTimestamp(challenge.expiresAt),
  }
}
