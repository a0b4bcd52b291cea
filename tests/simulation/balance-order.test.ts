import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedServer, startServer } from '../security/started-server.ts'

/**
 * Receivers of webhooks that do as docs/guides/webhooks.md says end with the balance that stands there, in whichever order
 * they get the events: on PostgreSQL from two processes of one installation, else from one process that serves many requests.
 */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const databaseName = `corridor_balance_order_${process.pid}`
const directory = mkdtempSync(join(tmpdir(), 'corridor-balance-order-'))
const customers = 4
const rounds = 6

interface Account {
  readonly id: string
  readonly version: number
  readonly updatedAt: string
  readonly balance: { readonly amount: number }
  readonly totalBalance: { readonly amount: number }
}
interface Heard {
  readonly type: string
  readonly data: Account
  readonly at: number
}

/** Answers every webhook, and keeps when it came. */
async function openReceiver() {
  const heard: Heard[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(200).end()
    const { type, data } = JSON.parse(body)
    if (type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED') heard.push({ type, data, at: Date.now() })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  return { heard, url, close: () => new Promise((resolve) => receiver.close(resolve)) }
}

describe('a receiver of webhooks', () => {
  const servers: StartedServer[] = []
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  beforeAll(async () => {
    buildServer()
    receiver = await openReceiver()
    const environment: Record<string, string> = {
      CORRIDOR_DATA_DIR: directory,
      CORRIDOR_RATE_LIMITS: 'off',
    }
    if (serverUrl) environment.DATABASE_URL = await createMigratedDatabase(serverUrl, databaseName)
    for (let index = 0; index < (serverUrl ? 2 : 1); index++) servers.push(await startServer(environment))
  }, 240_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await receiver?.close()
    rmSync(directory, { recursive: true, force: true })
    if (serverUrl) await admin(serverUrl, `drop database if exists ${databaseName} with (force)`)
  })

  let asked = 0
  /** Each request to the next process. */
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const { base, authorization } = servers[asked++ % servers.length]!
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: authorization('acme'), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBeLessThan(300)
    return answer
  }

  const stateOf = (id: string) => call('GET', `/internal-accounts/${id}`) as Promise<Account>

  async function openAccount(index: number): Promise<{ accountId: string; payeeId: string }> {
    const { id: customerId } = (await call('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      fullName: `Ana Lopez ${index}`,
      currencies: ['EUR'],
    })) as { id: string }
    const { data } = (await call('GET', `/internal-account?customerId=${customerId}&currency=EUR`)) as {
      data: Account[]
    }
    const { id: payeeId } = (await call('POST', '/customers/external-accounts', {
      customerId,
      currency: 'EUR',
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: 'DE89370400440532013000',
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: 'Greta Lindholm',
          birthDate: '1979-04-02',
          nationality: 'SE',
          countryOfResidence: 'SE',
        },
      },
    })) as { id: string }
    const accountId = data[0]!.id
    await call('POST', `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 })
    return { accountId, payeeId }
  }

  it('that keeps the larger version, or the later updatedAt, has the right balance at the end', async () => {
    await call('PATCH', '/config', { webhookEndpoint: receiver.url })
    const opened = await Promise.all(Array.from({ length: customers }, (_, index) => openAccount(index)))
    const change = ({ accountId, payeeId }: (typeof opened)[number], index: number) =>
      index % 2
        ? call('POST', `/sandbox/internal-accounts/${accountId}/fund`, { amount: 11 + index })
        : call('POST', '/transfer-out', {
            source: { accountId },
            destination: { accountId: payeeId },
            amount: 100 + index,
          })
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        opened.flatMap((each) => Array.from({ length: 8 }, (_, index) => change(each, index))),
      )
    }
    const changes = 1 + 8 * rounds
    const { heard } = receiver
    for (const { accountId } of opened) {
      const stands = await stateOf(accountId)
      expect(stands.version).toBe(1 + changes)
      await expect
        .poll(() => heard.filter(({ data }) => data.id === accountId).length, { timeout: 60_000 })
        .toBe(changes)
      const events = heard.filter(({ data }) => data.id === accountId)
      const byVersion = events.map(({ data }) => data).sort((a, b) => a.version - b.version)
      expect(byVersion.map(({ version }) => version)).toEqual(
        Array.from({ length: changes }, (_, n) => n + 2),
      )
      const times = byVersion.map(({ updatedAt }) => updatedAt)
      expect(times).toEqual([...new Set(times)].sort())
      for (const { data, at } of events) expect(Date.parse(data.updatedAt)).toBeLessThan(at + 1_000)
      expect(byVersion.at(-1)).toEqual(stands)
      for (let order = 0; order < 20; order++) expectFollowed(shuffled(byVersion, order), stands)
    }
  }, 240_000)
})

/** Both ways of the guide, event by event. */
function expectFollowed(events: readonly Account[], stands: Account): void {
  let newest = events[0]!
  let latest = events[0]!
  for (const event of events) {
    if (event.version > newest.version) newest = event
    if (event.updatedAt > latest.updatedAt) latest = event
  }
  expect([newest, latest]).toEqual([stands, stands])
}

/** In an order that its number tells. */
function shuffled<T>(values: readonly T[], seed: number): T[] {
  const left = [...values]
  let state = seed + 1
  return values.map(() => {
    state = (state * 48_271) % 2_147_483_647
    return left.splice(state % left.length, 1)[0]!
  })
}
