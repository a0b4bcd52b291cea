import { createHash } from 'node:crypto'
import { routes } from '@corridor/engine/assembly/features.ts'
import { auditLedger } from '@corridor/engine/mechanisms/audit/audit.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { createCustomer, operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

/** Who did what, from where, to which resource: once each, in the transaction of the effect, and not to be changed. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close({ audited: false }))

interface Line {
  id: string
  actor: string
  operation: string
  resources: Record<string, string>
  changed: string[]
  values?: Record<string, unknown>
  outcome: string
  code?: string
  count?: number
  platformId?: string
  requestId?: string
  position: number
}

async function operate(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await server.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, ...(body ? json : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function lines(filters: Record<string, string> = {}): Promise<Line[]> {
  const { body } = await operate('GET', `/audit-log?${new URLSearchParams({ limit: '1000', ...filters })}`)
  return body.data
}

let asked = 0
function asOwner(text: string, parameters: unknown[] = []) {
  const name = `test.auditLog ${asked++}`
  return server.engine.database.asLogin((connection) => connection.query({ name, text }, parameters))
}

async function call(path: string, as: Credentials, body: object, headers: Record<string, string> = {}) {
  const response = await server.fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: basic(as), ...json, ...headers },
    body: JSON.stringify(body),
  })
  return response.status
}

const operators = routes.map(({ operation }) => operation).filter(({ auth }) => auth === 'operator')

describe.each(operators.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('is on record once, whatever became of it', async () => {
    const requestId = `asked-for-${id}`
    const path = operation.path.replace('/operator', '').replace(/\{\w+\}/g, 'none')
    const { status } = await operate(operation.method, path, operation.body ? {} : undefined, {
      'x-request-id': requestId,
    })
    const found = (await lines({ operation: id })).filter((line) => line.requestId === requestId)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ actor: 'operator', outcome: status < 400 ? 'DONE' : 'REFUSED' })
  })
})

describe('the audit log', () => {
  it('says who gave which token what, without the secret, where the effect is', async () => {
    const { platformId } = await server.platform()
    const query = `?environment=SANDBOX`
    const { body: token } = await operate('POST', `/platforms/${platformId}/tokens${query}`, {
      name: 'Petra Muster',
      permissions: ['VIEW'],
    })
    await operate('PATCH', `/platforms/${platformId}${query}`, { settings: { customerGate: 'STRICT' } })
    const [settings, issued, ...rest] = await lines({ platformId, environment: 'SANDBOX' })
    expect(rest).toEqual([])
    expect(issued).toMatchObject({
      actor: 'operator',
      source: expect.any(String),
      operation: 'operatorIssueToken',
      resources: { platformId, id: token.id },
      changed: ['name', 'permissions'],
      outcome: 'DONE',
    })
    expect(settings).toMatchObject({ operation: 'operatorUpdateSettings', changed: ['settings'] })
    const text = JSON.stringify(await lines())
    for (const secret of ['Petra', token.clientId, token.clientSecret]) expect(text).not.toContain(secret)
    expect(await lines({ resource: token.id })).toHaveLength(1)
    expect(await lines({ resource: token.id, actor: 'somebody' })).toEqual([])
  })

  it('says what a token changed, by the names of the fields, and nothing of what it only asked', async () => {
    const platform = await server.platform()
    const customer = await createCustomer(server.client(platform))
    await server.client(platform).GET('/customers', {})
    expect(await call('/customers', platform, { customerType: 'NOBODY' })).toBe(400)
    const found = await lines({ platformId: platform.platformId, environment: 'SANDBOX' })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      actor: platform.tokenId,
      operation: 'createCustomer',
      resources: { id: customer.id },
      changed: expect.arrayContaining(['customerType']),
    })
    expect(found[0]).not.toHaveProperty('values')
  })

  it('has a repeated request once', async () => {
    const platform = await server.platform()
    const body = { name: 'Twice', permissions: ['VIEW'] }
    const headers = { 'idempotency-key': 'twice' }
    expect(await call('/tokens', platform, body, headers)).toBe(201)
    expect(await call('/tokens', platform, body, headers)).toBe(201)
    expect(await lines({ platformId: platform.platformId, environment: 'SANDBOX' })).toHaveLength(1)
  })

  it('counts who was not let in, in the book of the token that was named', async () => {
    const platform = await server.platform()
    const wrong = { clientId: platform.clientId, clientSecret: 'wrong' }
    for (let round = 0; round < 5; round++) await call('/customers', wrong, {})
    await call('/customers', { clientId: 'nobody', clientSecret: 'x' }, {})
    const ofToken = await lines({ platformId: platform.platformId, environment: 'SANDBOX' })
    expect(ofToken).toMatchObject([
      { actor: platform.tokenId, operation: 'signIn', outcome: 'REFUSED', code: 'UNAUTHORIZED', count: 5 },
    ])
    expect((await lines({ actor: 'stranger', operation: 'signIn' }))[0]).toMatchObject({ count: 1 })
  })

  it('counts what a token may not do', async () => {
    const platform = await server.platform()
    const { data } = await server
      .client(platform)
      .POST('/tokens', { body: { name: 'Reader', permissions: ['VIEW'] } })
    const reader = data as unknown as Credentials & { id: string }
    for (let round = 0; round < 3; round++) expect(await call('/customers', reader, {})).toBe(403)
    expect(await lines({ actor: reader.id })).toMatchObject([
      { operation: 'createCustomer', code: 'FORBIDDEN', count: 3 },
    ])
  })

  it('cannot be filled by strangers: a hundred different refusals a minute, and one line for all others', async () => {
    const { auditLog } = server.engine
    await auditLog.flush()
    const before = (await lines({ actor: 'stranger' })).length
    for (let number = 0; number < 5_000; number++) {
      auditLog.refused({
        actor: 'stranger',
        source: `10.0.${number >> 8}.${number & 255}`,
        operation: 'signIn',
        code: 'UNAUTHORIZED',
      })
    }
    const found = await lines({ actor: 'stranger' })
    expect(found.length - before).toBe(101)
    const counts = found.slice(0, 101).map(({ count = 0 }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5_000)
  })

  it('keeps what it counted while it cannot be written down, and writes it once', async () => {
    const { auditLog } = server.engine
    const [full, free] = [await server.platform(), await server.platform()]
    await auditLog.flush()
    const refuse = ({ platformId, environment, tokenId }: typeof full) => {
      const book = { platformId, environment }
      const attempt = { operation: 'listTokens', code: 'FORBIDDEN', source: '192.0.2.1' }
      auditLog.refused({ ...attempt, book, actor: tokenId })
    }
    const countsOf = async ({ platformId }: typeof full) =>
      (await lines({ platformId, environment: 'SANDBOX' })).map(({ count }) => count)
    for (const platform of [full, full, free]) refuse(platform)
    await asOwner(
      `alter table audit_inbox add constraint test_full check (platform_id <> '${full.platformId}') not valid`,
    )
    try {
      await expect(auditLog.flush()).rejects.toThrow('test_full')
      refuse(full)
    } finally {
      await asOwner('alter table audit_inbox drop constraint test_full')
    }
    expect([await countsOf(full), await countsOf(free)]).toEqual([[3], [1]])
    await auditLog.flush()
    expect(await countsOf(full)).toEqual([3])
  })

  it('comes in pages', async () => {
    for (let round = 0; round < 5; round++) await operate('GET', '/platforms')
    const first = (await operate('GET', '/audit-log?operation=operatorListPlatforms&limit=3')).body
    expect(first).toMatchObject({ hasMore: true, nextCursor: first.data[2].id })
    const rest = await operate(
      'GET',
      `/audit-log?operation=operatorListPlatforms&limit=3&cursor=${first.nextCursor}`,
    )
    const ids = [...first.data, ...rest.body.data].map(({ id }: Line) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual([...ids].sort().reverse())
  })

  it('is exported with hashes that anybody can compute', async () => {
    const { body } = await operate('GET', '/audit-log/export')
    expect(body.data.length).toBeGreaterThan(10)
    let hash = ''
    for (const { position, entry, hash: stated } of body.data) {
      hash = createHash('sha256').update(`${hash}\n${position}\n${entry}`).digest('hex')
      expect(stated).toBe(hash)
    }
    expect(body.head).toEqual({ position: body.data.at(-1).position, hash })
  })
})

describe('an entry', () => {
  /** A book with three entries. */
  async function threeEntries(): Promise<Book> {
    const { platformId } = await server.platform()
    for (const name of ['a', 'b', 'c']) {
      await operate('POST', `/platforms/${platformId}/tokens?environment=SANDBOX`, {
        name,
        permissions: ['VIEW'],
      })
    }
    expect(await lines({ platformId, environment: 'SANDBOX' })).toHaveLength(3)
    return { platformId, environment: 'SANDBOX' }
  }
  async function problemsOf({ platformId }: Book) {
    const { problems } = await auditLedger(server.engine.database, server.engine.keys)
    return problems.filter((problem) => problem.platformId === platformId)
  }
  /** What somebody may do who has all rights over the database. */
  async function tamper(text: string, { platformId }: Book) {
    await asOwner('alter table audit_entries disable trigger all')
    await asOwner('alter table audit_entries no force row level security')
    await asOwner('alter table audit_heads no force row level security')
    try {
      await asOwner(text, [platformId])
    } finally {
      await asOwner('alter table audit_entries enable trigger all')
      await asOwner('alter table audit_entries force row level security')
      await asOwner('alter table audit_heads force row level security')
    }
  }

  it('is left alone by every role, and by the owner while there is the trigger', async () => {
    const book = await threeEntries()
    const { database } = server.engine
    const statements = [
      "update audit_entries set entry = '{}' where platform_id = $1",
      'delete from audit_entries where platform_id = $1',
    ]
    for (const text of statements) {
      const query = { name: `test.append ${asked++}`, text }
      await expect(database.read(book, query, [book.platformId])).rejects.toThrow(
        /permission denied|append-only/,
      )
      await expect(
        database.system((connection) =>
          connection.query({ ...query, name: `${query.name} s` }, [book.platformId]),
        ),
      ).rejects.toThrow(/permission denied|append-only/)
    }
    await expect(asOwner('truncate audit_entries')).rejects.toThrow('append-only')
    expect(await problemsOf(book)).toEqual([])
  })

  it.each([
    [
      'changed',
      `update audit_entries set entry = replace(entry, 'operator"', 'nobody"') where platform_id = $1 and position = 2`,
      'entry 2',
    ],
    ...['id', 'at', 'actor', 'operation', 'outcome'].map((column) => [
      `found by another ${column}`,
      `update audit_entries set ${column} = 'other' where platform_id = $1 and position = 2`,
      'entry 2',
    ]),
    [
      'found by other resources',
      `update audit_entries set resources = '["other"]' where platform_id = $1 and position = 2`,
      'entry 2',
    ],
    ['removed', 'delete from audit_entries where platform_id = $1 and position = 2', 'entry 2'],
    [
      'cut off at the beginning',
      'delete from audit_entries where platform_id = $1 and position = 1',
      'entry 1',
    ],
    ['cut off at the end', 'delete from audit_entries where platform_id = $1 and position = 3', 'last entry'],
    ['cut off with its head', 'delete from audit_heads where platform_id = $1', 'head'],
    [
      'removed with a head to fit',
      `update audit_heads h set position = 2, hash = e.hash from audit_entries e where h.platform_id = $1 and e.platform_id = $1 and e.position = 2`,
      'head',
    ],
  ])('that is %s by the owner of the database shows', async (_what, text, subject) => {
    const book = await threeEntries()
    await tamper(text, book)
    expect(await problemsOf(book)).toMatchObject([{ rule: 'AUDIT_LOG_BROKEN', subject }])
    const { body } = await operate('GET', '/audit')
    expect(body.sound).toBe(false)
  })

  it('goes when its time is over, and the rest is as whole as before', async () => {
    const book = await threeEntries()
    server.world.passMs(10 * 24 * 60 * 60_000)
    await operate('POST', `/platforms/${book.platformId}/tokens?environment=SANDBOX`, {
      name: 'd',
      permissions: ['VIEW'],
    })
    await server.engine.auditLog.chain()
    await server.engine.auditLog.forget(server.world.now() - 24 * 60 * 60_000)
    const kept = await lines({ platformId: book.platformId, environment: 'SANDBOX' })
    expect(kept.map(({ position }) => position)).toEqual([4])
    expect(await problemsOf(book)).toEqual([])
    const { body } = await operate(
      'GET',
      `/audit-log/export?platformId=${book.platformId}&environment=SANDBOX`,
    )
    expect(body).toMatchObject({ forgotten: { position: 3 }, head: { position: 4 }, data: [{ position: 4 }] })
  })
})

it('a change and the line about it are one transaction', async () => {
  const platform = await server.platform()
  const { platformId } = platform
  await asOwner(
    `alter table audit_inbox add constraint test_full check (entry not like '%${platformId}%' and entry not like '%${platform.tokenId}%') not valid`,
  )
  try {
    const issued = await operate('POST', `/platforms/${platformId}/tokens?environment=SANDBOX`, {
      name: 'x',
      permissions: ['VIEW'],
    })
    expect(issued.status).toBe(500)
    expect(
      (
        await operate('PATCH', `/platforms/${platformId}?environment=SANDBOX`, {
          settings: { customerGate: 'STRICT' },
        })
      ).status,
    ).toBe(500)
    expect(await call('/tokens', platform, { name: 'x', permissions: ['VIEW'] })).toBe(500)
  } finally {
    await asOwner('alter table audit_inbox drop constraint test_full')
  }
  const { data } = await server.client(platform).GET('/tokens', {})
  expect(data?.data).toHaveLength(1)
  const { body } = await operate('GET', '/platforms')
  expect(body.data.find(({ id }: { id: string }) => id === platformId).settings).toEqual({})
})
