import { routes } from '@corridor/engine/assembly/features.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  operatorKey,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { bearer, connectAgent, policyOf, send } from '../e2e/agent-api.ts'
import { business, onboarding, owner } from '../e2e/onboarding.ts'
import { basic, json } from '../e2e/raw-calls.ts'

/** A list asks the database as often for many rows as for two. */

const server = await openTestServer()

type Platform = Awaited<ReturnType<TestServer['platform']>>

let keys = 0
async function post(platform: Platform, path: string, body: object): Promise<{ id: string }> {
  const headers = { authorization: basic(platform), ...json, 'idempotency-key': `${++keys}` }
  const answer = await server.fetch(server.baseUrl + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const answered = (await answer.json()) as { id: string }
  expect(answer.status, `${path} ${JSON.stringify(answered)}`).toBe(201)
  return answered
}

/** Who holds cards, what a stablecoin is registered with, and one to operate on. */
async function issuer(platform: Platform, holder: string): Promise<Issuer> {
  const steps = onboarding(server, platform)
  const { api } = steps
  const { id: cardholder } = await steps.completePerson('Ana Lopez')
  expect((await steps.verify(cardholder)).response.status).toBe(200)
  await server.settle()
  const { id: spending } = await internalAccountOf(api, cardholder, 'USD')
  const provider = await link(platform, 0)
  const wallet = await createPayee(
    api,
    'SPARK',
    'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
  )
  const card = { cardholderId: cardholder, form: 'VIRTUAL', fundingSources: [spending] }
  const coin = await registerCoin(platform, provider, 0)
  return { card, provider, wallet, coin, agent: await connectAgent(server, platform, holder) }
}

interface Issuer {
  readonly card: object
  readonly provider: { id: string }
  readonly wallet: { id: string }
  readonly coin: { id: string }
  readonly agent: { id: string; token: string }
}

const link = (platform: Platform, number: number) =>
  post(platform, '/stablecoin-provider-accounts', {
    provider: 'BRALE',
    apiClientId: `client_${number}`,
    apiClientSecret: 'a-secret-nobody-may-see',
  })

const registerCoin = (platform: Platform, provider: { id: string }, number: number) =>
  post(platform, '/stablecoins', {
    stablecoinProviderAccountId: provider.id,
    providerTokenIdentifier: `acme${number}`,
    networkTokenIdentifier: `btkn1${'q'.repeat(9)}${'qpzry9x8'[number]}`,
    network: 'SPARK',
  })

const faultOf = (operationId: string) => ({ kind: 'ERROR', target: 'API', match: { operationId } })

/** Adds one of everything that lists show, to these customers. */
async function add(
  platform: Platform,
  holder: string,
  companyId: string,
  { card, provider, wallet, coin, agent }: Issuer,
  number: number,
): Promise<void> {
  const steps = onboarding(server, platform)
  const { api } = steps
  const usd = await internalAccountOf(api, holder, 'USD')
  await fund(api, usd.id, 10_000)
  const payee = await createPayee(api, 'PHP', `123456789${number}`, { customerId: holder })
  await createPayee(api, 'PHP', `987654321${number}`)
  await createQuote(api, quoteBody(usd, payee, 1_000, { immediatelyExecute: true }))
  const policy = policyOf({ approvalThresholds: { currency: 'USD', amount: 100 } })
  await post(platform, '/agents', { name: `agent ${number}`, customerId: holder, policy })
  const patched = await send(server, basic(platform), 'PATCH', `/agents/${agent.id}/policy`, policy)
  expect(patched.status).toBe(200)
  const bank = await createPayee(api, 'USD', `00012345600${number}`, { customerId: holder })
  for (const amount of [10, 200]) {
    const body = { source: { accountId: usd.id }, destination: { accountId: bank.id }, amount }
    expect((await send(server, bearer(agent.token), 'POST', '/agents/me/transfer-out', body)).status).toBe(
      201,
    )
  }
  await must(api.POST('/tokens', { body: { name: `token ${number}`, permissions: ['VIEW'] } }))
  const invited = { name: `operator ${number} of ${platform.platformId}`, role: 'VIEWER' }
  const operators = 'http://corridor.test/operator/operators'
  const asOperator = { authorization: `Bearer ${operatorKey}`, ...json }
  const body = JSON.stringify(invited)
  expect((await server.fetch(operators, { method: 'POST', headers: asOperator, body })).status).toBe(201)
  const pause = { environment: 'SANDBOX', reasonCode: 'OTHER', reason: 'a test' }
  const paused = JSON.stringify({ ...pause, platformId: platform.platformId, rail: pausedRails[number] })
  const pauses = 'http://corridor.test/operator/pauses'
  expect((await server.fetch(pauses, { method: 'POST', headers: asOperator, body: paused })).status).toBe(201)
  const signIn = { authorization: basic(platform), 'x-corridor-console': '1' }
  const session = 'http://corridor.test/console/session'
  expect((await server.fetch(session, { method: 'POST', headers: signIn })).status).toBe(201)
  await steps.uploaded(holder)
  await steps.addOwner({ ...owner(`Nord${number}`, companyId), ownershipPercentage: 10 })
  const { id } = await steps.completePerson('Ana Lopez001')
  expect((await steps.verify(id)).response.status).toBe(200)
  await server.settle()
  await post(platform, '/cards', card)
  await link(platform, number)
  await registerCoin(platform, provider, number)
  await post(platform, `/stablecoins/${coin.id}/mints`, {
    amount: `${number}000000`,
    fundingSource: { type: 'WIRE' },
    destination: { accountId: wallet.id },
  })
  const unknown = {
    currency: 'USD',
    amount: 700,
    railReference: `w-${number}`,
    reference: `NOBODY ${number}`,
  }
  await must(api.POST('/sandbox/inbound-payments', { body: { ...unknown, accountHolderName: 'Rosa Diaz' } }))
  await server.settle()
}

/** Nothing here is paid by them. */
const pausedRails = ['', 'PIX', 'SPEI', 'FAST', 'NEFT', 'RTGS', 'UPI']

interface Answer {
  readonly rows: number
  readonly statements: number
}

/** How many rows a list has, and how many statements its answer took. */
async function ask(platform: Platform, { token }: { token: string }, path: string): Promise<Answer> {
  const { database } = server.engine
  const { read, system } = database
  let statements = 0
  database.read = ((...asked: Parameters<typeof read>) => {
    statements++
    return read.apply(database, asked)
  }) as typeof read
  database.system = ((...asked: Parameters<typeof system>) => {
    statements++
    return system.apply(database, asked)
  }) as typeof system
  try {
    const isOperators = path.startsWith('/operator')
    const isAgents = path.startsWith('/agents/me')
    const authorization = isAgents ? bearer(token) : isOperators ? `Bearer ${operatorKey}` : basic(platform)
    const base = isOperators ? 'http://corridor.test' : server.baseUrl
    const answer = await server.fetch(`${base}${path}`, { headers: { authorization } })
    expect(answer.status, path).toBe(200)
    const { data } = (await answer.json()) as { data: unknown[] }
    return { rows: data.length, statements }
  } finally {
    Object.assign(database, { read, system })
  }
}

/** Operations that answer with a list. */
const lists = routes
  .filter(({ operation: { method, responses } }) => {
    const body = (responses as Record<number, { properties?: object } | null>)[200]
    return method === 'GET' && body?.properties !== undefined && 'totalCount' in body.properties
  })
  .map(({ operation }) => operation.path)

/** Lists whose rows have other makers: failures, messages, the installation. Their statements count as well. */
const notGrowing = [
  '/operator/endpoints',
  '/operator/events',
  '/operator/jobs',
  '/operator/messages',
  '/operator/pauses/{pauseId}/payments',
  '/operator/platforms',
  '/operator/proposals',
  '/operator/rails',
  '/operator/receivables',
  '/operator/stuck',
  '/operator/uma-positions',
  '/agents/me/internal-accounts',
  '/platform/internal-accounts',
  '/ledger/accounts',
  '/receivables',
  '/request-log',
  '/sandbox/inbox',
  '/uma-providers',
]

it('every list takes the same few statements for many rows as for two', async () => {
  const platform = await server.platform()
  const { api, create } = onboarding(server, platform)
  const holder = await createCustomer(api, { currencies: ['USD', 'EUR'] })
  const company = await create(business)
  const book = `?platformId=${platform.platformId}&environment=${platform.environment}`
  const queries: Record<string, string> = {
    '/beneficial-owners': `?customerId=${company.id}`,
    '/operator/events': book,
    '/operator/messages': book,
    '/operator/receivables': book,
    '/operator/suspense': book,
    // More than a page by then.
    '/webhook-events': '?limit=100',
  }
  const issued = await issuer(platform, holder.id)
  // Of a sandbox of their own: each request to it asks for its faults besides.
  const faulty = await server.platform()
  const fault = await post(faulty, '/sandbox/faults', faultOf('getSandboxClock'))
  const addHit = async () => {
    await post(faulty, '/sandbox/faults', faultOf('deleteTokenById'))
    expect((await send(server, basic(faulty), 'GET', '/sandbox/clock')).status).toBe(500)
  }
  // Open ones, which time ends: those of the last moment.
  const addOpenQuotes = async (count: number) => {
    const usd = await internalAccountOf(api, holder.id, 'USD')
    const payee = await createPayee(api, 'PHP', `55556666${count}`, { customerId: holder.id })
    for (let made = 0; made < count; made++) await createQuote(api, quoteBody(usd, payee, 1_000))
  }
  const askAll = async () => {
    const pauses = await server.fetch('http://corridor.test/operator/pauses', {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    const [pause] = ((await pauses.json()) as { data: { id: string }[] }).data
    const asked: [string, Answer][] = []
    for (const list of lists) {
      const path = list
        .replace('{stablecoinId}', issued.coin.id)
        .replace('{faultId}', fault.id)
        .replace('{pauseId}', pause!.id)
      const whose = list.startsWith('/sandbox/faults') ? faulty : platform
      asked.push([list, await ask(whose, issued.agent, `${path}${queries[list] ?? ''}`)])
    }
    return new Map(asked)
  }

  // Two and not one: the loads that requests share take a second statement for all that come after the first.
  for (const number of [1, 2]) await add(platform, holder.id, company.id, issued, number)
  for (const _ of [1, 2]) await addHit()
  await addOpenQuotes(2)
  // Of those under way it is asked when they are due.
  const account = await internalAccountOf(api, holder.id, 'USD')
  const slow = await createPayee(api, 'PHP', '1234567003', { customerId: holder.id })
  await createQuote(api, quoteBody(account, slow, 1_000, { immediatelyExecute: true }))
  await server.settle()
  const few = await askAll()
  for (const number of [3, 4, 5, 6]) await add(platform, holder.id, company.id, issued, number)
  for (const _ of [3, 4, 5, 6]) await addHit()
  await addOpenQuotes(6)
  const many = await askAll()
  expect(few.size).toBeGreaterThan(15)
  for (const [list, { rows, statements }] of many) {
    expect(statements, list).toBe(few.get(list)!.statements)
    // Payments and purchases with a card are loaded apart, after those that nobody has authorized were ended, and what is
    // due of those under way; so are the payments and quotes of actions. An agent is looked up each time.
    const most = list.endsWith('/transactions') ? 6 : /\/(actions|approvals)$/.test(list) ? 4 : 3
    const ofAgents = list.startsWith('/agents/me') ? 1 : 0
    expect(statements, list).toBeLessThanOrEqual(most + ofAgents)
    if (!notGrowing.includes(list)) expect(rows, list).toBeGreaterThan(few.get(list)!.rows + 3)
  }
})
