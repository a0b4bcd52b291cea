import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { clabe, paymentApi } from './payment-api.ts'
import { json } from './raw-calls.ts'

/** An operator holds payouts back: nothing is refused, nothing reaches the rail, and all of it goes on afterwards. */

const server = await openTestServer()
const reason = 'Ruiz of the bank called at 02:10'
/** Pauses of the test that runs: those of others would hold its payments back, too. */
const made: string[] = []

afterEach(async () => {
  for (const id of made.splice(0)) await operate(server, 'POST', `/pauses/${id}/lift`)
  await server.settle()
  await server.expectSoundLedger()
})

async function pause(target: object) {
  const answered = await operate(server, 'POST', '/pauses', {
    environment: 'SANDBOX',
    reasonCode: 'RAIL_UNAVAILABLE',
    reason,
    ...target,
  })
  if (answered.status === 201) made.push(answered.body.id)
  return answered
}

const lift = (id: string) => operate(server, 'POST', `/pauses/${id}/lift`)

/** A platform with money and somebody in Mexico and in Europe to pay. */
async function start() {
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  await fund(api, usd.id, 1_000_000)
  const mexico = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const pounds = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const pay = async (to: typeof mexico = mexico, amount = 10_000) => {
    const quote = await createQuote(api, quoteBody(usd, to, amount))
    await execute(api, quote.id)
    await server.settle()
    return quote.transactionId
  }
  const explain = (id: string) => must(api.GET('/explain/{id}', { params: { path: { id } } }))
  const statusOf = async (id: string) => (await payments.transaction(id)).status
  const railsOf = async (rail: string) => {
    const { body } = await operate(server, 'GET', '/rails')
    const found = body.data.find((row: { rail: string; environment: string }) => row.rail === rail)
    const mine = (row: { platformId: string }) => row.platformId === platform.platformId
    return { ...found, mine: found.platforms.find(mine) }
  }
  return { ...payments, mexico, pounds, pay, explain, statusOf, railsOf }
}

describe('paused payouts', () => {
  it('are accepted and wait for the operator, and are paid in their order once the pause is lifted', async () => {
    const { platform, pay, told, explain, statusOf, railsOf, transaction, balance } = await start()
    const before = await pay()
    expect(await statusOf(before)).toBe('COMPLETED')

    const paused = await pause({ rail: 'SPEI' })
    expect(paused).toMatchObject({
      status: 201,
      body: { status: 'IN_FORCE', rail: 'SPEI', environment: 'SANDBOX', held: 0, handingOver: 0, reason },
    })
    const ids = [await pay(), await pay(), await pay()]
    for (const id of ids) expect(await statusOf(id)).toBe('PROCESSING')
    expect(await told(ids[0]!)).toEqual(['PENDING', 'PROCESSING'])
    expect(await balance()).toBe(960_000)

    const { status, sentence, next, timeline } = await explain(ids[0]!)
    expect(status).toMatchObject({
      waitingFor: 'OPERATOR',
      paused: { since: expect.any(String), reasonCode: 'RAIL_UNAVAILABLE' },
      safeToRetry: { answer: 'NO' },
    })
    expect(sentence).toContain('waiting for the operator, which has paused payouts (RAIL_UNAVAILABLE)')
    expect(next).toEqual([{ what: 'the operator lifts the pause', when: null }])
    expect(timeline.filter(({ kind }) => kind === 'OPERATOR')).toHaveLength(1)
    expect(timeline.filter(({ kind }) => kind === 'RAIL')).toEqual([])
    expect(JSON.stringify(await explain(ids[0]!))).not.toContain('Ruiz')
    expect(JSON.stringify(await transaction(ids[0]!))).not.toContain('Ruiz')

    expect(await railsOf('SPEI')).toMatchObject({
      held: 3,
      mine: { underWay: 3, held: 3 },
      settlement: 'INSTANT',
      expectedSeconds: 60,
      pauses: [{ id: paused.body.id, reasonCode: 'RAIL_UNAVAILABLE', pausedBy: 'operator' }],
    })
    expect(JSON.stringify((await operate(server, 'GET', '/rails')).body)).not.toContain('Ruiz')

    await server.pass(600_000)
    const { body: board } = await operate(server, 'GET', '/stuck')
    expect(
      board.data.find((row: { platformId: string }) => row.platformId === platform.platformId),
    ).toMatchObject({
      rail: 'SPEI',
      count: 3,
      payments: ids.map((id) => ({ id, reason: 'PAUSED' })),
    })

    expect(await lift(paused.body.id)).toMatchObject({
      status: 200,
      body: { status: 'LIFTED', liftedBy: 'operator', held: 3 },
    })
    await server.settle()
    for (const id of ids) expect(await statusOf(id)).toBe('COMPLETED')
    expect(await told(ids[0]!)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    const after = await explain(ids[0]!)
    expect(after.status).toMatchObject({ waitingFor: 'NOBODY' })
    expect(after.status).not.toHaveProperty('paused')
    const kinds = after.timeline
      .map(({ kind }) => kind)
      .filter((kind) => kind === 'OPERATOR' || kind === 'RAIL')
    expect(kinds).toEqual(['OPERATOR', 'OPERATOR', 'RAIL', 'RAIL'])
    const settled = await Promise.all(
      ids.map(async (id) => ((await transaction(id)) as { settledAt?: string }).settledAt),
    )
    expect([...settled].sort()).toEqual(settled)
    expect(await balance()).toBe(960_000)
    expect((await operate(server, 'GET', `/pauses/${paused.body.id}`)).body).toMatchObject({ held: 0 })
  })

  it('are those that the pause names, and no others', async () => {
    const one = await start()
    const another = await start()
    const { platformId } = one.platform
    const held = async (target: object) => {
      const { body } = await pause(target)
      const paid = [await one.pay(), await one.pay(one.pounds), await another.pay()]
      const statuses = [
        await one.statusOf(paid[0]!),
        await one.statusOf(paid[1]!),
        await another.statusOf(paid[2]!),
      ]
      await lift(body.id)
      await server.settle()
      for (const [index, id] of paid.entries()) {
        expect(await (index === 2 ? another : one).statusOf(id)).toBe('COMPLETED')
      }
      return statuses.map((status) => status === 'PROCESSING')
    }
    expect(await held({ rail: 'SPEI' })).toEqual([true, false, true])
    expect(await held({ rail: 'SPEI', platformId })).toEqual([true, false, false])
    expect(await held({ platformId })).toEqual([true, true, false])
    expect(await held({ rail: 'SPEI', environment: 'PRODUCTION' })).toEqual([false, false, false])
  })

  it('that two pauses hold wait for both', async () => {
    const { pay, statusOf, platform, explain } = await start()
    const first = await pause({ rail: 'SPEI' })
    const id = await pay()
    const second = await pause({ platformId: platform.platformId, reasonCode: 'INVESTIGATION' })
    await lift(first.body.id)
    await server.settle()
    expect(await statusOf(id)).toBe('PROCESSING')
    expect((await explain(id)).status.paused).toMatchObject({ reasonCode: 'INVESTIGATION' })
    expect((await operate(server, 'GET', `/pauses/${second.body.id}`)).body).toMatchObject({ held: 1 })
    await lift(second.body.id)
    await server.settle()
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  it('are answered as PROCESSING where they were to be executed at once', async () => {
    const { api, usd, mexico } = await start()
    await pause({ rail: 'SPEI' })
    const body = quoteBody(usd, mexico, 10_000, { immediatelyExecute: true })
    const { data, response } = await api.POST('/quotes', { body })
    expect([response.status, data?.status]).toEqual([201, 'PROCESSING'])
    const { status } = await must(
      api.GET('/transactions/{transactionId}', { params: { path: { transactionId: data!.transactionId } } }),
    )
    expect(status).toBe('PROCESSING')
  })

  it('neither expire nor fail however long they wait, and are cancelled like others', async () => {
    const { api, platform, pounds, pay, statusOf, transaction, balance } = await start()
    const { body } = await pause({ rail: 'FASTER_PAYMENTS' })
    const [stays, goes] = [await pay(pounds), await pay(pounds)]
    await server.advance(platform, 40 * 86_400_000)
    expect([await statusOf(stays), await statusOf(goes)]).toEqual(['PROCESSING', 'PROCESSING'])
    const cancelled = api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: goes } },
    })
    expect((await cancelled).data).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    await server.settle()
    expect(await transaction(goes)).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect((await operate(server, 'GET', `/pauses/${body.id}`)).body).toMatchObject({ held: 1 })
    expect(await balance()).toBe(990_000)
    await lift(body.id)
    await server.settle()
    expect(await statusOf(stays)).toBe('COMPLETED')
    expect(await transaction(goes)).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
  })

  it('go on within a move of the clock of their sandbox', async () => {
    const { platform, pay, statusOf } = await start()
    const { body } = await pause({ rail: 'SPEI' })
    const id = await pay()
    await lift(body.id)
    await server.advance(platform, 1_000)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  it('that their rail has already settle as ever', async () => {
    const { api, pay, statusOf } = await start()
    const body = { target: 'RAIL', kind: 'SILENCE' }
    const fault = await must(api.POST('/sandbox/faults', { body: body as never }))
    const id = await pay()
    await pause({ rail: 'SPEI' })
    await api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: fault.id } } })
    await server.pass(120_000)
    expect(await statusOf(id)).toBe('COMPLETED')
  })
})

describe('a pause', () => {
  it('names a rail or a platform that there is, with a reason, and is in force once at a time', async () => {
    const { platform } = await start()
    const { platformId } = platform
    const fields = async (target: object) => {
      const { status, body } = await pause(target)
      expect(status).toBe(400)
      return [...new Set(body.details.errors.map(({ field }: { field: string }) => field))].sort()
    }
    expect(await fields({})).toEqual(['platformId', 'rail'])
    expect(await fields({ rail: 'PIGEON', reason: ' ', reasonCode: 'BORED' })).toEqual([
      'rail',
      'reason',
      'reasonCode',
    ])
    expect(await fields({ environment: 'MOON', platformId: 'x' })).toEqual(['environment', 'platformId'])
    expect(await fields({ rail: 'SPEI', reason: 'x'.repeat(100_000) })).toEqual(['reason'])
    const nobody = '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const target of [{ platformId: nobody }, { platformId, environment: 'PRODUCTION' }]) {
      expect(await pause(target)).toMatchObject({
        status: 404,
        body: { details: { resourceType: 'Platform' } },
      })
    }
    const { body } = await pause({ rail: 'SPEI' })
    expect(await pause({ rail: 'SPEI' })).toMatchObject({
      status: 409,
      body: { details: { reason: 'ALREADY_PAUSED', id: body.id } },
    })
    expect((await pause({ rail: 'SPEI', platformId })).status).toBe(201)
    const twice = await Promise.all([pause({ rail: 'PIX' }), pause({ rail: 'PIX' })])
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await lift(body.id)).status).toBe(200)
    expect(await lift(body.id)).toMatchObject({ status: 409, body: { details: { reason: 'LIFTED' } } })
    expect((await lift('Pause:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70')).status).toBe(404)
    expect((await pause({ rail: 'SPEI' })).status).toBe(201)

    const { body: list } = await operate(server, 'GET', '/pauses?status=LIFTED')
    expect(list.data[0]).toMatchObject({ id: body.id, reason, liftedBy: 'operator' })
  })

  it('names the payments that wait because of it, page by page, those that have waited longest first', async () => {
    const { platform, pay } = await start()
    const { body: paused } = await pause({ rail: 'SPEI' })
    const ids = [await pay(), await pay(), await pay()]
    const path = `/pauses/${paused.id}/payments`
    const first = await operate(server, 'GET', `${path}?limit=2`)
    const { platformId, environment } = platform
    expect(first.body).toMatchObject({
      data: ids.slice(0, 2).map((id) => ({ id, platformId, environment, rail: 'SPEI' })),
      hasMore: true,
      totalCount: 3,
    })
    const next = await operate(
      server,
      'GET',
      `${path}?limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`,
    )
    expect(next.body).toMatchObject({ data: [{ id: ids[2] }], hasMore: false })
    expect((await operate(server, 'GET', `${path}?cursor=x`)).status).toBe(400)
    const unknown = '/pauses/Pause:0199dccc-4a80-7000-8000-000000000001/payments'
    expect((await operate(server, 'GET', unknown)).status).toBe(404)
    await lift(paused.id)
    await server.settle()
    expect((await operate(server, 'GET', path)).body).toMatchObject({ data: [], totalCount: 0 })
  })

  it('is shown to no platform, and is on record with who made it and by which word', async () => {
    const { platform } = await start()
    const { body } = await pause({ rail: 'SPEI', reasonCode: 'MAINTENANCE' })
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const theirs = await server.fetch('http://corridor.test/operator/pauses', {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(theirs.status).toBe(401)
    await lift(body.id)
    const lines = (await operate(server, 'GET', `/audit-log?resource=${body.id}`)).body.data
    expect(lines.map(({ operation, actor }: never) => [operation, actor])).toEqual([
      ['operatorLiftPause', 'operator'],
      ['operatorPausePayouts', 'operator'],
    ])
    expect(lines[1].values).toEqual({ environment: 'SANDBOX', rail: 'SPEI', reasonCode: 'MAINTENANCE' })
    expect(JSON.stringify(lines)).not.toContain('Ruiz')
  })

  it('says why it was lifted, to operators alone, where somebody said so', async () => {
    await start()
    const { body: one } = await pause({ rail: 'SPEI' })
    const why = 'Ruiz says that all is well again'
    const path = `/pauses/${one.id}/lift`
    for (const [wrong, status] of [
      [{ reason: ' ' }, 400],
      [{ reason: 'x'.repeat(100_000) }, 400],
      [{ reason: 7 }, 400],
    ] as const) {
      expect((await operate(server, 'POST', path, wrong)).status).toBe(status)
    }
    expect(await operate(server, 'POST', path, { reason: why })).toMatchObject({
      status: 200,
      body: { status: 'LIFTED', reason, liftReason: why },
    })
    const [line] = (await operate(server, 'GET', `/audit-log?resource=${one.id}`)).body.data
    expect(line).toMatchObject({ operation: 'operatorLiftPause', changed: ['reason'], outcome: 'DONE' })
    // What people write is in the row alone, and sealed there.
    expect(
      JSON.stringify([line, await server.rows('select reason, lift_reason from payout_pauses')]),
    ).not.toContain('Ruiz')
    expect((await operate(server, 'GET', `/pauses/${one.id}`)).body.liftReason).toBe(why)
    const { body: other } = await pause({ rail: 'SPEI' })
    expect((await lift(other.id)).body).not.toHaveProperty('liftReason')
  })

  it('is lifted by two people, and holds until the second has agreed', async () => {
    const { pay, statusOf } = await start()
    const { body: paused } = await pause({ rail: 'SPEI' })
    const id = await pay()
    const as = async (key: string, method: string, path: string, body?: object) => {
      const response = await server.fetch(`http://corridor.test/operator${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body ? json : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
    }
    const hire = async (name: string, by?: string) => {
      const first = await as(operatorKey, 'POST', '/operators', { name, role: 'ADMINISTRATOR' })
      if (by) expect((await as(by, 'POST', `/proposals/${first.body.id}/approve`)).status).toBe(200)
      const { id, key } = (await as('', 'POST', '/join', { joinCode: first.body.joinCode })).body
      await server.rows(`update operators set joined_at = joined_at - interval '7 days' where id = $1`, [id])
      return key as string
    }
    const ann = await hire('Ann')
    const bob = await hire('Bob', ann)
    const proposed = await as(ann, 'POST', `/pauses/${paused.id}/lift`, { reason: 'it is over' })
    expect(proposed).toMatchObject({ status: 202, body: { status: 'OPEN' } })
    await server.settle()
    expect(await statusOf(id)).toBe('PROCESSING')
    // What is refused in any case asks nobody.
    expect((await as(ann, 'POST', '/pauses/Pause:none/lift')).status).toBe(404)
    const approve = (key: string) => as(key, 'POST', `/proposals/${proposed.body.id}/approve`)
    expect((await approve(ann)).status).toBe(403)
    expect(await approve(bob)).toMatchObject({
      status: 200,
      body: {
        status: 200,
        answer: {
          status: 'LIFTED',
          liftedBy: expect.stringMatching(/^Operator:/),
          liftReason: 'it is over',
        },
      },
    })
    await server.settle()
    expect(await statusOf(id)).toBe('COMPLETED')
    // Pausing takes one: whoever is awake does it alone.
    const again = await as(ann, 'POST', '/pauses', {
      environment: 'SANDBOX',
      rail: 'SPEI',
      reasonCode: 'OTHER',
      reason,
    })
    expect(again.status).toBe(201)
    const { body: open } = await as(ann, 'POST', `/pauses/${again.body.id}/lift`)
    await as(bob, 'POST', `/proposals/${open.id}/approve`)
  })
})
