import { describe, expect, it } from 'vitest'
import { Corridor, type CorridorOptions, formatMoney, money, toMinorUnits } from './index.ts'

const account = { baseUrl: 'http://corridor.test/2025-10-13/', clientId: 'id', clientSecret: 'secret' }

type Step = Response | Error | ((request: Request) => Promise<Response>)

/** A client whose network answers what is listed, one after the other, and whose time passes in sleeps alone. */
function scripted(steps: readonly Step[], options: Partial<CorridorOptions> = {}) {
  const requests: Request[] = []
  const bodies: string[] = []
  const pauses: number[] = []
  let now = 1_000_000
  const client = new Corridor({
    ...account,
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      requests.push(request)
      bodies.push(await request.clone().text())
      const step = steps[requests.length - 1]
      if (step === undefined) throw new Error('nothing more was expected')
      if (step instanceof Error) throw step
      return typeof step === 'function' ? step(request) : step
    },
    runtime: {
      now: () => now,
      random: () => 1,
      sleep: (ms, signal) => {
        // The limit of an attempt runs beside it; a pause is what is waited for alone.
        if (ms === 60_000) return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
        pauses.push(ms)
        now += ms
        return Promise.resolve()
      },
      ...options.runtime,
    },
  })
  return { client, requests, bodies, pauses }
}

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'r-1', ...headers } })
const refusal = (status: number, code: string, headers: Record<string, string> = {}, details = {}) =>
  answer({ status, code, message: 'No.', details }, status, headers)
/** As Node says that a connection failed, in this call of its system. */
const unconnected = (syscall: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(syscall), { code: 'ECODE', syscall }) })
const config = { webhookEndpoint: 'https://example.com/hooks' }

describe('a call', () => {
  it('goes to the address of its operation, signed in, with ids in the path and lists in the query', async () => {
    const { client, requests } = scripted([
      answer({ id: 'Customer:1' }),
      answer({ data: [], hasMore: false }),
    ])
    await client.customers.get('Customer:1/../2')
    expect(requests[0]!.url).toBe('http://corridor.test/2025-10-13/customers/Customer%3A1%2F..%2F2')
    expect(requests[0]!.headers.get('authorization')).toBe(`Basic ${btoa('id:secret')}`)
    await client.transactions.list({ status: ['FAILED', 'EXPIRED'], limit: 5 } as never)
    expect(new URL(requests[1]!.url).search).toBe('?status=FAILED&status=EXPIRED&limit=5')
  })

  it.each([
    ['connection is lost', new TypeError('fetch failed')],
    ['server is away', refusal(503, 'SERVICE_UNAVAILABLE', { 'x-should-retry': 'true' })],
    ['proxy answers in its place', new Response('<html>', { status: 502 })],
    ['same request is under way', refusal(409, 'CONFLICT', { 'x-should-retry': 'true' })],
  ])('is repeated with one key when the %s', async (_, first) => {
    const { client, requests, bodies, pauses } = scripted([first, answer(config)])
    await client.config.update(config)
    const keys = requests.map((request) => request.headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
    expect(bodies).toEqual([JSON.stringify(config), JSON.stringify(config)])
    expect(pauses).toEqual([500])
  })

  it('keeps the key that it was given, waits as long as it was told, and gives up after two more attempts', async () => {
    const busy = () => refusal(429, 'RATE_LIMITED', { 'x-should-retry': 'true', 'retry-after': '7' })
    const { client, requests, pauses } = scripted([busy(), busy(), busy()])
    const refused = await client.quotes.execute('Quote:1', { idempotencyKey: 'rent' }).catch((error) => error)
    expect(refused).toBeInstanceOf(Corridor.Error)
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 7_000 })
    expect(requests.map((request) => request.headers.get('idempotency-key'))).toEqual([
      'rent',
      'rent',
      'rent',
    ])
    expect(pauses).toEqual([7_000, 7_000])
  })

  it.each([
    [409, 'QUOTE_EXPIRED'],
    [400, 'INVALID_INPUT'],
    [500, 'INTERNAL_ERROR'],
  ])('is not repeated when %i %s says that it does not help', async (status, code) => {
    const { client, requests } = scripted([refusal(status, code, { 'x-should-retry': 'false' })])
    await expect(client.quotes.execute('Quote:1')).rejects.toMatchObject({ code, retryable: false })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['no answer', new TypeError('fetch failed'), true],
    ['one of a proxy that failed', new Response('<html>', { status: 502 }), true],
    ['one of a proxy that waited no longer', new Response('<html>', { status: 408 }), true],
    ['none, as nobody was there', unconnected('connect'), false],
    ['one that nothing was done for', refusal(429, 'RATE_LIMITED', { 'x-should-retry': 'true' }), false],
  ])('says of a refusal that an attempt before it had %s', async (_, first, isAfterLostAnswer) => {
    const { client } = scripted([first, refusal(401, 'UNAUTHORIZED')])
    await expect(client.quotes.execute('Quote:1')).rejects.toMatchObject({ status: 401, isAfterLostAnswer })
  })

  it.each([
    ['was refused', [unconnected('connect'), unconnected('connect')], true],
    ['went to no such host', [unconnected('getaddrinfo'), unconnected('getaddrinfo')], true],
    ['broke off', [unconnected('read'), unconnected('read')], false],
    ['broke off, and was refused then', [unconnected('read'), unconnected('connect')], false],
  ])('says whether it had no effect where the connection %s', async (_, steps, isWithoutEffect) => {
    const options = { maxRetries: 1 }
    const wrote = scripted(steps, options).client.quotes.execute('Quote:1')
    await expect(wrote).rejects.toMatchObject({ code: 'CONNECTION_FAILED', isWithoutEffect })
    await expect(scripted(steps, options).client.config.get()).rejects.toMatchObject({
      isWithoutEffect: true,
    })
  })

  it('says what a refused request was, without its secrets', async () => {
    const { client } = scripted([
      refusal(400, 'INVALID_INPUT', {}, { errors: [{ field: 'name', message: 'is required' }] }),
    ])
    const error = await client.tokens
      .create({ name: "it's", permissions: ['VIEW'], clientSecret: 'abc' } as never, { idempotencyKey: 'k' })
      .catch((refused) => refused)
    expect(error.message).toBe('INVALID_INPUT (400): No: name is required')
    expect(error.requestId).toBe('r-1')
    expect(error.docsUrl).toBe('http://corridor.test/docs/reference/errors#invalid_input')
    expect(error.curl).toContain(`"name":"it'\\''s"`)
    expect(error.curl).toContain('-u "$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"')
    expect(error.curl).not.toMatch(/abc|c2VjcmV0/)
  })

  it.each([
    [{ resourceType: 'Quote', id: 'Quote:1' }, 'No: Quote:1'],
    [{ resourceType: 'SandboxSnapshot', id: 'mine' }, 'No: SandboxSnapshot mine'],
    [{}, 'No.'],
  ])('says which of the things it names there is not: %j', async (details, said) => {
    const { client } = scripted([refusal(404, 'REFERENCE_NOT_FOUND', {}, details)])
    await expect(client.quotes.execute('Quote:1')).rejects.toThrow(`REFERENCE_NOT_FOUND (404): ${said}`)
  })

  it('ends with TimeoutError when there is no answer in time, and at once when it is called off', async () => {
    const never = (request: Request) =>
      new Promise<Response>((_, reject) => {
        const end = () => reject(new DOMException('aborted', 'AbortError'))
        if (request.signal.aborted) end()
        else request.signal.addEventListener('abort', end)
      })
    const late = scripted([never], { timeoutMs: 5, maxRetries: 0 })
    await expect(late.client.config.get()).rejects.toBeInstanceOf(Corridor.TimeoutError)
    const { client, requests } = scripted([never, never])
    const controller = new AbortController()
    const call = client.config.get({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(requests.length).toBeLessThan(2)
  })

  it('takes its settings from the environment, and names what is missing', () => {
    const variable = (name: string) => ({ CORRIDOR_BASE_URL: 'http://a/v', CORRIDOR_CLIENT_ID: 'x' })[name]
    expect(() => new Corridor({ runtime: { variable } })).toThrow('CORRIDOR_CLIENT_SECRET')
    expect(new Corridor({ username: 'x', password: 'y', runtime: { variable } }).baseUrl).toBe('http://a/v')
    expect(() => new Corridor({ runtime: { variable: () => undefined } })).toThrow('CORRIDOR_BASE_URL')
  })
})

describe('a response without an end', () => {
  const endless = (chunk: Uint8Array<ArrayBuffer>, status = 200) => {
    const read = { bytes: 0, isCancelled: false }
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        read.bytes += chunk.length
        // Ends far beyond the limit, so that a client without one fails too.
        if (read.bytes > 96 * 1024 * 1024) controller.close()
        else controller.enqueue(chunk)
      },
      cancel() {
        read.isCancelled = true
      },
    })
    return { read, response: new Response(body, { status }) }
  }

  it.each([200, 500])(
    'with status %i is read up to 64 MB, and the request is not repeated',
    async (status) => {
      const { read, response } = endless(new Uint8Array(1024 * 1024).fill(0x20), status)
      const { client, requests } = scripted([response])
      const call = client.customers.get('Customer:1')
      await expect(call).rejects.toMatchObject({
        name: 'Corridor.ConnectionError',
        message: expect.stringContaining('the response is larger than 64 MB'),
      })
      expect(requests).toHaveLength(1)
      expect(read.isCancelled).toBe(true)
      expect(read.bytes).toBeLessThan(70 * 1024 * 1024)
    },
  )

  it('may have had its effect', async () => {
    const { client } = scripted([endless(new Uint8Array(1024 * 1024).fill(0x20)).response])
    await expect(client.config.update(config)).rejects.toMatchObject({ isWithoutEffect: false })
  })

  it('is read whole up to the limit', async () => {
    const id = `Customer:${'1'.repeat(20 * 1024 * 1024)}`
    const { client } = scripted([answer({ id })])
    expect((await client.customers.get('Customer:1')).id).toHaveLength(id.length)
  })
})

describe('a list', () => {
  const pages = () => [
    answer({ data: [{ id: '1' }, { id: '2' }], hasMore: true, nextCursor: 'c', totalCount: 3 }),
    answer({ data: [{ id: '3' }], hasMore: false, totalCount: 3 }),
  ]

  it('is walked to its end, page by page', async () => {
    const { client, requests } = scripted(pages())
    const ids: string[] = []
    for await (const { id } of client.customers.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(['1', '2', '3'])
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&cursor=c'])
  })

  it('reads no page that nobody needs', async () => {
    const { client, requests } = scripted(pages())
    expect(await client.customers.list().first(2)).toHaveLength(2)
    expect(requests).toHaveLength(1)
    expect((await scripted(pages()).client.customers.list()).totalCount).toBe(3)
  })
})

describe('waitFor', () => {
  const status = (word: string) => answer({ id: 'Transaction:1', status: word })

  it('reads until the payment ends, less and less often', async () => {
    const { client, pauses } = scripted(['PENDING', 'PROCESSING', 'PROCESSING', 'COMPLETED'].map(status))
    expect((await client.transactions.waitFor('Transaction:1')).status).toBe('COMPLETED')
    expect(pauses).toEqual([100, 200, 400])
  })

  it('ends at a status that was asked for, and at an end where it does not come any more', async () => {
    const asked = scripted(['PENDING', 'PROCESSING'].map(status))
    expect(await asked.client.transactions.waitFor('Transaction:1', { until: 'PROCESSING' })).toMatchObject({
      status: 'PROCESSING',
    })
    const ended = scripted([status('FAILED')])
    expect(await ended.client.transactions.waitFor('Transaction:1', { until: 'COMPLETED' })).toMatchObject({
      status: 'FAILED',
    })
  })

  it('gives up with TimeoutError', async () => {
    const { client } = scripted(Array.from({ length: 9 }, () => status('PENDING')))
    const waiting = client.transactions.waitFor('Transaction:1', { timeoutMs: 1_000 })
    await expect(waiting).rejects.toThrow('Transaction:1 is still PENDING after 1000 ms')
  })
})

it('a request as a command hides secrets and nothing that the request needs', () => {
  const { client } = scripted([])
  const body = {
    postalCode: '98402',
    accountInfo: { swiftCode: 'DEUTDEFF', sortCode: '200000', countryCode: 'GB' },
    currencyCode: 'GBP',
    code: '123456',
    deviceCode: 'abc',
    otp: '1',
    clientSecret: 's',
  }
  const command = client.curl({ method: 'POST', path: '/x', body })
  const sent = JSON.parse(/-d '(.*)'$/.exec(command)![1]!)
  expect(sent).toEqual({ ...body, code: '***', deviceCode: '***', otp: '***', clientSecret: '***' })
})

describe('a stream', () => {
  it('goes on beyond the limit of an attempt, until its signal ends it', async () => {
    let pass = () => {}
    const { client, requests } = scripted([new Response(new ReadableStream())], {
      runtime: {
        sleep: (_, signal) =>
          new Promise((resolve) => {
            pass = resolve
            signal?.addEventListener('abort', () => resolve())
          }),
      },
    })
    const caller = new AbortController()
    await client.stream({ method: 'GET', path: '/events' }, { signal: caller.signal })
    pass()
    await new Promise((resolve) => setImmediate(resolve))
    expect(requests[0]!.signal.aborted).toBe(false)
    caller.abort()
    expect(requests[0]!.signal.aborted).toBe(true)
  })
})

describe('amounts', () => {
  const usd = { code: 'USD', decimals: 2 }
  it.each([
    [49_750, usd, 'en', '497.50 USD'],
    [5, usd, 'en', '0.05 USD'],
    [-123_456_789, usd, 'de', '-1.234.567,89 USD'],
    [9_000_000_000_000_000, { code: 'VND', decimals: 0 }, 'en', '9,000,000,000,000,000 VND'],
    [1, { code: 'BTC', decimals: 8 }, 'ar', '0.00000001 BTC'],
  ])('%i %o reads in %s as %s', (amount, currency, locale, text) => {
    expect(formatMoney({ amount, currency }, locale)).toBe(text)
  })

  it('are read exactly, and refused where they say more than the currency can', () => {
    expect(toMinorUnits('1,000.5', 2)).toBe(100_050)
    expect(toMinorUnits('0.1', 2) + toMinorUnits('0.2', 2)).toBe(30)
    for (const text of ['1.005', '', '-1', '1e5', '1.', '99999999999999.99', '1,00']) {
      expect(() => toMinorUnits(text, 2), text).toThrow(RangeError)
    }
    expect(toMinorUnits('1_000_000', 0)).toBe(1_000_000)
    expect(() => toMinorUnits('9999999999999999', 2)).toThrow('is more than an amount can be')
    // Where a comma is the point these are 1.5, 1.234567 and 1234.567: none of them is what the digits alone would be.
    for (const text of ['1,5000', '1,234567', '1.234,567', '1000,000', '1,000_000', '_100', ',100']) {
      expect(() => toMinorUnits(text, 6), text).toThrow(RangeError)
    }
    expect(money({ amount: 5, currency: usd })).toEqual({ amount: 5n, currency: 'USD' })
  })
})
