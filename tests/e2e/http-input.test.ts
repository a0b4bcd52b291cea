import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { createToken, expectFailure, json, rawCaller } from './raw-calls.ts'

const server = await openTestServer()

const call = rawCaller(() => server)

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
    await createToken(call, as, ['VIEW'])
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
    await createToken(call, as, ['VIEW'])
    const first = (
      await call('GET', '/tokens?limit=1&colour[]=red&__proto__[name]=x&[name]=x', { as })
    ).json()
    const second = await call('GET', `/tokens?limit=1&constructor=2&cursor=${first.nextCursor}`, { as })
    expect(second.json()).toMatchObject({ hasMore: false, totalCount: 2 })
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

describe('the field that decides what the rest means', () => {
  it.each([
    [{}, 'is required'],
    [{ customerType: 'ALIEN' }, 'is not one of the allowed values'],
  ])('is refused in %j as %s, with the values there are', async (body, message) => {
    const as = await server.platform()
    const answer = await call('POST', '/customers', {
      as,
      headers: json,
      body: JSON.stringify(body),
    })
    expect(expectFailure(answer, 400, 'INVALID_INPUT').errors).toEqual([
      { field: 'customerType', message, constraint: { enum: ['INDIVIDUAL', 'BUSINESS'] } },
    ])
  })
})
