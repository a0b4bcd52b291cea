import { hostedPages, operations, plainPages } from '@corridor/engine/assembly/features.ts'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { streamBounds } from '@corridor/engine/mechanisms/outbox/event-streams.ts'
import type { Operation } from '@corridor/engine/vocabulary/operation.ts'
import { pagesForPeople } from '@corridor/hosted-pages/index.ts'
import {
  createCustomer,
  openTestDatabase,
  operatorKey,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer, connectAgent } from '../e2e/agent-api.ts'

/** A database that works, and whose standby confirms commits or does not. */
let isAway = false
let server: TestServer
let headers: Record<string, string>
let clientId: string
let platformId: string
let agentToken: string

beforeAll(async () => {
  const driver = await openTestDatabase()
  const confirm = async () => {
    if (isAway) throw new DatabaseUnavailable('AWAY', 'no standby has confirmed the log')
  }
  server = await startTestServer({ driver: { ...driver, confirm, whenDurable: confirm } })
  const platform = await server.platform()
  ;({ clientId, platformId } = platform)
  const { id } = await createCustomer(server.client(platform))
  agentToken = (await connectAgent(server, platform, id)).token
  headers = {
    authorization: `Basic ${btoa(`${clientId}:${platform.clientSecret}`)}`,
    'content-type': 'application/json',
  }
})
afterAll(() => {
  isAway = false
  return server.close()
})

/** Asks while the standby is away. */
async function statusWhileAway(path: string, init: RequestInit = { headers }): Promise<number> {
  isAway = true
  try {
    return (await server.fetch(path, init)).status
  } finally {
    isAway = false
  }
}

const customer = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ana Lopez', currencies: ['USD'] })
const creation = (key: string) => ({
  method: 'POST',
  headers: { ...headers, 'idempotency-key': key },
  body: customer,
})

it('shows no row, list or error without a confirmation, and tells the caller when to come back', async () => {
  const made = await server.fetch(`${server.baseUrl}/customers`, creation('a'))
  const { id } = (await made.json()) as { id: string }
  const unknown = 'Customer:0199dd6c-0000-7000-8000-000000000000'
  for (const path of [`/customers/${id}`, `/customers/${unknown}`, '/customers']) {
    expect(await statusWhileAway(server.baseUrl + path)).toBe(503)
  }
  isAway = true
  const response = await server.fetch(`${server.baseUrl}/customers`, { headers })
  isAway = false
  expect(response.headers.get('retry-after')).not.toBeNull()
})

it('replays nothing without a confirmation, and the same response with one', async () => {
  const made = await server.fetch(`${server.baseUrl}/customers`, creation('b'))
  expect(await statusWhileAway(`${server.baseUrl}/customers`, creation('b'))).toBe(503)
  const again = await server.fetch(`${server.baseUrl}/customers`, creation('b'))
  expect([again.status, await again.text()]).toEqual([made.status, await made.text()])
})

it('shows pages for people and other institutions only with a confirmation', async () => {
  const page = `http://corridor.test/.well-known/webhook-public-key?platform=${clientId}`
  expect((await server.fetch(page)).status).toBe(200)
  expect(await statusWhileAway(page, {})).toBe(503)
})

it('shows operators the installation, also while the standby is away', async () => {
  const operator = { headers: { authorization: 'Bearer test-operator-key' } }
  expect(await statusWhileAway('http://corridor.test/operator/platforms', operator)).toBe(200)
})

it('responds to what it has committed: the commit confirms what it was decided from', async () => {
  expect(await statusWhileAway(`${server.baseUrl}/customers`, creation('c'))).toBe(201)
})

/** An address of a route that names nothing that exists. */
const addressOf = (route: string) => route.replace(/\{\w+\}|:\w+/g, 'none')

it('sends no response of any operation without a confirmation, except to operators who read', async () => {
  const credentials: Readonly<Record<Operation['auth'], Record<string, string>>> = {
    basic: { authorization: headers.authorization! },
    agent: { authorization: bearer(agentToken) },
    operator: { authorization: bearer(operatorKey) },
    console: { authorization: bearer(operatorKey), 'x-corridor-console': '1' },
    none: {},
  }
  const sent: string[] = []
  for (const { id, auth, method, path } of operations) {
    const base =
      path.startsWith('/operator/') || path.startsWith('/console/') ? 'http://corridor.test' : server.baseUrl
    const status = await statusWhileAway(base + addressOf(path), { method, headers: credentials[auth] })
    const isLook = method === 'GET' && (auth === 'operator' || auth === 'console')
    if (status !== 503 && !isLook) sent.push(`${id} ${status}`)
  }
  expect(sent).toEqual([])
})

it('shows no page that the database has a part in without a confirmation', async () => {
  const pages = [
    ...plainPages.map(({ path }) => ({ path, method: 'GET' })),
    ...hostedPages,
    ...pagesForPeople,
  ]
  const shown: string[] = []
  for (const { path, method = 'GET' } of pages) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = method === 'POST' ? { method, headers: form, body: '' } : {}
    const status = await statusWhileAway(`http://corridor.test${addressOf(path)}`, init)
    if (status < 500) shown.push(`${method} ${path} ${status}`)
  }
  expect(shown).toEqual([])
})

it('keeps no place for a stream that it could not confirm', async () => {
  const path = `${server.baseUrl}/stream`
  const init = { headers: { ...headers, accept: 'text/event-stream' } }
  for (let count = 0; count < streamBounds.ofBook; count++)
    expect(await statusWhileAway(path, init)).toBe(503)
  const reader = server.engine.eventStreams.open({ platformId, environment: 'SANDBOX' }, undefined)
  expect(reader).toBeDefined()
  reader?.destroy()
})
