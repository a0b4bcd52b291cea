import { type Instant, ok, toTimestamp, type World } from '@corridor/kernel'
import { type Book, bookKey, type Environment } from '../../vocabulary/scope.ts'
import { isUnavailable } from '../db/availability.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { NotCommitted, OutcomeUnknown } from '../db/outcome.ts'
import { insertRows } from '../db/write.ts'
import type { Clock } from '../jobs/clock.ts'
import type { Keys } from '../keys/keys.ts'

/**
 * What was asked of the API, for whoever builds against it: off the path of the requests, in batches, and the latest only.
 * It is no record: where it cannot keep up, or a process dies, lines are missing. The audit log is one.
 */
export interface RequestLog {
  /** Whether requests of this environment are noted. */
  notes(environment: Environment): boolean
  /** Waits for nothing. A line too many is counted and left out. */
  note(book: Book, request: NotedRequest): void
  /**
   * Writes what was noted: whoever reads after it finds each request that was answered here before. What could not be
   * written because the database was away waits for the next time.
   */
  flush(): Promise<void>
}

export interface NotedRequest {
  readonly requestId: string
  readonly operation: string
  readonly method: string
  /** As it is declared, with the names of its ids. */
  readonly path: string
  /** Ids in the path, by the names of their parameters. */
  readonly resources: Readonly<Record<string, string>>
  readonly status: number
  /** The error code of a refusal. */
  readonly code: string | null
  /** Names of the fields that were wrong. */
  readonly fields: readonly string[]
  readonly milliseconds: number
  readonly idempotencyKey: string | undefined
  readonly replayed: boolean
  readonly actor: string
  readonly source: string
}

export const requestLogBounds = {
  /** Lines that wait to be written, of all books. */
  waiting: 5_000,
  /** The latest of each book, and at most half as many more until the next look. */
  kept: 10_000,
} as const

const removeAllBut = statement(
  'requestLog.removeAllBut',
  `delete from request_log where platform_id = $1 and environment = $2 and (created_at, id) < (
     select created_at, id from request_log where platform_id = $1 and environment = $2
     order by created_at desc, id desc offset $3 limit 1)`,
)

interface Line {
  readonly book: Book
  readonly request: NotedRequest
  readonly id: string
  readonly at: Instant
  /** By how much the clock of the book was ahead then; undefined where that could not be read. */
  readonly offsetMs: Promise<number | undefined>
}

export function createRequestLog(parts: {
  readonly database: Pick<Database, 'transact' | 'write'>
  readonly clock: Pick<Clock, 'offsetMs'>
  readonly keys: Pick<Keys, 'tag'>
  readonly world: Pick<World, 'now' | 'uuid' | 'log'>
  /** Whose requests are noted. */
  readonly environments: readonly Environment[]
}): RequestLog {
  const { database, clock, keys, world, environments } = parts
  let waiting: Line[] = []
  let leftOut = 0
  let writing = Promise.resolve()
  /** Lines of each book since its old ones were removed. */
  const written = new Map<string, number>()

  async function write(book: Book, lines: readonly Line[]): Promise<void> {
    const { platformId, environment } = book
    const latestMs = await clock.offsetMs(book)
    // The clock of a sandbox may have been moved since: each is told at the time at which it was answered.
    const offsets = await Promise.all(lines.map(({ offsetMs }) => offsetMs))
    const rows = lines.map(
      ({ id, at, request: { requestId, idempotencyKey, resources, fields, ...said } }, line) => ({
        id,
        request_id: requestId,
        ...said,
        resources: { ...resources },
        ...(fields.length > 0 ? { fields: [...fields] } : {}),
        // Callers put into a key what they like.
        idempotency_key:
          idempotencyKey === undefined ? null : keys.tag(`request log ${bookKey(book)}`, idempotencyKey),
        created_at: toTimestamp(at + (offsets[line] ?? latestMs)),
      }),
    )
    await database.transact({ platformId, environment }, async (connection) => {
      // They may be there already: an acknowledgement was lost, and they are written once more.
      insertRows(connection, book, 'request_log', rows, { ifAbsent: true })
      return ok(null)
    })
    const count = (written.get(bookKey(book)) ?? requestLogBounds.kept) + rows.length
    const isTime = count >= requestLogBounds.kept / 2
    written.set(bookKey(book), isTime ? 0 : count)
    if (isTime) await database.write(book, removeAllBut, [platformId, environment, requestLogBounds.kept - 1])
  }

  /** Before those that came meanwhile, of which there may be so many that some have no place. */
  function putBack(lines: readonly Line[]): void {
    const room = Math.max(0, requestLogBounds.waiting - waiting.length)
    leftOut += Math.max(0, lines.length - room)
    waiting = [...lines.slice(0, room), ...waiting]
  }

  async function writeAll(lines: readonly Line[]): Promise<void> {
    const byBook = new Map<string, Line[]>()
    for (const line of lines) {
      const ofBook = byBook.get(bookKey(line.book))
      if (ofBook) ofBook.push(line)
      else byBook.set(bookKey(line.book), [line])
    }
    for (const ofBook of byBook.values()) {
      try {
        await write(ofBook[0]!.book, ofBook)
      } catch (error) {
        if (isPassing(error)) putBack(ofBook)
        else leftOut += ofBook.length
        world.log.debug({ error: (error as Error).message }, 'requests could not be written down')
      }
    }
    if (leftOut > 0) {
      world.log.warn({ lines: leftOut }, 'the request log omitted entries')
      leftOut = 0
    }
  }

  return {
    notes: (environment) => environments.includes(environment),
    note({ platformId, environment }, request) {
      if (waiting.length >= requestLogBounds.waiting) {
        leftOut++
        return
      }
      const book = { platformId, environment }
      // Known since the request was let in: this asks nobody.
      const offsetMs = clock.offsetMs(book).catch(() => undefined)
      waiting.push({ book, request, id: world.uuid(), at: world.now(), offsetMs })
    },
    flush() {
      writing = writing.then(() => {
        const lines = waiting
        waiting = []
        return lines.length + leftOut > 0 ? writeAll(lines) : undefined
      })
      return writing
    },
  }
}

/** Whether it says nothing against the lines: the same may well be written a moment later. */
function isPassing(error: unknown): boolean {
  return isUnavailable(error) || error instanceof NotCommitted || error instanceof OutcomeUnknown
}
