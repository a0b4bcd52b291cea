import { operations } from '@corridor/engine/assembly/features.ts'
import type { ProvisionedPlatform } from '@corridor/engine/platform/platforms/index.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import document from '../../openapi/openapi.json' with { type: 'json' }
import { bearer, connectAgent, policyOf } from '../e2e/agent-api.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { scaCalls } from '../e2e/sca-api.ts'
import { signed, walletClient } from '../e2e/wallet-client.ts'
import { operationsOf, type PublishedDocument, type Schema, valuesFor } from './generated-values.ts'

/**
 * Every operation, with ids of another platform wherever an id can stand: the answer is that to an id nobody has
 * (conventions 2.6), and nothing of the other platform has changed. A parameter or a kind of id that is not in
 * the table below fails, so that a new operation is attacked too.
 */

const published = document as unknown as PublishedDocument
const server = await openTestServer()
let victim: ProvisionedPlatform
let attacker: ProvisionedPlatform
/** Ids of the victim by kind. */
const ids = new Map<string, string>()
/** A device code of the victim's that nobody has redeemed, and an invitation that nobody has claimed. */
const codes = { deviceCode: '', invitation: '' }
/** Of another platform, and of another customer of the victim's. */
const agentsOfOthers: string[] = []
/** An agent of the victim's with everything allowed, what it alone may name, and what it may lose. */
const owner = { token: '', quoteId: '', spareAccountId: '' }
let attacks = 0
const unknown = '0199dd6c-0000-7000-8000-000000000000'

beforeAll(async () => {
  victim = await server.platform({ isRegulated: true })
  attacker = await server.platform()
  const api = server.client(victim)
  const customer = await createCustomer(api, { currencies: ['USD', 'EUR'] })
  const account = await internalAccountOf(api, customer.id!, 'USD')
  await fund(api, account.id, 100_000)
  const payee = await createPayee(api, 'MXN', '032180000118359719', { customerId: customer.id! })
  const quote = await createQuote(api, quoteBody(account, payee, 1_000))
  await execute(api, quote.id)
  await server.settle()
  const business = await must(
    api.POST('/customers', {
      body: {
        customerType: 'BUSINESS',
        businessInfo: {
          legalName: 'Acme Ltd',
          country: 'US',
          taxId: '12-3456789',
          incorporatedOn: '2015-01-01',
        },
      } as never,
    }),
  )
  const { data: transactions } = await must(api.GET('/transactions'))
  const { data: tokens } = await must(api.GET('/tokens'))
  const config = await must(api.GET('/config'))
  for (const id of [
    customer.id!,
    account.id,
    payee.id,
    quote.id,
    transactions[0]!.id,
    tokens[0]!.id,
    config.id,
  ]) {
    ids.set(id.split(':')[0]!, id)
  }
  ids.set('Business', business.id!)
  ids.set('Job', `Job:${await importOf()}`)
  const nowhere = { customerId: 'Customer:nobody' }
  const fault = await created('/sandbox/faults', { kind: 'ERROR', target: 'API', match: nowhere })
  ids.set('Fault', fault.id)
  for (const [kind, path] of [
    ['Document', '/documents'],
    ['BeneficialOwner', '/beneficial-owners'],
    ['Verification', '/verifications'],
  ] as const) {
    const made = await make[kind](business.id!, customer.id!)
    expect([200, 201], `${path} ${made.text}`).toContain(made.status)
    ids.set(kind, JSON.parse(made.text).id)
  }
  const sca = scaCalls(api)
  const german = await createCustomer(api, { region: 'DE' } as never)
  const reset = await sca.startReset(german.id, 'SMS_OTP')
  expect(reset.status).toBe(201)
  ids.set('ScaReset', reset.body.resetId)
  await makeWallet(api)
  await makeStablecoin()
  const agent = await connectAgent(server, victim, customer.id)
  ids.set('Agent', agent.id)
  const unredeemed = await created('/agents', { name: 'Robot', customerId: customer.id, policy: policyOf() })
  codes.deviceCode = unredeemed.deviceCode.code
  codes.invitation = (await created('/invitations', { inviterUma: customer.umaAddress })).code
  await server.settle()
  const asking = await connectAgent(
    server,
    victim,
    customer.id,
    policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }),
  )
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const asked = await asking.call('POST', '/transfer-out', {
    source: { accountId: account.id },
    destination: { accountId: bank.id },
    amount: 100,
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  ids.set('AgentAction', asked.body.id)
  const quoted = await asking.call('POST', '/quotes', quoteBody(account, payee, 1_000))
  expect(quoted.status, JSON.stringify(quoted.body)).toBe(201)
  const spare = await createPayee(api, 'USD', '000123456777', { customerId: customer.id })
  Object.assign(owner, { token: asking.token, quoteId: quoted.body.id, spareAccountId: spare.id })
  const stranger = await createCustomer(server.client(attacker))
  const neighbour = await createCustomer(api)
  agentsOfOthers.push((await connectAgent(server, attacker, stranger.id)).token)
  agentsOfOthers.push((await connectAgent(server, victim, neighbour.id)).token)
  await server.settle()
  const { text } = await raw(victim, 'GET', '/webhook-events?limit=1')
  ids.set('Webhook', JSON.parse(text).data[0].id)
  // Callers may give their requests ids.
  ids.set('Request', 'Request:0199dd6c-0000-7000-8000-0000000000aa')
  await raw(victim, 'GET', '/config', undefined, { 'x-request-id': ids.get('Request')! })
  ids.set('WebhookListener', (await created('/webhook-listeners', { name: 'lap-1' })).id)
})

async function created(path: string, body: object, headers = {}) {
  const { status, text } = await raw(victim, 'POST', path, body, headers)
  expect([200, 201, 202], `${path} ${text}`).toContain(status)
  return JSON.parse(text)
}

/** A card that a wallet pays, a session of its owner and a key that signs for it. */
async function makeWallet(api: ReturnType<TestServer['client']>) {
  const client = await walletClient(server, { platform: victim, email: 'jane@larch.example' })
  const usd = await internalAccountOf(api, client.customer.id, 'USD')
  await fund(api, usd.id, 100_000)
  const { key } = await client.otpSession()
  const list = async (path: string) =>
    JSON.parse((await raw(victim, 'GET', `${path}?accountId=${client.wallet.id}`)).text).data[0].id
  ids.set('AuthMethod', await list('/auth/credentials'))
  ids.set('Session', await list('/auth/sessions'))
  const card = await created('/cards', {
    cardholderId: client.customer.id,
    form: 'VIRTUAL',
    fundingSources: [client.wallet.id],
  })
  await server.settle()
  ids.set('Card', card.id)
  const body = { cardId: card.id, internalAccountId: client.wallet.id, nickname: 'Key' }
  const first = await client.call('POST', '/auth/delegated-keys', body)
  const second = await client.call('POST', '/auth/delegated-keys', body, await signed(first, key))
  await client.call('POST', '/auth/delegated-keys', body, await signed(second, key))
  ids.set('DelegatedKey', await list('/auth/delegated-keys'))
}

async function makeStablecoin() {
  const link = await created(
    '/stablecoin-provider-accounts',
    {
      provider: 'BRALE',
      apiClientId: 'client_1',
      apiClientSecret: 'a-secret-nobody-may-see',
    },
    { 'idempotency-key': 'link' },
  )
  ids.set('StablecoinProviderAccount', link.id)
  const coin = await created(
    '/stablecoins',
    {
      providerTokenIdentifier: 'TOKEN1',
      networkTokenIdentifier: 'btkn1qqqqqqqqqq',
      network: 'SPARK',
    },
    { 'idempotency-key': 'coin' },
  )
  ids.set('Stablecoin', coin.id)
  const wallet = await createPayee(
    server.client(victim),
    'SPARK',
    'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
  )
  const mint = await created(
    `/stablecoins/${coin.id}/mints`,
    { amount: '10000', fundingSource: { type: 'WIRE' }, destination: { accountId: wallet.id } },
    { 'idempotency-key': 'mint' },
  )
  ids.set('StablecoinOperation', mint.id)
}

async function importOf(): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['a,b\n1,2\n']), 'a.csv')
  const { text } = await raw(victim, 'POST', '/customers/bulk/csv', form)
  return JSON.parse(text).jobId.split(':')[1]
}

const make = {
  Document(_business: string, customer: string) {
    const form = new FormData()
    for (const [name, value] of Object.entries({
      documentHolder: customer,
      documentType: 'PASSPORT',
      country: 'US',
    })) {
      form.append(name, value)
    }
    form.append('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'a.pdf')
    return raw(victim, 'POST', '/documents', form)
  },
  BeneficialOwner(business: string) {
    return raw(victim, 'POST', '/beneficial-owners', {
      customerId: business,
      roles: ['UBO'],
      ownershipPercentage: 40,
      personalInfo: {
        firstName: 'Jane',
        lastName: 'Smith',
        birthDate: '1980-01-01',
        nationality: 'US',
        email: 'jane@example.com',
        phoneNumber: '+14155551234',
        address: { line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
        idType: 'SSN',
        identifier: '123-45-6789',
      },
    })
  },
  Verification(business: string) {
    return raw(victim, 'POST', '/verifications', { customerId: business })
  },
}

async function raw(
  as: ProvisionedPlatform,
  method: string,
  path: string,
  body?: FormData | object,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await server.fetch(server.baseUrl + path, {
    method,
    headers: { authorization: basic(as), ...(body && !(body instanceof FormData) ? json : {}), ...headers },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Of which kind the ids are that stand in a path. */
const kindOfParameter: Readonly<Record<string, string>> = {
  faultId: 'Fault',
  accountId: 'InternalAccount',
  actionId: 'AgentAction',
  agentId: 'Agent',
  beneficialOwnerId: 'BeneficialOwner',
  customerId: 'Customer',
  documentId: 'Document',
  eventId: 'Webhook',
  externalAccountId: 'ExternalAccount',
  id: 'InternalAccount',
  jobId: 'Job',
  listenerId: 'WebhookListener',
  quoteId: 'Quote',
  requestId: 'Request',
  resetId: 'ScaReset',
  tokenId: 'Token',
  transactionId: 'Transaction',
  stablecoinId: 'Stablecoin',
  stablecoinOperationId: 'StablecoinOperation',
  stablecoinProviderAccountId: 'StablecoinProviderAccount',
  verificationId: 'Verification',
}
/** Where the name of a parameter does not say it. */
const kindOfPath: readonly (readonly [RegExp, string])[] = [
  [/receiver\/external/, 'ExternalAccount'],
  [/\/cards\/\{id\}/, 'Card'],
  [/^\/auth\/credentials\/\{id\}/, 'AuthMethod'],
  [/^\/auth\/sessions\/\{id\}/, 'Session'],
  [/^\/auth\/delegated-keys\/\{id\}/, 'DelegatedKey'],
]
/** No ids of ours: names of everybody, and what an authenticator calls itself beside the customer's id. */
const names = [
  'receiverUmaAddress',
  'credentialId',
  // Of copies of the whole installation, which hold every platform (ADR 40) and are nobody's alone.
  'name',
]
/** What whoever has the code may do, by design: reading and claiming an invitation, connecting an agent. */
const forHolders = ['getInvitation', 'claimInvitation', 'redeemAgentDeviceCode']
/** Codes that nobody has. */
const unknownCodes = { code: 'SVC-AGENT-AAAA-AAAA', invitationCode: 'ffffffff' }

const idPattern =
  /\b([A-Z][A-Za-z]+):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|SVC-AGENT-AAAA-AAAA|\bffffffff\b/g

/** The same text with ids and codes of the victim, or with those that nobody has. */
function withIds(text: string, isAttack: boolean, known: ReadonlyMap<string, string> = ids): string {
  return text.replace(idPattern, (id, kind: string | undefined) => {
    const real = { [unknownCodes.code]: codes.deviceCode, [unknownCodes.invitationCode]: codes.invitation }
    if (kind === undefined) return isAttack ? real[id]! : id
    return isAttack ? (known.get(kind) ?? `${kind}:${unknown}`) : `${kind}:${unknown}`
  })
}

/** Everything the victim has, as it sees it itself. */
async function stateOfVictim(): Promise<string> {
  const paths = [
    '/config',
    '/customers',
    '/customers/internal-accounts',
    '/customers/external-accounts',
    '/platform/external-accounts',
    '/platform/internal-accounts',
    '/transactions',
    '/tokens',
    '/documents',
    `/beneficial-owners?customerId=${ids.get('Business')}`,
    '/verifications',
    '/cards',
    '/stablecoins',
    '/stablecoin-provider-accounts',
    `/quotes/${ids.get('Quote')}`,
    '/agents',
    '/agents/approvals',
    `/agents/device-codes/${codes.deviceCode}/status`,
    `/invitations/${codes.invitation}`,
    '/sandbox/clock',
  ]
  const answers: string[] = []
  for (const path of paths)
    answers.push((await raw(victim, 'GET', path)).text.replace(/"(now|offsetMs)":[^,}]+/g, ''))
  return answers.join('\n')
}

const published_ = operationsOf(published)

it('attacks every operation of the table', () => {
  expect(new Set(published_.map(({ operation }) => operation.operationId))).toEqual(
    // Those of operators, whoever they are yet to be, know no platforms to keep apart; sessions of the console are
    // attacked in console-sessions.test.ts.
    new Set(operations.filter(({ path }) => !/^\/(operator|console)\//.test(path)).map(({ id }) => id)),
  )
})

const takingIds = published_.filter(
  ({ operation: { parameters = [], requestBody } }) =>
    parameters.some(({ in: place }) => place === 'path' || place === 'query') || requestBody,
)

describe.each(takingIds.map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s',
  (_name, { method, path, operation }) => {
    const { parameters = [], requestBody } = operation

    it('does not know ids of another platform, or of another customer for an agent', async () => {
      const before = await stateOfVictim()
      const schema =
        requestBody?.content['application/json']?.schema ??
        requestBody?.content['multipart/form-data']?.schema
      const isForm = requestBody?.content['multipart/form-data'] !== undefined
      const declared = operations.find(({ id }) => id === operation.operationId)!.example
      const bodies: unknown[] = schema
        ? [
            ...(declared ? [declared] : []),
            ...(declared && has(schema, 'customerId')
              ? [{ ...declared, customerId: `Customer:${unknown}` }]
              : []),
            ...fc.sample(valuesFor(schema, published, false), { numRuns: 4, seed: 7 }),
          ]
        : [undefined]
      const filters = parameters.filter(
        ({ in: place, schema: { pattern } }) => place === 'query' && /:\[0-9a-f\]/.test(pattern ?? ''),
      )
      const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
        if (names.includes(name)) return '$ana@example.com'
        if (name === 'ledgerAccountId') return `avail:InternalAccount:${unknown}`
        if (name === 'journalId') return `Transaction:${unknown}%2Fexecute`
        if (name in unknownCodes) return unknownCodes[name as keyof typeof unknownCodes]
        const kind = kindOfPath.find(([pattern]) => pattern.test(path))?.[1] ?? kindOfParameter[name]
        expect(kind && ids.has(kind), `the table knows the ids called ${name}`).toBe(true)
        return `${kind}:${unknown}`
      })
      const search = (isRequired: boolean) =>
        filters
          .filter(({ required = false }) => required === isRequired)
          .map(
            ({ name, schema: { pattern } }) => `${name}=${/([A-Z][A-Za-z]+)/.exec(pattern!)![1]}:${unknown}`,
          )
      // One filter at a time: together they might leave nothing for anybody.
      const urls = [[], ...search(false).map((filter) => [filter])].map((chosen) =>
        [filled, [...search(true), ...chosen].join('&')].filter((part) => part !== '').join('?'),
      )
      const requests = urls.flatMap((url) => bodies.map((body) => ({ url, body })))
      type Request = (typeof requests)[number]
      const isOfAgents = operations.find(({ id }) => id === operation.operationId)!.auth === 'agent'
      const known = isOfAgents ? new Map([...ids, ['Quote', owner.quoteId]]) : ids
      const send = (
        { url, body }: Request,
        isAttack: boolean,
        credentials: Readonly<Record<string, string>>,
        named = known,
      ) => {
        const text = body === undefined ? undefined : withIds(JSON.stringify(body), isAttack, named)
        return raw(
          attacker,
          method,
          withIds(url, isAttack, named),
          text === undefined ? undefined : isForm ? toForm(JSON.parse(text)) : JSON.parse(text),
          { ...credentials, 'idempotency-key': `${url.length}-${++attacks}` },
        )
      }
      const attackers = isOfAgents ? agentsOfOthers.map((token) => ({ authorization: bearer(token) })) : [{}]
      let tried = 0
      for (const request of forHolders.includes(operation.operationId) ? [] : requests) {
        const isAboutOthers = `${request.url} ${JSON.stringify(request.body) ?? ''}`.match(idPattern)
        // Without an id of anybody there is nothing to attack but what is read.
        if (!isAboutOthers && method !== 'GET') continue
        for (const credentials of attackers) {
          tried++
          const attacked = await send(request, true, credentials)
          for (const [kind, id] of known) {
            const own = attacked.text.split(id).length - 1
            // An answer may repeat the id that was asked for, and knows no other.
            // So does the log of what the attacker has asked.
            const isOwnLog = path === '/request-log'
            if (attacked.status < 300 && !isOwnLog)
              expect(own, `${kind} in ${attacked.text.slice(0, 300)}`).toBe(0)
          }
          const control = await send(request, false, credentials)
          // That somebody else's invitation is there, whoever has its code may know.
          const isTold = operation.operationId === 'cancelInvitation'
          const expected = isTold ? [403, 'FORBIDDEN'] : [control.status, codeOf(control.text)]
          expect([attacked.status, codeOf(attacked.text)], attacked.text.slice(0, 300)).toEqual(expected)
          if (isOfAgents) expect([401, 403], attacked.text.slice(0, 300)).not.toContain(attacked.status)
        }
      }
      if (isAboutPath(path) && !forHolders.includes(operation.operationId)) {
        expect(tried, 'it was attacked').toBeGreaterThan(0)
      }
      await server.settle()
      expect(await stateOfVictim()).toBe(before)
      if (!isOfAgents) return

      // The same calls by an agent whose ids they are: an attack that comes to the same for it attacks nothing.
      const mine = new Map(known)
      if (method === 'DELETE') mine.set('ExternalAccount', owner.spareAccountId)
      const authorization = { authorization: bearer(owner.token) }
      const differs = await Promise.all(
        requests.map(async (request) => {
          const [allowed, refused] = [
            await send(request, true, authorization, mine),
            await send(request, false, { authorization: bearer(agentsOfOthers[0]!) }),
          ]
          const isShown = [...mine.values()].some((id) => allowed.text.includes(id))
          return isShown || allowed.status !== refused.status || codeOf(allowed.text) !== codeOf(refused.text)
        }),
      )
      expect(differs, 'it means something to the agent of the victim').toContain(true)
    })
  },
)

function isAboutPath(path: string): boolean {
  return [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => !names.includes(name!))
}

/** Whether a body may say that, in any of its forms. */
function has({ $ref, properties = {}, oneOf = [], anyOf = [], allOf = [] }: Schema, name: string): boolean {
  const parts = [...oneOf, ...anyOf, ...allOf]
  if ($ref) parts.push(published.components.schemas[$ref.split('/').at(-1)!]!)
  return name in properties || parts.some((part) => has(part, name))
}

function codeOf(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text).code : text
}

function toForm(body: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (name === 'file') form.append(name, new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'a.pdf')
    else form.append(name, String(value))
  }
  return form
}
