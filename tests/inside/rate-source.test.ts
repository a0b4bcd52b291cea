import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ecbRates } from '@corridor/adapters/rates/ecb.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const published = readFileSync(
  fileURLToPath(new URL('../../packages/adapters/src/rates/fixtures/eurofxref-daily.xml', import.meta.url)),
  'utf8',
)

const server = await openTestServer({
  network: (async () => new Response(published)) as unknown as typeof fetch,
  rates: (world) =>
    ecbRates(world, { source: 'https://rates.example/', fillsFromTable: false, maxAgeDays: 6 }),
})

describe('a quote at the reference rates of the European Central Bank', () => {
  it('is exact, and refused once the rates are too old', async () => {
    const api = server.client(await server.platform())
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000')
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    // 99 500 cents after the fee of 0.5 %, at 1 / 1.1568, rounded down.
    expect(made).toMatchObject({ totalReceivingAmount: 86_013, exchangeRate: 1.1568 })

    const pesos = await createPayee(api, 'PHP', '001234567890')
    const inPesos = await createQuote(api, quoteBody(usd, pesos, 100_000))
    expect(inPesos.exchangeRate).toBeCloseTo(1.1568 / 67.456, 8)
    // The bank publishes no rate of bitcoin, and nobody said where else it should come from.
    const bitcoin = await internalAccountOf(api, customer.id, 'BTC')
    const refused = { status: 400, code: 'QUOTE_REQUEST_FAILED', details: { reason: 'NO_RATE' } }
    expect((await api.POST('/quotes', { body: quoteBody(usd, bitcoin, 100_000) })).error).toMatchObject(
      refused,
    )

    await server.pass(7 * 86_400_000)
    const late = await api.POST('/quotes', { body: quoteBody(usd, payee, 100_000) })
    expect(late.error).toMatchObject(refused)
    const { data } = await api.GET('/exchange-rates', {
      params: { query: { sourceCurrency: 'USD', destinationCurrency: ['EUR'] } },
    })
    expect(data).toEqual({ data: [] })
  })
})
