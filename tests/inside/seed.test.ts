import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import { afterAll, expect, it } from 'vitest'
import { readConfig, StartRefused } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { formsOf, type Installation, startInstallation } from '../../apps/server/src/wiring.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { currentPart } from '../places.ts'

/** The same seed and the same requests: the same bytes (face 6.5). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const world = realWorld(silentLog)

let made = 0
/** A folder, and on a server a database: tables and nothing in them. No seed has a part in making those. */
async function emptyPlace(): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-seed-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const place = { CORRIDOR_DATA_DIR: directory }
  if (!serverUrl) {
    layMigratedCluster(directory)
    return place
  }
  const name = `corridor_seed_${process.pid}_${made++}`
  undo.push(() => admin(serverUrl, `drop database if exists ${name} with (force)`))
  return { ...place, DATABASE_URL: await createMigratedDatabase(serverUrl, name) }
}

async function settingsOf(seed: string): Promise<Record<string, string>> {
  return {
    ...(await emptyPlace()),
    CORRIDOR_SEED: seed,
    CORRIDOR_BASE_URL: 'http://corridor.example',
    CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: 'on',
  }
}

/** What is compiled of the schemas once for all runs: it is most of what a run would cost. */
let forms: ReturnType<typeof formsOf> | undefined

async function start(settings: Record<string, string>): Promise<Installation> {
  const config = { ...readConfig(settings), port: 0, host: '127.0.0.1' }
  forms ??= formsOf(config)
  return startInstallation(config, world, openDataDirectory(config.dataDirectory), forms)
}

/** An endpoint at one address for all runs; what it is told is of the run that goes on. */
let told: { id: string; body: string }[] = []
async function endpoint(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      told.push({ id: String(request.headers['x-webhook-id']), body })
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  undo.push(() => new Promise((closed) => server.close(closed)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What is drawn for a request, a quote, a payment and an event: each alone. */
const faults = [
  { kind: 'LOST_ANSWER', target: 'API', match: { operationId: 'executeQuote' }, probability: 0.5 },
  { kind: 'ERROR', target: 'API', match: { operationId: 'listTransactions' }, params: { status: 503 } },
  { kind: 'RATE_SHOCK', target: 'RATES', params: { bps: 50 } },
  { kind: 'LOST_ANSWER', target: 'RAIL' },
  { kind: 'OUTCOME', target: 'RAIL', params: { outcome: '002' }, probability: 0.3 },
  { kind: 'ERROR', target: 'WEBHOOK', probability: 0.3 },
  { kind: 'DUPLICATE', target: 'WEBHOOK', params: { copies: 2 }, probability: 0.3 },
  { kind: 'REORDER', target: 'WEBHOOK', params: { n: 3 }, probability: 0.3 },
].map((fault) => ({ probability: 0.5, ...fault }))

interface Ran {
  readonly answers: readonly string[]
  readonly webhooks: readonly string[]
  readonly credentials: unknown
  /** What each fault has hit, in the order of the faults. */
  readonly activations: readonly string[]
}

/** A list of requests, each made of what the ones before it were answered. */
async function run(seed: string, url: string, { isFaulty = false, customers = 8 } = {}): Promise<Ran> {
  const settings = await settingsOf(seed)
  told = []
  const { address, stop } = await start(settings)
  const credentials = JSON.parse(readFileSync(join(settings.CORRIDOR_DATA_DIR!, 'credentials.json'), 'utf8'))
  const [, breeze] = credentials.platforms
  const answers: string[] = []
  const activations: string[] = []
  // biome-ignore lint/suspicious/noExplicitAny: single members of answers of every shape
  async function send(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${address}/2025-10-13${path}`, {
      method,
      headers: { authorization: basic(breeze), ...(body ? json : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => {
      if (!isFaulty) throw error
    })
    if (!response) {
      answers.push(`${method} ${path} cut off`)
      return undefined
    }
    const text = await response.text()
    answers.push(`${method} ${path} ${response.status} ${response.headers.get('x-request-id')} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  try {
    await send('PATCH', '/config', { webhookEndpoint: url })
    const made = isFaulty ? await send('POST', '/sandbox/faults/apply', { seed: '7', faults }) : { data: [] }
    for (let count = 0; count < customers; count++) {
      const customer = await send('POST', '/customers', {
        customerType: 'INDIVIDUAL',
        fullName: `Ana Lopez ${count}`,
        email: `ana${count}@customer.example`,
        currencies: ['USD', 'EUR'],
      })
      const { data } = await send('GET', `/internal-account?customerId=${customer.id}&currency=USD`)
      await send('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 100_000 })
      const payee = await send('POST', '/customers/external-accounts', {
        customerId: customer.id,
        currency: 'PHP',
        accountInfo: {
          accountType: 'PHP_ACCOUNT',
          accountNumber: `12345678${count}0`,
          bankName: 'Bank of the Philippine Islands',
          beneficiary: {
            beneficiaryType: 'INDIVIDUAL',
            fullName: 'Greta Lindholm',
            birthDate: '1979-04-02',
            nationality: 'SE',
          },
        },
      })
      const quote = await send('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: data[0].id },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000 + count,
      })
      await send('POST', `/quotes/${quote.id}/execute`)
      await send('GET', `/quotes/${quote.id}`)
      await send('GET', `/transactions?limit=2&customerId=${customer.id}`)
      await send('POST', '/quotes', { source: {} })
      await send('GET', `/customers/${customer.id.slice(0, -4)}0000`)
      await send('POST', `/customers/${customer.id}/verify-email`)
      await send('GET', '/sandbox/inbox?limit=1')
    }
    await send('POST', '/tokens', { name: 'more', permissions: ['VIEW'] })
    await send('POST', '/sandbox/clock/advance', { seconds: 3600 })
    for (const list of ['customers', 'transactions', 'internal-account', 'webhook-events', 'request-log']) {
      const page = await send('GET', `/${list}?limit=5`)
      if (page.nextCursor) await send('GET', `/${list}?limit=5&cursor=${encodeURIComponent(page.nextCursor)}`)
    }
    await send('POST', '/sandbox/webhooks/test')
    // All that was due is over when the next request is answered.
    await send('GET', '/sandbox/clock')
    for (const { id } of made.data) {
      const { data } = await send('GET', `/sandbox/faults/${id}/activations?limit=100`)
      activations.push(JSON.stringify(data))
    }
  } finally {
    await stop()
    rmSync(settings.CORRIDOR_DATA_DIR!, { recursive: true })
  }
  const webhooks = told.map(({ id, body }) => `${id} ${body}`).sort()
  return { answers, webhooks, credentials, activations }
}

/** How often the same is asked again; more where somebody wants to be sure. */
const repeats = Number(process.env.CORRIDOR_TEST_SEED_REPEATS ?? 1)
const longMs = 300_000 + repeats * 30_000

const digest = ({ answers, webhooks }: Ran) =>
  createHash('sha256')
    .update([...answers, ...webhooks].join('\n'))
    .digest('hex')

/** The first is compared with each of the others, and their digests with each other. */
async function repeated(first: Ran, again: () => Promise<Ran>): Promise<void> {
  const digests = [digest(first)]
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const ran = await again()
    expect(ran).toEqual(first)
    digests.push(digest(ran))
    // What has been shown by the time that somebody ends it.
    if (repeat % 10 === 0) console.log(`${repeat} of ${repeats} are equal to the first`)
  }
  expect(new Set(digests).size).toBe(1)
  const { answers, webhooks, activations } = first
  const hits = activations.reduce((count, text) => count + JSON.parse(text).length, 0)
  const what = `${answers.length} answers, ${webhooks.length} webhooks, ${hits} activations`
  if (repeats > 1) console.log(`${digests.length} runs, one SHA-256: ${digests[0]} of ${what}`)
}

it(
  'gives the same answers and the same webhooks to the same requests, and others for another seed',
  async () => {
    const url = await endpoint()
    const first = await run('41', url)
    expect(first.answers.length).toBeGreaterThan(100)
    const successes = first.answers.filter((answer) => / (200|201|202|204) /.test(answer))
    expect(successes.length).toBeGreaterThan(80)
    expect(first.webhooks.length).toBeGreaterThan(30)
    expect(first.answers.join('\n')).toContain('"status":"COMPLETED"')
    await repeated(first, () => run('41', url))
    const other = await run('42', url, { customers: 1 })
    expect(other.credentials).not.toEqual(first.credentials)
    expect(other.answers[1]).not.toBe(first.answers[1])
  },
  longMs,
)

// Faults are drawn from the seed, not from the database: the part of `.ci/run` with a server is enough.
it.skipIf(currentPart() === 'embedded')(
  'makes the same go wrong with the same faults, and something else with another seed',
  async () => {
    const url = await endpoint()
    const first = await run('41', url, { isFaulty: true })
    const hits = first.activations.map((text) => JSON.parse(text).length)
    expect(hits).toHaveLength(faults.length)
    expect(Math.min(...hits)).toBeGreaterThan(0)
    expect(first.answers.join('\n')).toContain('cut off')
    await repeated(first, () => run('41', url, { isFaulty: true }))
    const other = await run('42', url, { isFaulty: true })
    expect(other.activations.map((text) => JSON.parse(text).length)).not.toEqual(hits)
  },
  longMs,
)

it('takes requests one at a time: the clock counts them, from a Monday morning on', async () => {
  const settings = await settingsOf('7')
  const { address, stop } = await start(settings)
  undo.push(stop)
  const { platforms, operatorKey } = JSON.parse(
    readFileSync(join(settings.CORRIDOR_DATA_DIR!, 'credentials.json'), 'utf8'),
  )
  const clock = async () => {
    const response = await fetch(`${address}/2025-10-13/sandbox/clock`, {
      headers: { authorization: basic(platforms[0]) },
    })
    return ((await response.json()) as { now: string }).now
  }
  const times = await Promise.all(Array.from({ length: 20 }, clock))
  const expected = Array.from({ length: 20 }, (_, count) =>
    new Date(Date.UTC(2025, 9, 13, 9) + count + 1).toISOString(),
  )
  expect([...times].sort()).toEqual(expected)

  // Whoever knows the seed knows the secrets.
  const real = await fetch(`${address}/operator/platforms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, ...json },
    body: JSON.stringify({ name: 'real', environment: 'PRODUCTION' }),
  })
  expect(real.status).toBe(409)
  expect(await real.json()).toMatchObject({ details: { reason: 'SEEDED' } })
  await stop()
  undo.splice(undo.indexOf(stop), 1)

  // The second start would make the same ids again.
  await expect(start(settings)).rejects.toThrow(StartRefused)
}, 180_000)
