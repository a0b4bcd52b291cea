import { createPublicKey, randomUUID, verify } from 'node:crypto'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clabe, paymentApi } from './payment-api.ts'
import { basic, json } from './raw-calls.ts'

const posts: { url: string; id: string; type: string; body: string; headers: Headers }[] = []
const server = await openTestServer({
  network: (async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const body = String(init.body)
    const { type } = JSON.parse(body) as { type: string }
    posts.push({ url: String(url), id: headers.get('x-webhook-id')!, type, body, headers })
    const isRefused = String(url).endsWith('refuses-first') && headers.get('x-webhook-attempt') === '1'
    return new Response('ok', { status: isRefused ? 500 : 200 })
  }) as typeof fetch,
})
let address: string
beforeAll(async () => {
  address = `${await server.listen()}/2025-10-13`
})
afterAll(() => server.expectSoundLedger())

type Body = Record<string, unknown>

/** A platform that is spoken to over a real connection, which can be cut. */
async function sandbox() {
  const payments = await paymentApi(server)
  const { api, platform } = payments
  const create = (body: Body) => must(api.POST('/sandbox/faults', { body: body as never }))
  const refused = async (body: Body) => (await api.POST('/sandbox/faults', { body: body as never })).error
  const activations = async (faultId: string) => {
    const { data } = await must(
      api.GET('/sandbox/faults/{faultId}/activations', { params: { path: { faultId } } }),
    )
    return data
  }
  const send = (method: string, path: string, { body, key }: { body?: Body; key?: string } = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: basic(platform),
        ...(body ? json : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const customers = async () => (await must(api.GET('/customers'))).totalCount
  return { ...payments, create, refused, activations, send, customers }
}

const person = (name: string) => ({
  customerType: 'INDIVIDUAL',
  platformCustomerId: name,
  fullName: 'Ana Row',
  region: 'US',
})

describe('a fault (6.2)', () => {
  it('is created, listed, read and deleted, and counts what it hits', async () => {
    const { api, create, activations, send } = await sandbox()
    const fault = await create({
      kind: 'ERROR',
      target: 'API',
      match: { operationId: 'listCustomers' },
      times: 2,
    })
    expect(fault).toMatchObject({
      probability: 1,
      after: 0,
      seed: '',
      params: {},
      hidden: false,
      seen: 0,
      hits: 0,
    })
    const answers = [
      await send('GET', '/customers'),
      await send('GET', '/customers'),
      await send('GET', '/customers'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 200])
    expect(answers.map(({ headers }) => headers.get('x-corridor-fault'))).toEqual([fault.id, fault.id, null])
    const path = { faultId: fault.id }
    expect(await must(api.GET('/sandbox/faults/{faultId}', { params: { path } }))).toMatchObject({ hits: 2 })
    const hits = await activations(fault.id)
    expect(hits.map(({ requestId }) => requestId)).toEqual(
      [answers[1], answers[0]].map((answer) => answer!.headers.get('x-request-id')),
    )
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(1)
    await api.DELETE('/sandbox/faults/{faultId}', { params: { path } })
    const gone = await api.GET('/sandbox/faults/{faultId}', { params: { path } })
    expect(gone.error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  })

  it('hits those alone that it is meant for, after those that it lets pass, until it ends', async () => {
    const { create, send, platform, api } = await sandbox()
    const until = new Date((await server.now(platform)) + 60_000).toISOString()
    await create({ kind: 'ERROR', target: 'API', match: { customerId: 'Customer:x' }, until, after: 1 })
    const ask = async (id: string) =>
      (await send('GET', `/customers/internal-accounts?customerId=${id}`)).status
    expect(await ask('Customer:x')).not.toBe(500)
    expect(await ask('Customer:y')).not.toBe(500)
    expect(await ask('Customer:x')).toBe(500)
    await server.advance(platform, 60_000)
    expect(await ask('Customer:x')).not.toBe(500)
    await api.DELETE('/sandbox/faults')
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
  })

  it('is refused where it is meant for a rail that is none, or bears the name of a prototype', async () => {
    const { api, create, refused, send } = await sandbox()
    expect(await refused({ kind: 'OUTAGE', target: 'RAIL', match: { railId: 'x' } })).toMatchObject({
      details: { errors: [{ field: 'match.railId', message: 'is not a rail' }] },
    })
    for (const railId of ['SPEI', 'UMA']) await create({ kind: 'OUTAGE', target: 'RAIL', match: { railId } })
    const proto = (text: string) => JSON.parse(text) as Body
    const fieldsOf = async (path: string, body: Body) => {
      const answer = await send('POST', path, { body })
      const { details } = (await answer.json()) as { details?: { errors: { field: string }[] } }
      return [answer.status, ...(details?.errors ?? []).map(({ field }) => field).sort()]
    }
    const file = proto(`{ "__proto__": 1, "constructor": 1, "faults": [
      { "kind": "OUTAGE", "target": "RAIL", "__proto__": { "kind": "ERROR" }, "prototype": {} },
      { "kind": "OUTAGE", "target": "RAIL", "match": { "\\u005f_proto__": null }, "params": { "constructor": 1 } }]}`)
    expect(await fieldsOf('/sandbox/faults/apply', file)).toEqual([
      400,
      '__proto__',
      'constructor',
      'faults.0.__proto__',
      'faults.0.prototype',
      'faults.1.match.__proto__',
      'faults.1.params.constructor',
    ])
    const one = proto(
      '{ "kind": "OUTAGE", "target": "RAIL", "match": { "__proto__": { "railId": "SPEI" } } }',
    )
    expect(await fieldsOf('/sandbox/faults', one)).toEqual([400, 'match.__proto__'])
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(2)
  })

  it('is refused with all that is wrong with it', async () => {
    const { refused, api } = await sandbox()
    expect(
      await refused({
        kind: 'LATENCY',
        target: 'RAIL',
        match: { operationId: 'listCustomers' },
        params: { outcome: '002' },
        until: '2020-01-01T00:00:00Z',
        probability: 2,
      }),
    ).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        errors: expect.arrayContaining(
          ['probability', 'kind', 'match.operationId', 'params.outcome', 'params.ms', 'until'].map((field) =>
            expect.objectContaining({ field }),
          ),
        ),
      },
    })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
    expect(await refused({ kind: 'ERROR', target: 'API', params: { code: 'NO_SUCH' } })).toMatchObject({
      details: { field: 'params.code' },
    })
  })

  it('is refused with a match or a parameter that nobody knows: it would hit everything', async () => {
    const { refused, api } = await sandbox()
    const match = { rail: 'SEPA_INSTANT' }
    const params = { milliseconds: 5 }
    expect(await refused({ kind: 'SILENCE', target: 'RAIL', match, params })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors: [{ field: 'match.rail' }, { field: 'params.milliseconds' }] },
    })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
  })

  it('is refused with a member that nobody knows beside the others, and told where it belongs', async () => {
    const { refused, api } = await sandbox()
    const beside = { operationId: 'createQuote', ms: 5, maches: {} }
    expect(await refused({ kind: 'REORDER', target: 'API', params: { n: 2 }, ...beside })).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        errors: [
          { field: 'operationId', message: 'does not belong here: move it to match' },
          { field: 'ms', message: 'does not belong here: move it to params' },
          { field: 'maches', message: 'is not known' },
          {
            field: 'kind',
            message:
              'is not a kind for API: use LOST_ANSWER, REFUSED, ERROR, RATE_LIMITED, LATENCY, SLOW_BODY, TRUNCATED',
          },
        ],
      },
    })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
  })

  it('is meant for an operation that there is, and that can be made to fail', async () => {
    const { refused } = await sandbox()
    for (const operationId of ['createQoute', 'createSandboxFault', 'toString', 'createPlatform']) {
      expect(await refused({ kind: 'ERROR', target: 'API', match: { operationId } })).toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'match.operationId' },
      })
    }
  })

  it('is of the sandbox alone, and of one platform alone', async () => {
    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    const { error } = await production.POST('/sandbox/faults', { body: { kind: 'ERROR', target: 'API' } })
    expect(error).toMatchObject({ status: 403 })
    const { create } = await sandbox()
    await create({ kind: 'ERROR', target: 'API' })
    const other = await sandbox()
    expect((await other.send('GET', '/customers')).status).toBe(200)
  })
})

describe('a fault of the API (6.2)', () => {
  it('LOST_ANSWER: the work is done, the connection is cut, and the same key finds the answer', async () => {
    const { create, send, customers } = await sandbox()
    await create({ kind: 'LOST_ANSWER', target: 'API', match: { operationId: 'createCustomer' }, times: 1 })
    const before = await customers()
    const request = { body: person('lost'), key: 'lost-1' }
    await expect(send('POST', '/customers', request)).rejects.toThrow()
    expect(await customers()).toBe(before + 1)
    const again = await send('POST', '/customers', request)
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await customers()).toBe(before + 1)
  })

  it('REFUSED: nothing is done and the connection is cut', async () => {
    const { create, send, customers, activations, api } = await sandbox()
    const fault = await create({
      kind: 'REFUSED',
      target: 'API',
      match: { operationId: 'createCustomer' },
      times: 1,
    })
    const before = await customers()
    await expect(send('POST', '/customers', { body: person('refused') })).rejects.toThrow()
    expect(await customers()).toBe(before)
    // Whoever had no answer finds by the activation what it was that had none.
    const [{ requestId } = { requestId: null }] = await activations(fault.id)
    const params = { path: { requestId: requestId! } }
    expect(await must(api.GET('/request-log/{requestId}', { params }))).toMatchObject({
      operation: 'createCustomer',
      method: 'POST',
      path: '/customers',
      status: 0,
      code: null,
    })
    const list = await must(api.GET('/request-log', { params: { query: { status: ['0'] } } }))
    expect(list.data.map((each) => each.requestId)).toEqual([requestId])
    const explained = await must(api.GET('/explain/{id}', { params: { path: { id: requestId! } } }))
    expect(explained).toMatchObject({
      sentence: expect.stringMatching(
        /^POST \/customers got no response after \d+ ms, because the connection was closed\.$/,
      ),
      status: { now: 'NO_ANSWER', safeToRetry: { answer: 'YES', why: 'the request had no effect' } },
      timeline: [
        { kind: 'FAULT', ref: fault.id },
        { kind: 'REQUEST', text: 'POST /customers got no response, because the connection was closed' },
      ],
    })
    expect((await send('POST', '/customers', { body: person('refused') })).status).toBe(201)
  })

  it.each([
    [{ status: 503 }, 503, 'SERVICE_UNAVAILABLE'],
    [{ code: 'QUOTE_EXPIRED' }, 409, 'QUOTE_EXPIRED'],
    [{}, 500, 'INTERNAL_ERROR'],
  ])('ERROR with %o answers %i %s, and nothing is done', async (params, status, code) => {
    const { create, send, customers } = await sandbox()
    await create({ kind: 'ERROR', target: 'API', match: { operationId: 'createCustomer' }, params, times: 1 })
    const before = await customers()
    const answer = await send('POST', '/customers', { body: person('error') })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ status, code })
    expect(await customers()).toBe(before)
  })

  it.each([
    ['listQuotes', 409, 'CONFLICT'],
    ['executeQuote', 409, 'CONFLICT'],
    ['listQuotes', 404, 'REFERENCE_NOT_FOUND'],
    ['getQuoteById', 404, 'QUOTE_NOT_FOUND'],
    ['listQuotes', 403, 'FORBIDDEN'],
    ['createQuote', 400, 'INVALID_INPUT'],
    ['listQuotes', 429, 'RATE_LIMITED'],
  ])('ERROR of %s with the status %i alone has a code that fits: %s', async (operationId, status, code) => {
    const { create, send } = await sandbox()
    await create({ kind: 'ERROR', target: 'API', match: { operationId }, params: { status } })
    const paths: Record<string, [string, string]> = {
      listQuotes: ['GET', '/quotes'],
      createQuote: ['POST', '/quotes'],
      getQuoteById: ['GET', '/quotes/Quote:1'],
      executeQuote: ['POST', '/quotes/Quote:1/execute'],
    }
    const [method, path] = paths[operationId]!
    const answer = await send(method, path, method === 'POST' ? { body: {} } : {})
    expect(await answer.json()).toMatchObject({ status, code })
  })

  it('ERROR with a status that no error has is refused, and told which there are', async () => {
    const { api } = await sandbox()
    const make = (target: string, params: object) =>
      api.POST('/sandbox/faults', { body: { kind: 'ERROR', target, params } as never })
    const { error } = await make('API', { status: 418 })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect((error as { details: object }).details).toMatchObject({
      errors: [
        {
          field: 'params.status',
          message:
            'must be an error status of the API: 400, 401, 403, 404, 405, 409, 410, 412, 413, 423, 424, 429, 500, 501, 503',
        },
      ],
    })
    // Others answer what they like.
    expect((await make('WEBHOOK', { status: 418 })).response.status).toBe(201)
    expect((await make('UMA', { status: 418 })).response.status).toBe(201)
  })

  it('RATE_LIMITED says when to come back', async () => {
    const { create, send } = await sandbox()
    const params = { retryAfter: 7 }
    await create({ kind: 'RATE_LIMITED', target: 'API', params, times: 1, hidden: true })
    const answer = await send('GET', '/customers')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(answer.headers.get('x-corridor-fault')).toBeNull()
  })

  it('LATENCY waits as long as is said', async () => {
    const { create, send } = await sandbox()
    await create({
      kind: 'LATENCY',
      target: 'API',
      match: { operationId: 'listCustomers' },
      params: { ms: 5_000 },
    })
    let isAnswered = false
    const answer = send('GET', '/customers').then((answered) => {
      isAnswered = true
      return answered
    })
    const other = await send('GET', '/tokens')
    expect(other.status).toBe(200)
    while (!isAnswered) await server.pass(1_000)
    expect((await answer).status).toBe(200)
  })

  it('TRUNCATED sends half of the body', async () => {
    const { create, send } = await sandbox()
    await create({ kind: 'TRUNCATED', target: 'API', times: 1 })
    const answer = await send('GET', '/customers')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  it('SLOW_BODY sends a part of it each second', async () => {
    const { create, send } = await sandbox()
    await create({ kind: 'SLOW_BODY', target: 'API', params: { bytesPerSecond: 200 }, times: 1 })
    let text: string | undefined
    const answer = await send('GET', '/customers')
    void answer.text().then((read) => {
      text = read
    })
    expect(text).toBeUndefined()
    while (text === undefined) await server.pass(1_000)
    expect(JSON.parse(text)).toMatchObject({ totalCount: 1 })
  })
})

describe('a fault of webhooks (6.2)', () => {
  /** An endpoint of its own, and what reaches it. */
  async function told(body: Body, name = 'hooks') {
    const endpoint = `https://${randomUUID()}.example.com/${name}`
    const stage = await sandbox()
    await must(stage.api.PATCH('/config', { body: { webhookEndpoint: endpoint } }))
    const fault = await stage.create({
      target: 'WEBHOOK',
      match: { eventType: 'INCOMING_PAYMENT.COMPLETED' },
      times: 1,
      ...body,
    })
    await fund(stage.api, stage.usd.id, 1_000)
    await server.settle()
    const reached = () =>
      posts.filter(({ url, type }) => url === endpoint && type === 'INCOMING_PAYMENT.COMPLETED')
    return { ...stage, fault, reached }
  }

  it('is refused where it would have an event taken for delivered that nobody was sent', async () => {
    const { refused } = await sandbox()
    const body = { kind: 'ERROR', target: 'WEBHOOK', params: { status: 409 } }
    expect(await refused(body)).toMatchObject({ details: { errors: [{ field: 'params.status' }] } })
  })

  it('DUPLICATE sends the same event as often as is said', async () => {
    const { reached, activations, fault } = await told({ kind: 'DUPLICATE', params: { copies: 3 } })
    expect(reached()).toHaveLength(3)
    expect(new Set(reached().map(({ id }) => id)).size).toBe(1)
    expect(reached()[0]!.headers.get('x-corridor-fault')).toBe(fault.id)
    expect((await activations(fault.id)).map(({ subject }) => subject)).toEqual([reached()[0]!.id])
  })

  it('BAD_SIGNATURE differs in one bit from the signature of the next attempt', async () => {
    const { reached } = await told({ kind: 'BAD_SIGNATURE' }, 'refuses-first')
    await server.pass(60_000)
    const [bad, good] = reached().map(({ headers }) =>
      Buffer.from(headers.get('x-grid-signature')!, 'base64'),
    )
    expect(bad).toHaveLength(good!.length)
    const differing = [...bad!].map((byte, at) => byte ^ good![at]!).filter((bits) => bits !== 0)
    expect(differing).toEqual([1])
  })

  it('STALE_KEY is a true signature, of a key that is published nowhere', async () => {
    const { reached, platform } = await told({ kind: 'STALE_KEY' }, 'refuses-first')
    await server.pass(60_000)
    const [stale, good] = reached()
    expect(stale!.headers.get('x-webhook-key-id')).not.toBe(good!.headers.get('x-webhook-key-id'))
    expect(stale!.headers.get('x-grid-signature')).not.toBe(good!.headers.get('x-grid-signature'))
    const page = await server.fetch(
      `http://corridor.test/.well-known/webhook-public-key?platform=${platform.clientId}`,
    )
    const key = createPublicKey(await page.text())
    const isKnown = ({ body, headers }: (typeof posts)[number]) =>
      verify('sha256', Buffer.from(body), key, Buffer.from(headers.get('x-grid-signature')!, 'base64'))
    expect(reached().map(isKnown)).toEqual([false, true])
  })

  it.each([{ kind: 'REFUSED' }, { kind: 'ERROR', params: { status: 502 } }])(
    '$kind: it is not sent, and arrives with the next attempt',
    async (body) => {
      const { reached } = await told(body)
      expect(reached()).toHaveLength(0)
      await server.pass(60_000)
      expect(reached()).toHaveLength(1)
    },
  )
})

describe('a fault that makes webhooks late (6.2)', () => {
  const eventType = 'INCOMING_PAYMENT.COMPLETED'

  /** An endpoint that is told of deposits; the amounts that reached it, in their order. */
  async function late(body: Body, name = 'hooks') {
    const endpoint = `https://${randomUUID()}.example.com/${name}`
    const stage = await sandbox()
    await must(stage.api.PATCH('/config', { body: { webhookEndpoint: endpoint } }))
    const fault = await stage.create({ target: 'WEBHOOK', match: { eventType }, ...body })
    const deposit = async (...amounts: number[]) => {
      for (const amount of amounts) {
        await fund(stage.api, stage.usd.id, amount)
        await server.settle()
      }
    }
    const own = () => posts.filter(({ url, type }) => url === endpoint && type === eventType)
    const reached = () =>
      own().map(
        ({ body }) =>
          (JSON.parse(body) as { data: { receivedAmount: { amount: number } } }).data.receivedAmount.amount,
      )
    const hits = async () => (await stage.activations(fault.id)).length
    const advance = (seconds: number) => server.advance(stage.platform, seconds * 1000)
    return { ...stage, fault, deposit, own, reached, hits, advance }
  }

  it.each([
    { kind: 'DELAY', params: { seconds: 3_600 }, seconds: 3_600 },
    { kind: 'LATENCY', params: { ms: 20_000 }, seconds: 20 },
  ])('$kind: each is sent once, as late as is said on the clock', async ({ seconds, ...body }) => {
    const { deposit, reached, hits, advance, own, platform } = await late(body)
    await deposit(1_000)
    await advance(seconds - 2)
    expect(reached()).toEqual([])
    await advance(2)
    expect(reached()).toEqual([1_000])
    expect(own()[0]!.headers.get('x-webhook-attempt')).toBe('1')
    await server.advance(platform, 86_400_000)
    expect(reached()).toEqual([1_000])
    expect(await hits()).toBe(1)
  })

  it('one that was late and is not taken is sent again as ever, and is late no second time', async () => {
    const { deposit, reached, hits, advance } = await late(
      { kind: 'DELAY', params: { seconds: 60 } },
      'refuses-first',
    )
    await deposit(1_000)
    await advance(60)
    expect(reached()).toEqual([1_000])
    await advance(10)
    expect(reached()).toEqual([1_000, 1_000])
    expect(await hits()).toBe(1)
  })

  it('DELAY by six days is taken, and by more is not: it could not be sent again', async () => {
    const { create, refused } = await sandbox()
    const delay = (seconds: number) => ({ kind: 'DELAY', target: 'WEBHOOK', params: { seconds } })
    await create(delay(518_400))
    expect(await refused(delay(518_401))).toMatchObject({ details: { field: 'params.seconds' } })
    expect(await refused({ kind: 'REORDER', target: 'WEBHOOK', params: { n: 1 } })).toMatchObject({
      details: { field: 'params.n' },
    })
  })

  it('REORDER: as many as are said come in another order, each once, and the next ones again', async () => {
    const { deposit, reached, hits, advance } = await late({ kind: 'REORDER', params: { n: 3 } })
    await deposit(1, 2, 3, 4, 5, 6)
    expect(reached()).toEqual([])
    await advance(20)
    const [first, second] = [
      reached().filter((amount) => amount <= 3),
      reached().filter((amount) => amount > 3),
    ]
    expect([...first].sort()).toEqual([1, 2, 3])
    expect([...second].sort()).toEqual([4, 5, 6])
    expect(first.indexOf(2)).toBeLessThan(first.indexOf(1))
    expect(second.indexOf(5)).toBeLessThan(second.indexOf(4))
    await advance(86_400)
    expect(reached()).toHaveLength(6)
    expect(await hits()).toBe(6)
  })

  it('REORDER: where fewer come they are sent when its time is over, and one alone as well', async () => {
    const { deposit, reached, advance } = await late({ kind: 'REORDER', params: { n: 20, seconds: 600 } })
    await deposit(1, 2)
    await advance(599)
    expect(reached()).toEqual([])
    await advance(30)
    expect(reached()).toEqual([2, 1])
    await deposit(3)
    await advance(630)
    expect(reached()).toEqual([2, 1, 3])
  })

  it('what is held back is sent although its fault is deleted, and its explanation says why it was late', async () => {
    const { deposit, reached, advance, api, fault, activations } = await late({
      kind: 'DELAY',
      params: { seconds: 60 },
    })
    await deposit(1_000)
    const { subject } = (await activations(fault.id))[0]!
    await api.DELETE('/sandbox/faults')
    await advance(60)
    expect(reached()).toEqual([1_000])
    const { timeline } = await must(api.GET('/explain/{id}', { params: { path: { id: subject } } }))
    expect(timeline.map(({ kind }) => kind)).toEqual(['TRANSITION', 'FAULT', 'WEBHOOK'])
    expect(timeline[1]).toMatchObject({
      ref: fault.id,
      text: expect.stringContaining('⚑ fault, WEBHOOK DELAY'),
    })
  })
})

describe('how many faults there may be (6.2)', () => {
  it('is a hundred, also of those that are made at the same moment', async () => {
    const { api } = await sandbox()
    const body = { kind: 'ERROR', target: 'RAIL' } as never
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => api.POST('/sandbox/faults', { body })),
    )
    const codes = answers.map(({ error }) => (error as { code?: string } | undefined)?.code ?? 'made')
    const { totalCount } = await must(api.GET('/sandbox/faults'))
    expect(totalCount).toBeLessThanOrEqual(100)
    expect(codes.filter((code) => code === 'made')).toHaveLength(totalCount!)
    expect(new Set(codes)).toEqual(new Set(['made', 'CONFLICT']))
    // There is room for as many as are gone, and for all of a file or none of it.
    await api.DELETE('/sandbox/faults')
    const file = (count: number) => ({ body: { faults: Array.from({ length: count }, () => body) } as never })
    expect((await api.POST('/sandbox/faults/apply', file(60))).error).toBeUndefined()
    expect((await api.POST('/sandbox/faults/apply', file(41))).error).toMatchObject({ code: 'CONFLICT' })
    expect((await api.POST('/sandbox/faults/apply', file(40))).error).toBeUndefined()
    expect((await api.POST('/sandbox/faults', { body })).error).toMatchObject({ code: 'CONFLICT' })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(100)
  })
})

describe('faults of a file (6.2)', () => {
  it('are made together, with its seed where they have none', async () => {
    const { api } = await sandbox()
    const faults = [
      { kind: 'ERROR', target: 'RAIL', probability: 0.5 },
      { kind: 'OUTAGE', target: 'RATES', seed: 'own' },
    ]
    const { data } = await must(api.POST('/sandbox/faults/apply', { body: { seed: 'all', faults } as never }))
    expect(data.map(({ kind, seed }) => [kind, seed])).toEqual([
      ['ERROR', 'all'],
      ['OUTAGE', 'own'],
    ])
  })

  it('are refused with all that is wrong with any of them, and then none is made', async () => {
    const { api } = await sandbox()
    const faults = [
      { kind: 'ERROR', target: 'RAIL' },
      { kind: 'LATENCY', target: 'API', params: { millis: 3 }, probabilty: 0.5 },
      'ERROR',
      { kind: 'REORDER', target: 'RATES', match: { rail: 'SPEI' }, probability: 2 },
    ]
    const { error } = await api.POST('/sandbox/faults/apply', { body: { sead: 1, faults } as never })
    const { errors } = (error as { details: { errors: { field: string }[] } }).details
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'faults.1.params.millis',
      'faults.1.params.ms',
      'faults.1.probabilty',
      'faults.2',
      'faults.3.kind',
      'faults.3.match.rail',
      'faults.3.params.n',
      'faults.3.probability',
      'sead',
    ])
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
  })
})

describe('a fault of the rates (6.2)', () => {
  async function quoting(body: Body) {
    const stage = await sandbox()
    const { api, customer, usd, create } = stage
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const asked = (more: object = {}) =>
      api.POST('/quotes', { body: quoteBody(usd, payee, 10_000, more) as never })
    const before = (await asked()).data!
    const fault = await create({ target: 'RATES', ...body })
    return { ...stage, asked, before, fault }
  }

  it('RATE_SHOCK: a quote is made at another rate, exactly, and keeps it', async () => {
    const { asked, before, fault, activations, api } = await quoting({
      kind: 'RATE_SHOCK',
      params: { bps: -2_500 },
      times: 1,
    })
    const [shocked, after] = [(await asked()).data!, (await asked()).data!]
    const exact = async (id: string) =>
      (await must(api.GET('/explain/{id}', { params: { path: { id } } }))).rate!.exact
    const [numerator, denominator = 1n] = (await exact(before.id)).split('/').map(BigInt)
    const [n, d = 1n] = (await exact(shocked.id)).split('/').map(BigInt)
    expect(n! * denominator * 4n).toBe(numerator! * d * 3n)
    expect(await exact(after.id)).toBe(await exact(before.id))
    expect((await activations(fault.id)).map(({ subject }) => subject)).toEqual([shocked.id])
    await execute(api, shocked.id)
    await server.settle()
    const { checks, timeline } = await must(
      api.GET('/explain/{id}', { params: { path: { id: shocked.id } } }),
    )
    expect(checks.every(({ holds }) => holds)).toBe(true)
    expect(timeline.find(({ kind }) => kind === 'FAULT')).toMatchObject({ ref: fault.id })
  })

  it('RATE_UNAVAILABLE: a quote is refused when it is executed, and nothing is exchanged', async () => {
    const { api, asked, before, transaction, balance } = await quoting({ kind: 'RATE_UNAVAILABLE', times: 2 })
    const path = { quoteId: before.id }
    const refused = await api.POST('/quotes/{quoteId}/execute', { params: { path } })
    expect(refused.error).toMatchObject({ status: 409, code: 'QUOTE_RATE_UNAVAILABLE' })
    expect(await transaction(before.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_RATE_UNAVAILABLE',
    })
    expect((await asked({ immediatelyExecute: true })).error).toMatchObject({
      code: 'QUOTE_RATE_UNAVAILABLE',
    })
    expect(await balance()).toBe(100_000)
    expect((await asked({ immediatelyExecute: true })).error).toBeUndefined()
  })

  it('OUTAGE: no quote can be created while the fault lasts', async () => {
    const { api, asked } = await quoting({ kind: 'OUTAGE' })
    expect((await asked()).error).toMatchObject({ code: 'QUOTE_REQUEST_FAILED' })
    await api.DELETE('/sandbox/faults')
    expect((await asked()).error).toBeUndefined()
  })

  it('is told how large a shock is', async () => {
    const { refused } = await sandbox()
    expect(await refused({ kind: 'RATE_SHOCK', target: 'RATES' })).toMatchObject({
      details: { field: 'params.bps' },
    })
    const params = { bps: -10_000 }
    expect(await refused({ kind: 'RATE_SHOCK', target: 'RATES', params })).toMatchObject({
      details: { field: 'params.bps' },
    })
  })
})

describe('a fault of messages (6.2)', () => {
  /** A customer whose e-mail address is to be verified, and what is in the inbox of it. */
  async function messaging(body: Body) {
    const stage = await sandbox()
    const { api, create } = stage
    const { id } = await createCustomer(api, {
      fullName: 'Mia Berg',
      email: 'mia@example.com',
      phoneNumber: '+4915112345678',
      region: 'DE',
      currencies: ['EUR'],
    })
    const fault = await create({ target: 'MESSAGING', match: { customerId: id }, ...body })
    const path = { customerId: id }
    const asked = await api.POST('/customers/{customerId}/verify-email', { params: { path } })
    expect(asked.response.status).toBe(204)
    const inbox = async () =>
      (await must(api.GET('/sandbox/inbox'))).data.map(({ status }: { status: string }) => status)
    await server.settle()
    return { ...stage, fault, inbox }
  }

  it.each(['ERROR', 'OUTAGE'])('%s: what is not taken is sent again', async (kind) => {
    const { inbox, api, fault, activations } = await messaging({ kind })
    expect(await inbox()).toEqual(['QUEUED'])
    expect((await activations(fault.id)).length).toBeGreaterThan(0)
    await api.DELETE('/sandbox/faults')
    await server.pass(120_000)
    expect(await inbox()).toEqual(['SENT'])
  })

  it('REFUSED: it never arrives', async () => {
    const { inbox } = await messaging({ kind: 'REFUSED', times: 1 })
    await server.pass(120_000)
    expect(await inbox()).toEqual(['FAILED'])
  })
})

describe('a fault of a rail (6.2)', () => {
  /** A payment that would succeed. */
  async function paying(body: Body) {
    const payments = await sandbox()
    const { api, customer, usd, create } = payments
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const fault = await create({ target: 'RAIL', ...body })
    const pay = async () => {
      const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
      await execute(api, quote.id)
      await server.settle()
      return quote.transactionId
    }
    const status = async (id: string) => (await payments.transaction(id)).status
    const end = () => api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: fault.id } } })
    return { ...payments, fault, payee, pay, status, end }
  }

  it.each([
    ['002', 'FAILED', 'QUOTE_EXECUTION_FAILED'],
    ['004', 'FAILED', 'ACCOUNT_CANNOT_RECEIVE'],
    ['006', 'COMPLETED', undefined],
  ])('OUTCOME %s is forced on any account: %s', async (outcome, status, reason) => {
    const { pay, transaction, activations, fault } = await paying({
      kind: 'OUTCOME',
      params: { outcome },
      times: 1,
    })
    const [hit, spared] = [await pay(), await pay()]
    const ended = await transaction(hit)
    expect(ended).toMatchObject({ status })
    expect('failureReason' in ended ? ended.failureReason : undefined).toBe(reason)
    if (outcome === '006') expect(ended).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    expect(await transaction(spared)).toMatchObject({ status: 'COMPLETED' })
    expect((await activations(fault.id)).map(({ subject }) => subject)).toEqual([hit])
  })

  it('OUTCOME 003 is what it was forced to be when its fault is deleted meanwhile', async () => {
    const { pay, status, end } = await paying({ kind: 'OUTCOME', params: { outcome: '003' } })
    const hit = await pay()
    await end()
    await server.pass(60_000)
    expect(await status(hit)).toBe('PROCESSING')
    await server.pass(300_000)
    expect(await status(hit)).toBe('COMPLETED')
  })

  it('OUTCOME with seconds: the payment completes, and is returned that much later', async () => {
    const { pay, status } = await paying({ kind: 'OUTCOME', params: { outcome: '005', seconds: 86_400 } })
    const hit = await pay()
    expect(await status(hit)).toBe('COMPLETED')
    await server.pass(86_000_000)
    expect(await status(hit)).toBe('COMPLETED')
    await server.pass(400_000)
    expect(await status(hit)).toBe('FAILED')
  })

  it('SILENCE lasts until it is deleted', async () => {
    const { pay, status, end } = await paying({ kind: 'SILENCE' })
    const hit = await pay()
    await server.pass(86_400_000)
    expect(await status(hit)).toBe('PROCESSING')
    await end()
    await server.pass(60_000)
    expect(await status(hit)).toBe('COMPLETED')
  })

  it('DELAY lasts as long as is said, on the clock of the sandbox', async () => {
    const { pay, status, platform } = await paying({ kind: 'DELAY', params: { seconds: 3_600 } })
    const hit = await pay()
    await server.advance(platform, 3_590_000)
    expect(await status(hit)).toBe('PROCESSING')
    await server.advance(platform, 10_000)
    expect(await status(hit)).toBe('COMPLETED')
  })

  it('LOST_ANSWER: the rail has it once, and the payment completes when it is asked again', async () => {
    const { pay, status, balance } = await paying({ kind: 'LOST_ANSWER', times: 2 })
    const hit = await pay()
    expect(await status(hit)).not.toBe('COMPLETED')
    for (let time = 0; time < 2; time++) await server.pass(600_000)
    expect(await status(hit)).toBe('COMPLETED')
    expect(await balance()).toBe(90_000)
  })

  it('is met by those alone that it is meant for', async () => {
    const other = await paying({ kind: 'SILENCE', match: { railId: 'SPEI', minAmount: 100_000_000 } })
    expect(await other.status(await other.pay())).toBe('COMPLETED')
    const customers = await paying({ kind: 'SILENCE', match: { customerId: 'Customer:nobody' } })
    expect(await customers.status(await customers.pay())).toBe('COMPLETED')
    const rail = await paying({ kind: 'SILENCE', match: { railId: 'SPEI' } })
    expect(await rail.status(await rail.pay())).toBe('PROCESSING')
  })
})

describe('what failed on purpose is explained (6.2)', () => {
  const explanation = async ({ api }: { api: Awaited<ReturnType<typeof sandbox>>['api'] }, id: string) =>
    must(api.GET('/explain/{id}', { params: { path: { id } } }))
  const flags = ({ timeline }: { timeline: { kind: string; text: string; ref?: string }[] }) =>
    timeline.filter(({ kind }) => kind === 'FAULT').map(({ text, ref }) => [text.split(':')[0], ref])

  it('of a quote, its payment and its webhook: what hit the API, the rail and the endpoint, in their order', async () => {
    const stage = await sandbox()
    const { api, customer, usd, create, send } = stage
    await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://flagged.example.com/hooks' } }))
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const once = { times: 1 }
    const asked = await create({
      kind: 'LOST_ANSWER',
      target: 'API',
      match: { operationId: 'createQuote' },
      ...once,
    })
    const executed = await create({
      kind: 'ERROR',
      target: 'API',
      match: { operationId: 'executeQuote' },
      ...once,
    })
    const rail = await create({ kind: 'LOST_ANSWER', target: 'RAIL', ...once })
    const match = { eventType: 'OUTGOING_PAYMENT.COMPLETED' }
    const webhook = await create({ kind: 'ERROR', target: 'WEBHOOK', match, ...once })
    const request = { body: quoteBody(usd, payee, 10_000), key: 'flagged' }
    await expect(send('POST', '/quotes', request)).rejects.toThrow()
    const quote = (await (await send('POST', '/quotes', request)).json()) as {
      id: string
      transactionId: string
    }
    expect((await send('POST', `/quotes/${quote.id}/execute`)).status).toBe(500)
    expect((await send('POST', `/quotes/${quote.id}/execute`)).status).toBe(200)
    for (let minutes = 0; minutes < 5; minutes++) await server.pass(60_000)
    const told = await explanation(stage, quote.id)
    expect(flags(told)).toEqual([
      ['⚑ fault, API createQuote LOST_ANSWER', asked.id],
      ['⚑ fault, API executeQuote ERROR', executed.id],
      ['⚑ fault, RAIL LOST_ANSWER', rail.id],
      ['⚑ fault, WEBHOOK ERROR', webhook.id],
    ])
    expect(told.timeline.map(({ at }) => at)).toEqual(told.timeline.map(({ at }) => at).sort())
    expect(told.checks.every(({ holds }) => holds)).toBe(true)
    expect(flags(await explanation(stage, quote.transactionId))).toEqual(flags(told))
    const { id } = told.webhooks.find(({ type }) => type === match.eventType)!
    expect(flags(await explanation(stage, id))).toEqual([['⚑ fault, WEBHOOK ERROR', webhook.id]])
    // It stays told when its fault is ended.
    await api.DELETE('/sandbox/faults')
    expect(flags(await explanation(stage, quote.id))).toHaveLength(4)
  })

  it('of no hidden one, and of none of another payment', async () => {
    const stage = await sandbox()
    const { api, customer, usd, create } = stage
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const pay = async () => {
      const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
      await execute(api, quote.id)
      await server.pass(600_000)
      return quote.id
    }
    await create({ kind: 'REFUSED', target: 'RAIL', times: 1, hidden: true })
    await create({ kind: 'DUPLICATE', target: 'RAIL', times: 1 })
    const hit = await pay()
    expect(flags(await explanation(stage, hit)).map(([text]) => text)).toEqual(['⚑ fault, RAIL DUPLICATE'])
    expect(flags(await explanation(stage, await pay()))).toEqual([])
  })
})
