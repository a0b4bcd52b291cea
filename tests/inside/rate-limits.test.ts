import { createAuthenticator } from '@corridor/engine/mechanisms/http/authenticate.ts'
import { defaultLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import { operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

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

  it('refuses no right secret because of wrong ones, from the same address and of the same token', async () => {
    const as = await limited.platform()
    const statuses: number[] = []
    for (let count = 0; count < 25; count++) {
      statuses.push((await status({ ...as, clientSecret: `guess ${count}` })).status)
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    expect((await status(as)).status).toBe(200)
    expect((await status({ ...as, clientSecret: 'guess 1' })).headers.get('retry-after')).not.toBeNull()
    await limited.pass(60_000)
    expect((await status({ ...as, clientSecret: 'guess 1' })).status).toBe(401)
    await limited.pass(60_000)
  })

  it('refuses no operator because of wrong keys from the same address', async () => {
    const platforms = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await limited.fetch('http://corridor.test/operator/platforms', { headers })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 25; count++) statuses.push(await platforms(`wrong-key-number-${count}`))
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    expect(await platforms(operatorKey)).toBe(200)
    await limited.pass(60_000)
  })

  it('looks a right secret up with one read during a flood, and a repeated wrong one with none', async () => {
    const as = await limited.platform()
    const { database, keys, world } = limited.engine
    const logins = createAuthenticator(database, keys, world, defaultLimits)
    const source = '192.0.2.7'
    const wrong = basic({ ...as, clientSecret: 'guess' })
    for (let count = 0; count < 2_000; count++) {
      await logins.basic(basic({ clientId: `invented${count}`, clientSecret: 'x' }), source)
    }
    await logins.basic(wrong, source)
    const asked = vi.spyOn(database, 'system')
    const refused = await logins.basic(wrong, source)
    expect(!refused.ok && refused.failure.failure.code).toBe('RATE_LIMITED')
    expect(asked).toHaveBeenCalledTimes(0)
    expect((await logins.basic(basic(as), source)).ok).toBe(true)
    // The other notes when the token was used.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2)
    asked.mockRestore()
  })

  it('counts a login id that no database could hold, like any other that is nobody’s', async () => {
    const send = () =>
      limited.fetch(`${limited.baseUrl}/tokens`, {
        headers: { authorization: `Basic ${Buffer.from('a\0b:c').toString('base64')}` },
      })
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) statuses.push((await send()).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    await limited.pass(60_000)
  })

  it('limits unknown paths and pages by where the requests come from', async () => {
    const get = async (path: string) => (await limited.fetch(`http://corridor.test${path}`)).status
    const statuses: number[] = []
    for (let count = 0; count < 81; count++) statuses.push(await get(count % 2 ? '/nowhere' : '/verify/none'))
    expect(new Set(statuses.slice(0, 80))).toEqual(new Set([404]))
    expect(statuses[80]).toBe(429)
    expect(await get('/healthz')).toBe(200)
    await limited.pass(1_000)
    expect(await get('/nowhere')).toBe(404)
  })
})
