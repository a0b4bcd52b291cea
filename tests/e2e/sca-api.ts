import type { components } from '@corridor/sdk/index.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  must,
  type Quote,
  quoteBody,
  softwarePasskey,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

/** What the tests of strong authentication share: a customer in Germany, with money and a payee in Britain. */

type Schemas = components['schemas']
type Options = Parameters<TestServer['platform']>[0]

export const minuteMs = 60_000
export const endUserIpAddress = '203.0.113.9'
export const origin = 'https://app.example.com'

/** Every answer as its status and body, so that refusals read as plainly as successes. */
// biome-ignore lint/suspicious/noExplicitAny: a test asks answers of every shape for single members
type Body = any

async function plain(answer: Promise<{ data?: unknown; error?: unknown; response: Response }>) {
  const { data, error, response } = await answer
  return { status: response.status, body: (data ?? error) as Body, headers: response.headers }
}

/** The calls of one platform about any of its customers. */
export function scaCalls(api: ReturnType<TestServer['client']>) {
  const query = (customerId: string) => ({ params: { query: { customerId: customerId as never } } })
  const path = <K extends string>(name: K, id: string) => ({
    params: { path: { [name]: id } as Record<K, string> },
  })
  const account = (id: string) => path('externalAccountId', id)
  const calls = {
    factors: (customerId: string) => plain(api.GET('/sca/factors', query(customerId))),
    enrol: (customerId: string, body: unknown) =>
      plain(api.POST('/sca/factors', { ...query(customerId), body: body as never })),
    confirmFactor: (customerId: string, body: unknown) =>
      plain(api.POST('/sca/factors/confirm', { ...query(customerId), body: body as never })),
    deleteFactor: (customerId: string, credentialId: string) =>
      plain(
        api.DELETE('/sca/factors/{credentialId}', {
          params: { query: { customerId: customerId as never }, path: { credentialId } },
        }),
      ),
    startLogin: (customerId: string, factor: unknown = 'SMS_OTP') =>
      plain(api.POST('/sca/login/start', { ...query(customerId), body: { factor } as never })),
    completeLogin: (customerId: string, body: object) =>
      plain(
        api.POST('/sca/login/complete', {
          ...query(customerId),
          body: { endUserIpAddress, ...body } as never,
        }),
      ),
    recordEvent: (customerId: string, eventType: string) =>
      plain(api.POST('/sca/record-event', { ...query(customerId), body: { eventType } as never })),
    startReset: (customerId: string, factor: string) =>
      plain(api.POST('/sca/factors/reset', { ...query(customerId), body: { factor } as never })),
    readReset: (customerId: string, resetId: string) =>
      plain(
        api.GET('/sca/factors/reset/{resetId}', {
          params: { query: { customerId: customerId as never }, path: { resetId } },
        }),
      ),
    completeReset: (customerId: string, resetId: string, body?: unknown) =>
      plain(
        api.POST('/sca/factors/reset/{resetId}/complete', {
          params: { query: { customerId: customerId as never }, path: { resetId } },
          ...(body === undefined ? {} : { body: body as never }),
        }),
      ),

    execute: (quoteId: string, body?: unknown, headers: Record<string, string> = {}) =>
      plain(
        api.POST('/quotes/{quoteId}/execute', {
          ...path('quoteId', quoteId),
          headers,
          ...(body === undefined ? {} : { body: body as never }),
        }),
      ),
    authorize: (quoteId: string, body: unknown, headers: Record<string, string> = {}) =>
      plain(
        api.POST('/quotes/{quoteId}/authorize', {
          ...path('quoteId', quoteId),
          headers,
          body: body as never,
        }),
      ),
    resend: (quoteId: string) =>
      plain(api.POST('/quotes/{quoteId}/authorize/resend', path('quoteId', quoteId))),
    createQuote: (body: unknown) => plain(api.POST('/quotes', { body: body as never })),
    quote: (quoteId: string) => must(api.GET('/quotes/{quoteId}', path('quoteId', quoteId))),
    transaction: (transactionId: string) =>
      must(api.GET('/transactions/{transactionId}', path('transactionId', transactionId))),

    trust: (id: string, body?: unknown) =>
      plain(
        api.POST('/customers/external-accounts/{externalAccountId}/trust', {
          ...account(id),
          ...(body === undefined ? {} : { body: body as never }),
        }),
      ),
    confirmTrust: (id: string, body: unknown) =>
      plain(
        api.POST('/customers/external-accounts/{externalAccountId}/trust/confirm', {
          ...account(id),
          body: body as never,
        }),
      ),
    untrust: (id: string, body?: unknown) =>
      plain(
        api.POST('/customers/external-accounts/{externalAccountId}/untrust', {
          ...account(id),
          ...(body === undefined ? {} : { body: body as never }),
        }),
      ),
    confirmUntrust: (id: string, body: unknown) =>
      plain(
        api.POST('/customers/external-accounts/{externalAccountId}/untrust/confirm', {
          ...account(id),
          body: body as never,
        }),
      ),
    deleteAccount: (id: string) =>
      plain(api.DELETE('/customers/external-accounts/{externalAccountId}', account(id))),
  }
  return calls
}

export const german = { fullName: 'Lena Vogt', region: 'DE', currencies: ['EUR', 'USDC', 'USD'] }

/** A platform of its own with a customer who authorizes its payments: 500.00 EUR and a payee in pounds. */
export async function scaApi(
  server: TestServer,
  {
    platform: options = {},
    customer: overrides = {},
  }: { readonly platform?: Options; readonly customer?: object } = {},
) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const calls = scaCalls(api)
  const customer = await createCustomer(api, { ...german, ...overrides } as never)
  const eur = await internalAccountOf(api, customer.id, 'EUR')
  await fund(api, eur.id, 50_000)
  const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })

  return {
    platform,
    api,
    calls,
    customer,
    eur,
    payee,
    async balances() {
      const { balance, totalBalance } = await internalAccountOf(api, customer.id, 'EUR')
      return { available: balance.amount, total: totalBalance.amount }
    },
    /** A quote from the customer's account to the payee. */
    quoted: (amount = 20_000, more: Partial<Schemas['QuoteRequest']> = {}): Promise<Quote> =>
      createQuote(api, quoteBody(eur, payee, amount, more)),
    /** A quote that waits for its customer. */
    async held(amount = 20_000) {
      const { id } = await createQuote(api, quoteBody(eur, payee, amount))
      const executed = await calls.execute(id)
      expect(executed).toMatchObject({ status: 200, body: { status: 'PENDING_AUTHORIZATION' } })
      return executed.body as Quote & { scaChallenge: { id: string; expiresAt: string } }
    },
    async logIn() {
      const { body } = await calls.startLogin(customer.id)
      const { challengeId } = body
      const done = await calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, code: '123456' })
      expect(done).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
      return done.body
    },
    /** What callers were told of a transaction, in order. */
    async told(transactionId: string) {
      const events = await server.events(platform)
      return events.filter(({ data }) => data.id === transactionId).map(({ type }) => type)
    },
  }
}

export type ScaApi = Awaited<ReturnType<typeof scaApi>>

/** A passkey of the customer's, made from a seed. */
export async function enrolPasskey(
  { calls, customer }: ScaApi,
  seed: string,
  encode: <T>(credential: T) => T = (credential) => credential,
) {
  const passkey = softwarePasskey({ seed })
  const { body } = await calls.enrol(customer.id, { type: 'PASSKEY' })
  const credential = encode(passkey.register(body.options, origin))
  const confirmed = await calls.confirmFactor(customer.id, { type: 'PASSKEY', origin, credential })
  expect(confirmed).toMatchObject({
    status: 200,
    body: { type: 'PASSKEY', factor: { factor: 'PASSKEY', credentialId: passkey.credentialId } },
  })
  return passkey
}
