import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { type Failure, fail, failFields, passingConflict } from '../../vocabulary/errors.ts'
import { type Book, bookKey, type Scope } from '../../vocabulary/scope.ts'
import { subjectOfResponse } from '../../vocabulary/subject.ts'
import { type KeptAnswer, replacing } from '../db/batch-output.ts'
import { batched, batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Keys } from '../keys/keys.ts'
import type { SealedColumn } from '../keys/sealing.ts'
import { type ClaimWorld, claimKey, forgetClaims } from './key-claims.ts'

/** A finished request under its key: the first status and bytes, whatever has happened since. */
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
/** In batches: nobody waits long for one of them, however many there are. */
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
/** The rest of its time the key is still spent: what it did is not done again. */
export const eraseAnswers = statement(
  'erasure.answers',
  `update idempotency_keys set body = '', fingerprint = ''
   where platform_id = $1 and environment = $2 and subject_id = $3`,
)

/** The same key with another of these is another key (conventions 6). */
export interface KeyedRequest {
  readonly method: string
  readonly path: string
  /** Of a write these name whom it concerns, like the ids of the path: a customer, a book. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  /** Each agent has keys of its own. */
  readonly agentId?: string | undefined
}

/**
 * Keys of POST and PATCH requests (conventions 6). The answer is written by apply in the transaction of
 * the effect, so a crash leaves either both or neither, and no lock to wait for. Bodies are sealed: they
 * hold links and numbers of documents, which are nowhere else in the clear.
 */
export interface IdempotencyStore {
  /** A storage id for a key and what it was sent with, within a book; a failure for a malformed key. */
  identify(key: string, sent: KeyedRequest): Result<string, Failure>
  /** Marks a key as running in this process; the returned function ends that. */
  begin(book: Book, id: string): Result<() => void, Failure>
  /** The same for all processes (key-claims.ts): for operations whose answer is not stored with their effect. */
  claim(world: ClaimWorld, book: Book, id: string): Promise<Result<() => Promise<void>, Failure>>
  /** The stored answer, or null. A different fingerprint is a conflict. */
  find(
    book: Book,
    id: string,
    fingerprint: string,
    now: Instant,
  ): Promise<Result<StoredAnswer | null, Failure>>
  /** Stores an answer that had no effect to be stored with: a refusal, or a success that changed nothing. */
  save(scope: Scope, id: string, fingerprint: string, answer: StoredAnswer, keptMs?: number): Promise<void>
  /** Replaces the provisional answer that was stored with the effect. */
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
        const message = 'is 1 to 255 visible ASCII characters'
        return failed(failFields([{ field: 'Idempotency-Key', message }]))
      }
      const parts = [method, path, requestId ?? '', key, ...(agentId ? [agentId] : [])]
      // Without a query the id is that of earlier releases, whose answers are still on record.
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
        // Another process may have answered anew meanwhile: that answer counts.
        row = (await findAnswers(database, book, [id]))[0]
      }
      if (!row) return ok(null)
      // Only what was erased is empty: sealed, nothing is a text too.
      if (row.body === '') {
        return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: row.subjectId }))
      }
      if (row.fingerprint !== fingerprint) {
        return failed(fail('CONFLICT', { reason: 'IDEMPOTENCY_KEY_REUSED' }))
      }
      return ok({ status: row.status, body: keys.open(book, sealedAnswers, id, row.body) })
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

/** Equal for bodies that mean the same JSON, whatever the order of their keys. */
export function fingerprintOf(body: unknown): string {
  return hash(canonicalJson(body))
}

/** Equal for queries that say the same, whatever the order of their names and values. */
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

/** Responses are kept as the bytes that were sent. */
function subjectOfText(body: string): string | null {
  return subjectOfResponse(body === '' ? null : JSON.parse(body))
}
