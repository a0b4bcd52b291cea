import {
  createCustomer,
  fund,
  internalAccountOf,
  must,
  recordWebhooks,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an institution answers has no types
type Answer = Record<string, any>

/**
 * Two installations that meet over a simulated network; each platform lists the other's domain, with a credit line unless
 * they settle over Lightning.
 */
export async function twoInstallations({ creditLineMsats = 1e14 }: { creditLineMsats?: number | null } = {}) {
  const receiver = recordWebhooks()
  const line = creditLineMsats === null ? {} : { creditLineMsats }
  const servers = new Map<string, TestServer>()
  /** What went over the network between institutions. */
  const traffic: { url: string; method: string; body: string }[] = []
  let interfere: (url: string) => Response | undefined = () => undefined
  let alter: (url: string, answer: Answer) => object | Promise<object> = (_url, answer) => answer
  const network = (async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const request = new Request(input, { ...init, signal: null })
    const { host } = new URL(request.url)
    const server = servers.get(host)
    if (!server) return interfere(request.url) ?? receiver.network(request)
    const body = request.method === 'GET' ? '' : await request.text()
    traffic.push({ url: request.url, method: request.method, body })
    const instead = interfere(request.url)
    if (instead) return instead
    const response = await server.fetch(request.url, {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), host },
      ...(body === '' ? {} : { body }),
    })
    if (response.status !== 200) return response
    return Response.json(await alter(request.url, (await response.json()) as Answer))
  }) as typeof fetch

  async function installation(name: string, peerName: string, currencies: string[], seed: number) {
    const server = await startTestServer({ network, seed, baseUrl: `http://corridor-${name}.internal` })
    const domain = `${name}.internal`
    servers.set(`corridor-${name}.internal`, server)
    servers.set(domain, server)
    const platform = await server.platform({
      settings: { umaPeers: [{ domain: `${peerName}.internal`, ...line }] },
    })
    const api = server.client(platform)
    await must(api.PATCH('/config', { body: { umaDomain: domain } }))
    const inbox = receiver.inbox()
    await webhookEndpoints(() => server, receiver).setEndpoint(platform, inbox.url)
    const customer = await createCustomer(api, {
      umaAddress: `$${name}-user@${domain}`,
      currencies,
    } as never)
    const account = await internalAccountOf(api, customer.id, currencies[0]!)
    await fund(api, account.id, 1_000_000)
    return { server, platform, api, inbox, customer, account, domain }
  }

  const a = await installation('alpha', 'beta', ['USD'], 11)
  const b = await installation('beta', 'alpha', ['EUR', 'USD'], 22)
  return {
    a,
    b,
    traffic,
    interfere(with_: typeof interfere) {
      interfere = with_
    },
    /** What arrives instead of an answer. */
    alter(with_: typeof alter) {
      alter = with_
    },
    async settle() {
      for (let round = 0; round < 3; round++) for (const { server } of [a, b]) await server.settle()
    },
    async close() {
      await a.server.close()
      await b.server.close()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof twoInstallations>>['a']

export const quoteTo = (
  from: Installation,
  umaAddress: string,
  {
    amount,
    side = 'SENDING',
    currency,
    isImmediate = false,
  }: { amount: number; side?: 'SENDING' | 'RECEIVING'; currency?: string; isImmediate?: boolean },
) =>
  from.api.POST('/quotes', {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: from.account.id },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress, ...(currency ? { currency } : {}) },
      lockedCurrencySide: side,
      lockedCurrencyAmount: amount,
      ...(isImmediate ? { immediatelyExecute: true } : {}),
    },
  })

export const balanceOf = async ({ api, customer }: Installation, currency: string) =>
  (await internalAccountOf(api, customer.id, currency)).balance.amount
