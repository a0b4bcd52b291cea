import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '../packages/testkit/src/factories.ts'
import { startCluster } from './bench/cluster.ts'
import { listOf, loader } from './bench/http.ts'
import { median } from './bench/median.ts'
import { cpuSecondsOf, createInstallation, type Role, residentMbOf } from './bench/server.ts'

/**
 * Builds of several checkouts, measured in turns under the same load: `npx tsx scripts/turns.ts ../before .`
 *
 *   --rounds 5       how often each has its turn
 *   --seconds 2      how long each row of a turn is
 *   --kinds quote,execute,hot,start   what is measured; also settled, immediate, list (64 connections), transfer8, payment8, rest
 *   --database postgresql   `embedded`: each has one of its own in a folder; for settled and immediate, with --role all
 *   --role api       `all` runs what is behind the answers in the same process, which `settled` needs
 *
 * Each checkout has to be built (`npm run build`). All have a PostgreSQL and a server (`CORRIDOR_ROLE=api`) of their own and
 * are up at once, so that whatever else the machine does falls upon all of them alike, and rates of one run may be compared.
 * One line of JSON for each turn, then the medians: calls a second, microseconds of Node and of PostgreSQL for each,
 * and milliseconds from the start of a server on a database that is there until it is ready. `rest` is what it has used of the
 * processor by then, and its resident memory after fifteen seconds in which nobody asks it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    kinds: { type: 'string', default: 'quote,execute,hot,start' },
    role: { type: 'string', default: 'api' },
    database: { type: 'string', default: 'postgresql' },
  },
})
const seconds = Number(values.seconds)
const kinds = values.kinds.split(',')
const customers = 50
const connections = 64

type Pair = Record<'source' | 'payee', { id: string }>

const load = await loader(seconds, connections)
const origin = process.cwd()
const builds: Awaited<ReturnType<typeof open>>[] = []
try {
  for (const [index, checkout] of positionals.entries()) builds.push(await open(checkout, 18_290 + 2 * index))
  const rows: { build: string; kind: string; [figure: string]: string | number }[] = []
  for (const kind of kinds) for (const { turn } of builds) if (kind !== 'start') await turn(kind)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const kind of kinds) {
      // The one that went first goes last in the next round.
      for (const { name, turn } of round % 2 ? [...builds].reverse() : builds) {
        const row = { build: name, kind, ...(await turn(kind)) }
        rows.push(row)
        console.log(JSON.stringify({ round, ...row }))
      }
    }
  }
  for (const kind of kinds) {
    for (const { name } of builds) {
      const own = rows.filter((row) => row.build === name && row.kind === kind)
      const figures = Object.keys(own[0]!).filter((figure) => figure !== 'build' && figure !== 'kind')
      const medians = figures.map((figure) => [figure, median(own.map((row) => row[figure] as number))])
      console.log(JSON.stringify({ median: name, kind, ...Object.fromEntries(medians) }))
    }
  }
} finally {
  for (const { close } of builds) await close()
}

/** A checkout's server on a cluster of its own, with what its load needs. */
async function open(checkout: string, port: number) {
  const folder = resolve(origin, checkout)
  const cluster = values.database === 'embedded' ? undefined : await startCluster({ shared_buffers: '256MB' })
  await cluster?.program('psql', [
    '-c',
    "create database turns encoding 'UTF8' template template0",
    'postgres',
  ])
  // What is started is found from the working directory.
  process.chdir(folder)
  const installation = await createInstallation(cluster?.url('turns') ?? '', port)
  let server = await installation.start('all')
  process.chdir(origin)
  const { api, authorization, prefix } = await installation.caller('breeze')
  const pairs = await Promise.all(
    Array.from({ length: customers }, async (_, index) => {
      const customer = await createCustomer(api, { fullName: `Ana Lopez ${index}` })
      const source = await internalAccountOf(api, customer.id, 'USD')
      await fund(api, source.id, 1_000_000_00)
      const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
      return { source, payee }
    }),
  )
  await installation.end(server)
  const restart = async () => {
    process.chdir(folder)
    server = await installation.start(values.role as Role)
    process.chdir(origin)
  }
  await restart()
  const quotes = (from: Pair[], more = {}) => ({
    origin: installation.origin,
    authorization,
    isIdempotent: false,
    requests: from.map(({ source, payee }) => ({
      path: `${prefix}/quotes`,
      body: quoteBody(source, payee, 1_000, more),
    })),
  })
  const transfers = pairs.map(({ source }, index) => ({
    source,
    payee: pairs[(index + 1) % pairs.length]!.source,
  }))
  const admin = cluster && new pg.Client(cluster.url('turns'))
  await admin?.connect()
  async function isAnythingDue() {
    if (admin)
      return (await admin.query('select from jobs where dead_at is null and due_at <= now() limit 1'))
        .rowCount
    // Nobody else is let into an embedded database.
    const query = { status: 'PROCESSING', limit: 1 } as const
    return (await must(api.GET('/transactions', { params: { query } }))).data.length
  }
  async function untilNothingIsDue() {
    while (await isAnythingDue()) await wait(cluster ? 5 : 50)
  }

  async function turn(kind: string): Promise<Record<string, number>> {
    if (kind === 'start') {
      await installation.end(server)
      const since = performance.now()
      await restart()
      const startMs = Math.round(performance.now() - since)
      // What has just started compiles; the next row is not to pay for it.
      await load({ ...quotes(pairs), seconds: 1 })
      return { startMs }
    }
    if (kind === 'rest') {
      await installation.end(server)
      await restart()
      const readyCpuMs = Math.round((await cpuSecondsOf(server.pid!)) * 1000)
      await wait(15_000)
      return { readyCpuMs, residentMb: await residentMbOf(server.pid!) }
    }
    const from: Pair[] = kind === 'hot' ? pairs.slice(0, 1) : kind === 'transfer8' ? transfers : pairs
    const isAtOnce = ['immediate', 'transfer8', 'payment8'].includes(kind)
    let run: Parameters<typeof load>[0] = quotes(from, isAtOnce ? { immediatelyExecute: true } : {})
    if (kind === 'list') run = { origin: installation.origin, ...listOf({ authorization, prefix }) }
    else if (isAtOnce)
      run = { ...run, isIdempotent: true, connections: kind === 'immediate' ? connections : 8 }
    else if (kind !== 'quote') {
      const { collected } = await load({ ...run, collect: 'id' })
      const requests = collected.map((id) => ({ path: `${prefix}/quotes/${id}/execute`, body: {} }))
      run = { ...run, requests, repeats: false, isIdempotent: true, seconds: seconds * 3 }
    }
    const node = await cpuSecondsOf(server.pid!)
    const database = (await cluster?.cpuSeconds()) ?? 0
    const since = performance.now()
    const { count, perSecond, p50Ms } = await load(run)
    if (values.role === 'all') await untilNothingIsDue()
    const settledPerSecond = (count * 1000) / (performance.now() - since)
    return {
      perSecond: Math.round(kind === 'settled' ? settledPerSecond : perSecond),
      p50Ms: Math.round(p50Ms * 10) / 10,
      nodeUs: Math.round((((await cpuSecondsOf(server.pid!)) - node) * 1e6) / count),
      databaseUs: Math.round(((((await cluster?.cpuSeconds()) ?? 0) - database) * 1e6) / count),
    }
  }
  return {
    name: checkout,
    turn,
    async close() {
      await admin?.end()
      await installation.end(server)
      await installation.remove()
      await cluster?.stop()
    },
  }
}
