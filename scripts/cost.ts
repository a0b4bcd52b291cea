import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import pg from 'pg'
import { startCluster } from './bench/cluster.ts'

/**
 * What one request costs a started server and its PostgreSQL: `npx tsx scripts/cost.ts`.
 *
 *   --calls 1000            how many of each, after a tenth as many that are not counted
 *   --connections 8         how many at a time
 *   --only internal,payment which ones: quote, execute, settled, payment, described, internal, converted, list
 *   --statements 0                       so many statements too, those that write the most log first
 *   --log 0                              so many tables and indexes too, those first to which most of the log belongs
 *   --program apps/server/dist/main.js   which build, also of another checkout
 *
 * `logBytes` is all that is written to the log, whole pages after a checkpoint among it; with `--log` a line `log` says how
 * much of it was such pages. `commits` counts reads as well, `writes` what wrote anything; `packets` are those that the server's process sends, the
 * answers to its callers among them. Rates need a quiet machine; CPU, commits, statements, rows and bytes of log hardly care. One line of JSON each.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '8' },
    only: { type: 'string', default: 'quote,execute,settled,payment,internal,converted,list' },
    statements: { type: 'string', default: '0' },
    log: { type: 'string', default: '0' },
    program: { type: 'string', default: join(import.meta.dirname, '../apps/server/dist/main.js') },
  },
})
const calls = Number(values.calls)
const connections = Number(values.connections)
const port = 18_190
const customers = 20

const mostLog = `select round((wal_bytes / $1::int)::numeric) as "logBytes", round(calls::numeric / $1, 2) as calls,
    round((total_exec_time * 1000 / $1)::numeric) as "insideUs", round((wal_fpi::numeric / $1), 2) as "fullPages",
    left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as statement
  from pg_stat_statements order by wal_bytes desc, total_exec_time desc limit $2::int`

const cluster = await startCluster({
  shared_buffers: '256MB',
  shared_preload_libraries: "'pg_stat_statements'",
  'pg_stat_statements.track_utility': 'on',
})
const directory = mkdtempSync(join(tmpdir(), 'corridor-cost-'))
let server: ChildProcess | undefined
try {
  await cluster.program('psql', ['-c', "create database cost encoding 'UTF8' template template0", 'postgres'])
  await cluster.program('psql', ['-c', 'create extension pg_stat_statements', 'cost'])
  server = spawn(process.execPath, [resolve(values.program)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: cluster.url('cost'),
      PORT: String(port),
      HOST: '127.0.0.1',
      CORRIDOR_DATA_DIR: directory,
      CORRIDOR_RATE_LIMITS: 'off',
      CORRIDOR_SANDBOX_STEP_MS: '0',
      CORRIDOR_LOG_LEVEL: 'warn',
    },
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error('the server ended')
    await wait(50)
  }
  const { platforms } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
  const credentials = platforms.find(({ name }: { name: string }) => name === 'breeze')
  const api = createClient({ baseUrl: `http://127.0.0.1:${port}/2025-10-13`, ...credentials })
  const parties = await Promise.all(
    Array.from({ length: customers }, async () => {
      const { id } = await kit.createCustomer(api)
      const source = await kit.internalAccountOf(api, id, 'USD')
      await kit.fund(api, source.id, 1_000_000_00)
      const payee = await kit.createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: id })
      return { source, payee, euros: await kit.internalAccountOf(api, id, 'EUR') }
    }),
  )
  const at = (n: number) => parties[n % customers]!
  const now = { immediatelyExecute: true }
  const createQuote = (n: number, body: ReturnType<typeof kit.quoteBody>) => {
    const headers = { 'Idempotency-Key': `${Date.now()}-${n}` }
    return kit.must(api.POST('/quotes', { body, headers }))
  }
  const quote = (n: number) => kit.createQuote(api, kit.quoteBody(at(n).source, at(n).payee, 1_000))
  const kinds: Record<string, { prepare?: typeof quote; call: (n: number, id: string) => Promise<string> }> =
    {
      quote: { call: async (n) => (await quote(n)).status },
      execute: {
        prepare: quote,
        call: async (_, id) => (await kit.must(kit.execute(api, id))).status,
      },
      settled: {
        prepare: quote,
        call: async (_, id) => untilSettled((await kit.must(kit.execute(api, id))).id),
      },
      payment: {
        call: async (n) =>
          (await createQuote(n, kit.quoteBody(at(n).source, at(n).payee, 1_000, now))).status,
      },
      described: {
        call: async (n) => {
          const words = {
            description: `Invoice 2026-${n}, as agreed`,
            remittanceInformation: `INV 2026 ${n}`,
          }
          return (await createQuote(n, kit.quoteBody(at(n).source, at(n).payee, 1_000, { ...now, ...words })))
            .status
        },
      },
      internal: {
        call: async (n) =>
          (await createQuote(n, kit.quoteBody(at(n).source, at(n + 1).source, 1_000, now))).status,
      },
      converted: {
        call: async (n) =>
          (await createQuote(n, kit.quoteBody(at(n).source, at(n).euros, 1_000, now))).status,
      },
      list: { call: async () => `${(await kit.must(api.GET('/transactions'))).data.length} rows` },
    }
  async function untilSettled(id: string): Promise<string> {
    for (;;) {
      const path = { quoteId: id }
      const { status } = await kit.must(api.GET('/quotes/{quoteId}', { params: { path } }))
      if (status !== 'PROCESSING') return status
      await wait(2)
    }
  }

  const admin = new pg.Client(cluster.url('cost'))
  await admin.connect()
  const counted = async () => {
    // What sessions have done is told once a second, or when they are idle.
    await wait(1_500)
    const { rows } = await admin.query(`select
      (select xact_commit from pg_stat_database where datname = 'cost')::float as commits,
      pg_snapshot_xmax(pg_current_snapshot())::text::float as writes,
      (select pg_current_wal_insert_lsn() - '0/0')::float as "logBytes",
      (select sum(calls) from pg_stat_statements)::float as statements,
      (select sum(total_exec_time) * 1000 from pg_stat_statements)::float as "insideUs",
      (select sum(n_tup_ins) from pg_stat_user_tables)::float as inserted,
      (select sum(n_tup_upd) from pg_stat_user_tables)::float as updated,
      (select sum(n_tup_hot_upd) from pg_stat_user_tables)::float as "updatedInPlace",
      (select sum(n_tup_del) from pg_stat_user_tables)::float as deleted`)
    return {
      ...(rows[0] as Record<string, number>),
      nodeUs: cpuSecondsOf(server!.pid!) * 1e6,
      packets: writesOf(server!.pid!),
      serverUs: (await cluster.cpuSeconds()) * 1e6,
    } as Record<string, number>
  }
  const position = async () =>
    (await admin.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at')).rows[0]!.at
  /** Bytes of the log for each call by table or index and kind of record; whole pages apart. */
  async function tellLog(from: string, count: number): Promise<void> {
    if (values.log === '0') return
    const { rows } = await admin.query<{ file: string; name: string }>(
      `select pg_relation_filenode(oid)::text as file, case when relkind = 't' then 'toast of ' ||
         (select t.relname from pg_class t where t.reltoastrelid = c.oid) else relname end as name
       from pg_class c where pg_relation_filenode(oid) is not null`,
    )
    const names = new Map(rows.map(({ file, name }) => [file, name]))
    const sums = new Map<string, { records: number; bytes: number }>()
    let [own, pages] = [0, 0]
    for (const line of await cluster.logRecords(from, await position())) {
      const match =
        /^rmgr: (\w+) +len \(rec\/tot\): +(\d+)\/ +(\d+),.*desc: (\w+)(?:.*?rel \d+\/\d+\/(\d+))?/.exec(line)
      if (!match) continue
      const [, manager, bytes, total, kind, file] = match
      own += Number(bytes)
      pages += Number(total) - Number(bytes)
      const key = `${names.get(file ?? '') ?? ''} ${manager} ${kind}`.trim()
      const sum = sums.get(key) ?? { records: 0, bytes: 0 }
      sums.set(key, { records: sum.records + 1, bytes: sum.bytes + Number(bytes) })
    }
    const each = (sum: number) => Math.round((sum / count) * 100) / 100
    console.log(JSON.stringify({ log: { records: each(own), wholePages: each(pages) } }))
    for (const [what, { records, bytes }] of [...sums]
      .sort(([, a], [, b]) => b.bytes - a.bytes)
      .slice(0, Number(values.log)))
      console.log(JSON.stringify({ what, records: each(records), bytes: each(bytes) }))
  }
  for (const name of values.only.split(',')) {
    const kind = kinds[name]
    if (!kind) throw new Error(`nothing is called ${name}`)
    const { prepare, call } = kind
    const run = async (count: number, explained = false) => {
      const ids: string[] = []
      if (prepare) {
        await inTurns(count, async (n) => {
          ids[n] = (await prepare(n)).id
        })
      }
      const idle = await perSecond(counted)
      const before = await counted()
      const from = await position()
      const times: number[] = []
      const statuses: Record<string, number> = {}
      const since = performance.now()
      await inTurns(count, async (n) => {
        const begun = performance.now()
        const status = await call(n, ids[n] ?? '')
        times.push(performance.now() - begun)
        statuses[status] = (statuses[status] ?? 0) + 1
      })
      const tookMs = performance.now() - since
      const after = await counted()
      if (explained) await tellLog(from, count)
      times.sort((a, b) => a - b)
      const costs = Object.entries(after).map(([what, value]) => {
        const own = value - before[what]! - idle[what]! * (tookMs / 1000 + 1.5)
        return [what, Math.round((own / count) * 100) / 100]
      })
      return { statuses, p50Ms: Math.round(times[count >> 1]! * 10) / 10, ...Object.fromEntries(costs) }
    }
    await run(Math.ceil(calls / 10))
    await admin.query('select pg_stat_statements_reset()')
    console.log(JSON.stringify({ kind: name, calls, connections, ...(await run(calls, true)) }))
    const { rows } = await admin.query(mostLog, [calls, values.statements])
    for (const row of rows) console.log(JSON.stringify(row))
  }
  await admin.end()
} finally {
  if (server && server.exitCode === null) {
    const ended = new Promise((resolve) => server?.once('close', resolve))
    server.kill('SIGTERM')
    await ended
  }
  await cluster.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function inTurns(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** What passes by itself, to be taken off. */
async function perSecond(counted: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
  const before = await counted()
  const since = performance.now()
  await wait(1_500)
  const after = await counted()
  const seconds = (performance.now() - since) / 1000
  return Object.fromEntries(
    Object.entries(after).map(([what, value]) => [what, (value - before[what]!) / seconds]),
  )
}

/** How often the process has handed something to a socket or a file. */
function writesOf(pid: number): number {
  return Number(/^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
