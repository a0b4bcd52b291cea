import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { type Failure, fail, failFields, passingConflict } from '../../vocabulary/errors.ts'
import { type Book, bookKey, type EffectMark, type Recording, type Scope } from '../../vocabulary/scope.ts'
import { subjectOfResponse } from '../../vocabulary/subject.ts'
import { type KeptAnswer, replacing } from '../db/batch-output.ts'
import { batched, batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Keys } from '../keys/keys.ts'
import type { SealedColumn } from '../keys/sealing.ts'
import { type ClaimWorld, claimKey, forgetClaims } from './key-claims.ts'

/** The first response to a request with an idempotency key. A replay returns it unchanged. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

interface FoundAnswer extends StoredAnswer {
  readonly id: string
  readonly fingerprint: string
  readonly subjectId: string | null
  readonly expiresAt: Instant
}

export const sealedAnswers: SealedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  row: 'id',
  where: "body <> ''",
  isPacked: true,
}

const keyPattern = /^[\x21-\x7e]{1,255}$/
export const retentionMs = 24 * 60 * 60 * 1000

const findAnswers = batchedLoad<FoundAnswer>(
  statement(
    'idempotency.find',
    `select id, fingerprint, status, body, subject_id as "subjectId", expires_at as "expiresAt" from idempotency_keys
     where platform_id = $1 and environment = $2 and id = any($3::text[])`,
  ),
)
interface FoundMark extends FoundAnswer, Book {}

const findMark = statement(
  'idempotency.findMark',
  `select platform_id as "platformId", environment, id, fingerprint, status, body, expires_at as "expiresAt"
   from idempotency_keys where id = $1`,
)
const replaceAnswers = batched<Database, KeptAnswer, never>({
  run: (database, book, answers) => database.write(book, ...replacing(book, answers)),
  keyOf: ({ id }) => id,
  answers: (none) => none,
})
const forgetAnswer = statement(
  'idempotency.forget',
  `delete from idempotency_keys
   where platform_id = $1 and environment = $2 and id = $3 and expires_at <= $4`,
)
const removedAtOnce = 5_000
/** Deletes expired responses in batches, so that no request waits long for a lock. */
export const forgetExpired = statement(
  'idempotency.forgetExpired',
  `with old as materialized (
     select platform_id, environment, id from idempotency_keys where expires_at < $1 limit ${removedAtOnce}
   ), gone as (
     delete from idempotency_keys k using old o
     where k.platform_id = o.platform_id and k.environment = o.environment and k.id = o.id and k.expires_at < $1
     returning 1
   )
   select count(*) as count from gone`,
)
/** Empties the responses of an erased customer. Their keys stay until they expire, so that a repeated request has no second effect. */
export const eraseAnswers = statement(
  'erasure.answers',
  `update idempotency_keys set body = '', fingerprint = ''
   where platform_id = $1 and environment = $2 and subject_id = $3`,
)

/**
 * The parts of a request that identify an idempotency key, together with the value of the header (conventions 6). The same value
 * with another method, path, query, request id or agent is a different key.
 */
export interface KeyedRequest {
  readonly method: string
  readonly path: string
  /** In a write, query parameters name the subject, such as a customer or a platform, as the ids in the path do. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  /** Set for requests of agents: two agents can use the same value for different keys. */
  readonly agentId?: string | undefined
}

/**
 * Stores the responses to POST and PATCH requests under their idempotency keys (conventions 6). `apply` writes the response in
 * the transaction of the effect. A crash therefore leaves both or neither, and no lock. Bodies are sealed, because they contain
 * links and document numbers that Corridor stores nowhere else in plain text.
 */
export interface IdempotencyStore {
  /** Returns the storage id of a key within a book, or a failure if the key is malformed. */
  identify(key: string, sent: KeyedRequest): Result<string, Failure>
  /** Marks a key as running in this process. The returned function removes the mark. */
  begin(book: Book, id: string): Result<() => void, Failure>
  /**
   * Reserves a key in all processes (key-claims.ts), for operations that store their response apart from their effect. The
   * returned function ends the reservation.
   */
  claim(world: ClaimWorld, book: Book, id: string): Promise<Result<() => Promise<void>, Failure>>
  /** Returns the stored response, or null. A key that was used with another body is a conflict. */
  find(
    book: Book,
    id: string,
    fingerprint: string,
    now: Instant,
  ): Promise<Result<StoredAnswer | null, Failure>>
  /** Returns a failure if a request with this key had an effect in any book, and ended before its response was stored. */
  findInterrupted(id: string, fingerprint: string, now: Instant): Promise<Failure | undefined>
  /** Stores a response without an effect: an error, or a success that changed nothing. */
  save(scope: Scope, id: string, fingerprint: string, answer: StoredAnswer, keptMs?: number): Promise<void>
  /** Replaces the provisional response that was stored with the effect. */
  replace(book: Book, id: string, answer: StoredAnswer): Promise<void>
  purge(now: Instant): Promise<void>
}

export function createIdempotencyStore(
  database: Database,
  keys: Pick<Keys, 'seal' | 'open'>,
): IdempotencyStore {
  const running = new Set<string>()
  return {
    identify(key, { method, path, query = {}, requestId, agentId }) {
      if (!keyPattern.test(key)) {
        const message = 'must be 1 to 255 visible ASCII characters'
        return failed(failFields([{ field: 'Idempotency-Key', message }]))
      }
      const parts = [method, path, requestId ?? '', key, ...(agentId ? [agentId] : [])]
      // Without a query, the id equals that of earlier releases, whose responses are still stored.
      if (Object.keys(query).length > 0) parts.push(`query ${canonicalQuery(query)}`)
      return ok(hash(parts.join('\n')))
    },
    begin(book, id) {
      const key = `${bookKey(book)} ${id}`
      if (running.has(key)) {
        return failed(passingConflict('REQUEST_IN_PROGRESS'))
      }
      running.add(key)
      return ok(() => running.delete(key))
    },
    claim: (world, book, id) => claimKey(database, world, book, id),
    async find(book, id, fingerprint, now) {
      let [row] = await findAnswers(database, book, [id])
      if (row && row.expiresAt <= now) {
        await database.read(book, forgetAnswer, [book.platformId, book.environment, id, toTimestamp(now)])
        // Another process may have stored a new response meanwhile. That one counts.
        row = (await findAnswers(database, book, [id]))[0]
      }
      if (!row) return ok(null)
      // Only an erased response is empty: a sealed empty body is not.
      if (row.body === '') {
        return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: row.subjectId }))
      }
      if (row.fingerprint !== fingerprint) {
        return failed(fail('CONFLICT', { reason: 'IDEMPOTENCY_KEY_REUSED' }))
      }
      return ok({ status: row.status, body: keys.open(book, sealedAnswers, id, row.body) })
    },
    async findInterrupted(id, fingerprint, now) {
      const [mark] = await database.system((connection) =>
        connection.query<FoundMark>(findMark, [markIdOf(id)]),
      )
      if (!mark) return undefined
      if (mark.expiresAt <= now) {
        const { platformId, environment } = mark
        await database.read(mark, forgetAnswer, [platformId, environment, mark.id, toTimestamp(now)])
        return undefined
      }
      if (mark.fingerprint !== fingerprint) return fail('CONFLICT', { reason: 'IDEMPOTENCY_KEY_REUSED' })
      const { requestId } = JSON.parse(keys.open(mark, sealedAnswers, mark.id, mark.body)) as {
        requestId: string
      }
      return fail('CONFLICT', { reason: 'INTERRUPTED', id: requestId })
    },
    async save(scope, id, fingerprint, { status, body }, keptMs = retentionMs) {
      const row = {
        id,
        fingerprint,
        status,
        body: keys.seal(scope, sealedAnswers, id, body),
        subject_id: subjectOfText(body),
        created_at: toTimestamp(scope.now),
        expires_at: toTimestamp(scope.now + keptMs),
      }
      await database.transact(scope, async (connection) => {
        insertRows(connection, scope, 'idempotency_keys', [row], { ifAbsent: true })
        return ok(null)
      })
    },
    async replace(book, id, { status, body }) {
      const subjectId = subjectOfText(body)
      const sealed = keys.seal(book, sealedAnswers, id, body)
      await replaceAnswers(database, book, [{ id, status, body: sealed, subjectId }])
    },
    async purge(now) {
      const forgetSome = () =>
        database.maintenance((connection) =>
          connection.query<{ count: bigint }>(forgetExpired, [toTimestamp(now)]),
        )
      while ((await forgetSome())[0]!.count > 0n);
      await database.maintenance((connection) => connection.query(forgetClaims, [toTimestamp(now)]))
    },
  }
}

/** A request has its own id, so that a mark and a response can be in one book. */
const markIdOf = (id: string) => `${id}.effect`

/** Mark of an effect in a book, for the request whose response will be stored in another one. */
export function effectMark(
  keys: Pick<Keys, 'seal'>,
  book: Book,
  {
    recording,
    requestId,
    now,
  }: {
    readonly recording: Pick<Recording, 'key' | 'fingerprint' | 'retentionMs'>
    readonly requestId: string
    readonly now: Instant
  },
): EffectMark {
  const id = markIdOf(recording.key)
  const body = keys.seal(book, sealedAnswers, id, JSON.stringify({ requestId }))
  const { fingerprint, retentionMs } = recording
  return { id, fingerprint, status: 409, body, at: now, expiresAt: now + retentionMs }
}

/** Returns the same text for bodies with the same JSON, regardless of the order of their keys. */
export function fingerprintOf(body: unknown): string {
  return hash(canonicalJson(body))
}

/** Returns the same text for equal queries, regardless of the order of their names and values. */
function canonicalQuery(query: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(query).map(([name, value]) => [name, [value].flat().sort()])
  return canonicalJson(Object.fromEntries(sorted))
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns the customer that a stored response is about. */
function subjectOfText(body: string): string | null {
  return subjectOfResponse(body === '' ? null : JSON.parse(body))
}
