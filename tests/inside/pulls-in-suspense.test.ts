import { loadTransaction } from '@corridor/engine/money/payments/index.ts'
import { loadStepFacts } from '@corridor/engine/money/payments/jobs.ts'
import { decidePullOutcome, decideSuspendedCredit } from '@corridor/engine/money/payments/pull-steps.ts'
import type { PullOutcome } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { fillUp, paymentApi } from '../e2e/payment-api.ts'

// Accounts 3.1 with 13 row 5: what a bank paid for an account that cannot be credited any more.

const server = await openTestServer()
afterEach(async () => {
  vi.restoreAllMocks()
  await server.expectSoundLedger()
})

const dayMs = 24 * 60 * 60_000

/** Submitted, and asked for. */
async function everyStep() {
  for (let step = 0; step < 2; step++) await server.pass(1_000)
}

/** A pull of 100 dollars into an account in euros, executed and not yet settled. */
async function start({ platformFeeBps }: { readonly platformFeeBps?: number } = {}) {
  const payments = await paymentApi(server)
  const { platform, api, customer } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const eur = await internalAccountOf(api, customer.id, 'EUR')
  if (platformFeeBps !== undefined) {
    const fixedFee = { amount: 0, currency: 'USD' }
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', fixedFee } as const
    await must(api.PATCH('/config', { body: { feeConfigs: [{ ...fee, variableFeeBps: platformFeeBps }] } }))
  }
  const { id, transactionId } = await createQuote(api, quoteBody(bank, eur, 10_000))
  await execute(api, id)
  const { platformId, environment } = platform
  return {
    ...payments,
    eur,
    quoteId: id,
    transactionId,
    shown: () => payments.transaction(transactionId),
    suspense: async () => (await server.ledgerBalances(platform))['susp:EUR'] ?? 0n,
    items: async () =>
      (await operate(server, 'GET', `/suspense?platformId=${platformId}&environment=${environment}`)).body
        .data,
    move: async (on: 'freeze' | 'release') =>
      expect(await operate(server, 'POST', `/internal-accounts/${eur.id}/${on}`)).toMatchObject({
        status: 200,
      }),
  }
}

/** A rail on which everything pulled settles, and of which `later` is said a day afterwards. */
function settlesThen(later: (now: number) => PullOutcome) {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('ACH')
  if (!rail) throw new Error('the sandbox has this rail')
  let settledAt: number | undefined
  vi.spyOn(SANDBOX, 'rail').mockReturnValue({
    ...rail,
    submitPull: async (_pull, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPull: async (_pull, now) => {
      settledAt ??= now
      return now < settledAt + dayMs ? { status: 'SETTLED', checkAt: settledAt + dayMs } : later(now)
    },
  })
}

describe('a pull whose account is frozen before it settles', () => {
  it('waits in suspense, still on its way, and is credited once the account is released', async () => {
    const {
      platform,
      eur,
      quoteId,
      transactionId,
      shown,
      suspense,
      items,
      move,
      balance,
      told,
      statusOfQuote,
    } = await start()
    await move('freeze')
    await server.settle()
    const waiting = await shown()
    expect(waiting).toMatchObject({ status: 'PROCESSING', type: 'INCOMING' })
    expect(waiting).not.toHaveProperty('settledAt')
    expect([await balance('EUR'), await suspense()]).toEqual([0, 8_557n])
    expect(await items()).toMatchObject([
      { id: transactionId, kind: 'PULL', status: 'WAITING', internalAccountId: eur.id, amount: 8_557 },
    ])
    expect([await told(transactionId), await statusOfQuote(quoteId)]).toEqual([['PENDING'], 'PROCESSING'])
    const before = (await server.events(platform)).length

    await move('release')
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'COMPLETED', settledAt: expect.any(String) })
    expect([await balance('EUR'), await suspense()]).toEqual([8_557, 0n])
    expect(await items()).toMatchObject([
      { kind: 'PULL', status: 'CREDITED', decidedBy: 'job:suspense.replay' },
    ])
    expect((await server.events(platform)).slice(before + 2).map(({ type }) => type)).toEqual([
      'INCOMING_PAYMENT.COMPLETED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    ])
    expect(await statusOfQuote(quoteId)).toBe('COMPLETED')

    await move('freeze')
    await move('release')
    await server.settle()
    expect(await balance('EUR')).toBe(8_557)
  })

  it('waits as well when the account is full', async () => {
    const { api, eur, shown, suspense, move, balance } = await start()
    await fillUp(api, eur, 8_556)
    const full = await balance('EUR')
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'PROCESSING' })
    expect([await balance('EUR'), await suspense()]).toEqual([full, 8_557n])
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', {})
    await must(
      api.POST('/transfer-out', {
        body: { source: { accountId: eur.id }, destination: { accountId: payee.id }, amount: 1_000 },
      }),
    )
    await move('freeze')
    await move('release')
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    expect([await balance('EUR'), await suspense()]).toEqual([full - 1_000 + 8_557, 0n])
  })

  it('is decided about again when the status of the account changes in between', async () => {
    const { platform, transactionId, shown, move, balance } = await start()
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const decision = async () => {
      const pending = (await loadTransaction(engine, scope, transactionId))!
      return decidePullOutcome(await loadStepFacts(engine, scope, pending), { status: 'SETTLED' })
    }
    const stale = { ok: false, failure: { code: 'STALE' } }
    const whenActive = await decision()
    await move('freeze')
    const whenFrozen = await decision()
    expect(await engine.applier.apply(scope, whenActive)).toEqual(stale)
    await move('release')
    expect(await engine.applier.apply(scope, whenFrozen)).toEqual(stale)
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    expect(await balance('EUR')).toBe(8_557)
  })

  it('goes on waiting when the account is frozen again while it is about to be credited', async () => {
    const { platform, transactionId, shown, suspense, move, balance } = await start()
    await move('freeze')
    await server.settle()
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const waiting = (await loadTransaction(engine, scope, transactionId))!
    const late = decideSuspendedCredit(await loadStepFacts(engine, scope, waiting), 'test')
    expect(await engine.applier.apply(scope, late)).toMatchObject({ ok: true })
    expect([await balance('EUR'), await suspense()]).toEqual([0, 8_557n])
    expect(await shown()).toMatchObject({ status: 'PROCESSING' })
    await move('release')
    await server.settle()
    expect(await balance('EUR')).toBe(8_557)
  })

  it('goes on waiting when the account is frozen again before it is credited', async () => {
    const { suspense, move, balance } = await start()
    await move('freeze')
    await server.settle()
    await move('release')
    await move('freeze')
    await server.settle()
    expect([await balance('EUR'), await suspense()]).toEqual([0, 8_557n])
  })

  it('belongs to a payment: the operator neither moves it nor gives it back, nor is it cancelled', async () => {
    const { api, usd, eur, transactionId, suspense, items, move } = await start()
    await move('freeze')
    await server.settle()
    const reason = 'It looked right'
    const refused = { status: 409, body: { code: 'CONFLICT', details: { reason: 'PULL_UNDER_WAY' } } }
    const decide = (what: string, body: object) =>
      operate(server, 'POST', `/suspense/${transactionId}/${what}`, body)
    expect(await decide('assign', { accountId: usd.id, reason })).toMatchObject(refused)
    expect(await decide('return', { reason })).toMatchObject(refused)
    expect(
      await operate(server, 'POST', `/transactions/${transactionId}/resolve-refund`, { to: 'RAIL', reason }),
    ).toMatchObject({ status: 409, body: { details: { reason: 'NO_FAILED_REFUND' } } })
    const cancelled = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId } },
    })
    expect(cancelled.error).toMatchObject({ code: 'TRANSACTION_NOT_CANCELLABLE' })
    expect(await items()).toMatchObject([{ status: 'WAITING' }])
    expect(await suspense()).toBe(8_557n)
    await move('release')
    expect(await operate(server, 'POST', `/internal-accounts/${eur.id}/close`)).toMatchObject({
      status: 409,
      body: { details: { reason: 'PAYMENTS_UNDER_WAY' } },
    })
  })

  it('is credited on release to a customer who is deleted: payments under way settle', async () => {
    const { api, customer, shown, move, balance } = await start()
    await move('freeze')
    await server.settle()
    await must(api.DELETE('/customers/{customerId}', { params: { path: { customerId: customer.id } } }))
    await move('release')
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    expect(await balance('EUR')).toBe(8_557)
  })

  it("leaves the platform's fee in escrow until it is credited", async () => {
    const { platform, move } = await start({ platformFeeBps: 100 })
    await move('freeze')
    await server.settle()
    const escrowed = (balances: Record<string, bigint>) =>
      Object.entries(balances).filter(([key]) => key.startsWith('pfee:'))
    expect(escrowed(await server.ledgerBalances(platform))).toHaveLength(1)
    await move('release')
    await server.settle()
    expect(escrowed(await server.ledgerBalances(platform))).toEqual([])
  })
})

describe('a pull that the bank takes back', () => {
  const returns: PullOutcome[] = [{ status: 'RETURNED' }, { status: 'FAILED', reason: 'INSUFFICIENT_FUNDS' }]

  it.each(returns)('while it waits in suspense ($status) goes back from there', async (later) => {
    settlesThen(() => later)
    const { platform, transactionId, shown, suspense, items, move, balance, told } = await start()
    await move('freeze')
    await everyStep()
    expect([(await shown()).status, await suspense()]).toEqual(['PROCESSING', 8_557n])
    await server.pass(dayMs)
    expect(await shown()).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
    expect(await server.ledgerBalances(platform)).toEqual({})
    expect(await items()).toMatchObject([{ status: 'SENT_BACK', decidedBy: 'job:payments.advance' }])
    await move('release')
    await server.settle()
    expect(await balance('EUR')).toBe(0)
    expect(await told(transactionId)).toEqual(['PENDING', 'FAILED'])
  })

  it('after its release is taken from the account', async () => {
    settlesThen(() => ({ status: 'RETURNED' }))
    const { platform, transactionId, shown, move, balance, told } = await start()
    await move('freeze')
    await everyStep()
    await move('release')
    await server.settle()
    expect(await balance('EUR')).toBe(8_557)
    await server.pass(dayMs)
    expect(await shown()).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
    expect(await server.ledgerBalances(platform)).toEqual({})
    expect(await told(transactionId)).toEqual(['PENDING', 'COMPLETED', 'FAILED'])
  })
})
