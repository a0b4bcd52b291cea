import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { basic, type Credentials, json } from './raw-calls.ts'

const server = await openTestServer()
type Platform = Awaited<ReturnType<TestServer['platform']>>

async function ask(
  as: Credentials,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
) {
  const answer = await server.fetch(server.baseUrl + path, {
    method,
    headers: { authorization: basic(as), ...(body ? json : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    requestId: answer.headers.get('x-request-id')!,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

interface Logged extends Record<string, unknown> {
  readonly actor: string
  readonly code: string
}

const log = async (platform: Platform, query = '') =>
  (await ask(platform, 'GET', `/request-log${query}`)).body as { data: Logged[]; totalCount: number }

it('has each request with its answer at once, without what was sent', async () => {
  const platform = await server.platform()
  const headers = { 'idempotency-key': 'ana@example.com' }
  const body = { name: 'a name nobody may find', permissions: ['VIEW'] }
  const made = await ask(platform, 'POST', '/tokens', { headers, body })
  const again = await ask(platform, 'POST', '/tokens', { headers, body })
  const id = made.body.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  const missing = await ask(platform, 'GET', `/tokens/${id}`)
  const { data, totalCount } = await log(platform)
  expect(totalCount).toBe(3)
  const { actor, createdAt } = data[0]!
  const common = { method: 'POST', operation: 'createToken', path: '/tokens', resources: {}, status: 201 }
  const rest = { code: null, fields: [], milliseconds: 0, actor, source: '127.0.0.1', createdAt }
  const { idempotencyKey } = data[1]!
  expect(data).toEqual([
    {
      ...rest,
      requestId: missing.requestId,
      operation: 'getTokenById',
      method: 'GET',
      path: '/tokens/{tokenId}',
      resources: { tokenId: id },
      status: 404,
      code: missing.body.code,
      idempotencyKey: null,
      replayed: false,
    },
    { ...common, ...rest, requestId: again.requestId, idempotencyKey, replayed: true },
    { ...common, ...rest, requestId: made.requestId, idempotencyKey, replayed: false },
  ])
  expect(actor).toMatch(/^Token:/)
  expect(idempotencyKey).toEqual(expect.any(String))
  expect(JSON.stringify(data)).not.toMatch(/ana@example|nobody may find/)
  expect((await ask(platform, 'GET', `/request-log/${missing.requestId}`)).body).toEqual(data[0])
  expect((await log(platform, `?resourceId=${id}`)).data).toEqual([data[0]])
  expect((await log(platform, `?resourceId=${id}&resourceId=Token:none`)).totalCount).toBe(1)
  expect((await log(platform, '?resourceId=Token:none')).data).toEqual([])
  expect((await ask(platform, 'GET', '/request-log/none')).body).toMatchObject({
    status: 404,
    details: { resourceType: 'Request', id: 'none' },
  })
})

it('names the fields that were wrong, and not what they held', async () => {
  const platform = await server.platform()
  const made = await ask(platform, 'POST', '/quotes', {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: 'a secret account' },
      lockedCurrencyAmount: 'a secret amount',
      'Ana Lopez, ana@example.com': 'a secret name',
    },
  })
  expect(made.status).toBe(400)
  const named = (made.body.details.errors as { field: string }[]).map(({ field }) => field)
  const { data } = await log(platform)
  const fields = data[0]!.fields as string[]
  expect(fields.length).toBeGreaterThan(1)
  expect(fields).toContain('lockedCurrencyAmount')
  for (const field of fields) expect(named).toContain(field)
  expect(JSON.stringify(data)).not.toMatch(/secret|Ana/)
})

it('is found by status, code, operation, method and actor, and paged', async () => {
  const platform = await server.platform()
  for (const path of ['/config', '/tokens/none', '/tokens', '/customers?limit=-1']) {
    await ask(platform, 'GET', path)
  }
  const statuses = async (query: string) => (await log(platform, query)).data.map(({ status }) => status)
  expect(await statuses('')).toEqual([400, 200, 404, 200])
  expect(await statuses('?status=404')).toEqual([404])
  expect(await statuses('?status=404&status=400')).toEqual([400, 404])
  expect(await statuses('?operation=listTokens&operation=getPlatformConfig')).toEqual([200, 200])
  expect(await statuses('?method=POST')).toEqual([])
  const refused = (await log(platform, '?status=400')).data[0]!
  expect(await statuses(`?code=${refused.code}`)).toEqual([400])
  expect(await statuses(`?actor=${encodeURIComponent(refused.actor)}`)).toHaveLength(4)
  const first = await ask(platform, 'GET', '/request-log?limit=3')
  expect(first.body.data).toHaveLength(3)
  const next = await ask(platform, 'GET', `/request-log?limit=3&cursor=${first.body.nextCursor}`)
  expect(next.body.data).toHaveLength(1)
  expect((await ask(platform, 'GET', '/request-log?status=abc&code=')).body.details.errors).toHaveLength(2)
})

it('is for whoever may see tokens, of one environment of one platform, and in production switched on', async () => {
  const [platform, other] = [await server.platform(), await server.platform()]
  const production = await server.platform({ environment: 'PRODUCTION' })
  const { body: token } = await ask(platform, 'POST', '/tokens', {
    body: { name: 'pays', permissions: ['VIEW'], areas: ['PAYMENTS'] },
  })
  expect((await ask(token, 'GET', '/request-log')).status).toBe(403)
  await ask(production, 'GET', '/config')
  // That of the log was refused before it was answered by it, and is not in it.
  expect((await log(platform)).data.map(({ operation }) => operation)).toEqual(['createToken'])
  expect((await log(other)).data).toEqual([])
  expect((await log(production)).data).toEqual([])
})

it('tells each at the time at which it was answered, wherever the clock is moved afterwards', async () => {
  const platform = await server.platform()
  const before = await ask(platform, 'GET', '/sandbox/clock')
  await ask(platform, 'GET', '/tokens')
  await ask(platform, 'POST', '/sandbox/clock/advance', { headers: json, body: { seconds: 86_400 } })
  await ask(platform, 'GET', '/customers')
  const { data } = await log(platform)
  const now = Date.parse(before.body.now)
  const times = data.map(({ operation, createdAt }) => [operation, Date.parse(String(createdAt)) - now])
  expect(times).toEqual([
    ['listCustomers', 86_400_000],
    ['advanceSandboxClock', 86_400_000],
    ['listTokens', 0],
    ['getSandboxClock', 0],
  ])
})
