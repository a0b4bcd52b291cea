import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { admin } from '@corridor/testkit/database.ts'
import { afterAll, expect, it } from 'vitest'
import { readConfig, StartRefused } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { type Installation, startInstallation } from '../../apps/server/src/wiring.ts'
import { basic, json } from '../e2e/raw-calls.ts'

/** The same seed and the same requests: the same bytes (face 6.5). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

let made = 0
async function settingsOf(seed: string): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-seed-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const settings = {
    CORRIDOR_DATA_DIR: directory,
    CORRIDOR_SEED: seed,
    CORRIDOR_BASE_URL: 'http://corridor.example',
    CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: 'on',
  }
  if (!serverUrl) return settings
  const name = `corridor_seed_${process.pid}_${made++}`
  await admin(serverUrl, `create database ${name}`)
  undo.push(() => admin(serverUrl, `drop database if exists ${name} with (force)`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { ...settings, DATABASE_URL: url.href }
}

async function start(settings: Record<string, string>): Promise<Installation> {
  const config = { ...readConfig(settings), port: 0, host: '127.0.0.1' }
  return startInstallation(config, realWorld(silentLog), openDataDirectory(config.dataDirectory))
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

interface Ran {
  readonly answers: readonly string[]
  readonly webhooks: readonly string[]
  readonly credentials: unknown
}

/** A list of requests, each made of what the ones before it were answered; `hasty`: five of them at a time where that is possible. */
async function run(seed: string, url: string): Promise<Ran> {
  const settings = await settingsOf(seed)
  told = []
  const { address, stop } = await start(settings)
  const credentials = JSON.parse(readFileSync(join(settings.CORRIDOR_DATA_DIR!, 'credentials.json'), 'utf8'))
  const [, breeze] = credentials.platforms
  const answers: string[] = []
  // biome-ignore lint/suspicious/noExplicitAny: single members of answers of every shape
  async function send(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${address}/2025-10-13${path}`, {
      method,
      headers: { authorization: basic(breeze), ...(body ? json : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    answers.push(`${method} ${path} ${response.status} ${response.headers.get('x-request-id')} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  try {
    await send('PATCH', '/config', { webhookEndpoint: url })
    for (let count = 0; count < 8; count++) {
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
  } finally {
    await stop()
  }
  const webhooks = told.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, body }) => `${id} ${body}`)
  return { answers, webhooks, credentials }
}

/** How often the same is asked again; more where somebody wants to be sure. */
const repeats = Number(process.env.CORRIDOR_TEST_SEED_REPEATS ?? 1)

const digest = (texts: readonly string[]) => createHash('sha256').update(texts.join('\n')).digest('hex')

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
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const again = await run('41', url)
      expect(again.answers).toEqual(first.answers)
      expect(again.webhooks).toEqual(first.webhooks)
      expect(again.credentials).toEqual(first.credentials)
      expect(digest([...again.answers, ...again.webhooks])).toBe(
        digest([...first.answers, ...first.webhooks]),
      )
    }
    const other = await run('42', url)
    expect(other.credentials).not.toEqual(first.credentials)
    expect(other.answers[1]).not.toBe(first.answers[1])
  },
  300_000 + repeats * 30_000,
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
