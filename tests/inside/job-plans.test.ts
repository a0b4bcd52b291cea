import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { refreshStatistics } from '@corridor/engine/mechanisms/db/statistics.ts'
import { claimByKey } from '@corridor/engine/mechanisms/jobs/claims.ts'
import { ok } from '@corridor/kernel'
import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { type Asked, genericPlanOfAllBooks } from './plans.ts'

/** How the jobs of a payment are found among those of all others. */

const server = await openTestServer()
const { engine } = server
const { database } = engine

const insertJobs = statement(
  'test.insertJobs',
  `insert into jobs (platform_id, environment, id, kind, payload, key, run_at, due_at, created_at)
   select $1, $2, gen_random_uuid(), 'test', '{}', 'Transaction:' || n, $3::timestamptz, $4::timestamptz, $3::timestamptz
   from generate_series($5::int, $6::int) n`,
)
const removeJobs = statement(
  'test.removeJobs',
  'delete from jobs where platform_id = $1 and environment = $2',
)

it.each([
  ['before anything was known of the table', []],
  ['after a look at few of them', [10]],
  ['after a look at many that are gone', [5_000, 0]],
] as [string, number[]][])('by their key, %s', async (_what, looks) => {
  const platform = await server.platform()
  const { platformId, environment } = platform
  const soon = new Date(engine.world.now() + 3_600_000).toISOString()
  const insert = (from: number, to: number) =>
    database.read(platform, insertJobs, [platformId, environment, soon, soon, from, to])
  for (const count of looks) {
    await database.read(platform, removeJobs, [platformId, environment])
    await insert(1, count)
    await database.maintenance((connection) => connection.script("select corridor_analyze('jobs')"))
  }
  await insert(10_000, 15_000)

  const { system } = database
  const asked: Asked[] = []
  database.system = ((work) =>
    system.call(database, (connection) =>
      work({
        ...connection,
        query: (claim, parameters = []) => {
          asked.push({ statement: claim, parameters })
          return connection.query(claim, parameters)
        },
      }),
    )) as typeof system
  await claimByKey(engine, platform, ['Transaction:10001', 'Transaction:10002'])
  database.system = system
  const [claim] = asked.filter(({ statement: { name } }) => name === 'jobs.claimKeys')
  const nodes = await genericPlanOfAllBooks(database, claim!)
  const used = nodes.map((node) => node['Index Name'] ?? '').filter((index) => index.startsWith('jobs_'))
  const about = JSON.stringify(nodes.filter((node) => /Scan/.test(node['Node Type'])))
  // Found by their key, and changed by that of the table.
  expect(used.sort(), about).toEqual(['jobs_key', 'jobs_pkey'])
  expect(about).not.toContain('Seq Scan')
  expect(nodes.find((node) => node['Index Name'] === 'jobs_key')!['Index Cond'], about).toMatch(/key = ANY/)
})

const analyses = statement(
  'test.analyses',
  "select analyze_count as count from pg_stat_user_tables where schemaname = current_schema() and relname = 'jobs'",
)
/** Otherwise a server hears of what a session did a second later. */
const tellStatistics = statement('test.tellStatistics', 'select pg_stat_force_next_flush() is null as told')

it('looks at tables that have grown, and leaves alone those that have not', async () => {
  const platform = await server.platform()
  const { platformId, environment } = platform
  const soon = new Date(engine.world.now() + 3_600_000).toISOString()
  const insert = (from: number, to: number) =>
    database.transact(platform, async (connection) => {
      await connection.query(insertJobs, [platformId, environment, soon, soon, from, to])
      await connection.query(tellStatistics)
      return ok(undefined)
    })
  const looks = async () => {
    await refreshStatistics(database)
    const [row] = await database.maintenance((connection) => connection.query<{ count: bigint }>(analyses))
    return row!.count
  }
  await insert(20_000, 25_000)
  const first = await looks()
  expect(first).toBeGreaterThan(0n)
  await insert(50_000, 50_100)
  expect(await looks()).toBe(first)
  await insert(60_000, 100_000)
  expect(await looks()).toBe(first + 1n)
})
