import { identityOf, signParts } from '@corridor/engine/money/uma-peers/index.ts'
import { must, operatorKey } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

// Webhooks-uma 5 and 6, worked example W10: two installations that pay each other.

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

const execute = ({ api }: Installation, quoteId: string) =>
  must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }))
const transaction = ({ api }: Installation, transactionId: string) =>
  must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))

/** What each side says that the first owes the second, in millisatoshi. */
async function owed() {
  const { a, b } = two
  const byA = (await a.server.ledgerBalances(a.platform))['cpty:beta.internal:MSAT'] ?? 0n
  const toB = (await b.server.ledgerBalances(b.platform))['cpty:alpha.internal:MSAT'] ?? 0n
  return { byA, toB }
}

async function asOperator({ server }: Installation, path: string) {
  const headers = { authorization: `Bearer ${operatorKey}` }
  const response = await server.fetch(`http://corridor.test${path}`, { headers })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

it('one invoice pays for one payment, whatever the institution says of another', async () => {
  const { a, b } = two
  let invoice: unknown
  two.alter((url, answer) => {
    if (!url.includes('/uma/payreq/')) return answer
    invoice ??= answer.pr
    return { ...answer, pr: invoice }
  })
  const agree = () => quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' })
  await must(agree())
  const { error } = await agree()
  two.alter((_url, answer) => answer)
  expect(error).toMatchObject({ status: 400, code: 'INVALID_PAYREQ_RESPONSE' })
})

describe('two installations', () => {
  it('look each other up, agree, pay, and owe each other the same (W10)', async () => {
    const { a, b } = two
    const path = { receiverUmaAddress: b.customer.umaAddress }
    const query = { customerId: a.customer.id as never }
    const looked = await must(a.api.GET('/receiver/uma/{receiverUmaAddress}', { params: { path, query } }))
    expect(looked.supportedCurrencies.map(({ currency }) => currency.code).slice(0, 2)).toEqual([
      'EUR',
      'USD',
    ])

    const heard = b.inbox.received.length
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
    )
    expect(quote).toMatchObject({ totalReceivingAmount: 1_000, destination: { currency: 'USD' } })
    const asked = b.inbox.received
      .slice(heard)
      .filter(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')
    expect(asked).toHaveLength(1)
    const before = { a: await balanceOf(a, 'USD'), b: await balanceOf(b, 'USD') }
    await execute(a, quote.id)
    await two.settle()
    expect(await balanceOf(a, 'USD')).toBe(before.a - quote.totalSendingAmount)
    expect(await balanceOf(b, 'USD')).toBe(before.b + 1_000)
    expect(await transaction(a, quote.transactionId)).toMatchObject({
      status: 'COMPLETED',
      receivedAmount: { amount: 1_000 },
    })
    expect(await transaction(b, asked[0]!.event.data.id as string)).toMatchObject({
      status: 'COMPLETED',
      source: { sourceType: 'UMA_ADDRESS', umaAddress: a.customer.umaAddress },
    })
    const { byA, toB } = await owed()
    expect(byA).toBeGreaterThan(0n)
    expect(toB).toBe(-byA)
    const { body } = await asOperator(a, '/operator/uma-positions')
    expect(body.data).toEqual([
      {
        platformId: a.platform.platformId,
        environment: 'SANDBOX',
        peerDomain: 'beta.internal',
        owedMsats: byA.toString(),
      },
    ])
  })

  it('pay both ways across currencies, either side locked, and the net position agrees', async () => {
    const { a, b } = two
    for (const [from, to, currency] of [
      [a, b, 'EUR'],
      [b, a, 'USD'],
    ] as const) {
      for (const side of ['SENDING', 'RECEIVING'] as const) {
        const before = await balanceOf(to, currency)
        const quote = await must(quoteTo(from, to.customer.umaAddress, { amount: 5_000, side, currency }))
        await execute(from, quote.id)
        await two.settle()
        expect(await balanceOf(to, currency)).toBe(before + quote.totalReceivingAmount!)
        expect((await transaction(from, quote.transactionId)).status).toBe('COMPLETED')
      }
    }
    const { byA, toB } = await owed()
    expect(toB).toBe(-byA)
  })

  it('tell each other afterwards, where each wants to be told, and again where nobody answers (6.3)', async () => {
    const { a, b } = two
    const callbacks = () => two.traffic.filter(({ url }) => url.includes('/uma/utxo-callback/'))
    const hosts = () => callbacks().map(({ url }) => new URL(url).host)
    await two.settle()
    const before = callbacks().length
    // The payer hears it the second time, a minute later.
    two.interfere((url) =>
      url.startsWith('http://corridor-alpha.internal/uma/utxo')
        ? new Response('', { status: 503 })
        : undefined,
    )
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
    )
    expect(callbacks()).toHaveLength(before)
    await execute(a, quote.id)
    await two.settle()
    two.interfere(() => undefined)
    const first = ['corridor-alpha.internal', 'corridor-beta.internal']
    expect(hosts().slice(before).sort()).toEqual(first)
    for (const { server } of [a, b]) await server.pass(61_000)
    await two.settle()
    expect(hosts().slice(before + 2)).toEqual(['corridor-alpha.internal'])
    // Taken: nobody is told any more.
    for (const { server } of [a, b]) await server.pass(2 * 60 * 60_000)
    await two.settle()
    expect(callbacks()).toHaveLength(before + 3)
    const bodies = callbacks()
      .slice(before)
      .map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ vaspDomain }) => vaspDomain).sort()).toEqual([
      'alpha.internal',
      'beta.internal',
      'beta.internal',
    ])
    for (const { utxos } of bodies) expect(utxos).toEqual([])
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
  })

  it('settle once, whatever happens to the answer: the repetition gets the same proof (W10)', async () => {
    const { a, b } = two
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const before = await balanceOf(b, 'USD')
    let lost = 0
    two.interfere((url) => {
      if (!url.endsWith('/uma/settle') || lost > 0) return undefined
      lost++
      return new Response('', { status: 502 })
    })
    await execute(a, quote.id)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('PROCESSING')
    two.interfere(() => undefined)
    await a.server.pass(11_000)
    await two.settle()
    expect((await transaction(a, quote.transactionId)).status).toBe('COMPLETED')
    expect(await balanceOf(b, 'USD')).toBe(before + 2_000)
    const { byA, toB } = await owed()
    expect(toB).toBe(-byA)
  })

  it('give the money back when the peer says for sure that it takes nothing', async () => {
    const { a, b } = two
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const before = await balanceOf(a, 'USD')
    two.interfere((url) =>
      url.endsWith('/uma/settle')
        ? new Response(JSON.stringify({ status: 'ERROR', code: 'QUOTE_EXPIRED' }), { status: 400 })
        : undefined,
    )
    await execute(a, quote.id)
    await two.settle()
    two.interfere(() => undefined)
    expect(await transaction(a, quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect(await balanceOf(a, 'USD')).toBe(before)
  })

  it('do not give back what the other has credited, whatever a fault of the sender says', async () => {
    const { a, b } = two
    const fault = { target: 'RAIL', kind: 'OUTCOME', params: { outcome: '005', seconds: 60 } } as const
    const { id: faultId } = await must(a.api.POST('/sandbox/faults', { body: fault }))
    const [paid, got] = [await balanceOf(a, 'USD'), await balanceOf(b, 'USD')]
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' }),
    )
    await execute(a, quote.id)
    await two.settle()
    await must(a.api.POST('/sandbox/clock/advance', { body: { seconds: 120 } }))
    await two.settle()
    expect(await transaction(a, quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect([await balanceOf(a, 'USD'), await balanceOf(b, 'USD')]).toEqual([
      paid - quote.totalSendingAmount,
      got + 2_000,
    ])
    // It never met what it could do nothing about.
    const { timeline } = await must(a.api.GET('/explain/{id}', { params: { path: { id: quote.id } } }))
    expect(timeline.filter(({ kind }) => kind === 'FAULT')).toEqual([])
    await a.api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId } } })
  })

  it('take no for an answer: the platform of the receiver decides before there is a quote', async () => {
    const { a, b } = two
    b.inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? 403 : 200))
    const { error } = await quoteTo(a, b.customer.umaAddress, { amount: 2_000 })
    expect(error).toMatchObject({ status: 400, code: 'QUOTE_REQUEST_FAILED' })
    b.inbox.answer(() => 200)
    const { byA, toB } = await owed()
    expect(toB).toBe(-byA)
  })

  it('send the travel rule data encrypted, and of the sender only what was asked for', async () => {
    const { a, b } = two
    await must(quoteTo(a, b.customer.umaAddress, { amount: 2_000 }))
    const sent = two.traffic.findLast(({ url }) => url.includes('/uma/payreq/'))!
    const { payerData } = JSON.parse(sent.body) as { payerData: Record<string, unknown> }
    expect(Object.keys(payerData).sort()).toEqual(['compliance', 'identifier', 'name'])
    const { encryptedTravelRuleInfo } = payerData.compliance as { encryptedTravelRuleInfo: string }
    expect(encryptedTravelRuleInfo).toMatch(/^04[0-9a-f]{200,}$/)
    expect(sent.body.replace('"name":"Ana Lopez"', '')).not.toContain('Ana Lopez')

    const incoming = b.inbox.received.findLast(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')!
    const path = `/operator/transactions/${incoming.event.data.id}/travel-rule`
    const { status, body } = await asOperator(b, path)
    expect({ status, payerUma: body.payerUma }).toEqual({ status: 200, payerUma: a.customer.umaAddress })
    expect(JSON.parse(body.info)).toMatchObject({
      originator: { name: 'Ana Lopez', account: a.customer.umaAddress, id: a.customer.id },
    })
    const unknown = `Transaction:${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`
    expect((await asOperator(b, `/operator/transactions/${unknown}/travel-rule`)).status).toBe(404)
  })

  it('let a promise lapse that nobody keeps', async () => {
    const { a, b } = two
    await must(quoteTo(a, b.customer.umaAddress, { amount: 2_000 }))
    const asked = b.inbox.received.findLast(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')!
    await b.server.pass(5 * 60_000)
    expect(await transaction(b, asked.event.data.id as string)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXPIRED',
    })
    await a.server.pass(5 * 60_000)
    await two.settle()
  })
})

describe('an answer of a peer', () => {
  it.each<[string, () => Response, number, string]>([
    ['that is an outage', () => new Response('', { status: 503 }), 424, 'LNURLP_REQUEST_FAILED'],
    ['that is no JSON', () => new Response('<html>'), 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
    ['that is too large', () => new Response(`"${'x'.repeat(100_000)}"`), 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
    [
      'without UMA members',
      () => new Response('{"tag":"payRequest"}'),
      400,
      'MISSING_REQUIRED_UMA_PARAMETERS',
    ],
    ['that knows no such user', () => new Response('', { status: 404 }), 404, 'UMA_NOT_FOUND'],
    [
      'that speaks another version',
      () => new Response('{}', { status: 412 }),
      424,
      'NO_COMPATIBLE_UMA_VERSION',
    ],
    [
      'that speaks versions of the future',
      () => new Response('{"supportedMajorVersions":[2,3]}', { status: 412 }),
      424,
      'NO_COMPATIBLE_UMA_VERSION',
    ],
    [
      'that refuses the version that it said it speaks',
      () => new Response('{"supportedMajorVersions":[0]}', { status: 412 }),
      412,
      'UNSUPPORTED_UMA_VERSION',
    ],
    ['that refuses', () => new Response('{"code":"OTHER"}', { status: 403 }), 400, 'LOOKUP_REQUEST_FAILED'],
    ['that redirects', () => new Response('', { status: 302 }), 400, 'LOOKUP_REQUEST_FAILED'],
  ])('to a lookup %s', async (_what, answer, status, code) => {
    two.interfere((url) => (url.includes('/lnurlp/') ? answer() : undefined))
    const { error } = await quoteTo(two.a, two.b.customer.umaAddress, { amount: 2_000 })
    two.interfere(() => undefined)
    expect(error).toMatchObject({ status, code })
  })
})

it('an answer in another version than it was asked for is not believed', async () => {
  two.alter((url, answer) => (url.includes('/lnurlp/') ? { ...answer, umaVersion: '0.3' } : answer))
  const { error } = await quoteTo(two.a, two.b.customer.umaAddress, { amount: 2_000 })
  two.alter((_url, answer) => answer)
  expect(error).toMatchObject({ status: 400, code: 'PARSE_LNURLP_RESPONSE_ERROR' })
})

describe('an answer to a pay request', () => {
  type Answer = Parameters<Parameters<typeof two.alter>[0]>[1]
  const converted = (more: object) => (answer: Answer) => ({
    ...answer,
    converted: { ...answer.converted, ...more },
  })
  const compliance = (more: object) => (answer: Answer) => ({
    ...answer,
    payeeData: { ...answer.payeeData, compliance: { ...answer.payeeData.compliance, ...more } },
  })
  const invoice = (change: (parts: string[]) => string[]) => (answer: Answer) => ({
    ...answer,
    pr: change(answer.pr.split('.')).join('.'),
  })
  /** Signed by the right institution for these two, with this key. */
  const resigned =
    (key: 'signingKey' | 'encryptionKey', parties: string[], ageMs = 0) =>
    async (answer: Answer) => {
      const { engine, world } = two.b.server
      const identity = await identityOf(engine, two.b.platform, two.b.domain)
      return compliance(signParts(parties, identity[key], { world, now: world.now() - ageMs }))(answer)
    }
  /** Consistent in itself, at a multiple of the price that its institution has named. */
  const dearer = (factor: number) => (answer: Answer) => {
    const multiplier = Number((answer.converted.multiplier * factor).toFixed(6))
    const msats = String(Math.round(answer.converted.amount * multiplier))
    const [prefix, hash, , expiry] = (answer.pr as string).split('.')
    return { ...converted({ multiplier })(answer), pr: [prefix, hash, msats, expiry].join('.') }
  }
  /** Consistent in itself, with a fee of so many percent of the amount. */
  const withFee = (percent: number) => (answer: Answer) => {
    const [prefix, hash, msats, expiry] = (answer.pr as string).split('.')
    const fee = Math.round((Number(msats) * percent) / 100)
    return { ...converted({ fee })(answer), pr: [prefix, hash, Number(msats) + fee, expiry].join('.') }
  }
  const parties = ['$alpha-user@alpha.internal', '$beta-user@beta.internal']
  const unparsable = 'PARSE_PAYREQ_RESPONSE_ERROR'
  const untrue = 'INVALID_PAYREQ_RESPONSE'

  it.each<[string, (answer: Answer) => object | Promise<object>, number, string]>([
    ['signed with another key', resigned('encryptionKey', parties), 401, 'INVALID_SIGNATURE'],
    [
      'signed for another payer',
      resigned('signingKey', ['$x@alpha.internal', parties[1]!]),
      401,
      'INVALID_SIGNATURE',
    ],
    [
      'signed for another payee',
      resigned('signingKey', [parties[0]!, '$x@beta.internal']),
      401,
      'INVALID_SIGNATURE',
    ],
    ['signed eleven minutes ago', resigned('signingKey', parties, 11 * 60_000), 400, 'INVALID_TIMESTAMP'],
    ['signed two minutes ahead', resigned('signingKey', parties, -2 * 60_000), 400, 'INVALID_TIMESTAMP'],
    ['with another nonce', compliance({ signatureNonce: 'ab'.repeat(16) }), 401, 'INVALID_SIGNATURE'],
    ['with a nonce that cuts the text', compliance({ signatureNonce: 'a|b' }), 400, 'INVALID_NONCE'],
    ['without a nonce', compliance({ signatureNonce: undefined }), 400, 'INVALID_NONCE'],
    ['without a signature', compliance({ signature: undefined }), 401, 'INVALID_SIGNATURE'],
    ['without a time', compliance({ signatureTimestamp: undefined }), 400, 'INVALID_TIMESTAMP'],
    ['of another amount', converted({ amount: 1_999 }), 400, untrue],
    ['in another currency', converted({ currencyCode: 'EUR' }), 400, untrue],
    ['at another multiplier', converted({ multiplier: 1 }), 400, untrue],
    ['at a price that has risen by more than a twentieth', dearer(1.0501), 400, untrue],
    ['with a fee that is not in the invoice', converted({ fee: 1_000 }), 400, untrue],
    ['with a fee of more than a twentieth', withFee(5.1), 400, untrue],
    [
      'with a nonce that no database takes',
      compliance({ signatureNonce: 'a\u0000' }),
      401,
      'INVALID_SIGNATURE',
    ],
    [
      'with half a character',
      compliance({ utxoCallback: 'https://beta.internal/\ud800', signatureNonce: '\ud800' }),
      401,
      'INVALID_SIGNATURE',
    ],
    ['with a fee below zero', converted({ fee: -1_000 }), 400, unparsable],
    ['with an amount that is no number', converted({ amount: '2000' }), 400, unparsable],
    ['without a multiplier', converted({ multiplier: undefined }), 400, unparsable],
    [
      'with an invoice over more',
      invoice(([prefix, hash, amount, expiry]) => [prefix!, hash!, `${BigInt(amount!) + 1n}`, expiry!]),
      400,
      untrue,
    ],
    [
      'with an invoice that is over',
      invoice(([prefix, hash, amount]) => [prefix!, hash!, amount!, '1']),
      400,
      untrue,
    ],
    [
      'with an invoice that lasts for more than an hour',
      invoice(([prefix, hash, amount, expiry]) => [prefix!, hash!, amount!, `${Number(expiry) + 3_600}`]),
      400,
      untrue,
    ],
    ['with an invoice of another kind', (answer) => ({ ...answer, pr: 'lnbc1nonsense' }), 400, unparsable],
    ['without an invoice', ({ pr: _pr, ...answer }) => answer, 400, unparsable],
    ['without what arrives', ({ converted: _converted, ...answer }) => answer, 400, unparsable],
    ['without its payee', ({ payeeData: _payeeData, ...answer }) => answer, 400, unparsable],
    ['that is a list', () => [], 400, unparsable],
    ['without end', (answer) => ({ ...answer, filler: 'x'.repeat(100_000) }), 400, unparsable],
  ])('%s is not believed, and nothing moves', async (_what, change, status, code) => {
    const before = await balanceOf(two.a, 'USD')
    two.alter((url, answer) => (url.includes('/uma/payreq/') ? change(answer) : answer))
    const { error } = await quoteTo(two.a, two.b.customer.umaAddress, {
      amount: 2_000,
      side: 'RECEIVING',
      currency: 'USD',
    })
    two.alter((_url, answer) => answer)
    expect(error).toMatchObject({ status, code })
    expect(await balanceOf(two.a, 'USD')).toBe(before)
  })

  it.each([
    ['at a price that has risen by less', dearer(1.049)],
    ['with a fee of less', withFee(4.9)],
  ])('%s is believed', async (_what, change) => {
    two.alter((url, answer) => (url.includes('/uma/payreq/') ? change(answer as Answer) : answer))
    const { data } = await quoteTo(two.a, two.b.customer.umaAddress, {
      amount: 2_000,
      side: 'RECEIVING',
      currency: 'USD',
    })
    two.alter((_url, answer) => answer)
    expect(data).toMatchObject({ totalReceivingAmount: 2_000 })
  })

  it('whose fee takes most of what is sent is not believed', async () => {
    const before = await balanceOf(two.a, 'USD')
    two.alter((url, answer) => {
      if (!url.includes('/uma/payreq/')) return answer
      const { pr, converted: said } = answer as Answer
      const msats = Number(pr.split('.')[2])
      const fee = Math.floor(msats * 0.5)
      return converted({ fee, amount: Math.round((msats - fee) / said.multiplier) })(answer as Answer)
    })
    const { error } = await quoteTo(two.a, two.b.customer.umaAddress, {
      amount: 2_000,
      side: 'SENDING',
      currency: 'USD',
    })
    two.alter((_url, answer) => answer)
    expect(error).toMatchObject({ status: 400, code: untrue })
    expect(await balanceOf(two.a, 'USD')).toBe(before)
  })

  it('with an invoice of another payment is worth nothing: the preimage is missing', async () => {
    const { a, b } = two
    const before = { a: await balanceOf(a, 'USD'), b: await balanceOf(b, 'USD') }
    two.alter((url, answer) =>
      url.includes('/uma/payreq/')
        ? invoice(([prefix, , amount, expiry]) => [prefix!, 'ab'.repeat(32), amount!, expiry!])(
            answer as Answer,
          )
        : answer,
    )
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' }),
    )
    two.alter((_url, answer) => answer)
    await execute(a, quote.id)
    await two.settle()
    expect(await transaction(a, quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
    })
    expect(await balanceOf(a, 'USD')).toBe(before.a)
    expect(await balanceOf(b, 'USD')).toBe(before.b)
  })
})
