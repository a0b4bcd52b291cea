import type { RailClient } from '@corridor/engine/ports/rail.ts'
import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'
import { dying } from './dying.ts'

/** A pause meets payments at every moment of their way to the rail, in one process and in two, and processes die meanwhile. */

const server = await openTestServer()
const made: string[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  for (const id of made.splice(0)) await operate(server, 'POST', `/pauses/${id}/lift`)
  await server.settle()
  await server.expectSoundLedger()
})

/** A bank that takes what it is given, and pays what it has taken when it is asked again. */
function bank(...servers: readonly TestServer[]) {
  const given: string[] = []
  const paid = new Set<string>()
  const calls: string[] = []
  /** How a submission goes on its way: before the bank has it, and before its answer is back. */
  const network: { there?: () => Promise<void>; back?: () => Promise<void> } = {}
  let most = 0
  let now = 0
  for (const { engine } of [server, ...servers]) {
    const { SANDBOX } = engine.adapters
    const rail = SANDBOX.rail('FASTER_PAYMENTS')
    if (!rail) throw new Error('the sandbox has this rail')
    const client: RailClient = {
      ...rail,
      async submitPayout({ transactionId }, at) {
        calls.push('submit')
        most = Math.max(most, ++now)
        try {
          await network.there?.()
          given.push(transactionId)
          await network.back?.()
          return { status: 'ACCEPTED', checkAt: at + 1_000 }
        } finally {
          now--
        }
      },
      async fetchPayout({ transactionId }) {
        calls.push('fetch')
        if (!given.includes(transactionId)) throw new Error('the bank knows no such payment')
        paid.add(transactionId)
        return { status: 'SETTLED' }
      },
      async requestCancel() {
        calls.push('cancel')
        return false
      },
    }
    vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  }
  return { given, paid, calls, network, mostAtOnce: () => most }
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await turn()
}

async function start() {
  const payments = await paymentApi(server)
  const { api, usd, customer } = payments
  await fund(api, usd.id, 10_000_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const begin = async () => {
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, id)
    return transactionId
  }
  const statusOf = async (id: string) => (await payments.transaction(id)).status
  const cancel = (transactionId: string) =>
    api.POST('/transactions/{transactionId}/cancel', { params: { path: { transactionId } } })
  return { ...payments, begin, statusOf, cancel }
}

const body = { environment: 'SANDBOX', rail: 'FASTER_PAYMENTS', reasonCode: 'OTHER', reason: 'a test' }

/** Pauses, and lets time go on until that is answered. */
async function pause(at: TestServer = server) {
  let answer: Awaited<ReturnType<typeof operate>> | undefined
  void operate(at, 'POST', '/pauses', body).then((got) => {
    answer = got
    if (got.status === 201) made.push(got.body.id)
  })
  return {
    isAnswered: () => answer !== undefined,
    async answered() {
      while (!answer) {
        at.world.passMs(50)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return answer
    },
  }
}

async function paused(at?: TestServer) {
  return (await pause(at)).answered()
}

async function isWritten() {
  const rows = await server.rows("select id from payout_pauses where status = 'IN_FORCE'")
  return rows.length > 0
}

const lift = (id: string, at: TestServer = server) => operate(at, 'POST', `/pauses/${id}/lift`)
const held = async () =>
  (await server.rows<{ id: string }>('select id from held_payouts')).map(({ id }) => id)

/** What a payment that was held and went on looks like, whatever happened on its way. */
async function expectPaidOnce(
  rail: ReturnType<typeof bank>,
  ids: readonly string[],
  payments: Awaited<ReturnType<typeof start>>,
) {
  for (let round = 0; round < 5; round++) await server.pass(60_000)
  for (const id of ids) {
    expect(await payments.statusOf(id)).toBe('COMPLETED')
    expect(rail.paid.has(id)).toBe(true)
    expect((await payments.told(id)).filter((type) => type === 'COMPLETED')).toHaveLength(1)
  }
  expect(await held()).toEqual([])
}

describe('a pause', () => {
  it('is answered when what was being handed over has its outcome, and nothing is handed over after that', async () => {
    const rail = bank()
    const payments = await start()
    const arrival = gate()
    rail.network.there = () => arrival.opened
    const first = await payments.begin()
    const settling = server.settle()
    await until(() => rail.calls.length === 1)

    const pausing = await pause()
    await until(isWritten)
    const second = await payments.begin()
    for (let turns = 0; turns < 50; turns++) await turn()
    // The bank has not got the first yet, and would after the answer.
    expect(pausing.isAnswered()).toBe(false)
    arrival.open()
    await settling
    const { status, body: answer } = await pausing.answered()
    expect([status, answer.handingOver]).toEqual([201, 0])
    await server.settle()
    expect(rail.given).toEqual([first])
    expect(await held()).toEqual([second])
    await lift(answer.id)
    await expectPaidOnce(rail, [first, second], payments)
    expect(rail.given).toEqual([first, second])
  })

  it('says after five seconds what may be with the rail all the same', async () => {
    const rail = bank()
    const payments = await start()
    const arrival = gate()
    rail.network.there = () => arrival.opened
    const id = await payments.begin()
    const settling = server.settle()
    await until(() => rail.calls.length === 1)
    const before = server.world.now()
    const { body: answer } = await paused()
    expect(answer.handingOver).toBe(1)
    expect(server.world.now() - before).toBeGreaterThanOrEqual(5_000)
    expect(server.world.now() - before).toBeLessThan(7_000)
    expect((await operate(server, 'GET', `/pauses/${answer.id}`)).body.handingOver).toBe(1)
    arrival.open()
    await settling
    expect((await operate(server, 'GET', `/pauses/${answer.id}`)).body.handingOver).toBe(0)
    await server.pass(5_000)
    expect(await payments.statusOf(id)).toBe('COMPLETED')
  })

  it('that comes between the claim of a job and its hand-over is seen by it', async () => {
    const rail = bank()
    const payments = await start()
    const id = await payments.begin()
    // The job is claimed, reads what it needs, and only then the pause is written.
    const { database } = server.engine
    const read = database.read.bind(database)
    const claimed = gate()
    const written = gate()
    let isHeldUp = false
    vi.spyOn(database, 'read').mockImplementation(async (...asked) => {
      if (asked[1].name === 'transactions.load' && !isHeldUp) {
        isHeldUp = true
        claimed.open()
        await written.opened
      }
      return read(...asked) as never
    })
    const settling = server.settle()
    await claimed.opened
    const pausing = await pause()
    await until(isWritten)
    expect(pausing.isAnswered()).toBe(false)
    written.open()
    await settling
    await pausing.answered()
    expect(rail.calls).toEqual([])
    expect(await held()).toEqual([id])
    await lift(made.at(-1)!)
    await expectPaidOnce(rail, [id], payments)
  })

  it('of another process holds here, and is lifted from there', async () => {
    const beside = await startTestServer({ beside: server, seed: 2 })
    try {
      beside.world.passMs(server.world.now() - beside.world.now())
      const rail = bank(beside)
      const payments = await start()
      const { body: answer } = await paused(beside)
      const ids = [await payments.begin(), await payments.begin()]
      await server.settle()
      expect(rail.calls).toEqual([])
      expect((await held()).sort()).toEqual([...ids].sort())
      beside.world.passMs(Math.max(0, server.world.now() - beside.world.now()))
      await lift(answer.id, beside)
      // Both find what waits, at the same moment.
      await Promise.all([server.settle(), beside.settle()])
      await expectPaidOnce(rail, ids, payments)
      expect([...rail.given].sort()).toEqual([...ids].sort())
    } finally {
      await beside.close()
    }
  })

  it('waits for what another process was handing over', async () => {
    const beside = await startTestServer({ beside: server, seed: 3 })
    try {
      beside.world.passMs(server.world.now() - beside.world.now())
      const rail = bank(beside)
      const payments = await start()
      const arrival = gate()
      rail.network.there = () => arrival.opened
      const id = await payments.begin()
      const settling = server.settle()
      await until(() => rail.calls.length === 1)
      const pausing = await pause(beside)
      await until(isWritten)
      for (let turns = 0; turns < 50; turns++) await turn()
      expect(pausing.isAnswered()).toBe(false)
      arrival.open()
      await settling
      const { body: answer } = await pausing.answered()
      expect(answer.handingOver).toBe(0)
      await lift(answer.id, beside)
      await expectPaidOnce(rail, [id], payments)
    } finally {
      await beside.close()
    }
  })
})

describe('a payment', () => {
  it('that is held back at the moment of the lifting goes on all the same', async () => {
    const rail = bank()
    const payments = await start()
    const { body: answer } = await paused()
    const id = await payments.begin()
    const { applier } = server.engine
    let isLifted = false
    const original = applier.apply
    applier.apply = (async (scope: never, decision: Decision<never>) => {
      const isHold = decision.inserts?.some(({ table }) => table === 'held_payouts')
      if (isHold && !isLifted) {
        isLifted = true
        // Decided from a pause that is lifted before this is written; what waits is looked through meanwhile.
        expect((await lift(answer.id)).status).toBe(200)
        expect(await held()).toEqual([])
      }
      return original(scope, decision)
    }) as typeof applier.apply
    try {
      await server.settle()
    } finally {
      applier.apply = original
    }
    expect(isLifted).toBe(true)
    await expectPaidOnce(rail, [id], payments)
    expect(rail.given).toEqual([id])
  })

  it('of which the rail may know already is neither given back nor sent as another one', async () => {
    const rail = bank()
    const payments = await start()
    let lost = 0
    rail.network.back = async () => {
      if (lost++ === 0) throw new Error('the answer is lost')
    }
    const id = await payments.begin()
    await server.settle()
    expect(rail.given).toEqual([id])
    const { body: answer } = await paused()
    await server.pass(10_000)
    expect(await held()).toEqual([id])
    expect(rail.given).toEqual([id])

    // Whoever wants it stopped waits for what the rail says, which is asked once it is not paused any more.
    const cancelling = payments.cancel(id)
    let isOver = false
    void cancelling.finally(() => {
      isOver = true
    })
    while (!isOver) {
      server.world.passMs(200)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect((await payments.transaction(id)) as object).not.toHaveProperty('refund')
    expect(rail.calls).toEqual(['submit'])
    expect(await held()).toEqual([id])

    await lift(answer.id)
    await expectPaidOnce(rail, [id], payments)
    expect(rail.calls.slice(0, 3)).toEqual(['submit', 'submit', 'cancel'])
  })

  it.each(['before', 'after'] as const)(
    'survives a process that dies %s the commit that holds it back, and the one that lets it go on',
    async (when) => {
      const rail = bank()
      const payments = await start()
      const { body: answer } = await paused()
      const id = await payments.begin()
      await dyingRunner(when, 'held_payouts')
      await server.pass(120_000)
      expect(await held()).toEqual([id])
      expect(rail.calls).toEqual([])
      await lift(answer.id)
      await dyingRunner(when, 'held_payouts')
      await expectPaidOnce(rail, [id], payments)
      expect(rail.given).toEqual([id])
    },
  )

  /** Runs what is due in a process whose first commit about a table is its last. */
  async function dyingRunner(when: 'before' | 'after', table: string) {
    const { applier } = server.engine
    const original = applier.apply
    let isDead = false
    applier.apply = (async (scope: never, decision: Decision<never>) => {
      const isAbout = [...(decision.inserts ?? []), ...(decision.deletes ?? [])].some(
        (change) => change.table === table,
      )
      if (!isDead && isAbout) {
        isDead = true
        if (when === 'after') await original(scope, decision)
        throw new Error('the process died')
      }
      return original(scope, decision)
    }) as typeof applier.apply
    try {
      await server.settle()
    } finally {
      applier.apply = original
    }
    expect(isDead).toBe(true)
  }

  it('whose pausing dies before it is answered waits, and who asks again is told of the pause', async () => {
    const rail = bank()
    const payments = await start()
    const { status } = await dying(server, 'after', () => operate(server, 'POST', '/pauses', body))
    expect(status).toBe(500)
    const id = await payments.begin()
    await server.settle()
    expect(await held()).toEqual([id])
    const again = await operate(server, 'POST', '/pauses', body)
    expect(again).toMatchObject({ status: 409, body: { details: { reason: 'ALREADY_PAUSED' } } })
    await lift(again.body.details.id)
    await expectPaidOnce(rail, [id], payments)
  })

  it('that was let go on and whose step is given up then is not told to wait at the pause', async () => {
    const rail = bank()
    const payments = await start()
    const { body: answer } = await paused()
    const id = await payments.begin()
    await server.settle()
    const explained = async () =>
      (await payments.api.GET('/explain/{id}', { params: { path: { id } } })).data as never as {
        sentence: string
        status: object
        next: object[]
      }
    expect((await explained()).sentence).toContain('which has paused payouts (OTHER)')
    rail.network.there = async () => {
      throw new Error('the bank is away')
    }
    await lift(answer.id)
    await server.settle()
    await server.rows(
      `update jobs set dead_at = now(), claim = null where kind = 'payments.advance' and key = '${id}'`,
    )
    const { sentence, status, next } = await explained()
    expect(sentence).toMatch(/Processing, waiting for the operator\.$/)
    expect(status).toMatchObject({ waitingFor: 'OPERATOR' })
    expect(status).not.toHaveProperty('paused')
    expect(next).toMatchObject([{ what: 'the operator decides about the payment' }])

    // Done again by the operator, it is paid.
    rail.network.there = async () => {}
    await server.rows(`update jobs set dead_at = null where key = '${id}'`)
    await expectPaidOnce(rail, [id], payments)
  })

  it('goes on among many in the order in which they have waited, some at a time', async () => {
    const rail = bank()
    const payments = await start()
    const { body: answer } = await paused()
    const ids: string[] = []
    for (let count = 0; count < 100; count++) {
      ids.push(await payments.begin())
      server.world.passMs(10)
      await server.settle()
    }
    expect(await held()).toHaveLength(100)
    expect((await operate(server, 'GET', `/pauses/${answer.id}`)).body.held).toBe(100)
    await lift(answer.id)
    await server.settle()
    await expectPaidOnce(rail, ids, payments)
    expect(rail.given).toHaveLength(100)
    // Those under way at one moment may overtake each other; on the whole who has waited long goes before who came late.
    const meanPlace = (of: readonly string[]) =>
      of.reduce((sum, id) => sum + rail.given.indexOf(id), 0) / of.length
    expect(meanPlace(ids.slice(0, 25))).toBeLessThan(meanPlace(ids.slice(75)))
    expect(rail.mostAtOnce()).toBeLessThanOrEqual(64)
  }, 180_000)
})
