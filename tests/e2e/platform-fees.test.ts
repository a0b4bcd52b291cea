import {
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('the fee of the platform (16.3)', () => {
  async function start() {
    const payments = await paymentApi(server)
    const { api } = payments
    async function setFee(variableFeeBps: number, amount: number) {
      const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps } as const
      await must(
        api.PATCH('/config', { body: { feeConfigs: [{ ...fee, fixedFee: { amount, currency: 'USD' } }] } }),
      )
    }
    async function platformUsd() {
      const { data } = await must(
        api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }),
      )
      return data[0]!.balance.amount
    }
    return { ...payments, setFee, platformUsd }
  }

  it('is earned when the payment completes', async () => {
    const { platform, api, customer, usd, setFee, platformUsd } = await start()
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345678', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 20_000))
    expect(made).toMatchObject({
      feesIncluded: 210,
      platformFeesIncluded: 110,
      totalReceivingAmount: 360_178,
      exchangeRate: 0.054945055,
    })
    await execute(api, made.id)
    expect(await platformUsd()).toBe(0)
    await server.settle()
    expect(await platformUsd()).toBe(110)
    const updates = (await server.events(platform)).filter(
      ({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    )
    expect(updates.at(-1)?.data).toMatchObject({ balance: { amount: 110 } })
  })

  it('is never earned when the payment fails', async () => {
    const { api, customer, usd, balances, transaction, setFee, platformUsd } = await start()
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345004', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 20_000))
    await execute(api, made.id)
    await server.settle()
    expect(await transaction(made.transactionId)).toMatchObject({ status: 'FAILED' })
    expect(await platformUsd()).toBe(0)
    expect(await balances()).toEqual({ available: 20_000, total: 20_000 })
  })

  it('is taken back when the bank returns the payment, as far as the platform still has it', async () => {
    const { platform, api, customer, usd, balances, transaction, setFee, platformUsd } = await start()
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345005', { customerId: customer.id })
    const { transactionId, id } = await createQuote(api, quoteBody(usd, payee, 20_000))
    await execute(api, id)
    await server.settle()
    expect(await platformUsd()).toBe(110)
    const [own] = (
      await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
    ).data
    await createQuote(api, quoteBody(own!, usd, 80, { immediatelyExecute: true }))
    expect(await platformUsd()).toBe(30)
    await server.pass(2_000)
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    })
    expect(await platformUsd()).toBe(0)
    expect(await balances()).toEqual({ available: 20_080, total: 20_080 })
    const ledger = await server.ledgerBalances(platform)
    expect(ledger).toMatchObject({ 'recv:platform:USD': -80n })
    expect(ledger).not.toHaveProperty('fee:USD')
  })

  it('can be replaced for one quote, in USD only', async () => {
    const { api, customer, usd, setFee } = await start()
    await setFee(30, 50)
    const payee = await createPayee(api, 'MXN', '123456789012345678', { customerId: customer.id })
    const platformFeeOverride = {
      platformFixedFee: { amount: 0, currency: 'USD' },
      platformVariableFeeBps: 0,
    }
    expect(await createQuote(api, quoteBody(usd, payee, 20_000, { platformFeeOverride }))).toMatchObject({
      feesIncluded: 100,
      platformFeesIncluded: 0,
      totalReceivingAmount: 362_180,
    })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const refused = await api.POST('/quotes', {
      body: quoteBody(eur, payee, 20_000, { platformFeeOverride }),
    })
    expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    expect(await createQuote(api, quoteBody(usd, iban, 1_000))).toMatchObject({
      feesIncluded: 58,
      totalReceivingAmount: 810,
    })
  })
})
