import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import axios from 'axios'
import got from 'got'
import { beforeAll, describe, expect, it } from 'vitest'
import { header, row } from './bulk-import-api.ts'

/** Clients that are not ours, with what they do by default. `npm run proof -- clients` has those of other languages. */

const server = await openTestServer()
const platform = await server.platform()
const auth = { username: platform.clientId, password: platform.clientSecret }
let base = ''
let quote: ReturnType<typeof quoteBody>
let withoutPayments = ''

beforeAll(async () => {
  base = `${await server.listen()}/2025-10-13`
  const api = server.client(platform)
  const { id: customerId } = await createCustomer(api)
  withoutPayments = (await createCustomer(api)).id
  const account = await internalAccountOf(api, customerId, 'USD')
  await fund(api, account.id, 100_000)
  const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId })
  quote = { ...quoteBody(account, payee, 1000), immediatelyExecute: true }
})

const form = () => {
  const body = new FormData()
  body.append('file', new Blob([`${header}\n${row()}\n`], { type: 'text/csv' }), 'customers.csv')
  return body
}

describe('another HTTP client', () => {
  it('axios lists with its own arrays, uploads and pays', async () => {
    const api = axios.create({ baseURL: base, auth })
    const list = async (params: object) => (await api.get('/transactions', { params })).data.totalCount
    expect(await list({})).toBe(1)
    expect(await list({ status: ['FAILED', 'REJECTED'] })).toBe(0)
    expect(await list({ customerId: [withoutPayments] })).toBe(0)
    expect((await api.post('/customers/bulk/csv', form())).status).toBe(202)
    expect((await api.post('/quotes', quote)).data.status).toBe('COMPLETED')
    expect(await list({ status: ['COMPLETED'], type: ['OUTGOING'] })).toBe(1)
  })

  it('got lists, uploads and pays', async () => {
    const api = got.extend({ prefixUrl: base, ...auth, responseType: 'json', retry: { limit: 0 } })
    const searchParams = new URLSearchParams([
      ['status', 'FAILED'],
      ['status', 'REJECTED'],
    ])
    const list = await api.get<{ totalCount: number }>('transactions', { searchParams })
    expect(list.body.totalCount).toBe(0)
    expect((await api.post('customers/bulk/csv', { body: form() })).statusCode).toBe(202)
    const payment = await api.post<{ status: string }>('quotes', { json: quote })
    expect(payment.body.status).toBe('COMPLETED')
  })
})
