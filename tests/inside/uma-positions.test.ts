import { statement } from '@corridor/engine/vocabulary/statement.ts'
import { createPayee, must } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { balanceOf, type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

// Webhooks-uma 5.2 and 6.7: credit lines, what the operators settle and end, and what was agreed before things changed.

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

const execute = ({ api }: Installation, quoteId: string) =>
  must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }))
const transaction = ({ api }: Installation, transactionId: string) =>
  must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))

const agree = (from: Installation, to: Installation, amount = 2_000) =>
  must(quoteTo(from, to.customer.umaAddress, { amount, side: 'RECEIVING', currency: 'USD' }))

async function pay(from: Installation, to: Installation, amount?: number) {
  const quote = await agree(from, to, amount)
  await execute(from, quote.id)
  await two.settle()
  return (await transaction(from, quote.transactionId)).status
}

const changeSettings = ({ server, platform }: Installation, settings: object) =>
  operate(server, 'PATCH', `/platforms/${platform.platformId}?environment=SANDBOX`, { settings })
const list = (at: Installation, peer: Installation, creditLineMsats: number) =>
  changeSettings(at, { umaPeers: [{ domain: peer.domain, creditLineMsats }] })

/** What somebody owes the other, by his own books. */
const owes = async (from: Installation, to: Installation) =>
  (await from.server.ledgerBalances(from.platform))[`cpty:${to.domain}:MSAT`] ?? 0n

const asPromisedBefore = statement(
  'test.umaPromisedBefore',
  `update uma_payments set peer_signing_key = null, credit_line_msats = null
   where platform_id = $1 and environment = $2 and settled_at is null`,
)

describe('a payment that was agreed', () => {
  it('settles after the receiver changed its domain and took the sender off its list', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = await balanceOf(b, 'USD')
    expect((await changeSettings(b, { umaPeers: [] })).status).toBe(200)
    await must(b.api.PATCH('/config', { body: { umaDomain: 'beta-new.internal' } }))
    await execute(a, quote.id)
    await two.settle()
    await must(b.api.PATCH('/config', { body: { umaDomain: b.domain } }))
    await list(b, a, 1e14)
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
  })

  it('settles after the sender changed its domain and took the receiver off its list', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = await balanceOf(b, 'USD')
    await changeSettings(a, { umaPeers: [] })
    await must(a.api.PATCH('/config', { body: { umaDomain: 'alpha-new.internal' } }))
    await execute(a, quote.id)
    await two.settle()
    await must(a.api.PATCH('/config', { body: { umaDomain: a.domain } }))
    await list(a, b, 1e14)
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
  })

  it('settles by the key that agreed to it, when nobody remembers it and the peer publishes none any more', async () => {
    const { a, b } = two
    await agree(a, b)
    for (const { server } of [a, b]) await server.pass(4 * 60_000)
    const quote = await agree(a, b)
    // What was remembered of the lookup before is five minutes old by now.
    for (const { server } of [a, b]) await server.pass(90_000)
    const before = await balanceOf(b, 'USD')
    two.interfere((url) => (url.endsWith('/lnurlpubkey') ? new Response('', { status: 503 }) : undefined))
    await execute(a, quote.id)
    await two.settle()
    two.interfere(() => undefined)
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
  })

  it('settles where it was promised by a version that kept neither key nor line', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = await balanceOf(b, 'USD')
    const { platformId } = b.platform
    await b.server.engine.database.system((connection) =>
      connection.query(asPromisedBefore, [platformId, 'SANDBOX']),
    )
    await execute(a, quote.id)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
  })

  it('is agreed for two minutes, and not at all where it would be collected first', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const livesMs = Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)
    expect(livesMs).toBeLessThanOrEqual(2 * 60_000)
    const bank = await createPayee(a.api, 'USD', '123456789', { customerId: a.customer.id })
    const asked = two.traffic.filter(({ url }) => url.includes('/uma/payreq/')).length
    const { error } = await a.api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: bank.id, customerId: a.customer.id },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: b.customer.umaAddress, currency: 'USD' },
        lockedCurrencySide: 'RECEIVING',
        lockedCurrencyAmount: 2_000,
      } as never,
    })
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { errors: [{ field: 'source.accountId' }] },
    })
    expect(two.traffic.filter(({ url }) => url.includes('/uma/payreq/'))).toHaveLength(asked)
  })
})

describe('a credit line', () => {
  it('is net: what is paid the other way, and what the operators settle, gives it back', async () => {
    const { a, b } = two
    const start = await owes(a, b)
    expect(await pay(a, b)).toBe('COMPLETED')
    const cost = (await owes(a, b)) - start
    // Room for what is owed now, and for half of another one.
    await list(b, a, Number((await owes(a, b)) + cost / 2n))
    expect(await pay(a, b)).toBe('FAILED')
    expect(await pay(b, a)).toBe('COMPLETED')
    expect(await pay(a, b)).toBe('COMPLETED')
    expect(await pay(a, b)).toBe('FAILED')

    const settlement = {
      platformId: b.platform.platformId,
      environment: 'SANDBOX',
      peerDomain: a.domain,
      direction: 'RECEIVED',
      amountMsats: cost.toString(),
      reference: 'wire-1',
      reason: 'seen on the statement',
    }
    const owed = await owes(b, a)
    for (const _again of [1, 2]) {
      const { status, body } = await operate(b.server, 'POST', '/uma-positions/settle', settlement)
      expect({ status, owed: body.owedMsats }).toEqual({ status: 200, owed: (owed + cost).toString() })
    }
    const other = { ...settlement, direction: 'PAID' }
    expect((await operate(b.server, 'POST', '/uma-positions/settle', other)).status).toBe(409)
    const nobody = { ...settlement, peerDomain: 'nobody.internal' }
    expect((await operate(b.server, 'POST', '/uma-positions/settle', nobody)).status).toBe(404)
    const wrong = { ...settlement, amountMsats: '-1', direction: 'GIVEN' }
    expect((await operate(b.server, 'POST', '/uma-positions/settle', wrong)).status).toBe(400)
    await operate(a.server, 'POST', '/uma-positions/settle', {
      ...settlement,
      platformId: a.platform.platformId,
      peerDomain: b.domain,
      direction: 'PAID',
    })
    expect(await pay(a, b)).toBe('COMPLETED')
    expect(await owes(a, b)).toBe(-(await owes(b, a)))
    await list(b, a, 1e14)
  })

  it('holds for payments that come together', async () => {
    const { a, b } = two
    const start = await owes(a, b)
    await pay(a, b)
    const cost = (await owes(a, b)) - start
    await list(b, a, Number((await owes(a, b)) + cost + cost / 2n))
    const quotes = [await agree(a, b), await agree(a, b), await agree(a, b)]
    await Promise.all(quotes.map(({ id }) => execute(a, id)))
    await two.settle()
    const ended = await Promise.all(quotes.map(async (q) => (await transaction(a, q.transactionId)).status))
    expect(ended.sort()).toEqual(['COMPLETED', 'FAILED', 'FAILED'])
    expect(await owes(a, b)).toBe(-(await owes(b, a)))
    await list(b, a, 1e14)
  })
})

describe('a payment whose outcome stays unknown', () => {
  const end = ({ server }: Installation, id: string, ifUnknown: string) =>
    operate(server, 'POST', `/transactions/${id}/end-uma-payment`, {
      ifUnknown,
      reason: 'asked by telephone',
    })

  /** Executed, and nobody says what has become of it. */
  async function stuck() {
    const { a, b } = two
    const quote = await agree(a, b)
    two.interfere((url) => (url.endsWith('/uma/settle') ? new Response('', { status: 502 }) : undefined))
    await execute(a, quote.id)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('PROCESSING')
    return quote.transactionId
  }

  it('is ended by what the other side says, whatever the operator takes for true', async () => {
    const { a, b } = two
    const id = await stuck()
    two.interfere(() => undefined)
    const before = await balanceOf(b, 'USD')
    expect(await end(a, id, 'REFUND')).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
    expect(await end(a, id, 'REFUND')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await owes(a, b)).toBe(-(await owes(b, a)))
  })

  it('is given back, or taken for delivered, where it says nothing', async () => {
    const { a } = two
    const before = await balanceOf(a, 'USD')
    const returned = await stuck()
    expect(await end(a, returned, 'REFUND')).toMatchObject({ status: 200, body: { status: 'FAILED' } })
    await two.settle()
    expect(await transaction(a, returned)).toMatchObject({ refund: { status: 'COMPLETED' } })
    expect(await balanceOf(a, 'USD')).toBe(before)
    // On the operator's word alone: whoever pays anew may pay twice.
    const explained = await a.api.GET('/explain/{id}', { params: { path: { id: returned } } })
    expect(explained.data?.status).toMatchObject({ now: 'FAILED', safeToRetry: { answer: 'NO' } })

    const taken = await stuck()
    expect(await end(a, taken, 'DELIVERED')).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
    two.interfere(() => undefined)
    await two.settle()
    expect(await balanceOf(a, 'USD')).toBeLessThan(before)
  })

  it('is one that is under way to another institution, and nothing else', async () => {
    const { a, b } = two
    const unknown = `Transaction:${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`
    expect((await end(a, unknown, 'REFUND')).status).toBe(404)
    const incoming = b.inbox.received.findLast(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')!
    expect((await end(b, incoming.event.data.id as string, 'REFUND')).status).toBe(409)
    expect((await end(a, unknown, 'MAYBE')).status).toBe(400)
  })
})
