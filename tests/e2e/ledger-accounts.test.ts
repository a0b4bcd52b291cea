import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { basic, json } from './raw-calls.ts'
import { laterOperation, stablecoinApi } from './stablecoin-api.ts'

const server = await openTestServer()
type Platform = Awaited<ReturnType<TestServer['platform']>>

interface Account {
  readonly id: string
  readonly kind: string
  readonly currency: { readonly code: string; readonly decimals: number }
  readonly balance: string
  readonly held: string
}
interface Page {
  readonly data: Account[]
  readonly hasMore: boolean
  readonly nextCursor?: string
  readonly totalCount: number
}

async function get<T>(as: Pick<Platform, 'clientId' | 'clientSecret'>, path: string) {
  const answer = await server.fetch(server.baseUrl + path, { headers: { authorization: basic(as) } })
  return { status: answer.status, body: (await answer.json()) as T }
}

/** A platform that has sent 100.00 USD of 1,000.00 to a bank in euros. */
async function paid() {
  const platform = await server.platform()
  const api = server.client(platform)
  const { id } = await createCustomer(api)
  const source = await internalAccountOf(api, id, 'USD')
  await fund(api, source.id, 1_000_00)
  const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: id })
  const body = JSON.stringify(quoteBody(source, payee, 100_00, { immediatelyExecute: true }))
  const headers = { authorization: basic(platform), ...json, 'idempotency-key': 'pay' }
  const answer = await server.fetch(`${server.baseUrl}/quotes`, { method: 'POST', headers, body })
  const { transactionId } = (await answer.json()) as { transactionId: string }
  await server.settle()
  return { platform, source, transactionId }
}

const sumOf = (accounts: readonly Account[], currency: string) =>
  accounts
    .filter((account) => account.currency.code === currency)
    .reduce((sum, { balance }) => sum + BigInt(balance), 0n)

it('shows every standing account, of which each currency adds up to nothing', async () => {
  const { platform, source } = await paid()
  const { body } = await get<Page>(platform, '/ledger/accounts?limit=100')
  expect(body).toMatchObject({ hasMore: false, totalCount: body.data.length })
  expect([...new Set(body.data.map(({ kind }) => kind))]).toEqual(
    expect.arrayContaining(['avail', 'fx', 'rail']),
  )
  expect(body.data.map(({ kind }) => kind)).not.toContain('txn')
  expect(sumOf(body.data, 'USD')).toBe(0n)
  expect(sumOf(body.data, 'EUR')).toBe(0n)
  expect(body.data.find(({ id }) => id === `avail:${source.id}`)).toMatchObject({
    balance: '90000',
    credits: '100000',
    debits: '10000',
    held: '0',
    rule: 'NOT_NEGATIVE',
    currency: { code: 'USD', decimals: 2 },
  })
})

it('pages through them in one order, by kind and currency', async () => {
  const { platform } = await paid()
  const { body: whole } = await get<Page>(platform, '/ledger/accounts?limit=100')
  const read: Account[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get<Page>(platform, `/ledger/accounts?limit=3${cursor}`)
    expect(body.totalCount).toBe(whole.totalCount)
    read.push(...body.data)
    if (!body.hasMore) break
    cursor = `&cursor=${encodeURIComponent(body.nextCursor!)}`
  }
  expect(read).toEqual(whole.data)
  const { body: euros } = await get<Page>(platform, '/ledger/accounts?kind=fx&currency=EUR')
  expect(euros.data.map(({ id }) => id)).toEqual(
    whole.data.filter(({ id }) => id === 'fx:EUR').map(({ id }) => id),
  )
  expect(euros.data).toHaveLength(1)
  const { body: rest } = await get<Page>(platform, '/ledger/accounts?kind=fx&limit=1')
  const more = `/ledger/accounts?kind=fx&limit=1&cursor=${encodeURIComponent(rest.nextCursor!)}`
  expect((await get<Page>(platform, more)).body.data.map(({ kind }) => kind)).toEqual(['fx'])
  const foreign = more.replace('kind=fx', 'kind=rail')
  expect((await get<unknown>(platform, foreign)).status).toBe(400)
})

it('wants a kind with a currency, and knows no other kind', async () => {
  const platform = await server.platform()
  expect(await get(platform, '/ledger/accounts?currency=EUR')).toMatchObject({
    status: 400,
    body: { details: { errors: [{ field: 'kind', message: 'is required with currency' }] } },
  })
  expect((await get(platform, '/ledger/accounts?kind=txn')).status).toBe(400)
})

it('reads one, also that of a transaction, and none of anybody else', async () => {
  const { platform, source, transactionId } = await paid()
  const other = await server.platform()
  for (const id of [`avail:${source.id}`, `txn:${transactionId}:USD`, 'fx:USD']) {
    const path = `/ledger/accounts/${encodeURIComponent(id)}`
    expect(await get(platform, path), id).toMatchObject({ status: 200, body: { id } })
    expect(await get(other, path), id).toMatchObject({ status: 404 })
  }
  for (const id of ['nothing', ':', 'avail:', '%00', 'x'.repeat(2_000)]) {
    expect((await get(platform, `/ledger/accounts/${encodeURIComponent(id)}`)).status, id).toBe(404)
  }
})

it('keeps the accounts of the service to itself in production', async () => {
  const platform = await server.platform({ environment: 'PRODUCTION' })
  const { body } = await get<Page>(platform, '/ledger/accounts?limit=100')
  expect(body.data.every(({ kind }) => ['avail', 'pend'].includes(kind))).toBe(true)
  expect((await get<Page>(platform, '/ledger/accounts?kind=fx')).body.data).toEqual([])
  expect((await get(platform, '/ledger/accounts/fx:USD')).status).toBe(404)
})

it('recomputes the ledger of the platform alone', async () => {
  const { platform } = await paid()
  const { body } = await get<{ checkedTransfers: number }>(platform, '/ledger/audit')
  expect(body).toMatchObject({ status: 'SOUND', problems: [] })
  expect(body.checkedTransfers).toBeGreaterThan(4)
  expect((await get(await server.platform(), '/ledger/audit')).body).toMatchObject({
    status: 'SOUND',
    checkedTransfers: 0,
    checkedCurrencies: 0,
  })
})

it('shows the accounts of stablecoins whatever their symbol is, in units of the coin', async () => {
  const { platform, post, get: read, register, wallet } = await stablecoinApi(server)
  const symbols = ['A', 'AC-ME', 'A COIN', 'ABCDEFGHIJKLMNOP', 'USD', 'MSAT']
  for (const symbol of symbols) {
    const { id: coin } = (await register(symbol)).body as { id: string }
    const minted = await post(`/stablecoins/${coin}/mints`, {
      amount: '1000000',
      fundingSource: { type: 'WIRE' },
      destination: { accountId: wallet.id },
    })
    const { id } = minted.body as { id: string }
    await post(`/sandbox/stablecoin-operations/${id}/simulate/funding`, {})
    expect(await laterOperation(server, read, id)).toMatchObject({ status: 'COMPLETED' })
  }
  const seen: Account[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await get<Page>(platform, `/ledger/accounts?limit=1${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.data)
    if (!body.hasMore) break
    cursor = `&cursor=${encodeURIComponent(body.nextCursor!)}`
  }
  const reserves = seen.filter(({ kind }) => kind === 'coinres')
  expect(reserves.map(({ currency }) => currency.code).sort()).toEqual([...symbols].sort())
  for (const { id, currency } of reserves) {
    expect(currency, id).toMatchObject({ decimals: 6, name: currency.code, symbol: currency.code })
    expect(await get(platform, `/ledger/accounts/${encodeURIComponent(id)}`), id).toMatchObject({
      status: 200,
      body: { id, currency },
    })
  }
})
