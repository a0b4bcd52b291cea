import { type Connection, statement } from '../db/driver.ts'
import type { AuditProblem } from './audit.ts'
import { messageOf } from './records.ts'

/** So many postings are read at once. */
const usualBatch = 5_000

interface Key {
  readonly id: string
  readonly platformId: string
  readonly environment: string
}

const beforeAll: Key = { id: '', platformId: '00000000-0000-0000-0000-000000000000', environment: '' }

const key = '(t.id, t.platform_id, t.environment)'

/** The last of the next postings, in the order of their key. */
const endOfBatch = statement(
  'audit.owners.batch',
  `select id, platform_id as "platformId", environment from (
     select t.id, t.platform_id, t.environment from ledger_transfers t
     where ${key} > ($1::text, $2::uuid, $3::text) order by 1, 2, 3 limit $4) b
   order by 1 desc, 2 desc, 3 desc limit 1`,
)

/** Whether a record, by its alias, is one that the owner of the account is shown for a posting on that side of it. */
const shows = (r: string) => `${r}.owner_id = a.owner_id and case when s.is_credit then
       a.id = any(${r}.receiver_identifiers)
       -- A UMA payment is received at an address.
       or ${r}.flow ->> 'kind' = 'UMA' and ${r}.flow -> 'delivery' ->> 'accountId' = a.id
       or ${r}.refund is not null and split_part(t.id, '/', 2) in ('refund', 'resolve')
     else
       ${r}.direction = 'DEBIT' and a.id = any(${r}.sender_identifiers)
       -- What it credited was taken back, which its status says.
       or ${r}.status = 'FAILED' and ${r}.flow -> 'delivery' ->> 'accountId' = a.id end`

/**
 * Postings on what can be spent of an internal account whose payment is on record, and of which its owner has no record: neither
 * the payment itself nor one of those that it names.
 */
const unrecorded = statement(
  'audit.owners.check',
  `select t.platform_id as "platformId", t.environment, t.id as subject,
     s.account as found, 'a record of ' || a.owner_id as expected
   from ledger_transfers t
   cross join lateral (values (t.debit_account, false), (t.credit_account, true)) s(account, is_credit)
   join books b on b.platform_id = t.platform_id and b.environment = t.environment
   join internal_accounts a on a.platform_id = t.platform_id and a.environment = t.environment
     and a.id = substr(s.account, 7)
   join transactions p on p.platform_id = t.platform_id and p.environment = t.environment
     and p.id = split_part(t.id, '/', 1)
   where ${key} > ($1::text, $2::uuid, $3::text) and ${key} <= ($4::text, $5::uuid, $6::text)
     and s.account like 'avail:%'
     and t.created_at >= coalesce(b.recorded_since, '-infinity')
     and ($8::uuid is null or (t.platform_id = $8 and t.environment = $9))
     and not (${shows('p')})
     and not exists (
       select from jsonb_array_elements_text(coalesce(p.flow -> 'records', '[]')) named(id)
       join transactions r on r.platform_id = t.platform_id and r.environment = t.environment and r.id = named.id
       where ${shows('r')})
   order by 1, 2, 3 limit $7`,
)

/** Looks at every posting, in batches of bounded size; `book` names the only one that is looked at. */
export async function findUnrecorded(
  connection: Connection,
  mostProblems: number,
  book: readonly string[] = [],
  batchSize = usualBatch,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = []
  let from = beforeAll
  while (problems.length < mostProblems) {
    const lower = [from.id, from.platformId, from.environment]
    const [to] = await connection.query<Key>(endOfBatch, [...lower, batchSize])
    if (!to) break
    const upper = [to.id, to.platformId, to.environment]
    const [platformId = null, environment = null] = book
    const found = await connection.query<Omit<AuditProblem, 'rule' | 'message'>>(unrecorded, [
      ...lower,
      ...upper,
      mostProblems - problems.length,
      platformId,
      environment,
    ])
    problems.push(
      ...found.map((problem) => ({
        rule: 'OWNER_WITHOUT_RECORD' as const,
        ...problem,
        message: messageOf('ledger_transfers', 'moves an account whose owner has no record of it', problem),
      })),
    )
    from = to
  }
  return problems
}
