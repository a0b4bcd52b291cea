import type { Connection, Statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { noteStatement } from '@corridor/testkit/answered-statements.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { effort } from '@corridor/testkit/effort.ts'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { exceptionFor, isOfPlatform } from './plans/exceptions.ts'
import { fillTables, platformId } from './plans/fill.ts'
import { type Catalogue, explain, findingsOf, readIndexes } from './plans/read-plans.ts'

// The names of statements of lists count how they were asked for, in any file that ran before in this worker.
vi.resetModules()
await import('@corridor/engine/assembly/create-engine.ts')
const { features } = await import('@corridor/engine/assembly/features.ts')
const { enter } = await import('@corridor/engine/mechanisms/db/claims.ts')
const { createDatabase } = await import('@corridor/engine/mechanisms/db/database.ts')
const { statement } = await import('@corridor/engine/mechanisms/db/driver.ts')
const { requireGuards } = await import('@corridor/engine/mechanisms/db/guards.ts')
const { updateRows } = await import('@corridor/engine/mechanisms/db/write.ts')
const { registeredStatements } = await import('@corridor/engine/vocabulary/statement.ts')

/**
 * How every statement on record reaches its rows, as each role, in a database of ten platforms of which one has most rows. A
 * plan fails whose cost grows with a table: one that reads a table or a book, or filters more rows than it returns.
 */

const driver = await openTestDatabase()
const database = createDatabase(driver)
/** Of each table that grows. */
const rows = effort(3_000, 300_000)
/** Those that depend on the tables of a decision are made as it is applied. */
const made: Statement[] = []
const collecting = { query: async (each: Statement) => void made.push(each) } as unknown as Connection
for (const table of features.flatMap(({ tables }) => tables?.guarded ?? [])) {
  const of = { platformId: platformId(1), environment: 'SANDBOX' } as const
  const guard = { table, id: 'a', version: 1n } as never
  requireGuards(collecting, of, [guard], () => true)
  requireGuards(collecting, of, [guard], () => false)
  updateRows(collecting, of, table, [{ id: 'a', version: 1n }])
}
/** Other tests of this worker have made statements of their own. */
const isOfTests = ({ name }: Statement) => /^test\w*\./.test(name)
const statements = [...new Set([...registeredStatements(), ...made])].filter((each) => !isOfTests(each))
afterAll(() => database.close())

/** Of each statement that a role may run: what in its plan grows with a table, and whether it was run. */
async function judge(
  role: 'corridor_app' | 'corridor_system',
  among: readonly Statement[],
  catalogue: Catalogue,
) {
  const judged: { readonly name: string; readonly findings: readonly string[]; readonly hasRun: boolean }[] =
    []
  await driver.use('system', async (connection) => {
    const view = role === 'corridor_app' ? { platformId: platformId(1), environment: 'SANDBOX' } : allBooks
    await enter(connection, role, view)
    await connection.script(
      'begin; set local plan_cache_mode = force_generic_plan; set local idle_in_transaction_session_timeout = 0',
    )
    for (const each of among) {
      const { name } = each
      const explained = await explain(connection, each, { runs: !exceptionFor(name) })
      if (!('error' in explained)) {
        judged.push({ name, findings: findingsOf(explained.plan, catalogue), hasRun: explained.hasRun })
      } else if (!explained.error.includes('permission denied')) {
        // What a role may not do it has no plan for.
        judged.push({ name, findings: [explained.error], hasRun: false })
      }
    }
    await connection.script('rollback')
  })
  return judged
}

describe.runIf(driver.kind === 'postgresql')('statements', async () => {
  let catalogue: Catalogue

  it('are on record, those that lists make on demand among them', () => {
    const names = new Set(statements.map(({ name }) => name))
    expect(names.size).toBeGreaterThan(700)
    for (const name of ['quotes.load', 'transactions.list #0 page', 'ledger.accounts #0 page']) {
      expect(names).toContain(name)
    }
  })

  it.each(['without statistics', 'with fresh statistics'])(
    'find their rows by key, %s',
    async (looks) => {
      await database.asLogin(async (connection) => {
        catalogue ??= { growing: await fillTables(connection, rows), indexes: await readIndexes(connection) }
        if (looks === 'with fresh statistics') await connection.script('analyze')
      })
      const found: string[] = []
      const excepted = new Set<string>()
      const run = new Set<string>()
      for (const role of ['corridor_app', 'corridor_system'] as const) {
        const among =
          role === 'corridor_app' ? statements : statements.filter(({ name }) => !isOfPlatform(name))
        for (const { name, findings, hasRun } of await judge(role, among, catalogue)) {
          if (hasRun) run.add(name)
          if (findings.length === 0) continue
          if (exceptionFor(name)) excepted.add(name)
          else found.push(`${role} ${name}: ${findings.join('; ')}`)
        }
      }
      expect(found).toEqual([])
      expect(excepted.size).toBeGreaterThan(0)
      expect(run.size).toBeGreaterThan(400)
      // They have reached a server, though under names of this test.
      for (const name of run) noteStatement(name)
    },
    effort(900_000, 4 * 3_600_000),
  )

  it('would be found if they read a book for a row', async () => {
    const names = readsABook.map(({ name }) => name)
    // Work on all books sees each row or none, so what may leak is no question there.
    const judged = await judge('corridor_app', readsABook, catalogue)
    expect(judged.filter(({ findings }) => findings.length > 0).map(({ name }) => name)).toEqual(names)
  })
})

/** Each has been ours, or has the fault of one that was. */
const readsABook = [
  statement(
    'test.plans.idPutTogether',
    `select l.id from internal_accounts a join ledger_accounts l on l.platform_id = a.platform_id
       and l.environment = a.environment and l.id in ('avail:' || a.id, 'pend:' || a.id)
     where a.platform_id = $1 and a.environment = $2 and a.id = any($3::text[])`,
  ),
  statement(
    'test.plans.idTakenApart',
    `select q.id, t.status from quotes q left join transactions t on t.platform_id = q.platform_id
       and t.environment = q.environment and t.id = 'Transaction:' || substr(q.id, 7)
     where q.platform_id = $1 and q.environment = $2 and q.id = $3`,
  ),
  statement(
    'test.plans.columnInAFunction',
    'select id from customers where platform_id = $1 and environment = $2 and lower(uma_address) = $3',
  ),
  statement('test.plans.idCast', 'select platform_id from jobs where id::text = $1'),
  statement(
    'test.plans.filter',
    'select id from transactions where platform_id = $1 and environment = $2 and version = $3 order by created_at limit $4',
  ),
]

const allBooks = { platformId: '00000000-0000-0000-0000-000000000000', environment: 'SYSTEM' }
