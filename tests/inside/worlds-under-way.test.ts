import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { createClient } from '@corridor/sdk/path-client.ts'
import { createMigratedDatabase, dropWithCopies } from '@corridor/testkit/database.ts'
import { createCustomer } from '@corridor/testkit/index.ts'
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import { afterAll, expect, it, vi } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { startInstallation } from '../../apps/server/src/wiring.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { sharedForms } from './shared-forms.ts'

/** What is under way while a sandbox is restored, on a server as it is started (docs/adr/0040). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const patient = { timeout: 60_000, interval: 20 }
/** How long a restore waits for what is under way, and whoever is at the door for it. */
const drainMs = 5_000

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

let made = 0
/** The settings of an empty installation, on the kind of database that this run tests. */
async function emptyInstallation(): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-worlds-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const settings = { CORRIDOR_DATA_DIR: directory, CORRIDOR_WORLDS: 'on', CORRIDOR_RATE_LIMITS: 'off' }
  if (!serverUrl) {
    layMigratedCluster(directory)
    return settings
  }
  const name = `corridor_under_way_${process.pid}_${made++}`
  const url = await createMigratedDatabase(serverUrl, name)
  undo.push(() => dropWithCopies(serverUrl, name))
  return { ...settings, DATABASE_URL: url }
}

/** A server on which nobody's patience ends by itself. */
async function start() {
  const settings = await emptyInstallation()
  const config = { ...readConfig(settings), port: 0, host: '127.0.0.1' }
  const real = realWorld(silentLog)
  const patience = new Set<() => void>()
  const world = {
    ...real,
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms < drainMs) return real.sleep(ms, signal)
      await new Promise<void>((resolve) => {
        const end = () => {
          patience.delete(end)
          resolve()
        }
        if (ms === drainMs) patience.add(end)
        signal?.addEventListener('abort', end)
        if (signal?.aborted) end()
      })
    },
  }
  const installation = await startInstallation(
    config,
    world,
    openDataDirectory(config.dataDirectory),
    sharedForms(config),
  )
  undo.push(() => installation.stop())
  const { platforms, operatorKey } = JSON.parse(
    readFileSync(join(config.dataDirectory, 'credentials.json'), 'utf8'),
  )
  const { clientId, clientSecret } = platforms[0]
  const baseUrl = `${installation.address}/2025-10-13`
  const headers = { authorization: basic({ clientId, clientSecret }) }
  return {
    api: createClient({ baseUrl, clientId, clientSecret }),
    waits: installation.engine.waits,
    async send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...(body ? json : {}), ...more },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      return { response, status: response.status, json: text === '' ? undefined : JSON.parse(text) }
    },
    /** Asks, and hands out how to hang up. */
    ask(path: string, more: Record<string, string> = {}, body?: object) {
      const over = new AbortController()
      const call = fetch(baseUrl + path, {
        method: 'POST',
        headers: { ...headers, ...(body ? json : {}), ...more },
        signal: over.signal,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch(() => {})
      return async () => {
        over.abort()
        await call
      }
    },
    /** Resolves once a call has its answer, for which nobody waits for others any longer. */
    async impatiently<T>(call: Promise<T>): Promise<T> {
      let isOver = false
      void call.finally(() => {
        isOver = true
      })
      await vi.waitFor(() => {
        for (const end of patience) end()
        expect(isOver).toBe(true)
      }, patient)
      return call
    },
    async audit() {
      const answer = await fetch(`${installation.address}/operator/audit`, {
        headers: { authorization: `Bearer ${operatorKey}` },
      })
      return answer.json()
    },
  }
}

/** An endpoint whose answer waits until it is let go. No platform has it: who configures one has it tested by the background too. */
async function slowEndpoint() {
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => held.push(() => response.end('ok')))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  undo.push(() => new Promise((closed) => server.close(closed)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    isAsked: () => vi.waitFor(() => expect(held).toHaveLength(1), patient),
    letGo() {
      for (const answer of held.splice(0)) answer()
    },
  }
}

it('no restore goes on beside a request that does, whoever has hung up; it is done once that has ended', async () => {
  const main = await start()
  const slow = await slowEndpoint()
  undo.push(() => slow.letGo())
  const { json: snapshot } = await main.send('POST', '/sandbox/snapshots', { name: 'beside' })
  const restore = '/sandbox/snapshots/beside/restore'

  const before = await createCustomer(main.api)
  const test = ['/sandbox/webhooks/test', { url: slow.url }] as const
  const other = main.send('POST', ...test)
  await slow.isAsked()
  const closing = vi.spyOn(main.waits, 'endAll')
  const key = { 'idempotency-key': 'hung-up' }
  const hangUp = main.ask(restore, key)
  await vi.waitFor(() => expect(closing).toHaveBeenCalled(), patient)
  await hangUp()
  const again = main.send('POST', restore, undefined, key)
  slow.letGo()
  expect(await other).toMatchObject({ status: 200, json: { response_status: 200 } })
  expect(await again).toMatchObject({ status: 200, json: snapshot })
  expect((await again).response.headers.get('idempotent-replayed')).toBe('true')
  expect((await main.send('GET', `/customers/${before.id}`)).status).toBe(404)

  const since = await createCustomer(main.api)
  const leave = main.ask(test[0], {}, test[1])
  await slow.isAsked()
  await leave()
  expect((await main.impatiently(main.send('POST', restore))).status).toBe(503)
  expect((await main.send('GET', `/customers/${since.id}`)).status).toBe(200)
  slow.letGo()
  expect((await main.send('POST', restore)).status).toBe(200)
  expect((await main.send('GET', `/customers/${since.id}`)).status).toBe(404)
  expect(await main.audit()).toMatchObject({ sound: true })
}, 180_000)

it('a restore waits for no endpoint that hangs: what is under way to it is broken off', async () => {
  const main = await start()
  const hanging = new Set<string>()
  let cut = 0
  let hangs = false
  const server = createServer((request, response) => {
    if (!hangs) return void response.end('ok')
    hanging.add(String(request.headers['x-webhook-id']))
    request.socket.once('close', () => cut++)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  undo.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect((await main.send('PATCH', '/config', { webhookEndpoint: url })).status).toBe(200)
  const { json: snapshot } = await main.send('POST', '/sandbox/snapshots', { name: 'before' })
  hangs = true
  const { id } = await createCustomer(main.api)
  const { json: accounts } = await main.send('GET', `/internal-account?customerId=${id}&currency=USD`)
  const fund = `/sandbox/internal-accounts/${accounts.data[0].id}/fund`
  expect((await main.send('POST', fund, { amount: 500 })).status).toBe(200)
  await vi.waitFor(() => expect(hanging.size).toBeGreaterThan(0), patient)

  const askedAt = performance.now()
  const restored = await main.send('POST', '/sandbox/snapshots/before/restore')
  expect(restored).toMatchObject({ status: 200, json: snapshot })
  // An attempt has half a minute, and nobody's patience ends here before.
  expect(performance.now() - askedAt).toBeLessThan(20_000)
  await vi.waitFor(() => expect(cut).toBeGreaterThanOrEqual(hanging.size), patient)
  expect((await main.send('GET', `/customers/${id}`)).status).toBe(404)
}, 120_000)
