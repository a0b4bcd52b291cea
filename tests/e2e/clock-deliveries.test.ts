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
