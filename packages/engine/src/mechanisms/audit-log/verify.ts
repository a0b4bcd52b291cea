import type { Book, Environment } from '../../vocabulary/scope.ts'
import { type Connection, statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { type EntryColumns, saysTheSame } from './entry.ts'
import { type Head, hashOf, tagOf } from './hashes.ts'

/** What is wrong with the audit log of a book. */
export interface AuditLogProblem {
  readonly rule: 'AUDIT_LOG_BROKEN'
  readonly platformId: string
  readonly environment: Environment
  readonly subject: string
  readonly found: string
  readonly expected: string
}

interface Chained extends EntryColumns {
  readonly position: bigint
  readonly entry: string
  readonly hash: string
}

const readAtOnce = 2_000

const findHeads = statement(
  'auditLog.heads',
  `select platform_id as "platformId", environment, h.position, h.hash, h.forgotten_position as "forgottenPosition",
     h.forgotten_hash as "forgottenHash", h.tag
   from audit_heads h
   full join (select distinct platform_id, environment from audit_entries) e using (platform_id, environment)
   order by 1, 2`,
)
const readEntries = statement(
  'auditLog.entriesAfter',
  `select position, entry, hash, id, at, actor, operation, outcome, resources from audit_entries
   where platform_id = $1 and environment = $2 and position > $3 order by position limit ${readAtOnce}`,
)

/**
 * Computes every chain anew, up to the head that our key vouches for: an entry that was changed, removed or put in
 * shows, whoever did it. Without keys the heads are taken as they are. The first problem of each book.
 */
export async function verifyAuditLog(
  connection: Connection,
  keys: Pick<Keys, 'tag'> | undefined,
): Promise<{ readonly checkedEntries: number; readonly problems: AuditLogProblem[] }> {
  type Found = Book & { [Member in keyof Head]: Head[Member] | null } & { tag: string | null }
  const heads = await connection.query<Found>(findHeads)
  const problems: AuditLogProblem[] = []
  let checkedEntries = 0
  for (const found of heads) {
    const { platformId, environment } = found
    const about = (subject: string, shown: string, expected: string) =>
      problems.push({
        rule: 'AUDIT_LOG_BROKEN',
        platformId,
        environment,
        subject,
        found: shown,
        expected,
      })
    if (found.position === null) {
      about('head', 'none', 'the head of the chain')
      continue
    }
    const head = found as Head
    if (keys && tagOf(keys, found, head) !== found.tag) {
      about('head', 'a head without a valid tag', 'a head with a valid tag')
      continue
    }
    const walked = await walk(connection, found, head)
    checkedEntries += walked.checked
    if (walked.problem) about(...walked.problem)
  }
  return { checkedEntries, problems }
}

type Problem = readonly [subject: string, found: string, expected: string]

async function walk(
  connection: Connection,
  { platformId, environment }: Book,
  head: Head,
): Promise<{ checked: number; problem?: Problem }> {
  let { forgottenPosition: position, forgottenHash: hash } = head
  let checked = 0
  for (;;) {
    const rows = await connection.query<Chained>(readEntries, [platformId, environment, position])
    for (const row of rows) {
      const next = position + 1n
      if (row.position !== next) {
        return { checked, problem: [`entry ${next}`, `entry ${row.position}`, `entry ${next}`] }
      }
      const expected = hashOf(hash, next, row.entry)
      if (row.hash !== expected) return { checked, problem: [`entry ${next}`, row.hash, expected] }
      if (!saysTheSame(row.entry, row)) {
        return {
          checked,
          problem: [`entry ${next}`, 'columns that differ from the entry', 'columns that match the entry'],
        }
      }
      position = next
      hash = expected
      checked++
    }
    if (rows.length < readAtOnce) break
  }
  if (position === head.position && hash === head.hash) return { checked }
  return { checked, problem: ['last entry', `${position} ${hash}`, `${head.position} ${head.hash}`] }
}
