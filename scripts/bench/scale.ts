import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  quoteBody,
} from '../../packages/testkit/src/factories.ts'
import type { Cluster } from './cluster.ts'
import { listOf, loader } from './http.ts'
import type { Histories } from './lists.ts'
import type { LoadRequest, LoadResult } from './load.ts'
import { median } from './median.ts'
import { type Caller, cpuSecondsOf, createInstallation } from './server.ts'

/** What a platform gets beside its own history, and beside that of another, against one in an installation without any. */

const customers = 20
const connections = 64
const portOfEmpty = 18_093
export const ledgerAccounts = 2_000_000

/** Two of each payment, and their zero balances: what is looked up among them is how many there are. */
export async function fillLedger(cluster: Cluster, { many }: Histories): Promise<void> {
  const text = `
    insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at)
    select t.platform_id, t.environment, kind || ':' || resource || ':' || lpad(to_hex(n), 8, '0')
        || '-0000-7000-8000-000000000000' || more, 'USD', true, now()
    from generate_series(1, ${ledgerAccounts / 2}) n, tokens t,
      (values ('avail', 'InternalAccount', ''), ('txn', 'Transaction', ':USD')) of_kind(kind, resource, more)
    where t.client_id = '${many.clientId}'`
  for (const each of [text, 'vacuum analyze ledger_accounts']) {
    await cluster.program('psql', ['-q', '-d', 'lists', '-c', each])
  }
}

const countDue = 'select count(*)::int as due from jobs where dead_at is null and due_at <= now()'

/** A platform that pays, and how to load it. */
interface Payer {
  readonly name: 'few' | 'many' | 'neighbour'
  readonly load: (requests: readonly LoadRequest[], more?: object) => Promise<LoadResult>
  readonly loads: Readonly<Record<'immediate' | 'quotes' | 'lists' | 'accounts', readonly LoadRequest[]>>
  readonly prefix: string
  readonly settle: () => Promise<void>
  readonly cpuSeconds: () => Promise<number>
}

export async function preparePayer(
  name: Payer['name'],
  caller: Caller,
  origin: string,
  parts: Pick<Payer, 'settle' | 'cpuSeconds'> & { readonly send: Awaited<ReturnType<typeof loader>> },
): Promise<Payer> {
  const { api, prefix, authorization } = caller
  // One after the other: a machine that is busy with its history turns away what it cannot do at once.
  const pairs: Record<'source' | 'payee', { readonly id: string }>[] = []
  for (let index = 0; index < customers; index++) {
    const customer = await createCustomer(api, { fullName: `Eva Lopez ${index}` })
    const source = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, source.id, 1_000_000_00)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    pairs.push({ source, payee })
  }
  const quoting = (more = {}) =>
    pairs.map(({ source, payee }) => ({
      path: `${prefix}/quotes`,
      body: quoteBody(source, payee, 1_000, more),
    }))
  return {
    name,
    prefix,
    settle: parts.settle,
    cpuSeconds: parts.cpuSeconds,
    load: (requests, more = {}) => parts.send({ origin, authorization, requests, ...more }),
    loads: {
      immediate: quoting({ immediatelyExecute: true }),
      quotes: quoting(),
      lists: listOf(caller).requests,
      accounts: pairs.map(({ source }) => ({ path: `${prefix}/internal-accounts/${source.id}` })),
    },
  }
}

/** Ways to wait for the payments of a database, and to count the CPU of all that runs. */
export function watching(
  cluster: Cluster,
  database: string,
  servers: readonly ChildProcess[],
): Pick<Payer, 'settle' | 'cpuSeconds'> {
  return {
    async settle() {
      const client = new pg.Client(cluster.url(database))
      await client.connect()
      while ((await client.query<{ due: number }>(countDue)).rows[0]!.due > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await client.end()
    },
    async cpuSeconds() {
      const ofServers = await Promise.all(servers.map(({ pid }) => cpuSecondsOf(pid!)))
      return ofServers.reduce((sum, used) => sum + used, await cluster.cpuSeconds())
    },
  }
}

const measures = ['immediate', 'settled', 'quotes', 'lists', 'accounts'] as const
type Measure = (typeof measures)[number]
interface Rate {
  readonly perSecond: number
  /** Of PostgreSQL and of Corridor, for each: a busy machine changes it less than the rate. */
  readonly cpuMs: number
}
export type ScaleFigures = Readonly<Record<Payer['name'], Readonly<Record<Measure, Rate>>>>

/** Counts payments until the last of them is over, with the CPU that all this took. */
async function watched(
  { cpuSeconds, settle }: Payer,
  begin: () => Promise<LoadResult>,
  { untilSettled }: { readonly untilSettled: boolean },
): Promise<Rate> {
  const used = await cpuSeconds()
  const since = performance.now()
  const { count, perSecond } = await begin()
  if (untilSettled) await settle()
  const elapsedMs = performance.now() - since
  return {
    perSecond: untilSettled ? (count * 1_000) / elapsedMs : perSecond,
    cpuMs: (((await cpuSeconds()) - used) * 1_000) / count,
  }
}

export async function rateOf(payer: Payer, measure: Measure): Promise<Rate> {
  const { load, loads, prefix } = payer
  if (measure === 'immediate') return watched(payer, () => load(loads.immediate), { untilSettled: true })
  if (measure !== 'settled') {
    return watched(payer, () => load(loads[measure], { isIdempotent: false }), { untilSettled: false })
  }
  const made = await load(loads.quotes, { isIdempotent: false, collect: 'id' })
  const requests = made.collected.map((id) => ({ path: `${prefix}/quotes/${id}/execute`, body: {} }))
  return watched(payer, () => load(requests, { repeats: false }), { untilSettled: true })
}

/** Each measure of each platform, in turns there and back, so that a machine that slows down does so to all alike. */
export async function measureScale(options: {
  readonly cluster: Cluster
  readonly histories: Histories
  readonly seconds: number
  readonly turns: number
  readonly say?: (text: string) => void
}): Promise<ScaleFigures> {
  const { cluster, histories, seconds, turns, say } = options
  await cluster.program('psql', ['-q', '-c', 'drop database if exists empty'])
  await cluster.program('psql', ['-q', '-c', 'create database empty'])
  const empty = await createInstallation(cluster.url('empty'), portOfEmpty)
  const servers = [await empty.start('all'), await histories.installation.start('all')] as const
  try {
    const send = await loader(seconds, connections)
    const partsOf = (database: string) => ({ send, ...watching(cluster, database, servers) })
    const { origin } = histories.installation
    const payers = [
      await preparePayer('few', await empty.caller('breeze'), empty.origin, partsOf('empty')),
      await preparePayer('many', histories.many, origin, partsOf('lists')),
      await preparePayer('neighbour', histories.few, origin, partsOf('lists')),
    ]
    const none = () => Object.fromEntries(measures.map((measure) => [measure, [] as Rate[]]))
    const rates = Object.fromEntries(payers.map(({ name }) => [name, none()]))
    for (const payer of payers) for (const measure of measures) await rateOf(payer, measure)
    for (let turn = 0; turn < turns; turn++) {
      for (const measure of measures) {
        for (const payer of turn % 2 === 0 ? payers : [...payers].reverse()) {
          const rate = await rateOf(payer, measure)
          rates[payer.name]![measure]!.push(rate)
          say?.(
            `turn ${turn + 1}: ${measure}, ${payer.name}: ${rate.perSecond.toFixed(0)} a second, ${rate.cpuMs.toFixed(2)} ms of CPU`,
          )
        }
      }
    }
    const medianOf = (values: readonly Rate[]): Rate => ({
      perSecond: median(values.map(({ perSecond }) => perSecond)),
      cpuMs: median(values.map(({ cpuMs }) => cpuMs)),
    })
    const medians = Object.entries(rates).map(([name, of]) => [
      name,
      Object.fromEntries(Object.entries(of).map(([measure, values]) => [measure, medianOf(values)])),
    ])
    return Object.fromEntries(medians) as ScaleFigures
  } finally {
    await empty.end(servers[0])
    await histories.installation.end(servers[1])
    await empty.remove()
  }
}

/** What history, and that of a neighbour, take of each rate, and what they add to the CPU of each: 0 for nothing. */
export function scaleRatios({ few, many, neighbour }: ScaleFigures): Record<string, number> {
  const beside = ['immediate', 'settled', 'quotes'] as const
  return {
    ...Object.fromEntries(
      measures.flatMap((measure) => [
        [`${measure}_1m_vs_1k`, 1 - many[measure].perSecond / few[measure].perSecond],
        [`${measure}_cpu_1m_vs_1k`, many[measure].cpuMs / few[measure].cpuMs - 1],
      ]),
    ),
    neighbour_slowdown:
      1 - median(beside.map((measure) => neighbour[measure].perSecond / few[measure].perSecond)),
    neighbour_cpu: median(beside.map((measure) => neighbour[measure].cpuMs / few[measure].cpuMs)) - 1,
  }
}
