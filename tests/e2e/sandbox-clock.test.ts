import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const second = 1_000

const server = await openTestServer()

describe('the sandbox clock', () => {
  it('belongs to one platform, only moves forward, and is not there in production', async () => {
    const [mine, theirs] = [await server.platform(), await server.platform()]
    const start = (await server.client(mine).GET('/sandbox/clock')).data!
    expect(start.offsetSeconds).toBe(0)
    await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 90 } })
    const twice = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 0 } })
    expect(twice.data).toEqual({
      now: new Date(Date.parse(start.now) + 90 * second).toISOString(),
      offsetSeconds: 90,
    })
    expect((await server.client(theirs).GET('/sandbox/clock')).data).toEqual(start)
    const both = await Promise.all(
      [30, 40].map((seconds) => server.client(mine).POST('/sandbox/clock/advance', { body: { seconds } })),
    )
    expect(both.map(({ data }) => data!.offsetSeconds)).toContain(160)
    const back = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: -1 } })
    expect(back.error).toMatchObject({ code: 'INVALID_INPUT' })

    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    expect((await production.GET('/sandbox/clock')).error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })
})
