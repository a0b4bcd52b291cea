import { claimsAtATime, createRelay } from '@corridor/engine/mechanisms/outbox/relay.ts'
import { claimEvents, endEventLeases } from '@corridor/engine/mechanisms/outbox/store.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import {
  createCustomer,
  must,
  openTestServer,
  recordWebhooks,
  startTestServer,
} from '@corridor/testkit/index.ts'
import { takeUnexpectedErrors } from '@corridor/testkit/unexpected-errors.ts'
import { describe, expect, it } from 'vitest'
import { namesOf, pendingAnswer, second, webhookEndpoints } from '../e2e/webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { platformWithInbox, emit, deliveriesOf } = webhookEndpoints(() => server, receiver)

it('webhooks are sent for the server of the database on which they were claimed', async () => {
  const { platform } = await platformWithInbox()
  await emit(platform, { data: { name: 'a' } })
  const { adapters } = server.engine
  const sent: string[] = []
  const outside = (name: string) => {
    const webhooks = {
      async send() {
        sent.push(name)
        return { ok: true, status: 200, body: '' }
      },
    }
    return { ...adapters, SANDBOX: Object.create(adapters.SANDBOX, { webhooks: { value: webhooks } }) }
  }
  const database = { ...server.engine.database, server: () => 'one' }
  const engine = { ...server.engine, database, adapters: outside('any'), adaptersSince: outside }
  await server.engine.relay.runDue(engine)
  expect(sent).toEqual(['one'])
})

describe('the order of webhooks', () => {
  it('is that of the commits for one resource, each after the answer to the one before', async () => {
    const { platform, inbox } = await platformWithInbox()
    const first = pendingAnswer()
    inbox.answer((_webhook, index) => (index === 0 ? first.answer : 200))
    await emit(platform, { data: { name: 'a' } }, { data: { name: 'b' } })
    await emit(platform, { data: { name: 'c' } }, { resourceId: 'Thing:2', data: { name: 'other' } })
    const running = server.engine.relay.runDue(server.engine)
    await inbox.arrived(2)
    expect(namesOf(inbox)).toEqual(['a', 'other'])
    first.give(200)
    await running
    expect(namesOf(inbox)).toEqual(['a', 'other', 'b', 'c'])
    // What an endpoint answers to what it took is nobody's business.
    const delivered = { status: 'DELIVERED', attempts: 1, lastStatus: 200, lastResponse: null }
    expect(await deliveriesOf(platform)).toMatchObject([delivered, delivered, delivered, delivered])
  })

  it('lets later events of a resource pass one that failed', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(({ event }) => (event.data.name === 'bad' ? 500 : 200))
    await emit(platform, { data: { name: 'bad' } }, { data: { name: 'good' } })
    await server.settle()
    expect(namesOf(inbox)).toEqual(['bad', 'good'])
    expect((await deliveriesOf(platform)).map(({ status }) => status)).toEqual(['RETRYING', 'DELIVERED'])
  })

  it('holds when several processes deliver, at most sixteen at a time, each event once', async () => {
    const { platform, inbox } = await platformWithInbox()
    let open = 0
    let mostOpen = 0
    inbox.answer(async () => {
      open++
      mostOpen = Math.max(mostOpen, open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return 200
    })
    const resources = Array.from({ length: 40 }, (_, index) => `Thing:${index}`)
    for (const turn of [1, 2, 3]) {
      await emit(
        platform,
        ...resources.map((resourceId) => ({ resourceId, data: { name: resourceId, turn } })),
      )
    }
    const { engine } = server
    const relays = [engine.relay, createRelay(engine), createRelay(engine)]
    await Promise.all(relays.map((relay) => relay.runDue(engine)))
    await server.settle()

    expect(inbox.received).toHaveLength(120)
    for (const resourceId of resources) {
      const turns = inbox.received.filter(({ event }) => event.data.name === resourceId)
      expect(turns.map(({ event }) => event.data.turn)).toEqual([1, 2, 3])
    }
    expect(mostOpen).toBeLessThanOrEqual(16)
    expect(mostOpen).toBeGreaterThan(1)
  })
})

describe('a slow endpoint', () => {
  it('delays neither another platform nor the jobs of its own', async () => {
    const slow = await platformWithInbox()
    const quick = await platformWithInbox()
    const never = pendingAnswer()
    slow.inbox.answer(() => never.answer)
    const many = Array.from({ length: 30 }, (_, index) => ({ resourceId: `Thing:${index}` }))
    await emit(slow.platform, ...many)
    await emit(quick.platform, { data: { name: 'quick' } })

    const running = server.engine.relay.runDue(server.engine)
    await quick.inbox.arrived(1)
    await slow.inbox.arrived(16)
    await emit(quick.platform, { data: { name: 'again' } })
    await server.engine.relay.poll(server.engine)
    await quick.inbox.arrived(2)
    await server.engine.jobs.runDue(server.engine)
    expect(slow.inbox.received).toHaveLength(16)

    never.give(200)
    await running
    await server.settle()
    expect(slow.inbox.received).toHaveLength(30)
  })

  it('leaves room for new events beside its retries', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    const many = Array.from({ length: 30 }, (_, index) => ({ resourceId: `Thing:${index}` }))
    await emit(platform, ...many)
    await server.settle()
    expect(inbox.received).toHaveLength(30)

    const hanging = pendingAnswer()
    inbox.answer(({ event }) => (event.data.name === 'new' ? 200 : hanging.answer))
    const { engine } = server
    await engine.clock.moveTo(platform, (await engine.clock.now(platform)) + 6 * second)
    await engine.jobs.runDue(engine)
    const running = engine.relay.runDue(engine)
    await inbox.arrived(38)
    await emit(platform, { resourceId: 'Thing:new', data: { name: 'new' } })
    await engine.relay.poll(engine)
    await inbox.arrived(39)
    expect(namesOf(inbox).filter((name) => name === 'new')).toHaveLength(1)
    hanging.give(200)
    await running
    await server.settle()
    expect(inbox.received).toHaveLength(61)
    expect(await deliveriesOf(platform)).toHaveLength(31)
  })
})

describe('a process that stops', () => {
  it('gives back what it was just claiming, and sends none of it', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    const { database, clock, applier } = server.engine
    const claimed = pendingAnswer()
    const handedOver = pendingAnswer()
    const slowDatabase = {
      ...database,
      transact: (async (...work: Parameters<typeof database.transact>) => {
        const result = await database.transact(...work)
        claimed.give(1)
        await handedOver.answer
        return result
      }) as typeof database.transact,
    }
    const relay = createRelay({ database: slowDatabase, clock, applier })
    const running = relay.runBook(server.engine, platform)
    await claimed.answer
    const stopping = relay.stop()
    handedOver.give(1)
    await Promise.all([running, stopping])
    expect(inbox.received).toEqual([])
    await server.settle()
    expect(inbox.received).toHaveLength(1)
  })
})

describe('attempts that are broken off', () => {
  it('are waited for no longer, leave nothing on record, and are made again at once by whoever serves next', async () => {
    const { platform, inbox } = await platformWithInbox()
    const hanging = pendingAnswer()
    inbox.answer((_webhook, index) => (index < 2 ? hanging.answer : 200))
    await emit(platform, { resourceId: 'Thing:1' }, { resourceId: 'Thing:2' })
    const relay = createRelay(server.engine)
    const running = relay.runBook(server.engine, platform)
    await inbox.arrived(2)
    await relay.stop({ breaksOff: true })
    expect(await running).toBe(2)
    const pending = { status: 'QUEUED', attempts: 0, lastError: null }
    expect(await deliveriesOf(platform)).toMatchObject([pending, pending])
    // What they are answered after that counts for nothing.
    hanging.give(200)
    expect(await deliveriesOf(platform)).toMatchObject([pending, pending])
    expect(inbox.received).toHaveLength(2)
    // No clock is moved: whoever serves next may be the same world, which a restore has left as it was.
    await server.settle()
    const delivered = { status: 'DELIVERED', attempts: 1, lastStatus: 200 }
    expect(await deliveriesOf(platform)).toMatchObject([delivered, delivered])
    const told = inbox.received.map(({ event, body }) => [event.id, body])
    expect(told).toHaveLength(4)
    expect(new Set(told.slice(2).map(String))).toEqual(new Set(told.slice(0, 2).map(String)))
  })

  it('are none of those that ask something: these have seconds, and their answer counts', async () => {
    const stopping = await startTestServer({ network: receiver.network, seed: 2 })
    try {
      const { setEndpoint } = webhookEndpoints(() => stopping, receiver)
      const platform = await stopping.platform()
      const api = stopping.client(platform)
      const { umaAddress } = await createCustomer(api)
      const inbox = receiver.inbox()
      await setEndpoint(platform, inbox.url)
      const thinking = pendingAnswer()
      inbox.answer(() => thinking.answer)
      const { id } = await must(
        api.POST('/sandbox/uma/receive', {
          body: {
            senderUmaAddress: '$success.usd@sandbox.uma.money',
            receiverUmaAddress: umaAddress,
            receivingCurrencyCode: 'USD',
            receivingCurrencyAmount: 5_000,
          } as never,
        }),
      )
      const { relay } = stopping.engine
      const running = relay.runDue(stopping.engine)
      await inbox.arrived(1)
      const stopped = relay.stop({ breaksOff: true })
      thinking.give(200)
      await Promise.all([running, stopped])
      await stopping.engine.jobs.runDue(stopping.engine)
      const path = { params: { path: { transactionId: id } } }
      expect(await must(api.GET('/transactions/{transactionId}', path))).toMatchObject({
        status: 'COMPLETED',
      })
      expect(inbox.received.map(({ event }) => event.type)).toEqual(['INCOMING_PAYMENT.PENDING'])
    } finally {
      await stopping.close()
    }
  })
})

describe('a process that dies', () => {
  it('between claiming an event and sending it leaves it to others once its lease is over', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    const now = server.world.now()
    const claim = { now, leaseUntil: now + 60 * second, room: 16, cursor: '' }
    expect(await claimEvents(server.engine.database, platform, claim)).toHaveLength(1)
    await server.settle()
    expect(inbox.received).toEqual([])
    await server.pass(60 * second)
    expect(inbox.received).toHaveLength(1)
  })

  it('leaves what it had claimed to whoever has the database for himself, at once', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    const now = server.world.now()
    const claim = { now, leaseUntil: now + 60 * second, room: 16, cursor: '' }
    expect(await claimEvents(server.engine.database, platform, claim)).toHaveLength(1)
    await endEventLeases(server.engine.database, now)
    await server.settle()
    expect(inbox.received).toHaveLength(1)
  })

  it('between sending an event and recording it makes it arrive twice, with the same bytes', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, { data: { name: 'twice' } })
    const { clock } = server.engine
    const killed = () => Promise.reject(new Error('killed'))
    const database = { ...server.engine.database, write: killed }
    const applier = { ...server.engine.applier, apply: killed }
    await createRelay({ database, clock, applier }).runBook(server.engine, platform)
    expect(takeUnexpectedErrors()).toEqual([expect.stringContaining('"message":"killed"')])
    await server.settle()
    expect(inbox.received).toHaveLength(1)
    await server.pass(60 * second)
    expect(inbox.received).toHaveLength(2)
    const [first, again] = inbox.received
    expect(again!.body).toBe(first!.body)
    // It is the first attempt again: the one before left no trace.
    expect(again!.headers['x-webhook-attempt']).toBe('1')
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  })

  it('slowly cannot undo the outcome that another recorded after its lease', async () => {
    const { platform, inbox } = await platformWithInbox()
    const late = pendingAnswer()
    inbox.answer((_webhook, index) => (index === 0 ? late.answer : 200))
    await emit(platform, {})
    const slowRelay = createRelay(server.engine).runBook(server.engine, platform)
    await inbox.arrived(1)
    await server.pass(60 * second)
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
    late.give(500)
    await slowRelay
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  })
})

describe('endpoints that hang', () => {
  /** A relay whose claims wait, once they have begun, until the test lets them go on. */
  function relayWithHeldClaims() {
    const { database, clock, applier } = server.engine
    const begun: Book[] = []
    let hold: Promise<unknown> = Promise.resolve()
    const held = {
      ...database,
      transact: (async (...[book, work]: Parameters<typeof database.transact>) => {
        begun.push(book)
        await hold
        return database.transact(book, work)
      }) as typeof database.transact,
    }
    return {
      relay: createRelay({ database: held, clock, applier }),
      begun,
      /** From now on; returns what ends it. */
      hold() {
        const end = pendingAnswer()
        begun.length = 0
        hold = end.answer
        return () => end.give(200)
      },
    }
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('leave a healthy one its pace, however many they are', async () => {
    const never = pendingAnswer()
    // Ten at a time: a hundred who wait for one of few connections are too many on a busy machine.
    const stuck: Awaited<ReturnType<typeof platformWithInbox>>[] = []
    while (stuck.length < 130) {
      stuck.push(...(await Promise.all(Array.from({ length: 10 }, () => platformWithInbox()))))
    }
    // More than a process attempts at a time.
    for (const { platform, inbox } of stuck) {
      inbox.answer(() => never.answer)
      await emit(platform, ...things(16))
    }
    const { engine } = server
    const relay = createRelay(engine)
    const running = relay.runDue(engine)
    await Promise.all(stuck.map(({ inbox }) => inbox.arrived(1)))

    const { platform, inbox } = await platformWithInbox()
    await emit(platform, ...things(30))
    await relay.runBook(engine, platform)
    expect(namesOf(inbox)).toHaveLength(30)
    never.give(200)
    await running
  })

  it('take few connections for their claims, and each book its turn', async () => {
    const inboxes = await Promise.all(Array.from({ length: 12 }, () => platformWithInbox()))
    for (const { platform } of inboxes) await emit(platform, ...things(3))
    const { relay, begun, hold } = relayWithHeldClaims()
    const goOn = hold()
    const running = inboxes.map(({ platform }) => relay.runBook(server.engine, platform))
    await settled()
    expect(begun).toHaveLength(claimsAtATime.ofAnswering)
    goOn()
    await Promise.all(running)
    for (const { inbox } of inboxes) expect(inbox.received).toHaveLength(3)
    // Nobody claims a second time before everybody has claimed once.
    const firstRound = begun.slice(0, 12).map(({ platformId }) => platformId)
    expect(new Set(firstRound).size).toBe(12)
  })

  it('wait for their claims among themselves, and an answering one does not wait for them', async () => {
    const inboxes = await Promise.all(Array.from({ length: 6 }, () => platformWithInbox()))
    const { relay, begun, hold } = relayWithHeldClaims()
    for (const { platform, inbox } of inboxes) {
      inbox.answer(() => Promise.reject(new DOMException('no answer in time', 'TimeoutError')))
      await emit(platform, ...things(1))
      await relay.runBook(server.engine, platform)
      await emit(platform, ...things(2))
      inbox.answer(() => 200)
    }
    const quick = await platformWithInbox()
    await emit(quick.platform, ...things(1))

    const goOn = hold()
    const running = inboxes.map(({ platform }) => relay.runBook(server.engine, platform))
    const quickly = relay.runBook(server.engine, quick.platform)
    await settled()
    const hanging = begun.filter(({ platformId }) => platformId !== quick.platform.platformId)
    expect(hanging).toHaveLength(claimsAtATime.ofHanging)
    expect(begun).toHaveLength(claimsAtATime.ofHanging + 1)
    goOn()
    expect(await quickly).toBe(1)
    await Promise.all(running)
    for (const { inbox } of inboxes) expect(inbox.received).toHaveLength(3)
  })
})

/** So many events, each of a resource of its own. */
function things(count: number) {
  return Array.from({ length: count }, (_, n) => ({ resourceId: `Thing:${n}`, data: { name: `${n}` } }))
}
