import { loadTransaction } from '@corridor/engine/money/payments/index.ts'
import type { RailClient } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

const stepMs = 50
const server = await openTestServer({ stepMs })
afterEach(async () => {
  vi.restoreAllMocks()
  await server.expectSoundLedger()
})

/** A bank that knows what it was given, and says the truth about it; the network before it is in the test's hands. */
function bank() {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('FASTER_PAYMENTS')
  if (!rail) throw new Error('the sandbox has this rail')
  const known = new Map<string, 'TAKEN' | 'STOPPED' | 'PAID'>()
  const calls: string[] = []
  let isTalking = false
  /** How a call goes on its way: before the bank has it, and before its answer is back. */
  const network: Record<string, { there?: () => Promise<void>; back?: () => Promise<void> }> = {}
  async function call<T>(what: string, answer: () => T): Promise<T> {
    expect(isTalking, 'one call about a payment at a time').toBe(false)
    isTalking = true
    try {
      calls.push(what)
      await network[what]?.there?.()
      const said = answer()
      await network[what]?.back?.()
      return said
    } finally {
      isTalking = false
    }
  }
  const client: RailClient = {
    ...rail,
    submitPayout: ({ transactionId }, now) =>
      call('submit', () => {
        if (!known.has(transactionId)) known.set(transactionId, 'TAKEN')
        return { status: 'ACCEPTED', checkAt: now + 60_000 }
      }),
    fetchPayout: ({ transactionId }, now) =>
      call('fetch', () =>
        known.get(transactionId) === 'PAID'
          ? { status: 'SETTLED' }
          : { status: 'ACCEPTED', checkAt: now + 60_000 },
      ),
    requestCancel: ({ transactionId }) =>
      call('cancel', () => {
        // Nothing that it does not know will be paid by it; nothing that it has paid comes back.
        if (known.get(transactionId) === 'PAID') return false
        if (known.has(transactionId)) known.set(transactionId, 'STOPPED')
        return true
      }),
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  return {
    calls,
    network,
    known,
    pay(transactionId: string) {
      if (known.get(transactionId) === 'TAKEN') known.set(transactionId, 'PAID')
    },
  }
}

/** Something that happens when the test lets it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

async function payment() {
  const setUp = await paymentApi(server)
  const { platform, api, customer, usd, transaction, told, balance } = setUp
  await fund(api, usd.id, 50_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 50_000))
  const params = { path: { transactionId } }
  return {
    transactionId,
    execute: () => execute(api, id),
    cancel: (key?: string) =>
      api.POST('/transactions/{transactionId}/cancel', {
        params,
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
      }),
    now: () => transaction(transactionId),
    told: () => told(transactionId),
    balance,
    async isAsked() {
      const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
      const row = await loadTransaction(server.engine, scope, transactionId)
      return row?.flow.cancelAskedAt !== undefined
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Lets simulated time go on, twice as fast as that of the sockets behind it, until a call is answered. */
async function answered<T>(call: Promise<T>): Promise<T> {
  let isOver = false
  const watched = call.finally(() => {
    isOver = true
  })
  watched.catch(() => {})
  while (!isOver) {
    server.world.passMs(20)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return watched
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await turn()
}

/** Runs what falls due for ten minutes, with the bank paying whatever it has taken and was not told to stop. */
async function afterwards(rail: ReturnType<typeof bank>, transactionId: string): Promise<void> {
  rail.pay(transactionId)
  for (let minute = 0; minute < 10; minute++) await server.pass(60_000)
}

describe('a cancellation', () => {
  it('in the middle of a submission waits for it, and stops what the bank knows by then', async () => {
    const rail = bank()
    const made = await payment()
    const arrival = gate()
    rail.network.submit = { there: () => arrival.opened }
    await made.execute()
    server.world.passMs(stepMs)
    const submitting = server.settle()
    await until(() => rail.calls.includes('submit'))

    const cancelling = made.cancel()
    let isAnswered = false
    void cancelling.then(() => {
      isAnswered = true
    })
    await until(async () => isAnswered || (await made.isAsked()))
    // The bank would say truthfully that it knows no such payment.
    expect(rail.calls).toEqual(['submit'])
    arrival.open()
    await submitting
    const { data } = await answered(cancelling)
    expect(data).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    await afterwards(rail, made.transactionId)
    expect(rail.known.get(made.transactionId)).toBe('STOPPED')
    expect(await made.now()).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect(await made.balance()).toBe(50_000)
  })

  it('of what the bank has paid meanwhile is refused, and the payment is not refunded', async () => {
    const rail = bank()
    const made = await payment()
    const arrival = gate()
    // It pays at once, and its answer takes its time.
    rail.network.submit = {
      back: async () => {
        rail.pay(made.transactionId)
        await arrival.opened
      },
    }
    await made.execute()
    server.world.passMs(stepMs)
    const submitting = server.settle()
    await until(() => rail.known.has(made.transactionId))
    const cancelling = made.cancel()
    await until(() => made.isAsked())
    arrival.open()
    await submitting
    const { error } = await answered(cancelling)
    expect(error).toMatchObject({
      status: 409,
      code: 'TRANSACTION_NOT_CANCELLABLE',
      details: { status: 'COMPLETED' },
    })
    await afterwards(rail, made.transactionId)
    expect(await made.now()).toMatchObject({ status: 'COMPLETED' })
    expect((await made.now()) as object).not.toHaveProperty('refund.status')
    expect(await made.balance()).toBe(0)
  })

  it('after a submission whose answer was lost submits again before it asks', async () => {
    const rail = bank()
    const made = await payment()
    let lost = 0
    rail.network.submit = {
      back: async () => {
        if (lost++ === 0) throw new Error('the answer is lost')
      },
    }
    await made.execute()
    await server.pass(stepMs)
    expect(rail.calls).toEqual(['submit'])
    expect(await made.now()).toMatchObject({ status: 'PENDING' })
    const { data } = await answered(made.cancel())
    expect(data).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    expect(rail.calls).toEqual(['submit', 'submit', 'cancel'])
    await afterwards(rail, made.transactionId)
    expect(rail.known.get(made.transactionId)).toBe('STOPPED')
    expect(await made.balance()).toBe(50_000)
  })

  it('before the first submission never tells the bank anything', async () => {
    const rail = bank()
    const made = await payment()
    await made.execute()
    const { data } = await answered(made.cancel())
    expect(data).toMatchObject({ status: 'PROCESSING', refund: { status: 'PENDING' } })
    await afterwards(rail, made.transactionId)
    expect(rail.calls).toEqual([])
    expect(await made.now()).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect(await made.balance()).toBe(50_000)
  })

  it('whose answer is lost is asked again, and becomes true', async () => {
    const rail = bank()
    const made = await payment()
    await made.execute()
    await server.pass(stepMs)
    let lost = 0
    rail.network.cancel = {
      back: async () => {
        if (lost++ === 0) throw new Error('the answer is lost')
      },
    }
    const cancelling = made.cancel()
    await until(() => lost > 0)
    const { data } = await answered(cancelling)
    expect(data).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    expect(rail.calls).toEqual(['submit', 'cancel', 'cancel'])
    await afterwards(rail, made.transactionId)
    expect(await made.balance()).toBe(50_000)
  })

  it('that takes longer than a caller waits shows the payment as it is, and is answered later', async () => {
    const rail = bank()
    const made = await payment()
    await made.execute()
    await server.pass(stepMs)
    const arrival = gate()
    rail.network.cancel = { there: () => arrival.opened }
    const { data } = await answered(made.cancel())
    expect(data).toMatchObject({ status: 'PROCESSING' })
    expect(data).not.toHaveProperty('refund.status')
    arrival.open()
    await until(async () => 'refund' in (await made.now()))
    await afterwards(rail, made.transactionId)
    expect(await made.now()).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect(await made.balance()).toBe(50_000)
  })

  it('of a payment whose job was given up asks the bank, which may have it all the same', async () => {
    const rail = bank()
    const made = await payment()
    let isAway = true
    rail.network.submit = {
      back: async () => {
        if (isAway) throw new Error('the answer is lost')
      },
    }
    await made.execute()
    // Twenty attempts, each of which the bank has heard.
    for (let attempt = 0; attempt < 20; attempt++) await server.pass(40 * 60_000)
    expect(rail.calls).toHaveLength(20)
    isAway = false
    rail.pay(made.transactionId)
    await answered(made.cancel())
    await afterwards(rail, made.transactionId)
    expect(rail.known.get(made.transactionId)).toBe('PAID')
    expect(await made.now()).toMatchObject({ status: 'COMPLETED' })
    expect((await made.now()) as object).not.toHaveProperty('refund')
    expect(await made.balance()).toBe(0)
  })

  it('whose process died with the wish is answered as what it led to, under its key alone', async () => {
    const rail = bank()
    const made = await payment()
    await made.execute()
    await server.pass(stepMs)
    const { engine } = server
    const { applier } = engine
    // The process dies once the wish is written, and before anything is answered.
    const apply: typeof applier.apply = async (...wish: Parameters<typeof applier.apply>) => {
      await applier.apply(...wish)
      throw new Error('the process died')
    }
    Object.assign(engine, { applier: { ...applier, apply } })
    expect((await made.cancel('mine')).response.status).toBe(500)
    Object.assign(engine, { applier })
    expect(await made.isAsked()).toBe(true)
    await server.settle()
    await afterwards(rail, made.transactionId)
    const refunded = { id: made.transactionId, status: 'COMPLETED', refund: { status: 'COMPLETED' } }
    expect(await made.now()).toMatchObject(refunded)
    expect((await made.cancel('another')).error).toMatchObject({ code: 'TRANSACTION_NOT_CANCELLABLE' })
    for (const _time of [1, 2]) {
      const { data, response } = await made.cancel('mine')
      expect(response.status).toBe(200)
      expect(data).toMatchObject(refunded)
    }
    expect(rail.calls.filter((call) => call === 'cancel')).toHaveLength(1)
    expect(await made.balance()).toBe(50_000)
  })

  it('by two callers at once is one', async () => {
    const rail = bank()
    const made = await payment()
    await made.execute()
    await server.pass(stepMs)
    const answers = await answered(Promise.all([made.cancel(), made.cancel()]))
    const statuses = answers.map(({ response }) => response.status)
    expect(statuses).toContain(200)
    for (const status of statuses) expect([200, 409]).toContain(status)
    expect(rail.calls).toEqual(['submit', 'cancel'])
    await afterwards(rail, made.transactionId)
    expect((await made.told()).filter((type) => type === 'REFUND_COMPLETED')).toHaveLength(1)
    expect(await made.balance()).toBe(50_000)
  })
})
