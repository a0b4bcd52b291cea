import { takeCollectionStep } from '@corridor/engine/money/payments/collection-steps.ts'
import { loadTransaction } from '@corridor/engine/money/payments/index.ts'
import { advancePayment, loadStepFacts } from '@corridor/engine/money/payments/jobs.ts'
import type { Step } from '@corridor/engine/money/payments/step.ts'
import { loadInternalAccount } from '@corridor/engine/platform/internal-accounts/index.ts'
import { decideMove } from '@corridor/engine/platform/internal-accounts/rules.ts'
import type { PayoutOutcome, PullOutcome, RailClient } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// A bank takes a collection back at every moment of the payment that it paid for.

const server = await openTestServer()
afterEach(async () => {
  vi.restoreAllMocks()
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const minuteMs = 60_000
const pending = (now: number) => ({ status: 'ACCEPTED', checkAt: now + minuteMs }) as const

/** Rails that say what a test has them say; whoever asks about the collection is told to come back in a minute. */
function rails() {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('ACH')
  if (!rail) throw new Error('the sandbox has this rail')
  const says: {
    collection: PullOutcome['status'] | 'NOTHING'
    payout: (now: number) => PayoutOutcome
    whileHandedOver?: () => Promise<unknown>
  } = { collection: 'SETTLED', payout: pending }
  const handedOver: string[] = []
  const client: RailClient = {
    ...rail,
    submitPull: async (_pull, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPull: async (_pull, now) => {
      if (says.collection === 'NOTHING') throw new Error('the bank does not answer')
      return says.collection === 'SETTLED'
        ? { status: 'SETTLED', checkAt: now + minuteMs }
        : { status: 'RETURNED' }
    },
    submitPayout: async ({ transactionId }, now) => {
      handedOver.push(transactionId)
      await says.whileHandedOver?.()
      return { status: 'ACCEPTED', checkAt: now + 1 }
    },
    fetchPayout: async (_payout, now) => says.payout(now),
    requestCancel: async () => true,
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  return { says, handedOver }
}

async function start({ isPaused = false } = {}) {
  const { says, handedOver } = rails()
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const { platformId, environment } = platform
  const pause = isPaused
    ? await operate(server, 'POST', '/pauses', {
        environment,
        platformId,
        rail: 'FASTER_PAYMENTS',
        reasonCode: 'RAIL_UNAVAILABLE',
        reason: 'No answers',
      })
    : undefined
  const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
  await execute(api, id)
  const { engine } = server
  const scope = () => engine.clock.scope(platform, { id: 'job', permissions: [] })
  return {
    ...payments,
    says,
    handedOver,
    transactionId,
    lift: () => operate(server, 'POST', `/pauses/${pause?.body.id}/lift`),
    shown: () => payments.transaction(transactionId),
    owed: async () => (await server.ledgerBalances(platform))[`recv:${customer.id}:USD`] ?? 0n,
    receivables: async () => (await must(api.GET('/receivables'))).data,
    /** The bank takes it back, and says so when it is asked next. */
    async takeBack() {
      says.collection = 'RETURNED'
      await server.pass(minuteMs)
    },
    /** What another process would decide about the collection now. */
    async decide() {
      const at = await scope()
      const transaction = await loadTransaction(engine, at, transactionId)
      if (!transaction) throw new Error('it is on record')
      const step = await takeCollectionStep(engine, at, await loadStepFacts(engine, at, transaction))
      if (!step.ok) throw new Error('a step is decided')
      return step.value
    },
    apply: async (step: Step) => engine.applier.apply<unknown>(await scope(), step),
    freeze: () => operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`),
    release: () => operate(server, 'POST', `/internal-accounts/${usd.id}/release`),
    async steps(count = 3) {
      for (let step = 0; step < count; step++) await server.pass(1_000)
    },
  }
}

describe('a collection that is returned while its payout is on its way', () => {
  it('leaves what is owed when the payout is delivered', async () => {
    const { steps, takeBack, says, shown, owed, receivables } = await start()
    await steps()
    await takeBack()
    expect([(await shown()).status, await owed()]).toEqual(['PROCESSING', -40_000n])
    says.payout = () => ({ status: 'SETTLED' })
    await server.pass(minuteMs)
    expect([(await shown()).status, await owed()]).toEqual(['COMPLETED', -40_000n])
    expect(await receivables()).toMatchObject([{ status: 'OPEN', remainingAmount: { amount: 40_000 } }])
  })

  const endings: PayoutOutcome[] = [
    { status: 'FAILED', reason: 'ACCOUNT_INVALID' },
    { status: 'CANCELLED' },
    { status: 'RETURNED' },
  ]
  it.each(endings)('is paid by what comes back of it ($status)', async (ending) => {
    const { steps, takeBack, says, shown, owed, receivables, balance } = await start()
    await steps()
    await takeBack()
    says.payout = () => ending
    await server.pass(minuteMs)
    await steps()
    expect(await shown()).toMatchObject({ refund: { status: 'COMPLETED', amount: { amount: 0 } } })
    expect([await owed(), await balance()]).toEqual([0n, 0])
    expect(await receivables()).toMatchObject([{ status: 'SETTLED', remainingAmount: { amount: 0 } }])
  })

  it('gives the rest to the account when a part had been collected before', async () => {
    const { api, steps, takeBack, says, shown, owed, receivables, balance, usd } = await start()
    await steps()
    await takeBack()
    await fund(api, usd.id, 10_000)
    const [receivable] = await receivables()
    const ofReceivable = { path: { id: receivable!.id } }
    const collected = await must(api.POST('/receivables/{id}/collect', { params: ofReceivable }))
    expect(collected).toMatchObject({ status: 'OPEN', remainingAmount: { amount: 30_000 } })
    expect([await owed(), await balance()]).toEqual([-30_000n, 0])
    says.payout = () => ({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
    await server.pass(minuteMs)
    await steps()
    expect([await owed(), await balance()]).toEqual([0n, 10_000])
    const payment = await shown()
    expect(payment).toMatchObject({ refund: { status: 'COMPLETED', amount: { amount: 10_000 } } })
    const path = { id: payment.id }
    const { sentence } = await must(api.GET('/explain/{id}', { params: { path } }))
    expect(sentence).toContain('300.00 USD of the refund paid a receivable, and 100.00 USD was refunded')
  })

  it('is paid by a delivered payout that comes back later', async () => {
    const { steps, takeBack, says, shown, owed, balance } = await start()
    says.payout = (now) => ({ status: 'SETTLED', checkAt: now + 10 * minuteMs })
    await steps()
    await takeBack()
    expect([(await shown()).status, await owed()]).toEqual(['COMPLETED', -40_000n])
    says.payout = () => ({ status: 'RETURNED' })
    await server.pass(10 * minuteMs)
    await steps()
    expect(await shown()).toMatchObject({ failureReason: 'PAYOUT_RETURNED', refund: { status: 'COMPLETED' } })
    expect([await owed(), await balance()]).toEqual([0n, 0])
  })
})

describe('the watch of a collection', () => {
  it('goes on while its bank does not answer for days, and is listed as stuck work', async () => {
    const { platform, steps, says, shown, owed, takeBack } = await start()
    const unwatched = async () => {
      const { body } = await operate(server, 'GET', '/stuck')
      return body.data
        .filter(({ platformId }: { platformId: string }) => platformId === platform.platformId)
        .flatMap(({ rail, payments }: { rail: string; payments: { reason: string }[] }) =>
          payments.map(({ reason }) => `${rail} ${reason}`),
        )
    }
    says.payout = () => ({ status: 'SETTLED' })
    await steps()
    expect([(await shown()).status, await unwatched()]).toEqual(['COMPLETED', []])
    says.collection = 'NOTHING'
    for (let round = 0; round < 80; round++) await server.pass(40 * minuteMs)
    expect(await unwatched()).toEqual(['ACH UNWATCHED'])
    await takeBack()
    await server.pass(40 * minuteMs)
    expect([await owed(), await unwatched()]).toEqual([-40_000n, []])
  })
})

describe('what is owed', () => {
  it('is a change of the account of its owner, with a version and an event', async () => {
    const { api, platform, steps, takeBack, usd } = await start()
    const account = async () =>
      (await must(api.GET('/customers/internal-accounts'))).data.find(({ id }) => id === usd.id)!
    await steps()
    const before = await account()
    expect(before).not.toHaveProperty('receivable')
    await takeBack()
    const after = await account()
    expect(after).toMatchObject({ receivable: { amount: 40_000 }, version: before.version! + 1 })
    const told = (await server.events(platform, usd.id)).map(({ type, data }) => [type, data])
    expect(told.at(-1)).toEqual(['INTERNAL_ACCOUNT.BALANCE_UPDATED', after])
  })

  it('keeps its account open, also where it is closed at the same moment', async () => {
    const { engine } = server
    for (const isDebtFirst of [true, false]) {
      const { platform, says, steps, decide, apply, usd, owed } = await start()
      await steps()
      says.collection = 'RETURNED'
      const debt = await decide()
      const scope = await engine.clock.scope(platform, { id: 'operator', permissions: [] })
      const account = await loadInternalAccount(engine.database, scope, usd.id)
      const closing = decideMove(scope, account!, 'close', {
        newInstructions: [],
        hasPaymentsUnderWay: false,
      })
      if (!closing.ok) throw new Error('it may be closed')
      const close = () => engine.applier.apply<unknown>(scope, closing.value)
      const [first, second] = isDebtFirst ? [() => apply(debt), close] : [close, () => apply(debt)]
      expect(await first()).toMatchObject({ ok: true })
      expect(await second()).toEqual({ ok: false, failure: { code: 'STALE' } })
      if (!isDebtFirst) await server.pass(minuteMs)
      // A bank that takes back the money of a closed account is owed all the same.
      expect(await owed()).toBe(-40_000n)
    }
  })

  const databaseUrl =
    server.databaseKind === 'postgresql' ? process.env.CORRIDOR_TEST_DATABASE_URL : undefined
  it.skipIf(!databaseUrl)('waits for a deletion of its customer by another process', async () => {
    const { says, steps, decide, apply, customer, owed } = await start()
    await steps()
    says.collection = 'RETURNED'
    const debt = await decide()
    const [{ name }] = (await server.rows<{ name: string }>('select current_database() as name')) as [
      { name: string },
    ]
    const url = new URL(databaseUrl!)
    url.pathname = `/${name}`
    const other = new pg.Client({ connectionString: url.href })
    await other.connect()
    try {
      await other.query('begin')
      await other.query('select from customers where id = $1 for update', [customer.id])
      let isWritten = false
      const written = apply(debt).then((outcome) => {
        isWritten = true
        return outcome
      })
      await expect
        .poll(async () => {
          const { rows } = await other.query('select 1 from pg_locks where not granted')
          return rows.length
        })
        .toBeGreaterThan(0)
      expect(isWritten).toBe(false)
      await other.query('commit')
      expect(await written).toMatchObject({ ok: true })
      expect(await owed()).toBe(-40_000n)
    } finally {
      await other.end()
    }
  })
})

describe('a collection that is returned at the same moment', () => {
  it('as its payout is being handed over is owed: the rail has the payout once', async () => {
    const stage = await start()
    const { says, steps, shown, owed, handedOver, transactionId, decide, apply } = stage
    let isOver = false
    says.whileHandedOver = async () => {
      if (isOver) return
      isOver = true
      says.collection = 'RETURNED'
      expect(await apply(await decide())).toMatchObject({ ok: true })
    }
    await steps()
    says.payout = () => ({ status: 'SETTLED' })
    await server.pass(minuteMs)
    expect([(await shown()).status, await owed()]).toEqual(['COMPLETED', -40_000n])
    expect(new Set(handedOver)).toEqual(new Set([transactionId]))
  })

  it('is written once when two processes find it', async () => {
    const { says, steps, owed, receivables, decide, apply } = await start()
    await steps()
    says.collection = 'RETURNED'
    const [first, second] = [await decide(), await decide()]
    const outcomes = await Promise.all([apply(first), apply(second)])
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ failure: { code: 'STALE' } })
    await server.pass(minuteMs)
    expect(await owed()).toBe(-40_000n)
    expect(await receivables()).toHaveLength(1)
  })

  it('as its refund is given is taken back once, in whichever order they are written', async () => {
    for (const isReturnFirst of [true, false]) {
      const { says, steps, owed, balance, decide, apply, shown } = await start()
      await steps()
      says.payout = () => ({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
      says.collection = 'RETURNED'
      if (isReturnFirst) {
        expect(await apply(await decide())).toMatchObject({ ok: true })
        expect(await owed()).toBe(-40_000n)
      } else {
        const late = await decide()
        says.collection = 'SETTLED'
        await server.pass(minuteMs)
        await steps()
        expect(await balance()).toBe(40_000)
        expect(await apply(late)).toEqual({ ok: false, failure: { code: 'STALE' } })
        says.collection = 'RETURNED'
      }
      await server.pass(minuteMs)
      await steps()
      expect(await shown()).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
      expect([await owed(), await balance()]).toEqual([0n, 0])
    }
  })
})

describe('a collection that is returned before its payout is handed over', () => {
  it('stops the payment, which waits at a pause', async () => {
    const { platform, steps, takeBack, shown, receivables, handedOver, lift, told, transactionId } =
      await start({ isPaused: true })
    await steps()
    expect([(await shown()).status, handedOver]).toEqual(['PROCESSING', []])
    await takeBack()
    const ended = await shown()
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' })
    expect(ended).not.toHaveProperty('refund')
    await lift()
    await steps()
    expect([handedOver, await receivables(), await server.ledgerBalances(platform)]).toEqual([[], [], {}])
    expect(await told(transactionId)).toEqual(['PENDING', 'PROCESSING', 'FAILED'])
  })

  it('stops the payment, which a pause caught between the record of its hand-over and its rail', async () => {
    const { platform, steps, takeBack, shown, receivables, handedOver, transactionId } = await start()
    const { engine } = server
    // Collected; the first step of the payout is not due yet.
    await server.pass(1_000)
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const step = await advancePayment.run(engine, scope, { transactionId } as never, {
      isFirst: async () => true,
      mayGoOn: false,
    })
    if (!step.ok) throw new Error('a step is decided')
    expect(await engine.applier.apply<unknown>(scope, step.value)).toMatchObject({ ok: true })
    expect(handedOver).toEqual([])
    const pause = await operate(server, 'POST', '/pauses', {
      environment: platform.environment,
      platformId: platform.platformId,
      rail: 'FASTER_PAYMENTS',
      reasonCode: 'RAIL_UNAVAILABLE',
      reason: 'No answers',
    })
    await steps()
    await takeBack()
    expect(await shown()).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' })
    await operate(server, 'POST', `/pauses/${pause.body.id}/lift`)
    await steps()
    expect([handedOver, await receivables(), await server.ledgerBalances(platform)]).toEqual([[], [], {}])
  })

  it('loses against the hand-over once the pause is lifted', async () => {
    const { says, steps, shown, owed, handedOver, lift, decide, apply } = await start({ isPaused: true })
    await steps()
    says.collection = 'RETURNED'
    const late = await decide()
    says.collection = 'SETTLED'
    await lift()
    await steps()
    expect(handedOver).toHaveLength(1)
    expect(await apply(late)).toEqual({ ok: false, failure: { code: 'STALE' } })
    says.collection = 'RETURNED'
    await server.pass(minuteMs)
    expect([(await shown()).status, await owed()]).toEqual(['PROCESSING', -40_000n])
  })
})

describe('a collection that is returned after its refund could not be given', () => {
  it('goes back from suspense while the account is frozen', async () => {
    const { platform, says, steps, freeze, release, shown, takeBack, balance, receivables } = await start()
    await steps()
    await freeze()
    says.payout = () => ({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
    await server.pass(minuteMs)
    await steps()
    expect(await shown()).toMatchObject({ refund: { status: 'FAILED' } })
    await takeBack()
    expect(await server.ledgerBalances(platform)).toEqual({})
    await release()
    await steps()
    expect([await balance(), await receivables()]).toEqual([0, []])
  })

  it('is taken from the account that got it when it was released', async () => {
    const { says, steps, freeze, release, takeBack, balance, owed } = await start()
    await steps()
    await freeze()
    says.payout = () => ({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
    await server.pass(minuteMs)
    await steps()
    await release()
    await steps()
    expect(await balance()).toBe(40_000)
    await takeBack()
    expect([await balance(), await owed()]).toEqual([0, 0n])
  })

  it('is owed when the operator had paid the refund out by other means', async () => {
    const { says, steps, freeze, takeBack, owed, transactionId, receivables } = await start()
    await steps()
    await freeze()
    says.payout = () => ({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
    await server.pass(minuteMs)
    await steps()
    const resolved = await operate(server, 'POST', `/transactions/${transactionId}/resolve-refund`, {
      to: 'RAIL',
      reason: 'Paid by hand',
    })
    expect(resolved.status).toBe(200)
    await takeBack()
    expect([await owed(), (await receivables()).length]).toEqual([-40_000n, 1])
  })
})

describe('a receivable', () => {
  it('is collected as far as the account reaches, with a record, and then settled', async () => {
    const { api, steps, takeBack, usd, receivables, balance, owed, says, customer } = await start()
    says.payout = () => ({ status: 'SETTLED' })
    await steps()
    await takeBack()
    const id = (await receivables())[0]!.id
    const collect = () => api.POST('/receivables/{id}/collect', { params: { path: { id } } })
    expect((await collect()).error).toMatchObject({ code: 'INSUFFICIENT_BALANCE', details: { available: 0 } })
    await fund(api, usd.id, 50_000)
    expect(await must(collect())).toMatchObject({ id, status: 'SETTLED', remainingAmount: { amount: 0 } })
    expect([await balance(), await owed()]).toEqual([10_000, 0n])
    expect((await collect()).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'RESOLVED' } })
    const query = { customerId: customer.id, senderAccountIdentifier: usd.id }
    expect((await must(api.GET('/transactions', { params: { query } }))).data).toMatchObject([
      { type: 'OUTGOING', direction: 'DEBIT', status: 'COMPLETED', sentAmount: { amount: 40_000 } },
    ])
  })

  it('is left alone while the account is frozen', async () => {
    const { api, steps, takeBack, usd, receivables, freeze, says } = await start()
    says.payout = () => ({ status: 'SETTLED' })
    await steps()
    await takeBack()
    await fund(api, usd.id, 50_000)
    await freeze()
    const id = (await receivables())[0]!.id
    const refused = await api.POST('/receivables/{id}/collect', { params: { path: { id } } })
    expect(refused.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'ACCOUNT_NOT_ACTIVE' } })
  })
})
