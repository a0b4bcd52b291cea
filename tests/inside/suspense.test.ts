import { sandboxInstructions } from '@corridor/adapters/sandbox/instructions/sandbox-instructions.ts'
import { receiveInboundPayment } from '@corridor/engine/money/inbound-payments/index.ts'
import { decideCredit, decideWaiting } from '@corridor/engine/money/inbound-payments/rules.ts'
import { loadTransaction } from '@corridor/engine/money/payments/index.ts'
import { decideDeliverInternal } from '@corridor/engine/money/payments/internal-steps.ts'
import { loadStepFacts } from '@corridor/engine/money/payments/jobs.ts'
import { decideRefund } from '@corridor/engine/money/payments/payment-steps.ts'
import { loadInternalAccount } from '@corridor/engine/platform/internal-accounts/index.ts'
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
import { afterEach, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

// Accounts 3.1 and 13 row 17: money whose owner is known, but cannot be given it now.

const server = await openTestServer({
  stepMs: 1_000,
  instructions: { PRODUCTION: () => sandboxInstructions },
})
afterEach(() => server.expectSoundLedger())

/** Time enough for every step of a payment: one after the other, a second apart. */
async function everyStep() {
  for (let step = 0; step < 8; step++) await server.pass(1_000)
}

const move = async (id: string, on: 'freeze' | 'release') => {
  expect(await operate(server, 'POST', `/internal-accounts/${id}/${on}`)).toMatchObject({ status: 200 })
}
const reason = 'The bank says the account is closed'
const resolve = (id: string, to: string) =>
  operate(server, 'POST', `/transactions/${id}/resolve-refund`, { to, reason })

async function start() {
  const payments = await paymentApi(server)
  const { platform, api, customer, usd } = payments
  const { reference } = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
  return {
    ...payments,
    reference,
    arrive: (amount: number, railReference: string, currency = 'USD') =>
      must(
        api.POST('/sandbox/inbound-payments', {
          body: { reference, currency, amount, railReference, accountHolderName: 'Rosa Diaz' },
        }),
      ),
    suspense: async (currency = 'USD') => (await server.ledgerBalances(platform))[`susp:${currency}`] ?? 0n,
    events: async () => (await server.events(platform)).map(({ type }) => type),
    transactions: async () => (await must(api.GET('/transactions'))).data,
    item: async () => {
      const text = `select id, status, decided_by as "decidedBy", decided_reason as reason, deposit
        from suspense_items order by id`
      return server.engine.database.read<object>(platform, { name: 'test.items', text }, [])
    },
    payee: (suffix: string) => createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id }),
  }
}

/** A payment of 100 dollars that fails, as does its refund. */
async function startLost() {
  const payments = await start()
  const { api, usd, payee, transaction, suspense } = payments
  await fund(api, usd.id, 10_000)
  const { id, transactionId } = await createQuote(api, quoteBody(usd, await payee('007'), 10_000))
  await execute(api, id)
  await everyStep()
  const refund = async () => ((await transaction(transactionId)) as { refund?: object }).refund
  expect(await refund()).toMatchObject({ status: 'FAILED' })
  expect(await suspense()).toBe(10_000n)
  return { ...payments, transactionId, refund }
}

describe('money that arrives for a frozen account', () => {
  it('waits unseen in suspense and is credited in full, once, when the account is released', async () => {
    const { usd, arrive, balance, suspense, events, transactions, platform, api } = await start()
    await move(usd.id, 'freeze')
    const before = await events()
    const told = await arrive(12_345, 'fed-1')
    expect(told).toEqual({ outcome: 'SUSPENSE' })
    expect(await arrive(12_345, 'fed-1')).toEqual(told)
    await arrive(55, 'fed-2')
    await server.settle()
    expect([await balance(), await suspense(), await transactions()]).toEqual([0, 12_400n, []])
    expect(await events()).toEqual(before)

    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([12_400, 0n])
    expect((await events()).slice(before.length + 2)).toEqual([
      'INCOMING_PAYMENT.COMPLETED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      'INCOMING_PAYMENT.COMPLETED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    ])
    const updates = (await server.events(platform)).filter(({ type }) => type.endsWith('BALANCE_UPDATED'))
    expect(updates.map(({ data }) => (data.balance as { amount: number }).amount)).toEqual([12_345, 12_400])
    const credited = await transactions()
    expect(credited).toMatchObject(
      [55, 12_345].map((amount) => ({
        type: 'INCOMING',
        status: 'COMPLETED',
        receivedAmount: { amount },
        source: { sourceType: 'REALTIME_FUNDING', accountHolderName: 'Rosa Diaz' },
        destination: { accountId: usd.id },
      })),
    )

    await move(usd.id, 'freeze')
    await move(usd.id, 'release')
    await server.settle()
    expect(await arrive(12_345, 'fed-1')).toEqual(told)
    expect([await balance(), (await must(api.GET('/transactions'))).totalCount]).toEqual([12_400, 2])
  })

  it('forgets in suspense who paid, once it is credited', async () => {
    const { usd, arrive, item } = await start()
    await move(usd.id, 'freeze')
    await arrive(100, 'fed-1')
    expect(await item()).toMatchObject([
      { status: 'WAITING', decidedBy: null, deposit: { originator: { accountHolderName: 'Rosa Diaz' } } },
    ])
    await move(usd.id, 'release')
    await server.settle()
    expect(await item()).toMatchObject([{ status: 'CREDITED', decidedBy: 'job:suspense.replay' }])
    expect(JSON.stringify(await item())).not.toContain('Rosa')
  })

  it('is credited when it came before the account was provisioned', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const { data } = await must(server.client(platform).GET('/platform/internal-accounts'))
    const { id } = data.find(({ balance }) => balance.currency.code === 'USD')!
    const { database, clock } = server.engine
    const { fundingReference: reference } = (await loadInternalAccount(database, platform, id))!
    const scope = await clock.scope(platform, { id: 'rail', permissions: [] })
    const payment = { rail: 'RTP', railReference: 'r-1', currency: 'USD', amountMinor: 700n, reference }
    const told = await receiveInboundPayment(server.engine, scope, payment, (body) => ({ status: 200, body }))
    expect(told).toMatchObject({ value: { body: { outcome: 'SUSPENSE' } } })
    expect(await server.ledgerBalances(platform)).toEqual({ 'rail:RTP:USD': -700n, 'susp:USD': 700n })
    // The same reference with another amount is told to the rail and to whoever reads the log.
    const errors: object[] = []
    const log = { ...server.world.log, error: (fields: object) => errors.push(fields) }
    const engine = { ...server.engine, world: { ...server.engine.world, log } }
    const other = { ...payment, amountMinor: 701n }
    expect(await receiveInboundPayment(engine, scope, other, () => ({ status: 200 }))).toMatchObject({
      failure: { code: 'CONFLICT', details: { reason: 'RECORDED', id: 'RTP/r-1' } },
    })
    expect(errors).toMatchObject([{ id: 'RTP/r-1', recorded: '700 USD', told: '701 USD' }])
    await operate(server, 'POST', `/internal-accounts/${id}/activate`)
    await server.settle()
    expect(await server.ledgerBalances(platform)).toEqual({ 'rail:RTP:USD': -700n, [`avail:${id}`]: 700n })
  })

  it('goes on waiting when the account is frozen again before it is credited', async () => {
    const { usd, arrive, balance, suspense } = await start()
    await move(usd.id, 'freeze')
    await arrive(100, 'fed-1')
    await move(usd.id, 'release')
    await move(usd.id, 'freeze')
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([0, 100n])
    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([100, 0n])
  })

  it('is converted at par when it came as a stablecoin for a dollar account', async () => {
    const { usd, arrive, balance, suspense, platform } = await start()
    await move(usd.id, 'freeze')
    await arrive(10_009_999, 'sol-1', 'USDC')
    expect(await suspense('USDC')).toBe(10_009_999n)
    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await suspense('USDC')]).toEqual([1_000, 0n])
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'fx:USDC': 10_009_999n, 'fx:USD': -1_000n })
  })

  it('stays with the operator when the account does not hold what came', async () => {
    const { usd, arrive, suspense, item } = await start()
    await move(usd.id, 'freeze')
    await arrive(900, 'sepa-1', 'EUR')
    await move(usd.id, 'release')
    await server.settle()
    expect(await suspense('EUR')).toBe(900n)
    expect(await item()).toMatchObject([
      { status: 'WAITING', decidedBy: null, deposit: { creditedMinor: '900' } },
    ])
  })

  it('is decided about again when the status of the account changes in between', async () => {
    const { usd, platform } = await start()
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'rail', permissions: [] })
    const payment = { rail: 'RTP', railReference: 'r-1', currency: 'USD', amountMinor: 100n }
    const facts = async () => ({
      account: (await loadInternalAccount(engine.database, scope, usd.id))!,
      creditedMinor: 100n,
      transactionId: engine.world.id('Transaction'),
      reference: 'REF-1',
      platformCustomerId: 'platform',
      customer: undefined,
    })
    const whenActive = await facts()
    await move(usd.id, 'freeze')
    const whenFrozen = await facts()
    const stale = { ok: false, failure: { code: 'STALE' } }
    expect(await engine.applier.apply(scope, decideCredit(scope, payment, whenActive))).toEqual(stale)
    await move(usd.id, 'release')
    expect(await engine.applier.apply(scope, decideWaiting(scope, payment, whenFrozen))).toEqual(stale)
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('is never left behind by a release at the same moment', async () => {
    const { api, usd, arrive, balance, suspense } = await start()
    await move(usd.id, 'freeze')
    await arrive(1, 'early')
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => arrive(100, `fed-${index}`)),
      move(usd.id, 'release'),
      ...Array.from({ length: 10 }, (_, index) => arrive(100, `late-${index}`)),
    ])
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([2_001, 0n])
    expect((await must(api.GET('/transactions'))).totalCount).toBe(21)
  })
})

describe('a refund to a frozen account', () => {
  it('fails into suspense, and the release credits the money while the refund stays as it is', async () => {
    const { api, usd, payee, transaction, balance, suspense, told, transactions } = await start()
    await fund(api, usd.id, 10_000)
    const { id, transactionId } = await createQuote(api, quoteBody(usd, await payee('004'), 10_000))
    await execute(api, id)
    await move(usd.id, 'freeze')
    await everyStep()
    const failed = await transaction(transactionId)
    expect(failed).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } })
    expect([await balance(), await suspense()]).toEqual([0, 10_000n])
    expect((await told(transactionId)).slice(-2)).toEqual(['REFUND_PENDING', 'REFUND_FAILED'])
    expect(await resolve(transactionId, 'ACCOUNT')).toMatchObject({
      status: 409,
      body: { details: { reason: 'ACCOUNT_NOT_ACTIVE', status: 'FROZEN', accountId: usd.id } },
    })

    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([10_000, 0n])
    expect(await transaction(transactionId)).toEqual(failed)
    expect(await transactions()).toHaveLength(2)
    expect(await resolve(transactionId, 'ACCOUNT')).toMatchObject({ status: 409 })
  })

  it('is decided about again when the account is released in between', async () => {
    const { api, platform, usd, payee, transaction, balance } = await start()
    await fund(api, usd.id, 10_000)
    const { id, transactionId } = await createQuote(api, quoteBody(usd, await payee('004'), 10_000))
    await execute(api, id)
    while (!('refund' in (await transaction(transactionId)))) await server.pass(1_000)
    await move(usd.id, 'freeze')
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const pending = (await loadTransaction(engine, scope, transactionId))!
    const decision = decideRefund(await loadStepFacts(engine, scope, pending))
    await move(usd.id, 'release')
    expect(await engine.applier.apply(scope, decision)).toEqual({ ok: false, failure: { code: 'STALE' } })
    await everyStep()
    expect(await transaction(transactionId)).toMatchObject({ refund: { status: 'COMPLETED' } })
    expect(await balance()).toBe(10_000)
  })

  it('resolves a cancellation all the same', async () => {
    const { api, usd, payee, transaction, suspense, told } = await start()
    await fund(api, usd.id, 10_000)
    const { id, transactionId } = await createQuote(api, quoteBody(usd, await payee('003'), 10_000))
    await execute(api, id)
    await everyStep()
    await move(usd.id, 'freeze')
    await must(api.POST('/transactions/{transactionId}/cancel', { params: { path: { transactionId } } }))
    await everyStep()
    expect(await transaction(transactionId)).toMatchObject({
      status: 'COMPLETED',
      refund: { status: 'FAILED', reason: 'USER_CANCELLATION' },
    })
    expect((await told(transactionId)).slice(-3)).toEqual(['REFUND_PENDING', 'REFUND_FAILED', 'COMPLETED'])
    expect(await suspense()).toBe(10_000n)
  })
})

describe('a conversion whose destination is frozen on the way', () => {
  it('fails and goes back', async () => {
    const { api, customer, usd, balance, transaction } = await start()
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const { id, transactionId } = await createQuote(api, quoteBody(usd, eur, 10_000))
    await execute(api, id)
    await move(eur.id, 'freeze')
    await everyStep()
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'ACCOUNT_CANNOT_RECEIVE',
      refund: { status: 'COMPLETED' },
    })
    expect([await balance(), await balance('EUR')]).toEqual([10_000, 0])
  })
})

describe('a conversion that is about to be credited', () => {
  it('is decided about again when the status of its destination changes in between', async () => {
    const { api, platform, customer, usd, balance, transaction } = await start()
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const { id, transactionId } = await createQuote(api, quoteBody(usd, eur, 10_000))
    await execute(api, id)
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const facts = async () =>
      loadStepFacts(engine, scope, (await loadTransaction(engine, scope, transactionId))!)
    while ((await facts()).transaction.flow.stage !== 'DELIVER_INTERNAL') await server.pass(500)
    const decision = decideDeliverInternal(await facts())
    await move(eur.id, 'freeze')
    expect(await engine.applier.apply(scope, decision)).toEqual({ ok: false, failure: { code: 'STALE' } })
    await everyStep()
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect([await balance(), await balance('EUR')]).toEqual([10_000, 0])
  })
})

describe('the operator and a failed refund (accounts 13, row 17)', () => {
  it("moves the money to the owner's account, once", async () => {
    const { usd, transactionId, refund, balance, suspense, events, item, platform } = await startLost()
    const before = await events()
    const failed = await refund()
    const answer = await resolve(transactionId, 'ACCOUNT')
    expect(answer).toMatchObject({ status: 200, body: { id: transactionId, refund: { status: 'FAILED' } } })
    expect([await balance(), await suspense()]).toEqual([10_000, 0n])
    expect((await events()).slice(before.length)).toEqual(['INTERNAL_ACCOUNT.BALANCE_UPDATED'])
    expect((await server.events(platform)).at(-1)!.data).toMatchObject({
      id: usd.id,
      balance: { amount: 10_000 },
    })
    expect(await refund()).toEqual(failed)
    expect(await item()).toMatchObject([{ status: 'CREDITED', decidedBy: 'operator', reason }])
    for (const to of ['ACCOUNT', 'RAIL']) {
      expect(await resolve(transactionId, to)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { reason: 'RESOLVED', status: 'CREDITED' } },
      })
    }
    expect(await balance()).toBe(10_000)
  })

  it('or out by a rail, with nobody told', async () => {
    const { transactionId, refund, balance, suspense, events, item, platform } = await startLost()
    const before = await events()
    const railBefore = (await server.ledgerBalances(platform))['rail:RTP:USD'] ?? 0n
    expect(await resolve(transactionId, 'RAIL')).toMatchObject({ status: 200 })
    expect([await balance(), await suspense()]).toEqual([0, 0n])
    expect((await server.ledgerBalances(platform))['rail:RTP:USD']).toBe(railBefore + 10_000n)
    expect(await events()).toEqual(before)
    expect(await refund()).toMatchObject({ status: 'FAILED' })
    expect(await item()).toMatchObject([{ status: 'SENT_BACK', decidedBy: 'operator', reason }])
    expect(await resolve(transactionId, 'ACCOUNT')).toMatchObject({ status: 409 })
  })

  it('says why: without a reason nothing is moved', async () => {
    const { transactionId, suspense } = await startLost()
    for (const body of [{ to: 'ACCOUNT' }, { to: 'RAIL', reason: ' ' }]) {
      expect(
        await operate(server, 'POST', `/transactions/${transactionId}/resolve-refund`, body),
      ).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { field: 'reason' } },
      })
    }
    expect(await suspense()).toBe(10_000n)
  })

  it('decides once when two ask at the same time', async () => {
    const { transactionId, balance, suspense } = await startLost()
    const answers = await Promise.all(
      ['ACCOUNT', 'ACCOUNT', 'ACCOUNT'].map((to) => resolve(transactionId, to)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect([await balance(), await suspense()]).toEqual([10_000, 0n])
  })

  it('waits for the operator whatever is frozen and released meanwhile', async () => {
    const { usd, transactionId, balance, suspense } = await startLost()
    await move(usd.id, 'freeze')
    expect((await resolve(transactionId, 'ACCOUNT')).body.details.reason).toBe('ACCOUNT_NOT_ACTIVE')
    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await suspense()]).toEqual([0, 10_000n])
    expect((await resolve(transactionId, 'ACCOUNT')).status).toBe(200)
  })

  it('gives coins that stood in for dollars as coins', async () => {
    const { api, platform } = await start()
    const someone = await createCustomer(api, { fullName: 'Ben Okafor' })
    const lost = await createPayee(api, 'MXN', clabe('007'), { customerId: someone.id })
    const quote = await createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: someone.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: lost.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    } as never)
    const { reference } = quote.paymentInstructions![0]!.accountOrWalletInfo as { reference: string }
    const body = { reference, currency: 'USDC', amount: 100_000_000 }
    await must(api.POST('/sandbox/inbound-payments', { body }))
    await everyStep()
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:sandbox:USDC': -100_000_000n,
      'susp:USDC': 100_000_000n,
    })
    expect((await resolve(quote.transactionId, 'ACCOUNT')).status).toBe(200)
    expect((await internalAccountOf(api, someone.id, 'USDC')).balance.amount).toBe(100_000_000)
  })

  it('is refused where no refund failed, and for what does not exist', async () => {
    const { api, usd, payee, transactions } = await start()
    await fund(api, usd.id, 10_000)
    const [deposit] = await transactions()
    const { id, transactionId } = await createQuote(api, quoteBody(usd, await payee('004'), 10_000))
    await execute(api, id)
    await everyStep()
    for (const each of [deposit!.id, transactionId]) {
      expect(await resolve(each, 'ACCOUNT')).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { reason: 'NO_FAILED_REFUND' } },
      })
    }
    expect(await resolve('Transaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', 'RAIL')).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND' },
    })
    expect(await resolve(transactionId, 'NOWHERE')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
  })
})

describe('money that the operator has found an account for', () => {
  it('is not given to it where it is frozen at the same moment', async () => {
    const { api, usd, item, balance, suspense } = await start()
    const body = { reference: 'NOBODY', currency: 'USD', amount: 700, railReference: 'lost' }
    await must(api.POST('/sandbox/inbound-payments', { body }))
    const [{ id }] = (await item()) as [{ id: string }]
    const { applier } = server.engine
    const apply = applier.apply.bind(applier)
    vi.spyOn(applier, 'apply').mockImplementationOnce(async (...decided: Parameters<typeof apply>) => {
      await move(usd.id, 'freeze')
      return apply(...decided)
    })
    const assigned = await operate(server, 'POST', `/suspense/${id}/assign`, { accountId: usd.id, reason })
    vi.restoreAllMocks()
    expect(assigned).toMatchObject({ status: 409, body: { details: { reason: 'ACCOUNT_NOT_ACTIVE' } } })
    expect([await balance(), await suspense()]).toEqual([0, 700n])
  })
})
