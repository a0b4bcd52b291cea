import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { silentLog } from '@corridor/kernel'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { startInstallation } from '../../apps/server/src/wiring.ts'
import {
  type ProvisionedPlatform,
  provisionPlatform,
} from '../../packages/engine/src/platform/platforms/index.ts'
import { freePort } from '../../packages/testkit/src/free-port.ts'
import { makeReceivable, makeReview, makeThings } from './samples.ts'

/** The built server on a data folder of its own, with platforms that hold what the checks look at. */
export interface CheckedInstallation {
  readonly origin: string
  /** Of a second person than who has proposed what waits. */
  readonly operatorKey: string
  /** One of each thing. */
  readonly full: ProvisionedPlatform
  readonly empty: ProvisionedPlatform
  /** Ten thousand payments. */
  readonly many: ProvisionedPlatform
  /** Payments with as many digits as there may be, in currencies with 0, 2 and 8 decimals. */
  readonly large: ProvisionedPlatform
  readonly production: ProvisionedPlatform
  /** Whoever is verified here is reviewed by a person. */
  readonly people: ProvisionedPlatform
  /** What happens while it is looked at happens here. */
  readonly busy: ProvisionedPlatform
  /** An id for each address that has one, by the address in the router. */
  readonly samples: Readonly<Record<string, string>>
  api(platform: ProvisionedPlatform): CorridorClient
  /** Ends the server as a crash does; what it answers starts it again where it was. */
  kill(): Promise<() => Promise<void>>
  close(): Promise<void>
}

export const manyPayments = 10_000
/** The largest amount there is, in minor units (`reference/currencies.ts`). */
export const largestMinor = 9_000_000_000_000_000n
export const largeCurrencies = ['VND', 'BTC', 'USD'] as const
export const nameWithMarkup = '<img src=x onerror="globalThis.pwned=1">'

export const environment = {
  CORRIDOR_RATE_LIMITS: 'off',
  CORRIDOR_SANDBOX_STEP_MS: '0',
  // The frame of production is looked at, too; this folder is thrown away.
  CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: 'on',
  CORRIDOR_LOG_LEVEL: 'error',
}

/** Rows of one kind: what is looked at is how many they are, or how long their amounts. */
const insertPayments = (platformId: string, count: number, amounts: string) => `
  insert into transactions (platform_id, environment, id, status, type, direction, owner_id,
    platform_customer_id, sent_amount, sent_currency, received_amount, received_currency, source,
    destination, sender_identifiers, receiver_identifiers, reference, flow, details, created_at, updated_at)
  select '${platformId}', 'SANDBOX', 'Transaction:' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || right('${platformId}', 12),
    (array['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED'])[1 + n % 4], 'INCOMING', 'CREDIT',
    'Customer:00000000-0000-7000-8000-' || lpad(to_hex(n % 100), 12, '0'), 'c-' || n % 100, ${amounts},
    '{"sourceType":"REALTIME_FUNDING","currency":"USD"}',
    '{"destinationType":"ACCOUNT","accountId":"InternalAccount:00000000-0000-7000-8000-000000000001","currency":"USD"}',
    '{}', '{}', 'REF-' || n, '{}', '{}', now() - n * interval '1 minute', now()
  from generate_series(1, ${count}) n;`

export async function prepareInstallation(): Promise<CheckedInstallation> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-console-checks-'))
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const platforms = await makePlatforms(directory)
  let server = await startBuilt(directory)
  const { origin } = server
  const api = (platform: ProvisionedPlatform) =>
    createClient({ baseUrl: `${origin}/2025-10-13`, ...platform })
  const close = async () => {
    server.child.kill()
    receiver.close()
    await Promise.race([once(server.child, 'exit'), wait(5_000)])
    rmSync(directory, { recursive: true, force: true })
  }
  const kill = async () => {
    const gone = once(server.child, 'exit')
    server.child.kill('SIGKILL')
    await gone
    return async () => {
      server = await startBuilt(directory, Number(new URL(origin).port))
    }
  }
  try {
    const { port } = receiver.address() as AddressInfo
    const samples = {
      ...(await makeSamples(api(platforms.full), `http://127.0.0.1:${port}/hooks`)),
      ...(await makeThings(origin, platforms.full)),
      '/receivables/$id': await makeReceivable(api(platforms.full)),
      '/reviews/$id': await makeReview(origin, platforms.people),
      '/platforms/$id': platforms.full.platformId,
    }
    const operatorKey = await makeProposal(origin, directory)
    return { origin, operatorKey, ...platforms, samples, api, kill, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** In this process, before the built server opens the folder: what no call of the API makes, or not so many of. */
async function makePlatforms(directory: string) {
  const config = {
    ...readConfig({ ...environment, CORRIDOR_DATA_DIR: directory }),
    port: 0,
    host: '127.0.0.1',
  }
  const { engine, stop } = await startInstallation(config, realWorld(silentLog), openDataDirectory(directory))
  const make = (name: string, environment: 'SANDBOX' | 'PRODUCTION' = 'SANDBOX', isRegulated = true) =>
    provisionPlatform(engine, { name, environment, isRegulated, skipPaperwork: isRegulated })
  const full = await make('Full')
  const empty = await make('Empty')
  const many = await make('Many')
  const large = await make('Large')
  const production = await make('Real', 'PRODUCTION')
  const busy = await make('Busy')
  const people = await make('People', 'SANDBOX', false)
  const codes = `(array['${largeCurrencies.join("','")}'])[n]`
  const amounts = `${largestMinor}, ${codes}, ${largestMinor}, ${codes}`
  await engine.database.asLogin((connection) =>
    connection.script(
      insertPayments(many.platformId, manyPayments, "100 * n, 'USD', 100 * n, 'USD'") +
        insertPayments(large.platformId, largeCurrencies.length, amounts),
    ),
  )
  await stop()
  return { full, empty, many, large, production, busy, people }
}

export async function startBuilt(
  directory: string,
  known?: number,
): Promise<{ child: ChildProcess; origin: string }> {
  const port = known ?? (await freePort())
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/server/dist/main.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      CORRIDOR_DATA_DIR: directory,
      PORT: String(port),
      HOST: '127.0.0.1',
    },
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error('the server ended: npm run build')
    await wait(50)
  }
  return { child, origin }
}

/** A payment that is paid and one that failed, a card, an agent, a payee: one of each that a page shows. */
async function makeSamples(api: CorridorClient, webhookEndpoint: string): Promise<Record<string, string>> {
  await kit.must(api.PATCH('/config', { body: { webhookEndpoint } as never }))
  const customer = await kit.createCustomer(api, { currencies: ['USD', 'EUR', 'BTC', 'VND'] })
  await kit.createCustomer(api, { fullName: nameWithMarkup })
  const account = await kit.internalAccountOf(api, customer.id, 'USD')
  await kit.fund(api, account.id, 5_000_00)
  const payee = await kit.createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const failing = await kit.createPayee(api, 'GBP', '12345004', { customerId: customer.id })
  const quotes = []
  for (const to of [failing, payee, payee]) {
    const quote = await kit.createQuote(api, kit.quoteBody(account, to, 100_00))
    await kit.must(kit.execute(api, quote.id))
    quotes.push(quote)
  }
  // The form offers payees: only the one that is paid stays among them.
  const gone = { params: { path: { externalAccountId: failing.id } } }
  await api.DELETE('/customers/external-accounts/{externalAccountId}', gone)
  const { id: cardId } = (await kit.must(
    api.POST(
      '/cards' as never,
      {
        body: { cardholderId: customer.id, form: 'VIRTUAL', fundingSources: [account.id] },
      } as never,
    ),
  )) as { id: string }
  const { agent } = (await kit.must(
    api.POST(
      '/agents' as never,
      {
        body: { name: 'Bookkeeper', customerId: customer.id, policy: agentPolicy },
      } as never,
    ),
  )) as { agent: { id: string } }
  const last = quotes.at(-1)!
  const transaction = { params: { path: { transactionId: last.transactionId } } }
  await until('a payment is paid and its event delivered', async () => {
    const { data } = await api.GET('/transactions/{transactionId}', transaction)
    const events = await kit.must(api.GET('/webhook-events', { params: { query: {} } }))
    return data?.status === 'COMPLETED' && events.data.some(({ status }) => status === 'DELIVERED')
  })
  const events = await kit.must(api.GET('/webhook-events', { params: { query: {} } }))
  const requests = await kit.must(api.GET('/request-log', { params: { query: {} } }))
  return {
    '/payments/$id': last.transactionId,
    '/quotes/$id': last.id,
    '/customers/$id': customer.id,
    '/accounts/$id': account.id,
    '/external-accounts/$id': payee.id,
    '/webhooks/$id': events.data[0]!.id,
    '/requests/$id': requests.data[0]!.requestId,
    '/ledger/$id': `avail:${account.id}`,
    '/ledger/journals/$id': `${last.transactionId}/convert`,
    '/cards/$id': cardId,
    '/agents/$id': agent.id,
  }
}

const agentPolicy = {
  permissions: ['CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 500_000 },
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`)
    await wait(50)
  }
}

/** A change that one operator has proposed and the other may approve; the key of the other. */
async function makeProposal(origin: string, directory: string): Promise<string> {
  const { operatorJoinCode } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
  const operate = async (path: string, body: object, key?: string) => {
    const authorization = key ? { authorization: `Bearer ${key}` } : {}
    const response = await fetch(`${origin}/operator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const first = await operate('join', { joinCode: operatorJoinCode })
  const invited = await operate('operators', { name: 'Bob', role: 'ADMINISTRATOR' }, first.key)
  const second = await operate('join', { joinCode: invited.joinCode })
  await operate('operators', { name: 'Cleo', role: 'ADMINISTRATOR' }, first.key)
  return second.key
}
