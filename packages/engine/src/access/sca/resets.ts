import {
  assert,
  failed,
  type Id,
  type Instant,
  isId,
  ok,
  type Result,
  step,
  toTimestamp,
} from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { changeCustomer, keyOf, loadRevocations, sealPersonal } from '../../people/customers/index.ts'
import type { FactorLivenessOutcome } from '../../ports/factors.ts'
import type { Update } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { requireScaCustomer, type ScaCustomer } from './answers.ts'
import type { ScaFactor } from './challenge-schemas.ts'
import type { TwoFactorResetCompleteRequest } from './contract.ts'
import { availableFactors, chooseFactor, withoutFactor } from './factors.ts'
import { type ResetEvent, resetMachine } from './machines.ts'
import { saveState } from './state.ts'
import { findBookOfReset, loadReset, loadResetStarts } from './store.ts'

/** The replacement of a factor that a customer lost (customers 13.6). */
export interface FactorReset {
  readonly id: Id<'ScaReset'>
  readonly version: bigint
  readonly customerId: string
  readonly factor: ScaFactor
  readonly status: ResetStatus
  readonly reads: number
  readonly isEnrolled: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly completedAt: Instant | null
}

export type ResetStatus = keyof (typeof resetMachine)['states']

const windowMs = 30 * 60_000
const dayMs = 24 * 60 * 60_000
const mostPerDay = 5

/** Starts a reset: INVALID_INPUT for a factor that is not enrolled, RATE_LIMITED for the sixth within a day. */
export async function startReset(
  engine: Engine,
  scope: Scope,
  { customerId, factor }: { readonly customerId: string; readonly factor: ScaFactor },
): Promise<Result<Reply, Failure>> {
  const adapters = engine.adapters[scope.environment]
  const id = engine.world.id('ScaReset')
  const expiresAt = toTimestamp(scope.now + windowMs)
  const check = async () => {
    const found = await requireScaCustomer(engine, scope, customerId)
    if (!found.ok) return found
    const { customer, state } = found.value
    const chosen = chooseFactor(availableFactors(customer, state, adapters), factor, 'factor')
    if ('refusal' in chosen) return failed(chosen.refusal)
    const starts = await loadResetStarts(engine, scope, customer.id, toTimestamp(scope.now - dayMs))
    if (starts.length >= mostPerDay) {
      const waitMs = starts[starts.length - mostPerDay]! + dayMs - scope.now
      return failed({
        ...fail('RATE_LIMITED', { scope: 'CUSTOMER' }),
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      })
    }
    return found
  }
  const allowed = await check()
  if (!allowed.ok) return allowed
  const { originalName } = allowed.value.customer
  const { accessToken, link } = await adapters.factors.liveness.start({
    resetId: id,
    originalName: originalName ?? undefined,
  })
  return commit(engine.applier, scope, async () => {
    const found = await check()
    if (!found.ok) return found
    const { customer, state } = found.value
    // Of several that start at once each counts those before it: they meet in the customer's row.
    const saved = saveState(keyOf(customer), state, state)
    const row = {
      id,
      customer_id: customer.id,
      factor,
      status: 'INITIATED',
      created_at: toTimestamp(scope.now),
      expires_at: expiresAt,
    }
    const body = {
      resetId: id,
      ...(accessToken === undefined ? {} : { livenessAccessToken: accessToken }),
      ...(link === undefined ? {} : { verificationLink: link }),
      expiresAt,
    }
    return ok({
      ...saved,
      inserts: [...saved.inserts, { table: 'sca_resets', row }],
      result: () => ({ status: 201, body }),
    })
  })
}

/** The status that callers see: past its time a reset that was not completed is over. */
export function resetStatusAt(
  { status, expiresAt }: Pick<FactorReset, 'status' | 'expiresAt'>,
  now: Instant,
): ResetStatus {
  return now >= expiresAt && step(resetMachine, status, 'expire').ok ? 'EXPIRED' : status
}

/** A reset of this customer; another's does not exist. */
async function requireReset(
  engine: Engine,
  scope: Scope,
  { customerId, resetId }: { readonly customerId: string; readonly resetId: string },
): Promise<Result<ScaCustomer & { readonly reset: FactorReset }, Failure>> {
  const found = await requireScaCustomer(engine, scope, customerId)
  if (!found.ok) return found
  const reset = isId('ScaReset', resetId) ? await loadReset(engine, scope, resetId) : undefined
  if (reset?.customerId !== customerId) {
    return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ScaReset', id: resetId }))
  }
  return ok({ ...found.value, reset })
}

const eventOf = {
  PASSED: 'pass',
  PENDING_REVIEW: 'review',
  REJECTED: 'reject',
} as const satisfies Record<FactorLivenessOutcome, ResetEvent>

/** Reads a reset, and what the liveness check has come to meanwhile. */
export async function readReset(
  engine: Engine,
  scope: Scope,
  named: { readonly customerId: string; readonly resetId: string },
): Promise<Result<Reply, Failure>> {
  const { liveness } = engine.adapters[scope.environment].factors
  return commit(engine.applier, scope, async () => {
    const found = await requireReset(engine, scope, named)
    if (!found.ok) return found
    const { reset, customer } = found.value
    const status = resetStatusAt(reset, scope.now)
    if (status !== 'INITIATED') {
      const body = renderReset({ ...reset, status })
      return ok({ result: () => ({ status: 200, body }) })
    }
    const reads = reset.reads + 1
    const { originalName } = customer
    const outcome = await liveness.outcome({
      resetId: reset.id,
      originalName: originalName ?? undefined,
      reads,
    })
    const moved = outcome ? moveReset(reset, eventOf[outcome], { reads }) : undefined
    const update = moved?.update ?? updateOf(reset, { reads })
    const body = renderReset(moved?.reset ?? reset)
    return ok({ updates: [update], result: () => ({ status: 200, body }) })
  })
}

/**
 * Clears the lost factor and ends every session (customers 13.6); a new phone takes the place of the old one.
 * INVALID_INPUT until the person was recognized, and after that once.
 */
export async function completeReset(
  engine: Engine,
  scope: Scope,
  named: { readonly customerId: string; readonly resetId: string },
  { mobile }: TwoFactorResetCompleteRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireReset(engine, scope, named)
    if (!found.ok) return found
    const { reset, customer, state } = found.value
    const status = resetStatusAt(reset, scope.now)
    if (!step(resetMachine, status, 'complete').ok) {
      return failed(failFields([{ field: 'resetId', message: `cannot be completed while it is ${status}` }]))
    }
    const phoneNumber = mobile && `${mobile.countryCode}${mobile.number}`
    if (reset.factor === 'SMS_OTP' && (phoneNumber === undefined || !/^\+[1-9]\d{1,14}$/.test(phoneNumber))) {
      const message = 'is the new phone: countryCode and number together are E.164'
      return failed(failFields([{ field: 'mobile', message }]))
    }
    const isNewPhone = reset.factor === 'SMS_OTP' && phoneNumber !== undefined
    const renamed = isNewPhone
      ? changeCustomer(
          scope,
          customer,
          sealPersonal(
            { keys: engine.keys, book: scope },
            {
              ...customer,
              profile: { ...customer.profile, phoneNumber },
              contactVerification: { email: 'PENDING', ...customer.contactVerification, phone: 'VERIFIED' },
            },
            customer,
          ),
        )
      : undefined
    // A lost phone shows what it was sent, also where the new one has its number.
    const revocations = isNewPhone ? await loadRevocations(engine.database, scope, customer.id) : []
    const codes = revocations.filter(({ table }) => table === 'sca_challenges')
    const after = { ...state, factors: withoutFactor(state.factors, reset.factor), sessionExpiresAt: null }
    const saved = saveState(keyOf(customer), state, after)
    const completed = moveReset(reset, 'complete', { completed_at: toTimestamp(scope.now) })
    return ok({
      ...saved,
      updates: [...saved.updates, ...codes, completed.update, ...(renamed?.updates ?? [])],
      result: () => ({ status: 204 }),
    })
  })
}

/** Whether it takes two operators to confirm that it is the customer. */
export async function takesTwoToApprove(engine: Engine, resetId: string): Promise<boolean> {
  if (!isId('ScaReset', resetId)) return false
  const book = await findBookOfReset(engine, resetId)
  return book !== undefined && engine.adapters[book.environment].rules.takesTwoOperators
}

/** What the operator's people found out about who asks (customers 13.6). */
export async function decideResetReview(
  engine: Engine,
  actor: Actor,
  resetId: string,
  on: Extract<ResetEvent, 'pass' | 'reject'>,
): Promise<Result<Reply, Failure>> {
  const unknown = failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ScaReset', id: resetId }))
  if (!isId('ScaReset', resetId)) return unknown
  const book = await findBookOfReset(engine, resetId)
  if (!book) return unknown
  const scope = await engine.clock.scope(book, actor)
  return commit(engine.applier, scope, async () => {
    const reset = await loadReset(engine, scope, resetId)
    assert(reset, 'its book was found by it')
    const status = resetStatusAt(reset, scope.now)
    if (!step(resetMachine, status, on).ok) {
      return failed(fail('CONFLICT', { reason: 'NOT_IN_REVIEW', status, id: resetId }))
    }
    const moved = moveReset(reset, on, {})
    const body = renderReset(moved.reset)
    return ok({ updates: [moved.update], result: () => ({ status: 200, body }) })
  })
}

function moveReset(reset: FactorReset, on: ResetEvent, set: Update['set']) {
  const next = step(resetMachine, reset.status, on)
  assert(next.ok, `a reset that is ${reset.status} does not ${on}`)
  return { reset: { ...reset, status: next.to }, update: updateOf(reset, { ...set, status: next.to }) }
}

function updateOf({ id, version, status }: FactorReset, set: Update['set']): Update {
  return { table: 'sca_resets', id, version, from: [status], set }
}

function renderReset({ status, factor, expiresAt, completedAt, isEnrolled }: FactorReset) {
  return {
    status,
    factor,
    enrollmentStatus: factor === 'SMS_OTP' ? null : isEnrolled ? 'COMPLETED' : 'PENDING',
    expiresAt: toTimestamp(expiresAt),
    completedAt: completedAt === null ? null : toTimestamp(completedAt),
  }
}
