import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, type Credentials, json } from './raw-calls.ts'

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
