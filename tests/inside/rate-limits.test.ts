import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { createAuthenticator } from '@corridor/engine/mechanisms/http/authenticate.ts'
import { forgetOldFailures } from '@corridor/engine/mechanisms/http/login-guard.ts'
import { defaultLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

const countFailures = statement('test.failures', 'select key from failed_logins')

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

  it('makes even the right secret wait after too many guesses, for that id from that source alone', async () => {
    const as = await limited.platform()
    const guess = { clientId: as.clientId, clientSecret: 'guess' }
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) statuses.push((await status(guess)).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    const waiting = await status(as)
    expect([waiting.status, Number(waiting.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await status(await limited.platform())).status).toBe(200)
    await limited.pass(60_000)
    expect((await status(as)).status).toBe(200)
    expect((await status(guess)).status).toBe(401)
  })

  it('tells other processes, through the database, who has guessed too often', async () => {
    const as = await limited.platform()
    for (let count = 0; count < 20; count++) await status({ ...as, clientSecret: `guess ${count}` })
    const { database, keys, world } = limited.engine
    const elsewhere = createAuthenticator(database, keys, world, defaultLimits)
    const refused = await elsewhere.basic(basic(as), '127.0.0.1')
    expect(!refused.ok && refused.failure.failure.code).toBe('RATE_LIMITED')
    expect((await elsewhere.basic(basic(as), '192.0.2.1')).ok).toBe(true)
    await limited.pass(60_000)
    expect((await elsewhere.basic(basic(as), '127.0.0.1')).ok).toBe(true)
    await forgetOldFailures(database, world.now())
  })

  it('forgets nobody because of many invented ids', async () => {
    const as = await limited.platform()
    const { database, keys, world } = limited.engine
    const logins = createAuthenticator(database, keys, world, defaultLimits)
    const source = '192.0.2.7'
    for (let count = 0; count < 20; count++)
      await logins.basic(basic({ ...as, clientSecret: 'guess' }), source)
    for (let count = 0; count < 2_000; count++) {
      await logins.basic(basic({ clientId: `invented${count}`, clientSecret: 'x' }), source)
    }
    const { length } = await database.system((connection) => connection.query(countFailures))
    // Those of the ids that exist, and one of the source.
    expect(length).toBeLessThan(10)
    const refused = await logins.basic(basic(as), source)
    expect(!refused.ok && refused.failure.failure.code).toBe('RATE_LIMITED')
    await limited.pass(60_000)
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
