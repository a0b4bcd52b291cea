import { effort } from '@corridor/testkit/effort.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import document from '../../openapi/openapi.json' with { type: 'json' }
import { type Credentials, expectFailure, rawCaller } from './raw-calls.ts'

/** Arrays in queries as axios, qs, jQuery, PHP, Rails and others write them. */

const server = await openTestServer()
const call = rawCaller(() => server)

interface Parameter {
  readonly name: string
  readonly in: string
}

const lists = Object.entries(document.paths as unknown as Record<string, { get?: { parameters?: unknown } }>)
  .filter(([path]) => !path.includes('{') && !path.endsWith('/wait'))
  .flatMap(([path, { get }]) => {
    const parameters = ((get?.parameters ?? []) as Parameter[]).filter((each) => each.in === 'query')
    return parameters.map(({ name }) => ({ path, name }))
  })

const spellings: readonly ((name: string, index: number) => string)[] = [
  (name) => `${name}[]`,
  (name, index) => `${name}[${index}]`,
  (name) => `${name}%5B%5D`,
  (name, index) => `${name}%5B${index}%5D`,
]

let as: Credentials
let other: string

beforeAll(async () => {
  const platform = await server.platform()
  as = platform
  const api = server.client(platform)
  const customer = await createCustomer(api)
  other = (await createCustomer(api)).id
  const account = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, account.id, 100_000)
  const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(account, payee, 10_000))
  await must(execute(api, quote.id))
  await server.settle()
})

const read = async (path: string, query: string) => {
  const { status, text, json } = await call('GET', `${path}?${query}`, { as })
  return { status, body: status === 200 ? json() : text }
}

describe('arrays in queries', () => {
  it.each([
    ['status[]=FAILED&status[]=REJECTED', 0],
    ['status[0]=FAILED&status[1]=REJECTED', 0],
    ['status[]=FAILED&status[]=COMPLETED', 2],
    ['status[0]=COMPLETED', 2],
    ['status=FAILED&status[]=COMPLETED', 2],
  ])('lists the transactions of %s: %d', async (query, totalCount) => {
    const { body } = await read('/transactions', query)
    expect(body).toMatchObject({ totalCount })
  })

  it('lists no transactions for customers without payments', async () => {
    expect((await read('/transactions', '')).body).toMatchObject({ totalCount: 2 })
    for (const query of [`customerId[]=${other}`, `customerId[0]=${other}`]) {
      expect((await read('/transactions', query)).body, query).toMatchObject({ totalCount: 0 })
    }
  })

  it('refuses several values where one is taken, and wrong values, and names the parameter', async () => {
    for (const [query, field] of [
      ['limit[]=1&limit[]=2', 'limit'],
      ['limit=1&limit[]=1', 'limit'],
      ['limit[]=0x10', 'limit'],
      ['startDate[0]=2025-01-01T00:00:00Z&startDate[1]=2025-01-01T00:00:00Z', 'startDate'],
      ['status[]=UNHEARD_OF', 'status'],
      ['status[]=', 'status'],
    ] as const) {
      const answer = await call('GET', `/transactions?${query}`, { as })
      expect(answer.status, query).toBe(400)
      const details = expectFailure(answer, 400, 'INVALID_INPUT')
      expect(details.field, query).toBe(field)
    }
  })

  it('keeps the filters of a cursor whatever their spelling', async () => {
    const { body } = await read('/customers', 'limit=1&customerType[]=INDIVIDUAL')
    const next = await read('/customers', `limit=1&customerType=INDIVIDUAL&cursor=${body.nextCursor}`)
    expect(next.body).toMatchObject({ totalCount: 2, hasMore: false })
  })

  it('reads every parameter of every list in every spelling', async () => {
    expect(new Set(lists.map(({ path }) => path)).size).toBeGreaterThan(30)
    const values = fc.oneof(
      fc.constantFrom('USD', 'COMPLETED', '1', '2025-01-01T00:00:00Z', 'asc', ''),
      fc.constant('').map(() => other),
      fc.stringMatching(/^[a-zA-Z0-9.:-]{1,12}$/),
    )
    const someValues = fc.uniqueArray(values, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lists),
        fc.constantFrom(...spellings),
        someValues,
        async ({ path, name }, spell, texts) => {
          const query = (spelled: (name: string, index: number) => string) =>
            texts.map((text, index) => `${spelled(name, index)}=${encodeURIComponent(text)}`).join('&')
          expect(await read(path, query(spell))).toEqual(
            await read(
              path,
              query((plain) => plain),
            ),
          )
        },
      ),
      { numRuns: effort(150, 2000) },
    )
  })
})
