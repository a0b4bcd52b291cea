import { randomUUID } from 'node:crypto'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import type { ProvisionedPlatform } from '../../packages/engine/src/platform/platforms/index.ts'
import { until } from './installation.ts'

/** One of each thing that has a page and is made with a request or two; by the address in the router. */
export async function makeThings(
  origin: string,
  platform: ProvisionedPlatform,
): Promise<Record<string, string>> {
  const calls = callsOf(origin, platform)
  const { post } = calls
  const client = { apiClientId: 'client_1', apiClientSecret: 'nobody-may-see-this' }
  const provider = await post('stablecoin-provider-accounts', { provider: 'BRALE', ...client })
  const coin = await post('stablecoins', {
    providerTokenIdentifier: 'ACME',
    networkTokenIdentifier: 'btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k',
    network: 'SPARK',
    stablecoinProviderAccountId: provider.id,
  })
  const wallet = await post('platform/external-accounts', {
    currency: 'BTC',
    accountInfo: {
      accountType: 'SPARK_WALLET',
      address: 'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
    },
  })
  const minted = await post(`stablecoins/${coin.id}/mints`, {
    amount: '1000000',
    fundingSource: { type: 'WIRE' },
    destination: { accountId: wallet.id },
  })
  const fault = await post('sandbox/faults', {
    kind: 'LATENCY',
    target: 'WEBHOOK',
    params: { ms: 5 },
    times: 3,
  })
  const file = new FormData()
  const rows = [
    'umaAddress,platformCustomerId,customerType,fullName',
    ',i-1,INDIVIDUAL,Ida Berg',
    ',i-2,NOBODY,Jo',
  ]
  file.set('file', new Blob([rows.join('\n')], { type: 'text/csv' }), 'people.csv')
  const { jobId } = await post('customers/bulk/csv', file)
  return {
    '/stablecoins/$id': coin.id!,
    '/stablecoin-operations/$id': minted.id!,
    '/stablecoin-provider-accounts/$id': provider.id!,
    '/sandbox/faults/$id': fault.id!,
    '/imports/$id': jobId!,
    ...(await makeShared(calls)),
    ...(await makeIdentity(post)),
  }
}

type Answer = Record<string, string>

interface Calls {
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  get(path: string): Promise<Answer>
}

function callsOf(origin: string, { clientId, clientSecret }: ProvisionedPlatform): Calls {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const call = async (path: string, more: RequestInit = {}) => {
    const headers = { authorization, 'idempotency-key': randomUUID(), ...more.headers }
    const response = await fetch(`${origin}/2025-10-13/${path}`, { ...more, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  return {
    get: (path) => call(path),
    post(path, body, headers = {}) {
      if (body instanceof FormData) return call(path, { method: 'POST', headers, body })
      return call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    },
  }
}

/** An invitation to the network, and a key that may sign for a card of a wallet. */
async function makeShared(calls: Calls): Promise<Record<string, string>> {
  const { post } = calls
  const jane = await post('customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Jane Larch',
    email: 'jane@larch.example',
    currencies: ['USD', 'USDB'],
  })
  const invited = await post('invitations', {
    inviterUma: jane.umaAddress,
    amountToSend: 5_000,
    firstName: 'Alice',
  })
  return { '/invitations/$id': invited.code!, '/delegated-keys/$id': await makeKey(calls, jane.id!) }
}

/** Signed for with what stands for any signature in the sandbox, for the key and for what it may do. */
async function makeKey({ post, get }: Calls, customerId: string): Promise<string> {
  const { data } = await get(`internal-account?customerId=${customerId}&currency=USDB`)
  const { id } = (data as unknown as { id: string }[])[0]!
  const body = { cardholderId: customerId, form: 'VIRTUAL', fundingSources: [id] }
  const card = await post('cards', body)
  await until(
    'the card of the wallet can be used',
    async () => (await get(`cards/${card.id}`)).state === 'ACTIVE',
  )
  const asked = { cardId: card.id, internalAccountId: id, nickname: 'Card payments key' }
  let answer = await post('auth/delegated-keys', asked)
  for (let leg = 0; leg < 2; leg++) {
    const signature = {
      'request-id': answer.requestId!,
      'service-wallet-signature': 'sandbox-valid-signature',
    }
    answer = await post('auth/delegated-keys', asked, signature)
  }
  return answer.id!
}

/** A picture of a single dot, which passes for any document in the sandbox. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A company with an owner and documents that was handed in for verification. */
async function makeIdentity(post: Calls['post']): Promise<Record<string, string>> {
  const at = { line1: '1 Mill St', city: 'Boise', state: 'ID', postalCode: '83702', country: 'US' }
  const company = await post('customers', {
    customerType: 'BUSINESS',
    region: 'US',
    currencies: ['USD'],
    address: at,
    businessInfo: {
      legalName: 'Larch Tools LLC',
      country: 'US',
      taxId: '12-3456789',
      registrationNumber: '77001',
      incorporatedOn: '2016-09-30',
      entityType: 'LLC',
      businessType: 'MANUFACTURING',
      countriesOfOperation: ['US'],
      purposeOfAccount: 'SUPPLIER_PAYMENTS',
      sourceOfFunds: 'Tool sales',
      expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
      expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
      expectedRecipientJurisdictions: ['MX'],
    },
  })
  const owner = await post('beneficial-owners', {
    customerId: company.id,
    roles: ['UBO', 'CONTROL_PERSON'],
    ownershipPercentage: 60,
    personalInfo: {
      firstName: 'Ines',
      lastName: 'Falk',
      birthDate: '1979-12-01',
      nationality: 'US',
      address: at,
      idType: 'SSN',
      identifier: '078-05-1120',
    },
  })
  let document: Record<string, string> = {}
  for (const type of [
    'CERTIFICATE_OF_INCORPORATION',
    'DIRECTOR_REGISTRY',
    'SHAREHOLDER_REGISTER',
    'UTILITY_BILL',
  ]) {
    const form = new FormData()
    form.set('documentHolder', company.id!)
    form.set('documentType', type)
    form.set('country', 'US')
    form.set('documentNumber', 'X1')
    form.set('issuingAuthority', 'State Dept')
    form.set('file', new Blob([Buffer.from(dot, 'base64')], { type: 'image/png' }), 'paper.png')
    document = await post('documents', form)
  }
  const verification = await post('verifications', { customerId: company.id! })
  return {
    '/documents/$id': document.id!,
    '/beneficial-owners/$id': owner.id!,
    '/verifications/$id': verification.id!,
  }
}

/** A company whose verification an operator has to decide; the id of that. */
export async function makeReview(origin: string, platform: ProvisionedPlatform): Promise<string> {
  return (await makeIdentity(callsOf(origin, platform).post))['/verifications/$id']!
}

/** Payments that ended, wait or turned round: what a page about one has to show besides one that went well. */
export async function makeEndings(api: CorridorClient): Promise<Record<string, string>> {
  const customer = await kit.createCustomer(api, { currencies: ['USD', 'EUR'] })
  const account = await kit.internalAccountOf(api, customer.id, 'USD')
  await kit.fund(api, account.id, 500_000_00)
  const made: Record<string, string> = {}
  for (const [name, ending] of [
    ['waits', '003'],
    ['failed', '004'],
    ['returned', '005'],
    ['cancelled', '006'],
    ['refund-failed', '007'],
  ] as const) {
    const payee = await kit.createPayee(api, 'GBP', `12345${ending}`, { customerId: customer.id })
    const quote = await kit.createQuote(api, kit.quoteBody(account, payee, 12_345_67))
    await kit.must(kit.execute(api, quote.id))
    made[name] = quote.transactionId
  }
  return made
}

/** An amount that a customer owes: the bank took a collection back a second after its payout was delivered. */
export async function makeReceivable(api: CorridorClient): Promise<string> {
  const customer = await kit.createCustomer(api, { currencies: ['USD'] })
  const bank = await kit.createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: 1 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await kit.must(api.POST('/sandbox/faults', { body: fault as never }))
  const payee = await kit.createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const quote = await kit.createQuote(api, kit.quoteBody(bank, payee, 40_000))
  await kit.must(kit.execute(api, quote.id))
  const list = async () => (await kit.must(api.GET('/receivables', { params: { query: {} } }))).data
  await until('a customer owes what the bank took back', async () => (await list()).length > 0)
  return (await list())[0]!.id
}
