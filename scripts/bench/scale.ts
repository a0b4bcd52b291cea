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
import { type Caller, createInstallation } from './server.ts'

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
}

async function preparePayer(
  name: Payer['name'],
  caller: Caller,
  origin: string,
  parts: Pick<Payer, 'settle'> & { readonly send: Awaited<ReturnType<typeof loader>> },
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
    load: (requests, more = {}) => parts.send({ origin, authorization, requests, ...more }),
    loads: {
      immediate: quoting({ immediatelyExecute: true }),
      quotes: quoting(),
      lists: listOf(caller).requests,
      accounts: pairs.map(({ source }) => ({ path: `${prefix}/internal-accounts/${source.id}` })),
    },
  }
}

const measures = ['immediate', 'settled', 'quotes', 'lists', 'accounts'] as const
type Measure = (typeof measures)[number]
export type ScaleFigures = Readonly<Record<Payer['name'], Readonly<Record<Measure, number>>>>

/** Payments a second, of all that were begun, until the last of them is over. */
async function untilSettled({ settle }: Payer, begin: () => Promise<LoadResult>): Promise<number> {
  const since = performance.now()
  const { count } = await begin()
  await settle()
  return (count * 1000) / (performance.now() - since)
}

async function rateOf(payer: Payer, measure: Measure): Promise<number> {
  const { load, loads, prefix } = payer
  if (measure === 'immediate') return untilSettled(payer, () => load(loads.immediate))
  if (measure !== 'settled') return (await load(loads[measure], { isIdempotent: false })).perSecond
  const made = await load(loads.quotes, { isIdempotent: false, collect: 'id' })
  const requests = made.collected.map((id) => ({ path: `${prefix}/quotes/${id}/execute`, body: {} }))
  return untilSettled(payer, () => load(requests, { repeats: false }))
}

/** Each measure of each platform, in turns there and back, so that a machine that slows down does so to all alike. */
export async function measureScale(options: {
  readonly cluster: Cluster
  readonly histories: Histories
  readonly seconds: number
  readonly turns: number
}): Promise<ScaleFigures> {
  const { cluster, histories, seconds, turns } = options
  await cluster.program('psql', ['-q', '-c', 'drop database if exists empty'])
  await cluster.program('psql', ['-q', '-c', 'create database empty'])
  const empty = await createInstallation(cluster.url('empty'), portOfEmpty)
  const servers = [await empty.start('all'), await histories.installation.start('all')] as const
  try {
    const send = await loader(seconds, connections)
    const settleOf = (database: string) => async () => {
      const client = new pg.Client(cluster.url(database))
      await client.connect()
      while ((await client.query<{ due: number }>(countDue)).rows[0]!.due > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await client.end()
    }
    const [few, many] = [
      { send, settle: settleOf('empty') },
      { send, settle: settleOf('lists') },
    ]
    const { origin } = histories.installation
    const payers = [
      await preparePayer('few', await empty.caller('breeze'), empty.origin, few),
      await preparePayer('many', histories.many, origin, many),
      await preparePayer('neighbour', histories.few, origin, many),
    ]
    const none = () => Object.fromEntries(measures.map((measure) => [measure, [] as number[]]))
    const rates = Object.fromEntries(payers.map(({ name }) => [name, none()]))
    for (const payer of payers) await untilSettled(payer, () => payer.load(payer.loads.immediate))
    for (const measure of measures) {
      for (let turn = 0; turn < turns; turn++) {
        for (const payer of turn % 2 === 0 ? payers : [...payers].reverse()) {
          rates[payer.name]![measure]!.push(await rateOf(payer, measure))
        }
      }
    }
    const medians = Object.entries(rates).map(([name, of]) => [
      name,
      Object.fromEntries(Object.entries(of).map(([measure, values]) => [measure, median(values)])),
    ])
    return Object.fromEntries(medians) as ScaleFigures
  } finally {
    await empty.end(servers[0])
    await histories.installation.end(servers[1])
    await empty.remove()
  }
}

/** What history, and that of a neighbour, take of each rate: 0 for nothing. */
export function scaleRatios({ few, many, neighbour }: ScaleFigures): Record<string, number> {
  const costs = measures.map((measure) => [`${measure}_1m_vs_1k`, 1 - many[measure] / few[measure]])
  const beside = ['immediate', 'settled', 'quotes'] as const
  return {
    ...Object.fromEntries(costs),
    neighbour_slowdown: 1 - median(beside.map((measure) => neighbour[measure] / few[measure])),
  }
}
