import { must } from '@corridor/testkit/index.ts'
import { PayRequest } from '@uma-sdk/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { balanceOf, type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

// Webhooks-uma 5.2 and 6.7: institutions without a bilateral agreement settle over Lightning, each over its own node.

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations({ creditLineMsats: null })
})
afterAll(() => two.close())

const execute = ({ api }: Installation, quoteId: string) =>
  must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }))
const transaction = ({ api }: Installation, transactionId: string) =>
  must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))

const nodeOf = async ({ server, platform }: Installation) =>
  (await server.ledgerBalances(platform))['ln:MSAT'] ?? 0n

const lastAsked = ({ inbox }: Installation) =>
  inbox.received.findLast(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')!.event.data.id as string

/** A payment from one to the other, agreed on. */
const agree = (from: Installation, to: Installation, currency = 'USD') =>
  must(quoteTo(from, to.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency }))

const isNode = (url: string) => url.includes('/uma/lightning/')
const calls = (method: string) => two.traffic.filter((call) => isNode(call.url) && call.method === method)

describe('two installations without an agreement', () => {
  it('pay each other over Lightning, both ways and across currencies', async () => {
    const { a, b } = two
    for (const [from, to, currency] of [
      [a, b, 'EUR'],
      [b, a, 'USD'],
    ] as const) {
      const before = { node: await nodeOf(from), balance: await balanceOf(to, currency) }
      const quote = await agree(from, to, currency)
      await execute(from, quote.id)
      await two.settle()
      expect((await transaction(from, quote.transactionId)).status).toBe('COMPLETED')
      expect((await transaction(to, lastAsked(to))).status).toBe('COMPLETED')
      expect(await balanceOf(to, currency)).toBe(before.balance + 2_000)
      expect((await nodeOf(from)) - before.node).toBeGreaterThan(0n)
    }
    // What one node has paid out the other has received; nobody owes anybody.
    expect(await nodeOf(a)).toBe(-(await nodeOf(b)))
    const balances = await a.server.ledgerBalances(a.platform)
    expect(Object.keys(balances).filter((id) => id.startsWith('cpty:'))).toEqual([])
  })

  it('ask for no settlement layer and offer none', async () => {
    const { a, b } = two
    await agree(a, b)
    const asked = two.traffic.findLast(({ url }) => url.includes('/uma/payreq/'))!
    expect(JSON.parse(asked.body)).not.toHaveProperty('settlement')
  })
})

describe('an institution that speaks version 0 alone', () => {
  /** Refuses version 1 as such a one would. */
  const refuses = (url: string) =>
    url.includes('umaVersion=1.0')
      ? Response.json({ status: 'ERROR', supportedMajorVersions: [0] }, { status: 412 })
      : undefined

  it.each(['RECEIVING', 'SENDING'] as const)('is paid in it, %s amount locked', async (side) => {
    const { a, b } = two
    two.interfere(refuses)
    const before = { a: await balanceOf(a, 'USD'), b: await balanceOf(b, 'EUR') }
    const sent = two.traffic.length
    const quote = await must(quoteTo(a, b.customer.umaAddress, { amount: 5_000, side, currency: 'EUR' }))
    two.interfere(() => undefined)
    const [looked, asked, ...more] = two.traffic
      .slice(sent)
      .filter(({ url }) => url.includes('/lnurlp/') || url.includes('/payreq/'))
      .slice(1)
    expect(more).toEqual([])
    expect(looked!.url).toContain('umaVersion=0.3')
    // What the public SDK makes of it: the other version, and an amount in cents.
    const read = PayRequest.parse(JSON.parse(asked!.body))
    expect(read).toMatchObject({ umaMajorVersion: 0, receivingCurrencyCode: 'EUR' })
    expect(read.amount).toBe(quote.totalReceivingAmount)
    await execute(a, quote.id)
    await two.settle()
    expect(await balanceOf(a, 'USD')).toBe(before.a - quote.totalSendingAmount)
    expect(await balanceOf(b, 'EUR')).toBe(before.b + quote.totalReceivingAmount!)
  })

  it.each<[string, (answer: Record<string, unknown>) => object, string]>([
    ['over more', (answer) => over(answer, { exchangeFeesMillisatoshi: 1_000 }), 'INVALID_PAYREQ_RESPONSE'],
    ['in another currency', (answer) => over(answer, { currencyCode: 'USD' }), 'INVALID_PAYREQ_RESPONSE'],
    ['at another price', (answer) => over(answer, { multiplier: 1 }), 'INVALID_PAYREQ_RESPONSE'],
    ['that says nothing', ({ paymentInfo: _, ...answer }) => answer, 'PARSE_PAYREQ_RESPONSE_ERROR'],
  ])('with an answer %s is not believed', async (_what, change, code) => {
    two.interfere(refuses)
    two.alter((url, answer) => (url.includes('/uma/payreq/') ? change(answer) : answer))
    const address = two.b.customer.umaAddress
    const { error } = await quoteTo(two.a, address, { amount: 5_000, side: 'RECEIVING', currency: 'EUR' })
    two.interfere(() => undefined)
    two.alter((_url, answer) => answer)
    expect(error).toMatchObject({ status: 400, code })
  })

  function over({ paymentInfo, ...answer }: Record<string, unknown>, more: object) {
    return { ...answer, paymentInfo: { ...(paymentInfo as object), ...more } }
  }
})

describe('a payment over Lightning', () => {
  it('is told afterwards with the outputs that each node names (6.3, step 6)', async () => {
    const { a, b } = two
    const outputs = {
      SENT: [{ utxo: `${'aa'.repeat(32)}:0`, amountMsats: 2_001n }],
      RECEIVED: [{ utxo: `${'bb'.repeat(32)}:1`, amountMsats: 2_000n }],
    }
    const asked: string[] = []
    const spies = [a, b].map(({ server }) =>
      vi
        .spyOn(server.engine.adapters.SANDBOX.lightning!, 'outputsOf')
        .mockImplementation(async ({ paymentHash, direction }) => {
          asked.push(paymentHash)
          return outputs[direction]
        }),
    )
    const before = two.traffic.length
    const quote = await agree(a, b)
    await execute(a, quote.id)
    await two.settle()
    for (const spy of spies) spy.mockRestore()
    const told = two.traffic.slice(before).filter(({ url }) => url.includes('/uma/utxo-callback/'))
    const named = told.map(({ url, body }) => [new URL(url).host, JSON.parse(body).utxos])
    expect(Object.fromEntries(named)).toEqual({
      'corridor-beta.internal': [{ utxo: outputs.SENT[0]!.utxo, amountMsats: 2_001 }],
      'corridor-alpha.internal': [{ utxo: outputs.RECEIVED[0]!.utxo, amountMsats: 2_000 }],
    })
    expect(new Set(asked).size).toBe(1)
  })

  it('whose answer is lost is read up and never paid again', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = { balance: await balanceOf(b, 'USD'), paid: calls('POST').length }
    // It has been paid; what the payer's node said about it does not arrive.
    two.alter((url, answer) => (isNode(url) ? { preimage: 'lost' } : answer))
    await execute(a, quote.id)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('PROCESSING')
    expect(await balanceOf(b, 'USD')).toBe(before.balance + 2_000)
    two.alter((_url, answer) => answer)
    await a.server.pass(11_000)
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(calls('POST').length).toBe(before.paid + 1)
    expect(await balanceOf(b, 'USD')).toBe(before.balance + 2_000)
  })

  it('that never reached the other side is given back once it cannot reach it any more', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = { a: await balanceOf(a, 'USD'), b: await balanceOf(b, 'USD'), paid: calls('POST').length }
    two.interfere((url) => (isNode(url) ? new Response('', { status: 502 }) : undefined))
    await execute(a, quote.id)
    await two.settle()
    two.interfere(() => undefined)
    // The other node has never heard of it, which says nothing while it could still hear of it.
    await a.server.pass(4 * 60_000)
    expect((await transaction(a, quote.transactionId)).status).toBe('PROCESSING')
    // Nor is the operator believed meanwhile: what is given back now might still be paid.
    for (const ifUnknown of ['REFUND', 'DELIVERED']) {
      const word = { ifUnknown, reason: 'asked by telephone' }
      const ended = await operate(
        a.server,
        'POST',
        `/transactions/${quote.transactionId}/end-uma-payment`,
        word,
      )
      expect(ended).toMatchObject({ status: 409, body: { details: { reason: 'STILL_UNDER_WAY' } } })
    }
    expect((await transaction(a, quote.transactionId)).status).toBe('PROCESSING')
    await a.server.pass(3 * 60_000)
    expect(await transaction(a, quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect(calls('POST').length).toBe(before.paid + 1)
    expect(await balanceOf(a, 'USD')).toBe(before.a)
    await b.server.pass(7 * 60_000)
    expect(await transaction(b, lastAsked(b))).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXPIRED',
    })
    expect(await balanceOf(b, 'USD')).toBe(before.b)
  })

  it('that the other node refuses is given back', async () => {
    const { a, b } = two
    const quote = await agree(a, b)
    const before = await balanceOf(a, 'USD')
    two.interfere((url) => (isNode(url) ? Response.json({}, { status: 404 }) : undefined))
    await execute(a, quote.id)
    await two.settle()
    two.interfere(() => undefined)
    expect(await transaction(a, quote.transactionId)).toMatchObject({
      failureReason: 'QUOTE_EXECUTION_FAILED',
    })
    expect(await balanceOf(a, 'USD')).toBe(before)
  })
})

describe('an invoice', () => {
  type Answer = Record<string, string>
  it.each<[string, (answer: Answer) => object, string]>([
    ['of another payment', changed({ description: 'ab'.repeat(32) }), 'INVALID_PAYREQ_RESPONSE'],
    ['over more', changed({ msats: '99999999999' }), 'INVALID_PAYREQ_RESPONSE'],
    ['that is over', changed({ expiresAt: 1 }), 'INVALID_PAYREQ_RESPONSE'],
    ['that lasts for ten years', changed({ expiresAt: 2_100_000_000_000 }), 'INVALID_PAYREQ_RESPONSE'],
    ['that nobody can read', (answer) => ({ ...answer, pr: 'lnbc1nonsense' }), 'PARSE_PAYREQ_RESPONSE_ERROR'],
    [
      'without end',
      (answer) => ({ ...answer, pr: `lnsandbox1${'x'.repeat(5_000)}` }),
      'PARSE_PAYREQ_RESPONSE_ERROR',
    ],
    ['of bilateral settlement', changed({}, 'bilateral1.x'), 'PARSE_PAYREQ_RESPONSE_ERROR'],
  ])('%s is not believed, and nothing moves', async (_what, change, code) => {
    const { a, b } = two
    const before = await balanceOf(a, 'USD')
    two.alter((url, answer) => (url.includes('/uma/payreq/') ? change(answer as Answer) : answer))
    const { error } = await quoteTo(a, b.customer.umaAddress, {
      amount: 2_000,
      side: 'RECEIVING',
      currency: 'USD',
    })
    two.alter((_url, answer) => answer)
    expect(error).toMatchObject({ status: 400, code })
    expect(await balanceOf(a, 'USD')).toBe(before)
  })

  function changed(more: object, prefix = 'lnsandbox1') {
    return (answer: Answer) => {
      const parts = JSON.parse(Buffer.from(answer.pr!.slice('lnsandbox1'.length), 'base64url').toString())
      return {
        ...answer,
        pr: prefix + Buffer.from(JSON.stringify({ ...parts, ...more })).toString('base64url'),
      }
    }
  }

  it('that nobody has made is known to nobody, and an unpaid one shows no proof', async () => {
    const { a, b } = two
    const ask = async (hash: string) => {
      const response = await b.server.fetch(`http://corridor.test/uma/lightning/${hash}`)
      return { status: response.status, body: await response.json() }
    }
    expect(await ask('ab'.repeat(32))).toMatchObject({ status: 404, body: { code: 'REQUEST_NOT_FOUND' } })
    expect((await ask('nonsense')).status).toBe(404)
    let hash = ''
    two.alter((url, answer) => {
      if (url.includes('/uma/payreq/')) {
        hash = JSON.parse(Buffer.from(answer.pr.slice('lnsandbox1'.length), 'base64url').toString()).hash
      }
      return answer
    })
    await agree(a, b)
    two.alter((_url, answer) => answer)
    expect(await ask(hash)).toEqual({ status: 200, body: {} })
  })
})

describe('a payment that nobody can be given', () => {
  it('waits in suspense, for Lightning gives nothing back', async () => {
    const { a, b } = two
    const quote = await agree(a, b, 'EUR')
    await must(b.api.DELETE('/customers/{customerId}', { params: { path: { customerId: b.customer.id } } }))
    await execute(a, quote.id)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await transaction(b, lastAsked(b))).toMatchObject({
      status: 'FAILED',
      failureReason: 'OFFRAMP_FAILED',
      refund: { status: 'FAILED' },
    })
    expect((await b.server.ledgerBalances(b.platform))['susp:EUR']).toBe(2_000n)
  })
})
