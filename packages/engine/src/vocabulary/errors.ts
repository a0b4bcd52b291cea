import { type FieldError, largestWireMinor, toWireAmount } from '@corridor/kernel'
import type { ConflictReason } from './conflict-reasons.ts'
import { accessErrors } from './error-codes/access.ts'
import { conflictErrors } from './error-codes/conflict.ts'
import type { ErrorEntry } from './error-codes/entry.ts'
import { missingErrors } from './error-codes/missing.ts'
import { requestErrors } from './error-codes/request.ts'
import { troubleErrors } from './error-codes/trouble.ts'

export type { ErrorEntry } from './error-codes/entry.ts'

/**
 * Every error code of the API. Rules return a code with `fail`; only `dispatch` turns it into a
 * response. Source: conventions 12 and the error sections of each area.
 */
export const errorRegistry = {
  ...requestErrors,
  ...accessErrors,
  ...missingErrors,
  ...conflictErrors,
  ...troubleErrors,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorRegistry

type DetailKey<C extends ErrorCode> = (typeof errorRegistry)[C] extends { details: readonly (infer K)[] }
  ? K & string
  : never

/** What goes with a code. A reason of a CONFLICT is one that has words for people. */
export type FailureDetails<C extends ErrorCode = ErrorCode> = {
  readonly [K in DetailKey<C>]?: [C, K] extends ['CONFLICT', 'reason'] ? ConflictReason : unknown
}

/** A refusal on its way to the caller. Rules return it; nothing throws it. */
export interface Failure {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds for the Retry-After header, where the code has one. */
  readonly retryAfterSeconds?: number
}

/** A failure with this code. Unknown codes and detail keys outside its registry row do not compile. */
export function fail<C extends ErrorCode>(code: C, details?: FailureDetails<C>): Failure {
  return { code, details: details ?? {} }
}

interface AmountBounds {
  readonly least?: bigint | undefined
  readonly most?: bigint | undefined
  readonly reason?: string
}

/** AMOUNT_OUT_OF_RANGE with both bounds in minor units: where no rule sets one, the bound of every amount. */
export function outOfRange(currency: string, { least, most, reason }: AmountBounds = {}): Failure {
  const [min, max] = [least ?? 1n, most ?? largestWireMinor].map((bound) =>
    toWireAmount(bound < largestWireMinor ? bound : largestWireMinor),
  )
  return fail('AMOUNT_OUT_OF_RANGE', { min, max, currency, ...(reason === undefined ? {} : { reason }) })
}

/**
 * A conflict with what somebody else does at this moment: nothing has happened, and the same request may well
 * succeed when that is over.
 */
export function passingConflict(reason: PassingReason): Failure {
  return { ...fail('CONFLICT', { reason }), retryAfterSeconds: 1 }
}

type PassingReason = (typeof passingReasons)[number]
const passingReasons = ['REQUEST_IN_PROGRESS', 'CONCURRENT_UPDATE', 'COPY_UNDER_WAY'] as const

/** Whether repeating the same request later can succeed (`x-should-retry`, conventions 6). */
export function isPassing({ code, details }: Failure): boolean {
  if (code === 'CONFLICT') return passingReasons.some((reason) => reason === details.reason)
  return entryOf(code).retryable === true
}

/** The failure for wrong fields: all of them at once, and `field` as well when it is just one. */
export function failFields(errors: readonly FieldError[], code: FieldErrorCode = 'INVALID_INPUT'): Failure {
  const [only] = errors
  return { code, details: errors.length === 1 && only ? { errors, field: only.field } : { errors } }
}

/**
 * A wrong field whose kind has a code of its own. The answer has that code when every wrong field shares
 * it, and INVALID_INPUT when it is one kind among others (customers 4.2). `details` go with the code.
 */
export interface FieldProblem extends FieldError {
  readonly code?: FieldErrorCode
  readonly details?: Readonly<Record<string, unknown>>
}

export type FieldErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_AMOUNT'
  | 'INVALID_CURRENCY'
  | 'INVALID_BANK_ACCOUNT'
  | 'INVALID_UMA_ADDRESS'
  | 'MISSING_MANDATORY_USER_INFO'

export function entryOf(code: ErrorCode): ErrorEntry {
  return errorRegistry[code]
}

/** Every status that an error of the API has, in order. */
export const errorStatuses: readonly number[] = [
  ...new Set(Object.values<ErrorEntry>(errorRegistry).map(({ status }) => status)),
].sort((a, b) => a - b)
