import { createCustomer, must, type TestServer } from '@corridor/testkit/index.ts'

type Platform = Awaited<ReturnType<TestServer['platform']>>

/** A customer who is no more than the owner of an account. */
export async function addCustomer(
  server: TestServer,
  platform: Platform,
  {
    region,
    currencies = ['USD', 'EUR'],
    isDeleted = false,
  }: { region?: string; currencies?: string[]; isDeleted?: boolean } = {},
): Promise<{ id: `Customer:${string}`; umaAddress: string }> {
  const api = server.client(platform)
  const { id, umaAddress } = await createCustomer(api, { currencies, ...(region ? { region } : {}) })
  if (isDeleted) await must(api.DELETE('/customers/{customerId}', { params: { path: { customerId: id } } }))
  return { id: id as `Customer:${string}`, umaAddress }
}

/** The events of one resource, oldest first. */
export async function eventsOf(
  server: TestServer,
  platform: Platform,
  resourceId: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return server.events(platform, resourceId)
}
