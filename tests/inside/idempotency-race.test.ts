import type { Statement } from '@corridor/engine/vocabulary/statement.ts'
import { openTestServer, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { type Credentials, json, rawCaller } from '../e2e/raw-calls.ts'

const server = await openTestServer()
const call = rawCaller(() => server)

async function tokenNames(as: Credentials): Promise<string[]> {
  return (await call('GET', '/tokens', { as })).json().data.map(({ name }: { name: string }) => name)
}

it('an idempotency key is free after a day for one of two processes, and the other is answered with that', async () => {
  const as = await server.platform()
  const beside = await startTestServer({ beside: server, seed: 2 })
  const send = (at: TestServer) =>
    rawCaller(() => at)('POST', '/tokens', {
      as,
      headers: { ...json, 'idempotency-key': 'daily' },
      body: JSON.stringify({ name: 'daily', permissions: ['VIEW'] }),
    })
  expect((await send(server)).status).toBe(201)
  beside.world.passMs(server.world.now() - beside.world.now())
  await server.pass(24 * 3_600_000)
  beside.world.passMs(24 * 3_600_000)

  const { database } = server.engine
  const read = database.read.bind(database) as (...given: unknown[]) => Promise<never>
  let faster: Awaited<ReturnType<typeof send>> | undefined
  Object.assign(database, {
    async read(book: unknown, statement: Statement, parameters: unknown) {
      if (!faster && statement.name === 'idempotency.forget') faster = await send(beside)
      return read(book, statement, parameters)
    },
  })
  const slower = await send(server)
  Object.assign(database, { read })
  expect(faster?.headers.get('idempotent-replayed')).toBeNull()
  expect(slower.headers.get('idempotent-replayed')).toBe('true')
  expect(slower.json().id).toBe(faster?.json().id)
  expect(await tokenNames(as)).toEqual(['daily', 'daily', 'First token'])
  await beside.close()
})
