import type { Statement } from '@corridor/engine/mechanisms/db/driver.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

/** A page shows what was written before it was requested, also when callers share its read (conventions 7). */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

async function withPayments(count: number, words: object = {}) {
  const known = await paymentApi(server)
  const { api, customer, usd } = known
  await fund(api, usd.id, 10_000)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  for (let made = 0; made < count; made++) {
    const quote = await createQuote(api, { ...quoteBody(usd, payee, 500), ...words })
    await must(execute(api, quote.id))
  }
  const list = (query: object = {}) => must(api.GET('/transactions', { params: { query } }))
  return { ...known, list }
}

/** The names of the statements that are asked from here on. */
function statements(): string[] {
  const names: string[] = []
  const { database } = server.engine
  const read = database.read.bind(database)
  vi.spyOn(database, 'read').mockImplementation(((book: never, statement: Statement, parameters: never) => {
    names.push(statement.name)
    return read(book, statement, parameters)
  }) as never)
  return names
}

it('shows what became of a payment since the page was read', async () => {
  const { list, transaction } = await withPayments(2)
  const before = await list()
  expect(before.data[0]).toMatchObject({ type: 'OUTGOING', status: 'PENDING' })
  await server.settle()
  await server.pass(5_000)
  const after = await list()
  expect(after.data[0]).toMatchObject({ id: before.data[0]!.id, status: 'COMPLETED' })
  expect(after.data[0]).toEqual(await transaction(before.data[0]!.id))
})

it('shows what was written past the program', async () => {
  const { list } = await withPayments(1)
  const [before] = (await list()).data
  await server.rows(
    `update transactions set details = details || '{"description":"put right"}' where id = $1 returning id`,
    [before!.id],
  )
  expect((await list()).data[0]).toEqual({ ...before, description: 'put right' })
})

it('reads the keys of all sealed texts of a page at once', async () => {
  const { list } = await withPayments(3, { description: 'Words of the Canary' })
  const names = statements()
  const { data } = await list()
  expect(data.filter((each) => 'description' in each)).toHaveLength(3)
  expect(names.filter((name) => name.startsWith('dataKeys.'))).toEqual(['dataKeys.loadSeveral'])
})

it('shows each platform its own', async () => {
  const [one, other] = [await withPayments(1), await withPayments(1)]
  const ids = async ({ list }: typeof one) => (await list()).data.map(({ id }) => id)
  const shown = [await ids(one), await ids(other)]
  expect([await ids(one), await ids(other)]).toEqual(shown)
  expect(shown[0]).not.toEqual(expect.arrayContaining(shown[1]!))
})

it('shows what was written before it was asked for, also where another read of it was on its way', async () => {
  const { list, usd, api } = await withPayments(1)
  await list()
  const { database } = server.engine
  const read = database.read.bind(database)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let count = 0
  const onItsWay = new Promise<void>((resolve) => {
    vi.spyOn(database, 'read').mockImplementation((async (
      book: never,
      statement: Statement,
      asked: never,
    ) => {
      const answer = await read(book, statement, asked)
      const isFirst = /^transactions\.list .*page$/.test(statement.name) && count++ === 0
      if (!isFirst) return answer
      resolve()
      await held
      return answer
    }) as never)
  })
  const first = list()
  await onItsWay
  await fund(api, usd.id, 7)
  const others = Array.from({ length: 12 }, () => list())
  // Asked in another way it is another page, which waits for nobody.
  const { data: oldestFirst } = await list({ sortOrder: 'asc' })
  letGo()
  expect((await first).data).toHaveLength(oldestFirst.length - 1)
  for (const { data } of await Promise.all(others)) expect(data).toEqual(oldestFirst.toReversed())
})
