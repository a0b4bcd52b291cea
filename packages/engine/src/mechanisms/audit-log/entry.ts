import { toTimestamp, type World } from '@corridor/kernel'
import type { TSchema } from 'typebox'
import type { Operation } from '../../vocabulary/operation.ts'
import type { AuditNote, AuditRow } from '../../vocabulary/scope.ts'

/**
 * One line of the audit log: who did what, from where, to which resource, and what changed. Its JSON is hashed as it
 * is written, so the order of its members stays. It holds ids, words of our own, numbers and names of fields; of what
 * callers wrote themselves the reason alone is in it.
 */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  /** A token, an agent or an operator by its id, `operator` for the key of the environment, or `stranger`. */
  readonly actor: string
  /** An address, or the network of one (http/sources.ts). */
  readonly source: string
  /** The operation, or `signIn`. */
  readonly operation: string
  /** Ids that were named or made, by the names of their parameters. */
  readonly resources: Readonly<Record<string, string>>
  /** Fields of the body that were given. */
  readonly changed: readonly string[]
  /** Of the operator's changes, those that say nothing of a person: words of a list, numbers, switches. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
  /** Why, in the words of who did it at the console. They are told that it stays, and to name no person. */
  readonly reason?: string
  readonly outcome: AuditOutcome
  /** The error code of a refusal. */
  readonly code?: string
  readonly requestId?: string
  /** How many times until then, where refusals are counted instead of told one by one. */
  readonly count?: number
  readonly until?: string
}

export const auditOutcomes = ['DONE', 'PROPOSED', 'REFUSED', 'FAILED'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** What is known of a request before it is known what became of it. */
export interface NotedRequest {
  readonly actor: string
  readonly source: string
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly reason?: string | undefined
  readonly requestId: string
}

/** What the audit log will say of a request; written with its effect (db/apply.ts), or once it is over. */
export function createNote(
  world: Pick<World, 'now' | 'uuid'>,
  request: NotedRequest,
  mark?: AuditNote['mark'],
): AuditNote {
  const note: AuditNote = {
    isWritten: false,
    mark,
    reason: request.reason,
    toRow: (outcome) =>
      entryRow({
        ...describeRequest(world, { ...request, reason: note.reason }),
        ...(outcome.ok
          ? {
              resources: { ...namedBy(request), ...madeBy(outcome.value) },
              outcome: statusOf(outcome.value) === 202 ? 'PROPOSED' : 'DONE',
            }
          : { outcome: 'REFUSED', code: outcome.failure.code }),
        requestId: request.requestId,
      }),
  }
  return note
}

/** The same for a request that ended in an error nobody foresaw. */
export function failureRow(world: Pick<World, 'now' | 'uuid'>, request: NotedRequest): AuditRow {
  return entryRow({ ...describeRequest(world, request), outcome: 'FAILED', requestId: request.requestId })
}

export function entryRow(entry: AuditEntry): AuditRow {
  return { id: entry.id, entry: JSON.stringify(entry) }
}

/** What entries are found by, each in a column of its own beside the entry. */
export interface EntryColumns {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly operation: string
  readonly outcome: string
  readonly resources: readonly string[]
}

export function columnsOf(entry: string): EntryColumns {
  const { id, at, actor, operation, outcome, resources } = JSON.parse(entry) as AuditEntry
  return { id, at, actor, operation, outcome, resources: Object.values(resources) }
}

/** Tells whether the columns match the entry, in any order of the resources. */
export function saysTheSame(entry: string, { resources, ...columns }: EntryColumns): boolean {
  const { resources: named, ...said } = columnsOf(entry)
  const isSame = (Object.keys(said) as (keyof typeof said)[]).every((name) => said[name] === columns[name])
  return isSame && [...named].sort().join('\n') === [...resources].sort().join('\n')
}

function describeRequest(world: Pick<World, 'now' | 'uuid'>, request: NotedRequest) {
  const { actor, source, operation, reason, body = {} } = request
  const properties = propertiesOf(operation.body)
  const given = Object.keys(properties).filter((name) => body[name] !== undefined)
  return {
    id: world.uuid(),
    at: toTimestamp(world.now()),
    actor,
    source,
    operation: operation.id,
    resources: namedBy(request),
    changed: given,
    ...(operation.auth === 'operator' ? { values: plainValues(properties, given, body) } : {}),
    ...(reason === undefined ? {} : { reason }),
  } as const
}

/** Whether a text has the form of an id; what callers make up has not. */
export function isIdText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 80 && idText.test(value)
}

const idText = /^(?:[A-Za-z]{2,40}:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ids in the path, the query and the body. What has not the form of one may be anything, a name for instance. */
function namedBy({ operation, params, query, body = {} }: NotedRequest): Record<string, string> {
  const named: Record<string, string> = {}
  const declared = [
    [params, Object.keys(params)],
    [query, Object.keys(propertiesOf(operation.query))],
    [body, Object.keys(propertiesOf(operation.body))],
  ] as const
  for (const [values, names] of declared) {
    for (const name of names) {
      const value = values[name]
      if (isIdText(value)) named[name] = value
    }
  }
  return named
}

function statusOf(reply: unknown): unknown {
  return (reply as { status?: unknown } | null | undefined)?.status
}

/** The id of what was made or changed, as the answer shows it. */
function madeBy(reply: unknown): Record<string, string> {
  const id = (reply as { body?: { id?: unknown } } | null | undefined)?.body?.id
  return isIdText(id) ? { id } : {}
}

function plainValues(
  properties: Readonly<Record<string, PlainSchema>>,
  given: readonly string[],
  body: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  const values: Record<string, string | number | boolean> = {}
  for (const name of given) {
    const value = body[name]
    const isWord = typeof value === 'string' && properties[name]?.enum?.includes(value)
    if (isWord || typeof value === 'number' || typeof value === 'boolean') values[name] = value
  }
  return values
}

interface PlainSchema {
  readonly properties?: Readonly<Record<string, PlainSchema>>
  readonly anyOf?: readonly PlainSchema[]
  readonly oneOf?: readonly PlainSchema[]
  readonly allOf?: readonly PlainSchema[]
  readonly enum?: readonly unknown[]
}

const known = new WeakMap<object, Readonly<Record<string, PlainSchema>>>()

/** The members that a schema declares, those of all its variants together. */
function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, PlainSchema>> {
  if (!schema) return {}
  let found = known.get(schema)
  if (!found) {
    found = collectProperties(schema as PlainSchema)
    known.set(schema, found)
  }
  return found
}

function collectProperties(schema: PlainSchema): Record<string, PlainSchema> {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema
  return Object.assign({}, ...[...anyOf, ...oneOf, ...allOf].map(collectProperties), properties)
}
