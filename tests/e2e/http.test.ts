import { connect } from 'node:net'
import { openTestServer } from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Credentials, createToken, expectFailure, json, rawCaller } from './raw-calls.ts'

const server = await openTestServer()

const call = rawCaller(() => server)

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

  it('names a body that is required and missing, also where it may be empty', async () => {
    const as = await server.platform()
    const answer = await call('PATCH', '/config', { as })
    expect(expectFailure(answer, 400, 'INVALID_INPUT')).toMatchObject({ field: 'body' })
    expect((await call('PATCH', '/config', { as, headers: json, body: '{}' })).status).toBe(200)
  })

  it('names those of a path alone that also looks like one with an id, and finds no such id', async () => {
    const as = await server.platform()
    for (const [method, path, allow] of [
      ['PUT', '/agents/me', 'GET'],
      ['DELETE', '/agents/me', 'GET'],
      ['GET', '/webhook-events/replay', 'POST'],
      ['HEAD', '/webhook-events/replay', 'POST'],
    ] as const) {
      const answer = await call(method, path, { as })
      expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, allow])
    }
    expectFailure(await call('GET', '/webhook-events/replays', { as }), 404, 'REFERENCE_NOT_FOUND')
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
    const viewer = await createToken(call, as, ['VIEW'])
    const refused = await call('POST', '/tokens', { as: viewer, headers: json, body: '{}' })
    expect(expectFailure(refused, 403, 'FORBIDDEN')).toEqual({ requiredPermission: 'MANAGE' })
    const empty = await call('POST', '/tokens', { as, headers: json, body: '{}' })
    const { errors } = expectFailure(empty, 400, 'INVALID_INPUT') as { errors: { field: string }[] }
    expect(errors.map(({ field }) => field)).toEqual(['name', 'permissions'])
  })

  it('refuses a quote for its permission first and then for every field it lacks', async () => {
    const as = await server.platform()
    const quote = (who: Credentials) => call('POST', '/quotes', { as: who, headers: json, body: '{}' })
    const refused = await quote(await createToken(call, as, ['VIEW']))
    expect(expectFailure(refused, 403, 'FORBIDDEN')).toEqual({ requiredPermission: 'TRANSACT' })
    const empty = await quote(await createToken(call, as, ['TRANSACT']))
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
    for (let count = 0; count < 8; count++) await createToken(call, as, ['VIEW'])
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
    const { id } = await createToken(call, as, ['VIEW'])
    const deleted = await call('DELETE', `/tokens/${id}`, { as })
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null])
    expectFailure(await call('DELETE', `/tokens/${id}`, { as }), 404, 'TOKEN_NOT_FOUND')
  })
})
