import { openTestServer, startTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()
const dayMs = 86_400_000

describe('the end of the sandbox clock', () => {
  it('is the year 9900: nobody gets beyond it, and everything goes on before', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const end = Date.UTC(9900, 0, 1)
    // What 7,900 calls of a year each would do.
    await server.engine.clock.moveTo(platform, end - 10 * dayMs)
    const advance = (body: { seconds?: number; until?: 'NEXT' | 'QUIET' }) =>
      api.POST('/sandbox/clock/advance', { body })
    const beyond = await advance({ seconds: 11 * 86_400 })
    expect(beyond.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'seconds' } })
    expect((await advance({ until: 'QUIET' })).data).toMatchObject({ isThere: true })
    expect((await advance({ seconds: 10 * 86_400 - 60 })).data?.now).toMatch(/^9899-12-31/)
    expect((await advance({ seconds: 3_600 })).error).toMatchObject({ code: 'INVALID_INPUT' })
    expect((await advance({ seconds: 0 })).data).toMatchObject({ ranCount: 0 })
    expect((await advance({ until: 'NEXT' })).data).toMatchObject({ isThere: true })
    expect((await api.GET('/customers')).response.status).toBe(200)
  })

  it('is not passed by callers who come at the same moment', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const end = Date.UTC(9900, 0, 1)
    await server.engine.clock.moveTo(platform, end - 10 * dayMs)
    const moves = await Promise.all(
      Array.from({ length: 5 }, () => api.POST('/sandbox/clock/advance', { body: { seconds: 9 * 86_400 } })),
    )
    expect(moves.filter(({ data }) => data?.isThere)).toHaveLength(1)
    // Whoever looked before it moved gets to the end and no further; whoever looked later is refused.
    for (const { data, error } of moves) {
      if (data?.isThere) continue
      if (data) expect(data).toMatchObject({ isThere: false, now: '9900-01-01T00:00:00.000Z' })
      else expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'seconds' } })
    }
    expect((await api.GET('/sandbox/clock')).data?.now).toBe('9900-01-01T00:00:00.000Z')
  })

  it('is no reason to stand still: calls of two processes each move it by all of their time', async () => {
    const beside = await startTestServer({ beside: server })
    try {
      const platform = await server.platform()
      const days: (number | undefined)[] = []
      for (const at of [server, beside, server, beside]) {
        const { data } = await at
          .client(platform)
          .POST('/sandbox/clock/advance', { body: { seconds: 86_400 } })
        days.push(data && data.offsetSeconds / 86_400)
      }
      expect(days).toEqual([1, 2, 3, 4])
    } finally {
      await beside.close({ audited: false })
    }
  })
})
