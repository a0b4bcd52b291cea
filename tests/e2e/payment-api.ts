import {
  createCustomer,
  createPayee,
  internalAccountOf,
  must,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

/** What the tests of payments share: a customer with accounts, and the calls that show what became of them. */

type Options = Parameters<TestServer['platform']>[0]
type Account = { readonly id: string }

/** A new platform with one customer; `usd` is the customer's account in dollars, empty at first. */
export async function paymentApi(server: TestServer, options: Options = {}) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')

  async function balances(currency = 'USD') {
    const account = await internalAccountOf(api, customer.id, currency)
    return { available: account.balance.amount, total: account.totalBalance.amount }
  }

  /** The two older ways to move money; bodies may be wrong on purpose. */
  const transfer =
    (path: '/transfer-in' | '/transfer-out') =>
    (source: Account, destination: Account, amount: unknown, more: object = {}) => {
      const body = {
        source: { accountId: source.id },
        destination: { accountId: destination.id },
        ...(amount === undefined ? {} : { amount }),
        ...more,
      }
      return api.POST(path, { body: body as never })
    }

  const quote = (quoteId: string) => must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))

  return {
    platform,
    api,
    customer,
    usd,
    balances,
    quote,
    statusOfQuote: async (quoteId: string) => (await quote(quoteId)).status,

    /** The balance of an account of which nothing is held. */
    async balance(currency = 'USD') {
      const { available, total } = await balances(currency)
      expect(total).toBe(available)
      return available
    },

    transaction: (transactionId: string) =>
      must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } })),

    /** What callers were told of a transaction, in order. */
    async told(transactionId: string) {
      const events = await server.events(platform)
      return events.filter(({ data }) => data.id === transactionId).map(({ type }) => type.split('.')[1])
    },

    transferIn: transfer('/transfer-in'),
    transferOut: transfer('/transfer-out'),
  }
}

/** The same with a payee and a bank account of the customer; each way to pay answers its refusal alone. */
export async function paymentRefusals(server: TestServer, options: Options = {}) {
  const payments = await paymentApi(server, options)
  const { platform, api, customer, usd } = payments
  const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  type Transfer = Parameters<typeof payments.transferIn>
  return {
    platform,
    api,
    customer,
    usd,
    payee,
    bank,
    quote: async (source: Account, destination: Account, amount = 1_000, more: object = {}) =>
      (await api.POST('/quotes', { body: quoteBody(source, destination, amount, more) })).error,
    transferIn: async (...parts: Transfer) => (await payments.transferIn(...parts)).error,
    transferOut: async (...parts: Transfer) => (await payments.transferOut(...parts)).error,
  }
}

/** Pays in until no more than `roomMinor` fit into an account (conventions 4). */
export async function fillUp(
  api: Parameters<typeof createCustomer>[0],
  account: Awaited<ReturnType<typeof internalAccountOf>>,
  roomMinor: number,
) {
  const { reference } = account.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
  const currency = account.balance.currency.code
  const half = 4_500_000_000_000_000
  for (const amount of [half, Number.MAX_SAFE_INTEGER - half - account.balance.amount - roomMinor]) {
    const body = { currency, amount, railReference: `fills-${amount}`, reference }
    expect(await must(api.POST('/sandbox/inbound-payments', { body }))).toMatchObject({ outcome: 'CREDITED' })
  }
}

/** CLABE numbers of payees in Mexico, by the ending that decides the outcome. */
export const clabe = (suffix: string) => `646180110400000${suffix}`
