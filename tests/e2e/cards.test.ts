import {
  createCustomer,
  fund,
  internalAccountOf,
  must,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cardApi } from './card-api.ts'
import { operate } from './onboarding.ts'
import { basic } from './raw-calls.ts'

// Cards 1.1 to 1.4 and 1.7: issuing, states, PATCH, reveal.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(() => server.expectSoundLedger())

const unknown = (kind: string) => `${kind}:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70`
const types = async (platform: Parameters<TestServer['events']>[0]) =>
  (await server.events(platform)).map(({ type }) => type).filter((type) => type.startsWith('CARD'))

describe('issuing', () => {
  it('answers PROCESSING, then tells of an active card with all that the issuer says', async () => {
    const { issue, call, usd, customer, platform } = await cardApi(server, { balance: 0 })
    const issued = await issue({ platformCardId: 'demo-tip', maxSpendPerTransaction: 5_000 })
    expect(issued).toMatchObject({
      status: 201,
      body: {
        state: 'PROCESSING',
        stateReason: null,
        cardholderId: customer.id,
        platformCardId: 'demo-tip',
        fundingSources: [usd.id],
        maxSpendPerTransaction: 5_000,
        currency: 'USD',
      },
    })
    for (const field of ['brand', 'last4', 'expMonth', 'expYear', 'processorRef', 'issuerRef']) {
      expect(issued.body).not.toHaveProperty(field)
    }
    expect(await types(platform)).toEqual([])
    await server.settle()
    const card = (await call('GET', `/cards/${issued.body.id}`)).body
    const born = new Date(card.createdAt)
    // `tip` is no number: the sum of its character codes.
    expect(card).toMatchObject({
      state: 'ACTIVE',
      stateReason: null,
      brand: 'VISA',
      last4: `4${116 + 105 + 112}`,
      expMonth: born.getUTCMonth() + 1,
      expYear: born.getUTCFullYear() + 4,
    })
    expect(await types(platform)).toEqual(['CARD.STATE_CHANGE'])
    const [event] = (await server.events(platform)).filter(({ type }) => type === 'CARD.STATE_CHANGE')
    expect(event!.data).toEqual(card)
  })

  it.each([
    ['card-001', 60_000, 'PROCESSING', null],
    ['card-002', 0, 'CLOSED', 'ISSUER_REJECTED'],
    ['card-005', 29_000, 'PROCESSING', null],
    ['card-005', 31_000, 'ACTIVE', null],
    ['card-777', 0, 'ACTIVE', null],
  ])('%s is, after %i ms, %s', async (platformCardId, ms, state, stateReason) => {
    const { issue, call } = await cardApi(server, { balance: 0 })
    const { body } = await issue({ platformCardId })
    await server.pass(ms)
    const card = (await call('GET', `/cards/${body.id}`)).body
    expect(card).toMatchObject({ state, stateReason, maxSpendPerTransaction: null })
    if (state === 'ACTIVE') expect(card.last4).toBe(`4${platformCardId.slice(-3)}`)
    else expect(card).not.toHaveProperty('last4')
  })

  it.each([
    ['no funding source', { fundingSources: [] }],
    ['another form', { form: 'PLASTIC' }],
    ['no limit at all', { maxSpendPerTransaction: 0 }],
    ['a limit beyond exact numbers', { maxSpendPerTransaction: 2 ** 53 }],
    ['a limit that is no whole number', { maxSpendPerTransaction: 1.5 }],
    [
      'eleven sources',
      {
        fundingSources: Array.from(
          { length: 11 },
          (_, i) => `InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f${10 + i}`,
        ),
      },
    ],
    ['an unknown cardholder', { cardholderId: unknown('Customer') }],
    ['a static password', { threeDSecurePassword: 'AbCd1234EfGh5678' }],
  ])('refuses %s with INVALID_INPUT', async (_what, more) => {
    const { issue, call } = await cardApi(server, { balance: 0 })
    expect(await issue(more)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect((await call('GET', '/cards')).body).toMatchObject({ data: [], totalCount: 0 })
  })

  it('refuses the same account twice, and a cardholder who is not approved', async () => {
    const { issue, usd } = await cardApi(server)
    expect(await issue({ fundingSources: [usd.id, usd.id] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'fundingSources' } },
    })
    const platform = await server.platform()
    const api = server.client(platform)
    const customer = await createCustomer(api)
    const account = await internalAccountOf(api, customer.id, 'USD')
    const { error, response } = await api.POST('/cards', {
      body: { cardholderId: customer.id, form: 'VIRTUAL', fundingSources: [account.id] } as never,
    })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ code: 'CARDHOLDER_KYC_NOT_APPROVED', details: { kycStatus: 'UNVERIFIED' } })
  })

  it('says what is wrong with a funding source', async () => {
    const { issue, api, customer, usd } = await cardApi(server)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const other = await createCustomer(api, { platformCustomerId: 'other' })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const refused = (accountId: string, reason: string) => ({
      status: 400,
      body: { code: 'FUNDING_SOURCE_INELIGIBLE', details: { accountId, reason } },
    })
    for (const [id, reason] of [
      [unknown('InternalAccount'), 'NOT_FOUND'],
      [theirs.id, 'NOT_OWNED_BY_CARDHOLDER'],
      [eur.id, 'CURRENCY_NOT_ELIGIBLE'],
    ] as const) {
      expect(await issue({ fundingSources: [usd.id, id] })).toMatchObject(refused(id, reason))
    }
    expect(await operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`)).toMatchObject({
      status: 200,
    })
    expect(await issue()).toMatchObject(refused(usd.id, 'ACCOUNT_NOT_ACTIVE'))
  })

  it.each([
    ['holder-002', 'INSUFFICIENT_BALANCE'],
    ['holder-003', 'ACCOUNT_CLOSED'],
  ])('lets accounts of %s end like the name, which makes them %s', async (platformCustomerId, reason) => {
    const { issue, usd } = await cardApi(server, { balance: 0, platformCustomerId })
    expect(usd.id.slice(-3)).toBe(platformCustomerId.slice(-3))
    expect(await issue()).toMatchObject({ status: 400, body: { details: { accountId: usd.id, reason } } })
  })

  it('takes a name once, closed cards included', async () => {
    const { issue, call, activeCard } = await cardApi(server)
    const card = await activeCard({ platformCardId: 'mine' })
    expect(await issue({ platformCardId: 'mine' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })
    expect(await issue({ platformCardId: 'mine' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect((await call('GET', '/cards?platformCardId=mine')).body).toMatchObject({ data: [{ id: card.id }] })
  })

  it('stops at the limit of live cards, however many ask at once, and frees places', async () => {
    const { issue, call, platform } = await cardApi(server)
    await operate(server, 'PATCH', `/platforms/${platform.platformId}?environment=SANDBOX`, {
      settings: { maxLiveCards: 3 },
    })
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue()))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(3)
    for (const { body } of answers.filter(({ status }) => status !== 201)) {
      expect(body).toMatchObject({ code: 'CARD_LIMIT_REACHED', details: { scope: 'PLATFORM', limit: 3 } })
    }
    await server.settle()
    await call('PATCH', `/cards/${made[0]!.body.id}`, { state: 'CLOSED' })
    expect(await issue({ platformCardId: 'rejected-002' })).toMatchObject({ status: 201 })
    await server.settle()
    expect(await issue()).toMatchObject({ status: 201 })
    expect(await issue()).toMatchObject({ status: 409 })
  })

  it('gives a cardholder one card where the operator wants it so', async () => {
    const { issue, activeCard, call, platform } = await cardApi(server)
    await operate(server, 'PATCH', `/platforms/${platform.platformId}?environment=SANDBOX`, {
      settings: { oneCardPerCardholder: true },
    })
    const card = await activeCard()
    expect(await issue()).toMatchObject({
      status: 409,
      body: { code: 'CARD_LIMIT_REACHED', details: { scope: 'CARDHOLDER', limit: 1 } },
    })
    await call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })
    expect(await issue()).toMatchObject({ status: 201 })
  })

  it('is not there in production, where no issuer is configured', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const api = server.client(platform)
    const { error, response } = await api.GET('/cards')
    expect(response.status).toBe(501)
    expect(error).toMatchObject({ code: 'NOT_IMPLEMENTED' })
  })
})

describe('W5: PATCH', () => {
  it('answers each row of the matrix', async () => {
    const { activeCard, call, customer, api, platform, issue } = await cardApi(server)
    await operate(server, 'PATCH', `/platforms/${platform.platformId}?environment=SANDBOX`, {
      settings: { maxLiveCards: 1 },
    })
    const card = await activeCard()
    const [usd] = card.fundingSources
    const patch = (body: object) => call('PATCH', `/cards/${card.id}`, body)
    const refused = (status: number, code: string, details?: object) => ({
      status,
      body: { code, ...(details ? { details } : {}) },
    })
    expect(await patch({ state: 'ACTIVE' })).toMatchObject(
      refused(409, 'INVALID_STATE_TRANSITION', { from: 'ACTIVE', to: 'ACTIVE' }),
    )
    expect(await patch({})).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(await patch({ nickname: 'x' })).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(await patch({ state: 'PROCESSING' })).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(await patch({ state: 'CLOSED', maxSpendPerTransaction: null })).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
    expect(await patch({ state: 'CLOSED', fundingSources: [usd] })).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
    const empty = await patch({ fundingSources: [] })
    expect(empty).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(JSON.stringify(empty.body)).toContain('FROZEN')
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    expect(await patch({ state: 'FROZEN', fundingSources: [eur.id] })).toMatchObject(
      refused(400, 'FUNDING_SOURCE_INELIGIBLE'),
    )
    expect((await call('GET', `/cards/${card.id}`)).body).toEqual(card)

    const before = (await types(platform)).length
    expect(await patch({ state: 'FROZEN', fundingSources: [usd] })).toMatchObject({
      status: 200,
      body: { state: 'FROZEN', fundingSources: [usd] },
    })
    expect((await types(platform)).slice(before)).toEqual(['CARD.STATE_CHANGE', 'CARD.FUNDING_SOURCE_CHANGE'])
    expect(await patch({ maxSpendPerTransaction: 700 })).toMatchObject({
      body: { maxSpendPerTransaction: 700 },
    })
    expect(await patch({ maxSpendPerTransaction: null })).toMatchObject({
      body: { maxSpendPerTransaction: null },
    })
    expect(await patch({ state: 'ACTIVE' })).toMatchObject({ status: 200, body: { state: 'ACTIVE' } })
    expect((await types(platform)).slice(before)).toHaveLength(3)

    expect(await patch({ state: 'CLOSED' })).toMatchObject({
      status: 200,
      body: { state: 'CLOSED', stateReason: 'CLOSED_BY_PLATFORM', fundingSources: [] },
    })
    expect(await patch({ state: 'CLOSED' })).toMatchObject(refused(409, 'CARD_ALREADY_CLOSED'))
    expect(await patch({ state: 'ACTIVE' })).toMatchObject(
      refused(409, 'INVALID_STATE_TRANSITION', { from: 'CLOSED', to: 'ACTIVE' }),
    )
    expect(await patch({ maxSpendPerTransaction: 1 })).toMatchObject(refused(409, 'CARD_NOT_MUTABLE'))
    expect((await call('GET', `/cards?accountId=${usd}`)).body).toMatchObject({ data: [] })
    expect(await issue()).toMatchObject({ status: 201 })
  })

  it('serialises two at once: the second is judged by what the first made', async () => {
    const { activeCard, call } = await cardApi(server)
    const card = await activeCard()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('PATCH', `/cards/${card.id}`, { state: 'FROZEN' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const limits = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        call('PATCH', `/cards/${card.id}`, { maxSpendPerTransaction: 1_000 + index }),
      ),
    )
    expect(limits.map(({ status }) => status)).toEqual(limits.map(() => 200))
  })

  it('knows no card of another platform, and none that does not exist', async () => {
    const [one, other] = [await cardApi(server), await cardApi(server)]
    const card = await one.activeCard()
    for (const id of [card.id, unknown('Card'), 'nonsense']) {
      expect(await other.call('GET', `/cards/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'REFERENCE_NOT_FOUND' },
      })
      expect(await other.call('PATCH', `/cards/${id}`, { state: 'CLOSED' })).toMatchObject({ status: 404 })
      expect(await other.call('POST', `/cards/${id}/reveal`)).toMatchObject({ status: 404 })
    }
    expect((await other.call('GET', '/cards')).body.data).toEqual([])
  })
})

describe('closing', () => {
  it('by the operator, and with the customer, is CLOSED_BY_GRID', async () => {
    const { activeCard, call, customer, api } = await cardApi(server, { balance: 0 })
    const [first, second, third] = [await activeCard(), await activeCard(), await activeCard()]
    expect(await operate(server, 'POST', `/cards/${first.id}/close`)).toMatchObject({
      status: 200,
      body: { state: 'CLOSED', stateReason: 'CLOSED_BY_GRID' },
    })
    expect(await operate(server, 'POST', `/cards/${first.id}/close`)).toMatchObject({ status: 409 })
    await must(
      api.DELETE('/customers/{customerId}', { params: { path: { customerId: customer.id } } }) as never,
    )
    await server.settle()
    for (const { id } of [second, third]) {
      expect((await call('GET', `/cards/${id}`)).body).toMatchObject({
        state: 'CLOSED',
        stateReason: 'CLOSED_BY_GRID',
      })
    }
  })
})

describe('reveal', () => {
  const pathOf = (address: string) => new URL(address).pathname
  const open = (path: string) => server.fetch(new URL(path, server.baseUrl))

  it('gives an address for five minutes whose page shows the number, and nothing else does', async () => {
    const { activeCard, call } = await cardApi(server)
    const card = await activeCard({ platformCardId: 'card-242' })
    const answer = await call('POST', `/cards/${card.id}/reveal`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const path = pathOf(answer.body.panEmbedUrl)
    const page = await open(path)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await page.text()).toContain('4000 0000 0000 4242')
    expect(JSON.stringify([card, answer.body])).not.toContain('40000000')
    await server.pass(5 * 60_000)
    expect((await open(path)).status).toBe(404)
    expect((await open(`${path.slice(0, -1)}x`)).status).toBe(404)
  })

  it('shows its address once: a replay under the same key has none', async () => {
    const { activeCard, platform } = await cardApi(server)
    const card = await activeCard()
    const reveal = () =>
      server.fetch(`${server.baseUrl}/cards/${card.id}/reveal`, {
        method: 'POST',
        headers: { authorization: basic(platform), 'idempotency-key': 'reveal-1' },
      })
    expect(await (await reveal()).json()).toMatchObject({ panEmbedUrl: expect.stringContaining('/cards/') })
    const again = await reveal()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).not.toContain('/cards/')
  })

  it('is for active and frozen cards', async () => {
    const { activeCard, issue, call } = await cardApi(server)
    const { body: waiting } = await issue({ platformCardId: 'card-001' })
    expect(await call('POST', `/cards/${waiting.id}/reveal`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    const card = await activeCard()
    await call('PATCH', `/cards/${card.id}`, { state: 'FROZEN' })
    const again = await call('POST', `/cards/${card.id}/reveal`)
    expect(again.status).toBe(200)
    await call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })
    expect(await call('POST', `/cards/${card.id}/reveal`)).toMatchObject({
      status: 409,
      body: { code: 'CARD_NOT_MUTABLE' },
    })
    expect((await open(pathOf(again.body.panEmbedUrl))).status).toBe(404)
  })

  it('is given ten times a minute for one card, and is on record each time with who asked and from where', async () => {
    const limited = await startTestServer({ rateLimits: true })
    try {
      const { activeCard, call, platform } = await cardApi(limited)
      const [card, other] = [await activeCard(), await activeCard()]
      const reveal = (id: string) => call('POST', `/cards/${id}/reveal`)
      const answers = await Promise.all(Array.from({ length: 12 }, () => reveal(card.id)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      const late = answers.filter(({ status }) => status === 429)
      expect(late).toHaveLength(2)
      expect(late[0]!.body.code).toBe('RATE_LIMITED')
      expect(Number(late[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await reveal(other.id)).toMatchObject({ status: 200 })
      await limited.pass(60_000)
      expect(await reveal(card.id)).toMatchObject({ status: 200 })
      const text = 'select card_id as card, actor_id as actor, source, created_at as at from card_reveals'
      const rows = await limited.rows<{ card: string; actor: string; source: string }>(text)
      expect(rows.filter((row) => row.card === card.id)).toHaveLength(11)
      const { data: tokens } = await must(limited.client(platform).GET('/tokens'))
      for (const row of rows) expect(row).toMatchObject({ actor: tokens[0]!.id, source: '127.0.0.1' })
    } finally {
      await limited.close()
    }
  })
})

it('lists cards by holder, account and state', async () => {
  const { activeCard, issue, call, customer, usd, api } = await cardApi(server)
  const active = await activeCard()
  const { body: waiting } = await issue({ platformCardId: 'card-001' })
  await fund(api, usd.id, 100)
  const ids = async (query: string) =>
    (await call('GET', `/cards?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids(`cardholderId=${customer.id}`)).toEqual([waiting.id, active.id])
  expect(await ids(`accountId=${usd.id}&sortOrder=asc`)).toEqual([active.id, waiting.id])
  expect(await ids('state=PROCESSING')).toEqual([waiting.id])
  expect(await ids('state=PENDING_KYC')).toEqual([])
  expect(await call('GET', '/cards?state=OPEN')).toMatchObject({ status: 400 })
})
