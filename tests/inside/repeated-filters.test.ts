import { operations } from '@corridor/engine/assembly/features.ts'
import type { Operation } from '@corridor/engine/vocabulary/operation.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { createCustomer, createPayee, must, openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import type { TObject } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { bearer, connectAgent } from '../e2e/agent-api.ts'

const server = await openTestServer()
let api: CorridorClient
let coinId: string
let agentToken: string
let book: { readonly platformId: string; readonly environment: string }
beforeAll(async () => {
  const platform = await server.platform()
  api = server.client(platform)
  book = platform
  agentToken = (await connectAgent(server, platform, (await createCustomer(api)).id)).token
  const account = { provider: 'BRALE', apiClientId: 'client_1', apiClientSecret: 'a-secret-nobody-may-see' }
  const keyed = (key: string) => ({ header: { 'Idempotency-Key': key } })
  await must(api.POST('/stablecoin-provider-accounts', { params: keyed('a'), body: account as never }))
  const token = {
    providerTokenIdentifier: 'acme',
    networkTokenIdentifier: `btkn1${'q'.repeat(10)}`,
    network: 'SPARK',
  }
  coinId = (await must(api.POST('/stablecoins', { params: keyed('b'), body: token as never }))).id
})

/** Filters that may be repeated: [operation, parameter]. */
const repeatable = operations.flatMap((operation) =>
  Object.entries((operation.query as TObject | undefined)?.properties ?? {})
    .filter(([, schema]) => 'x-repeatable' in schema)
    .map(([name, schema]) => [operation, name, (schema as unknown as { items: object }).items] as const),
)

/** Two values that the schema of one value admits. */
function twoValues(name: string, schema: { enum?: string[]; pattern?: string }): [string, string] {
  const uuid = '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f7'
  if (schema.enum) return [schema.enum[0]!, schema.enum[1]!]
  if (schema.pattern?.includes('[1-5][0-9]')) return ['200', '404']
  const kind = /^\^\(?(\w+)[:|]/.exec(schema.pattern ?? '')?.[1]
  if (kind) return [`${kind}:${uuid}0`, `${kind}:${uuid}1`]
  if (/[iI]dentifier$/.test(name)) return ['$ana@uma.example', `ExternalAccount:${uuid}0`]
  if (/country/i.test(name)) return ['DE', 'fr']
  if (/currency/i.test(name)) return ['USD', 'EUR']
  return ['one', 'Two']
}

/** What has to be given besides. */
const besides: Readonly<Record<string, object>> = { 'listLedgerAccounts currency': { kind: 'fx' } }

const get = (operation: Operation, query: object) =>
  api.GET(operation.path.replace('{stablecoinId}', coinId) as '/customers', {
    params: { query: query as never },
    ...(operation.auth === 'agent' ? { headers: { authorization: bearer(agentToken) } } : {}),
  })

/** The operator names the book, and is served outside of the version. */
async function ofOperator(operation: Operation, query: Readonly<Record<string, string | string[]>>) {
  const search = new URLSearchParams({ platformId: book.platformId, environment: book.environment })
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) search.append(name, each)
  const answer = await server.fetch(`http://corridor.test${operation.path}?${search}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  const { data } = (await answer.json()) as { data: object[] }
  expect(answer.status).toBe(200)
  return data
}

describe('a filter that is repeated (conventions 7)', () => {
  it.each(repeatable.map(([operation, ...rest]) => [operation.id, operation, ...rest] as const))(
    'is served by %s: $2',
    async (_id, operation, name, schema) => {
      const values = twoValues(name, schema)
      const rows = async (value: string | string[]) => {
        const query = { [name]: value, ...besides[`${operation.id} ${name}`] }
        const data =
          operation.auth === 'operator'
            ? await ofOperator(operation, query)
            : (await must(get(operation, query))).data
        return data.map((row) => JSON.stringify(row))
      }
      const single = [...(await rows(values[0])), ...(await rows(values[1]))]
      expect(new Set(await rows(values))).toEqual(new Set(single))
    },
  )

  it('adds up what each of its values finds', async () => {
    const [ana, ben, eve] = await Promise.all([createCustomer(api), createCustomer(api), createCustomer(api)])
    for (const { id } of [ana, ben, eve]) {
      await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: id })
    }
    const two = { customerId: [ana.id, eve.id] }
    const payees = await must(api.GET('/customers/external-accounts', { params: { query: two as never } }))
    expect(payees.totalCount).toBe(2)
    expect(payees.data.map(({ customerId }) => customerId).sort()).toEqual([...two.customerId].sort())
    const read = async (query: object) =>
      (await must(api.GET('/customers/internal-accounts', { params: { query: query as never } }))).data.map(
        ({ customerId, balance }) => `${customerId} ${balance.currency.code}`,
      )
    const dollars = { ...two, currency: 'USD' }
    expect((await read(dollars)).sort()).toEqual([`${ana.id} USD`, `${eve.id} USD`].sort())
    const either = [...(await read(dollars)), ...(await read({ ...two, currency: 'EUR' }))]
    expect((await read({ ...two, currency: ['EUR', 'USD'] })).sort()).toEqual(either.sort())
    const { data: own } = await must(
      api.GET('/platform/internal-accounts', { params: { query: { currency: ['EUR', 'USD'] } } }),
    )
    expect(own.map(({ balance }) => balance.currency.code).sort()).toEqual(['EUR', 'USD'])
  })

  it('of customers is read like a single one: regions and addresses in any case', async () => {
    const [german, french] = [
      await createCustomer(api, { region: 'DE' }),
      await createCustomer(api, { region: 'FR' }),
    ]
    const find = async (query: object) =>
      (await must(api.GET('/customers', { params: { query: query as never } }))).data.map(({ id }) => id)
    expect(await find({ region: ['fr', 'De'] })).toEqual([french.id, german.id])
    const umaAddress = [german.umaAddress.toUpperCase(), french.umaAddress.slice(1)]
    expect(await find({ umaAddress })).toEqual([french.id, german.id])
    expect(await find({ umaAddress, region: ['DE', 'US'] })).toEqual([german.id])
    expect(await find({ region: ['DE', 'FR'], currency: ['EUR', 'USD'] })).toEqual([french.id, german.id])
    expect(await find({ region: ['DE', 'FR'], currency: ['NGN', 'KES'] })).toEqual([])
  })

  it('of a directory is as well', async () => {
    const institutions = async (query: object) =>
      (await must(api.GET('/discoveries', { params: { query } }))).data
    const [ph, ng] = [await institutions({ country: 'PH' }), await institutions({ country: 'NG' })]
    expect(await institutions({ country: ['ph', 'NG'] })).toHaveLength(ph.length + ng.length)
    expect(await institutions({ country: ['ph', 'NG'], currency: 'NGN' })).toEqual(ng)
    const origins = await must(
      api.GET('/exchange-rates', {
        params: { query: { sourceCurrency: ['USD', 'EUR'], destinationCurrency: ['GBP'] } },
      }),
    )
    expect(origins.data.map(({ sourceCurrency }) => sourceCurrency.code).sort()).toEqual(['EUR', 'USD'])
    const switches = await get(operations.find(({ id }) => id === 'listCustomers')!, {
      isIncludingDeleted: [true, false],
    })
    expect(switches.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        errors: [{ field: 'isIncludingDeleted', message: 'may be given only once' }],
        field: 'isIncludingDeleted',
      },
    })
  })
})
