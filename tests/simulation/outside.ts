import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { silentLog } from '@corridor/kernel'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'

/** What the processes of an installation did to the outside world, whatever it answered. */
export interface Outside {
  /** Ids of the events. */
  readonly webhooks: Set<string>
  /** Ids of the transactions. */
  readonly payouts: Set<string>
  /** Holds a call up: what follows it happens after the standby is frozen. */
  meet(id: string): Promise<void>
}

export function startProcess(
  url: string,
  outside: Outside,
  patience = 1,
  watch = (driver: Driver) => driver,
): Promise<TestServer> {
  const network = (async (_input: unknown, init: { body: string; headers: Record<string, string> }) => {
    outside.webhooks.add(init.headers['X-Webhook-Id']!)
    const { data } = JSON.parse(init.body) as { data: { id: string } }
    await outside.meet(`webhook ${data.id}`)
    return new Response('ok')
  }) as unknown as typeof fetch
  return startTestServer({
    world: { ...realWorld(silentLog), fetch: network },
    driver: watch(openPostgresql({ url, patience })),
    outside: (adapters) => ({
      ...adapters,
      rail(railId) {
        const client = adapters.rail(railId)
        if (!client) return undefined
        return {
          ...client,
          async submitPayout(payout, now) {
            outside.payouts.add(payout.transactionId)
            await outside.meet(`payout ${payout.transactionId}`)
            return client.submitPayout(payout, now)
          },
        }
      },
    }),
  })
}

/** A platform with money to pay with, and an endpoint that is told. */
export async function openPlatform(server: TestServer, amount = 100_000) {
  const platform = await server.platform()
  const api = server.client(platform)
  await api.PATCH('/config', { body: { webhookEndpoint: 'https://receiver.test/hooks' } })
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, usd.id, amount)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  return {
    platform,
    api,
    body: (amountMinor: number) => quoteBody(usd, payee, amountMinor),
    quoteOf: () => createQuote(api, quoteBody(usd, payee, 1_000)),
    balance: async () => (await internalAccountOf(api, customer.id, 'USD')).totalBalance.amount,
  }
}
