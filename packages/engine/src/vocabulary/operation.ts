import type { Result } from '@corridor/kernel'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode, Failure, FieldProblem } from './errors.ts'
import type { OpenText } from './open-text.ts'
import type { Power } from './powers.ts'
import type { OperatorRole } from './roles.ts'
import type { Scope } from './scope.ts'
import type { EventType } from './webhook.ts'

export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE'

/** What the policy of an agent may allow it (wallets 12.4). None of them implies another. */
export const agentPermissions = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const
export type AgentPermission = (typeof agentPermissions)[number]

/** The families of addresses; what they have in common is in mechanisms/http/surfaces.ts. */
export type SurfaceName = 'platform' | 'operator'

/**
 * One HTTP endpoint as data. Routing, validation, serialisation, the published document, the SDK and
 * the reference are all read from it (architecture: the contract is the single source).
 */
export type Operation = OperationFacts & (ForOperators | ForOthers)

/** Whoever runs the installation is held to roles: an operation without its least role does not compile. */
interface ForOperators {
  readonly auth: 'operator'
  readonly role: OperatorRole
}

interface ForOthers {
  readonly auth: 'basic' | 'agent' | 'console' | 'none'
}

interface OperationFacts {
  /** Of the operator's: the least role that may. */
  readonly role?: OperatorRole
  /**
   * Of the operator's, for all that change something. Some powers take two people (access/operators): the response is
   * 202 then, and what was asked for waits until somebody else approves it.
   */
  readonly power?: Power

  /** camelCase, unique: the operationId of the document and the method name of the SDK. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the version segment, with `{param}` for path parameters. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /**
   * `basic` = a platform token; `agent` = the access token of an agent; `operator` = an operator's key; `console` =
   * either of the first and the third, or the session that was opened with it; `none` = open
   * (mechanisms/http/schemes.ts). `sandboxOnly` adds the guard of conventions 2.5.
   */
  readonly auth: 'basic' | 'agent' | 'operator' | 'console' | 'none'
  /** The family of addresses it belongs to. Default: by `auth`, the operator's or the platforms'. */
  readonly surface?: SurfaceName
  readonly sandboxOnly?: true
  /**
   * Any of these suffices; none are asked for where the list is empty. TRANSACT and MANAGE each imply VIEW
   * (conventions 2.3). Those of agents stand in their policy.
   */
  readonly permissions: readonly (Permission | AgentPermission)[]
  readonly params?: TSchema
  readonly query?: TSchema
  /** Parameters that are refused here, with why; any other that is not declared means nothing (conventions 4). */
  readonly refusedQuery?: Readonly<Record<string, string>>
  readonly headers?: TSchema
  readonly body?: TSchema
  /** Whether the body may be absent altogether. */
  readonly bodyOptional?: true
  /** A `multipart` body has its text fields, and an `UploadedFile` for each file. Default `json`. */
  readonly bodyType?: 'json' | 'multipart'
  /**
   * The largest file of a `multipart` body. A larger one is answered 413, or, where that is not foreseen, as
   * an error of its `field` (conventions 10).
   */
  readonly largestFile?: { readonly bytes: number; readonly field?: string }
  /** Success statuses with their body; `null` for a response without one. */
  readonly responses: Readonly<Record<number, TSchema | null>>
  /** Codes this operation may answer, besides those every operation shares. */
  readonly errors: readonly ErrorCode[]
  /** Answered with a stream of server-sent events too, which keeps no session of the console alive. */
  readonly isStream?: true
  /** Its answer as prose, for whoever asks for `text/markdown`: from the body as it would have been sent. */
  readonly asMarkdown?: (body: unknown) => string
  /** For tokens of whatever areas: it leaves out of its answer what they may not list. */
  readonly isOfAnyArea?: true
  /** Left out of the log of requests, which it reads. */
  readonly isUnlogged?: true
  /** Never made to fail on purpose: by it such faults are read and ended. */
  readonly isFaultless?: true
  /** Webhook types a success may lead to; printed in the reference. */
  readonly events?: readonly EventType[]
  readonly deprecated?: { readonly successor: string }
  /** A request body; a test checks it against the schema, and the document shows it. */
  readonly example?: unknown
  /** Ours, beyond the payment API that clients of this shape know; marked in the document. */
  readonly extension?: true
  /** How long an answer is kept under its Idempotency-Key, in milliseconds. Default: a day (conventions 6). */
  readonly keepsAnswersMs?: number
  /**
   * The reason why its response is not stored with its effect. It first claims its Idempotency-Key in all processes
   * (ADR 5). Operations of operators always do, so they need no reason.
   */
  readonly answersApart?: string
  /** Members of the answer that are shown once and left out of replays. */
  readonly secretFields?: readonly string[]
}

/** Declares an operation, keeping the types of its schemas. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

/** What a route receives: validated input and whose data it may touch. */
export interface Call<O extends Operation = Operation> {
  readonly scope: Scope
  readonly params: StaticOf<O['params']>
  readonly query: StaticOf<O['query']>
  readonly body: StaticOf<O['body']>
  readonly header: (name: string) => string | undefined
  /** Where the request comes from: an address, or the network of one (rate-limits.ts). */
  readonly source: string
  /** For what waits for something to happen: aborted once whoever asked has gone, or nobody is to wait any longer. */
  readonly over: () => AbortSignal
  readonly asker: Asker
  /** Where two people want it. */
  readonly approved?: ApprovedProposal
}

/** Who waits for one answer. He may have gone: what was begun for him is done all the same. */
export interface Asker {
  /** Tells him from everybody else whose request is under way. */
  readonly connection: object
  /** Runs once what is kept of the answer under an idempotency key is on record, or nothing will be. */
  whenRecorded(step: () => void): void
}

/** A success on its way to the caller. `body` is the wire object; the serialiser drops undeclared fields. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of a body: text as it comes, until either side ends it. Of operations with `isStream`. */
  readonly stream?: OpenText
}

export interface Preparation {
  /** In the response to the proposal, once. */
  readonly shown: Readonly<Record<string, string>>
  /** With the proposal, for when it is approved. */
  readonly kept: Readonly<Record<string, string>>
}

/** Of a call that was proposed by another operator. */
export interface ApprovedProposal {
  readonly proposedBy: string
  readonly kept: Readonly<Record<string, string>>
}

/** An operation bound to the command that serves it, which works with an engine of type `E`. */
export interface Route<E> {
  readonly operation: Operation
  readonly handle: (engine: E, call: Call) => Promise<Result<Reply, Failure>>
  readonly check?: BodyCheck<E>
  /** Of an operation whose power takes two: whether this call needs a second person. Absent: every call does. */
  readonly needsSecondPerson?: (engine: E, call: Call) => Promise<boolean>
  /** What is made at the proposal already, because the proposer is to have it and not whoever approves. */
  readonly prepare?: (engine: E, call: Call) => Preparation
}

/**
 * What a schema cannot say about the fields of a body (a real date, a known country, a checksum). It must
 * bear a body of any shape: its errors are reported together with those of the schema, all at once. It
 * may read what the fields are measured against, such as the resource that a PATCH changes.
 */
export type BodyCheck<E> = (
  engine: E,
  scope: Scope,
  body: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, string>>,
) => readonly FieldProblem[] | Promise<readonly FieldProblem[]>
