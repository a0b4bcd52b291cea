import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import type { SealedColumn } from '../keys/sealing.ts'
import type { SealedBody } from './sealed-bodies.ts'

/** What was answered to attempts, sealed with the key that their event is sealed with: it may repeat what the event tells. */
export const sealedWebhookAnswers: SealedColumn = {
  table: 'webhook_answers',
  column: 'body',
  row: 'id',
  owner: 'sealed_for',
  isPacked: true,
}

/** Of an event and whoever was asked, so many of the latest are kept, and as many of them all are shown. */
const keptAnswers = 20

const keep = statement(
  'outbox.keepAnswer',
  `with given as (
     select * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[])
       v(id, event_id, via, attempt, body, sealed_for, at)
   ), older as (
     delete from webhook_answers a using given g
     where a.platform_id = $1 and a.environment = $2 and a.event_id = g.event_id and a.via = g.via
       and a.attempt <= g.attempt - ${keptAnswers}
   )
   insert into webhook_answers (platform_id, environment, id, event_id, via, attempt, body, sealed_for, created_at)
   select $1, $2, id, event_id, via, attempt, body, sealed_for, at::timestamptz from given
   on conflict (id, platform_id, environment) do update
     set body = excluded.body, sealed_for = excluded.sealed_for, created_at = excluded.created_at`,
)

/** An answer that is to be kept, of an event that is known. */
export interface KeptAnswer {
  readonly via: string
  readonly attempt: number
  readonly body: string
  readonly at: Instant
}

export type KeepingStatement = NonNullable<Decision['statements']>[number]

/** Makes what keeps an answer, for the `statements` of a Decision. */
export type AnswerKeeping = (answer: KeptAnswer) => KeepingStatement

/** Seals the answers to an event. Of one that has been erased nothing is to be kept. */
export function answerKeeping(
  keys: Pick<Keys, 'seal' | 'dataKey'>,
  book: Book,
  { id: eventId, sealedFor, sealedKey }: Pick<SealedBody, 'id' | 'sealedFor' | 'sealedKey'>,
): AnswerKeeping | undefined {
  const { platformId, environment } = book
  if (sealedFor !== null && sealedKey === null) return undefined
  const key = sealedFor === null ? undefined : keys.dataKey(book, sealedFor, sealedKey!)
  return ({ via, attempt, body, at }) => {
    const id = `${eventId} ${via} ${attempt}`
    const sealed = key
      ? key.seal(sealedWebhookAnswers, id, body)
      : keys.seal(book, sealedWebhookAnswers, id, body)
    const values = [id, eventId, via, attempt, sealed, sealedFor, toTimestamp(at)]
    return { statement: keep, parameters: [platformId, environment, ...values.map((value) => [value])] }
  }
}

/** One statement in the place of several, all of one book. */
export function keepingInOne(
  statements: readonly KeepingStatement[],
): Pick<KeepingStatement, 'parameters'> & { readonly statement: typeof keep } {
  const [platformId, environment, ...columns] = statements[0]!.parameters
  const joined = columns.map((_, index) =>
    statements.flatMap(({ parameters }) => parameters[index + 2] as unknown[]),
  )
  return { statement: keep, parameters: [platformId, environment, ...joined] }
}

const load = statement(
  'outbox.keptAnswers',
  `select id, via, attempt, body, sealed_for as "sealedFor" from webhook_answers
   where platform_id = $1 and environment = $2 and event_id = $3 order by created_at desc, attempt desc limit ${keptAnswers}`,
)

/** What was answered to the latest attempts of an event, by who was asked and the number of the attempt (`answerKey`). */
export async function loadKeptAnswers(
  { database, keys }: { readonly database: Database; readonly keys: Pick<Keys, 'open' | 'dataKey'> },
  book: Book,
  { id: eventId, sealedKey }: Pick<SealedBody, 'id' | 'sealedKey'>,
): Promise<ReadonlyMap<string, string>> {
  type Row = Pick<KeptAnswer, 'via' | 'attempt' | 'body'> & { id: string; sealedFor: string | null }
  const rows = await database.read<Row>(book, load, [book.platformId, book.environment, eventId])
  return new Map(
    rows.flatMap(({ id, via, attempt, body, sealedFor }) => {
      if (sealedFor === null) {
        return [[answerKey(via, attempt), keys.open(book, sealedWebhookAnswers, id, body)]]
      }
      // Of whoever was erased meanwhile nothing opens any more.
      if (sealedKey === null) return []
      const opened = keys.dataKey(book, sealedFor, sealedKey).open(sealedWebhookAnswers, id, body)
      return [[answerKey(via, attempt), opened]]
    }),
  )
}

export const answerKey = (via: string, attempt: number): string => `${via} ${attempt}`
