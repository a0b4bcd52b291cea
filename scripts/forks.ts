import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import pg from 'pg'
import { startCluster } from './bench/cluster.ts'
import { loader } from './bench/http.ts'
import { createInstallation } from './bench/server.ts'

/**
 * Forks of a world with history, as tests that run beside each other would make them: `npx tsx scripts/forks.ts`.
 *
 *   --database postgresql   or disk, the embedded one in a folder
 *   --forks 50              how many, of which all stay open
 *   --drop                  each test removes its fork at its end, as `corridor fork NAME -- COMMAND` and the SDK's tests do
 *   --workers 4             how many tests at a time: each makes a fork, pays in it, and looks at what it sees
 *   --payments 6000         of the parent before that; each leaves sixteen to eighteen rows
 *   --loose                 a PostgreSQL server that flushes nothing, as those of tests are set
 *
 * Prints the times of the requests that made the forks, how many forks saw anything but their own payment, and whether the
 * parent is as it was, by a checksum of its payments and balances.
 */
const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'postgresql' },
    forks: { type: 'string', default: '50' },
    workers: { type: 'string', default: '4' },
    payments: { type: 'string', default: '6000' },
    loose: { type: 'boolean', default: false },
    drop: { type: 'boolean', default: false },
  },
})
const forks = Number(values.forks)
const payments = Number(values.payments)
const isPostgresql = values.database === 'postgresql'
const port = 18_390
process.env.CORRIDOR_WORLDS = 'on'

const cluster = isPostgresql
  ? await startCluster({
      shared_buffers: '256MB',
      max_connections: '600',
      // As a server has it by itself: a second is shared by all of its databases, and here are fifty.
      autovacuum_naptime: '1min',
      ...(values.loose ? { fsync: 'off', full_page_writes: 'off' } : {}),
    })
  : undefined
await cluster?.program('psql', [
  '-q',
  '-c',
  "create database forks encoding 'UTF8' template template0",
  'postgres',
])
const installation = await createInstallation(cluster?.url('forks') ?? '', port)
const server = await installation.start('all')
try {
  const main = await installation.caller('breeze')
  const [, clientSecret] = atob(main.authorization.slice('Basic '.length)).split(':') as [string, string]
  const customer = await kit.createCustomer(main.api)
  const usd = await kit.internalAccountOf(main.api, customer.id, 'USD')
  await kit.fund(main.api, usd.id, 100_000_000)
  const payee = await kit.createPayee(main.api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
  const body = kit.quoteBody(usd, payee, 1_000, { immediatelyExecute: true })
  const load = await loader(600, 16)
  const request = { path: `${main.prefix}/quotes`, body }
  const requests = Array.from({ length: payments }, () => request)
  const { origin } = installation
  await load({ origin, authorization: main.authorization, requests, repeats: false })
  const rows = await countRows()

  const before = await checksum(main.api)
  const total = await countPayments(main.api)
  const times: number[] = []
  let [next, strangers] = [0, 0]
  const since = performance.now()
  await Promise.all(
    Array.from({ length: Number(values.workers) }, async () => {
      while (next < forks) {
        const name = `test-${next++}`
        const begun = performance.now()
        const { baseUrl } = await kit.must(main.api.POST('/sandbox/worlds', { body: { name } }))
        times.push(performance.now() - begun)
        process.stderr.write(`${Math.round(performance.now() - begun)} `)
        const api = createClient({ baseUrl, clientId: main.clientId, clientSecret, fetch })
        const { status } = await kit.createQuote(api, body)
        if (status !== 'COMPLETED' || (await countPayments(api)) !== total + 1) strangers++
        if (!values.drop) continue
        const { response } = await main.api.DELETE('/sandbox/worlds/{name}', { params: { path: { name } } })
        if (!response.ok) throw new Error(`${name} was not removed: ${response.status}`)
      }
    }),
  )
  const seconds = (performance.now() - since) / 1000
  const after = await checksum(main.api)
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!)
  console.log(
    JSON.stringify({
      database: values.database,
      ...(values.loose ? { flushes: false } : {}),
      ...(values.drop ? { dropped: true } : {}),
      workers: Number(values.workers),
      forks: times.length,
      payments,
      rows,
      forkMs: { p50: at(0.5), p95: at(0.95), most: at(1) },
      seconds: Math.round(seconds * 10) / 10,
      forksThatSawAnother: strangers,
      parentUnchanged: before === after,
    }),
  )
  process.exitCode = strangers === 0 && before === after ? 0 : 1
} finally {
  await installation.end(server)
  await installation.remove()
  await cluster?.stop()
}

async function countRows(): Promise<number | undefined> {
  if (!cluster) return undefined
  const client = new pg.Client(cluster.url('forks'))
  await client.connect()
  try {
    await client.query('analyze')
    const text = `select sum(reltuples)::float as count from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    return (await client.query<{ count: number }>(text)).rows[0]!.count
  } finally {
    await client.end()
  }
}

async function countPayments(api: CorridorClient): Promise<number> {
  return (await kit.must(api.GET('/transactions', { params: { query: { limit: 1 } } }))).totalCount ?? 0
}

/** Of every payment and every balance that the platform is shown. */
async function checksum(api: CorridorClient): Promise<string> {
  const hash = createHash('sha256')
  let cursor: string | undefined
  do {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) }
    const page = await kit.must(api.GET('/transactions', { params: { query } }))
    hash.update(JSON.stringify(page.data))
    cursor = page.nextCursor
  } while (cursor)
  hash.update(JSON.stringify(await kit.must(api.GET('/customers/internal-accounts'))))
  return hash.digest('hex')
}
