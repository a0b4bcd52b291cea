import { must, operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ allowEmbeddedProduction: false })
})
afterAll(() => server.close())

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the operator API is in no published document, so it has no types
  body: any
  headers: Headers
}

async function operate(
  method: string,
  path: string,
  { body, key = operatorKey, headers = {} }: { body?: object; key?: string; headers?: object } = {},
): Promise<Answer> {
  const response = await server.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  }
}

let made = 0
const newPlatform = (body: object = {}) =>
  operate('POST', '/platforms', { body: { name: `Operated ${made++}`, environment: 'SANDBOX', ...body } })

describe('the operator', () => {
  it('is known by its key alone', async () => {
    const platform = await server.platform()
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const wrong = [{ key: 'wrong' }, { headers: { authorization: `Basic ${basic}` } }]
    for (const options of wrong) {
      for (const path of ['/platforms', '/jobs', '/audit']) {
        expect(await operate('GET', path, options)).toMatchObject({
          status: 401,
          body: { code: 'UNAUTHORIZED' },
        })
      }
    }
    const asPlatform = await server.fetch(`${server.baseUrl}/customers`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    expect(asPlatform.status).toBe(401)
    expect(asPlatform.headers.get('www-authenticate')).toContain('Basic')
    const stranger = await server.fetch(new URL('/operator/audit', server.baseUrl))
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer realm="operator"')
    expect((await operate('GET', '/nothing')).status).toBe(404)
  })

  it('creates a platform whose first token can do everything', async () => {
    const created = await newPlatform({ isRegulated: true, settings: { customerGate: 'STRICT' } })
    expect(created).toMatchObject({
      status: 201,
      body: {
        environment: 'SANDBOX',
        isRegulated: true,
        skipPaperwork: false,
        settings: { customerGate: 'STRICT' },
        token: { clientId: expect.any(String), clientSecret: expect.any(String) },
      },
    })
    const api = server.client(created.body.token)
    expect((await api.GET('/config')).data).toMatchObject({ isRegulatedFinancialInstitution: true })
    const { data } = await api.POST('/customers', { body: { customerType: 'INDIVIDUAL' } as never })
    expect(data).toMatchObject({ kycStatus: 'APPROVED' })

    const { token: _, webhookPublicKey, ...shown } = created.body
    expect(webhookPublicKey).toContain('BEGIN PUBLIC KEY')
    const list = await operate('GET', '/platforms')
    expect(list.body.data).toContainEqual({
      ...shown,
      keys: 1,
      lastUsedAt: expect.any(String),
      lastRequestAt: expect.any(String),
      now: expect.any(String),
    })
    expect(JSON.stringify(list.body)).not.toContain('clientSecret')
  })

  it('says what time it is at each platform, whose clock in the sandbox can be moved', async () => {
    const { body } = await newPlatform({})
    const aheadMs = async () => {
      const listed: { id: string; now: string }[] = (await operate('GET', '/platforms')).body.data
      return Date.parse(listed.find(({ id }) => id === body.id)!.now) - server.world.now()
    }
    expect(await aheadMs()).toBe(0)
    await must(server.client(body.token).POST('/sandbox/clock/advance', { body: { seconds: 7 * 86_400 } }))
    expect(await aheadMs()).toBe(7 * 86_400_000)
  })

  it('says when a platform asked for something last, by its own clock', async () => {
    const { body } = await newPlatform({})
    const listed = async () => {
      await server.settle()
      const all: { id: string; now: string; lastRequestAt?: string }[] = (await operate('GET', '/platforms'))
        .body.data
      return all.find(({ id }) => id === body.id)!
    }
    expect(await listed()).not.toHaveProperty('lastRequestAt')
    const api = server.client(body.token)
    await must(api.POST('/sandbox/clock/advance', { body: { seconds: 7 * 86_400 } }))
    await must(api.GET('/config'))
    const { now } = await listed()
    await server.pass(3_000)
    const later = await listed()
    expect(later.lastRequestAt).toBe(now)
    expect(Date.parse(later.now) - Date.parse(later.lastRequestAt!)).toBe(3_000)
  })

  it('shows the secret once, also to a repeated request', async () => {
    const headers = { 'idempotency-key': 'once' }
    const body = { name: `Operated ${made++}`, environment: 'SANDBOX' }
    const first = await operate('POST', '/platforms', { body, headers })
    const again = await operate('POST', '/platforms', { body, headers })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const { token: _, ...shown } = first.body
    expect(again.body).toEqual(shown)
    const rows = await server.rows<{ body: string }>('select body from idempotency_keys')
    expect(JSON.stringify(rows)).not.toContain(first.body.token.clientSecret)
  })

  it('creates a platform once per environment, also when asked twice at a time', async () => {
    const body = { name: `Operated ${made++}`, environment: 'SANDBOX' }
    const answers = await Promise.all([
      operate('POST', '/platforms', { body }),
      operate('POST', '/platforms', { body }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    const { id } = answers.find(({ status }) => status === 201)!.body
    const again = await operate('POST', '/platforms', { body })
    expect(again.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'PLATFORM_EXISTS', id } })
    const other = await operate('POST', '/platforms', { body: { ...body, isRegulated: true } })
    expect(other.body).toMatchObject({ details: { reason: 'PLATFORM_OF_ANOTHER_KIND', id } })
    const [count] = await server.rows<{ tokens: bigint }>(
      'select count(*) as tokens from tokens where platform_id = $1',
      [id],
    )
    expect(count!.tokens).toBe(1n)
  })

  it('gives platforms whose names read alike domains of their own', async () => {
    const name = `Same Name ${made++}`
    const domains: string[] = []
    for (const spelled of [name, name.toUpperCase(), `${name}!`]) {
      const { body } = await newPlatform({ name: spelled })
      domains.push((await server.client(body.token).GET('/config')).data!.umaDomain)
    }
    expect(new Set(domains).size).toBe(3)
  })

  it('names every wrong field of a new platform', async () => {
    const { status, body } = await newPlatform({
      name: ' ',
      environment: 'STAGING',
      settings: { customerGate: 'OPEN', maxDailyUsdAmount: -1 },
    })
    expect(status).toBe(400)
    expect(body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'environment',
      'name',
      'settings.customerGate',
      'settings.maxDailyUsdAmount',
    ])
  })

  it('puts no production platform on the embedded database, unless the installation allows it', async () => {
    const refused = await newPlatform({ environment: 'PRODUCTION' })
    if (server.databaseKind === 'postgresql') return expect(refused.status).toBe(201)
    expect(refused).toMatchObject({ status: 409, body: { details: { reason: 'EMBEDDED_DATABASE' } } })
    const lenient = await startTestServer({ allowEmbeddedProduction: true })
    try {
      const answer = await lenient.fetch('http://corridor.test/operator/platforms', {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Real', environment: 'PRODUCTION' }),
      })
      expect(answer.status).toBe(201)
    } finally {
      await lenient.close()
    }
  })

  it('changes settings one by one, and platforms see what concerns them', async () => {
    const { body } = await newPlatform({ settings: { requiresTermsConsent: true } })
    const path = `/platforms/${body.id}?environment=SANDBOX`
    const settings = { providerRequiredCustomerFields: { EUR: ['EMAIL'] } }
    const headers = { 'idempotency-key': 'settings' }
    const changed = await operate('PATCH', path, { body: { settings }, headers })
    expect(changed.body.settings).toEqual({ requiresTermsConsent: true, ...settings })
    const config = (await server.client(body.token).GET('/config')).data!
    const euro = config.supportedCurrencies.find(({ currencyCode }) => currencyCode === 'EUR')!
    expect(euro.providerRequiredCustomerFields).toEqual(['EMAIL'])

    for (const unknown of [
      `/platforms/${body.id}?environment=PRODUCTION`,
      '/platforms/x?environment=SANDBOX',
    ]) {
      expect((await operate('PATCH', unknown, { body: { settings }, headers })).status).toBe(404)
    }
    expect((await operate('PATCH', `/platforms/${body.id}`, { body: { settings } })).status).toBe(400)
  })

  it('issues and revokes credentials, even the last one', async () => {
    const { body } = await newPlatform()
    const path = (rest = '') => `/platforms/${body.id}/tokens${rest}?environment=SANDBOX`
    const issued = await operate('POST', path(), { body: { name: 'ops', permissions: ['TRANSACT'] } })
    expect(issued).toMatchObject({ status: 201, body: { permissions: ['TRANSACT'] } })
    const asIssued = server.client(issued.body)
    expect((await asIssued.GET('/tokens')).data).toMatchObject({ totalCount: 2 })

    const first = server.client(body.token)
    expect((await first.GET('/tokens')).response.status).toBe(200)
    expect((await operate('DELETE', path(`/${body.token.id}`))).status).toBe(204)
    expect((await first.GET('/tokens')).response.status).toBe(401)
    expect(await operate('DELETE', path(`/${body.token.id}`))).toMatchObject({
      status: 404,
      body: { code: 'TOKEN_NOT_FOUND' },
    })
    const foreign = await newPlatform()
    const wrongHome = `/platforms/${foreign.body.id}/tokens/${issued.body.id}?environment=SANDBOX`
    expect((await operate('DELETE', wrongHome)).status).toBe(404)
    expect((await asIssued.GET('/tokens')).response.status).toBe(200)
  })

  it('sees dead jobs and runs them again', async () => {
    const { platformId, environment } = await server.platform()
    const [job, twin] = [server.world.uuid(), server.world.uuid()]
    const bury = (id: string, dead: string) =>
      server.rows(
        `insert into jobs (platform_id, environment, id, kind, payload, key, run_at, due_at, attempts, last_error,
           dead_at, created_at)
         values ($1, $2, $3, 'customers.open-accounts', '{"currencies":["USD"]}', 'k', $4, $4, 20, 'no luck',
           ${dead}, $4)`,
        [platformId, environment, id, '2025-10-13T08:00:00.000Z'],
      )
    await bury(job, "'2025-10-13T08:30:00.000Z'")
    const list = await operate('GET', '/jobs')
    expect(list.body.data).toContainEqual({
      id: job,
      platformId,
      environment,
      kind: 'customers.open-accounts',
      payload: { currencies: ['USD'] },
      attempts: 20,
      lastError: 'no luck',
      createdAt: '2025-10-13T08:00:00.000Z',
      deadAt: '2025-10-13T08:30:00.000Z',
    })

    await bury(twin, 'null')
    const superseded = await operate('POST', `/jobs/${job}/retry`)
    expect(superseded.body).toMatchObject({ status: 409, details: { reason: 'PENDING_WITH_SAME_KEY' } })
    await server.rows('delete from jobs where id = $1', [twin])

    expect((await operate('POST', `/jobs/${job}/retry`)).status).toBe(204)
    expect((await operate('GET', '/jobs')).body.totalCount).toBe(0)
    await server.settle()
    expect(await server.rows('select id from jobs')).toEqual([])
    for (const id of [job, 'x']) {
      expect((await operate('POST', `/jobs/${id}/retry`)).body).toMatchObject({
        code: 'REFERENCE_NOT_FOUND',
      })
    }
  })

  it('reads the audit of all ledgers', async () => {
    const { platformId, environment } = await server.platform()
    expect((await operate('GET', '/audit')).body).toMatchObject({ sound: true, problems: [] })
    await server.rows(
      `insert into ledger_accounts (platform_id, environment, id, currency, debits_posted, must_not_go_negative,
         moved_at) values ($1, $2, 'fx:USD', 'USD', 7, false, '2025-01-01Z')`,
      [platformId, environment],
    )
    expect((await operate('GET', '/audit')).body).toMatchObject({
      sound: false,
      checkedAccounts: 1,
      problems: [
        { rule: 'CURRENCY_UNBALANCED', platformId, environment, subject: 'USD' },
        { rule: 'BALANCE_DIFFERS_FROM_TRANSFERS', platformId, environment, subject: 'fx:USD' },
      ],
    })
    const forget = 'delete from ledger_accounts where platform_id = $1 and environment = $2'
    await server.rows(forget, [platformId, environment])
  })
})
