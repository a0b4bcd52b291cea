import type { Database } from '@corridor/engine/mechanisms/db/database.ts'
import type { Connection, Statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { ok } from '@corridor/kernel'

/** How the database would reach the rows of a statement. */

export interface Asked {
  readonly statement: Statement
  readonly parameters: readonly unknown[]
}

export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Subplan Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly Plan[]
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(literal).join(', ')}]`
  return `'${String(value).replaceAll("'", "''")}'`
}

let explained = 0

/** The plan that a session keeps once it stops planning each execution anew, for one book. */
export async function genericPlan(database: Database, book: Book, asked: Asked): Promise<Plan[]> {
  const found = await database.transact<Plan, never>(book, async (connection) =>
    ok(await explain(connection, asked)),
  )
  if (!found.ok) throw new Error('a plan is always found')
  return nodesOf(found.value)
}

/** The same where reading a whole table and sorting rows count as impossible: what is left of them then has no index. */
export async function planByIndex(database: Database, asked: Asked): Promise<Plan[]> {
  return database.system(async (connection) => {
    await connection.script('begin; set local enable_seqscan = off; set local enable_sort = off')
    try {
      return nodesOf(await explain(connection, asked))
    } finally {
      await connection.script('rollback')
    }
  })
}

/** The same for a statement that spans books. */
export async function genericPlanOfAllBooks(database: Database, asked: Asked): Promise<Plan[]> {
  return nodesOf(await database.system((connection) => explain(connection, asked)))
}

async function explain(connection: Connection, { statement, parameters }: Asked): Promise<Plan> {
  await connection.script(`prepare watched as ${statement.text}`)
  await connection.script('set plan_cache_mode = force_generic_plan')
  try {
    const [row] = await connection.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      // A name of its own each time: the prepared statement behind the text is another one.
      name: `test.explain ${explained++}`,
      text: `explain (format json) execute watched(${parameters.map(literal).join(', ')})`,
    })
    return row!['QUERY PLAN'][0].Plan
  } finally {
    await connection.script('reset plan_cache_mode')
    await connection.script('deallocate watched')
  }
}

function nodesOf(plan: Plan): Plan[] {
  const nodes: Plan[] = []
  const visit = (node: Plan) => {
    nodes.push(node)
    for (const child of node.Plans ?? []) {
      // Once per statement each table's policy looks at the claim of the session.
      if (child['Subplan Name']?.startsWith('InitPlan') && child.Alias === 'c') continue
      visit(child)
    }
  }
  visit(plan)
  return nodes
}
