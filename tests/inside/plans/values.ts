import { type Connection, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { platformId } from './fill.ts'
import type { Node } from './read-plans.ts'

/** Values for the parameters of a statement, of which nothing is known but what its plan compares them with. */

interface Comparison {
  readonly table: string
  readonly column: string
}

/** Compared in an index or a filter: `(owner_id = $3)`, `(id = ANY ($4))`. */
const comparison = /\b(\w+)\)?(?:::\w+)? (?:=|>|<|>=|<=|IS NOT DISTINCT FROM) (?:ANY )?\(*\$(\d+)\b/g

/** What each parameter is compared with first. */
function comparisonsOf(plan: Node): ReadonlyMap<number, Comparison> {
  const found = new Map<number, Comparison>()
  const visit = (node: Node) => {
    const table = node['Relation Name']
    const text = [node['Index Cond'], node['Recheck Cond'], node.Filter].join(' ')
    if (table) {
      for (const [, column, number] of text.matchAll(comparison)) {
        if (!found.has(Number(number))) found.set(Number(number), { table, column: column! })
      }
    }
    for (const child of node.Plans ?? []) visit(child)
  }
  visit(plan)
  return found
}

/** By table: a row of the large platform, with a value from another row where it has none. */
const samples = new Map<string, Promise<Record<string, unknown>>>()

function sampleOf(connection: Connection, table: string): Promise<Record<string, unknown>> {
  let sample = samples.get(table)
  if (!sample) {
    sample = connection
      .query<{ row: Record<string, unknown> }>(
        statement(
          `test.sample ${table}`,
          `select to_jsonb(t) as row from (select * from ${table} limit 200) t`,
        ),
      )
      .then((rows) => {
        const merged: Record<string, unknown> = {}
        for (const { row } of rows) {
          if ((row.platform_id ?? platformId(1)) !== platformId(1)) continue
          for (const [column, value] of Object.entries(row)) merged[column] ??= value
        }
        return merged
      })
      // What one role may not read another may.
      .catch((error: unknown) => {
        samples.delete(table)
        throw error
      })
    samples.set(table, sample)
  }
  return sample
}

const usual: Readonly<Record<string, string>> = {
  uuid: platformId(1),
  'timestamp with time zone': '2026-01-02',
  date: '2026-01-02',
  interval: '1 hour',
  boolean: 'false',
  jsonb: '{}',
  json: '{}',
  text: '-',
  bytea: '\\x00',
}

const literal = (value: unknown, type: string) =>
  `'${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'::${type}`

/** SQL of values for the parameters of a plan, by their types. */
export async function valuesFor(
  connection: Connection,
  plan: Node,
  types: readonly string[],
): Promise<readonly string[]> {
  const comparisons = comparisonsOf(plan)
  return Promise.all(
    types.map(async (type, index) => {
      const of = comparisons.get(index + 1)
      const element = type.replace(/\[\]$/, '')
      const value = of && (await sampleOf(connection, of.table))[of.column]
      const one = literal(value ?? usual[element] ?? 10, element)
      if (element === type) return one
      return Array.isArray(value)
        ? `array[${value.map((each) => literal(each, element))}]::${type}`
        : `array[${one}]`
    }),
  )
}
