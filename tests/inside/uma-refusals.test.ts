import { internalAccountOf, must } from '@corridor/testkit/index.ts'
import { LnurlpResponse, PayReqResponse } from '@uma-sdk/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { balanceOf, twoInstallations } from '../e2e/uma-peers.ts'
import { askingAs, type Body, type Query } from './uma-asking.ts'

// What an institution refuses of a peer (webhooks-uma 6.4), in the words and the shape of LNURL.

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

/** What of them is a table; their number is promised. */
const vectors: string[] = []

const { signed, call, lookup, payRequest } = askingAs(() => two)

const resigned =
  (options: Parameters<typeof signed>[1], address = '$beta-user@beta.internal') =>
  async (query: Query): Promise<Query> => {
    const parts = await signed([address], options)
    const { signature, signatureNonce: nonce, signatureTimestamp } = parts
    return { ...query, signature, nonce, timestamp: String(signatureTimestamp) }
  }

describe('a lookup by a peer', () => {
  it('is told which versions there are', async () => {
    const refused = await lookup((query) => ({ ...query, umaVersion: '2.0' }))
    expect(refused).toMatchObject({ status: 412, answer: { supportedMajorVersions: [1, 0] } })
  })

  it('is answered, also with the dollar sign encoded and in upper case', async () => {
    expect(await lookup()).toMatchObject({ status: 200, answer: { tag: 'payRequest', umaVersion: '1.0' } })
    const { signature, signatureNonce, signatureTimestamp } = await signed(['$beta-user@beta.internal'])
    const query = new URLSearchParams({
      signature,
      vaspDomain: 'ALPHA.internal',
      nonce: signatureNonce,
      timestamp: String(signatureTimestamp),
      umaVersion: '1.0',
    })
    expect(await call(`/.well-known/lnurlp/%24BETA-user?${query}`)).toMatchObject({ status: 200 })
  })

  const without = (name: string) => (query: Query) => ({ ...query, [name]: undefined })
  const set = (name: string, value: string) => (query: Query) => ({ ...query, [name]: value })
  const minute = 60_000
  const lookups: [string, Parameters<typeof lookup>[0], number, string][] = [
    ['without signature', without('signature'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['without domain', without('vaspDomain'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['without nonce', without('nonce'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['without timestamp', without('timestamp'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['without version', without('umaVersion'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['with an empty nonce', set('nonce', ''), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ['that is plain LNURL', () => ({}), 403, 'NON_UMA_LNURL_NOT_SUPPORTED'],
    ['of a newer version', set('umaVersion', '2.0'), 412, 'UNSUPPORTED_UMA_VERSION'],
    ['of a version that is none', set('umaVersion', 'one'), 412, 'UNSUPPORTED_UMA_VERSION'],
    ['of a domain that is not listed', set('vaspDomain', 'gamma.internal'), 403, 'COUNTERPARTY_NOT_ALLOWED'],
    ['of a domain that is none', set('vaspDomain', 'alpha.internal/..'), 403, 'COUNTERPARTY_NOT_ALLOWED'],
    ['that is eleven minutes old', resigned({ ageMs: 11 * minute }), 400, 'INVALID_TIMESTAMP'],
    ['that is two minutes ahead', resigned({ ageMs: -2 * minute }), 400, 'INVALID_TIMESTAMP'],
    ['with a time that is no number', set('timestamp', '1e9'), 400, 'INVALID_TIMESTAMP'],
    ['with a negative time', set('timestamp', '-1'), 400, 'INVALID_TIMESTAMP'],
    [
      'with another time than signed',
      (query) => ({ ...query, timestamp: String(Number(query.timestamp) - 1) }),
      401,
      'INVALID_SIGNATURE',
    ],
    ['with another nonce than signed', set('nonce', 'other'), 401, 'INVALID_SIGNATURE'],
    ['with a nonce that cuts the text', set('nonce', 'a|b'), 400, 'INVALID_NONCE'],
    ['with an endless nonce', set('nonce', 'a'.repeat(129)), 400, 'INVALID_NONCE'],
    ['signed with another key', resigned({ key: 'encryption' }), 401, 'INVALID_SIGNATURE'],
    ['signed for another receiver', resigned({}, '$other@beta.internal'), 401, 'INVALID_SIGNATURE'],
    [
      'signed for the service host',
      resigned({}, '$beta-user@corridor-beta.internal'),
      401,
      'INVALID_SIGNATURE',
    ],
    ['with nonsense for a signature', set('signature', 'zz'), 401, 'INVALID_SIGNATURE'],
    [
      'with half a signature',
      (query) => ({ ...query, signature: query.signature!.slice(0, 40) }),
      401,
      'INVALID_SIGNATURE',
    ],
    [
      'with an endless signature',
      (query) => ({ ...query, signature: query.signature!.repeat(20) }),
      401,
      'INVALID_SIGNATURE',
    ],
  ]
  vectors.push(...lookups.map(([what]) => what))
  it.each(lookups)('%s is refused', async (_what, change, status, code) => {
    expect(await lookup(change)).toMatchObject({ status, answer: { code } })
  })

  it('is answered once, and a forged one spends no nonce', async () => {
    let sent: Query = {}
    const remember = (query: Query) => {
      sent = query
      return { ...query, signature: `${query.signature!.slice(0, -2)}00` }
    }
    expect(await lookup(remember)).toMatchObject({ answer: { code: 'INVALID_SIGNATURE' } })
    expect(await lookup(() => sent)).toMatchObject({ status: 200 })
    expect(await lookup(() => sent)).toMatchObject({ status: 400, answer: { code: 'INVALID_NONCE' } })
  })

  it('finds nobody where there is nobody', async () => {
    expect(await lookup(undefined, '$nobody')).toMatchObject({
      status: 404,
      answer: { code: 'USER_NOT_FOUND' },
    })
    const plain = await lookup(undefined, 'beta-user')
    expect(plain).toMatchObject({ status: 403, answer: { code: 'NON_UMA_LNURL_NOT_SUPPORTED' } })
    const elsewhere = await call('/.well-known/lnurlpubkey', { host: 'gamma.internal' })
    expect(elsewhere).toMatchObject({ status: 404 })
  })
})

const inVersion0 =
  (more: object) =>
  ({ convert: _convert, settlement: _settlement, ...body }: Body) => ({ ...body, currency: 'USD', ...more })

describe('a pay request of a peer', () => {
  it('is answered with what was agreed, and its signature used up', async () => {
    let sent: object = {}
    const first = await payRequest((body) => {
      sent = body
      return body
    })
    expect(first).toMatchObject({
      status: 200,
      answer: {
        pr: expect.stringMatching(/^bilateral1\./),
        converted: { amount: 1_000, currencyCode: 'USD', fee: 0 },
        disposable: false,
      },
    })
    expect(await payRequest(() => sent)).toMatchObject({ status: 400, answer: { code: 'INVALID_NONCE' } })
  })

  const payer = (more: object) => (body: Body) => ({ ...body, payerData: { ...body.payerData, ...more } })
  const payRequests: [string, Parameters<typeof payRequest>[0], number, string][] = [
    ['of a payer elsewhere', payer({ identifier: '$alpha-user@gamma.internal' }), 400, 'SENDER_NOT_ACCEPTED'],
    [
      'of a payer without a dollar',
      payer({ identifier: 'alpha-user@alpha.internal' }),
      400,
      'SENDER_NOT_ACCEPTED',
    ],
    ['of nobody', payer({ identifier: undefined }), 400, 'SENDER_NOT_ACCEPTED'],
    [
      'of another payer than signed',
      payer({ identifier: '$other@alpha.internal' }),
      401,
      'INVALID_SIGNATURE',
    ],
    ['without compliance', payer({ compliance: undefined }), 400, 'INVALID_TIMESTAMP'],
    ['in a currency that is not offered', (body) => ({ ...body, convert: 'JPY' }), 400, 'INVALID_CURRENCY'],
    ['without a currency', (body) => ({ ...body, convert: undefined }), 400, 'INVALID_CURRENCY'],
    ['in two currencies', (body) => ({ ...body, amount: '1000.EUR' }), 400, 'INVALID_CURRENCY'],
    ['for less than nothing', (body) => ({ ...body, amount: '-5.USD' }), 400, 'INVALID_INPUT'],
    ['for nothing', (body) => ({ ...body, amount: '0.USD' }), 400, 'INVALID_INPUT'],
    ['with an exponent', (body) => ({ ...body, amount: '1e3' }), 400, 'INVALID_INPUT'],
    ['with a fraction', (body) => ({ ...body, amount: '1.5.USD' }), 400, 'INVALID_INPUT'],
    ['with blanks', (body) => ({ ...body, amount: ' 1000.USD' }), 400, 'INVALID_INPUT'],
    ['for an endless amount', (body) => ({ ...body, amount: `${'9'.repeat(40)}.USD` }), 400, 'INVALID_INPUT'],
    ['for more than is taken', (body) => ({ ...body, amount: '100000001.USD' }), 400, 'AMOUNT_OUT_OF_RANGE'],
    ['for less than a cent', (body) => ({ ...body, amount: '1' }), 400, 'AMOUNT_OUT_OF_RANGE'],
    [
      'over a layer that nobody knows',
      (body) => ({ ...body, settlement: { layer: 'x' } }),
      501,
      'NOT_IMPLEMENTED',
    ],
    ['with an endless name', payer({ name: 'x'.repeat(513) }), 400, 'INVALID_INPUT'],
    [
      'that demands what nobody knows',
      (body) => ({ ...body, payeeData: { shoeSize: { mandatory: true } } }),
      501,
      'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
    ],
  ]
  vectors.push(...payRequests.map(([what]) => what))
  it.each(payRequests)('%s is refused', async (_what, change, status, code) => {
    expect(await payRequest(change)).toMatchObject({ status, answer: { code } })
  })

  it('is answered in version 0 after a lookup in it, with its words and without a signature', async () => {
    const looked = await lookup((query) => ({ ...query, umaVersion: '0.3' }))
    expect(looked).toMatchObject({ status: 200, answer: { umaVersion: '0.3', settlementOptions: [] } })
    const [usd] = (looked.answer.currencies as Record<string, unknown>[]).filter(({ code }) => code === 'USD')
    expect(usd).toMatchObject({ minSendable: expect.any(Number), maxSendable: expect.any(Number) })
    expect(usd).not.toHaveProperty('convertible')
    const { answer } = await payRequest(inVersion0({ amount: 1_000 }), { major: 0 })
    expect(answer).toMatchObject({
      pr: expect.stringMatching(/^lnsandbox1/),
      paymentInfo: {
        currencyCode: 'USD',
        decimals: 2,
        multiplier: usd!.multiplier,
        exchangeFeesMillisatoshi: 0,
      },
      compliance: { utxos: [], utxoCallback: expect.stringContaining('/uma/utxo-callback/') },
      disposable: false,
    })
    expect(answer).not.toHaveProperty('converted')
    const read = PayReqResponse.parse(answer)
    expect([read.umaMajorVersion, read.converted?.multiplier]).toEqual([0, usd!.multiplier])
    const understood = LnurlpResponse.parse(looked.answer)
    expect(understood.currencies?.[0]?.umaVersion).toBe(0)
  })

  const oldOnes: [string, Parameters<typeof payRequest>[0], 0 | 1, string][] = [
    ['in version 0 after a lookup in version 1', inVersion0({ amount: 1_000 }), 1, 'INVALID_INPUT'],
    ['in version 1 after a lookup in version 0', (body) => body, 0, 'INVALID_INPUT'],
    ['in both versions at once', (body) => ({ ...body, currency: 'USD', amount: 1_000 }), 0, 'INVALID_INPUT'],
    ['in version 0 with a text for an amount', inVersion0({ amount: '1000' }), 0, 'INVALID_INPUT'],
    ['in version 0 for less than nothing', inVersion0({ amount: -5 }), 0, 'INVALID_INPUT'],
    ['in version 0 for a part of a cent', inVersion0({ amount: 0.5 }), 0, 'INVALID_INPUT'],
    ['in version 0 without end', inVersion0({ amount: 1e300 }), 0, 'INVALID_INPUT'],
    [
      'in version 0 without a currency',
      inVersion0({ currency: undefined, amount: 1 }),
      0,
      'INVALID_CURRENCY',
    ],
    [
      'in version 0 in a currency that is none',
      inVersion0({ currency: {}, amount: 1 }),
      0,
      'INVALID_CURRENCY',
    ],
  ]
  vectors.push(...oldOnes.map(([what]) => what))
  it.each(oldOnes)('%s is refused', async (_what, change, major, code) => {
    expect(await payRequest(change, { major })).toMatchObject({ status: 400, answer: { code } })
  })

  it('with another key, or too late, or for a lookup that is over, is refused', async () => {
    expect(await payRequest(undefined, { key: 'encryption' })).toMatchObject({
      answer: { code: 'INVALID_SIGNATURE' },
    })
    expect(await payRequest(undefined, { ageMs: 11 * 60_000 })).toMatchObject({
      answer: { code: 'INVALID_TIMESTAMP' },
    })
    const gone = { status: 404, answer: { code: 'REQUEST_NOT_FOUND' } }
    expect(await call('/uma/payreq/nonsense', { body: {} })).toMatchObject(gone)
    expect(await call('/uma/payreq/0199dccc-4a80-7000-8000-000000000000', { body: {} })).toMatchObject(gone)
  })
})

/** What a peer has been promised, as it asks for it; signed anew each time. */
async function promised(): Promise<typeof settle> {
  const { answer } = await payRequest()
  return (change, signs) => settleFor(String(answer.pr), change, signs)
}

async function settle(
  change: (body: Record<string, unknown>) => object = (body) => body,
  signs?: readonly string[],
) {
  const { answer } = await payRequest()
  return settleFor(String(answer.pr), change, signs)
}

async function settleFor(
  invoice: string,
  change: (body: Record<string, unknown>) => object = (body) => body,
  signs?: readonly string[],
) {
  const [, paymentHash = '', amount = ''] = invoice.split('.')
  const parts = await signed(signs ?? [paymentHash, amount])
  const body = {
    paymentHash,
    amountMsats: Number(amount),
    payeeIdentifier: '$beta-user@beta.internal',
    payerIdentifier: '$alpha-user@alpha.internal',
    vaspDomain: 'alpha.internal',
    ...parts,
  }
  return call('/uma/settle', { body: change(body) })
}

describe('a settlement by a peer', () => {
  it('is proved by the preimage', async () => {
    expect(await settle()).toMatchObject({
      status: 200,
      answer: { preimage: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  const unknown = 'ab'.repeat(32)
  const settlements: [string, Parameters<typeof settle>[0], number, string][] = [
    ['of an unknown payment', (body) => ({ ...body, paymentHash: unknown }), 404, 'REQUEST_NOT_FOUND'],
    ['of no payment', (body) => ({ ...body, paymentHash: 'x' }), 404, 'REQUEST_NOT_FOUND'],
    ['by somebody else', (body) => ({ ...body, vaspDomain: 'gamma.internal' }), 404, 'REQUEST_NOT_FOUND'],
    ['with another amount than signed', (body) => ({ ...body, amountMsats: 1 }), 401, 'INVALID_SIGNATURE'],
    [
      'to another payee',
      (body) => ({ ...body, payeeIdentifier: '$other@beta.internal' }),
      400,
      'INVALID_INPUT',
    ],
    [
      'from another payer',
      (body) => ({ ...body, payerIdentifier: '$other@alpha.internal' }),
      400,
      'INVALID_INPUT',
    ],
    ['without a nonce', (body) => ({ ...body, signatureNonce: undefined }), 400, 'INVALID_NONCE'],
    ['without a time', (body) => ({ ...body, signatureTimestamp: '1' }), 400, 'INVALID_TIMESTAMP'],
  ]
  vectors.push(...settlements.map(([what]) => what))
  it.each(settlements)('%s is refused', async (_what, change, status, code) => {
    expect(await settle(change)).toMatchObject({ status, answer: { code } })
  })

  it('that is repeated is known by its hash and its amount, which are what is signed', async () => {
    const ask = await promised()
    const { answer } = await ask()
    expect(await ask((body) => ({ ...body, payerIdentifier: '', payeeIdentifier: '' }))).toEqual({
      status: 200,
      answer,
    })
  })

  it('is never refused while another request for it is credited', async () => {
    const { b } = two
    const ask = await promised()
    const { id } = await internalAccountOf(b.api, b.customer.id, 'USD')
    const before = await balanceOf(b, 'USD')
    await operate(b.server, 'POST', `/internal-accounts/${id}/freeze`)
    const { database } = b.server.engine
    const read = database.read.bind(database)
    let looks = 0
    let meanwhile: Awaited<ReturnType<typeof ask>> | undefined
    vi.spyOn(database, 'read').mockImplementation(async (book, statement, parameters) => {
      const rows = await read(book, statement, parameters)
      // The third look is that of the refusal which is about to be written.
      if (statement.name !== 'uma.promisedPayment' || ++looks !== 3) return rows as never
      await operate(b.server, 'POST', `/internal-accounts/${id}/release`)
      meanwhile = await ask()
      return rows as never
    })
    const answered = await ask()
    vi.restoreAllMocks()
    expect(meanwhile?.status).toBe(200)
    expect(answered).toEqual(meanwhile)
    expect(await balanceOf(b, 'USD')).toBe(before + 1_000)
  })

  it('that was refused once is refused for good: the peer has given the money back on our word', async () => {
    const { b } = two
    const ask = await promised()
    const { id } = await internalAccountOf(b.api, b.customer.id, 'USD')
    const before = await balanceOf(b, 'USD')
    await operate(b.server, 'POST', `/internal-accounts/${id}/freeze`)
    const refused = { status: 404, answer: { code: 'REQUEST_NOT_FOUND' } }
    expect(await ask()).toMatchObject(refused)
    await operate(b.server, 'POST', `/internal-accounts/${id}/release`)
    expect(await ask()).toMatchObject(refused)
    expect(await balanceOf(b, 'USD')).toBe(before)
    const { data } = await must(
      b.api.GET('/transactions', { params: { query: { type: 'INCOMING', limit: 1 } } }),
    )
    expect(data).toMatchObject([{ status: 'FAILED', failureReason: 'OFFRAMP_FAILED' }])
  })
})

/** An address where the payer's institution is told what moved, as the answer to its pay request names it. */
async function callback(
  change: (body: Record<string, unknown>) => object = (body) => body,
  options: Parameters<typeof signed>[1] = {},
) {
  const { answer } = await payRequest()
  const { compliance } = answer.payeeData as { compliance: { utxoCallback: string } }
  const { origin, pathname } = new URL(compliance.utxoCallback)
  expect(origin).toBe('http://corridor-beta.internal')
  const parts = await signed([], options)
  return call(pathname, { body: change({ utxos: [], vaspDomain: 'alpha.internal', ...parts }) })
}

describe('a callback after a payment', () => {
  it('is taken once, with the outputs that moved or with none', async () => {
    const taken = { status: 200, answer: { status: 'OK' } }
    expect(await callback()).toEqual(taken)
    let sent: object = {}
    const first = await callback((body) => {
      sent = { ...body, vaspDomain: 'ALPHA.internal', utxos: [{ utxo: 'ab:0', amountMsats: 1_000 }] }
      return sent
    })
    expect(first).toEqual(taken)
    expect(await callback(() => sent)).toMatchObject({ status: 400, answer: { code: 'INVALID_NONCE' } })
  })

  const callbacks: [string, Parameters<typeof callback>[0], number, string][] = [
    ['of somebody else', (body) => ({ ...body, vaspDomain: 'gamma.internal' }), 404, 'REQUEST_NOT_FOUND'],
    ['of nobody', (body) => ({ ...body, vaspDomain: undefined }), 404, 'REQUEST_NOT_FOUND'],
    ['without outputs', (body) => ({ ...body, utxos: undefined }), 400, 'INVALID_INPUT'],
    ['with an output that is none', (body) => ({ ...body, utxos: ['ab:0'] }), 400, 'INVALID_INPUT'],
    [
      'with less than nothing',
      (body) => ({ ...body, utxos: [{ utxo: 'ab:0', amountMsats: -1 }] }),
      400,
      'INVALID_INPUT',
    ],
    [
      'with outputs without end',
      (body) => ({ ...body, utxos: Array.from({ length: 101 }, () => ({ utxo: 'ab:0', amountMsats: 1 })) }),
      400,
      'INVALID_INPUT',
    ],
    [
      'with another nonce than signed',
      (body) => ({ ...body, signatureNonce: 'x' }),
      401,
      'INVALID_SIGNATURE',
    ],
    ['without a time', (body) => ({ ...body, signatureTimestamp: undefined }), 400, 'INVALID_TIMESTAMP'],
  ]
  vectors.push(...callbacks.map(([what]) => what))
  it.each(callbacks)('%s is refused', async (_what, change, status, code) => {
    expect(await callback(change)).toMatchObject({ status, answer: { code } })
  })

  it('with another key, too late, or where no address was given out, is refused', async () => {
    expect(await callback(undefined, { key: 'encryption' })).toMatchObject({
      answer: { code: 'INVALID_SIGNATURE' },
    })
    expect(await callback(undefined, { ageMs: 11 * 60_000 })).toMatchObject({
      answer: { code: 'INVALID_TIMESTAMP' },
    })
    const gone = { status: 404, answer: { code: 'REQUEST_NOT_FOUND' } }
    expect(await call('/uma/utxo-callback/nonsense', { body: {} })).toMatchObject(gone)
    const unknown = '/uma/utxo-callback/0199dccc-4a80-7000-8000-000000000000'
    expect(await call(unknown, { body: {} })).toMatchObject(gone)
  })
})

it('knows at least 40 messages that are refused', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(40)
})

describe('what cannot be read', () => {
  const post = (path: string, body: string, type = 'application/json') =>
    two.b.server.fetch(`http://beta.internal${path}`, {
      method: 'POST',
      headers: { host: 'beta.internal', 'content-type': type },
      body,
    })

  it.each<[string, string, string, number, string]>([
    ['no JSON', '{"a":', 'application/json', 400, 'INVALID_REQUEST_FORMAT'],
    ['no object', '[1]', 'application/json', 400, 'INVALID_REQUEST_FORMAT'],
    ['a name twice', '{"a":1,"a":2}', 'application/json', 400, 'INVALID_REQUEST_FORMAT'],
    ['no end', `{"a":"${'x'.repeat(70_000)}"}`, 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    ['another type', 'hello', 'text/plain', 400, 'INVALID_REQUEST_FORMAT'],
  ])('%s is refused in the shape of LNURL', async (_what, body, type, status, code) => {
    for (const path of ['/uma/settle', '/uma/payreq/0199dccc-4a80-7000-8000-000000000000']) {
      const response = await post(path, body, type)
      const answer = await response.json()
      expect({ path, status: response.status, answer }).toEqual({
        path,
        status,
        answer: { status: 'ERROR', reason: expect.any(String), code },
      })
    }
  })
})
