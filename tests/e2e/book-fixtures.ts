import { insertRows } from '@corridor/engine/db/write.ts'
import { ok, toTimestamp } from '@corridor/kernel'
import type { TestServer } from '@corridor/testkit/index.ts'

type Platform = Awaited<ReturnType<TestServer['platform']>>

/** A customer as a row: tests of other areas need one without going through its onboarding. */
export async function addCustomer(
  server: TestServer,
  platform: Platform,
  {
    region = null,
    currencies = ['USD', 'EUR'],
    isDeleted = false,
  }: { region?: string | null; currencies?: string[]; isDeleted?: boolean } = {},
): Promise<{ id: `Customer:${string}`; umaAddress: string }> {
  const { world, database, keys } = server.engine
  const id = world.id('Customer')
  const at = toTimestamp(world.now())
  const umaAddress = `$${id.slice(-12)}@uma.test`
  const book = { platform_id: platform.platformId, environment: platform.environment }
  await database.transact(platform, async (connection) => {
    await insertRows(connection, 'data_keys', [
      { ...book, owner_id: id, sealed_key: keys.newDataKey(), created_at: at },
    ])
    await insertRows(connection, 'customers', [
      {
        ...book,
        id,
        customer_type: 'INDIVIDUAL',
        platform_customer_id: id.slice(-12),
        uma_address: umaAddress,
        status: 'APPROVED',
        region,
        currencies,
        created_at: at,
        updated_at: at,
        deleted_at: isDeleted ? at : null,
      },
    ])
    return ok(null)
  })
  return { id, umaAddress }
}

/** What the operator sets for a platform. */
export async function setSettings(server: TestServer, platform: Platform, settings: object): Promise<void> {
  await server.engine.database.system((connection) =>
    connection.query(
      {
        name: 'test.setSettings',
        text: 'update books set settings = $3::jsonb where platform_id = $1 and environment = $2',
      },
      [platform.platformId, platform.environment, JSON.stringify(settings)],
    ),
  )
}

/** The events of one resource, oldest first. */
export async function eventsOf(
  server: TestServer,
  platform: Platform,
  resourceId: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await server.engine.database.read<{ body: string }>(
    platform,
    {
      name: 'test.events',
      text: 'select body from events where platform_id = $1 and environment = $2 and resource_id = $3 order by seq',
    },
    [platform.platformId, platform.environment, resourceId],
  )
  return rows.map(({ body }) => JSON.parse(body))
}
