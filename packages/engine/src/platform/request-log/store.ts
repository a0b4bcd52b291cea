import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface RequestRow {
  readonly id: string
  readonly requestId: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly resources: Record<string, string>
  readonly status: number
  readonly code: string | null
  readonly fields: readonly string[]
  readonly milliseconds: number
  readonly idempotencyKey: string | null
  readonly replayed: boolean
  readonly actor: string
  readonly source: string
  readonly createdAt: Instant
}

const columns = `id, request_id as "requestId", operation, method, path, resources, status, code,
  coalesce(fields, '{}') as fields, milliseconds,
  idempotency_key as "idempotencyKey", replayed, actor, source, created_at as "createdAt"`

/** No more rows of a book than the log keeps, so the one index of its order serves every filter. */
export const requestList = defineList<RequestRow>()({
  name: 'requestLog.list',
  table: 'request_log',
  columns,
  filters: {
    status: { one: 'status = ?::text::int', any: 'status = any(?::text[]::int[])' },
    code: equals('code'),
    operation: equals('operation'),
    method: equals('method'),
    actor: equals('actor'),
    resourceId: {
      one: 'exists (select from jsonb_each_text(resources) named where named.value = ?)',
      any: 'exists (select from jsonb_each_text(resources) named where named.value = any(?::text[]))',
    },
    createdAfter: timeConditions.createdAfter,
    createdBefore: timeConditions.createdBefore,
  },
})

const load = statement(
  'requestLog.load',
  `select ${columns} from request_log where platform_id = $1 and environment = $2 and request_id = $3 and request_id <> ''
   order by created_at desc, id desc limit 1`,
)

export async function loadRequest(
  database: Database,
  book: Book,
  requestId: string,
): Promise<RequestRow | undefined> {
  const [row] = await database.read<RequestRow>(book, load, [book.platformId, book.environment, requestId])
  return row
}

const about = statement(
  'requestLog.about',
  `select ${columns} from request_log where platform_id = $1 and environment = $2 and created_at >= $3::timestamptz
     and method <> 'GET' and (exists (select 1 from jsonb_each_text(resources) named where named.value = any($4::text[]))
       or (operation = 'advanceSandboxClock' and status = 200 and created_at <= coalesce((
         select min(after.created_at) from request_log after
         where after.platform_id = $1 and after.environment = $2 and after.created_at > $6::timestamptz
       ), $6::timestamptz)))
   order by created_at desc, id desc limit $5`,
)

/** Of one thing more requests are seldom made; the latest tell what it is now. */
const mostAbout = 50

/**
 * The latest that were to change one of these, or moved the clock meanwhile: also on whose way it came to what it is at `until`, which
 * is answered after that, and before anybody asked for anything else. No more rows of a book are looked through than the log keeps. */
export async function loadRequestsAbout(
  database: Database,
  book: Book,
  { ids, from, until }: { readonly ids: readonly string[]; readonly from: string; readonly until: string },
): Promise<RequestRow[]> {
  const parameters = [book.platformId, book.environment, from, ids, mostAbout, until]
  return [...(await database.read<RequestRow>(book, about, parameters))]
}
