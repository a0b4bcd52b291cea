import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'

/** What the request log takes and keeps at most. */

const server = await openTestServer()

const noted = {
  operation: 'listTokens',
  method: 'GET',
  path: '/tokens',
  resources: {},
  status: 200,
  code: null,
  fields: [],
  milliseconds: 1,
  idempotencyKey: undefined,
  replayed: false,
  actor: 'Token:one',
  source: '127.0.0.1',
}

type Platform = Awaited<ReturnType<typeof server.platform>>

async function note(platform: Platform, lines: number): Promise<void> {
  const { requestLog } = server.engine
  await requestLog.flush()
  for (let line = 0; line < lines; line++) requestLog.note(platform, { ...noted, requestId: `${line}` })
  await requestLog.flush()
}

async function kept({ platformId }: Platform): Promise<number> {
  const [row] = await server.rows<{ count: bigint }>(
    'select count(*) as count from request_log where platform_id = $1',
    [platformId],
  )
  return Number(row!.count)
}

it('keeps the latest ten thousand of a book and somewhat more', async () => {
  const platform = await server.platform()
  for (let batch = 0; batch < 4; batch++) await note(platform, 4_000)
  expect(await kept(platform)).toBeGreaterThanOrEqual(10_000)
  expect(await kept(platform)).toBeLessThanOrEqual(15_000)
})

it('leaves out what it cannot take, and holds nobody up', async () => {
  const platform = await server.platform()
  await note(platform, 6_000)
  expect(await kept(platform)).toBe(5_000)
})

it('goes on after lines that could not be written', async () => {
  const platform = await server.platform()
  const { requestLog } = server.engine
  requestLog.note(platform, { ...noted, requestId: 'lost', milliseconds: 2 ** 40 })
  await requestLog.flush()
  await note(platform, 1)
  expect(await kept(platform)).toBe(1)
})
