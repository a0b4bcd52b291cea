import { createCustomer, fund, internalAccountOf, must, type TestServer } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'
import { basic, type Credentials, json } from './raw-calls.ts'

/** A platform with an approved customer, a funded account and a way to call what is not typed here. */
export async function cardApi(
  server: TestServer,
  options: { balance?: number; platformCustomerId?: string } = {},
) {
  const platform = await server.platform({ isRegulated: true })
  return cardApiOf(server, platform, options)
}

export async function cardApiOf(
  server: TestServer,
  platform: Credentials & { platformId: string; environment: 'SANDBOX' | 'PRODUCTION' },
  { balance = 50_000, platformCustomerId }: { balance?: number; platformCustomerId?: string } = {},
) {
  const api = server.client(platform)
  const customer = await createCustomer(api, platformCustomerId ? { platformCustomerId } : {})
  const usd = await internalAccountOf(api, customer.id, 'USD')
  if (balance > 0) await fund(api, usd.id, balance)

  async function call(method: string, path: string, body?: object) {
    const response = await server.fetch(`${server.baseUrl}${path}`, {
      method,
      headers: { authorization: basic(platform), ...json },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const issue = (more: object = {}) =>
    call('POST', '/cards', { cardholderId: customer.id, form: 'VIRTUAL', fundingSources: [usd.id], ...more })

  async function activeCard(more: object = {}) {
    const issued = await issue(more)
    expect(issued).toMatchObject({ status: 201, body: { state: 'PROCESSING' } })
    await server.settle()
    return (await call('GET', `/cards/${issued.body.id}`)).body
  }
  const simulate = (cardId: string, what: string, body: object) =>
    call('POST', `/sandbox/cards/${cardId}/simulate/${what}`, body)

  /** A simulated purchase or credit; undefined when it left nothing. */
  async function authorize(
    cardId: string,
    amount: number,
    { descriptor = 'CORNER CAFE', kind = 'authorization', code = 'USD' } = {},
  ) {
    const answer = await simulate(cardId, kind, {
      amount,
      currency: { code },
      merchant: { descriptor, mcc: '5814', country: 'US' },
    })
    expect(answer.status).toBe(202)
    const { data } = (await call('GET', `/transactions?type=CARD&customerId=${customer.id}`)).body
    return data.find(
      (each: { issuerTransactionToken: string }) =>
        each.issuerTransactionToken === answer.body.issuerTransactionToken,
    )
  }
  const after = async (id: string) => {
    await server.settle()
    return (await call('GET', `/transactions/${id}`)).body
  }
  const account = () => must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
  return { platform, api, customer, usd, call, issue, activeCard, simulate, authorize, after, account }
}
