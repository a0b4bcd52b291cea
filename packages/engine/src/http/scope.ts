import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Failure } from './errors.ts'

/** The first is the one that is meant where somebody may leave it out. */
export const environments = ['SANDBOX', 'PRODUCTION'] as const
export type Environment = (typeof environments)[number]

/** Whose data a statement may touch. Every store function takes one; no query spans two. */
export interface Book {
  /** A bare uuid; the platform's own id on the wire is `PlatformConfig:<uuid>`. */
  readonly platformId: string
  readonly environment: Environment
}

/** A book, who acts in it, and the instant that this request or job counts as now. */
export interface Scope extends Book {
  readonly actor: Actor
  /** Read once per request or job from the book's clock (architecture, section 8). */
  readonly now: Instant
  /** Where the answer of an idempotent request is recorded with its effect. */
  readonly recording?: Recording
}

export interface Actor {
  /** A token id, `operator`, `system` or `job:<kind>`; it stands in the audit trail. */
  readonly id: string
  readonly permissions: readonly string[]
}

/** The people who run the installation, in the book that their request is about. */
export const operatorActor: Actor = { id: 'operator', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }

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

/** When a change counts as made: now, and always later than the one before it (conventions 5). */
export function changedAt(scope: Scope, before: Instant): string {
  return toTimestamp(Math.max(scope.now, before + 1))
}
