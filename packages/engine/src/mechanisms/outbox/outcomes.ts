import type { Instant } from '@corridor/kernel'
import type { Row } from '../../vocabulary/decision.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import { jsonColumn, numberColumn, splitJson, textColumn, toTime } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { type KeepingStatement, keepingInOne } from './kept-answers.ts'

/** A delivery as it is recorded: what `decideAfterAttempt` sets, of an event that nobody changed meanwhile. */
export interface Delivery {
  readonly id: string
  readonly version: bigint
  readonly at: Instant
  readonly set: Row
  /** Keeps what was answered. */
  readonly keeping: readonly KeepingStatement[]
}

/** MERGE, because its plan goes from the rows that are given to those of the table. */
const recordDeliveries = statement(
  'outbox.recordDeliveries',
  `merge into events e
   using unnest($3::text::text[], $4::text::bigint[], $5::text::text[], $6::text::int[], $7::text::int[],
       ${splitJson('$8')}, $9::text::text[], $10::text::bigint[])
     v(id, version, status, attempts, last_status, attempt_log, last_response, delivered_at)
   on e.platform_id = $1 and e.environment = $2 and e.id = v.id
   when matched and e.version = v.version then update set
     version = e.version + 1, status = v.status, attempts = v.attempts, due_at = null,
     last_status = v.last_status, last_error = null, attempt_log = v.attempt_log::jsonb,
     last_response = v.last_response, delivered_at = ${toTime('v.delivered_at')}`,
)

/** Records deliveries: those of one book that come while others are written make the next statement. */
export interface Recorder {
  /** Resolves once it is recorded, or found that another process has recorded an outcome. */
  record(book: Book, delivery: Delivery): Promise<void>
}

export function createRecorder(database: Database): Recorder {
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, { readonly deliveries: Delivery[]; readonly written: Promise<void> }>()

  return {
    record({ platformId, environment }, delivery) {
      const book = { platformId, environment }
      const key = bookKey(book)
      let batch = waiting.get(key)
      if (!batch) {
        const deliveries: Delivery[] = []
        const written = (underWay.get(key) ?? Promise.resolve()).then(() => {
          waiting.delete(key)
          const writing = write(database, book, deliveries)
          const ended = writing
            .catch(() => {})
            .finally(() => {
              if (underWay.get(key) === ended) underWay.delete(key)
            })
          underWay.set(key, ended)
          return writing
        })
        batch = { deliveries, written }
        waiting.set(key, batch)
      }
      batch.deliveries.push(delivery)
      return batch.written
    },
  }
}

async function write(database: Database, book: Book, deliveries: readonly Delivery[]): Promise<void> {
  const inOrder = [...deliveries].sort((a, b) => (a.id < b.id ? -1 : 1))
  const keeping = inOrder.flatMap((delivery) => delivery.keeping)
  if (keeping.length > 0) {
    const { statement, parameters } = keepingInOne(keeping)
    await database.write(book, statement, parameters)
  }
  await database.write(book, recordDeliveries, [
    book.platformId,
    book.environment,
    textColumn(inOrder, ({ id }) => id),
    numberColumn(inOrder, ({ version }) => version),
    textColumn(inOrder, ({ set }) => set.status as string),
    numberColumn(inOrder, ({ set }) => set.attempts as number),
    numberColumn(inOrder, ({ set }) => set.last_status as number),
    jsonColumn(inOrder, ({ set }) => JSON.stringify(set.attempt_log)),
    textColumn(inOrder, ({ set }) => set.last_response as string | null, null),
    numberColumn(inOrder, ({ at }) => at),
  ])
}
