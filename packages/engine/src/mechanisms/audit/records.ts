import type { Environment } from '../../vocabulary/scope.ts'
import { type Connection, statement } from '../db/driver.ts'
import { type RecordRuleCode, recordRules } from './record-rules.ts'

/** Contradiction between a record and its postings, or postings without a record. */
export interface RecordProblem {
  readonly rule: RecordRuleCode
  readonly platformId: string
  readonly environment: Environment
  /** Id of the row. */
  readonly subject: string
  readonly found: string
  readonly expected: string
  /** Table, id and platform of the row. */
  readonly message: string
}

const comparisons = recordRules.map(
  (rule) => [rule, statement(`audit.records.${rule.code}`, rule.text)] as const,
)

/** Compares all records with all postings, by all rules or one, in the snapshot of the connection. */
export async function compareRecords(
  connection: Connection,
  mostPerRule: number,
  only?: RecordRuleCode,
): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = []
  for (const [{ code, table, says }, text] of comparisons) {
    if (only && code !== only) continue
    type Found = Omit<RecordProblem, 'rule' | 'message'>
    for (const found of await connection.query<Found>(text, [mostPerRule])) {
      problems.push({ rule: code, ...found, message: messageOf(table, says, found) })
    }
  }
  return problems
}

/** Sentence of a finding, with everything needed to find the row. */
export function messageOf(
  table: string,
  says: string,
  problem: Omit<RecordProblem, 'rule' | 'message'>,
): string {
  const { platformId, environment, subject, found, expected } = problem
  return `${table} ${subject} of platform ${platformId} (${environment}) ${says}: found ${found}, expected ${expected}.`
}
