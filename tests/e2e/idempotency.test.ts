import { createCustomer, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Credentials, expectFailure, json, rawCaller } from './raw-calls.ts'
import { german } from './sca-api.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const call = rawCaller(() => server)

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

  it('replays the first bytes, of successes and of refusals, whatever has happened since', async () => {
    const as = await server.platform()
    const send = (method: string, path: string, body: object, key?: string) =>
      call(method, path, {
        as,
        headers: { ...json, ...(key ? { 'idempotency-key': key } : {}) },
        body: JSON.stringify(body),
      })
    const person = {
      customerType: 'INDIVIDUAL',
      fullName: 'Zoë Ångström',
      region: 'US',
      platformCustomerId: 'z',
    }
    const [made, refused] = [
      await send('POST', '/customers', person, 'made'),
      await send('POST', '/customers', person, 'refused'),
    ]
    expect([made.status, refused.status]).toEqual([201, 409])
    const path = `/customers/${made.json().id}`
    const changed = await send('PATCH', path, { customerType: 'INDIVIDUAL', fullName: 'Zoë Lindholm' })
    expect(changed.status).toBe(200)
    expect((await call('DELETE', path, { as })).status).toBe(200)
    for (const [first, key] of [
      [made, 'made'],
      [refused, 'refused'],
    ] as const) {
      const replay = await send('POST', '/customers', person, key)
      expect(replay.headers.get('idempotent-replayed')).toBe('true')
      expect([replay.status, replay.text]).toEqual([first.status, first.text])
      for (const name of ['content-type', 'x-should-retry']) {
        expect(replay.headers.get(name), name).toBe(first.headers.get(name))
      }
    }
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

  it('is of one customer, also where the query names it', async () => {
    const as = await server.platform()
    const api = server.client(as)
    const [first, second] = [
      await createCustomer(api, german as never),
      await createCustomer(api, german as never),
    ]
    const fail = (query: string) =>
      call('POST', `/sca/record-event?${query}`, {
        as,
        headers: { ...json, 'idempotency-key': 'same' },
        body: JSON.stringify({ eventType: 'FAILED_LOGIN_ATTEMPT' }),
      })
    const answers = [
      await fail(`customerId=${first.id}`),
      await fail(`customerId=${second.id}`),
      await fail(`customerId=${first.id}`),
      // What is not a parameter says nothing.
      await fail(`retry=2&customerId=${encodeURIComponent(second.id)}`),
    ]
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      null,
      'true',
      'true',
    ])
    for (const answer of answers) expect(answer.json()).toMatchObject({ failedAttempts: 1 })
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

async function tokenNames(as: Credentials): Promise<string[]> {
  return (await call('GET', '/tokens', { as })).json().data.map(({ name }: { name: string }) => name)
}
