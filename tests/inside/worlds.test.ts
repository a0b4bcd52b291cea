import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import { admin, createMigratedDatabase, dropWithCopies } from '@corridor/testkit/database.ts'
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
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../../apps/cli/src/cli.ts'
import { processTerminal } from '../../apps/cli/src/terminal.ts'
import { readConfig, StartRefused } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { type Installation, startInstallation } from '../../apps/server/src/wiring.ts'
import { policyOf } from '../e2e/agent-api.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { currentPart } from '../places.ts'
import { sharedForms } from './shared-forms.ts'

/** Copies of the whole sandbox, on a server as it is started (docs/adr/0040). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const version = '2025-10-13'
/** Rules about copies that no database can change. Of both parts of `.ci/run`, the one with a server runs them. */
const itOnServer = it.skipIf(currentPart() === 'embedded')
const patient = { timeout: 60_000, interval: 20 }

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
}, 180_000)

let made = 0
/** The settings of an empty installation, on the kind of database that this run tests. */
async function settingsOf(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-worlds-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const settings = {
    CORRIDOR_DATA_DIR: directory,
    CORRIDOR_WORLDS: 'on',
    CORRIDOR_SANDBOX_STEP_MS: '0',
    ...more,
  }
  if (!serverUrl) {
    layMigratedCluster(directory)
    return settings
  }
  const name = `corridor_worlds_${process.pid}_${made++}`
  undo.push(() => dropWithCopies(serverUrl, name))
  return { ...settings, DATABASE_URL: await createMigratedDatabase(serverUrl, name) }
}

interface Running extends Installation {
  readonly platforms: readonly { name: string; clientId: string; clientSecret: string }[]
  readonly operatorKey: string
  /** Makes the clock of the process go on, and wakes what sleeps for minutes. */
  readonly later: (ms: number) => void
  readonly end: () => Promise<void>
}

async function start(settings: Record<string, string>): Promise<Running> {
  const config = { ...readConfig({ ...settings, CORRIDOR_RATE_LIMITS: 'off' }), port: 0, host: '127.0.0.1' }
  const real = realWorld(silentLog)
  let offsetMs = 0
  const sleepers = new Set<() => void>()
  const world = {
    ...real,
    now: () => Date.now() + offsetMs,
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms < 60_000) return real.sleep(ms, signal)
      await new Promise<void>((resolve) => {
        sleepers.add(resolve)
        signal?.addEventListener('abort', () => resolve())
        if (signal?.aborted) resolve()
      })
    },
  }
  const installation = await startInstallation(
    config,
    world,
    openDataDirectory(config.dataDirectory),
    sharedForms(config),
  )
  let isOver = false
  const end = async () => {
    if (isOver) return
    isOver = true
    await installation.stop()
  }
  undo.push(end)
  const { platforms, operatorKey } = JSON.parse(
    readFileSync(join(config.dataDirectory, 'credentials.json'), 'utf8'),
  )
  return {
    ...installation,
    platforms,
    operatorKey,
    end,
    later(ms) {
      offsetMs += ms
      for (const wake of sleepers) wake()
      sleepers.clear()
    },
  }
}

/** One platform in one world. */
function at({ address, platforms }: Running, world?: string, platform = 'breeze') {
  const credentials = platforms.find(({ name }) => name === platform)!
  const baseUrl = `${address}${world ? `/w/${world}` : ''}/${version}`
  const headers = { authorization: basic(credentials) }
  return {
    baseUrl,
    headers,
    api: createClient({ baseUrl, ...credentials }),
    async send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...(body ? json : {}), ...more },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      return { response, status: response.status, json: text === '' ? undefined : JSON.parse(text) }
    },
  }
}
type At = ReturnType<typeof at>

/** A payment from its beginning to COMPLETED; resolves with the payer. */
async function pay(api: CorridorClient): Promise<string> {
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
  await execute(api, quote.id)
  await vi.waitFor(async () => {
    const { status } = await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId: quote.id } } }))
    expect(status).toBe('COMPLETED')
  }, patient)
  return customer.id
}

/** What a platform sees of its books. */
async function books({ send }: At) {
  const seen = []
  for (const path of [
    '/customers?limit=100',
    '/transactions?limit=100',
    '/internal-account?limit=100',
    '/config',
  ]) {
    const { status, json } = await send('GET', path)
    expect(status, path).toBe(200)
    seen.push(json)
  }
  return seen
}

async function isSound({ address, operatorKey }: Running) {
  const answer = await fetch(`${address}/operator/audit`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  return answer.json()
}

/** An endpoint that remembers what it is told. */
async function endpoint() {
  const told: { id: string; type: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      told.push(JSON.parse(text))
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  undo.push(() => new Promise((closed) => server.close(closed)))
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

describe('a fork', () => {
  let running: Running
  let settings: Record<string, string>
  beforeAll(async () => {
    settings = await settingsOf({ CORRIDOR_MAX_WORLDS: '2' })
    running = await start(settings)
  }, 180_000)

  it('has everything, and goes on by itself', async () => {
    const main = at(running)
    await pay(main.api)
    const noted = await vi.waitUntil(
      async () => (await main.send('GET', '/request-log')).json.data[0]?.requestId,
      patient,
    )
    const before = await books(main)
    const made = await main.send('POST', '/sandbox/worlds', { name: 'one' }, { 'idempotency-key': 'fork-1' })
    expect(made).toMatchObject({ status: 201, json: { name: 'one', from: 'main' } })
    expect(made.json.baseUrl).toMatch(/\/w\/one\/2025-10-13$/)
    const again = await main.send('POST', '/sandbox/worlds', { name: 'one' }, { 'idempotency-key': 'fork-1' })
    expect(again.json).toEqual(made.json)
    const fork = at(running, 'one')
    const document = await fork.send('GET', '/openapi.json')
    expect(document).toMatchObject({ status: 200, json: { servers: [{ url: made.json.baseUrl }] } })
    const own = await main.send('GET', '/openapi.json')
    expect(document.json.info).toEqual(own.json.info)
    const docs = await fetch(`${running.address}/w/one/docs`, { redirect: 'manual' })
    expect([docs.status, docs.headers.get('location')]).toEqual([302, own.json.info.contact.url])
    expect(await books(fork)).toEqual(before)
    expect((await fork.send('GET', `/request-log/${noted}`)).status).toBe(200)

    await pay(fork.api)
    expect((await fork.send('POST', '/sandbox/clock/advance', { seconds: 3600 })).status).toBe(200)
    expect((await fork.send('GET', '/sandbox/clock')).json.offsetSeconds).toBe(3600)
    expect((await main.send('GET', '/sandbox/clock')).json.offsetSeconds).toBe(0)
    expect(await books(main)).toEqual(before)
    const after = await books(fork)
    await pay(main.api)
    expect(await books(fork)).toEqual(after)
    expect(after).not.toEqual(before)
    expect((await main.send('GET', '/sandbox/worlds')).json.data).toEqual([made.json])
    expect(await isSound(running)).toMatchObject({ sound: true })

    expect((await fork.send('DELETE', '/sandbox/worlds/one')).json).toMatchObject({
      details: { reason: 'WORLD_IN_USE' },
    })
    expect((await main.send('DELETE', '/sandbox/worlds/one')).status).toBe(204)
    expect((await fork.send('GET', '/config')).status).toBe(404)
    expect((await main.send('DELETE', '/sandbox/worlds/one')).status).toBe(404)
  }, 180_000)

  it('is refused where there is one, where there are too many, and where the name is none', async () => {
    const { send } = at(running)
    for (const name of ['', 'Main', 'a/b', '../x', 'a'.repeat(41)]) {
      expect((await send('POST', '/sandbox/worlds', { name })).status, name).toBe(400)
    }
    const reason = async (body: object) => (await send('POST', '/sandbox/worlds', body)).json.details
    expect(await reason({ name: 'main' })).toMatchObject({ reason: 'WORLD_EXISTS' })
    expect(await reason({ name: 'two', from: 'none' })).toMatchObject({ resourceType: 'SandboxSnapshot' })
    for (const name of ['two', 'three']) {
      expect((await send('POST', '/sandbox/worlds', { name })).status).toBe(201)
    }
    expect(await reason({ name: 'two' })).toMatchObject({ reason: 'WORLD_EXISTS' })
    expect(await reason({ name: 'four' })).toMatchObject({ reason: 'TOO_MANY_COPIES' })
    for (const path of [
      '/w/none/2025-10-13/config',
      '/w/',
      '/w/two',
      '/w/two/operator/platforms',
      '/w/two/metrics',
    ]) {
      const answer = await fetch(running.address + path, {
        headers: { authorization: `Bearer ${running.operatorKey}` },
      })
      expect(answer.status, path).toBe(404)
      expect(await answer.json(), path).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
    }
    expect((await at(running, 'main').send('GET', '/config')).status).toBe(200)
    await Promise.all(['two', 'three'].map((name) => send('DELETE', `/sandbox/worlds/${name}`)))
  }, 120_000)

  it('holds its webhooks until it has an endpoint of its own', async () => {
    const main = at(running)
    const [old, own] = [await endpoint(), await endpoint()]
    await main.send('PATCH', '/config', { webhookEndpoint: old.url })
    await pay(main.api)
    await vi.waitFor(async () => {
      const { json } = await main.send('GET', '/webhook-events?limit=100')
      expect(json.data.filter(({ status }: { status: string }) => status === 'QUEUED')).toEqual([])
    }, patient)
    const toldBefore = old.told.length
    await main.send('POST', '/sandbox/worlds', { name: 'held' })
    const fork = at(running, 'held')
    const payer = await pay(fork.api)
    const eventsOf = async () =>
      (await fork.send('GET', '/webhook-events?limit=100')).json.data.filter(
        ({ status }: { status: string }) => status === 'QUEUED',
      ) as { id: string }[]
    const waiting = await eventsOf()
    expect(waiting.length).toBeGreaterThan(2)
    // Whatever is due has been looked at once this is over.
    await fork.send('POST', '/sandbox/clock/advance', { seconds: 60 })
    expect((await eventsOf()).map(({ id }) => id)).toEqual(
      expect.arrayContaining(waiting.map(({ id }) => id)),
    )
    const told = (await fork.send('GET', `/explain/${waiting[0]!.id}`)).json
    expect([told.status.waitingFor, told.next]).toMatchObject(['PLATFORM', [{ doNow: 'PATCH /config' }]])
    // Nor is it tested: it would take that for a test of the world that it knows.
    for (const path of ['/sandbox/webhooks/test', '/webhooks/test']) {
      const test = await fork.send('POST', path)
      expect([test.status, test.json.code]).toEqual([400, 'WEBHOOK_ENDPOINT_NOT_SET'])
      // There is one to be seen with GET /config: the answer does not say that there is none.
      expect(test.json.message).toBe('No webhook endpoint is set.')
    }
    // Written otherwise it is the endpoint that it was.
    for (const written of [`${old.url}#fork`, old.url.replace('http', 'HTTP'), `${old.url}./`]) {
      expect((await fork.send('PATCH', '/config', { webhookEndpoint: written })).status, written).toBe(200)
      await fork.send('POST', '/sandbox/clock/advance', { seconds: 60 })
      expect((await fork.send('POST', '/webhooks/test')).json.code, written).toBe('WEBHOOK_ENDPOINT_NOT_SET')
    }
    expect(old.told.length).toBe(toldBefore)
    expect((await main.send('POST', '/sandbox/webhooks/test')).json.url).toBe(old.url)
    const toldOnce = old.told.length
    expect(toldOnce).toBe(toldBefore + 1)
    await fork.send('PATCH', '/config', { webhookEndpoint: own.url })
    expect((await fork.send('POST', '/webhooks/test')).json.url).toBe(own.url)
    await vi.waitFor(() => {
      const told = own.told.map(({ id }) => id)
      for (const { id } of waiting) expect(told).toContain(id)
    }, patient)
    expect(old.told.length).toBe(toldOnce)
    expect(payer).toMatch(/^Customer:/)
    await main.send('DELETE', '/sandbox/worlds/held')
    await main.send('PATCH', '/config', { webhookEndpoint: null })
  }, 120_000)

  it('is there after a restart, and gone when nobody asked it for a day', async () => {
    expect((await at(running).send('POST', '/sandbox/worlds', { name: 'kept' })).status).toBe(201)
    const payer = await pay(at(running, 'kept').api)
    await running.end()
    running = await start(settings)
    const { send } = at(running, 'kept')
    expect((await send('GET', `/customers/${payer}`)).status).toBe(200)
    running.later(23 * 3_600_000)
    expect((await send('GET', `/customers/${payer}`)).status).toBe(200)
    running.later(23 * 3_600_000)
    expect((await send('GET', `/customers/${payer}`)).status).toBe(200)
    running.later(12 * 3_600_000)
    // Whoever may not enter keeps nothing alive.
    expect((await fetch(`${at(running, 'kept').baseUrl}/config`)).status).toBe(401)
    running.later(12 * 3_600_000)
    await vi.waitFor(async () => {
      expect((await at(running).send('GET', '/sandbox/worlds')).json.data).toEqual([])
    }, patient)
    await vi.waitFor(async () => {
      running.later(600_000)
      expect((await at(running).send('GET', '/sandbox/worlds')).json.data).toEqual([])
    }, patient)
  }, 180_000)
})

describe('a snapshot', () => {
  let running: Running
  beforeAll(async () => {
    running = await start(await settingsOf())
  }, 180_000)

  it('brings back what was, and those who read the stream are told', async () => {
    const main = at(running)
    await pay(main.api)
    await main.send('POST', '/sandbox/clock/advance', { seconds: 60 })
    const before = await books(main)
    expect((await main.send('POST', '/sandbox/snapshots', { name: 'then' })).json).toMatchObject({
      name: 'then',
      of: 'main',
    })
    expect((await main.send('POST', '/sandbox/snapshots', { name: 'then' })).status).toBe(409)
    const names = (await main.send('GET', '/sandbox/snapshots')).json.data as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['start', 'then'])

    const gone = await pay(main.api)
    const { json: token } = await main.send('POST', '/tokens', { name: 'later', permissions: ['VIEW'] })
    await main.send('POST', '/sandbox/clock/advance', { seconds: 7200 })
    const stream = await fetch(`${main.baseUrl}/stream`, {
      headers: { ...main.headers, accept: 'text/event-stream' },
    })
    const told = stream.text()
    const restored = await main.send('POST', '/sandbox/snapshots/then/restore', undefined, {
      'idempotency-key': 'restore-1',
    })
    expect(restored).toMatchObject({ status: 200, json: { name: 'then' } })
    expect(await told).toContain('event: world.restored')
    expect(await books(main)).toEqual(before)
    expect((await main.send('GET', '/sandbox/clock')).json.offsetSeconds).toBe(60)
    expect((await main.send('GET', `/customers/${gone}`)).status).toBe(404)
    const revoked = await fetch(`${main.baseUrl}/config`, { headers: { authorization: basic(token) } })
    expect(revoked.status).toBe(401)

    // The same request again is the same restore, and undoes nothing.
    const later = await pay(main.api)
    const again = await main.send('POST', '/sandbox/snapshots/then/restore', undefined, {
      'idempotency-key': 'restore-1',
    })
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect((await main.send('GET', `/customers/${later}`)).status).toBe(200)
    expect(await isSound(running)).toMatchObject({ sound: true })
  }, 180_000)

  it('is not held up by whoever waits for a message of the inbox', async () => {
    const main = at(running)
    await main.send('POST', '/sandbox/snapshots', { name: 'waited' })
    const calls = Array.from({ length: 21 }, () => main.send('GET', '/sandbox/inbox/wait?seconds=25'))
    // All others wait once one is refused: twenty may.
    expect((await Promise.race(calls)).status).toBe(429)
    expect((await main.send('POST', '/sandbox/snapshots/waited/restore')).status).toBe(200)
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status === 200).map(({ json }) => json)).toEqual(Array(20).fill({}))
    await main.send('DELETE', '/sandbox/snapshots/waited')
  }, 120_000)

  it('is no more room to wait in for the platform that made it', async () => {
    const { send } = at(running)
    expect((await send('POST', '/sandbox/worlds', { name: 'more' })).status).toBe(201)
    const wait = (world?: string) => at(running, world).send('GET', '/sandbox/inbox/wait?seconds=25')
    const waiting = Array.from({ length: 21 }, (_, index) => wait(index % 2 ? 'more' : undefined))
    expect((await Promise.race(waiting)).status).toBe(429)
    for (const world of [undefined, 'more']) expect((await wait(world)).status).toBe(429)
    // Whoever waits in a world is answered when it is restored, and when it is removed.
    expect((await send('DELETE', '/sandbox/worlds/more')).status).toBe(204)
    expect((await send('POST', '/sandbox/reset')).status).toBe(200)
    await Promise.all(waiting)
  }, 60_000)

  it('is not held up by a request that a fault makes slow', async () => {
    const main = at(running)
    await main.send('POST', '/sandbox/snapshots', { name: 'slow' })
    const body = {
      target: 'API',
      kind: 'LATENCY',
      match: { operationId: 'listTokens' },
      params: { ms: 25_000 },
    }
    const fault = await main.send('POST', '/sandbox/faults', body)
    expect(fault.status).toBe(201)
    const slow = main.send('GET', '/tokens')
    await vi.waitFor(async () => {
      const { json } = await main.send('GET', `/sandbox/faults/${fault.json.id}`)
      expect(json.hits).toBe(1)
    }, patient)
    expect((await main.send('POST', '/sandbox/snapshots/slow/restore')).status).toBe(200)
    expect((await slow).status).toBe(200)
    await main.send('DELETE', '/sandbox/snapshots/slow')
  }, 120_000)

  it('is not held up by a request whose body does not come', async () => {
    const main = at(running)
    await main.send('POST', '/sandbox/snapshots', { name: 'unsaid' })
    const { hostname, port } = new URL(running.address)
    const socket = connect(Number(port), hostname)
    const isCut = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}))
    socket.write(
      'POST /console/session/start HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    // It is inside once the server has answered somebody who came after it.
    await main.send('GET', '/config')
    expect((await main.send('POST', '/sandbox/snapshots/unsaid/restore')).status).toBe(200)
    await isCut
    await main.send('DELETE', '/sandbox/snapshots/unsaid')
  }, 120_000)

  itOnServer(
    'lets nobody in again who has signed out, used a link up or left, and keeps those who came since',
    async () => {
      const main = at(running)
      const call = (method: string, path: string, more: Record<string, string>, body?: object) =>
        fetch(running.address + path, {
          method,
          headers: { 'x-corridor-console': '1', ...(body ? json : {}), ...more },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
      const asOperator = { authorization: `Bearer ${running.operatorKey}` }
      const signIn = async (by: Record<string, string>) => {
        const cookie = (await call('POST', '/console/session', by)).headers.get('set-cookie')!
        return { cookie: cookie.split(';')[0]! }
      }
      const isIn = async (cookie: { cookie: string }) =>
        (await call('GET', '/console/session', cookie)).status === 200
      const left = await signIn(asOperator)
      const { path } = (await (await call('POST', '/console/start-link', main.headers)).json()) as {
        path: string
      }
      const token = path.split('#t=')[1]!
      const useLink = () => call('POST', '/console/session/start', {}, { token })
      await main.send('POST', '/sandbox/snapshots', { name: 'people' })

      expect(await isIn(left)).toBe(true)
      expect((await call('DELETE', '/console/session', left)).status).toBe(204)
      expect((await useLink()).status).toBe(201)
      const since = await signIn(main.headers)
      const restored = await main.send('POST', '/sandbox/snapshots/people/restore')
      expect(restored.status).toBe(200)
      expect(await isIn(left)).toBe(false)
      expect((await useLink()).status).toBe(401)
      expect(await isIn(since)).toBe(true)
      expect((await call('GET', '/operator/me', asOperator)).status).toBe(200)
      await main.send('DELETE', '/sandbox/snapshots/people')
    },
    120_000,
  )

  itOnServer(
    'brings back no token that was revoked since, and no secret that was replaced',
    async () => {
      const main = at(running)
      const made = async (name: string) =>
        (await main.send('POST', '/tokens', { name, permissions: ['VIEW', 'MANAGE'] })).json
      const ask = async (token: { clientId: string; clientSecret: string }, world = '') =>
        (
          await fetch(`${running.address}${world}/${version}/config`, {
            headers: { authorization: basic(token) },
          })
        ).status
      const revoked = await made('revoked')
      const turned = await made('turned')
      const kept = await made('kept')
      await main.send('POST', '/sandbox/snapshots', { name: 'trusted' })
      expect((await main.send('DELETE', `/tokens/${revoked.id}`)).status).toBe(204)
      const rotated = await main.send('POST', `/tokens/${turned.id}/rotate`, { overlapSeconds: 0 })
      expect(rotated.status).toBe(200)

      expect((await main.send('POST', '/sandbox/worlds', { name: 'earlier', from: 'trusted' })).status).toBe(
        201,
      )
      expect(await ask(revoked, '/w/earlier')).toBe(401)
      expect(await ask(turned, '/w/earlier')).toBe(401)
      expect(await ask(kept, '/w/earlier')).toBe(200)
      await main.send('DELETE', '/sandbox/worlds/earlier')
      expect((await main.send('POST', '/sandbox/snapshots/trusted/restore')).status).toBe(200)
      expect([await ask(revoked), await ask(turned), await ask(kept)]).toEqual([401, 401, 200])
      expect(await ask({ ...turned, clientSecret: rotated.json.clientSecret })).toBe(200)
      // Where the copy does not know it yet, a later copy does.
      for (const snapshot of ['start', 'trusted']) {
        expect((await main.send('POST', `/sandbox/snapshots/${snapshot}/restore`)).status).toBe(200)
        expect([snapshot, await ask(revoked)]).toEqual([snapshot, 401])
      }
      expect(await ask(kept)).toBe(200)
      await main.send('DELETE', '/sandbox/snapshots/trusted')
    },
    120_000,
  )

  itOnServer(
    'makes no secret good again that was replaced, by two restores, and brings no pause or used code back',
    async () => {
      const main = at(running)
      const other = at(running, undefined, 'acme')
      const operate = async (path: string, body?: object) => {
        const response = await fetch(`${running.address}/operator${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${running.operatorKey}`, ...json },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return { status: response.status, json: (await response.json()) as { id: string; status: string } }
      }
      const pause = (rail: string) =>
        operate('/pauses', {
          environment: 'SANDBOX',
          rail,
          reasonCode: 'RAIL_UNAVAILABLE',
          reason: 'it is down',
        })
      const { json: turned } = await main.send('POST', '/tokens', { name: 'turned', permissions: ['VIEW'] })
      const ask = async (clientSecret: string) =>
        (
          await fetch(`${main.baseUrl}/config`, {
            headers: { authorization: basic({ ...turned, clientSecret }) },
          })
        ).status
      const customer = await createCustomer(main.api)
      const { json: agent } = await main.send('POST', '/agents', {
        name: 'Robot',
        customerId: customer.id,
        policy: policyOf(),
      })
      const redeem = () => main.send('POST', `/agents/device-codes/${agent.deviceCode.code}/redeem`)
      const lifted = await pause('ACH')
      expect(lifted.status).toBe(201)
      await other.send('POST', '/sandbox/snapshots', { name: 'held' })
      const rotated = await main.send('POST', `/tokens/${turned.id}/rotate`, { overlapSeconds: 0 })
      expect(rotated.status).toBe(200)
      expect((await redeem()).status).toBe(200)
      expect((await operate(`/pauses/${lifted.json.id}/lift`, {})).status).toBe(200)
      const since = await pause('SWIFT')
      expect(since.status).toBe(201)

      expect((await other.send('POST', '/sandbox/reset')).status).toBe(200)
      expect((await operate(`/pauses/${since.json.id}`)).json.status).toBe('IN_FORCE')
      expect((await other.send('POST', '/sandbox/snapshots/held/restore')).status).toBe(200)
      expect([await ask(turned.clientSecret), await ask(rotated.json.clientSecret)]).toEqual([401, 401])
      expect((await redeem()).status).toBe(400)
      expect((await operate(`/pauses/${lifted.json.id}`)).json.status).toBe('LIFTED')
      expect((await operate(`/pauses/${since.json.id}`)).json.status).toBe('IN_FORCE')
      expect((await operate(`/pauses/${since.json.id}/lift`, {})).status).toBe(200)
      await other.send('DELETE', '/sandbox/snapshots/held')
    },
    120_000,
  )

  itOnServer(
    'of a fork decides nothing for the main world, whose own no fork removes',
    async () => {
      const main = at(running)
      await main.send('POST', '/sandbox/snapshots', { name: 'baseline' })
      await main.send('POST', '/sandbox/worlds', { name: 'guest' })
      const guest = at(running, 'guest')
      const refused = { status: 409, json: { details: { reason: 'SNAPSHOT_OF_ANOTHER_WORLD' } } }
      expect(await guest.send('DELETE', '/sandbox/snapshots/baseline')).toMatchObject(refused)
      expect((await guest.send('POST', '/sandbox/snapshots', { name: 'baseline' })).status).toBe(409)
      expect((await guest.send('POST', '/sandbox/snapshots', { name: 'own' })).status).toBe(201)
      expect(await main.send('POST', '/sandbox/snapshots/own/restore')).toMatchObject(refused)
      expect(await guest.send('POST', '/sandbox/snapshots', { name: 'start' })).toMatchObject(refused)
      await main.send('POST', '/sandbox/worlds', { name: 'host' })
      expect(await guest.send('DELETE', '/sandbox/worlds/host')).toMatchObject({
        status: 409,
        json: { details: { reason: 'FORK_OF_ANOTHER_WORLD' } },
      })
      expect((await guest.send('POST', '/sandbox/worlds', { name: 'inner', from: 'own' })).status).toBe(201)
      expect((await guest.send('DELETE', '/sandbox/worlds/inner')).status).toBe(204)
      expect((await main.send('DELETE', '/sandbox/worlds/host')).status).toBe(204)
      expect((await guest.send('DELETE', '/sandbox/snapshots/own')).status).toBe(204)
      expect((await main.send('DELETE', '/sandbox/snapshots/baseline')).status).toBe(204)
      await main.send('DELETE', '/sandbox/worlds/guest')
    },
    120_000,
  )

  itOnServer(
    'of the main world takes no word of a fork for who may enter it',
    async () => {
      const main = at(running)
      const made = async (name: string) =>
        (await main.send('POST', '/tokens', { name, permissions: ['VIEW', 'MANAGE'] })).json
      const leaked = await made('leaked')
      const ours = await made('ours')
      await main.send('POST', '/sandbox/worlds', { name: 'old' })
      await main.send('DELETE', `/tokens/${leaked.id}`)
      await main.send('POST', '/sandbox/snapshots', { name: 'clean' })
      const by = async (
        credentials: { clientId: string; clientSecret: string },
        [method, world, path]: readonly [string, string, string],
        body?: object,
      ) => {
        const response = await fetch(`${running.address}/w/${world}/${version}${path}`, {
          method,
          headers: { authorization: basic(credentials), ...(body ? json : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return { status: response.status, json: await response.json() }
      }
      // There the one that leaked is good still, and may change the other more often than anybody did here.
      let turned = ours
      for (let n = 0; n < 3; n++) {
        const { json: answer } = await by(leaked, ['POST', 'old', `/tokens/${ours.id}/rotate`], {
          overlapSeconds: 0,
        })
        turned = { ...ours, clientSecret: answer.clientSecret }
      }
      const spy = await by(leaked, ['POST', 'old', '/sandbox/worlds'], { name: 'spy', from: 'clean' })
      expect(spy.status).toBe(201)
      for (const token of [leaked, turned]) {
        expect((await by(token, ['GET', 'spy', '/config'])).status).toBe(401)
      }
      expect((await by(ours, ['GET', 'spy', '/config'])).status).toBe(200)
      expect((await by(turned, ['POST', 'old', '/sandbox/snapshots/clean/restore'])).status).toBe(200)
      for (const token of [leaked, turned]) {
        expect((await by(token, ['GET', 'old', '/config'])).status).toBe(401)
      }
      for (const name of ['old', 'spy']) await main.send('DELETE', `/sandbox/worlds/${name}`)
      await main.send('DELETE', '/sandbox/snapshots/clean')
    },
    120_000,
  )

  it('is what a fork begins with, and what a fork is set back to', async () => {
    const main = at(running)
    await main.send('POST', '/sandbox/snapshots', { name: 'base' })
    const base = await books(main)
    await pay(main.api)
    expect((await main.send('POST', '/sandbox/worlds', { name: 'side', from: 'base' })).status).toBe(201)
    const side = at(running, 'side')
    expect(await books(side)).toEqual(base)
    await pay(side.api)
    const inMain = await books(main)
    expect((await side.send('POST', '/sandbox/snapshots/base/restore')).status).toBe(200)
    expect(await books(side)).toEqual(base)
    expect(await books(main)).toEqual(inMain)
    expect((await main.send('DELETE', '/sandbox/snapshots/base')).status).toBe(204)
    expect((await main.send('POST', '/sandbox/snapshots/base/restore')).status).toBe(404)
    await main.send('DELETE', '/sandbox/worlds/side')
  }, 120_000)

  it('is taken while payments are made, and every one of them is in it or not', async () => {
    const main = at(running)
    const paying = Promise.all(Array.from({ length: 6 }, () => pay(main.api)))
    await vi.waitFor(
      async () => expect((await main.send('POST', '/sandbox/worlds', { name: 'busy' })).status).toBe(201),
      patient,
    )
    const payers = await paying
    const fork = at(running, 'busy')
    const accounts = (await fork.send('GET', '/internal-account?limit=100&currency=USD')).json.data
    expect(payers.length).toBe(6)
    for (const { totalBalance } of accounts) expect([0, 90_000, 100_000]).toContain(totalBalance.amount)
    // What was under way when it was copied ends there too.
    await vi.waitFor(async () => {
      const { json } = await fork.send('GET', '/transactions?limit=100')
      const open = json.data.filter(({ status }: { status: string }) =>
        ['PENDING', 'PROCESSING'].includes(status),
      )
      expect(open).toEqual([])
    }, patient)
    await main.send('DELETE', '/sandbox/worlds/busy')
  }, 180_000)

  it.runIf(serverUrl)(
    'is put in place whole or not at all, when its restore is cut off between two names',
    async () => {
      const main = at(running)
      const payer = await pay(main.api)
      expect((await main.send('POST', '/sandbox/worlds', { name: 'cut' })).status).toBe(201)
      const fork = at(running, 'cut')
      expect((await fork.send('GET', `/customers/${payer}`)).status).toBe(200)
      const query = pg.Client.prototype.query
      for (const { send } of [main, fork]) {
        let renames = 0
        const spied = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
          this: pg.Client,
          ...given: unknown[]
        ) {
          if (/ rename to /.test(String(given[0])) && ++renames === 2) {
            ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
          }
          return query.apply(this, given as never) as never
        })
        const cut = await send('POST', '/sandbox/snapshots/start/restore').finally(() => spied.mockRestore())
        expect(cut.status).toBe(503)
        expect(renames).toBe(2)
        expect((await send('GET', `/customers/${payer}`)).status).toBe(200)
      }
      const names = (await main.send('GET', '/sandbox/worlds')).json.data as { name: string }[]
      expect(names.map(({ name }) => name)).toEqual(['cut'])
      expect((await fork.send('POST', '/sandbox/snapshots/start/restore')).status).toBe(200)
      expect((await fork.send('GET', `/customers/${payer}`)).status).toBe(404)
      expect((await main.send('DELETE', '/sandbox/worlds/cut')).status).toBe(204)
      expect((await main.send('GET', '/sandbox/worlds')).json.data).toEqual([])
    },
    180_000,
  )

  it.each([
    [
      'of a later release',
      "insert into corridor_migrations values ('9999_later.sql', 'x')",
      "delete from corridor_migrations where name = '9999_later.sql'",
    ],
    [
      'made with another master key',
      "update keyrings set id = 'of another ' || id",
      "update keyrings set id = substr(id, length('of another ') + 1)",
    ],
  ])(
    '%s is refused, and what was there is as it was',
    async (_, spoil, mend) => {
      const fresh = await start(await settingsOf())
      const main = at(fresh)
      const asLogin = (script: string) =>
        fresh.engine.database.asLogin((connection) => connection.script(script))
      await asLogin(spoil)
      expect((await main.send('POST', '/sandbox/snapshots', { name: 'spoilt' })).status).toBe(201)
      await asLogin(mend)
      const payer = await pay(main.api)
      expect((await main.send('POST', '/sandbox/worlds', { name: 'side' })).status).toBe(201)
      const side = at(fresh, 'side')
      const refused = { status: 409, json: { details: { reason: 'SNAPSHOT_NOT_USABLE' } } }
      for (const { api, send } of [main, side]) {
        expect(await send('POST', '/sandbox/snapshots/spoilt/restore')).toMatchObject(refused)
        expect((await send('GET', `/customers/${payer}`)).status).toBe(200)
        await pay(api)
      }
      expect(await main.send('POST', '/sandbox/worlds', { name: 'no', from: 'spoilt' })).toMatchObject(
        refused,
      )
      const names = (await main.send('GET', '/sandbox/worlds')).json.data as { name: string }[]
      expect(names.map(({ name }) => name)).toEqual(['side'])
      expect(await isSound(fresh)).toMatchObject({ sound: true })
      expect((await main.send('POST', '/sandbox/reset')).status).toBe(200)
      expect((await main.send('GET', `/customers/${payer}`)).status).toBe(404)
      await fresh.end()
    },
    180_000,
  )

  it('of the first start is what a reset goes back to', async () => {
    const main = at(running)
    expect((await main.send('POST', '/sandbox/reset')).json).toMatchObject({ name: 'start' })
    expect((await main.send('GET', '/customers')).json.totalCount).toBe(0)
    expect((await at(running, undefined, 'acme').send('GET', '/config')).status).toBe(200)
    await pay(main.api)
    expect(await isSound(running)).toMatchObject({ sound: true })
  }, 120_000)

  it('is none where a production platform is, and no restore takes one away', async () => {
    const { address, operatorKey } = running
    const made = await fetch(`${address}/operator/platforms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, ...json },
      body: JSON.stringify({ name: 'real', environment: 'PRODUCTION' }),
    })
    // The embedded database takes none at all.
    expect(made.status).toBe(serverUrl ? 201 : 409)
    if (!serverUrl) return
    const { send } = at(running)
    for (const [path, body] of [
      ['/sandbox/worlds', { name: 'x' }],
      ['/sandbox/snapshots', { name: 'x' }],
      ['/sandbox/snapshots/start/restore', undefined],
      ['/sandbox/reset', undefined],
    ] as const) {
      const answer = await send('POST', path, body)
      expect(answer, path).toMatchObject({ status: 409, json: { details: { reason: 'PRODUCTION_HERE' } } })
    }
  }, 60_000)
})

it.skipIf(serverUrl)(
  'a start after a restore that was killed between two names finds what was there',
  async () => {
    const settings = await settingsOf()
    const before = await start(settings)
    expect((await at(before).send('POST', '/sandbox/worlds', { name: 'side' })).status).toBe(201)
    const payers = [await pay(at(before).api), await pay(at(before, 'side').api)]
    await before.end()
    const directory = settings.CORRIDOR_DATA_DIR!
    for (const path of ['database', 'worlds/side/database']) {
      renameSync(join(directory, path), join(directory, `${path}.last`))
    }
    const after = await start(settings)
    expect((await at(after).send('GET', `/customers/${payers[0]}`)).status).toBe(200)
    expect((await at(after, 'side').send('GET', `/customers/${payers[1]}`)).status).toBe(200)
    expect((await at(after).send('POST', '/sandbox/reset')).status).toBe(200)
    expect((await at(after).send('GET', `/customers/${payers[0]}`)).status).toBe(404)
    await after.end()
  },
  180_000,
)

it.skipIf(serverUrl)(
  'a new installation listens once there is what it is reset to',
  async () => {
    const settings = await settingsOf()
    const kept = join(settings.CORRIDOR_DATA_DIR!, 'snapshots/start')
    const found: boolean[] = []
    const { listen } = Server.prototype
    const listening = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: Server,
      ...given
    ) {
      // The lock of the data directory is a listener too.
      if (typeof given[0] === 'object') found.push(existsSync(kept))
      return listen.apply(this, given as never)
    })
    try {
      const running = await start(settings)
      expect(found).toEqual([true])
      await running.end()
    } finally {
      listening.mockRestore()
    }
  },
  120_000,
)

it('a start after a restore that was killed before its copy was known to be usable finds what was there', async () => {
  const settings = await settingsOf()
  const before = await start(settings)
  for (const [path, name] of [
    ['/sandbox/snapshots', 'then'],
    ['/sandbox/worlds', 'side'],
  ] as const) {
    expect((await at(before).send('POST', path, { name })).status).toBe(201)
  }
  const payers = [await pay(at(before).api), await pay(at(before, 'side').api)]
  await before.end()
  for (const place of ['main', 'world/side'] as const) await leaveHalfRestored(settings, place)
  const after = await start(settings)
  expect((await at(after).send('GET', `/customers/${payers[0]}`)).status).toBe(200)
  expect((await at(after, 'side').send('GET', `/customers/${payers[1]}`)).status).toBe(200)
  const names = (await at(after).send('GET', '/sandbox/worlds')).json.data as { name: string }[]
  expect(names.map(({ name }) => name)).toEqual(['side'])
  expect((await at(after).send('POST', '/sandbox/snapshots/then/restore')).status).toBe(200)
  expect((await at(after).send('GET', `/customers/${payers[0]}`)).status).toBe(404)
  expect(await isSound(after)).toMatchObject({ sound: true })
  await after.end()
}, 180_000)

it.skipIf(!serverUrl)(
  'nothing is served of a copy that a killed restore has left, while what it replaced cannot be put back',
  async () => {
    const settings = await settingsOf()
    const before = await start(settings)
    expect((await at(before).send('POST', '/sandbox/snapshots', { name: 'then' })).status).toBe(201)
    const payer = await pay(at(before).api)
    await before.end()
    await leaveHalfRestored(settings, 'main')
    const other = new pg.Client(settings.DATABASE_URL)
    await other.connect()
    try {
      await expect(start(settings)).rejects.toThrow('A restore of the sandbox was interrupted')
    } finally {
      await other.end()
    }
    await expect(start({ ...settings, CORRIDOR_WORLDS: 'off' })).rejects.toThrow(StartRefused)
    const after = await start(settings)
    expect((await at(after).send('GET', `/customers/${payer}`)).status).toBe(200)
    await after.end()
  },
  180_000,
)

it.skipIf(!serverUrl)(
  'a restore that others refuse by being there leaves them what they have begun',
  async () => {
    const settings = await settingsOf()
    const running = await start(settings)
    const worker = new pg.Client(settings.DATABASE_URL)
    await worker.connect()
    try {
      await worker.query(
        `insert into jobs (platform_id, environment, id, kind, key, payload, run_at, due_at, created_at, attempts, claim)
         select platform_id, environment, gen_random_uuid(), 'of.worker', 'one', '{}', now(), now() + interval '1 minute',
           now(), 1, gen_random_uuid() from books limit 1`,
      )
      const lease = async () =>
        (await worker.query(`select claim, due_at from jobs where kind = 'of.worker'`)).rows
      const before = await lease()
      expect(await at(running).send('POST', '/sandbox/reset')).toMatchObject({
        status: 409,
        json: { details: { reason: 'OTHERS_CONNECTED' } },
      })
      expect(await lease()).toEqual(before)
    } finally {
      await worker.end()
    }
    await running.end()
  },
  120_000,
)

/** As it is where a process is killed once the copy is in place, and before it has been looked at. */
async function leaveHalfRestored(settings: Record<string, string>, place: 'main' | 'world/side') {
  const { CORRIDOR_DATA_DIR: directory = '', DATABASE_URL: url } = settings
  if (url === undefined) {
    const path = join(directory, place === 'main' ? 'database' : 'worlds/side/database')
    renameSync(path, `${path}.before`)
    cpSync(join(directory, 'snapshots/then/database'), path, { recursive: true })
    return
  }
  const main = new URL(url).pathname.slice(1)
  const copyName = (of: string) =>
    `corridor_copy_${createHash('sha256').update(`${main} ${of}`).digest('hex').slice(0, 24)}`
  const name = place === 'main' ? main : copyName(place)
  await admin(serverUrl!, `alter database "${name}" rename to "${copyName(`${place} before`)}"`)
  await admin(serverUrl!, `create database "${name}" template "${copyName('snapshot/then')}"`)
  if (place === 'main') return
  const about = { createdAt: Date.now(), from: 'main', heldEndpoints: [] }
  await admin(serverUrl!, `comment on database "${copyName(`${place} before`)}" is null`)
  await admin(
    serverUrl!,
    `comment on database "${name}" is '${JSON.stringify({ corridor: main, place, about })}'`,
  )
}

it('copies that tests make beside each other are made and removed, and none is left', async () => {
  const running = await start(await settingsOf({ CORRIDOR_MAX_WORLDS: '8' }))
  const main = at(running)
  const one = async (name: string) => {
    const made = await main.send('POST', '/sandbox/worlds', { name })
    const removed = await main.send('DELETE', `/sandbox/worlds/${name}`)
    return [made.status, removed.status]
  }
  const all = await Promise.all(Array.from({ length: 6 }, (_, index) => one(`beside-${index}`)))
  expect(all).toEqual(Array(6).fill([201, 204]))
  expect((await main.send('GET', '/sandbox/worlds')).json.data).toEqual([])
  await running.end()
}, 180_000)

itOnServer(
  'the command line runs a command in a copy, and removes it',
  async () => {
    const running = await start(await settingsOf())
    const main = at(running)
    const { clientId, clientSecret } = running.platforms.find(({ name }) => name === 'breeze')!
    const said: string[] = []
    const terminal = {
      ...processTerminal(),
      out: (text: string) => said.push(text),
      note: (text: string) => said.push(text),
      canAsk: false,
      environment: {
        CORRIDOR_BASE_URL: main.baseUrl,
        CORRIDOR_CLIENT_ID: clientId,
        CORRIDOR_CLIENT_SECRET: clientSecret,
      },
    }
    const program = `const { CORRIDOR_CLIENT_ID: id, CORRIDOR_CLIENT_SECRET: secret } = process.env
    const authorization = 'Basic ' + btoa(id + ':' + secret)
    fetch(process.env.CORRIDOR_BASE_URL + '/config', { headers: { authorization } })
    .then(({ status }) => process.exit(process.env.CORRIDOR_BASE_URL.endsWith('/w/t1/${version}') && status === 200 ? 7 : 1))`
    expect(
      await runCli(['fork', 't1', '--', process.execPath, '-e', program], terminal),
      said.join('\n'),
    ).toBe(7)
    const killed = `process.kill(process.pid, 'SIGTERM')`
    expect(await runCli(['fork', 't1', '--', process.execPath, '-e', killed], terminal)).toBe(143)
    expect(await runCli(['fork', 't1', '--', '/no/such/program'], terminal)).toBe(2)
    expect(said.at(-1)).toBe('✕ /no/such/program cannot be run: program not found.')
    expect((await main.send('GET', '/sandbox/worlds')).json.data).toEqual([])
    expect(await runCli(['fork', 't2'], terminal)).toBe(0)
    expect(said.at(-1)).toBe(`export CORRIDOR_BASE_URL=${running.address}/w/t2/${version}`)
    expect(await runCli(['snapshot', 'before'], terminal)).toBe(0)
    const payer = await pay(main.api)
    expect(await runCli(['restore', 'before'], terminal)).not.toBe(0)
    expect((await main.send('GET', `/customers/${payer}`)).status).toBe(200)
    expect(await runCli(['restore', 'before', '--yes'], terminal), said.join('\n')).toBe(0)
    expect((await main.send('GET', `/customers/${payer}`)).status).toBe(404)
    expect(await runCli(['reset', '--yes'], terminal)).toBe(0)
    await running.end()
  },
  180_000,
)

itOnServer(
  'the command line goes on listening where its sandbox is restored, and says that the cursor moved',
  async () => {
    const running = await start(await settingsOf())
    const main = at(running)
    const { clientId, clientSecret } = running.platforms.find(({ name }) => name === 'breeze')!
    const program = await endpoint()
    function listening(name: string) {
      const stopping = new AbortController()
      const notes: string[] = []
      const terminal = {
        ...processTerminal(),
        out: () => {},
        note: (text: string) => notes.push(text),
        untilStopped: () => stopping.signal,
        environment: {
          CORRIDOR_BASE_URL: main.baseUrl,
          CORRIDOR_CLIENT_ID: clientId,
          CORRIDOR_CLIENT_SECRET: clientSecret,
        },
      }
      const ended = runCli(['listen', '--forward-to', program.url, '--name', name], terminal)
      const says = (text: string) =>
        vi.waitFor(() => expect(notes).toContainEqual(expect.stringContaining(text)), patient)
      return { ended, says, stop: () => stopping.abort() }
    }
    const early = listening('early')
    await early.says('Listening as')
    expect((await main.send('POST', '/sandbox/snapshots', { name: 'then' })).status).toBe(201)
    const late = listening('late')
    await late.says('Listening as')
    const { json: token } = await main.send('POST', '/webhook-listeners', { name: 'third' })
    expect((await main.send('POST', '/sandbox/snapshots/then/restore')).status).toBe(200)
    const gone = await main.send('GET', `/webhook-listeners/${token.id}/deliveries?session=${token.session}`)
    expect(gone.status).toBe(404)
    await early.says('The sandbox was restored. The listener continues where it stopped')
    await late.says('The sandbox was restored. The listener starts now')

    await pay(main.api)
    const { json } = await main.send('GET', '/webhook-events?limit=100')
    const ids = (json.data as { id: string }[]).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(2)
    await vi.waitFor(() => {
      for (const id of ids) expect(program.told.filter((told) => told.id === id)).toHaveLength(2)
    }, patient)
    early.stop()
    late.stop()
    expect(await Promise.all([early.ended, late.ended])).toEqual([0, 0])
    await running.end()
  },
  180_000,
)

itOnServer(
  'an installation that is not set up for it makes no copies',
  async () => {
    const running = await start(await settingsOf({ CORRIDOR_WORLDS: 'off' }))
    const { send } = at(running)
    for (const path of ['/sandbox/worlds', '/sandbox/snapshots', '/sandbox/reset']) {
      const answer = await send('POST', path, path.endsWith('reset') ? undefined : { name: 'x' })
      expect(answer, path).toMatchObject({ status: 409, json: { details: { reason: 'WORLDS_OFF' } } })
    }
    expect((await at(running, 'x').send('GET', '/config')).status).toBe(404)
    await running.end()
  },
  120_000,
)
