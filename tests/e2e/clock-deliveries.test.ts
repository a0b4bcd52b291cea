import { must, openTestServer } from '@corridor/testkit/index.ts'
import { afterAll, expect, it } from 'vitest'

// What waits to be delivered again is sent in the order of its time while the clock of a sandbox is moved.

let isDown = true
const posted: string[] = []
const server = await openTestServer({
  network: (async (_url: string, init: RequestInit) => {
    posted.push(new Headers(init.headers).get('x-webhook-id')!)
    return new Response('', { status: isDown ? 503 : 200 })
  }) as typeof fetch,
})
afterAll(() => server.expectSoundLedger())

it('a week brings a hundred deliveries to their end, each once, in the order in which they are due', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
  await server.settle()
  const before = posted.length
  await server.commit(platform, {
    events: Array.from({ length: 100 }, (_, index) => ({
      type: 'TEST',
      resourceId: `Thing:${index}`,
      subjectId: null,
      data: {},
    })),
  })
  await server.settle()
  expect(posted.length - before).toBeGreaterThanOrEqual(100)
  isDown = false
  posted.length = 0
  const { upcoming } = await must(api.GET('/sandbox/clock/upcoming'))
  const moved = await must(api.POST('/sandbox/clock/advance', { body: { seconds: 7 * 86_400 } }))
  expect(moved).toMatchObject({ isThere: true, offsetSeconds: 7 * 86_400 })
  expect(moved.ranCount).toBeGreaterThanOrEqual(100)
  const times = moved.ran.map(({ dueAt }) => dueAt)
  expect(times).toEqual([...times].sort())
  expect(new Set(posted).size).toBe(posted.length)
  expect(posted.length).toBeGreaterThanOrEqual(100)
  // What was said to come next came first, and in that order.
  const places = upcoming.map(({ subjectId }) => posted.indexOf(subjectId!))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(Math.max(...places)).toBeLessThan(upcoming.length)
})

it('more of them than run together are attempted in the order of their time, also those that are refused', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://platform.example.com/hooks' } }))
  await server.settle()
  isDown = true
  await server.commit(platform, {
    events: Array.from({ length: 300 }, (_, index) => ({
      type: 'TEST',
      resourceId: `Thing:${index}`,
      subjectId: null,
      data: {},
    })),
  })
  await server.settle()
  posted.length = 0
  const refused = await must(api.POST('/sandbox/clock/advance', { body: { seconds: 60 } }))
  expect(refused).toMatchObject({ isThere: true })
  // Each has been attempted again by then, most of them more than once, and each attempt is on record.
  expect(new Set(posted).size).toBe(300)
  const attempts = await server.rows<{ sum: number }>(
    `select sum(attempts)::int as sum from events where platform_id = $1 and resource_id like 'Thing:%'`,
    [platform.platformId],
  )
  expect(attempts[0]!.sum).toBe(300 + posted.length)
  isDown = false
  posted.length = 0
  const { upcoming } = await must(api.GET('/sandbox/clock/upcoming'))
  await must(api.POST('/sandbox/clock/advance', { body: { seconds: 7 * 86_400 } }))
  expect(posted).toHaveLength(300)
  expect(new Set(posted).size).toBe(300)
  const places = upcoming.map(({ subjectId }) => posted.indexOf(subjectId!)).filter((place) => place >= 0)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})
