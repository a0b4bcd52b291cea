import type { Corridor } from '@corridor/sdk/index.ts'
import { newId } from '../../app/calls.ts'
import { t } from '../../language/t.ts'

/** What fills the empty lists of a sandbox: the requests that an integration would make, one after the other. */

/** Somebody of whom all is known that a verification asks for. */
function createAna(corridor: Corridor) {
  return corridor.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD'],
    birthDate: '1991-04-02',
    nationality: 'US',
    address: { line1: '8 Quay Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
    idType: 'SSN',
    identifier: '219-09-9999',
  } as never)
}

/** A customer with a document who was submitted for verification, whatever the platform asks of people. */
export async function makeVerified(corridor: Corridor): Promise<void> {
  await verify(corridor, (await createAna(corridor)).id)
}

/** Somebody with a thousand dollars, who is verified. */
async function makeAna(corridor: Corridor) {
  const customer = await createAna(corridor)
  if (!('kycStatus' in customer && customer.kycStatus === 'APPROVED')) await verify(corridor, customer.id)
  const query = { customerId: customer.id, currency: 'USD' }
  const { data } = await corridor.internalAccounts.list(query as never)
  const account = data[0]
  if (!account) throw new Error(t('The customer has no account in {currency}.', { currency: 'USD' }))
  await corridor.sandbox.internalAccounts.fund(account.id, { amount: 100_000 })
  return { customerId: customer.id, accountId: account.id }
}

/** A picture of a single dot, which passes for a passport in the sandbox. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function verify(corridor: Corridor, customerId: string): Promise<void> {
  const bytes = Uint8Array.from(atob(dot), (letter) => letter.charCodeAt(0))
  const form = new FormData()
  form.set('documentHolder', customerId)
  form.set('documentType', 'PASSPORT')
  form.set('country', 'US')
  form.set('documentNumber', 'X1234567')
  form.set('issuingAuthority', 'State Department')
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'passport.png')
  await corridor.documents.create(form)
  await corridor.verifications.create({ customerId } as never)
}

/** A card that is paid from that; its id. */
export async function makeCard(corridor: Corridor): Promise<string> {
  const { customerId, accountId } = await makeAna(corridor)
  const card = await corridor.cards.create({
    cardholderId: customerId,
    form: 'VIRTUAL',
    fundingSources: [accountId],
    maxSpendPerTransaction: 50_000,
  } as never)
  return card.id
}

/** An agent that may do all up to 1,000.00 USD, and has to ask from 100.00 on; its id. */
export async function makeAgent(corridor: Corridor): Promise<string> {
  const { customerId } = await makeAna(corridor)
  const { agent } = await corridor.agents.create({
    name: t('Agent of Ana Lopez'),
    customerId,
    policy: {
      permissions: [
        'VIEW_TRANSACTIONS',
        'CREATE_TRANSFERS',
        'CREATE_QUOTES',
        'EXECUTE_QUOTES',
        'MANAGE_EXTERNAL_ACCOUNTS',
      ],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyLimit: 500_000 },
      approvalThresholds: { currency: 'USD', amount: 10_000 },
    },
  } as never)
  return agent.id
}

/** A coin of an account at the provider, which is linked where there is none; its id. */
export async function makeStablecoin(corridor: Corridor): Promise<string> {
  const { data } = await corridor.stablecoinProviderAccounts.list({ status: 'ACTIVE', limit: 1 } as never)
  const provider = data[0] ?? (await linkProvider(corridor))
  const unique = newId()
  const coin = await corridor.stablecoins.create({
    providerTokenIdentifier: `DEMO${unique.slice(-4).toUpperCase()}`,
    // The letters of these identifiers are those of bech32.
    networkTokenIdentifier: `btkn1${unique.replaceAll(/[1bio]/g, 'q')}`,
    network: 'SPARK',
    stablecoinProviderAccountId: provider.id,
  } as never)
  return coin.id
}

/** An account at the simulated provider. */
export async function linkProvider(corridor: Corridor) {
  return corridor.stablecoinProviderAccounts.create({
    provider: 'BRALE',
    apiClientId: `client_${newId().slice(-6)}`,
    apiClientSecret: newId(),
  } as never)
}

/** Where a minted coin can go. */
export async function makeWallet(corridor: Corridor): Promise<void> {
  await corridor.platform.externalAccounts.create({
    currency: 'BTC',
    accountInfo: {
      accountType: 'SPARK_WALLET',
      address: 'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
    },
  } as never)
}

/** Where the dollars of a burned coin can go. */
export async function makeBankAccount(corridor: Corridor): Promise<void> {
  await corridor.platform.externalAccounts.create({
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ana Lopez' },
    },
  } as never)
}
