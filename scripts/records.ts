import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { retention } from '@corridor/engine/assembly/features.ts'
import { entryRow } from '@corridor/engine/mechanisms/audit-log/entry.ts'
import { createAuditLog } from '@corridor/engine/mechanisms/audit-log/log.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { newInstallationKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { createKeys } from '@corridor/engine/mechanisms/keys/keys.ts'
import { wordsColumn } from '@corridor/engine/mechanisms/keys/words.ts'
import { forgetOld } from '@corridor/engine/mechanisms/retention/retention.ts'
import { createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import pg from 'pg'
import { startCluster } from './bench/cluster.ts'

/**
 * What keeping records costs, and whether what is old goes faster than payments write it: `npx tsx scripts/records.ts`,
 * after a build.
 *
 *   --seconds 5       of payments without the sweeper; with it as long as it takes, in turns
 *   --rounds 2        how often
 *   --old 400000      old events before each of its turns
 *   --rows 20000      rows of each kind whose cost is measured
 *
 * The sweeper removes without a pause here, where a server's looks once in ten minutes. Ratios are of one run; CPU hardly
 * cares whether the machine is busy. One line of JSON each.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '2' },
    old: { type: 'string', default: '400000' },
    rows: { type: 'string', default: '20000' },
  },
})
const [seconds, rounds, old, count] = [values.seconds, values.rounds, values.old, values.rows].map(
  Number,
) as [number, number, number, number]
const [port, connections, customers] = [18_191, 8, 20]
const dayMs = 24 * 60 * 60_000
const tell = (line: object) => console.log(JSON.stringify(line))
const rounded = (value: number, digits = 1) => Number(value.toFixed(digits))

const cluster = await startCluster({ shared_buffers: '512MB' })
const directory = mkdtempSync(join(tmpdir(), 'corridor-records-'))
let server: ChildProcess | undefined
const closing: (() => Promise<unknown>)[] = []
try {
  await cluster.program('psql', [
    '-c',
    "create database records encoding 'UTF8' template template0",
    'postgres',
  ])
  server = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/dist/main.js')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DATABASE_URL: cluster.url('records'),
      PORT: String(port),
      HOST: '127.0.0.1',
      CORRIDOR_DATA_DIR: directory,
      CORRIDOR_RATE_LIMITS: 'off',
      CORRIDOR_SANDBOX_STEP_MS: '0',
      CORRIDOR_LOG_LEVEL: 'error',
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
      return {
        source,
        payee: await kit.createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: id }),
      }
    }),
  )
  const owner = new pg.Client(cluster.url('records'))
  await owner.connect()
  closing.push(() => owner.end())
  const database = createDatabase(openPostgresql({ url: cluster.url('records') }))
  closing.push(() => database.close())
  const { rows: books } = await owner.query(
    "select platform_id as id from internal_accounts where environment = 'SANDBOX' limit 1",
  )
  const book = { platformId: books[0].id as string, environment: 'SANDBOX' } as const
  const key = [book.platformId, book.environment]

  /** How many rows there are of a kind. */
  const countOf = async (where: string) =>
    Number((await owner.query(`select count(*) as n from ${where}`)).rows[0].n)
  const insertEvents = `insert into events (platform_id, environment, id, type, resource_id, body, status, created_at)
    select $1, $2, 'Webhook:' || $5 || lpad(n::text, 8, '0'), 'TEST', 'Thing:' || n, repeat('x', 400), 'DELIVERED', $3
    from generate_series(1, $4::int) n`
  let fronts = 0
  const idFront = (ms: number) => {
    const time = ms.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${String(fronts++).padStart(3, '0')}-8000-0000`
  }

  let number = 0
  async function pay(until: () => boolean): Promise<number> {
    let done = 0
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (!until()) {
          const { source, payee } = parties[number++ % customers]!
          const body = kit.quoteBody(source, payee, 1_000, { immediatelyExecute: true })
          await kit.must(api.POST('/quotes', { body, headers: { 'Idempotency-Key': `records-${number}` } }))
          done++
        }
      }),
    )
    return done
  }
  const during = async (isSwept: boolean) => {
    if (isSwept) {
      const at = Date.now() - 100 * dayMs
      await owner.query(insertEvents, [...key, new Date(at).toISOString(), old, idFront(at)])
      await owner.query('analyze events')
    }
    const young = "events where created_at > now() - interval '1 day'"
    const events = await countOf(young)
    const since = performance.now()
    let removed = 0
    let isOver = false
    const sweep = isSwept
      ? forgetOld(database, retention, { events: 90 }, Date.now()).then((gone) => {
          removed = gone
          isOver = true
        })
      : undefined
    const payments = await pay(() => isOver || (!isSwept && performance.now() - since > seconds * 1_000))
    const tookMs = performance.now() - since
    await sweep
    return {
      paymentsPerSecond: (payments * 1_000) / tookMs,
      eventsPerSecond: (((await countOf(young)) - events) * 1_000) / tookMs,
      removed,
      tookMs,
    }
  }
  await pay(
    (() => {
      const since = performance.now()
      return () => performance.now() - since > 2_000
    })(),
  )
  for (let round = 0; round < rounds; round++) {
    const without = await during(false)
    const swept = await during(true)
    tell({
      what: 'sweeper beside payments',
      paymentsPerSecond: rounded(without.paymentsPerSecond),
      paymentsPerSecondSwept: rounded(swept.paymentsPerSecond),
      eventsWrittenPerSecond: rounded(swept.eventsPerSecond),
      eventsRemovedPerSecond: rounded((swept.removed * 1_000) / swept.tookMs),
      seconds: rounded(swept.tookMs / 1_000),
    })
  }

  /** Microseconds of the database's processes, and bytes of log, for each row. */
  async function costs(work: () => Promise<unknown>, rows: number) {
    const logged = async () =>
      Number((await owner.query("select pg_current_wal_insert_lsn() - '0/0' as n")).rows[0].n)
    const [cpu, log, node] = [await cluster.cpuSeconds(), await logged(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(node)
    return {
      serverUs: rounded((((await cluster.cpuSeconds()) - cpu) * 1e6) / rows),
      nodeUs: rounded((user + system) / rows),
      logBytes: rounded(((await logged()) - log) / rows, 0),
    }
  }
  const definition = (await owner.query("select pg_get_indexdef('events_created'::regclass) as text")).rows[0]
    .text as string
  for (let round = 0; round < rounds; round++) {
    for (const isThere of round % 2 === 0 ? [true, false] : [false, true]) {
      if (!isThere) await owner.query('drop index events_created')
      await owner.query('checkpoint')
      const work = () => {
        const at = Date.now()
        return owner.query(insertEvents, [...key, new Date(at).toISOString(), count, idFront(at)])
      }
      tell({
        what: `an event, ${isThere ? 'with' : 'without'} events_created`,
        ...(await costs(work, count)),
      })
      if (!isThere) await owner.query(definition)
    }
  }
  const attempts = `insert into webhook_attempts (platform_id, environment, listener_id, event_id, status, attempts,
      milliseconds, attempted_at)
    select $1, $2, 'WebhookListener:1', 'Webhook:' || $4 || lpad(n::text, 8, '0'), 'DELIVERED', 1, 7, now()
    from generate_series(1, $3::int) n`
  for (let round = 0; round < rounds; round++) {
    await owner.query('checkpoint')
    const work = () => owner.query(attempts, [...key, count, idFront(Date.now())])
    tell({ what: 'an attempt of a listener', ...(await costs(work, count)) })
  }
  const tag = (purpose: string, text: string) =>
    createHash('sha256').update(`${purpose} ${text}`).digest('hex')
  const world = { now: Date.now, uuid: () => crypto.randomUUID() }
  const log = createAuditLog({ database, keys: { tag }, world })
  // A book of its own: nobody else moves its chain.
  const lines = { platformId: crypto.randomUUID(), environment: 'SANDBOX' } as const
  const line = () =>
    entryRow({
      id: crypto.randomUUID(),
      at: new Date().toISOString(),
      actor: `Token:${crypto.randomUUID()}`,
      source: '192.0.2.17',
      operation: 'createQuote',
      resources: { id: `Quote:${crypto.randomUUID()}` },
      changed: ['source', 'destination', 'lockedCurrencySide', 'lockedCurrencyAmount'],
      outcome: 'DONE',
      requestId: crypto.randomUUID(),
    })
  const random = () => new Uint8Array(randomBytes(32))
  const sealing = [newInstallationKey(kit.simWorld(1), [], Date.now())]
  const ring = { hashing: random(), tagging: random(), searching: random(), sealing }
  const { keys } = createKeys(kit.simWorld(1), ring)
  const ofCustomer = keys.dataKey(book, 'Customer:1', keys.newDataKey(book, 'Customer:1'))
  const text = JSON.stringify({
    description: 'Invoice 2026-17, as agreed',
    remittanceInformation: 'INV 2026 17',
  })
  for (let round = 0; round < rounds; round++) {
    const seal = async () => {
      for (let n = 0; n < count; n++) {
        const sealed = ofCustomer.seal(wordsColumn('quotes'), `Quote:${n}`, text)
        if (ofCustomer.open(wordsColumn('quotes'), `Quote:${n}`, sealed) !== text)
          throw new Error('other words')
      }
    }
    tell({ what: 'words of a payment, sealed and opened', nodeUs: (await costs(seal, count)).nodeUs })
  }
  const inbox = `insert into audit_inbox (platform_id, environment, id, entry)
    select $1, $2, * from unnest($3::text[], $4::text[])`
  /** As many as come while the background work looks away. */
  const atOnce = 500
  for (let round = 0; round < rounds; round++) {
    const made = Array.from({ length: count }, line)
    await owner.query('checkpoint')
    const write = async () => {
      for (let from = 0; from < count; from += atOnce) {
        const some = made.slice(from, from + atOnce)
        const [ids, entries] = [some.map(({ id }) => id), some.map(({ entry }) => entry)]
        await owner.query(inbox, [lines.platformId, lines.environment, ids, entries])
        await log.chain()
      }
    }
    tell({ what: 'a line of the audit log, written and chained', ...(await costs(write, count)) })
  }
} finally {
  for (const close of closing.reverse()) await close()
  if (server && server.exitCode === null) {
    const ended = new Promise((resolve) => server?.once('close', resolve))
    server.kill('SIGTERM')
    await ended
  }
  await cluster.stop()
  rmSync(directory, { recursive: true, force: true })
}
