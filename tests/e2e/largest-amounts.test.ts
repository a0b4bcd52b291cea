import { createPayee, must, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clabe, paymentApi } from './payment-api.ts'
import { type Installation, quoteTo, twoInstallations } from './uma-peers.ts'

// Conventions 4: no amount of the API is larger than 2^53 - 1, however much a platform lets itself send.

const most = 9_000_000_000_000_000

/** A platform that sets itself no bounds to speak of. */
async function raise(api: Installation['api']) {
  const { supportedCurrencies } = await must(api.GET('/config'))
  const raised = supportedCurrencies.map((entry) => ({ ...entry, maxAmount: most }))
  await must(api.PATCH('/config', { body: { supportedCurrencies: raised } }))
}

describe('an amount that is too large in the currency that arrives', () => {
  const server = openTestServer()

  async function start() {
    const payments = await paymentApi(await server)
    await raise(payments.api)
    const payee = await createPayee(payments.api, 'MXN', clabe('000'), { customerId: payments.customer.id })
    return { ...payments, payee }
  }

  it('is refused by a quote', async () => {
    const { api, usd, payee } = await start()
    const { error } = await api.POST('/quotes', { body: quoteBody(usd, payee, most) })
    expect(error).toMatchObject({
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 1, max: Number.MAX_SAFE_INTEGER, currency: 'MXN' },
    })
    expect((await api.POST('/quotes', { body: quoteBody(usd, payee, 100_000_000_000_000) })).error).toBe(
      undefined,
    )
  })

  it('is no bound of a lookup', async () => {
    const { api, customer, payee } = await start()
    const found = await must(
      api.GET('/receiver/external-account/{accountId}', {
        params: { path: { accountId: payee.id }, query: { customerId: customer.id } },
      }),
    )
    expect(found.supportedCurrencies[0]).toMatchObject({ max: Number.MAX_SAFE_INTEGER })
  })
})

describe('an amount that is too large in millisatoshi', () => {
  let two: Awaited<ReturnType<typeof twoInstallations>>
  beforeAll(async () => {
    two = await twoInstallations()
    await raise(two.a.api)
    await raise(two.b.api)
  })
  afterAll(() => two.close())

  it('neither keeps institutions from looking each other up nor is it agreed on', async () => {
    const { a, b } = two
    const agree = (amount: number, side: 'SENDING' | 'RECEIVING') =>
      quoteTo(a, b.customer.umaAddress, { amount, side, currency: 'USD' })
    await must(agree(1_000, 'RECEIVING'))
    for (const side of ['SENDING', 'RECEIVING'] as const) {
      expect((await agree(most / 2, side)).error).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' })
    }
  })
})
