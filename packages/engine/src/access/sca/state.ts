import { isDeepStrictEqual } from 'node:util'
import { type Instant, toTimestamp } from '@corridor/kernel'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Decision, Row } from '../../vocabulary/decision.ts'
import { type Attempts, noAttempts } from './attempts.ts'
import type { ScaPasskey } from './passkeys.ts'

/** Everything about one customer's authentication except what is being asked (customers 13). */
export interface ScaState extends Attempts {
  readonly customerId: string
  /** Null while there is no row. */
  readonly version: bigint | null
  readonly sessionExpiresAt: Instant | null
  readonly factors: EnrolledFactors
}

/** Kept as one sealed text. SMS is not among them: it is the customer's phone (customers 13.2). */
export interface EnrolledFactors {
  readonly totp?: {
    /** base64url. */
    readonly secret: string
    /** The time step of the last code that was good: it is not again. */
    readonly lastStep: number
    /** Keyed hashes; each is good once. */
    readonly recoveryHashes: readonly string[]
  }
  readonly passkey?: ScaPasskey
  /** Enrolments that were started and not confirmed. */
  readonly totpStart?: { readonly secret: string; readonly expiresAt: Instant }
  readonly passkeyStart?: { readonly challenge: string; readonly expiresAt: Instant }
}

export function newState(customerId: string): ScaState {
  return { customerId, version: null, ...noAttempts, sessionExpiresAt: null, factors: {} }
}

/** What a decision adds so that a state is kept. Two who are first at once are told apart by the key. */
export function saveState(
  key: DataKey,
  before: ScaState,
  after: ScaState,
): Required<Pick<Decision, 'updates' | 'inserts' | 'unique'>> {
  const unique = { sca_customers_pkey: 'stale' } as const
  if (before.version === null) {
    const row = { id: after.customerId, ...columnsOf(after), factors: sealFactors(key, after) }
    return { updates: [], inserts: [{ table: 'sca_customers', row }], unique }
  }
  const isChanged = !isDeepStrictEqual(before.factors, after.factors)
  const set = { ...columnsOf(after), ...(isChanged ? { factors: sealFactors(key, after) } : {}) }
  return {
    updates: [{ table: 'sca_customers', id: after.customerId, version: before.version, set }],
    inserts: [],
    unique,
  }
}

function columnsOf({ failedAttempts, lockedUntil, isSuspended, sessionExpiresAt }: ScaState): Row {
  return {
    failed_attempts: failedAttempts,
    locked_until: lockedUntil === null ? null : toTimestamp(lockedUntil),
    is_suspended: isSuspended,
    session_expires_at: sessionExpiresAt === null ? null : toTimestamp(sessionExpiresAt),
  }
}

export const sealedFactors: SealedColumn = {
  table: 'sca_customers',
  column: 'factors',
  row: 'id',
  owner: 'id',
}

function sealFactors(key: DataKey, { customerId, factors }: ScaState): string {
  return key.seal(sealedFactors, customerId, JSON.stringify(factors))
}

export function openFactors(key: DataKey, customerId: string, sealed: string): EnrolledFactors {
  return JSON.parse(key.open(sealedFactors, customerId, sealed)) as EnrolledFactors
}
