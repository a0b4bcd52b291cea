import { type Connection, statement } from '../db/driver.ts'
import type { AuditProblem } from './audit.ts'
import { messageOf } from './records.ts'

/** Number of postings per batch. */
const usualBatch = 5_000

export interface PostingKey {
  readonly id: string
  readonly platformId: string
  readonly environment: string
}

const beforeAll: PostingKey = { id: '', platformId: '00000000-0000-0000-0000-000000000000', environment: '' }

const key = '(t.id, t.platform_id, t.environment)'

/** Key of the last posting in the next batch. */
const endOfBatch = statement(
  'audit.owners.batch',
  `select id, platform_id as "platformId", environment from (
     select t.id, t.platform_id, t.environment from ledger_transfers t
     where ${key} > ($1::text, $2::uuid, $3::text) order by 1, 2, 3 limit $4) b
   order by 1 desc, 2 desc, 3 desc limit 1`,
)

/** True for a record that the owner of the account sees for a posting on that side. */
const shows = (r: string) => `${r}.owner_id = a.owner_id and case when s.is_credit then
       a.id = any(${r}.receiver_identifiers)
       -- A UMA payment is received at an address.
       or ${r}.flow ->> 'kind' = 'UMA' and ${r}.flow -> 'delivery' ->> 'accountId' = a.id
       or ${r}.refund is not null and split_part(t.id, '/', 2) in ('refund', 'resolve')
     else
       ${r}.direction = 'DEBIT' and a.id = any(${r}.sender_identifiers)
       -- What it credited was taken back, which its status says.
       or ${r}.status = 'FAILED' and ${r}.flow -> 'delivery' ->> 'accountId' = a.id end`

/** Uses no index, so that the one of the id is used: without statistics PostgreSQL takes others for as selective. */
const isOfPlatform = (alias: string) => `${alias}.platform_id::text = t.platform_id::text`

/**
 * Postings on the available balance of an internal account that its owner cannot see: the payment exists, but neither it nor a
 * record that it names belongs to the owner. `offset 0` makes each row of a posting found by itself, in whichever order.
 */
const unrecorded = statement(
  'audit.owners.check',
  `with batch as materialized (
     select t.platform_id, t.environment, t.id, t.created_at, t.debit_account, t.credit_account from ledger_transfers t
     where ${key} > ($1::text, $2::uuid, $3::text) and ${key} <= ($4::text, $5::uuid, $6::text)
       and ($8::uuid is null or (t.platform_id = $8 and t.environment = $9))
   )
   select t.platform_id as "platformId", t.environment, t.id as subject,
     s.account as found, 'a record of ' || a.owner_id as expected
   from batch t
   cross join lateral (values (t.debit_account, false), (t.credit_account, true)) s(account, is_credit)
   cross join lateral (select b.recorded_since from books b
     where b.platform_id = t.platform_id and b.environment = t.environment offset 0) b
   cross join lateral (select a.id, a.owner_id from internal_accounts a
     where a.id = substr(s.account, 7) and ${isOfPlatform('a')} and a.environment = t.environment offset 0) a
   cross join lateral (select p.* from transactions p
     where p.id = split_part(t.id, '/', 1) and ${isOfPlatform('p')} and p.environment = t.environment offset 0) p
   where s.account like 'avail:%'
     and t.created_at >= coalesce(b.recorded_since, '-infinity')
     and not (${shows('p')})
     and not exists (
       select from jsonb_array_elements_text(coalesce(p.flow -> 'records', '[]')) named(id)
       cross join lateral (select r.* from transactions r
         where r.id = named.id and ${isOfPlatform('r')} and r.environment = t.environment offset 0) r
       where ${shows('r')})
   order by 1, 2, 3 limit $7`,
)

/** Reads every posting in batches; `book` restricts it to one book. */
export async function findUnrecorded(
  connection: Connection,
  mostProblems: number,
  book: readonly string[] = [],
  batchSize = usualBatch,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = []
  let from: PostingKey | undefined
  do {
    const next = await findUnrecordedAfter(connection, from, {
      mostProblems: mostProblems - problems.length,
      book,
      batchSize,
    })
    problems.push(...next.problems)
    from = next.last
  } while (from && problems.length < mostProblems)
  return problems
}

/** The same of one batch: the postings after one of them. `last` is where the next batch begins, and absent after the last. */
export async function findUnrecordedAfter(
  connection: Connection,
  { id, platformId, environment }: PostingKey = beforeAll,
  {
    mostProblems,
    book: [bookPlatformId = null, bookEnvironment = null] = [],
    batchSize = usualBatch,
  }: {
    readonly mostProblems: number
    readonly book?: readonly (string | null)[]
    readonly batchSize?: number
  },
): Promise<{ readonly problems: AuditProblem[]; readonly last?: PostingKey }> {
  const lower = [id, platformId, environment]
  const [last] = await connection.query<PostingKey>(endOfBatch, [...lower, batchSize])
  if (!last) return { problems: [] }
  const upper = [last.id, last.platformId, last.environment]
  const parameters = [...lower, ...upper, mostProblems, bookPlatformId, bookEnvironment]
  const found = await connection.query<Omit<AuditProblem, 'rule' | 'message'>>(unrecorded, parameters)
  const problems = found.map((problem) => ({
    rule: 'OWNER_WITHOUT_RECORD' as const,
    ...problem,
    message: messageOf(
      'ledger_transfers',
      'changes an account whose owner has no record of the change',
      problem,
    ),
  }))
  return { problems, last }
}
