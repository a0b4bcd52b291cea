import type { Page } from '@corridor/sdk/pages.ts'
import { type OperatorSession, useSessions } from '../../app/session.tsx'
import { textOf } from '../../parts/facts.tsx'

/** What the operator API answers, as far as these pages show it; it stands outside the published document. */

export interface Book {
  readonly platformId: string
  readonly environment: 'SANDBOX' | 'PRODUCTION'
}

export interface Platform {
  readonly id: string
  readonly name: string
  readonly environment: Book['environment']
  readonly isRegulated: boolean
  readonly settings: Readonly<Record<string, unknown>>
  readonly keys: number
  readonly lastUsedAt?: string
  /** By the clock of `now`; absent where its requests are not noted. */
  readonly lastRequestAt?: string
  readonly createdAt: string
  /** What time it is there, by the platform's own clock. */
  readonly now: string
}

export interface AuditReport {
  readonly sound: boolean
  readonly checkedAccounts: number
  readonly checkedTransfers: number
  readonly checkedCurrencies: number
  readonly checkedAuditEntries: number
  readonly problems: readonly (Book & {
    readonly rule: string
    readonly subject: string
    readonly found: string
    readonly expected: string
    readonly firstBadPosting?: { readonly id: string; readonly at: string }
  })[]
}

export interface DeadJob extends Book {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly lastError?: string
  readonly createdAt: string
  readonly deadAt: string
}

export interface StuckRail extends Book {
  readonly rail: string
  readonly count: number
  readonly payments: readonly {
    readonly id: string
    readonly status: string
    readonly reason: 'LATE' | 'GIVEN_UP' | 'PAUSED' | 'UNWATCHED'
    readonly expectedAt: string
    readonly lateSeconds: number
  }[]
}

export interface RailPause {
  readonly id: string
  readonly platformId?: string
  readonly rail?: string
  readonly reasonCode: string
  readonly pausedBy: string
  readonly pausedAt: string
}

export interface RailUnderWay {
  readonly environment: Book['environment']
  readonly rail: string
  readonly settlement: 'INSTANT' | 'HOURS' | 'SAME_BUSINESS_DAY' | 'BUSINESS_DAYS'
  readonly expectedSeconds?: number
  readonly businessDays?: number
  readonly underWay: number
  readonly stuck: number
  readonly held: number
  readonly oldestSeconds?: number
  readonly platforms: readonly {
    readonly platformId: string
    readonly underWay: number
    readonly stuck: number
    readonly held: number
  }[]
  readonly pauses: readonly RailPause[]
}

export interface PayoutPause extends RailPause {
  readonly environment: Book['environment']
  readonly reason: string
  readonly status: 'IN_FORCE' | 'LIFTED'
  readonly held: number
  readonly handingOver?: number
  readonly liftedBy?: string
  readonly liftedAt?: string
  readonly liftReason?: string
}

/** A platform whose endpoint does not take everything at once. */
export interface EndpointHealth extends Book {
  readonly isFailing: boolean
  readonly waiting: number
  readonly oldestAt?: string
  readonly oldestSeconds?: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly givenUp: number
  readonly lastGivenUpAt?: string
}

/** A payment that waits because of a pause. */
export interface HeldPayment extends Book {
  readonly id: string
  readonly rail: string
  readonly heldAt: string
}

export interface UndeliveredEvent {
  readonly id: string
  readonly status: 'RETRYING' | 'FAILED'
  readonly type: string
  readonly resourceId: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: string
}

/** By when a review is to be decided, about how much, and by how many people. */
export interface ReviewTerms {
  readonly dueAt: string
  readonly secondsLeft: number
  /** What the customer says that it moves in a month, in cents. */
  readonly amount?: { readonly currency: 'USD'; readonly atLeast: number; readonly atMost?: number }
  readonly needsSecondPerson: boolean
}

export interface ReviewSummary extends Book, ReviewTerms {
  readonly verificationId: string
  readonly customerId: string
  readonly customerType: string
  readonly name?: string
  readonly submittedAt: string
  readonly submission: number
}

export interface Review extends Book, ReviewTerms {
  readonly verification: {
    readonly id: string
    readonly verificationStatus?: string
    readonly status?: string
  }
  readonly customer: {
    readonly id: string
    readonly customerType?: string
    readonly fullName?: string
    readonly businessInfo?: { readonly legalName?: string }
  }
  readonly identifier?: string
  readonly note?: string
  readonly documents: readonly {
    readonly id: string
    readonly documentType: string
    readonly fileName?: string
    readonly createdAt: string
  }[]
}

/** As people write it. */
export const amountOf = ({
  amount,
  currency: code,
  decimals,
}: Pick<SuspenseItem, 'amount' | 'currency' | 'decimals'>) =>
  textOf({ amount: BigInt(amount), currency: { code, decimals } })

export interface SuspenseItem {
  readonly id: string
  readonly kind: 'DEPOSIT' | 'PULL' | 'REFUND' | 'UNMATCHED'
  readonly status: 'WAITING' | 'CREDITED' | 'SENT_BACK'
  readonly internalAccountId?: string
  readonly currency: string
  readonly amount: number
  readonly decimals: number
  readonly payerReference?: string
  readonly reason?: string
  readonly createdAt: string
  readonly decidedAt?: string
  readonly decidedBy?: string
}

export interface AuditLogEntry {
  readonly id: string
  readonly at: string
  readonly platformId?: string
  readonly environment?: Book['environment']
  readonly actor: string
  readonly source: string
  readonly operation: string
  readonly resources: Readonly<Record<string, string>>
  readonly changed: readonly string[]
  readonly reason?: string
  readonly outcome: string
  readonly code?: string
  readonly count?: number
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly status: string
  readonly keyExpiresAt?: string
}

export interface Proposal {
  readonly id: string
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Why, as who proposed it has said for the audit log. */
  readonly reason?: string
  readonly status: 'OPEN' | 'APPROVED' | 'REFUSED' | 'EXPIRED'
  readonly proposedBy: string
  readonly decidedBy?: string
  readonly createdAt: string
  readonly expiresAt: string
}

export interface PersonSession {
  readonly id: string
  readonly subject: string
  readonly platformId?: string
  readonly environment?: Book['environment']
  readonly signedInAt: string
  readonly seenAt: string
  readonly endedAt?: string
}

export interface Operator extends OperatorSession {
  get<T>(path: string, query?: Readonly<Record<string, unknown>>): Promise<T>
  /** One page of a list, from a cursor on. */
  page<T>(path: string, cursor?: string, query?: Readonly<Record<string, unknown>>): Promise<Page<T>>
  post<T>(path: string, body?: unknown, query?: Readonly<Record<string, unknown>>): Promise<T>
  delete(path: string, query?: Readonly<Record<string, unknown>>): Promise<void>
}

/** The operator API as whoever is signed in; within the pages of operators, which are shown to nobody else. */
export function useOperator(): Operator {
  const { state } = useSessions()
  const operator = state.kind === 'IN' ? state.operator : undefined
  if (!operator) throw new Error('This page is shown to somebody who is no operator')
  const { corridor } = operator
  const ask = <T>(method: string, path: string, more: { query?: object; body?: unknown } = {}) =>
    corridor.request<T>({ method, path: `/operator/${path}`, ...(more as object) })
  return {
    ...operator,
    get: (path, query) => ask('GET', path, query ? { query } : {}),
    page: (path, cursor, query) =>
      ask('GET', path, { query: { limit: 100, ...query, ...(cursor ? { cursor } : {}) } }),
    post: (path, body, query) =>
      ask('POST', path, { ...(body === undefined ? {} : { body }), ...(query ? { query } : {}) }),
    delete: (path, query) => ask('DELETE', path, query ? { query } : {}),
  }
}

/** What was done, or that somebody else has to approve it first. */
export function isProposed(answer: unknown): answer is { readonly id: string; readonly expiresAt: string } {
  const { status, id } = (answer ?? {}) as { status?: unknown; id?: unknown }
  return status === 'OPEN' && String(id).startsWith('Proposal:')
}

/** Where a book is looked into, behind `/console`. */
export function placeOfBook({ platformId, environment }: Book): string {
  return `/${platformId}/${environment.toLowerCase()}`
}

const real = { SANDBOX: false, PRODUCTION: true }

/** Whether something is of real money, so that an act on it is asked once more. */
export const isReal = ({ environment }: { readonly environment: keyof typeof real }) => real[environment]
