import { loadInternalAccount } from '@corridor/engine/platform/internal-accounts/index.ts'
import { decideMove } from '@corridor/engine/platform/internal-accounts/rules.ts'
import { whileUnused } from '@corridor/engine/platform/internal-accounts/store.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

// Accounts 3.1 and 16.3: a platform earns its fee with a delivery, and a closed account holds nothing.

const server = await openTestServer({ stepMs: 1_000 })
afterEach(() => server.expectSoundLedger())

/** A quote of 200 dollars with a fee of 1.10 for the platform. */
async function start({ ending = '000' } = {}) {
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD' } as const
  const terms = { ...fee, fixedFee: { amount: 50, currency: 'USD' }, variableFeeBps: 30 }
  await must(api.PATCH('/config', { body: { feeConfigs: [terms] } }))
  await fund(api, usd.id, 20_000)
  const payee = await createPayee(api, 'MXN', clabe(ending), { customerId: customer.id })
  const quote = await createQuote(api, quoteBody(usd, payee, 20_000))
  const query = { currency: 'USD' }
  const { data } = await must(api.GET('/platform/internal-accounts', { params: { query } }))
  const { id } = data[0]!
  return {
    ...payments,
    quote,
    accountId: id,
    earned: async () =>
      (await must(api.GET('/internal-accounts/{id}', { params: { path: { id } } }))).balance.amount,
    suspense: async () => (await server.ledgerBalances(platform))['susp:USD'] ?? 0n,
    move: async (on: string) => (await operate(server, 'POST', `/internal-accounts/${id}/${on}`)).status,
    async everyStep() {
      for (let step = 0; step < 8; step++) await server.pass(1_000)
    },
  }
}

describe('the fee of a platform whose account', () => {
  it('is frozen waits in suspense until it is released', async () => {
    const { api, quote, transaction, earned, suspense, move, everyStep } = await start()
    await execute(api, quote.id)
    expect(await move('freeze')).toBe(200)
    await everyStep()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect([await earned(), await suspense()]).toEqual([0, 110n])
    expect(await move('release')).toBe(200)
    await server.settle()
    expect([await earned(), await suspense()]).toEqual([110, 0n])
  })

  it('is frozen is taken back from suspense if the payout is returned', async () => {
    const { api, platform, quote, usd, transaction, earned, suspense, move, everyStep } = await start({
      ending: '005',
    })
    await execute(api, quote.id)
    expect(await move('freeze')).toBe(200)
    await everyStep()
    for (let step = 0; step < 4; step++) await server.pass(10_000)
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    })
    expect((await server.ledgerBalances(platform))[`avail:${usd.id}`]).toBe(20_000n)
    expect((await must(api.GET('/receivables'))).data).toEqual([])
    expect([await earned(), await suspense()]).toEqual([0, 0n])
    expect(await move('release')).toBe(200)
    await server.settle()
    expect([await earned(), await suspense()]).toEqual([0, 0n])
    await server.expectSoundRecords()
  })

  it('was frozen is taken from the account if the fee was credited before the payout is returned', async () => {
    const { api, quote, transaction, earned, suspense, move, everyStep } = await start({ ending: '005' })
    await execute(api, quote.id)
    expect(await move('freeze')).toBe(200)
    while ((await suspense()) === 0n) await server.pass(1_000)
    expect(await move('release')).toBe(200)
    await server.settle()
    expect([await earned(), await suspense()]).toEqual([110, 0n])
    await everyStep()
    for (let step = 0; step < 4; step++) await server.pass(10_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'FAILED' })
    expect([await earned(), await suspense()]).toEqual([0, 0n])
    expect((await must(api.GET('/receivables'))).data).toEqual([])
    await server.expectSoundRecords()
  })

  it('was closed before the quote is executed waits for the operator', async () => {
    const { api, quote, transaction, earned, suspense, move, everyStep } = await start()
    expect(await move('close')).toBe(200)
    await execute(api, quote.id)
    await everyStep()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect([await earned(), await suspense()]).toEqual([0, 110n])
  })

  it('is about to be closed makes that decide again', async () => {
    const { api, platform, quote, accountId, earned, everyStep } = await start()
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'test', permissions: [] })
    const account = (await loadInternalAccount(engine.database, scope, accountId))!
    const closing = decideMove(scope, account, 'close', { newInstructions: [], hasPaymentsUnderWay: false })
    await execute(api, quote.id)
    await everyStep()
    expect(await earned()).toBe(110)
    const relies = [whileUnused(accountId)]
    expect(closing.ok && (await engine.applier.apply(scope, { ...closing.value, relies }))).toEqual({
      ok: false,
      failure: { code: 'STALE' },
    })
  })
})
