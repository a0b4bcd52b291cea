import type { Corridor } from '@corridor/sdk'
import { misused } from '../exit.ts'
import { ending, type Means, type Scenario } from './scenario.ts'

/** Money that goes out, comes in, or is asked for. The endings of accounts decide in the sandbox. */

const payeeInfo = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Greta Lindholm',
  birthDate: '1979-04-02',
  nationality: 'SE',
}

/** A German account number whose last three digits are these, with the right check digits. */
export function ibanEndingIn(digits: string): string {
  const account = `370400440532013${digits}`
  // D is 13 and E is 14; the two zeros stand for the check digits (ISO 13616).
  const rest = BigInt(`${account}131400`) % 97n
  return `DE${String(98n - rest).padStart(2, '0')}${account}`
}

async function accountOf(client: Corridor, customerId: string, currency: string): Promise<string> {
  const [account] = await client.customers.internalAccounts.list({ customerId, currency } as never).first(1)
  if (!account) throw misused(`The customer got no account in ${currency}.`)
  return account.id
}

/** A customer with 5,000.00 in the currency. */
export async function funded(client: Corridor, customerId: string, currency = 'USD'): Promise<string> {
  const id = await accountOf(client, customerId, currency)
  await client.sandbox.internalAccounts.fund(id, { amount: 500_000 })
  return id
}

async function fundedCustomer(client: Corridor): Promise<{ customerId: string; accountId: string }> {
  const { id } = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD', 'EUR'],
  })
  return { customerId: id, accountId: await funded(client, id) }
}

async function payeeEndingIn(client: Corridor, customerId: string, digits: string): Promise<string> {
  const { id } = await client.customers.externalAccounts.create({
    customerId,
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: ibanEndingIn(digits), beneficiary: payeeInfo },
  } as never)
  return id
}

async function bankEndingIn(client: Corridor, customerId: string, digits: string): Promise<string> {
  const { id } = await client.customers.externalAccounts.create({
    customerId,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: `000123456${digits}`,
      routingNumber: '021000021',
      bankAccountType: 'CHECKING',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ana Lopez' },
    },
  } as never)
  return id
}

/** Somebody in Germany, where what customers authorize and prove is regulated. */
async function european(client: Corridor, means: Means, currencies: readonly string[]): Promise<string> {
  const { id } = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Lena Vogt',
    region: 'DE',
    currencies: [...currencies],
    birthDate: '1990-04-23',
    nationality: 'DE',
    email: `lena-${ending(means)}@customer.example`,
    phoneNumber: '+4915112345678',
    address: { line1: 'Am Hafen 3', city: 'Hamburg', postalCode: '20457', country: 'DE' },
  })
  return id
}

const between = (from: string, to: string) =>
  ({
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100_000,
    description: 'corridor trigger',
  }) as const

/** Pays 1,000.00 USD to a bank account in euros. */
function payment(digits: string): Scenario {
  return async (client) => {
    const { customerId, accountId } = await fundedCustomer(client)
    const quote = await client.quotes.create(
      between(accountId, await payeeEndingIn(client, customerId, digits)),
    )
    // An execution that fails is what some endings are for.
    await client.quotes.execute(quote.id).catch(() => {})
    return quote.transactionId
  }
}

const expiry: Scenario = async (client) => {
  const { customerId, accountId } = await fundedCustomer(client)
  const quote = await client.quotes.create(between(accountId, await payeeEndingIn(client, customerId, '000')))
  await client.sandbox.clock.advance({ seconds: 20 * 60 })
  return quote.transactionId
}

/** A customer in Germany has to authorize what is paid in euros. */
const authorization: Scenario = async (client, means) => {
  const customerId = await european(client, means, ['EUR', 'USD'])
  const eur = await funded(client, customerId, 'EUR')
  const quote = await client.quotes.create(between(eur, await payeeEndingIn(client, customerId, '000')))
  await client.quotes.execute(quote.id, { scaFactor: 'SMS_OTP' } as never)
  return quote.transactionId
}

/** Money that is pulled from a bank account. */
function pull(digits: string): Scenario {
  return async (client) => {
    const { customerId, accountId } = await fundedCustomer(client)
    const quote = await client.quotes.create(
      between(await bankEndingIn(client, customerId, digits), accountId),
    )
    await client.quotes.execute(quote.id).catch(() => {})
    return quote.transactionId
  }
}

/** A bank that takes back what had already paid for a payout. */
const returnedCollection: Scenario = async (client) => {
  const { customerId } = await fundedCustomer(client)
  const bank = await bankEndingIn(client, customerId, '891')
  await client.sandbox.faults.create({
    kind: 'OUTCOME',
    target: 'RAIL',
    match: { accountId: bank },
    params: { outcome: '005', seconds: 600 },
  } as never)
  const quote = await client.quotes.create(between(bank, await payeeEndingIn(client, customerId, '000')))
  await client.quotes.execute(quote.id)
  await client.sandbox.clock.advance({ seconds: 3_600 })
  const [receivable] = await client.receivables.list({ customerId } as never).first(1)
  if (!receivable) throw misused('The bank has not returned the collection.')
  return receivable.id
}

const collectedReceivable: Scenario = async (client, means) => {
  const id = await returnedCollection(client, means)
  await client.receivables.collect(id)
  return id
}

const fundAccount: Scenario = async (client) => (await fundedCustomer(client)).accountId

/** A wallet whose owner has to be proved, and is not. */
const ownership: Scenario = async (client, means) => {
  const customerId = await european(client, means, ['USDC'])
  const { id } = await client.customers.externalAccounts.create({
    customerId,
    currency: 'USDC',
    ownershipType: 'FIRST_PARTY',
    accountInfo: { accountType: 'ETHEREUM_WALLET', address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf' },
  } as never)
  await client.customers.externalAccounts.challenge(id, { method: 'WALLET_SIGNATURE' } as never)
  await client.customers.externalAccounts
    .verify(id, { signature: 'sandbox-invalid-signature' } as never)
    .catch(() => {})
  return id
}

/** An agent that may only ask. */
const agentAction: Scenario = async (client) => {
  const { customerId, accountId } = await fundedCustomer(client)
  const bank = await bankEndingIn(client, customerId, '891')
  const { deviceCode } = await client.agents.create({
    name: 'corridor trigger',
    customerId,
    policy: {
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 500_000 },
    },
  } as never)
  const { accessToken } = await client.agents.deviceCodes.redeem(deviceCode.code)
  const action = await client.agents.me.transferOut.create(
    { source: { accountId }, destination: { accountId: bank }, amount: 10_000 } as never,
    { headers: { authorization: `Bearer ${accessToken}` } },
  )
  return action.id
}

export const paymentScenarios = {
  'OUTGOING_PAYMENT.PENDING': payment('000'),
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': authorization,
  'OUTGOING_PAYMENT.PROCESSING': payment('000'),
  'OUTGOING_PAYMENT.COMPLETED': payment('000'),
  'OUTGOING_PAYMENT.FAILED': payment('004'),
  'OUTGOING_PAYMENT.EXPIRED': expiry,
  'OUTGOING_PAYMENT.REFUND_PENDING': payment('004'),
  'OUTGOING_PAYMENT.REFUND_COMPLETED': payment('004'),
  'OUTGOING_PAYMENT.REFUND_FAILED': payment('007'),
  'RECEIVABLE.CREATED': returnedCollection,
  'RECEIVABLE.UPDATED': collectedReceivable,
  'INCOMING_PAYMENT.PENDING': pull('891'),
  'INCOMING_PAYMENT.COMPLETED': fundAccount,
  'INCOMING_PAYMENT.FAILED': pull('003'),
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': fundAccount,
  'EXTERNAL_ACCOUNT.STATUS_UPDATED': ownership,
  'AGENT_ACTION.PENDING_APPROVAL': agentAction,
} satisfies Readonly<Record<string, Scenario>>
