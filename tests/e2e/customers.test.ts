import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { business, customerApi, type Individual, person, type Query, refusal } from './customer-api.ts'

const server = await openTestServer()

const start = (options: Parameters<typeof customerApi>[1] = {}) => customerApi(server, options)

describe('a new customer', () => {
  it('gets an id, a UMA address, and an account in each of its currencies', async () => {
    const { api, create, accounts, configure } = await start()
    const config = (await api.GET('/config')).data!
    const keep = config.supportedCurrencies.filter(({ currencyCode }) => currencyCode !== 'USDB')
    await configure({ supportedCurrencies: keep })
    const { data, response } = await create({
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'u-771',
      fullName: '  Mira   Okafor 001 ',
      birthDate: '1991-04-02',
      nationality: 'us',
      region: 'US',
      currencies: ['USD', 'USDC', 'USD'],
    })
    expect(response.status).toBe(201)
    const customer = data as unknown as Individual
    expect(customer).toEqual({
      id: expect.stringMatching(/^Customer:/),
      platformCustomerId: 'u-771',
      customerType: 'INDIVIDUAL',
      kycStatus: 'UNVERIFIED',
      umaAddress: expect.stringMatching(/^\$[a-z0-9]{12}@/),
      fullName: 'Mira Okafor 001',
      birthDate: '1991-04-02',
      nationality: 'US',
      region: 'US',
      currencies: ['USD', 'USDC'],
      isDeleted: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(customer.umaAddress).toContain(`@${config.umaDomain}`)
    expect(await accounts(customer.id)).toEqual([
      ['USD', 'INTERNAL_FIAT'],
      ['USDC', 'INTERNAL_CRYPTO'],
    ])
  })

  it('always has an id of the platform and a UMA address, its own or given ones', async () => {
    const { create, get, list } = await start()
    for (const body of [person, business]) {
      const { data } = await create(body)
      const { id, platformCustomerId, umaAddress } = data!
      expect(platformCustomerId).toMatch(/^\S+$/)
      expect(umaAddress).toMatch(/^\$[a-z0-9]{12}@/)
      expect((await get(id)).data).toMatchObject({ platformCustomerId, umaAddress })
      expect((await list({ platformCustomerId })).data!.data).toMatchObject([{ id, umaAddress }])
    }
  })

  it('has a wallet wherever the platform supports USDB, also when that begins later', async () => {
    const { api, customer, accounts, configure } = await start()
    const { supportedCurrencies } = (await api.GET('/config')).data!
    const early = await customer({ currencies: ['USD', 'USDB'] })
    expect(await accounts(early.id)).toEqual([
      ['USD', 'INTERNAL_FIAT'],
      ['USDB', 'EMBEDDED_WALLET'],
    ])
    await configure({
      supportedCurrencies: supportedCurrencies.filter(({ currencyCode }) => currencyCode !== 'USDB'),
    })
    const late = await customer({ currencies: ['EUR'] })
    expect(await accounts(late.id)).toEqual([['EUR', 'INTERNAL_FIAT']])
    await configure({ supportedCurrencies })
    await server.settle()
    expect(await accounts(late.id)).toEqual([
      ['EUR', 'INTERNAL_FIAT'],
      ['USDB', 'EMBEDDED_WALLET'],
    ])
    expect(await accounts(early.id)).toHaveLength(2)
  })

  it('may be a business, which has owners and a status of its own', async () => {
    const { create, events } = await start({ isRegulated: true })
    const { data } = await create({ ...business, region: 'us', currencies: ['USD'], birthDate: 'ignored' })
    expect(data).toMatchObject({ ...business, region: 'US', kybStatus: 'UNVERIFIED', beneficialOwners: [] })
    for (const absent of ['kycStatus', 'birthDate', 'contactVerification']) {
      expect(data).not.toHaveProperty(absent)
    }
    expect(await events()).toEqual([])
  })

  it('never shows its identifier again, and keeps it unreadable', async () => {
    const { create, get, list, events } = await start({ isRegulated: true })
    const identifier = '219-09-9999'
    const { data } = await create({ ...person, fullName: 'Mira Okafor', idType: 'SSN', identifier })
    expect(data).toMatchObject({ idType: 'SSN', countryOfIssuance: 'US', kycStatus: 'APPROVED' })
    const shown = [data, (await get(data!.id)).data, (await list()).data, await events()]
    expect(JSON.stringify(shown)).not.toContain(identifier)
    expect(JSON.stringify(shown)).not.toContain('"identifier"')
    const text = 'select to_json(c)::text as all from customers c where id = $1'
    const [row] = await server.rows<{ all: string }>(text, [data!.id])
    expect(row!.all).not.toContain('Mira Okafor')
    expect(row!.all).not.toContain(identifier)
  })

  it('lists every invalid field in one answer', async () => {
    const { create } = await start()
    const { error } = await create({
      customerType: 'INDIVIDUAL',
      email: 'not-an-address',
      phoneNumber: '555-0100',
      birthDate: '1990-02-30',
      idType: 'EIN',
      identifier: '1',
    })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const errors = new Map(refusal(error).details.errors.map((one) => [one.field, one.constraint]))
    expect(new Set(errors.keys())).toEqual(
      new Set(['email', 'phoneNumber', 'birthDate', 'idType', 'identifier']),
    )
    expect(errors.get('email')).toEqual({ format: 'email' })
    expect(errors.get('phoneNumber')).toEqual({ pattern: '^\\+[1-9]\\d{1,14}$' })
    expect(errors.get('birthDate')).toEqual({ format: 'date' })
    expect(errors.get('idType')).toEqual({ enum: ['SSN', 'ITIN'] })
  })

  it('frees its names when it is deleted, once', async () => {
    const { create, remove, list, get, change } = await start()
    const first = await create({ ...person, platformCustomerId: 'u-771', umaAddress: '$mira@free.example' })
    const again = await create({ ...person, platformCustomerId: 'u-771' })
    expect(again.response.status).toBe(409)
    expect(again.error).toMatchObject({ code: 'CONFLICT', details: { customerId: first.data!.id } })
    expect(again.response.headers.get('x-should-retry')).toBe('false')

    const deleted = await remove(first.data!.id)
    expect(deleted.response.status).toBe(200)
    expect(deleted.data).toMatchObject({ id: first.data!.id, isDeleted: true })
    expect((await remove(first.data!.id)).error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    expect((await change(first.data!.id, person)).error).toMatchObject({ status: 410 })
    expect((await get(first.data!.id)).data).toEqual(deleted.data)

    const next = await create({ ...person, platformCustomerId: 'u-771', umaAddress: '$MIRA@free.example' })
    expect(next.response.status).toBe(201)
    expect(next.data!.id).not.toBe(first.data!.id)
    expect((await list({ platformCustomerId: 'u-771' })).data).toMatchObject({ totalCount: 1 })
    const both = await list({ platformCustomerId: 'u-771', isIncludingDeleted: true })
    expect(both.data).toMatchObject({ totalCount: 2 })
    expect(both.data!.data).toHaveLength(2)
  })
})

describe('the list of customers', () => {
  it('pages without repeating or skipping, however many arrive meanwhile', async () => {
    const { list, customer } = await start()
    for (let index = 0; index < 45; index++) {
      await customer({
        platformCustomerId: `c-${index}`,
        region: index % 2 ? 'DE' : 'FR',
        currencies: ['EUR'],
      })
      server.world.passMs(1)
    }
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const { data } = await list(cursor ? { cursor } : {})
      pages.push(data!.data.map(({ platformCustomerId }) => platformCustomerId))
      expect(data!.totalCount).toBe(45)
      expect(data!.hasMore).toBe(data!.nextCursor !== undefined)
      if (pages.length === 1) await customer({ platformCustomerId: 'late', currencies: ['EUR'] })
      cursor = data!.nextCursor
    } while (cursor)
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5])
    const expected = Array.from({ length: 45 }, (_, index) => `c-${44 - index}`)
    expect(pages.flat()).toEqual(expected)

    const ascending = await list({ sortOrder: 'asc', limit: 100 })
    expect(ascending.data!.data.map(({ platformCustomerId }) => platformCustomerId)).toEqual([
      ...[...expected].reverse(),
      'late',
    ])
    for (const limit of ['0', '101', 'abc', '1.5']) {
      expect((await list({ limit })).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    }
    const first = (await list({ region: 'DE' })).data!
    expect((await list({ region: 'DE', cursor: first.nextCursor! })).data!.data).toHaveLength(2)
    for (const other of [{ region: 'FR' }, {}, { region: 'DE', sortOrder: 'asc' }]) {
      const misused = await list({ ...other, cursor: first.nextCursor! })
      expect(misused.error).toMatchObject({ status: 400, details: { field: 'cursor' } })
    }
    expect((await list({ region: 'DE', cursor: 'x' })).error).toMatchObject({ status: 400 })
  })

  it('filters, and combines its filters', async () => {
    const { list, customer, create, remove } = await start()
    const ana = await customer({
      platformCustomerId: 'ana',
      region: 'DE',
      currencies: ['EUR', 'USDC'],
      umaAddress: '$Ana+1@filters.example',
      email: 'ana.filtered@example.com',
    })
    server.world.passMs(1000)
    await create({ ...business, platformCustomerId: 'shop', region: 'DE', currencies: ['USD'] })
    server.world.passMs(1000)
    const gone = await customer({ platformCustomerId: 'gone', region: 'DE', currencies: ['EUR'] })
    await remove(gone.id)
    const ids = async (query: Query) =>
      (await list(query)).data!.data.map(({ platformCustomerId }) => platformCustomerId)

    expect(await ids({})).toEqual(['shop', 'ana'])
    expect(await ids({ region: 'de' })).toEqual(['shop', 'ana'])
    expect(await ids({ region: 'de', currency: 'USDC' })).toEqual(['ana'])
    expect(await ids({ currency: 'EUR', isIncludingDeleted: true })).toEqual(['gone', 'ana'])
    expect(await ids({ customerType: 'BUSINESS' })).toEqual(['shop'])
    expect(await ids({ platformCustomerId: 'ANA' })).toEqual([])
    expect(await ids({ umaAddress: '$ana+1@FILTERS.example' })).toEqual(['ana'])
    expect(await ids({ umaAddress: 'ana+1@filters.example' })).toEqual(['ana'])
    expect(await ids({ email: ' ANA.filtered@example.com' })).toEqual(['ana'])
    expect(await ids({ email: 'filtered@example.com' })).toEqual([])
    expect(await ids({ kycStatus: ana.kycStatus as string })).toEqual(['ana'])
    expect(await ids({ kycStatus: 'HOLD' })).toEqual([])
    expect(await ids({ kybStatus: 'UNVERIFIED' })).toEqual(['shop'])
    expect(await ids({ createdAfter: ana.createdAt, createdBefore: ana.createdAt })).toEqual(['ana'])
    expect(await ids({ updatedAfter: gone.updatedAt })).toEqual([])
    const everything = {
      region: 'DE',
      currency: 'EUR',
      isIncludingDeleted: true,
      createdAfter: ana.createdAt,
    }
    const removed = (await list({ ...everything, limit: 1 })).data!
    expect(removed).toMatchObject({ data: [{ id: gone.id }], totalCount: 2, hasMore: true })
    const until = { createdBefore: gone.createdAt, updatedAfter: ana.updatedAt, updatedBefore: ana.updatedAt }
    expect(await ids({ ...everything, ...until })).toEqual(['ana'])

    const wrong = [
      { customerType: 'ROBOT' },
      { kycStatus: 'FINE' },
      { isIncludingDeleted: 'yes' },
      { createdAfter: 'yesterday' },
      { createdAfter: '2025-10-13T00:00:00' },
      { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' },
    ]
    for (const query of wrong) expect((await list(query as Query)).error).toMatchObject({ status: 400 })
  })

  it('reads a plus sign in a query as a blank', async () => {
    const { platform, customer } = await start()
    const { umaAddress } = await customer({ umaAddress: '$plus+1@filters.example' })
    const credentials = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const count = async (text: string) => {
      const answer = await server.fetch(`${server.baseUrl}/customers?umaAddress=${text}`, {
        headers: { authorization: `Basic ${credentials}` },
      })
      return ((await answer.json()) as { totalCount: number }).totalCount
    }
    expect(await count(umaAddress)).toBe(0)
    expect(await count(umaAddress.replace('+', '%2B'))).toBe(1)
  })
})

describe('customers of others', () => {
  it('look like customers that never were', async () => {
    const [one, two] = [await start(), await start()]
    const real = await start({ environment: 'PRODUCTION' })
    const { id } = await one.customer()
    const random = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const other of [two, real]) {
      for (const call of [other.get, other.remove, (one: string) => other.change(one, person)]) {
        const foreign = refusal((await call(id)).error)
        const unknown = refusal((await call(random)).error)
        expect(foreign).toMatchObject({ status: 404, code: 'USER_NOT_FOUND', details: { id } })
        expect({ ...foreign, details: {} }).toEqual({ ...unknown, details: {} })
      }
      expect((await other.list()).data!.totalCount).toBe(0)
    }
    expect((await one.get(id)).response.status).toBe(200)
    expect((await one.get('Customer:1')).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
  })

  it('may have the same id of their platform', async () => {
    const [one, two] = [await start(), await start()]
    await one.customer({ platformCustomerId: 'same' })
    expect((await two.create({ ...person, platformCustomerId: 'same' })).response.status).toBe(201)
  })
})

describe('simultaneous requests', () => {
  const status = ({ response }: { response: Response }) => response.status

  it('create one customer for one id of the platform', async () => {
    const { create, list } = await start()
    const body = { ...person, platformCustomerId: 'race' }
    const answers = await Promise.all([create(body), create(body), create(body)])
    expect(answers.map(status).sort()).toEqual([201, 409, 409])
    const winner = answers.find(({ data }) => data)!.data!.id
    for (const { error } of answers) {
      if (error) expect(error).toMatchObject({ code: 'CONFLICT', details: { customerId: winner } })
    }
    expect((await list()).data!.totalCount).toBe(1)
  })

  it('create one customer for one UMA address, also on two platforms', async () => {
    const [one, two] = [await start(), await start()]
    const body = { ...person, umaAddress: '$race@race.example' }
    const answers = await Promise.all([one.create(body), two.create(body), one.create(body)])
    expect(answers.map(status).sort()).toEqual([201, 409, 409])
    for (const { error } of answers) if (error) expect(error).toMatchObject({ code: 'UMA_ADDRESS_EXISTS' })
  })

  it('delete a customer once, and lose no change', async () => {
    const { customer, remove, change, get } = await start()
    const { id } = await customer()
    const changes = [{ fullName: 'Ana' }, { nationality: 'DE' }, { birthDate: '1990-01-01' }]
    const changed = await Promise.all(changes.map((body) => change(id, { ...person, ...body })))
    expect(changed.map(status)).toEqual([200, 200, 200])
    expect((await get(id)).data).toMatchObject(Object.assign({}, ...changes))
    const removed = await Promise.all([remove(id), remove(id)])
    expect(removed.map(status).sort()).toEqual([200, 410])
  })

  it('repeat the first answer for the same idempotency key', async () => {
    const { api, list } = await start()
    const send = () =>
      api.POST('/customers', {
        headers: { 'Idempotency-Key': 'k-1' },
        body: { ...person, idType: 'SSN', identifier: '219-09-9999' } as never,
      })
    const [first, second] = [await send(), await send()]
    expect(second.data).toEqual(first.data)
    expect(second.response.headers.get('idempotent-replayed')).toBe('true')
    expect((await list()).data!.totalCount).toBe(1)
  })
})

describe('the path of customers', () => {
  it('answers other methods with a JSON 405', async () => {
    const { platform } = await start()
    const credentials = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const answer = await server.fetch(`${server.baseUrl}/customers`, {
      method: 'PUT',
      headers: { authorization: `Basic ${credentials}` },
    })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, POST')
    expect(await answer.json()).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  })

  it('takes ids with a colon as it is and encoded', async () => {
    const { platform, customer } = await start()
    const { id } = await customer()
    const credentials = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    for (const text of [id, encodeURIComponent(id)]) {
      const answer = await server.fetch(`${server.baseUrl}/customers/${text}`, {
        headers: { authorization: `Basic ${credentials}` },
      })
      expect(await answer.json()).toMatchObject({ id })
    }
  })

  it('lets a token that may only look do nothing else', async () => {
    const { api } = await start()
    const created = await api.POST('/tokens', { body: { name: 'v', permissions: ['VIEW'] } })
    const { clientId, clientSecret } = created.data!
    const viewer = server.client({ clientId, clientSecret: clientSecret! })
    expect((await viewer.GET('/customers')).response.status).toBe(200)
    const refused = await viewer.POST('/customers', { body: {} as never })
    expect(refused.error).toMatchObject({ status: 403, details: { requiredPermission: 'MANAGE' } })
  })
})
