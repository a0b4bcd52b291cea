import { must, openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { json } from '../e2e/raw-calls.ts'

// The response of an operator's request is stored in another transaction than its effect. A process may die in between.

const server = await openTestServer()

async function operate<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: object,
  key?: string,
) {
  const response = await server.fetch(`http://corridor.test${path}`, {
    method,
    headers: {
      authorization: `Bearer ${operatorKey}`,
      ...(body ? json : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as T }
}

/** Runs `act` in a process that dies when it is about to store a response apart from its effect. */
async function dyingBeforeResponse<T>(act: () => Promise<T>): Promise<T> {
  const { database } = server.engine
  const { transact } = database
  const watched: typeof transact = (book, change) =>
    transact.call(database, book, (connection) => {
      let isFirst = true
      const query: typeof connection.query = (statement, parameters) => {
        const isResponse = isFirst && statement.text.startsWith('insert into idempotency_keys ')
        isFirst = false
        if (isResponse) throw new Error('the process died')
        return connection.query(statement, parameters)
      }
      return change({ ...connection, query })
    }) as never
  Object.assign(database, { transact: watched })
  return act().finally(() => Object.assign(database, { transact }))
}

interface Listed {
  readonly data: readonly object[]
}

const countOf = async (path: string) => (await operate<Listed>('GET', path)).body.data.length

type Platform = Awaited<ReturnType<typeof server.platform>>

const writes = [
  {
    name: 'a token',
    prepare: (platform: Platform) => ({
      path: `/operator/platforms/${platform.platformId}/tokens?environment=SANDBOX`,
      body: { name: 'Second', permissions: ['VIEW'] },
      count: async () => (await must(server.client(platform).GET('/tokens'))).data.length,
    }),
  },
  {
    name: 'a platform',
    prepare: ({ platformId }: Platform) => ({
      path: '/operator/platforms',
      body: { name: `Of ${platformId}`, environment: 'SANDBOX' },
      count: () => countOf('/operator/platforms?limit=100'),
    }),
  },
]

it.each(writes)('$name is made once by a request that is repeated after a crash', async ({ prepare }) => {
  const { path, body, count } = prepare(await server.platform())
  const before = await count()
  const first = await dyingBeforeResponse(() => operate('POST', path, body, 'key-1'))
  expect(first.status).toBe(500)
  expect(await count()).toBe(before + 1)
  const again = await operate('POST', path, body, 'key-1')
  expect(again).toMatchObject({ status: 409, body: { details: { reason: 'INTERRUPTED' } } })
  expect(await count()).toBe(before + 1)
  const other = await operate('POST', path, { ...body, other: 'body' }, 'key-1')
  expect(other).toMatchObject({ status: 409, body: { details: { reason: 'IDEMPOTENCY_KEY_REUSED' } } })
})

it('a request that died before its effect may be repeated', async () => {
  const { platformId } = await server.platform()
  const path = `/operator/platforms/${platformId}/tokens?environment=SANDBOX`
  const body = { name: 'Second', permissions: ['VIEW'] }
  const { database } = server.engine
  const { transact } = database
  Object.assign(database, {
    transact: async () => {
      throw new Error('the process died')
    },
  })
  expect((await operate('POST', path, body, 'key-2')).status).toBe(500)
  Object.assign(database, { transact })
  expect((await operate('POST', path, body, 'key-2')).status).toBe(201)
  expect((await operate('POST', path, body, 'key-2')).status).toBe(201)
})
