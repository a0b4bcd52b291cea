import { describe, expect, it } from 'vitest'
import { Corridor, moveClock } from './index.ts'

interface Reply {
  readonly offsetSeconds: number
  /** Real time since the clock was asked for first. */
  readonly realSeconds?: number
  readonly isThere?: boolean
  readonly happened?: number
}

/** A sandbox whose answers are listed, the one to the question where its clock is first. */
function sandbox(replies: readonly Reply[]) {
  const asked: unknown[] = []
  let count = 0
  const corridor = new Corridor({
    baseUrl: 'http://corridor.test/2025-10-13/',
    clientId: 'id',
    clientSecret: 'secret',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'POST') asked.push(await request.json())
      const { offsetSeconds, realSeconds = 0, isThere = true, happened = 0 } = replies[count++]!
      const ran = Array.from({ length: Math.min(50, happened) }, () => ({
        kind: 'webhooks.deliver',
        dueAt: '2025-10-13T09:00:00.000Z',
      }))
      const counts = happened === 0 ? [] : [{ kind: 'webhooks.deliver', count: happened }]
      const now = new Date(Date.UTC(2025, 9, 13, 9) + (realSeconds + offsetSeconds) * 1_000).toISOString()
      const clock = { now, offsetSeconds }
      return Response.json(
        request.method === 'POST' ? { ...clock, ran, ranCount: happened, counts, isThere } : clock,
      )
    },
  })
  return { corridor, asked }
}

describe('a move of the clock that is answered early', () => {
  it('goes on with the rest, and is told as one', async () => {
    const { corridor, asked } = sandbox([
      { offsetSeconds: 100 },
      { offsetSeconds: 93_399, realSeconds: 45, isThere: false, happened: 40 },
      { offsetSeconds: 200_010, realSeconds: 90, isThere: false, happened: 0 },
      { offsetSeconds: 259_200, realSeconds: 100, happened: 30 },
    ])
    const moved = await moveClock(corridor, { seconds: 259_200 })
    expect(asked).toEqual([{ seconds: 259_200 }, { seconds: 165_856 }, { seconds: 59_200 }])
    // A hundred seconds of the way were real.
    expect(moved).toMatchObject({ offsetSeconds: 259_200, isThere: true, ranCount: 70 })
    expect(moved.ran).toHaveLength(50)
    expect(moved.counts).toEqual([{ kind: 'webhooks.deliver', count: 70 }])
  })

  it('is asked for once where it arrives', async () => {
    const { corridor, asked } = sandbox([{ offsetSeconds: 0 }, { offsetSeconds: 60, happened: 1 }])
    expect(await moveClock(corridor, { seconds: 60 })).toMatchObject({ ranCount: 1, isThere: true })
    expect(asked).toHaveLength(1)
  })

  it('ends where it moves no more', async () => {
    const { corridor, asked } = sandbox([
      { offsetSeconds: 5 },
      { offsetSeconds: 60, isThere: false, happened: 1 },
      { offsetSeconds: 60, isThere: false },
      { offsetSeconds: 60, isThere: false },
    ])
    expect(await moveClock(corridor, { seconds: 100 })).toMatchObject({ isThere: false, ranCount: 1 })
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['what is next, once it is at its moment: what is left of that moment', 'NEXT', 60, 1, { seconds: 0 }],
    ['what is next, where it has not come so far', 'NEXT', 0, 1, { until: 'NEXT' }],
    ['what is next, where somebody else has moved it', 'NEXT', 60, 0, { until: 'NEXT' }],
    ['quiet, with what is left of its limit', 'QUIET', 60, 1, { until: 'QUIET' }],
  ] as const)('to %s', async (_what, until, offsetSeconds, happened, rest) => {
    const { corridor, asked } = sandbox([
      { offsetSeconds: 0 },
      { offsetSeconds, isThere: false, happened },
      { offsetSeconds: 90, happened: 1 },
    ])
    await moveClock(corridor, { until })
    expect(asked).toEqual([{ until }, rest])
  })
})

/** A sandbox that several move, each move as a whole after the one before; early answers have come as far as they are listed. */
function shared(early: readonly number[]) {
  let offsetSeconds = 0
  const left = [...early]
  const start = Date.UTC(2025, 9, 13, 9)
  const corridor = new Corridor({
    baseUrl: 'http://corridor.test/2025-10-13/',
    clientId: 'id',
    clientSecret: 'secret',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { seconds = 0 } = request.method === 'POST' ? await request.json() : {}
      const gone = Math.min(left.shift() ?? seconds, seconds)
      if (request.method === 'POST') offsetSeconds += gone
      const now = new Date(start + offsetSeconds * 1_000).toISOString()
      const moved = { ran: [], ranCount: 0, counts: [], isThere: gone === seconds }
      return Response.json({ now, offsetSeconds, ...(request.method === 'POST' ? moved : {}) })
    },
  })
  return { corridor, at: () => offsetSeconds }
}

describe('a clock that two move at once', () => {
  it('goes both ways where each is answered once', async () => {
    const { corridor, at } = shared([])
    await Promise.all([moveClock(corridor, { seconds: 100 }), moveClock(corridor, { seconds: 50 })])
    expect(at()).toBe(150)
  })

  it('comes at least as far as each was asked for, counted from where it stood, where an answer comes early', async () => {
    for (const early of [
      [0, 40, 30],
      [0, 0, 40, 30, 20, 10],
      [0, 0, 99, 1],
    ]) {
      const { corridor, at } = shared(early)
      const moves = [moveClock(corridor, { seconds: 100 }), moveClock(corridor, { seconds: 200 })]
      const answers = await Promise.all(moves)
      expect(answers.map(({ isThere }) => isThere)).toEqual([true, true])
      expect(at(), String(early)).toBeGreaterThanOrEqual(200)
    }
  })
})
