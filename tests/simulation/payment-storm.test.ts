import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '@corridor/testkit/index.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * The server is killed without warning in the middle of a storm of payments, and started again. Needs a
 * PostgreSQL server: the embedded database is the process.
 */
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

const root = join(import.meta.dirname, '../..')
const quoteCount = 240
const callers = 24
const amountMinor = 100
/** How long a claimed job stays with a dead process. */
const leaseMs = 1_000

describe.skipIf(!serverUrl)('a server that is killed in a storm of payments', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'corridor-storm-'))
  const database = `corridor_storm_${process.pid}`
  let databaseUrl = ''
  let port = 0
  let child: ChildProcess | undefined

  beforeAll(async () => {
    buildServer()
    await onServer(`create database ${database}`)
    const url = new URL(serverUrl!)
    url.pathname = `/${database}`
    databaseUrl = url.href
    port = await freePort()
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    await onServer(`drop database if exists ${database} with (force)`)
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  it('loses nothing it acknowledged, doubles nothing, and goes on', async () => {
    child = await startServer()
    const { api, operatorKey } = connect()
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, quoteCount * amountMinor)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const quotes = await Promise.all(
      Array.from({ length: quoteCount }, () => createQuote(api, quoteBody(usd, payee, amountMinor))),
    )

    const acknowledged = new Set<string>()
    const storm = inParallel(quotes, async ({ id }) => {
      const answer = await execute(api, id, { 'Idempotency-Key': id }).catch(() => undefined)
      if (!answer?.data) return
      acknowledged.add(id)
      if (acknowledged.size === quoteCount / 3) child!.kill('SIGKILL')
    })
    await storm
    expect(acknowledged.size).toBeGreaterThanOrEqual(quoteCount / 3)
    expect(acknowledged.size).toBeLessThan(quoteCount)

    child = await startServer()
    const again = connect().api
    for (const id of acknowledged) {
      const { status } = await must(again.GET('/quotes/{quoteId}', { params: { path: { quoteId: id } } }))
      expect(['PROCESSING', 'COMPLETED']).toContain(status)
    }
    expect(await audit(operatorKey)).toMatchObject({ sound: true, problems: [] })

    // The same keys again: what was done is replayed, what was lost with the process is done now.
    await inParallel(quotes, async ({ id }) => {
      expect((await execute(again, id, { 'Idempotency-Key': id })).data).toMatchObject({
        status: 'PROCESSING',
      })
    })
    expect((await internalAccountOf(again, customer.id, 'USD')).balance.amount).toBe(0)
    await expect.poll(() => countCompleted(again), { timeout: 40_000, interval: 250 }).toBe(quoteCount)
    expect((await internalAccountOf(again, customer.id, 'USD')).totalBalance.amount).toBe(0)
    expect(await audit(operatorKey)).toMatchObject({ sound: true, problems: [] })
  }, 120_000)

  async function countCompleted(api: CorridorClient): Promise<number> {
    const query = { status: 'COMPLETED', type: 'OUTGOING', limit: 1 } as const
    return (await must(api.GET('/transactions', { params: { query } }))).totalCount
  }

  async function audit(operatorKey: string): Promise<unknown> {
    const response = await fetch(`http://localhost:${port}/operator/audit`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    return response.json()
  }

  async function startServer(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
      env: {
        PATH: process.env.PATH ?? '',
        CORRIDOR_DATA_DIR: dataDirectory,
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        CORRIDOR_RATE_LIMITS: 'off',
        CORRIDOR_SANDBOX_STEP_MS: '0',
        CORRIDOR_JOB_LEASE_MS: String(leaseMs),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let log = ''
    await new Promise<void>((resolve, reject) => {
      started.once('exit', () => reject(new Error(log)))
      started.stdout.on('data', (chunk: Buffer) => {
        log += chunk
        if (log.includes('"msg":"ready"')) resolve()
      })
    })
    return started
  }

  function connect(): { api: CorridorClient; operatorKey: string } {
    const credentials = JSON.parse(readFileSync(join(dataDirectory, 'credentials.json'), 'utf8'))
    const acme = credentials.platforms.find(({ name }: { name: string }) => name === 'acme')
    const api = createClient({ baseUrl: `http://localhost:${port}/2025-10-13`, ...acme })
    return { api, operatorKey: credentials.operatorKey }
  }
})

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    }),
  )
}

async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
