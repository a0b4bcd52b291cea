import { type Instant, ok, toTimestamp, type World } from '@corridor/kernel'
import { type AuditRow, type Book, bookKey, installationBook } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Keys } from '../keys/keys.ts'
import { columnsOf, entryRow } from './entry.ts'
import { type Head, hashOf, tagOf } from './hashes.ts'

/**
 * Who did what. Lines come into an inbox with their effect, where they wait for nobody; `chain` moves them into the
 * log of their book, one after the other, each hashed with the one before. So no request waits for the chain, and
 * what stands in it cannot be changed or removed without its showing (verify.ts).
 */
export interface AuditLog {
  /** A line for what had no effect to be written with. */
  write(book: Book, row: AuditRow): Promise<void>
  /** Counts a refusal that anybody can bring about: told once a minute, with how often. */
  refused(refusal: RefusedAttempt): void
  /** Writes down what was counted. */
  flush(): Promise<void>
  /** Moves what is in the inbox into the chains of its books. */
  chain(): Promise<void>
  /** Removes entries that are older, from the beginning of each chain. */
  forget(before: Instant): Promise<void>
}

/** Somebody who was not let in, or asked for what he may not do. */
export interface RefusedAttempt {
  /** The book of the token that was named; absent: nobody's. */
  readonly book?: Book | undefined
  readonly actor: string
  readonly source: string
  readonly operation: string
  readonly code: string
}

/** Different refusals of a minute that are told apart in one process; all others of it are one line. */
const maxCounted = 100
const chainedAtOnce = 500
const forgottenAtOnce = 5_000

const findBooks = statement(
  'auditLog.books',
  // From book to book along the index, however many lines wait in each.
  `with recursive waiting as (
     (select platform_id, environment from audit_inbox order by platform_id, environment limit 1)
     union all
     select next.* from waiting w cross join lateral (
       select platform_id, environment from audit_inbox
       where (platform_id, environment) > (w.platform_id, w.environment)
       order by platform_id, environment limit 1) next
   )
   select platform_id as "platformId", environment from waiting`,
)
const openHead = statement(
  'auditLog.openHead',
  'insert into audit_heads (platform_id, environment) values ($1, $2) on conflict do nothing',
)
const lockHead = statement(
  'auditLog.lockHead',
  `select position, hash, forgotten_position as "forgottenPosition", forgotten_hash as "forgottenHash"
   from audit_heads where platform_id = $1 and environment = $2 for update`,
)
const takeInbox = statement(
  'auditLog.takeInbox',
  `delete from audit_inbox where platform_id = $1 and environment = $2 and id in (
     select id from audit_inbox where platform_id = $1 and environment = $2 order by id limit $3)
   returning id, entry`,
)
const moveHead = statement(
  'auditLog.moveHead',
  `update audit_heads set position = $3, hash = $4, forgotten_position = $5, forgotten_hash = $6, tag = $7
   where platform_id = $1 and environment = $2`,
)
const findOld = statement(
  'auditLog.findOld',
  `select e.platform_id as "platformId", e.environment from audit_entries e
   join audit_heads h on h.platform_id = e.platform_id and h.environment = e.environment
   where e.position = h.forgotten_position + 1 and e.at < $1`,
)
/** The entries from the beginning of the chain that are all old. */
const lastOld = statement(
  'auditLog.lastOld',
  `select max(position) as position from (
     select position, bool_and(at < $4) over (order by position) as old from audit_entries
     where platform_id = $1 and environment = $2 and position > $3 order by position limit ${forgottenAtOnce}) e
   where old`,
)
const hashAt = statement(
  'auditLog.hashAt',
  'select hash from audit_entries where platform_id = $1 and environment = $2 and position = $3',
)
const removeForgotten = statement(
  'auditLog.removeForgotten',
  'delete from audit_entries where platform_id = $1 and environment = $2 and position <= $3',
)

export function createAuditLog(parts: {
  readonly database: Database
  readonly keys: Pick<Keys, 'tag'>
  readonly world: Pick<World, 'now' | 'uuid'>
}): AuditLog {
  const { database, keys, world } = parts
  let counted = new Map<string, Counted>()

  async function insert(book: Book, rows: readonly AuditRow[]): Promise<void> {
    const { platformId, environment } = book
    await database.transact({ platformId, environment }, async (connection) => {
      insertRows(
        connection,
        book,
        'audit_inbox',
        rows.map(({ id, entry }) => ({ id, entry })),
      )
      return ok(null)
    })
  }

  async function saveHead(connection: Connection, book: Book, head: Head): Promise<void> {
    const { position, hash, forgottenPosition, forgottenHash } = head
    const tag = tagOf(keys, book, head)
    const { platformId, environment } = book
    await connection.query(moveHead, [
      platformId,
      environment,
      position,
      hash,
      forgottenPosition,
      forgottenHash,
      tag,
    ])
  }

  /** Moves some lines of a book; how many they were. */
  async function chainSome(book: Book): Promise<number> {
    const { platformId, environment } = book
    const moved = await database.transact(book, async (connection) => {
      await connection.query(openHead, [platformId, environment])
      const [head] = await connection.query<Head>(lockHead, [platformId, environment])
      const rows = await connection.query<AuditRow>(takeInbox, [platformId, environment, chainedAtOnce])
      if (rows.length === 0) return ok(0)
      rows.sort((a, b) => (a.id < b.id ? -1 : 1))
      let { position, hash } = head!
      const entries = rows.map(({ entry }) => {
        position += 1n
        hash = hashOf(hash, position, entry)
        return { position, entry, hash, ...columnsOf(entry) }
      })
      insertRows(connection, book, 'audit_entries', entries)
      await saveHead(connection, book, { ...head!, position, hash })
      return ok(rows.length)
    })
    return moved.ok ? moved.value : 0
  }

  /** Removes some old entries of a book; whether there may be more. */
  async function forgetSome(book: Book, before: Instant): Promise<boolean> {
    const { platformId, environment } = book
    return database.system(async (connection) => {
      await connection.script('begin')
      try {
        const [head] = await connection.query<Head>(lockHead, [platformId, environment])
        const from = head!.forgottenPosition
        const [old] = await connection.query<{ position: bigint | null }>(lastOld, [
          platformId,
          environment,
          from,
          toTimestamp(before),
        ])
        const upTo = old?.position ?? null
        if (upTo !== null) {
          const [last] = await connection.query<{ hash: string }>(hashAt, [platformId, environment, upTo])
          await saveHead(connection, book, {
            ...head!,
            forgottenPosition: upTo,
            forgottenHash: last!.hash,
          })
          await connection.query(removeForgotten, [platformId, environment, upTo])
        }
        await connection.script('commit')
        return upTo !== null && upTo - from === BigInt(forgottenAtOnce)
      } catch (error) {
        await connection.script('rollback').catch(() => {})
        throw error
      }
    })
  }

  function add(key: string, { attempt, count, from, until }: Counted): void {
    const isFull = counted.size >= maxCounted
    const rest = { ...attempt, book: installationBook, actor: 'stranger', source: 'various' }
    const [counter, who] = isFull && !counted.has(key) ? [`rest ${attempt.code}`, rest] : [key, attempt]
    const before = counted.get(counter)
    counted.set(counter, {
      attempt: who,
      count: (before?.count ?? 0) + count,
      from: Math.min(before?.from ?? from, from),
      until: Math.max(before?.until ?? until, until),
    })
  }

  const log: AuditLog = {
    write: (book, row) => insert(book, [row]),
    refused({ book = installationBook, ...attempt }) {
      const now = world.now()
      const key = [bookKey(book), ...Object.values(attempt)].join(' ')
      add(key, { attempt: { book, ...attempt }, count: 1, from: now, until: now })
    },
    async flush() {
      const taken = counted
      counted = new Map()
      const byBook = new Map<string, [string, Counted][]>()
      for (const [key, line] of taken) {
        const name = bookKey(line.attempt.book)
        byBook.set(name, [...(byBook.get(name) ?? []), [key, line]])
      }
      const errors: unknown[] = []
      for (const group of byBook.values()) {
        try {
          await insert(
            group[0]![1].attempt.book,
            group.map(([, line]) => countedRow(world, line)),
          )
        } catch (error) {
          // Told with those of the next minute: what one book cannot take is neither lost nor in the way of others.
          for (const [key, line] of group) add(key, line)
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
    async chain() {
      const books = await database.system((connection) => connection.query<Book>(findBooks))
      for (const book of books) while ((await chainSome(book)) === chainedAtOnce);
    },
    async forget(before) {
      const parameters = [toTimestamp(before)]
      const books = await database.system((connection) => connection.query<Book>(findOld, parameters))
      for (const book of books) while (await forgetSome(book, before));
    },
  }
  return log
}

interface Counted {
  readonly attempt: RefusedAttempt & { readonly book: Book }
  readonly count: number
  readonly from: Instant
  readonly until: Instant
}

function countedRow(world: Pick<World, 'uuid'>, { attempt, count, from, until }: Counted): AuditRow {
  const { actor, source, operation, code } = attempt
  return entryRow({
    id: world.uuid(),
    at: toTimestamp(from),
    actor,
    source,
    operation,
    resources: {},
    changed: [],
    outcome: 'REFUSED',
    code,
    count,
    until: toTimestamp(until),
  })
}
