import type { Environment } from '../../vocabulary/scope.ts'
import { type Connection, type Statement, statement } from '../db/driver.ts'
import { type Reach, type RecordRule, type RecordRuleCode, recordRules } from './record-rules.ts'

/** A record that its postings contradict, or postings that no record explains. */
export interface RecordProblem {
  readonly rule: RecordRuleCode
  readonly platformId: string
  readonly environment: Environment
  /** The id of the row that is named. */
  readonly subject: string
  readonly found: string
  readonly expected: string
  /** Names the row: its table, its id and its platform. */
  readonly message: string
}

const everything: Reach = {
  of: () => 'true',
  payments: () => 'true',
  postings: () => 'true',
  written: () => 'true',
}
/** $2 and $3 are the book, $4 the ids of payments, $5 the ids that their postings can have, $6 those of new postings. */
const some: Reach = {
  // Each statement names all parameters, for the database wants the type of each.
  of: (alias) => `${alias}.platform_id = $2 and ${alias}.environment = $3
    and cardinality($4::text[]) + cardinality($5::text[]) + cardinality($6::text[]) >= 0`,
  payments: (id) => `${id} = any($4::text[])`,
  postings: (id) => `${id} = any($5::text[])`,
  written: (id) => `${id} = any($6::text[])`,
}

type Asked = readonly (readonly [RecordRule, Statement])[]
const asked = (name: string, rules: readonly RecordRule[], reach: Reach): Asked =>
  rules.map((rule) => [rule, statement(`audit.${name}.${rule.code}`, rule.text(reach))] as const)

const askedOfAll = asked('records', recordRules, everything)
const askedOfPayments = asked(
  'payments',
  recordRules.filter(({ isOfPayments }) => isOfPayments),
  some,
)
const askedOfSums = asked(
  'sums',
  recordRules.filter(({ code }) => code === 'SUSPENSE_DIFFERS_FROM_ITEMS'),
  everything,
)

/** Compares all records with all postings, at the moment of the connection's transaction. */
export function compareRecords(connection: Connection, mostPerRule: number): Promise<RecordProblem[]> {
  return ask(connection, askedOfAll, [mostPerRule])
}

/** The sums of few rows, which can be compared often: money in suspense. */
export function compareSums(connection: Connection, mostPerRule: number): Promise<RecordProblem[]> {
  return ask(connection, askedOfSums, [mostPerRule])
}

/** Compares these payments of a book with those of their postings that have one of these ids. */
export function comparePayments(
  connection: Connection,
  mostPerRule: number,
  { book, payments, postings, written }: PaymentsOfBook,
): Promise<RecordProblem[]> {
  const { platformId, environment } = book
  return ask(connection, askedOfPayments, [mostPerRule, platformId, environment, payments, postings, written])
}

export interface PaymentsOfBook {
  readonly book: { readonly platformId: string; readonly environment: Environment }
  readonly payments: readonly string[]
  readonly postings: readonly string[]
  /** The postings that are new. */
  readonly written: readonly string[]
}

async function ask(
  connection: Connection,
  statements: Asked,
  parameters: readonly unknown[],
): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = []
  for (const [{ code, table, says }, text] of statements) {
    type Found = Omit<RecordProblem, 'rule' | 'message'>
    for (const found of await connection.query<Found>(text, [...parameters])) {
      problems.push({ rule: code, ...found, message: messageOf(table, says, found) })
    }
  }
  return problems
}

/** The sentence of a finding, which is enough to find the row. */
export function messageOf(
  table: string,
  says: string,
  problem: Omit<RecordProblem, 'rule' | 'message'>,
): string {
  const { platformId, environment, subject, found, expected } = problem
  return `${table} ${subject} of platform ${platformId} (${environment}) ${says}: found ${found}, expected ${expected}.`
}
