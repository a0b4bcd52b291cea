import { operations } from '@corridor/engine/assembly/features.ts'
import type { Operation } from '@corridor/engine/vocabulary/operation.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { p256 } from '@noble/curves/p256'
import { privateKeyToAccount } from 'viem/accounts'
import { bearer, connectAgent, policyOf, send } from '../e2e/agent-api.ts'
import { business, onboarding, owner, png } from '../e2e/onboarding.ts'
import { basic } from '../e2e/raw-calls.ts'

/** A request that an operation should accept. */
export interface Prepared {
  readonly path: string
  readonly body?: object | FormData | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** False where nothing is known about the operation but its example. */
  readonly succeeds: boolean
}

interface Setup {
  readonly server: TestServer
  readonly platform: Awaited<ReturnType<TestServer['platform']>>
  readonly api: CorridorClient
  readonly customer: Customer
}

type Made = {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object | FormData
  readonly headers?: Readonly<Record<string, string>>
  /** The operation always refuses so far. */
  readonly isRefused?: true
}

/**
 * What the operation is sent in a platform of its own. One that is not listed below is sent its example, with
 * ids that name nothing: its refusal then has to be repeatable as well.
 */
export async function prepareWrite(
  server: TestServer,
  platform: Setup['platform'],
  operation: Operation,
): Promise<Prepared> {
  const make = bodies[operation.id]
  const api = server.client(platform)
  const made: Made = make
    ? await make({
        server,
        platform,
        api,
        customer: await createCustomer(api, { currencies: ['USD', 'EUR', 'USDC'] }),
      })
    : {}
  const params: Readonly<Record<string, string>> = made.params ?? {}
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? unknownId(name))
  const example = operation.example as object | undefined
  const body = made.body ?? (operation.body && example !== undefined ? example : undefined)
  return {
    path,
    ...(body === undefined ? {} : { body }),
    ...(made.headers ? { headers: made.headers } : {}),
    succeeds: make !== undefined && !made.isRefused,
  }
}

function unknownId(name: string): string {
  const kind =
    name === 'id' ? 'InternalAccount' : `${name[0]!.toUpperCase()}${name.slice(1).replace(/Id$/, '')}`
  return `${kind}:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70`
}

const inEurope = {
  fullName: 'Lena Vogt',
  region: 'DE',
  email: 'lena@vogt.example',
  phoneNumber: '+4915112345678',
}
const wallet = privateKeyToAccount(`0x${'09'.repeat(32)}`)
const clientPublicKey = Buffer.from(p256.getPublicKey(new Uint8Array(32).fill(9), false)).toString('hex')

const european = async ({ api }: Setup) => ({ customerId: (await createCustomer(api, inEurope)).id })

async function funded({ api, customer }: Setup, amount = 100_000) {
  const usd = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, usd.id, amount)
  return usd
}

/** A call of an agent that may do everything. */
async function asAgent({ server, platform, customer }: Setup, policy = policyOf()) {
  const agent = await connectAgent(server, platform, customer.id, policy)
  return { agent, headers: { authorization: bearer(agent.token) } }
}

async function transferOfAgent(setup: Setup, from: 'source' | 'destination') {
  const { headers } = await asAgent(setup)
  const bank = await createPayee(setup.api, 'USD', '000123456891', { customerId: setup.customer.id })
  const [own, other] = [{ accountId: (await funded(setup)).id }, { accountId: bank.id }]
  const sides = from === 'source' ? { source: own, destination: other } : { source: other, destination: own }
  return { headers, body: { ...sides, amount: 1_000 } }
}

async function quoteOfAgent(setup: Setup) {
  const { agent, headers } = await asAgent(setup)
  const payee = await createPayee(setup.api, 'MXN', '646180157034181180', { customerId: setup.customer.id })
  const body = quoteBody(await funded(setup), payee, 10_000)
  return { agent, headers, body }
}

async function pendingAction(setup: Setup) {
  const { agent } = await asAgent(setup, policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
  const { body } = await transferOfAgent(setup, 'source')
  const asked = await agent.call('POST', '/transfer-out', body)
  return { params: { agentId: agent.id, actionId: asked.body.id as string } }
}

async function agentOf({ server, platform, customer }: Setup) {
  const body = { name: 'Robot', customerId: customer.id, policy: policyOf() }
  const made = await send(server, basic(platform), 'POST', '/agents', body)
  return { agentId: made.body.agent.id as string }
}

async function prefundedQuote(setup: Setup) {
  const payee = await createPayee(setup.api, 'MXN', '646180157034181180', { customerId: setup.customer.id })
  return createQuote(setup.api, quoteBody(await funded(setup), payee, 10_000))
}

async function realtimeQuote({ api, customer }: Setup) {
  const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
  return must(
    api.POST('/quotes', {
      body: {
        source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id as never, currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id as never },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
      },
    }),
  )
}

async function executed(setup: Setup) {
  const { id, transactionId } = await prefundedQuote(setup)
  await must(execute(setup.api, id))
  return { transactionId }
}

async function unprovedWallet({ api, customer }: Setup, side: 'customers' | 'platform') {
  const body = {
    ...(side === 'customers' ? { customerId: customer.id } : {}),
    currency: 'USDC',
    ownershipType: 'FIRST_PARTY',
    accountInfo: { accountType: 'ETHEREUM_WALLET', address: wallet.address },
  }
  const path = `/${side}/external-accounts` as '/customers/external-accounts'
  return must(api.POST(path, { body: body as never }))
}

async function proof(setup: Setup, side: 'customers' | 'platform') {
  const { id } = await unprovedWallet(setup, side)
  const path = `/${side}/external-accounts/{externalAccountId}/challenge` as const
  const challenge = await must(
    setup.api.POST(path as '/customers/external-accounts/{externalAccountId}/challenge', {
      params: { path: { externalAccountId: id } },
      body: { method: 'WALLET_SIGNATURE' },
    }),
  )
  const message = (challenge as { messageToSign: string }).messageToSign
  return { params: { externalAccountId: id }, body: { signature: await wallet.signMessage({ message }) } }
}

async function signedLeg(
  setup: Setup,
  send: (id: string) => Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<{ id: string; headers: Record<string, string> }> {
  const { id } = await internalAccountOf(setup.api, setup.customer.id, 'USDB')
  const { requestId } = (await must(send(id))) as { requestId: string }
  return { id, headers: { 'Request-Id': requestId, 'Service-Wallet-Signature': 'sandbox-valid-signature' } }
}

async function companyOf({ api }: Setup) {
  return must(api.POST('/customers', { body: business as never }))
}

const transferTo = (kind: 'in' | 'out') => async (setup: Setup) => {
  const usd = await funded(setup)
  const bank = await createPayee(setup.api, 'USD', '000123456789', { customerId: setup.customer.id })
  const [source, destination] = kind === 'in' ? [bank, usd] : [usd, bank]
  return {
    body: { source: { accountId: source.id }, destination: { accountId: destination.id }, amount: 12_550 },
  }
}

const bodies: Readonly<Record<string, (setup: Setup) => Promise<Made>>> = {
  updatePlatformConfig: async () => ({}),
  createToken: async () => ({}),
  createAgent: async ({ customer }) => ({
    body: { name: 'Robot', customerId: customer.id, policy: policyOf() },
  }),
  updateAgent: async (setup) => ({ params: await agentOf(setup), body: { isPaused: true } }),
  updateAgentPolicy: async (setup) => ({ params: await agentOf(setup), body: { permissions: [] } }),
  approveAgentAction: pendingAction,
  rejectAgentAction: async (setup) => ({ ...(await pendingAction(setup)), body: { reason: 'No.' } }),
  async agentCreateQuote(setup) {
    const { headers, body } = await quoteOfAgent(setup)
    return { headers, body }
  },
  async agentExecuteQuote(setup) {
    const { agent, headers, body } = await quoteOfAgent(setup)
    const made = await agent.call('POST', '/quotes', body)
    return { headers, params: { quoteId: made.body.id as string } }
  },
  agentCreateTransferOut: (setup) => transferOfAgent(setup, 'source'),
  agentCreateTransferIn: (setup) => transferOfAgent(setup, 'destination'),
  async agentCreateExternalAccount(setup) {
    const { headers } = await asAgent(setup)
    return {
      headers,
      body: operations.find(({ id }) => id === 'agentCreateExternalAccount')!.example as object,
    }
  },
  regenerateAgentDeviceCode: async (setup) => ({ params: await agentOf(setup) }),
  createCustomer: async () => ({}),
  updateCustomerById: async ({ customer }) => ({ params: { customerId: customer.id } }),
  async uploadCustomersCsv() {
    const form = new FormData()
    const csv =
      'umaAddress,platformCustomerId,customerType,fullName,birthDate\n$pia@shop.example,p-1,INDIVIDUAL,Pia Row,1988-01-09'
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'customers.csv')
    return { body: form }
  },
  sendCustomerEmailVerification: async (setup) => ({ params: await european(setup) }),
  sendCustomerPhoneVerification: async (setup) => ({ params: await european(setup) }),
  async confirmCustomerEmailVerification(setup) {
    const params = await european(setup)
    await setup.api.POST('/customers/{customerId}/verify-email', { params: { path: params } })
    return { params }
  },
  async confirmCustomerPhoneVerification(setup) {
    const params = await european(setup)
    await setup.api.POST('/customers/{customerId}/verify-phone', { params: { path: params } })
    return { params }
  },
  createCustomerKycLink: async ({ customer }) => ({ params: { customerId: customer.id } }),
  async createVerification({ server, platform }) {
    const { id } = await onboarding(server, platform).completePerson('Ines Falk')
    return { body: { customerId: id } }
  },
  createBeneficialOwner: async (setup) => ({ body: owner('Falk', (await companyOf(setup)).id) }),
  async updateBeneficialOwner(setup) {
    const body = owner('Falk', (await companyOf(setup)).id)
    const { id } = await must(setup.api.POST('/beneficial-owners', { body: body as never }))
    return { params: { beneficialOwnerId: id }, body: { ownershipPercentage: 30 } }
  },
  async uploadDocument({ customer }) {
    const form = new FormData()
    form.set('documentHolder', customer.id)
    form.set('documentType', 'PASSPORT')
    form.set('country', 'US')
    form.set('file', new Blob([png], { type: 'image/png' }), 'p.png')
    return { body: form }
  },
  async updateInternalAccount(setup) {
    const { id, headers } = await signedLeg(setup, (id) =>
      setup.api.PATCH('/internal-accounts/{id}', {
        params: { path: { id } },
        body: { privateEnabled: true },
      }),
    )
    return { params: { id }, headers }
  },
  async exportInternalAccount(setup) {
    const { id } = await internalAccountOf(setup.api, setup.customer.id, 'USDB')
    return { params: { id }, body: { clientPublicKey } }
  },
  createCustomerExternalAccount: async ({ customer }) => ({
    body: { customerId: customer.id, currency: 'MXN', accountInfo: mexican },
  }),
  createPlatformExternalAccount: async () => ({ body: { currency: 'MXN', accountInfo: mexican } }),
  createExternalAccountOwnershipChallenge: async (setup) => ({
    params: { externalAccountId: (await unprovedWallet(setup, 'customers')).id },
  }),
  createPlatformExternalAccountOwnershipChallenge: async (setup) => ({
    params: { externalAccountId: (await unprovedWallet(setup, 'platform')).id },
  }),
  verifyExternalAccountOwnership: (setup) => proof(setup, 'customers'),
  verifyPlatformExternalAccountOwnership: (setup) => proof(setup, 'platform'),
  async estimateCryptoWithdrawalFee({ api, customer }) {
    const { id } = await internalAccountOf(api, customer.id, 'USDC')
    return {
      body: {
        internalAccountId: id,
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
        amount: 1_000_000,
        destinationAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      },
    }
  },
  async createQuote(setup) {
    const payee = await createPayee(setup.api, 'MXN', '646180157034181180', { customerId: setup.customer.id })
    return { body: quoteBody(await funded(setup), payee, 10_000, { immediatelyExecute: true }) }
  },
  executeQuote: async (setup) => ({ params: { quoteId: (await prefundedQuote(setup)).id } }),
  createTransferIn: transferTo('in'),
  createTransferOut: transferTo('out'),
  confirmReceiptDelivery: async (setup) => ({ params: await executed(setup) }),
  approvePendingPayment: async (setup) => ({ params: await executed(setup), isRefused: true }),
  rejectPendingPayment: async (setup) => ({ params: await executed(setup), isRefused: true }),
  cancelTransaction: async (setup) => ({ params: await executed(setup) }),
  async testConfiguredWebhook({ api }) {
    await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
    return {}
  },
  sendTestWebhook: async () => ({}),
  sandboxSend: async (setup) => ({
    body: { quoteId: (await realtimeQuote(setup)).id, currencyCode: 'USD' },
  }),
  async sandboxFundInternalAccount({ api, customer }) {
    return { params: { accountId: (await internalAccountOf(api, customer.id, 'USD')).id } }
  },
  async receiveInboundPayment({ api, customer }) {
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const reference = usd.fundingPaymentInstructions
      .map(({ accountOrWalletInfo }) => (accountOrWalletInfo as { reference?: string }).reference)
      .find((found) => found !== undefined)
    return { body: { reference, currency: 'USD', amount: 50_000 } }
  },
  advanceSandboxClock: async () => ({}),
  createSandboxFault: async () => ({}),
}

const mexican = {
  accountType: 'MXN_ACCOUNT',
  clabeNumber: '646180157034181180',
  beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' },
}
