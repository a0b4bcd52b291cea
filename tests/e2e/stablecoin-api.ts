import { createPayee, type TestServer } from '@corridor/testkit/index.ts'
import { json, rawCaller } from './raw-calls.ts'

export const secret = 'a-secret-nobody-may-see'
let keys = 0
let tokens = 0

export interface StablecoinOptions {
  readonly apiClientId?: string
  readonly link?: false
}

/** A platform with a linked provider account, a wallet and a bank account, and calls with keys of their own. */
export async function stablecoinApi(server: TestServer, options: StablecoinOptions = {}) {
  const raw = rawCaller(() => server)
  const platform = await server.platform()
  const api = server.client(platform)
  const post = async (path: string, body: object, key: string | null = `key-${++keys}`) => {
    const answer = await raw('POST', path, {
      as: platform,
      headers: { ...json, ...(key === null ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    })
    return {
      status: answer.status,
      body: answer.text === '' ? undefined : answer.json(),
      headers: answer.headers,
    }
  }
  const get = async (path: string) => (await raw('GET', path, { as: platform })).json()
  const link = (apiClientId = 'client_1', more: object = {}) =>
    post('/stablecoin-provider-accounts', {
      provider: 'BRALE',
      apiClientId,
      apiClientSecret: secret,
      ...more,
    })
  const register = (providerTokenIdentifier: string, more: object = {}) =>
    post('/stablecoins', {
      providerTokenIdentifier,
      networkTokenIdentifier: `btkn1${(1e9 + ++tokens).toString().replaceAll('1', 'q')}`,
      network: 'SPARK',
      ...more,
    })
  const wallet = await createPayee(
    api,
    'SPARK',
    'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
  )
  const bank = await createPayee(api, 'USD', '000123456789')
  if (options.link !== false) await link(options.apiClientId)
  return { platform, api, post, get, link, register, wallet, bank }
}

/** An operation after everything that the provider does by itself. */
export async function laterOperation(
  server: TestServer,
  get: (path: string) => Promise<{ status: string }>,
  id: string,
  ms = 2_000,
) {
  await server.pass(ms)
  return get(`/stablecoin-operations/${id}`)
}
