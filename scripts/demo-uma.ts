import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '../packages/sdk/src/path-client.ts'
import { freePort } from '../packages/testkit/src/free-port.ts'

/**
 * Two institutions on this machine that pay each other by UMA address: `npm run demo:uma`. Each is a process of the server
 * with a data directory and a port of its own; `localhost:<port>` is its UMA domain. A customer with dollars pays one with
 * euros, and the other way round, with travel rule information. Ends with both audits and both bilateral positions; exit 0
 * when all of it held, else 1.
 */

const main = join(import.meta.dirname, '../apps/server/dist/main.js')
const patienceMs = 60_000
const version = '2025-10-13'

interface Institution {
  readonly name: string
  readonly domain: string
  readonly api: ReturnType<typeof createClient>
  operator<T>(method: string, path: string, body?: object): Promise<T>
  stop(): Promise<void>
}

async function demo(): Promise<void> {
  say('Two institutions on this machine that know nothing of each other but their domains.')
  const hooks = await approveEverything()
  const running: Institution[] = []
  try {
    for (const name of ['Aspen', 'Birch']) running.push(await start(name))
    const [aspen, birch] = running as [Institution, Institution]
    await introduce(aspen, birch, hooks.url)
    await introduce(birch, aspen, hooks.url)
    const ana = await customer(aspen, { user: 'ana', fullName: 'Ana Lopez', currency: 'USD' })
    const bruno = await customer(birch, { user: 'bruno', fullName: 'Bruno Weber', currency: 'EUR' })

    await pay(aspen, ana, { to: bruno, at: birch, amount: 100_00, lock: 'SENDING' })
    await pay(birch, bruno, { to: ana, at: aspen, amount: 35_00, lock: 'RECEIVING' })
    await agree(aspen, birch)
    say('\nBoth ledgers are sound, and each side owes what the other is owed.')
  } finally {
    await Promise.all(running.map((institution) => institution.stop()))
    hooks.close()
  }
}

/** A server of its own, up and empty. */
async function start(name: string): Promise<Institution> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-demo-uma-'))
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH ?? '',
      CORRIDOR_DATA_DIR: directory,
      HOST: 'localhost',
      PORT: String(port),
      // Another host than the UMA domain: no platform can have that of the service.
      CORRIDOR_BASE_URL: `http://127.0.0.1:${port}`,
      // Both speak to this machine alone; only there this is on by itself.
      CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: 'on',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    await end(child)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await ready(child)
  } catch (error) {
    await stop()
    throw error
  }
  const origin = `http://localhost:${port}`
  const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
  const platform = credentials.platforms.find(({ name: first }: { name: string }) => first === 'breeze')
  step(`${name} is up: ${origin}, UMA domain localhost:${port}`)
  return {
    name,
    domain: `localhost:${port}`,
    api: createClient({ baseUrl: `${origin}/${version}`, ...platform }),
    async operator<T>(method: string, path: string, body?: object) {
      const response = await fetch(`${origin}/operator/${path}`, {
        method,
        headers: { authorization: `Bearer ${credentials.operatorKey}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!response.ok)
        throw new Error(`${name}: ${path} answered ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    stop,
  }
}

async function ready(child: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`a server has not started:\n${log}`)))
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        if (log.length < 100_000) log += chunk
        if (log.includes('"msg":"ready"')) resolve()
      })
    }
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await gone
  clearTimeout(late)
}

/** The operator of one side lists the other, with how much it may owe; the platform takes its domain and its endpoint. */
async function introduce(own: Institution, other: Institution, webhookEndpoint: string): Promise<void> {
  const { data: platforms } = await own.operator<{ data: { id: string; name: string }[] }>('GET', 'platforms')
  const { id } = platforms.find(({ name }) => name === 'breeze')!
  const creditLineMsats = 10 ** 12
  await own.operator('PATCH', `platforms/${id}?environment=SANDBOX`, {
    settings: { umaPeers: [{ domain: other.domain, creditLineMsats }] },
  })
  await must(own.api.PATCH('/config', { body: { umaDomain: own.domain, webhookEndpoint } }))
  step(`${own.name} lists ${other.name} (${other.domain}), which may owe it up to 10 BTC`)
}

interface Account {
  readonly umaAddress: string
  readonly accountId: string
  readonly currency: string
}

async function customer(
  at: Institution,
  person: { readonly user: string; readonly fullName: string; readonly currency: 'USD' | 'EUR' },
): Promise<Account> {
  const { user, fullName, currency } = person
  const umaAddress = `$${user}@${at.domain}`
  const { id } = await must(
    at.api.POST('/customers', {
      body: { customerType: 'INDIVIDUAL', fullName, region: 'US', umaAddress, currencies: [currency] },
    }),
  )
  const { data } = await must(
    at.api.GET('/internal-account', { params: { query: { customerId: id, currency } } }),
  )
  const accountId = data[0]!.id
  const path = { accountId }
  const funded = await must(
    at.api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path },
      body: { amount: 500_00 },
    }),
  )
  step(`${fullName} at ${at.name}: ${umaAddress}, balance ${money(funded.balance)}`)
  return { umaAddress, accountId, currency }
}

async function pay(
  from: Institution,
  payer: Account,
  payment: {
    readonly to: Account
    readonly at: Institution
    readonly amount: number
    readonly lock: 'SENDING' | 'RECEIVING'
  },
): Promise<void> {
  const { to, at, amount, lock } = payment
  step(`${payer.umaAddress} pays ${to.umaAddress}`)
  const quote = await must(
    from.api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: payer.accountId },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: to.umaAddress, currency: to.currency },
        lockedCurrencySide: lock,
        lockedCurrencyAmount: amount,
      },
    }),
  )
  const sent = { amount: quote.totalSendingAmount, currency: quote.sendingCurrency }
  const received = { amount: quote.totalReceivingAmount, currency: quote.receivingCurrency }
  detail(`quote: ${money(sent)} leave, ${money(received)} arrive; ${at.name}'s platform was asked and agrees`)
  const before = await balance(at, to)
  await must(from.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await until(`the payment of ${from.name} is completed`, async () => {
    const path = { transactionId: quote.transactionId }
    const { status } = await must(from.api.GET('/transactions/{transactionId}', { params: { path } }))
    if (!['PENDING', 'PROCESSING', 'COMPLETED'].includes(status)) throw new Error(`the payment is ${status}`)
    return status === 'COMPLETED'
  })
  const arrived = (await balance(at, to)).amount - before.amount
  expect(arrived === received.amount, `${received.amount} arrive, not ${arrived}`)
  detail(`COMPLETED at ${from.name}; ${to.umaAddress} has ${money(await balance(at, to))}`)

  const { data: incoming } = await must(
    at.api.GET('/transactions', { params: { query: { type: 'INCOMING', limit: 1, sortOrder: 'desc' } } }),
  )
  const told = await at.operator<{ payerUma: string; info?: string }>(
    'GET',
    `transactions/${incoming[0]!.id}/travel-rule`,
  )
  expect(told.payerUma === payer.umaAddress && told.info !== undefined, 'the travel rule information opens')
  detail(`travel rule, decrypted by ${at.name}'s operator: ${told.info}`)
}

async function balance(at: Institution, { accountId }: Account) {
  const path = { id: accountId }
  return (await must(at.api.GET('/internal-accounts/{id}', { params: { path } }))).balance
}

/** Both ledgers add up, and the two positions are one number with two signs. */
async function agree(aspen: Institution, birch: Institution): Promise<void> {
  step('Both operators audit their ledger and read their position.')
  const owed: bigint[] = []
  for (const [own, other] of [
    [aspen, birch],
    [birch, aspen],
  ] as const) {
    const audit = await own.operator<{ sound: boolean; checkedTransfers: number; problems: unknown[] }>(
      'GET',
      'audit',
    )
    for (const problem of audit.problems) detail(JSON.stringify(problem))
    expect(audit.sound, `the ledger of ${own.name} is sound`)
    const { data } = await own.operator<{ data: { peerDomain: string; owedMsats: string }[] }>(
      'GET',
      'uma-positions',
    )
    const position = data.find(({ peerDomain }) => peerDomain === other.domain)
    expect(position !== undefined, `${own.name} has a position with ${other.name}`)
    owed.push(BigInt(position!.owedMsats))
    detail(
      `${own.name}: ${audit.checkedTransfers} transfers, sound; owes ${other.name} ${position!.owedMsats} msat`,
    )
  }
  expect(owed[0] !== 0n && owed[0] === -owed[1]!, 'both positions agree')
}

/** The endpoint of both platforms: it says yes to every incoming payment. */
async function approveEverything(): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://localhost:${port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await wait(50)) {
    if (Date.now() > deadline) throw new Error(`not within ${patienceMs / 1000} s: ${what}`)
  }
}

async function must<T>(
  answer: Promise<{ data?: T | undefined; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer
  if (data !== undefined) return data
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`)
}

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`expected that ${what}`)
}

interface Amount {
  readonly amount: number
  readonly currency: { readonly code: string; readonly decimals: number }
}

function money({ amount, currency: { code, decimals } }: Amount): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  const split = digits.length - decimals
  return `${digits.slice(0, split)}${decimals > 0 ? `.${digits.slice(split)}` : ''} ${code}`
}

let steps = 0
function step(text: string): void {
  say(`\n${++steps}. ${text}`)
}
function detail(text: string): void {
  say(`   ${text}`)
}
function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

demo().catch((error: unknown) => {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
