/**
 * `npm run bench [-- --quick] [-- --json]`: what the ledger, apply and the HTTP server can do, beside what
 * a careful programmer gets from the same PostgreSQL with one transaction per transfer. Everything runs in
 * one go on one private cluster, because only ratios of one run mean anything.
 */
import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import pg from 'pg'
import { auditLedger } from '../packages/engine/src/mechanisms/audit/audit.ts'
import { createDatabase } from '../packages/engine/src/mechanisms/db/database.ts'
import type { Driver } from '../packages/engine/src/mechanisms/db/driver.ts'
import { openPostgresql } from '../packages/engine/src/mechanisms/db/postgresql.ts'
import type { Book } from '../packages/engine/src/vocabulary/scope.ts'
import type { ApplierResult, ApplierRun } from './bench/applier.ts'
import { prepareDatabase, seedBook } from './bench/book.ts'
import { startCluster } from './bench/cluster.ts'
import {
  type FewCallers,
  fewConnections,
  type HttpResults,
  type JobCount,
  listOf,
  loader,
  measureHttp,
  port,
  type Usage,
} from './bench/http.ts'
import { fillHistories, measureHistories, prepareHistories } from './bench/lists.ts'
import { median } from './bench/median.ts'
import { type Distribution, type PgbenchRun, runPgbench } from './bench/pgbench.ts'
import { bundle, runProgram } from './bench/programs.ts'
import { fillLedger, measureScale, scaleRatios } from './bench/scale.ts'
import { startedWith } from './bench/server.ts'

const isQuick = process.argv.includes('--quick')
const asJson = process.argv.includes('--json')
const rounds = isQuick ? 1 : 5
const seconds = isQuick ? 1 : 5
/** So long a new process compiles what it runs often, before its rows count. */
const warmUpSeconds = isQuick ? 0.4 : 1
const accounts = 100_000
const databaseName = 'bench'
const countJobs = `select (select count(*) from jobs where dead_at is null and due_at <= now())::float as due,
  n_tup_del::float as done from pg_stat_user_tables where relname = 'jobs'`

/** Every figure of every round, by the name of its row. */
const figures: Record<string, number[]> = {}
const ratios: Record<string, number[]> = {}
const audits: { readonly name: string; readonly sound: boolean; readonly checkedTransfers: number }[] = []

function note(name: string, value: number): number {
  figures[name] = [...(figures[name] ?? []), value]
  return value
}
function ratio(name: string, value: number): void {
  ratios[name] = [...(ratios[name] ?? []), value]
}
function say(text: string): void {
  if (!asJson) console.log(text)
}

/** Transactions that wrote, by their numbers: the server's statistics come a second late. */
const countUsage = `select pg_snapshot_xmax(pg_current_snapshot())::text::float as commits,
  (pg_current_wal_lsn() - '0/0')::float as "logBytes"`

const startedAt = performance.now()
const cluster = await startCluster()
try {
  await cluster.program('psql', ['-q', '-c', `create database ${databaseName}`])
  const url = cluster.url(databaseName)
  // The books are filled side by side, each in a connection that may take its time.
  const connections = { read: 8, write: 4, system: 3, maintenance: 3 }
  const database = await prepareDatabase(openPostgresql({ url, connections }))
  const book = (last: string): Book => ({
    platformId: `01930000-0000-7000-8000-0000000000${last}`,
    environment: 'PRODUCTION',
  })
  const [main, small, large] = [book('aa'), book('bb'), book('cc')]
  const histories = await prepareHistories(cluster, port)
  await Promise.all([
    fillHistories(cluster, histories).then(() => fillLedger(cluster, histories)),
    seedBook(database, main, accounts),
    seedBook(database, small, 1_000),
    seedBook(database, large, 1_000_000),
  ])
  say(`seeded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)

  const applierFile = await bundle('applier')
  const applied = async (name: string, part: Partial<ApplierRun>) => {
    const run: ApplierRun = {
      url,
      book: main,
      accounts,
      seconds,
      warmUpSeconds,
      load: 'transfer',
      distribution: 'uniform',
      callers: 1024,
      ...part,
    }
    const cpu = await cluster.cpuSeconds()
    const result = await runProgram<ApplierResult>(applierFile, run)
    const used = (await cluster.cpuSeconds()) - cpu
    // The warm-up is in the CPU, so it is in the count.
    const counted = result.perSecond * (run.seconds + warmUpSeconds)
    note(`${name}, server CPU microseconds each`, (used * 1e6) / counted)
    note(`${name}, Node CPU microseconds each`, result.nodeMicrosecondsEach)
    note(`${name}, per second`, result.perSecond)
    note(`${name}, p50 ms`, result.p50Ms)
    note(`${name}, p99 ms`, result.p99Ms)
    return result.perSecond
  }
  const pgbench = async (
    name: string,
    run: Pick<PgbenchRun, 'style' | 'distribution'> & Partial<PgbenchRun>,
  ) => {
    // It counts in whole seconds.
    const wholeSeconds = Math.ceil(seconds)
    const defaults = { database: databaseName, book: main, accounts, clients: 32, seconds: wholeSeconds }
    const cpu = await cluster.cpuSeconds()
    const result = await runPgbench(cluster, { ...defaults, ...run })
    const used = (await cluster.cpuSeconds()) - cpu
    note(`${name}, server CPU microseconds each`, (used * 1e6) / (result.perSecond * wholeSeconds))
    return note(`${name}, per second`, result.perSecond)
  }
  const setDurable = (isDurable: boolean) =>
    cluster.program('psql', [
      '-q',
      '-c',
      `alter database ${databaseName} set synchronous_commit = ${isDurable ? 'on' : 'off'}`,
    ])

  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}, load ${loadavg()[0]!.toFixed(1)}`)
    const interactive: Partial<Record<Distribution, number>> = {}
    for (const distribution of ['uniform', 'hot'] as const) {
      const slow = await pgbench(`pgbench interactive ${distribution}`, {
        style: 'interactive',
        distribution,
      })
      const call = await pgbench(`pgbench one call ${distribution}`, { style: 'onecall', distribution })
      const ours = await applied(`apply ${distribution}, 1024 callers`, { distribution })
      ratio(`apply_vs_interactive_${distribution}`, ours / slow)
      ratio(`apply_vs_onecall_${distribution}`, ours / call)
      interactive[distribution] = slow
      const payments = await applied(`apply payments ${distribution}`, { distribution, load: 'payment' })
      ratio(`apply_payments_vs_interactive_${distribution}`, payments / slow)
    }
    const few = await pgbench(`pgbench interactive uniform, ${fewConnections} clients`, {
      style: 'interactive',
      distribution: 'uniform',
      clients: fewConnections,
    })
    await applied('apply uniform, 64 callers', { callers: 64 })
    await applied('apply hot, 64 callers', { callers: 64, distribution: 'hot' })

    // In this order a machine that grows slower or faster meanwhile does so to both alike.
    const half = { seconds: seconds / 2 }
    const durable = await applied('apply uniform, commits wait for the disk', half)
    await setDurable(false)
    const relaxed =
      (await applied('apply uniform, commits do not wait', half)) +
      (await applied('apply uniform, commits do not wait', half))
    await setDurable(true)
    const durableAgain = await applied('apply uniform, commits wait for the disk', half)
    ratio('durability_cost', 1 - (durable + durableAgain) / relaxed)

    const less = await applied('apply, 1,000 accounts', { book: small, accounts: 1_000 })
    const many = await applied('apply, 1,000,000 accounts', { book: large, accounts: 1_000_000 })
    ratio('rows_1m_vs_1k', 1 - many / less)

    await cluster.program('psql', ['-q', '-c', `create database http_${round}`])
    // One connection: who asks again and again, and starts a program for it, slows what it asks for.
    const counter = new pg.Client(cluster.url(`http_${round}`))
    await counter.connect()
    const http = await measureHttp({
      databaseUrl: cluster.url(`http_${round}`),
      seconds,
      connections: 64,
      countJobs: async () => (await counter.query<JobCount>(countJobs)).rows[0]!,
      countUsage: async () => {
        const [row] = (await counter.query<Omit<Usage, 'nodeCpuSeconds' | 'serverCpuSeconds'>>(countUsage))
          .rows
        return { ...row!, serverCpuSeconds: await cluster.cpuSeconds() }
      },
    })
    await counter.end()
    noteHttp(http)
    await audit('HTTP', openPostgresql({ url: cluster.url(`http_${round}`) }))
    ratio('http_quotes_vs_bare', http.quotes.perSecond / http.bare.perSecond)
    ratio('http_payments_vs_interactive', http.executes.perSecond / interactive.uniform!)
    ratio('http_payments_hot_vs_interactive', http.executesHot.perSecond / interactive.hot!)
    ratio('http_settled_vs_interactive', http.settledPerSecond / interactive.uniform!)
    ratio('http_settled_hot_vs_interactive', http.settledHotPerSecond / interactive.hot!)
    ratio('http_immediate_vs_interactive', http.immediatePerSecond / interactive.uniform!)
    ratio('http_immediate_hot_vs_interactive', http.immediateHotPerSecond / interactive.hot!)
    ratio(
      `http_transfer_${fewConnections}_vs_interactive_${fewConnections}`,
      http.fewTransfers.perSecond / few,
    )
    ratio(`http_payment_${fewConnections}_vs_interactive_${fewConnections}`, http.fewPayments.perSecond / few)
    ratio('two_processes_vs_one', http.processes.two.perSecond / http.processes.one.perSecond)
    ratio('http_list_vs_bare', http.list.perSecond / http.bare.perSecond)

    const list = await loader(seconds, 64)
    const listed = await measureHistories(histories, (caller) =>
      list({ origin: histories.installation.origin, ...listOf(caller) }),
    )
    note('GET /transactions, of 1,000, per second', listed.few.perSecond)
    note('GET /transactions, of 1,000,000, per second', listed.many.perSecond)
    ratio('list_1m_vs_1k', 1 - listed.many.perSecond / listed.few.perSecond)
    const scale = await measureScale({ cluster, histories, seconds, turns: 2 })
    for (const [name, rates] of Object.entries(scale)) {
      for (const [measure, { perSecond, cpuMs }] of Object.entries(rates)) {
        note(`${measure}, ${name}, per second`, perSecond)
        note(`${measure}, ${name}, CPU microseconds each`, cpuMs * 1_000)
      }
    }
    for (const [name, value] of Object.entries(scaleRatios(scale))) ratio(name, value)
  }

  await histories.installation.remove()
  await database.close()
  await audit('history', openPostgresql({ url: cluster.url('lists') }))
  await audit('apply', openPostgresql({ url }))
  const machine = await describeMachine(cluster.version)
  const runs = Object.fromEntries(
    Object.entries(figures).map(([name, values]) => [name, { median: median(values), values }]),
  )
  const result = Object.fromEntries(Object.entries(ratios).map(([name, values]) => [name, median(values)]))
  if (asJson) {
    console.log(JSON.stringify({ machine, runs, ratios: result, audit: audits }, undefined, 2))
  } else {
    print(machine)
  }
  if (audits.some(({ sound }) => !sound)) process.exitCode = 1
} finally {
  await cluster.stop()
}

/** Recomputes the books of a database from their transfers. What it finds is a row like any other. */
async function audit(name: string, driver: Driver): Promise<void> {
  const audited = createDatabase(driver)
  const { sound, checkedTransfers, problems } = await auditLedger(audited)
  await audited.close()
  note(`audit after ${name}, transfers`, checkedTransfers)
  note(`audit after ${name}, problems`, problems.length)
  audits.push({ name, sound, checkedTransfers })
}

function noteHttp(http: HttpResults): void {
  const loads = {
    'bare node:http': http.bare,
    'POST /quotes': http.quotes,
    'POST /quotes/{id}/execute': http.executes,
    'POST /quotes/{id}/execute, one account': http.executesHot,
    'POST /quotes, executed at once': http.createAndExecute,
    'GET /transactions': http.list,
  }
  for (const [name, load] of Object.entries(loads)) {
    note(`${name}, per second`, load.perSecond)
    note(`${name}, p50 ms`, load.p50Ms)
  }
  note('executed and settled, per second', http.settledPerSecond)
  note('executed and settled, one account, per second', http.settledHotPerSecond)
  note('paid at once and settled, per second', http.immediatePerSecond)
  note('paid at once and settled, one account, per second', http.immediateHotPerSecond)
  noteFew(`transfer at once, ${fewConnections} connections`, http.fewTransfers)
  noteFew(`payment at once, ${fewConnections} connections`, http.fewPayments)
  for (const [name, each] of Object.entries(http.processes)) {
    note(`payments by ${name}, per second`, each.perSecond)
    note(`payments by ${name}, Node CPU microseconds each`, each.nodeCpuMs * 1_000)
    note(`payments by ${name}, server CPU microseconds each`, each.serverCpuMs * 1_000)
  }
  const decisions = {
    'card authorizations beside POST /quotes': http.cardDecisions,
    'card authorizations beside POST /quotes, by a process of their own': http.cardDecisionsApart,
  }
  for (const [name, load] of Object.entries(decisions)) {
    note(`${name}, per second`, load.perSecond)
    note(`${name}, p50 ms`, load.p50Ms)
    note(`${name}, p99 ms`, load.p99Ms)
  }
  note('jobs drained by a worker, per second', http.jobsPerSecond)
  note('webhooks delivered, per second', http.webhooksPerSecond)
  note('server memory, MB', http.serverRssMb)
}

function noteFew(name: string, few: FewCallers): void {
  note(`${name}, per second`, few.perSecond)
  note(`${name}, p50 ms`, few.p50Ms)
  note(`${name}, commits each`, few.commits)
  note(`${name}, log bytes each`, few.logBytes)
  note(`${name}, server CPU microseconds each`, few.serverCpuSeconds * 1e6)
  note(`${name}, Node CPU microseconds each`, few.nodeCpuSeconds * 1e6)
}

async function describeMachine(postgresql: string) {
  const [cpu] = cpus()
  return {
    date: new Date().toISOString(),
    cpu: `${cpus().length} x ${cpu?.model.trim()}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgresql,
    kernel: (await readFile('/proc/version', 'utf8').catch(() => process.platform))
      .split(' ')
      .slice(0, 3)
      .join(' '),
    serverStartedWith: startedWith,
    rounds,
    secondsPerRow: seconds,
    elapsedSeconds: Math.round((performance.now() - startedAt) / 1000),
  }
}

function print(machine: object): void {
  console.log('\nratio                                      median   of each round')
  for (const [name, values] of Object.entries(ratios)) {
    const each = values.map((value) => value.toFixed(2)).join('  ')
    console.log(`${name.padEnd(40)} ${median(values).toFixed(2).padStart(8)}   ${each}`)
  }
  console.log('\nfigure                                                   median   of each round')
  for (const [name, values] of Object.entries(figures)) {
    const digits = median(values) < 100 ? 1 : 0
    const each = values.map((value) => value.toFixed(digits)).join('  ')
    console.log(`${name.padEnd(54)} ${median(values).toFixed(digits).padStart(8)}   ${each}`)
  }
  console.log('')
  for (const { name, sound, checkedTransfers } of audits) {
    console.log(`ledger audit after ${name}: ${sound ? 'sound' : 'NOT SOUND'}, ${checkedTransfers} transfers`)
  }
  for (const [name, value] of Object.entries(machine)) {
    console.log(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  }
}
