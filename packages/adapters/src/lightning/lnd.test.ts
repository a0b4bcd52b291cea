import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lndNode } from './lnd.ts'

// Exchanges as the public documentation of LND's REST interface has them, over TLS with a certificate that the node has
// made for itself. The key beside it is for this test alone.

const pem = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
const certificate = pem('node-cert.pem')
const world = { fetch: undiciFetch as unknown as typeof fetch }
const macaroon = '0201036c6e64'

const preimage = '0c'.repeat(32)
const paymentHash = 'ff'.repeat(31).concat('fe')
const descriptionHash = 'd1'.repeat(32)
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

interface Asked {
  readonly line: string
  readonly macaroon: unknown
  readonly body: unknown
}
/** What the node answers to a request line: status and lines of the body; a stream stays open after its lines. */
type Answers = Readonly<Record<string, readonly [number, ...object[]] | 'STREAM' | 'BROKEN'>>
/** What the gateway says itself, before anybody has looked for what was asked. */
const noSuchAddress = { code: 5, message: 'Not Found', details: [] }
let answers: Answers = {}
let streamed: object = {}
const asked: Asked[] = []
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer({ key: pem('node-key.pem'), cert: certificate }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      const text = Buffer.concat(chunks).toString()
      const { 'grpc-metadata-macaroon': given } = request.headers
      asked.push({ line, macaroon: given, body: text === '' ? undefined : JSON.parse(text) })
      const answer = answers[line] ?? [404, noSuchAddress]
      if (answer === 'BROKEN') return void response.destroy()
      if (answer === 'STREAM') return void response.write(`${JSON.stringify(streamed)}\n`)
      const [status, ...lines] = answer
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(lines.map((value) => `${JSON.stringify(value)}\n`).join(''))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})
beforeEach(() => {
  asked.length = 0
  answers = {}
})

const node = () => lndNode(world, { url: `${url}/`, macaroon, tlsCertificate: certificate })
const payment = { invoice: 'lnbc1invoice', paymentHash }

describe('the node', () => {
  it('is believed with its own certificate alone, and told who asks by the macaroon', async () => {
    answers = { [`GET /v1/invoice/${paymentHash}`]: [200, { state: 'OPEN' }] }
    expect(await node().lookUpInvoice(paymentHash)).toEqual({ status: 'OPEN' })
    expect(asked).toMatchObject([{ macaroon }])
    const stranger = lndNode(world, { url, macaroon })
    expect(await stranger.lookUpInvoice(paymentHash)).toEqual({ status: 'UNKNOWN' })
    expect(asked).toHaveLength(1)
  })
})

describe('an invoice', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const order = { paymentHash, preimage, amountMsats: 22_883_001n, descriptionHash, expiresAt: now + 300_900 }

  it('is made for our preimage, to the millisatoshi', async () => {
    answers = {
      'POST /v1/invoices': [
        200,
        {
          r_hash: base64(paymentHash),
          payment_request: 'lnbc1made',
          add_index: '7',
          payment_addr: base64('aa'),
        },
      ],
    }
    expect(await node().createInvoice(order, now)).toBe('lnbc1made')
    expect(asked[0]!.body).toEqual({
      r_preimage: base64(preimage),
      value_msat: '22883001',
      description_hash: base64(descriptionHash),
      expiry: '300',
    })
  })

  it('that is there already, or whose answer was lost, is read', async () => {
    for (const made of [
      [500, { code: 2, message: 'invoice with payment hash already exists' }],
      'BROKEN',
    ] as const) {
      answers = {
        'POST /v1/invoices': made,
        [`GET /v1/invoice/${paymentHash}`]: [200, { payment_request: 'lnbc1made', state: 'OPEN' }],
      }
      expect(await node().createInvoice(order, now)).toBe('lnbc1made')
    }
    answers = { 'POST /v1/invoices': 'BROKEN' }
    expect(await node().createInvoice(order, now)).toBeUndefined()
    asked.length = 0
    expect(await node().createInvoice(order, order.expiresAt)).toBeUndefined()
    expect(asked).toEqual([])
  })

  it.each([
    ['open', [200, { state: 'OPEN' }], { status: 'OPEN' }],
    ['of which a part has come', [200, { state: 'ACCEPTED' }], { status: 'OPEN' }],
    [
      'settled',
      [200, { state: 'SETTLED', amt_paid_msat: '22883001' }],
      { status: 'SETTLED', paidMsats: 22_883_001n },
    ],
    ['settled with nothing', [200, { state: 'SETTLED', amt_paid_msat: '0' }], { status: 'UNKNOWN' }],
    ['taken back', [200, { state: 'CANCELED' }], { status: 'CANCELLED' }],
    [
      'unknown',
      [404, { code: 5, message: 'unable to locate invoice', details: [] }],
      { status: 'NOT_FOUND' },
    ],
    [
      'unknown to an older node',
      [500, { code: 2, message: 'unable to locate invoice' }],
      { status: 'NOT_FOUND' },
    ],
    ['behind a locked node', [503, { code: 2, message: 'wallet locked' }], { status: 'UNKNOWN' }],
    ['at an address that the node does not have', [404, noSuchAddress], { status: 'UNKNOWN' }],
    ['in a state to come', [200, { state: 'HELD' }], { status: 'UNKNOWN' }],
    ['without an answer', 'BROKEN', { status: 'UNKNOWN' }],
  ] as const)('%s is understood', async (_what, answer, state) => {
    answers = { [`GET /v1/invoice/${paymentHash}`]: answer as never }
    expect(await node().lookUpInvoice(paymentHash)).toEqual(state)
  })

  it('is taken back for sure, or not', async () => {
    const cancel = 'POST /v2/invoices/cancel'
    const look = `GET /v1/invoice/${paymentHash}`
    answers = { [cancel]: [200, {}], [look]: [200, { state: 'CANCELED' }] }
    expect(await node().cancelInvoice(paymentHash)).toBe(true)
    expect(asked[0]!.body).toEqual({ payment_hash: base64(paymentHash) })
    answers = {
      [cancel]: [500, { code: 2, message: 'invoice already settled' }],
      [look]: [200, { state: 'SETTLED', amt_paid_msat: '1' }],
    }
    expect(await node().cancelInvoice(paymentHash)).toBe(false)
    answers = { [cancel]: 'BROKEN', [look]: 'BROKEN' }
    expect(await node().cancelInvoice(paymentHash)).toBe(false)
  })

  it.each([
    ['whole', {}, 'read'],
    ['without an amount', { num_msat: '0' }, 'UNREADABLE'],
    ['without a hash of its description', { description_hash: '' }, 'UNREADABLE'],
    ['without a payment hash', { payment_hash: 'x' }, 'UNREADABLE'],
  ] as const)('%s is decoded by the node', async (_what, change, expected) => {
    const decoded = {
      destination: '02aa',
      payment_hash: paymentHash,
      num_satoshis: '22883',
      num_msat: '22883001',
      timestamp: '1795348800',
      expiry: '300',
      description: '',
      description_hash: descriptionHash,
      ...change,
    }
    answers = { 'GET /v1/payreq/lnbc1invoice': [200, decoded] }
    expect(await node().decode('lnbc1invoice')).toEqual(
      expected === 'read'
        ? { paymentHash, descriptionHash, amountMsats: 22_883_001n, expiresAt: 1_795_349_100_000 }
        : expected,
    )
  })

  it('that is none is told from a node that does not answer', async () => {
    answers = {
      'GET /v1/payreq/x': [500, { code: 2, message: 'checksum failed' }],
      'GET /v1/payreq/y': 'BROKEN',
    }
    expect(await node().decode('x')).toBe('UNREADABLE')
    expect(await node().decode('y')).toBe('UNAVAILABLE')
  })
})

describe('the outputs of a payment', () => {
  const outpoint = (byte: string) => `${byte.repeat(32)}:1`
  const channels = [
    { chan_id: '11', channel_point: outpoint('aa'), private: true },
    { chan_id: '22', channel_point: outpoint('bb') },
    { chan_id: '33', channel_point: 'none' },
  ]
  const ways = {
    SENT: {
      line: `GET /v2/router/track/${base64(paymentHash).replaceAll('/', '_').replaceAll('+', '-')}`,
      settled: 'SUCCEEDED',
      part: (channel: string, amount: string, status: string) => ({
        status,
        route: { total_amt_msat: amount, hops: [{ chan_id: channel }, { chan_id: '99' }] },
      }),
      wrap: (htlcs: object[]) => ({ result: { status: 'SUCCEEDED', htlcs } }),
    },
    RECEIVED: {
      line: `GET /v1/invoice/${paymentHash}`,
      settled: 'SETTLED',
      part: (channel: string, amount: string, state: string) => ({
        state,
        chan_id: channel,
        amt_msat: amount,
      }),
      wrap: (htlcs: object[]) => ({ state: 'SETTLED', htlcs }),
    },
  }

  it.each(['SENT', 'RECEIVED'] as const)(
    'that was %s are those of our channels, added up',
    async (direction) => {
      const { line, part, settled, wrap } = ways[direction]
      const htlcs = [
        part('11', '1000', settled),
        part('22', '500', settled),
        part('11', '234', settled),
        part('22', '9', 'FAILED'),
        part('33', '7', settled),
        part('44', '7', settled),
      ]
      answers = { [line]: [200, wrap(htlcs)], 'GET /v1/channels': [200, { channels }] }
      expect(await node().outputsOf({ paymentHash, direction })).toEqual([
        { utxo: outpoint('aa'), amountMsats: 1_234n },
        { utxo: outpoint('bb'), amountMsats: 500n },
      ])
    },
  )

  it.each(['SENT', 'RECEIVED'] as const)(
    'that was %s are none where the node does not say',
    async (direction) => {
      const { line, part, settled, wrap } = ways[direction]
      for (const answer of [
        'BROKEN',
        [404, noSuchAddress],
        [200, wrap([])],
        [200, wrap([{}, part('11', '-1', settled)])],
        [200, wrap([part('11', '1', settled)])],
      ] as const) {
        answers = { [line]: answer as never, 'GET /v1/channels': 'BROKEN' }
        expect(await node().outputsOf({ paymentHash, direction })).toEqual([])
      }
    },
  )
})

const succeeded = {
  result: { payment_hash: paymentHash, status: 'SUCCEEDED', payment_preimage: preimage, fee_msat: '1013' },
}
const inFlight = {
  result: { payment_hash: paymentHash, status: 'IN_FLIGHT', payment_preimage: '0'.repeat(64) },
}
const paid = { status: 'SUCCEEDED', preimage, feeMsats: 1_013n }

describe('a payment', () => {
  const send = 'POST /v2/router/send'

  it.each([
    ['that arrives at once', [200, succeeded], paid],
    [
      'that finds no way',
      [200, { result: { status: 'FAILED', failure_reason: 'FAILURE_REASON_NO_ROUTE' } }],
      { status: 'FAILED' },
    ],
    [
      'of an invoice that is over',
      [500, { error: { code: 2, message: 'invoice expired.' } }],
      { status: 'UNKNOWN' },
    ],
    [
      'that was made before',
      [409, { error: { code: 6, message: 'invoice is already paid' } }],
      { status: 'UNKNOWN' },
    ],
    ['that is denied', [403, { error: { code: 7, message: 'permission denied' } }], { status: 'UNKNOWN' }],
    ['whose answer is lost', 'BROKEN', { status: 'UNKNOWN' }],
    ['with another answer', [200, { result: { status: 'SETTLED' } }], { status: 'UNKNOWN' }],
    ['without its proof', [200, { result: { status: 'SUCCEEDED' } }], { status: 'UNKNOWN' }],
    [
      'and the answer tells of another',
      [200, { result: { ...succeeded.result, payment_hash: 'ff'.repeat(32) } }],
      { status: 'UNKNOWN' },
    ],
  ] as const)('%s', async (_what, answer, outcome) => {
    answers = { [send]: answer as never }
    expect(await node().pay({ ...payment, maxFeeMsats: 10_000n })).toEqual(outcome)
    expect(asked).toMatchObject([
      { line: send, body: { payment_request: 'lnbc1invoice', fee_limit_msat: '10000', timeout_seconds: 30 } },
    ])
  })

  it('of an invoice that leaves the amount open says it', async () => {
    answers = { [send]: [200, succeeded] }
    expect(await node().pay({ ...payment, maxFeeMsats: 1n, amountMsats: 7_000n })).toEqual(paid)
    expect(asked[0]!.body).toMatchObject({ amt_msat: '7000', fee_limit_msat: '1' })
  })

  it('that is under way is not waited for: the first line of the stream tells', async () => {
    answers = { [send]: 'STREAM' }
    streamed = inFlight
    expect(await node().pay({ ...payment, maxFeeMsats: 10_000n })).toEqual({ status: 'PENDING' })
  })

  // Bytes in a path are URL-safe: this hash has a slash in ordinary base64.
  const track = `GET /v2/router/track/${base64(paymentHash).replaceAll('/', '_').replaceAll('+', '-')}`
  it.each([
    ['that has arrived', [200, succeeded], paid],
    ['that waits', 'STREAM', { status: 'PENDING' }],
    ['that has failed', [200, { result: { status: 'FAILED' } }], { status: 'FAILED' }],
    ['that is new', [200, { result: { status: 'INITIATED' } }], { status: 'PENDING' }],
    [
      'that was never made',
      [404, { error: { code: 5, message: "payment isn't initiated", details: [] } }],
      { status: 'NOT_FOUND' },
    ],
    ['at an address that the node does not have', [404, noSuchAddress], { status: 'UNKNOWN' }],
    ['while the node is locked', [503, { code: 14, message: 'waiting to start' }], { status: 'UNKNOWN' }],
    ['without an answer', 'BROKEN', { status: 'UNKNOWN' }],
  ] as const)('%s is tracked', async (_what, answer, outcome) => {
    streamed = inFlight
    answers = { [track]: answer as never }
    expect(await node().track(payment)).toEqual(outcome)
    expect(asked.map(({ line }) => line)).toEqual([track])
  })
})
