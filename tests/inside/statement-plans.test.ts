import '@corridor/engine/assembly/create-engine.ts'
import { features } from '@corridor/engine/assembly/features.ts'
import { enter } from '@corridor/engine/mechanisms/db/claims.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Connection, Statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { requireGuards } from '@corridor/engine/mechanisms/db/guards.ts'
import { updateRows } from '@corridor/engine/mechanisms/db/write.ts'
import { registeredStatements } from '@corridor/engine/vocabulary/statement.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { exceptionFor } from './plans/exceptions.ts'
import { fillTables, platformId } from './plans/fill.ts'
import { type Catalogue, explain, findingsOf, readIndexes } from './plans/read-plans.ts'

/**
 * How every statement on record reaches its rows, as each role, in a database of ten platforms of which one has most rows. A
 * plan fails whose cost grows with a table: one that reads a table or a book, or filters more rows than it returns.
 */

const driver = await openTestDatabase()
const database = createDatabase(driver)
/** Of each table that grows. The large one takes `CORRIDOR_PLAN_ROWS=300000`. */
const rows = Number(process.env.CORRIDOR_PLAN_ROWS ?? 3_000)
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
      for (const role of ['corridor_app', 'corridor_system'] as const) {
        await driver.use('system', async (connection) => {
          const view =
            role === 'corridor_app' ? { platformId: platformId(1), environment: 'SANDBOX' } : allBooks
          await enter(connection, role, view)
          await connection.script('begin')
          for (const each of statements) {
            const explained = await explain(connection, each)
            if ('error' in explained) {
              // What a role may not do it has no plan for.
              if (!explained.error.includes('permission denied'))
                found.push(`${each.name}: ${explained.error}`)
              continue
            }
            const findings = findingsOf(explained.plan, catalogue)
            if (findings.length === 0) continue
            if (exceptionFor(each.name, role)) excepted.add(each.name)
            else found.push(`${role} ${each.name}: ${findings.join('; ')}`)
          }
          await connection.script('rollback')
        })
      }
      expect(found).toEqual([])
      expect(excepted.size).toBeGreaterThan(0)
    },
    300_000,
  )
})

const allBooks = { platformId: '00000000-0000-0000-0000-000000000000', environment: 'SYSTEM' }
