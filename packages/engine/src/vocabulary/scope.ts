import { type Instant, type Result, toTimestamp } from '@corridor/kernel'
import type { Area } from './areas.ts'
import type { Attempt, Requirement } from './decision.ts'
import type { Failure } from './errors.ts'

/** The first is the one that is meant where somebody may leave it out. */
export const environments = ['SANDBOX', 'PRODUCTION'] as const
export type Environment = (typeof environments)[number]

/** Whose data a statement may touch. Every store function takes one; no query spans two. */
export interface Book {
  /** A bare uuid; the platform's own id on the wire is `PlatformConfig:<uuid>`. */
  readonly platformId: string
  readonly environment: Environment
  /** Who looks, where that is known: one who acts for a customer sees that customer's rows alone. */
  readonly actor?: Actor
  /** What may be known already, and what the decision relies on; absent: everything is read (mechanisms/facts). */
  readonly attempt?: Attempt
}

/** A book, who acts in it, and the instant that this request or job counts as now. */
export interface Scope extends Book {
  readonly actor: Actor
  /** Read once per request or job from the book's clock (architecture, section 8). */
  readonly now: Instant
  /** Where the answer of an idempotent request is recorded with its effect. */
  readonly recording?: Recording
  /** The request that it is of; absent: none, or what is done beside it. */
  readonly request?: RequestOfScope
}

/** What a request is known by while it is answered. */
export interface RequestOfScope {
  readonly id: string
  /** The sandbox changed something for it, by the rule with this id. The response names the rule. */
  readonly onIntervention: (ruleId: string) => void
}

/**
 * A scope in which no answer is recorded: of background work, or of a change beside the one that is answered.
 * Only here may a decision have any value; where an answer is recorded it is a `Reply` (db/apply.ts).
 */
export interface SilentScope extends Scope {
  readonly recording?: never
}

/**
 * Its book as nobody in particular sees it, all customers of it: for the little that concerns one who acts for a
 * single customer and is not that customer's, such as the account that the platform's fees go to.
 */
export function bookOf({ platformId, environment }: Book): Book {
  return { platformId, environment }
}

/** The same scope for a change that is not the answer to the request. */
export function silently({ platformId, environment, actor, now }: Scope): SilentScope {
  const { note: _, ...nobodysNote } = actor
  return { platformId, environment, actor: nobodysNote, now }
}

export interface Actor {
  /** A token id, `operator`, `system` or `job:<kind>`; it stands in the audit trail. */
  readonly id: string
  readonly permissions: readonly string[]
  /** What a token is held to beside its permissions; absent: nothing. */
  readonly limits?: TokenLimits
  /**
   * The one customer it acts for, as an agent does. Every read of such a scope is held to that customer by the
   * database itself (migration 0025, ADR 8); what commands decide about is what they read.
   */
  readonly customerId?: string
  /**
   * What must still be as it was when the actor was admitted: everything it changes requires it, so that an agent
   * that is paused, deleted or given another policy meanwhile changes nothing more.
   */
  readonly while?: Requirement
  /** What the audit log will say of the request that it acts in: written with the first effect. */
  readonly note?: AuditNote
}

/** Limits of a token, each of which may be absent. */
export interface TokenLimits {
  readonly expiresAt?: Instant | undefined
  /** Addresses and networks (vocabulary/networks.ts). */
  readonly allowedAddresses?: readonly string[] | undefined
  readonly areas?: readonly Area[] | undefined
  /** It was shown the secret of before its last rotation: it ends with the overlap, and writes no token. */
  readonly isFormer?: boolean
}

/** A line of the audit log in the making (mechanisms/audit-log). */
export interface AuditNote {
  /** Why, as somebody at the console has said; what approves a proposal has that of the proposal where it says none. */
  reason?: string | undefined
  /** The line, once it is known what became of the request. */
  readonly toRow: (outcome: Result<unknown, Failure>) => AuditRow
  /** Set by apply when it was committed with an effect. */
  isWritten: boolean
}

export interface AuditRow {
  readonly id: string
  /** JSON without secrets and personal data. */
  readonly entry: string
}

/** What belongs to no platform stands in a book that no platform has: what operators do to the installation itself. */
export const installationBook: Book = {
  platformId: '00000000-0000-0000-0000-000000000000',
  environment: 'PRODUCTION',
}

/** The idempotency slot of a request (conventions 6): apply writes it in the effect's transaction. */
export interface Recording {
  readonly key: string
  readonly fingerprint: string
  readonly retentionMs: number
  readonly serialize: (reply: { status: number; body?: unknown }) => string
  /** The answer to a caller who is refused although the decision commits; undefined when it is not kept. */
  readonly refuse: (failure: Failure) => { status: number; body: string } | undefined
  /** How the body is kept: not in the clear. */
  readonly seal: (body: string) => string
  /** Set by apply once a row exists, so that the final answer replaces the provisional one. */
  stored?: { status: number; body: string }
}

/** A short text for maps and logs; never parsed. */
export function bookKey(book: Book): string {
  return `${book.platformId}/${book.environment}`
}

/** The same for who may share a session of the database: those who see the same rows. */
export function viewKey(book: Book): string {
  return `${bookKey(book)}/${book.actor?.customerId ?? ''}`
}

/** When a change counts as made: now, and always later than the one before it (conventions 5). */
export function changedAt(scope: Scope, before: Instant): string {
  return toTimestamp(Math.max(scope.now, before + 1))
}
