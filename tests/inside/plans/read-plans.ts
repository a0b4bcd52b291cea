import type { Connection, Statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { isQueue } from './exceptions.ts'

/** Explains statements, and says what in a plan costs more where a table is larger. */

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Subplan Name'?: string
  readonly Plans?: readonly Node[]
}

export interface Catalogue {
  /** Tables that grow. */
  readonly growing: ReadonlySet<string>
  /** The columns of every index, the first first. */
  readonly indexes: ReadonlyMap<string, readonly string[]>
}

const indexesOfAll = statement(
  'test.indexes',
  `select c.relname as name, (select array_agg(pg_get_indexdef(i.indexrelid, n, true) order by n)
     from generate_series(1, i.indnkeyatts) n) as columns
   from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = current_schema()::regnamespace`,
)

export async function readIndexes(connection: Connection): Promise<Catalogue['indexes']> {
  const rows = await connection.query<{ name: string; columns: string[] }>(indexesOfAll)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** What is wrong with a plan, in words; nothing where its cost does not depend on the size of a table. */
export function findingsOf(plan: Node, { growing, indexes }: Catalogue): string[] {
  const found: string[] = []
  visit(plan, false)
  return [...new Set(found)]

  /** What the policy of work on all books adds, once per statement. */
  function filterOf({ Filter = '' }: Node): string {
    return Filter.replace(/ AND \(\$\d+ = 'SYSTEM'::text\)|\(\$\d+ = 'SYSTEM'::text\)( AND )?/, '').replace(
      /^\(\)$/,
      '',
    )
  }

  function visit(node: Node, isLimited: boolean): void {
    const type = node['Node Type']
    const table = node['Relation Name'] ?? ''
    const index = node['Index Name']
    if (type === 'Seq Scan' && growing.has(table)) found.push(`reads all of ${table}`)
    if (type === 'Sort' && node['Plan Rows'] > 5_000) found.push(`sorts ${node['Plan Rows']} rows`)
    if (index && growing.has(tableOf(index, table)) && !isQueue(index)) judgeIndex(node, index, isLimited)
    const removed = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
    const returned = (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1)
    if (growing.has(table) && removed > 60 && removed > returned) {
      found.push(`${table}: removes ${removed} rows for ${returned}: ${node.Filter}`)
    }
    // Of a subquery that is asked whether it has rows, or for one, the first is read.
    const isBound = type === 'Limit' || (isLimited && !/^Sort|Aggregate|Hash/.test(type))
    for (const child of node.Plans ?? [])
      visit(child, isBound || /^(InitPlan|SubPlan)/.test(child['Subplan Name'] ?? ''))
  }

  function tableOf(index: string, table: string): string {
    if (table) return table
    return [...growing].filter((name) => index.startsWith(name)).sort((a, b) => b.length - a.length)[0] ?? ''
  }

  function judgeIndex(node: Node, index: string, isLimited: boolean): void {
    const columns = indexes.get(index) ?? []
    const condition = node['Index Cond'] ?? ''
    // As a word: `id` is no part of `platform_id`.
    const has = (column: string) => new RegExp(`\\b${/\w+/.exec(column)![0]}\\b`).test(condition)
    if (!has(columns[0]!)) {
      if (isLimited && condition === '' && filterOf(node) === '') return
      found.push(`${index}: not by ${columns[0]}${condition && `, but ${condition}`}`)
    } else if (columns[0] === 'platform_id') {
      const isByBookAlone = !columns.slice(1).some((column) => column !== 'environment' && has(column))
      if (isByBookAlone && !isLimited) found.push(`${index}: all of the book`)
      else if (isByBookAlone && filterOf(node))
        found.push(`${index}: by the book, and then by ${filterOf(node)}`)
    }
  }
}

let explained = 0

const typesOf = statement(
  'test.typesOfWatched',
  "select parameter_types::text[] as types from pg_prepared_statements where name = 'watched'",
)

/** The plan that a session keeps for a statement, whatever its values are. */
export async function explain(
  connection: Connection,
  { text }: Statement,
): Promise<{ readonly plan: Node } | { readonly error: string }> {
  await connection.script('savepoint explained')
  let isPrepared = false
  try {
    await connection.script(`prepare watched as ${text}`)
    isPrepared = true
    const [row] = await connection.query<{ types: string[] }>(typesOf)
    const nulls = row!.types.map(() => 'null').join(', ')
    const [answer] = await connection.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      statement(
        `test.explain ${explained++}`,
        `explain (format json) execute watched${nulls === '' ? '' : `(${nulls})`}`,
      ),
    )
    return { plan: answer!['QUERY PLAN'][0].Plan }
  } catch (error) {
    return { error: (error as Error).message }
  } finally {
    await connection.script('rollback to savepoint explained')
    if (isPrepared) await connection.script('deallocate watched')
  }
}
