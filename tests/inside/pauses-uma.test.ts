import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { must } from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

/** A pause meets payments to another institution, which has one when it is asked for its proof. */

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

it('asks no institution for a proof after a pause, also where an answer was missing before', async () => {
  const { a, b, traffic } = two
  const quote = await must(
    quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
  )
  const pass = async () => {
    for (let round = 0; round < 4; round++) for (const { server } of [a, b]) await server.pass(15_000)
  }
  const proofs = () => traffic.filter(({ url }) => url.includes('/uma/settle')).length
  // The institution is out of reach, so it has not heard of the payment.
  two.interfere((url) => (url.includes('/uma/settle') ? new Response('', { status: 503 }) : undefined))
  await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await a.server.settle()
  const before = proofs()
  expect(before).toBeGreaterThan(0)

  const paused = await operate(a.server, 'POST', '/pauses', {
    environment: 'SANDBOX',
    rail: 'UMA',
    reasonCode: 'OTHER',
    reason: 'a test',
  })
  expect(paused).toMatchObject({ status: 201, body: { handingOver: 0 } })
  two.interfere(() => undefined)
  await pass()
  await two.settle()
  const status = async () =>
    (
      await must(
        a.api.GET('/transactions/{transactionId}', {
          params: { path: { transactionId: quote.transactionId } },
        }),
      )
    ).status
  expect([await status(), proofs() - before]).toEqual(['PROCESSING', 0])

  // It is counted and explained as every other payment that waits.
  const id = quote.transactionId
  const explained = () => must(a.api.GET('/explain/{id}', { params: { path: { id } } }))
  const held = async () => (await operate(a.server, 'GET', `/pauses/${paused.body.id}`)).body.held
  const uma = async () => {
    const { body } = await operate(a.server, 'GET', '/rails')
    return body.data.find(({ rail }: { rail: string }) => rail === 'UMA')
  }
  expect(await held()).toBe(1)
  expect(await uma()).toMatchObject({ underWay: 1, held: 1, pauses: [{ id: paused.body.id }] })
  expect(await explained()).toMatchObject({
    status: { waitingFor: 'OPERATOR', paused: { reasonCode: 'OTHER' } },
    next: [{ what: 'the operator lifts the pause' }],
  })
  // Nobody else asks either.
  const ended = await operate(a.server, 'POST', `/transactions/${id}/end-uma-payment`, {
    ifUnknown: 'REFUND',
    reason: 'a test',
  })
  expect(ended).toMatchObject({ status: 409, body: { details: { reason: 'PAYOUTS_PAUSED' } } })
  expect([await status(), proofs() - before]).toEqual(['PROCESSING', 0])

  // It goes on, meets the same silence, and waits for no pause any more.
  two.interfere((url) => (url.includes('/uma/settle') ? new Response('', { status: 503 }) : undefined))
  await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
  await pass()
  await two.settle()
  expect(proofs()).toBeGreaterThan(before)
  expect([await held(), (await uma()).held]).toEqual([0, 0])
  const story = await explained()
  expect(story.status.waitingFor).toBe('RAIL')
  expect(story.status).not.toHaveProperty('paused')
  const texts = story.timeline.map(({ text }: { text: string }) => text)
  expect(texts).toEqual(expect.arrayContaining(['the payment no longer waits for a pause']))

  two.interfere(() => undefined)
  await pass()
  await two.settle()
  expect(await status()).toBe('COMPLETED')
})

it('shows one whose proof waits as stuck by the pause once its time is over', async () => {
  const { a, b } = two
  const quote = await must(
    quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
  )
  two.interfere((url) => (url.includes('/uma/settle') ? new Response('', { status: 503 }) : undefined))
  await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await a.server.settle()
  const paused = await operate(a.server, 'POST', '/pauses', {
    environment: 'SANDBOX',
    rail: 'UMA',
    reasonCode: 'OTHER',
    reason: 'a test',
  })
  two.interfere(() => undefined)
  for (const { server } of [a, b]) await server.pass(2 * 60 * 60_000)
  const { body: stuck } = await operate(a.server, 'GET', '/stuck')
  expect(stuck.data).toMatchObject([{ rail: 'UMA', count: 1, payments: [{ reason: 'PAUSED' }] }])

  // What was agreed ended meanwhile, as it does elsewhere: the money goes back.
  await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
  for (const { server } of [a, b]) await server.pass(15_000)
  await two.settle()
  const { status } = await must(
    a.api.GET('/transactions/{transactionId}', {
      params: { path: { transactionId: quote.transactionId } },
    }),
  )
  expect(status).toBe('FAILED')
  expect((await operate(a.server, 'GET', '/stuck')).body.data).toEqual([])
  await a.server.expectSoundLedger()
})

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

it('counts a question of the operator that hands over, and is seen by one that comes after it', async () => {
  const { a, b } = two
  const quote = await must(
    quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
  )
  const isProof = (url: string) => url.includes('/uma/settle')
  two.interfere((url) => (isProof(url) ? new Response('', { status: 503 }) : undefined))
  await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await a.server.settle()
  two.interfere(() => undefined)

  // Its answer is on its way for as long as this takes.
  const reached = gate()
  const mayGo = gate()
  two.alter(async (url, answer) => {
    if (isProof(url)) {
      reached.open()
      await mayGo.opened
    }
    return answer
  })
  const id = quote.transactionId
  const question = { ifUnknown: 'REFUND', reason: 'a test' }
  const ending = operate(a.server, 'POST', `/transactions/${id}/end-uma-payment`, question)
  await reached.opened
  let paused: Awaited<ReturnType<typeof operate>> | undefined
  const pausing = operate(a.server, 'POST', '/pauses', {
    environment: 'SANDBOX',
    rail: 'UMA',
    reasonCode: 'OTHER',
    reason: 'a test',
  }).then((answer) => {
    paused = answer
  })
  await expect
    .poll(
      () => {
        a.server.world.passMs(200)
        return paused
      },
      { timeout: 10_000, interval: 10 },
    )
    .toBeDefined()
  await pausing
  expect(paused).toMatchObject({ status: 201, body: { handingOver: 1 } })
  mayGo.open()
  expect(await ending).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  two.alter((_url, answer) => answer)
  const path = `/pauses/${paused!.body.id}`
  expect((await operate(a.server, 'GET', path)).body.handingOver).toBe(0)
  expect(await a.server.rows("select 1 from jobs where kind = 'payments.ask'")).toEqual([])
  await operate(a.server, 'POST', `${path}/lift`)
})

it('leaves nothing claimed for ever of a question whose process has died', async () => {
  const { a, b } = two
  const quote = await must(
    quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
  )
  two.interfere((url) => (url.includes('/uma/settle') ? new Response('', { status: 503 }) : undefined))
  await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await a.server.settle()
  const { applier } = a.server.engine
  const original = applier.apply as (scope: never, decision: Decision<never>) => unknown
  let isDead = false
  applier.apply = (async (scope: never, decision: Decision<never>) => {
    if (isDead) throw new Error('the process died')
    const applied = await original(scope, decision)
    if (decision.jobs?.some(({ kind }) => kind === 'payments.ask')) isDead = true
    return applied
  }) as never
  const question = { ifUnknown: 'REFUND', reason: 'a test' }
  const path = `/transactions/${quote.transactionId}/end-uma-payment`
  expect((await operate(a.server, 'POST', path, question)).status).toBe(500)
  applier.apply = original as never
  two.interfere(() => undefined)
  for (let round = 0; round < 6; round++) for (const { server } of [a, b]) await server.pass(15_000)
  await two.settle()
  expect(await a.server.rows("select 1 from jobs where kind = 'payments.ask'")).toEqual([])
  const { status } = await must(
    a.api.GET('/transactions/{transactionId}', {
      params: { path: { transactionId: quote.transactionId } },
    }),
  )
  expect(status).toBe('COMPLETED')
})

describe('between institutions that settle over Lightning', () => {
  let overLightning: Awaited<ReturnType<typeof twoInstallations>>
  beforeAll(async () => {
    overLightning = await twoInstallations({ creditLineMsats: null })
  })
  afterAll(() => overLightning.close())
  afterEach(async () => {
    const { server } = overLightning.a
    const { body } = await operate(server, 'GET', '/pauses?status=IN_FORCE')
    for (const { id } of body.data) await operate(server, 'POST', `/pauses/${id}/lift`)
  })

  const statusOf = async ({ api }: Installation, transactionId: string) =>
    (await must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))).status

  it.each(['LIGHTNING', 'UMA'])('hands nothing to the node while %s is paused', async (rail) => {
    const { a, b, traffic } = overLightning
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const paused = await operate(a.server, 'POST', '/pauses', {
      environment: 'SANDBOX',
      rail,
      reasonCode: 'OTHER',
      reason: 'a test',
    })
    expect(paused).toMatchObject({ status: 201, body: { handingOver: 0 } })
    const asked = () => traffic.filter(({ url }) => url.includes('/uma/lightning/')).length
    const before = asked()
    await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await overLightning.settle()
    for (const { server } of [a, b]) await server.pass(15_000)
    await overLightning.settle()
    expect([await statusOf(a, quote.transactionId), asked() - before]).toEqual(['PROCESSING', 0])
    expect((await operate(a.server, 'GET', `/pauses/${paused.body.id}`)).body).toMatchObject({ held: 1 })
    const { body: rails } = await operate(a.server, 'GET', '/rails')
    const uma = rails.data.find((each: { rail: string }) => each.rail === 'UMA')
    expect(uma).toMatchObject({ held: 1, pauses: [{ id: paused.body.id }] })

    await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
    for (const { server } of [a, b]) await server.pass(15_000)
    await overLightning.settle()
    expect(await statusOf(a, quote.transactionId)).toBe('COMPLETED')
    expect(asked()).toBeGreaterThan(before)
  })

  type Apply = (scope: never, decision: Decision<never>) => unknown

  /** Runs something of A while the first commit that this is about meets `what`, before it is written. */
  async function meeting(
    isAbout: (decision: Decision<never>) => boolean,
    what: () => Promise<void>,
    run: () => Promise<unknown>,
  ): Promise<void> {
    const { applier } = overLightning.a.server.engine
    const original = applier.apply as Apply
    let hasMet = false
    applier.apply = (async (scope: never, decision: Decision<never>) => {
      if (!hasMet && isAbout(decision)) {
        hasMet = true
        await what()
      }
      return original(scope, decision)
    }) as never
    try {
      await run()
    } finally {
      applier.apply = original as never
    }
    expect(hasMet).toBe(true)
  }

  const writes =
    (table: string) =>
    ({ inserts = [] }: Decision<never>) =>
      inserts.some((insert) => insert.table === table)
  const isAway = async () => {
    throw new Error('the database is away')
  }

  /** A payment of A, with how often its node was told to pay and asked since. */
  async function agreed() {
    const { a, b, traffic } = overLightning
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const before = traffic.length
    const calls = (method: string) =>
      traffic.slice(before).filter((call) => call.url.includes('/uma/lightning/') && call.method === method)
        .length
    return {
      id: quote.transactionId,
      told: () => calls('POST'),
      asked: () => calls('GET'),
      async execute() {
        await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
        await overLightning.settle()
      },
      confirm: () =>
        must(
          a.api.POST('/transactions/{transactionId}/confirm', {
            params: { path: { transactionId: quote.transactionId } },
          }),
        ),
    }
  }

  async function pass() {
    const { a, b } = overLightning
    for (let round = 0; round < 3; round++) for (const { server } of [a, b]) await server.pass(15_000)
    await overLightning.settle()
  }

  it.each(['the database is away', 'it was changed meanwhile'] as const)(
    'holds back a payment also where %s when that is first to be written',
    async (what) => {
      const { a } = overLightning
      const payment = await agreed()
      const paused = await operate(a.server, 'POST', '/pauses', {
        environment: 'SANDBOX',
        rail: 'LIGHTNING',
        reasonCode: 'OTHER',
        reason: 'a test',
      })
      const meanwhile = what === 'the database is away' ? isAway : async () => void (await payment.confirm())
      await meeting(writes('held_payouts'), meanwhile, payment.execute)
      await pass()
      const { body } = await operate(a.server, 'GET', `/pauses/${paused.body.id}`)
      expect([body.held, payment.told(), payment.asked()]).toEqual([1, 0, 0])

      await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
      await pass()
      expect([await statusOf(a, payment.id), payment.told()]).toEqual(['COMPLETED', 1])
    },
  )

  it('hands over once what a failed attempt had told nobody of', async () => {
    const payment = await agreed()
    await meeting(writes('lightning_payouts'), isAway, payment.execute)
    expect(payment.told()).toBe(0)
    await pass()
    expect([await statusOf(overLightning.a, payment.id), payment.told()]).toEqual(['COMPLETED', 1])
  })

  it('only asks for what was handed over and then could not be written, also while it is paused', async () => {
    const { a } = overLightning
    const payment = await agreed()
    const isOutcome = ({ updates = [], completes = [] }: Decision<never>) =>
      payment.told() > 0 && completes.length > 0 && updates.some(({ id }) => id === payment.id)
    await meeting(isOutcome, isAway, payment.execute)
    expect(payment.told()).toBe(1)
    await operate(a.server, 'POST', '/pauses', {
      environment: 'SANDBOX',
      rail: 'LIGHTNING',
      reasonCode: 'OTHER',
      reason: 'a test',
    })
    await pass()
    expect([await statusOf(a, payment.id), payment.told()]).toEqual(['COMPLETED', 1])
  })
})
