import { Corridor, moveClock } from '@corridor/sdk'
import { must, openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'

/** How far `moveClock` of the SDK goes, where one call of the API is not enough. */

let tookMs = 0
const server = await openTestServer({
  network: (async () => {
    server.world.passMs(tookMs)
    return new Response('', { status: 503 })
  }) as unknown as typeof fetch,
})

it('a clock whose endpoint is slow comes as far as it was told, however often that is answered early', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
  await server.commit(platform, {
    events: [{ type: 'TEST', resourceId: 'Thing:1', subjectId: null, data: {} }],
  })
  await server.settle()
  tookMs = 8_000
  const corridor = new Corridor({
    baseUrl: server.baseUrl,
    clientId: platform.clientId,
    clientSecret: platform.clientSecret,
    fetch: server.fetch,
  })
  const start = await server.now(platform)
  const moved = await moveClock(corridor, { seconds: 7 * 86_400 })
  expect(moved.isThere).toBe(true)
  // Not by the real time that its many answers took.
  const gone = Date.parse(moved.now) - start
  expect(gone).toBeGreaterThanOrEqual(7 * 86_400_000)
  expect(gone).toBeLessThan(7 * 86_400_000 + 1_000)
}, 120_000)
