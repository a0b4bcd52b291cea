import { must, openTestServer, startTestServer } from '@corridor/testkit/index.ts'
import { afterEach, expect, it, vi } from 'vitest'

// A sandbox with as many faults as it may have is no dearer to the others than one request of it is, and fills nothing.

const server = await openTestServer()
afterEach(() => vi.restoreAllMocks())

const fault = (more: object = {}) => ({
  kind: 'ERROR' as const,
  target: 'API' as const,
  match: { operationId: 'listCustomers' },
  ...more,
})

async function sandbox(faults: readonly object[]) {
  const platform = await server.platform()
  const api = server.client(platform)
  const { data } = await must(api.POST('/sandbox/faults/apply', { body: { faults: faults as never } }))
  const counted = async () => {
    const { data } = await must(api.GET('/sandbox/faults', { params: { query: { limit: 100 } } }))
    return data.map(({ seen, hits }) => ({ seen, hits }))
  }
  return { platform, api, ids: data.map(({ id }) => id), counted }
}

const nowOf = async (platform: Awaited<ReturnType<typeof server.platform>>) =>
  new Date(await server.now(platform)).toISOString()

async function count(table: string, platform: { platformId: string }, where = 'true'): Promise<number> {
  const [row] = await server.rows<{ count: bigint }>(
    `select count(*) as count from ${table} where platform_id = $1 and ${where}`,
    [platform.platformId],
  )
  return Number(row!.count)
}

it('a hundred faults that one request meets are one transaction, whatever is drawn for each', async () => {
  const kinds = [{}, { probability: 0.5 }, { after: 1 }, { times: 1 }]
  const { api, ids, counted, platform } = await sandbox(
    Array.from({ length: 100 }, (_, index) => fault(kinds[index % kinds.length])),
  )
  const transact = vi.spyOn(server.engine.database, 'transact')
  const { response } = await api.GET('/customers')
  expect(response.status).toBe(500)
  expect(transact).toHaveBeenCalledTimes(1)
  const hits = await counted()
  expect(hits.map(({ seen }) => seen)).toEqual(ids.map(() => 1))
  expect(await count('fault_activations', platform)).toBe(hits.reduce((sum, { hits }) => sum + hits, 0))
  expect(response.headers.get('x-corridor-fault')!.split(', ')).toHaveLength(
    await count('fault_activations', platform),
  )
})

it('those who meet many at once count each of them, and share what is limited', async () => {
  const { api, counted } = await sandbox([
    ...Array.from({ length: 30 }, () => fault({ times: 7 })),
    ...Array.from({ length: 30 }, () => fault({ after: 15, times: 100 })),
  ])
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.GET('/customers')))
  expect(answers.filter(({ response }) => response.status === 500)).toHaveLength(12)
  const all = await counted()
  expect(all.filter(({ hits }) => hits === 7)).toHaveLength(30)
  expect(all.filter(({ seen, hits }) => seen === 20 && hits === 5)).toHaveLength(30)
})

it('keeps the latest ten thousand hits of a book and somewhat more, and what was decided about payments', async () => {
  const [made, other] = [await sandbox([fault()]), await sandbox([fault()])]
  const written = async (of: typeof made, rows: number, kind: string, target: string) =>
    server.rows(
      `insert into fault_activations (platform_id, environment, id, fault_id, kind, target, subject, created_at)
       select $1, 'SANDBOX', $2::text || n, $3, $4, $5, 'subject ' || n, $6::timestamptz - interval '1 day'
       from generate_series(1, ${rows}) n`,
      [of.platform.platformId, `${kind} `, of.ids[0]!, kind, target, await nowOf(of.platform)],
    )
  await written(made, 50, 'OUTCOME', 'RAIL')
  await written(made, 10_700, 'OUTAGE', 'RAIL')
  await written(other, 12_000, 'ERROR', 'API')
  await made.api.GET('/customers')
  expect(await count('fault_activations', made.platform)).toBe(10_050)
  expect(await count('fault_activations', made.platform, `kind = 'ERROR'`)).toBe(1)
  expect(await count('fault_activations', made.platform, `kind = 'OUTCOME'`)).toBe(50)
  expect(await count('fault_activations', other.platform)).toBe(12_000)
  // Of many more each look removes some, so that nobody waits long.
  await other.api.GET('/customers')
  expect(await count('fault_activations', other.platform)).toBe(11_001)
})

it('looks again after every few hundred', async () => {
  const { api, platform } = await sandbox(Array.from({ length: 100 }, () => fault()))
  for (let asked = 0; asked < 113; asked++) await api.GET('/customers')
  expect(await count('fault_activations', platform)).toBeLessThanOrEqual(10_500)
  expect(await count('fault_activations', platform)).toBeGreaterThanOrEqual(10_000)
})

it('forgets whom a fault met first, where it has met more than ten thousand', async () => {
  const { api, ids, platform } = await sandbox([fault({ probability: 0.5 })])
  await server.rows(
    `insert into fault_encounters (platform_id, environment, fault_id, subject, seen, id, created_at)
     select $1, 'SANDBOX', $2, 'subject ' || n, 1, 'e' || n, $3::timestamptz - interval '1 day' from generate_series(1, 10500) n`,
    [platform.platformId, ids[0]!, await nowOf(platform)],
  )
  await api.GET('/customers')
  expect(await count('fault_encounters', platform)).toBe(10_000)
  expect(await count('fault_encounters', platform, `subject like 'listCustomers %'`)).toBe(1)
})

it('who was told that it takes too long meets nothing any more, and nothing is done', async () => {
  let isSlow = false
  const slow = await startTestServer({ answerTimeoutMs: () => (isSlow ? 20 : 60_000) })
  try {
    const platform = await slow.platform()
    const api = slow.client(platform)
    // Which would let it pass.
    const body = { kind: 'ERROR', target: 'API', after: 1 } as const
    const { id } = await must(api.POST('/sandbox/faults', { body }))
    const address = `${await slow.listen()}/2025-10-13`
    const authorization = `Basic ${btoa(`${platform.clientId}:${platform.clientSecret}`)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const person = {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'late',
      fullName: 'Ana Row',
      region: 'US',
    }

    // The database is busy with others until the answer is late.
    const { database } = slow.engine
    const transact = database.transact.bind(database)
    let goOn = () => {}
    const busy = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const spy = vi.spyOn(database, 'transact').mockImplementation(async (book, work) => {
      await busy
      return transact(book, work as never) as never
    })
    isSlow = true
    const late = await fetch(`${address}/customers`, {
      method: 'POST',
      headers,
      body: JSON.stringify(person),
    })
    expect(late.status).toBe(503)
    isSlow = false
    goOn()
    await Promise.all(spy.mock.results.map(({ value }) => value))
    spy.mockRestore()
    await slow.settle()
    const { seen, hits } = await must(
      api.GET('/sandbox/faults/{faultId}', { params: { path: { faultId: id } } }),
    )
    expect({ seen, hits }).toEqual({ seen: 0, hits: 0 })
    expect((await must(api.GET('/customers'))).totalCount).toBe(0)
  } finally {
    await slow.close()
  }
})
