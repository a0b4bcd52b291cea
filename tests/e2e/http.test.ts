import { connect } from 'node:net'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

const basic = ({ clientId, clientSecret }: Credentials) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** A request as a stranger might send it, without what the SDK would put right. */
async function call(
  method: string,
  path: string,
  options: { as?: Credentials; headers?: Record<string, string>; body?: string | Buffer } = {},
) {
  const response = await server.fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { ...(options.as ? { authorization: basic(options.as) } : {}), ...options.headers },
    ...(options.body === undefined ? {} : { body: options.body, duplex: 'half' }),
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

const json = { 'content-type': 'application/json' }

/** Every refusal has the same four members, whoever refused (conventions 12). */
function expectFailure(answer: Awaited<ReturnType<typeof call>>, status: number, code: string) {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-request-id')).toEqual(expect.any(String))
  expect(answer.json()).toEqual({
    status,
    code,
    message: expect.any(String),
    details: expect.any(Object),
    ...(answer.json().reason === undefined ? {} : { reason: answer.json().reason }),
  })
  expect(answer.status).toBe(status)
  return answer.json().details as Record<string, unknown>
}

describe('routes and methods', () => {
  it('answers an unknown path, an unknown version and a bad escape with 404, whoever asks', async () => {
    for (const path of ['/nowhere', '/../2024-01-01/tokens', '/tokens/%E0%A4%A']) {
      const answer = await call('GET', path)
      const details = expectFailure(answer, 404, 'REFERENCE_NOT_FOUND')
      expect(details.resourceType).toBe('route')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    const { id } = expectFailure(await call('GET', '/nowhere?a=b'), 404, 'REFERENCE_NOT_FOUND')
    expect(id).toBe('/2025-10-13/nowhere')
  })

  it('names the methods a path does have when asked for another', async () => {
    const answer = await call('PUT', '/tokens')
    expect(expectFailure(answer, 405, 'METHOD_NOT_ALLOWED').allowed).toEqual(['GET', 'POST'])
    expect(answer.headers.get('allow')).toBe('GET, POST')
    const deeper = await call('PATCH', '/tokens/Token:0199dd6c-0000-7000-8000-000000000000')
    expect(deeper.headers.get('allow')).toBe('GET, DELETE')
    expect((await call('PUT', '/customers')).headers.get('allow')).toBe('GET, POST')
    expect((await call('DELETE', '/../healthz')).headers.get('allow')).toBe('GET')
  })

  it('answers OPTIONS with 405 and no permission for browsers', async () => {
    const answer = await call('OPTIONS', '/tokens', { headers: { origin: 'https://shop.example.com' } })
    expectFailure(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answers HEAD like GET without a body, and a trailing slash like none', async () => {
    const as = await server.platform()
    const head = await call('HEAD', '/tokens', { as })
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await call('GET', '/tokens/', { as })).status).toBe(200)
  })

  it('decodes an id in the path once', async () => {
    const as = await server.platform()
    const token = (await call('GET', '/tokens', { as })).json().data[0]
    const read = await call('GET', `/tokens/${token.id.replace(':', '%3A')}`, { as })
    expect(read.json().id).toBe(token.id)
    const twice = await call('GET', `/tokens/${token.id.replace(':', '%253A')}`, { as })
    expectFailure(twice, 404, 'TOKEN_NOT_FOUND')
  })

  it('finds nothing under an id that no database could hold', async () => {
    const as = await server.platform()
    for (const id of ['%00', 'Token:%00', '%0A']) {
      const { resourceType } = expectFailure(
        await call('GET', `/tokens/${id}`, { as }),
        404,
        'TOKEN_NOT_FOUND',
      )
      expect(resourceType).toBe('Token')
    }
    const headers = { ...json, 'idempotency-key': 'nul' }
    const link = { as, headers, body: '{"redirectUri":"https://shop.example.com"}' }
    expectFailure(await call('POST', '/customers/%00/kyc-link', link), 404, 'USER_NOT_FOUND')
    expect((await call('GET', '/../verify/%00')).status).toBe(404)
  })
})

describe('queries (conventions 4, 5 and 7)', () => {
  it.each([
    ['name=%00', 'name'],
    ['name=a%00&name=b', 'name'],
    ['name=%0A', 'name'],
    ['createdAfter=0000-01-01T00:00:00Z', 'createdAfter'],
    ['createdAfter=2025-13-01T00:00:00Z', 'createdAfter'],
    ['createdAfter=2025-01-01T00:00:00', 'createdAfter'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['sortOrder=ASC', 'sortOrder'],
    ['cursor=', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['cursor=e30.e30', 'cursor'],
  ])('refuses %s', async (query, field) => {
    const as = await server.platform()
    const answer = await call('GET', `/tokens?${query}`, { as })
    expect(expectFailure(answer, 400, 'INVALID_INPUT').field).toBe(field)
  })

  it('understands every offset of a time, and takes the same moment for the same filter', async () => {
    const as = await server.platform()
    await createToken(as, ['VIEW'])
    const read = async (query: string) => (await call('GET', `/tokens?limit=1&${query}`, { as })).json()
    const page = await read('createdBefore=2099-01-01T12:00:00Z')
    expect(page).toMatchObject({ hasMore: true, totalCount: 2 })
    for (const at of ['2099-01-02T11:59:00%2B23:59', '2099-01-01t12:00:00.000z']) {
      const next = await read(`createdBefore=${at}&cursor=${page.nextCursor}`)
      expect(next).toMatchObject({ hasMore: false, totalCount: 2 })
    }
  })

  it('ignores parameters that a list does not know, also between pages', async () => {
    const as = await server.platform()
    await createToken(as, ['VIEW'])
    const first = (await call('GET', '/tokens?limit=1&colour=red&name[x]=1&__proto__=1', { as })).json()
    const second = await call('GET', `/tokens?limit=1&constructor=2&cursor=${first.nextCursor}`, { as })
    expect(second.json()).toMatchObject({ hasMore: false, totalCount: 2 })
  })
})

describe('order of checks (conventions 2.2, E1)', () => {
  const body = '{"name": '

  it('looks at the path before the credentials, and at the credentials before the body', async () => {
    expectFailure(await call('POST', '/nowhere', { headers: json, body }), 404, 'REFERENCE_NOT_FOUND')
    const anonymous = await call('POST', '/tokens', { headers: json, body })
    expectFailure(anonymous, 401, 'UNAUTHORIZED')
    expect(anonymous.headers.get('www-authenticate')).toContain('Basic realm="api"')
  })

  it('looks at the permission before the body, and names every missing field of the body at once', async () => {
    const as = await server.platform()
    const viewer = await tokenOf(as, ['VIEW'])
    const refused = await call('POST', '/tokens', { as: viewer, headers: json, body: '{}' })
    expect(expectFailure(refused, 403, 'FORBIDDEN')).toEqual({ requiredPermission: 'MANAGE' })
    const empty = await call('POST', '/tokens', { as, headers: json, body: '{}' })
    const { errors } = expectFailure(empty, 400, 'INVALID_INPUT') as { errors: { field: string }[] }
    expect(errors.map(({ field }) => field)).toEqual(['name', 'permissions'])
  })

  it('refuses a quote for its permission first and then for every field it lacks', async () => {
    const as = await server.platform()
    const quote = (who: Credentials) => call('POST', '/quotes', { as: who, headers: json, body: '{}' })
    const refused = await quote(await tokenOf(as, ['VIEW']))
    expect(expectFailure(refused, 403, 'FORBIDDEN')).toEqual({ requiredPermission: 'TRANSACT' })
    const empty = await quote(await tokenOf(as, ['TRANSACT']))
    const { errors } = expectFailure(empty, 400, 'INVALID_INPUT') as { errors: { field: string }[] }
    const fields = ['source', 'destination', 'lockedCurrencySide', 'lockedCurrencyAmount']
    expect(errors.map(({ field }) => field)).toEqual(fields)
  })

  it('answers an unknown id and a wrong secret alike, and takes a secret with colons whole', async () => {
    const as = await server.platform()
    const bodies = await Promise.all(
      [
        { clientId: 'nobody', clientSecret: 'x' },
        { clientId: as.clientId, clientSecret: 'x' },
        { clientId: as.clientId, clientSecret: `${as.clientSecret}:more` },
      ].map(async (wrong) => (await call('GET', '/tokens', { as: wrong })).text),
    )
    expect(new Set(bodies).size).toBe(1)
    const bearer = await call('GET', '/tokens', { headers: { authorization: 'Bearer gat_x' } })
    expectFailure(bearer, 401, 'UNAUTHORIZED')
  })
})

describe('bodies (conventions 4 and 10)', () => {
  it.each([
    ['malformed', '{"name":', json],
    ['not an object', '[1]', json],
    ['with a key twice', '{"name":"a","name":"b"}', json],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['of another type', 'name=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of a type of JSON that is another one', '{}', { 'content-type': 'application/problem+json' }],
    ['compressed', '{}', { ...json, 'content-encoding': 'gzip' }],
    ['multipart where JSON is due', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('refuses a body that is %s', async (_kind, body, headers) => {
    const as = await server.platform()
    const answer = await call('POST', '/tokens', { as, headers, body })
    expect(expectFailure(answer, 400, 'INVALID_REQUEST_FORMAT').reason).toEqual(expect.any(String))
  })

  it('refuses more than a mebibyte with 413 and says how much it takes', async () => {
    const as = await server.platform()
    const body = JSON.stringify({ name: 'x'.repeat(1.1 * 1024 * 1024), permissions: ['VIEW'] })
    const answer = await call('POST', '/tokens', { as, headers: json, body })
    expect(expectFailure(answer, 413, 'INVALID_INPUT')).toEqual({ maxBytes: 1_048_576 })
  })

  it('ignores parameters after the media type, and unknown fields', async () => {
    const as = await server.platform()
    const answer = await call('POST', '/tokens', {
      as,
      headers: { 'content-type': 'Application/JSON; charset=utf-8; profile=x' },
      body: JSON.stringify({ name: 'n', permissions: ['VIEW'], colour: 'red' }),
    })
    expect(answer.status).toBe(201)
    expect(answer.json()).not.toHaveProperty('colour')
  })

  it('refuses what is no text: control characters and halves of characters, also in names', async () => {
    const as = await server.platform()
    const post = (body: string) => call('POST', '/tokens', { as, headers: json, body })
    for (const name of ['a\\u0000b', '\\ud800', 'tab\\t']) {
      const answer = await post(`{"name":"${name}","permissions":["VIEW"]}`)
      expect(expectFailure(answer, 400, 'INVALID_INPUT').field).toBe('name')
    }
    const named = await post('{"name":"n","permissions":["VIEW"],"x":{"\\u0000":1}}')
    expectFailure(named, 400, 'INVALID_INPUT')
    expect((await post('{"name":"\\ud83d\\ude00","permissions":["VIEW"]}')).json().name).toBe('😀')
  })

  it('takes no field from a prototype that a body brings along', async () => {
    const as = await server.platform()
    const customer = { customerType: 'INDIVIDUAL', fullName: 'Ana Lopez', region: 'US' }
    for (const name of ['__proto__', '\\u005f_proto__']) {
      const body = JSON.stringify(customer).replace('{', `{"${name}":{"platformCustomerId":7},`)
      const created = await call('POST', '/customers', { as, headers: json, body })
      expect(created.status).toBe(201)
      expect(created.json().platformCustomerId).toEqual(expect.any(String))
    }
  })

  it('takes a mebibyte for a form where JSON is due, and the file and its form for an upload', async () => {
    const as = await server.platform()
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const send = (path: string, bytes: number) =>
      call('POST', path, { as, headers: form, body: Buffer.alloc(bytes) })
    const json = expectFailure(await send('/tokens', 1_100_000), 413, 'INVALID_INPUT')
    expect(json).toEqual({ maxBytes: 1_048_576 })
    const csv = expectFailure(await send('/customers/bulk/csv', 22_000_000), 413, 'INVALID_INPUT')
    expect(csv).toEqual({ maxBytes: 20_000_000 })
    // The documents are to answer 400 for any file that they do not take (conventions 10).
    const document = expectFailure(await send('/documents', 12_000_000), 400, 'INVALID_INPUT')
    expect(document).toMatchObject({ field: 'file', maxBytes: 10_485_760 })
  })

  it('refuses a URL beyond 8 KiB', async () => {
    const as = await server.platform()
    const answer = await call('GET', `/tokens?name=${'x'.repeat(9_000)}`, { as })
    expect(expectFailure(answer, 413, 'INVALID_INPUT')).toEqual({ maxBytes: 8_192 })
  })
})

describe('connections', () => {
  /** Sends bytes as they are and returns all that comes back. */
  async function exchange(bytes: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const { port } = new URL(await address)
    const answer = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head.toLowerCase()).toContain('content-type: application/json')
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
  }
  let address: Promise<string>
  beforeAll(() => {
    address = server.listen()
  })

  it('answers what is not HTTP in the shape of every error', async () => {
    const { status, body } = await exchange('HELLO\r\n\r\n')
    expect(status).toBe(400)
    expect(body).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT', details: {} })
  })

  it('answers headers beyond 16 KiB with 413', async () => {
    const { status, body } = await exchange(
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(status).toBe(413)
    expect(body).toMatchObject({ status: 413, code: 'INVALID_INPUT', details: { maxBytes: 16_384 } })
  })
})

describe('idempotency (conventions 6, E2)', () => {
  it('creates once for one key, and shows the secret to the first call alone', async () => {
    const as = await server.platform()
    const send = (key: string, name = 'ci') =>
      call('POST', '/tokens', {
        as,
        headers: { ...json, 'idempotency-key': key },
        body: JSON.stringify({ name, permissions: ['VIEW'] }),
      })
    const first = await send('k-1')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const replay = await send('k-1')
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    const { clientSecret, ...rest } = first.json()
    expect(clientSecret).toEqual(expect.any(String))
    expect([replay.status, replay.json()]).toEqual([201, rest])
    expect(await tokenNames(as)).toEqual(['ci', 'First token'])

    expect(expectFailure(await send('k-1', 'other'), 409, 'CONFLICT').reason).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await send('k-1', 'other')).headers.get('x-should-retry')).toBe('false')
    expect((await send('k-2')).status).toBe(201)
    expect(await tokenNames(as)).toEqual(['ci', 'ci', 'First token'])
  })

  it('has one effect for twenty parallel calls, and tells the others to come again', async () => {
    const as = await server.platform()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        call('POST', '/tokens', {
          as,
          headers: { ...json, 'idempotency-key': 'parallel' },
          body: JSON.stringify({ name: 'one', permissions: ['VIEW'] }),
        }),
      ),
    )
    expect(await tokenNames(as)).toEqual(['one', 'First token'])
    for (const answer of answers) {
      if (answer.status === 201) continue
      expect(expectFailure(answer, 409, 'CONFLICT').reason).toBe('REQUEST_IN_PROGRESS')
      expect(answer.headers.get('x-should-retry')).toBe('true')
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true)
  })

  it('forgets a key after a day, and keeps none of a request it could not read', async () => {
    const as = await server.platform()
    const send = (body: string) =>
      call('POST', '/tokens', { as, headers: { ...json, 'idempotency-key': 'day' }, body })
    const body = JSON.stringify({ name: 'daily', permissions: ['VIEW'] })
    expect((await send('{')).status).toBe(400)
    expect((await send('{}')).status).toBe(400)
    expect((await send(body)).status).toBe(201)
    await server.pass(24 * 3_600_000 - 1)
    expect((await send(body)).headers.get('idempotent-replayed')).toBe('true')
    await server.pass(1)
    expect((await send(body)).headers.get('idempotent-replayed')).toBeNull()
  })

  it('replays a conflict as one that a repetition does not solve', async () => {
    const as = await server.platform()
    const body = '{"customerType":"INDIVIDUAL","fullName":"Ana Lopez","region":"US","platformCustomerId":"a"}'
    expect((await call('POST', '/customers', { as, headers: json, body })).status).toBe(201)
    const headers = { ...json, 'idempotency-key': 'taken' }
    for (const replayed of [null, 'true']) {
      const answer = await call('POST', '/customers', { as, headers, body })
      expectFailure(answer, 409, 'CONFLICT')
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed)
      expect(answer.headers.get('x-should-retry')).toBe('false')
    }
  })

  it('refuses a key that is empty of meaning, and ignores one on GET', async () => {
    const as = await server.platform()
    const body = JSON.stringify({ name: 'n', permissions: ['VIEW'] })
    const long = { ...json, 'idempotency-key': 'k'.repeat(256) }
    const details = expectFailure(
      await call('POST', '/tokens', { as, headers: long, body }),
      400,
      'INVALID_INPUT',
    )
    expect(details.field).toBe('Idempotency-Key')
    // Given twice, the two arrive as one with a comma and a blank.
    for (const key of ['', 'a b', 'a, b', 'ä']) {
      const headers = { ...json, 'idempotency-key': key }
      expectFailure(await call('POST', '/tokens', { as, headers, body }), 400, 'INVALID_INPUT')
    }
    expect((await call('GET', '/tokens', { as, headers: long })).status).toBe(200)
  })
})

describe('limits with the production defaults (conventions 8, E7)', () => {
  let limited: TestServer
  beforeAll(async () => {
    limited = await startTestServer({ rateLimits: true })
  })
  afterAll(() => limited.close())

  async function status(as: Credentials) {
    const response = await limited.fetch(`${limited.baseUrl}/tokens`, {
      headers: { authorization: basic(as) },
    })
    await response.arrayBuffer()
    return response
  }

  it('refuses the 201st request of a burst, says when to come again, and serves it then', async () => {
    const as = await limited.platform({ environment: 'PRODUCTION' })
    for (let count = 0; count < 200; count++) {
      const response = await status(as)
      expect(response.status).toBe(200)
      if (count === 0) {
        expect(response.headers.get('ratelimit-limit')).toBe('200')
        expect(response.headers.get('ratelimit-remaining')).toBe('199')
      }
    }
    const refused = await status(as)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-should-retry')).toBe('true')
    const waitSeconds = Number(refused.headers.get('retry-after'))
    expect(waitSeconds).toBeGreaterThanOrEqual(1)
    await limited.pass(waitSeconds * 1000)
    expect((await status(as)).status).toBe(200)
  })

  it('gives each platform a budget of its own, and the sandbox ten times as much', async () => {
    const sandbox = await status(await limited.platform())
    expect(sandbox.headers.get('ratelimit-limit')).toBe('2000')
    const other = await status(await limited.platform({ environment: 'PRODUCTION' }))
    expect(other.headers.get('ratelimit-remaining')).toBe('199')
  })

  it('lets ten writes a second through to one customer, and others to the next', async () => {
    const as = await limited.platform({ environment: 'PRODUCTION' })
    const patch = async (id: string) => {
      const response = await limited.fetch(`${limited.baseUrl}/customers/${id}`, {
        method: 'PATCH',
        headers: { authorization: basic(as), ...json },
        body: '{}',
      })
      await response.arrayBuffer()
      return response
    }
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) statuses.push((await patch('one')).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    expect((await patch('two')).status).toBe(400)
    await limited.pass(1_000)
    expect((await patch('one')).status).toBe(400)
  })

  it('says what is left in refusals too, and counts none of what is forbidden', async () => {
    const as = await limited.platform({ environment: 'PRODUCTION' })
    const send = async () => {
      const response = await limited.fetch(`${limited.baseUrl}/sandbox/send`, {
        method: 'POST',
        headers: { authorization: basic(as), ...json },
        body: '{',
      })
      await response.arrayBuffer()
      return response
    }
    for (let count = 0; count < 2; count++) {
      const forbidden = await send()
      expect([forbidden.status, forbidden.headers.get('ratelimit-remaining')]).toEqual([403, '200'])
    }
    const unknown = await status({ clientId: as.clientId, clientSecret: 'wrong' })
    expect([unknown.status, unknown.headers.get('ratelimit-limit')]).toEqual([401, '20'])
    await limited.pass(60_000)
  })

  it('slows down who guesses credentials, and still serves who has them', async () => {
    const as = await limited.platform()
    const guess = { clientId: as.clientId, clientSecret: 'guess' }
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) statuses.push((await status(guess)).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses[20]).toBe(429)
    expect((await status(as)).status).toBe(200)
    await limited.pass(60_000)
    expect((await status(guess)).status).toBe(401)
  })
})

describe('headers (conventions 9 and 11, E8)', () => {
  it('echoes a safe request id and replaces any other', async () => {
    const as = await server.platform()
    const echoed = await call('GET', '/tokens', { as, headers: { 'x-request-id': 'abc-1.2:3_4' } })
    expect(echoed.headers.get('x-request-id')).toBe('abc-1.2:3_4')
    const replaced = await call('GET', '/tokens', { as, headers: { 'x-request-id': '<script>' } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('lets nothing of the API be cached', async () => {
    const as = await server.platform()
    expect((await call('GET', '/tokens', { as })).headers.get('cache-control')).toBe('no-store')
    expect((await call('GET', '/tokens')).headers.get('cache-control')).toBe('no-store')
  })

  it('marks what is deprecated, in refusals as well', async () => {
    const as = await server.platform()
    for (const path of ['/transfer-in', '/transfer-out']) {
      const answer = await call('POST', path, { as, headers: json, body: '{}' })
      expectFailure(answer, 400, 'INVALID_INPUT')
      expect(answer.headers.get('deprecation')).toBe('true')
      expect(answer.headers.get('link')).toBe(`<${server.baseUrl}/quotes>; rel="successor-version"`)
    }
  })

  it('compresses on request', async () => {
    const as = await server.platform()
    for (let count = 0; count < 8; count++) await createToken(as, ['VIEW'])
    for (const encoding of ['br', 'gzip']) {
      const answer = await call('GET', '/tokens', { as, headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('vary')).toContain('accept-encoding')
    }
    const plain = await call('GET', '/tokens', { as, headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.json().totalCount).toBe(9)
  })

  it('deletes with 204, no body and no content type, and answers 404 the second time', async () => {
    const as = await server.platform()
    const { id } = await createToken(as, ['VIEW'])
    const deleted = await call('DELETE', `/tokens/${id}`, { as })
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null])
    expectFailure(await call('DELETE', `/tokens/${id}`, { as }), 404, 'TOKEN_NOT_FOUND')
  })
})

async function createToken(as: Credentials, permissions: string[]) {
  const body = JSON.stringify({ name: 'made', permissions })
  return (await call('POST', '/tokens', { as, headers: json, body })).json() as Credentials & { id: string }
}

async function tokenOf(as: Credentials, permissions: string[]): Promise<Credentials> {
  return createToken(as, permissions)
}

async function tokenNames(as: Credentials): Promise<string[]> {
  return (await call('GET', '/tokens', { as })).json().data.map(({ name }: { name: string }) => name)
}
