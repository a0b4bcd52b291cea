import { createCustomer, openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { policyOf } from './agent-api.ts'
import { basic, type Credentials, json, rawCaller } from './raw-calls.ts'

/** What a token may be held to beside its permissions, and a secret that is changed without a pause. */

const server = await openTestServer()
const call = rawCaller(() => server)
const post = (path: string, as: Credentials, body: object) =>
  call('POST', path, { as, headers: json, body: JSON.stringify(body) })
const get = (path: string, as: Credentials) => call('GET', path, { as })

type Token = Credentials & Record<string, unknown> & { id: string }

async function tokenOf(
  as: Credentials,
  limits: object,
  permissions = ['VIEW', 'TRANSACT', 'MANAGE'],
): Promise<Token> {
  const made = await post('/tokens', as, { name: 'limited', permissions, ...limits })
  expect(made.text).toContain('clientSecret')
  return made.json()
}

const hour = 60 * 60_000
const inMs = (ms: number) => new Date(server.world.now() + ms).toISOString()

describe('a token', () => {
  it('without limits shows none', async () => {
    const platform = await server.platform()
    const token = await tokenOf(platform, {})
    for (const name of ['expiresAt', 'allowedAddresses', 'areas', 'lastUsedAt', 'overlapEndsAt']) {
      expect((await get(`/tokens/${token.id}`, platform)).json()).not.toHaveProperty(name)
    }
  })

  it('ends when its time is over', async () => {
    const platform = await server.platform()
    const expiresAt = inMs(hour)
    const token = await tokenOf(platform, { expiresAt })
    expect((await get('/tokens', token)).status).toBe(200)
    expect((await get(`/tokens/${token.id}`, platform)).json()).toMatchObject({ expiresAt })
    server.world.passMs(hour)
    expect((await get('/tokens', token)).status).toBe(401)
    expect((await get('/tokens', platform)).status).toBe(200)
  })

  it('is good from the addresses that it names alone', async () => {
    const platform = await server.platform()
    const near = await tokenOf(platform, { allowedAddresses: ['10.0.0.0/8', '127.0.0.0/8'] })
    const far = await tokenOf(platform, { allowedAddresses: ['10.0.0.0/8', '2001:db8::/32'] })
    expect((await get('/tokens', near)).status).toBe(200)
    for (let round = 0; round < 2; round++) {
      const refused = await get('/tokens', far)
      expect([refused.status, refused.json().details]).toEqual([403, { reason: 'ADDRESS_NOT_ALLOWED' }])
    }
    const wrong = await get('/tokens', { clientId: far.clientId, clientSecret: 'wrong' })
    expect(wrong.status).toBe(401)
  })

  it('is held to areas, whatever its permissions', async () => {
    const platform = await server.platform()
    const token = await tokenOf(platform, { areas: ['CUSTOMERS', 'ACCOUNTS'] })
    expect((await get('/customers', token)).status).toBe(200)
    expect((await get('/platform/internal-accounts', token)).status).toBe(200)
    for (const path of ['/tokens', '/transactions', '/config']) {
      const refused = await get(path, token)
      expect([refused.status, refused.json().details]).toEqual([403, { reason: 'AREA' }])
    }
  })

  it('lets no agent act where it may not act itself', async () => {
    const platform = await server.platform()
    const customer = await createCustomer(server.client(platform))
    const manager = await tokenOf(platform, { areas: ['AGENTS', 'ACCOUNTS'] })
    const policy = (permissions: string[]) => policyOf({ permissions })
    const body = (permissions: string[]) => ({
      name: 'Robot',
      customerId: customer.id,
      policy: policy(permissions),
    })
    const paying = await post('/agents', manager, body(['EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS']))
    expect([paying.status, paying.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    const made = await post('/agents', manager, body(['MANAGE_EXTERNAL_ACCOUNTS']))
    expect(made.status).toBe(201)
    const path = `/agents/${made.json().agent.id}/policy`
    const change = (as: Credentials) =>
      call('PATCH', path, { as, headers: json, body: JSON.stringify({ permissions: ['CREATE_TRANSFERS'] }) })
    const raised = await change(manager)
    expect([raised.status, raised.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    expect((await change(platform)).status).toBe(200)
  })

  it('makes none that may more, and passes its own limits on', async () => {
    const platform = await server.platform()
    const limits = {
      areas: ['TOKENS', 'CUSTOMERS'],
      expiresAt: inMs(hour),
      allowedAddresses: ['127.0.0.0/8'],
    }
    const token = await tokenOf(platform, limits)
    expect(await tokenOf(token, {}, ['VIEW'])).toMatchObject({ ...limits, areas: ['TOKENS', 'CUSTOMERS'] })
    expect(await tokenOf(token, { areas: ['CUSTOMERS'] }, ['VIEW'])).toMatchObject({ areas: ['CUSTOMERS'] })
    for (const broader of [
      { areas: ['CUSTOMERS', 'CARDS'] },
      { expiresAt: inMs(2 * hour) },
      { allowedAddresses: ['0.0.0.0/0'] },
    ]) {
      const refused = await post('/tokens', token, { name: 'more', permissions: ['VIEW'], ...broader })
      expect([refused.status, refused.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    }
  })

  it('is refused with all that is wrong', async () => {
    const platform = await server.platform()
    const wrong = await post('/tokens', platform, {
      name: 'wrong',
      permissions: ['VIEW'],
      areas: ['MOON'],
      allowedAddresses: ['10.0.0.0/8', 'everywhere', '2001:db8::1', '10.0.0.0/33', '127.0.0.1/0'],
      expiresAt: inMs(-1),
    })
    expect(wrong.status).toBe(400)
    const fields = wrong.json().details.errors.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual([
      'allowedAddresses.1',
      'allowedAddresses.2',
      'allowedAddresses.3',
      'allowedAddresses.4',
      'areas.0',
      'expiresAt',
    ])
    expect((await get('/tokens', platform)).json().data).toHaveLength(1)
  })

  it('says when it was used, to the hour', async () => {
    const platform = await server.platform()
    const token = await tokenOf(platform, {})
    const used = async () => (await get(`/tokens/${token.id}`, platform)).json().lastUsedAt
    expect(await used()).toBeUndefined()
    await get('/tokens', token)
    const first = await used()
    expect(first).toBe(inMs(0))
    server.world.passMs(hour / 2)
    await get('/tokens', token)
    expect(await used()).toBe(first)
    server.world.passMs(hour / 2)
    await get('/tokens', token)
    expect(await used()).toBe(inMs(0))
  })
})

describe('a removal', () => {
  const remove = (id: string, as: Credentials) => call('DELETE', `/tokens/${id}`, { as })

  it('of the last token that could manage the platform is refused', async () => {
    const platform = await server.platform()
    await tokenOf(platform, { areas: ['CARDS'] }, ['MANAGE'])
    await tokenOf(platform, { expiresAt: inMs(hour) }, ['MANAGE'])
    server.world.passMs(2 * hour)
    expect(await remove(platform.tokenId, platform)).toMatchObject({ status: 400 })
  })

  it('leaves one behind that manages the platform for as long, and from anywhere', async () => {
    const platform = await server.platform()
    await tokenOf(platform, { expiresAt: inMs(hour) }, ['MANAGE'])
    await tokenOf(platform, { allowedAddresses: ['10.0.0.0/8'] }, ['MANAGE'])
    expect(await remove(platform.tokenId, platform)).toMatchObject({ status: 400 })
    const short = await tokenOf(platform, { expiresAt: inMs(hour / 2) })
    expect(await remove(short.id, platform)).toMatchObject({ status: 204 })
    await tokenOf(platform, {}, ['MANAGE'])
    expect(await remove(platform.tokenId, platform)).toMatchObject({ status: 204 })
  })

  it('with a token that is held to limits ends none that is held to less', async () => {
    const platform = await server.platform()
    const wide = await tokenOf(platform, {})
    const limits = { areas: ['TOKENS'], expiresAt: inMs(hour), allowedAddresses: ['127.0.0.0/8'] }
    for (const limit of [limits, ...Object.entries(limits).map((pair) => Object.fromEntries([pair]))]) {
      const narrow = await tokenOf(platform, limit)
      const refused = await remove(wide.id, narrow)
      expect([refused.status, refused.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
      expect(await remove(narrow.id, narrow)).toMatchObject({ status: 204 })
    }
    expect((await get('/tokens', wide)).status).toBe(200)
  })
})

describe('a rotation', () => {
  it('gives another secret while the one of before is still good', async () => {
    const platform = await server.platform()
    const token = await tokenOf(platform, {})
    await get('/tokens', token)
    const rotated = (await post(`/tokens/${token.id}/rotate`, platform, { overlapSeconds: 3600 })).json()
    expect(rotated).toMatchObject({ id: token.id, clientId: token.clientId, overlapEndsAt: inMs(hour) })
    expect(rotated.clientSecret).not.toBe(token.clientSecret)
    for (const as of [token, rotated]) expect((await get('/tokens', as)).status).toBe(200)
    server.world.passMs(hour)
    expect((await get('/tokens', token)).status).toBe(401)
    expect((await get('/tokens', rotated)).status).toBe(200)
  })

  it('refuses not one request of callers that go on with the secret that they know', async () => {
    const platform = await server.platform()
    let newest = await tokenOf(platform, {})
    let isOver = false
    const statuses: number[] = []
    /** The secret that each caller goes on with: it looks for another one after two requests. */
    const known = Array.from({ length: 4 }, () => newest)
    const callers = known.map(async (_, caller) => {
      while (!isOver) {
        const mine = newest
        known[caller] = mine
        for (let request = 0; request < 2; request++) statuses.push((await get('/tokens', mine)).status)
      }
    })
    for (let rotation = 0; rotation < 5; rotation++) {
      // Of three secrets the oldest is over: everybody has the one of the last rotation before the next.
      await expect
        .poll(() => known.every((each) => each === newest), { timeout: 30_000, interval: 1 })
        .toBe(true)
      newest = (await post(`/tokens/${newest.id}/rotate`, platform, {})).json()
    }
    isOver = true
    await Promise.all(callers)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('ends the secret of before at once where no overlap is asked for, and the oldest of three', async () => {
    const platform = await server.platform()
    const first = await tokenOf(platform, {})
    const second = (await post(`/tokens/${first.id}/rotate`, platform, {})).json()
    const third = (await post(`/tokens/${first.id}/rotate`, platform, {})).json()
    expect(
      await Promise.all([first, second, third].map(async (as) => (await get('/tokens', as)).status)),
    ).toEqual([401, 200, 200])
    const last = (await post(`/tokens/${first.id}/rotate`, platform, { overlapSeconds: 0 })).json()
    expect(
      await Promise.all([second, third, last].map(async (as) => (await get('/tokens', as)).status)),
    ).toEqual([401, 401, 200])
  })

  it('lets the secret of before make no token', async () => {
    const platform = await server.platform()
    const before = await tokenOf(platform, {}, ['MANAGE'])
    const rotated = (await post(`/tokens/${before.id}/rotate`, before, { overlapSeconds: 3600 })).json()
    const more = { name: 'more', permissions: ['MANAGE'] }
    for (const [path, body] of [
      [`/tokens/${before.id}/rotate`, {}],
      ['/tokens', { ...more, expiresAt: inMs(2 * hour) }],
      ['/tokens', { ...more, expiresAt: inMs(hour / 2) }],
      ['/tokens', more],
    ] as const) {
      const refused = await post(path, before, body)
      expect([refused.status, refused.json().details], path).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    }
    expect((await post('/tokens', rotated, more)).status).toBe(201)
  })

  it('is never made with the secret of before, not even of a token that ends within the overlap', async () => {
    const platform = await server.platform()
    const before = await tokenOf(platform, { expiresAt: inMs(hour / 2) }, ['MANAGE'])
    const rotate = (as: Credentials) => post(`/tokens/${before.id}/rotate`, as, { overlapSeconds: 3600 })
    const rotated = (await rotate(before)).json()
    const refused = await rotate(before)
    expect([refused.status, refused.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    expect((await rotate(rotated)).status).toBe(200)
  })

  it('leaves the secret of before no way to end the token, and with it the new one', async () => {
    const platform = await server.platform()
    const before = await tokenOf(platform, {}, ['MANAGE'])
    const rotated = (await post(`/tokens/${before.id}/rotate`, before, { overlapSeconds: 3600 })).json()
    const remove = (as: Credentials) => call('DELETE', `/tokens/${before.id}`, { as })
    const refused = await remove(before)
    expect([refused.status, refused.json().details]).toEqual([403, { reason: 'BROADER_THAN_CALLER' }])
    expect((await get('/tokens', rotated)).status).toBe(200)
    const other = await tokenOf(platform, {}, ['VIEW'])
    expect((await call('DELETE', `/tokens/${other.id}`, { as: before })).status).toBe(403)
    expect((await remove(rotated)).status).toBe(204)
  })

  it('under load refuses no request', async () => {
    const platform = await server.platform()
    let current = await tokenOf(platform, {})
    const statuses: number[] = []
    const answered = [0, 0, 0]
    let isOver = false
    const callers = answered.map(async (_, caller) => {
      while (!isOver) {
        statuses.push((await get('/tokens', current)).status)
        answered[caller]! += 1
      }
    })
    for (let round = 0; round < 5; round++) {
      const rotated = await post(`/tokens/${current.id}/rotate`, platform, { overlapSeconds: 60 })
      expect(rotated.status, rotated.text).toBe(200)
      current = rotated.json()
      // What is under way with the secret of before is over; one that is two rotations old is refused.
      const before = [...answered]
      while (answered.some((count, caller) => count < before[caller]! + 2)) await get('/tokens', current)
    }
    isOver = true
    await Promise.all(callers)
    expect(statuses.length).toBeGreaterThan(20)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('is for those who may what the token may', async () => {
    const platform = await server.platform()
    const manager = await tokenOf(platform, {}, ['MANAGE'])
    const refused = await post(`/tokens/${platform.tokenId}/rotate`, manager, {})
    expect([refused.status, refused.json().details]).toEqual([403, { requiredPermission: 'TRANSACT' }])
    const limited = await tokenOf(platform, { areas: ['TOKENS'] })
    expect((await post(`/tokens/${platform.tokenId}/rotate`, limited, {})).json().details).toEqual({
      reason: 'BROADER_THAN_CALLER',
    })
    expect(
      (await post(`/tokens/${manager.id}/rotate`, await tokenOf(platform, {}, ['VIEW']), {})).status,
    ).toBe(403)
    expect((await post('/tokens/none/rotate', platform, {})).status).toBe(404)
    expect((await get('/tokens', platform)).status).toBe(200)
  })

  it('answers a repetition without the secret', async () => {
    const platform = await server.platform()
    const headers = { ...json, 'idempotency-key': 'once' }
    const rotate = () =>
      call('POST', `/tokens/${platform.tokenId}/rotate`, { as: platform, headers, body: '{}' })
    expect((await rotate()).json()).toHaveProperty('clientSecret')
    expect((await rotate()).json()).not.toHaveProperty('clientSecret')
  })
})

it('the operator may give a token limits as well', async () => {
  const platform = await server.platform()
  const response = await server.fetch(
    `http://corridor.test/operator/platforms/${platform.platformId}/tokens?environment=SANDBOX`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}`, ...json },
      body: JSON.stringify({ name: 'x', permissions: ['VIEW'], areas: ['CUSTOMERS'] }),
    },
  )
  const token = JSON.parse(await response.text())
  expect(token).toMatchObject({ areas: ['CUSTOMERS'] })
  expect(basic(token)).toContain('Basic')
  expect((await get('/transactions', token)).status).toBe(403)
})
