import { createPayee, fund, type TestServer } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'
import { paymentApi } from './payment-api.ts'
import { basic, type Credentials, json } from './raw-calls.ts'

/** What the tests of agents share: calls of a platform and of its agents, without what the SDK would put right. */

type Options = Parameters<TestServer['platform']>[0]
// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, right or wrong
type Body = any

export interface Answer {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

export const bearer = (token: string) => `Bearer ${token}`

export async function send(
  server: TestServer,
  authorization: string | undefined,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await server.fetch(server.baseUrl + path, {
    method,
    headers: { ...(authorization ? { authorization } : {}), ...(body ? json : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  }
}

export const everyPermission = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
]

/** A policy that allows everything up to a million dollars, with what is said of it instead. */
export function policyOf({ spendingLimits, ...more }: Record<string, Body> = {}) {
  return {
    permissions: everyPermission,
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 100_000_000, ...spendingLimits },
    ...more,
  }
}

/** An agent that is connected, and calls as it. */
export async function connectAgent(
  server: TestServer,
  platform: Credentials,
  customerId: string,
  policy: object = policyOf(),
) {
  const created = await send(server, basic(platform), 'POST', '/agents', {
    name: 'Robot',
    customerId,
    policy,
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const { agent, deviceCode } = created.body
  const redeemed = await send(server, undefined, 'POST', `/agents/device-codes/${deviceCode.code}/redeem`)
  expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(200)
  const token = redeemed.body.accessToken as string
  return {
    id: agent.id as string,
    token,
    code: deviceCode.code as string,
    call: (method: string, path: string, body?: object, headers = {}) =>
      send(server, bearer(token), method, `/agents/me${path}`, body, headers),
  }
}

/** A platform with a customer, 1,000.00 dollars, a bank account and a payee in Mexico. */
export async function agentApi(server: TestServer, options: Options = {}) {
  const payments = await paymentApi(server, options)
  const { platform, api, customer, usd } = payments
  const isSandbox = platform.environment === 'SANDBOX'
  if (isSandbox) await fund(api, usd.id, 100_000)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
  const call = (method: string, path: string, body?: object, headers = {}) =>
    send(server, basic(platform), method, path, body, headers)
  return {
    ...payments,
    bank,
    payee,
    call,
    connect: (policy?: object) => connectAgent(server, platform, customer.id, policy),
    transferOut: (amount: number) => ({
      source: { accountId: usd.id },
      destination: { accountId: bank.id },
      amount,
    }),
    quoteOf: (amount: number, more: object = {}) => ({
      source: { sourceType: 'ACCOUNT', accountId: usd.id },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: amount,
      ...more,
    }),
  }
}
