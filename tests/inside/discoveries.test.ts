import { findLookup } from '@corridor/engine/money/receivers/index.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { addCustomer } from '../e2e/book-fixtures.ts'

const server = await openTestServer()

describe('discoveries', () => {
  it('lists institutions by country and name, whatever the case of the filters', async () => {
    const api = server.client(await server.platform())
    const read = async (query: object = {}) =>
      (await api.GET('/discoveries', { params: { query } })).data!.data
    const all = await read()
    const keys = all.map(({ country, displayName }) => `${country} ${displayName}`)
    expect(keys).toEqual([...keys].sort())
    const philippine = await read({ country: 'ph' })
    expect(philippine.map(({ bankName }) => bankName)).toContain('GCash')
    expect(await read({ currency: 'PHP' })).toEqual(philippine)
    expect(await read({ country: 'PH', currency: 'NGN' })).toEqual([])
    expect(await read({ country: 'ZZ' })).toEqual([])
    expect(await read({ country: 'CN', currency: 'cny' })).toContainEqual({
      bankName: 'WechatPay',
      displayName: 'WeChat Pay',
      country: 'CN',
      currency: 'CNY',
    })
  })

  it.each([{ country: 'PHL' }, { country: '1' }, { currency: 'PESO' }])('refuses %j', async (query) => {
    const api = server.client(await server.platform())
    const { error } = await api.GET('/discoveries', { params: { query } })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  })
})

describe('directories', () => {
  it('lists custodians from A to Z, page by page', async () => {
    const api = server.client(await server.platform())
    const read = (query: object) => api.GET('/vasps', { params: { query } })
    const all = (await read({})).data!
    expect(all).not.toHaveProperty('totalCount')
    const names = all.data.map(({ vaspName }) => vaspName)
    expect(names).toEqual([...names].sort())
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = (await read({ limit: 3, ...(cursor ? { cursor } : {}) })).data!
      seen.push(...page.data.map(({ vaspName }) => vaspName))
      expect(page.hasMore).toBe(page.nextCursor !== undefined)
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(names)
    expect((await read({ cursor: 'nonsense' })).error).toMatchObject({ details: { field: 'cursor' } })
  })

  it('lists the institutions outside that the operator lists for the platform, blocked or not', async () => {
    const hosted = await server.platform()
    const { umaDomain } = (await server.client(hosted).GET('/config')).data!
    const umaPeers = [
      { domain: 'bank.example', creditLineMsats: 1_000 },
      { domain: 'barred.example', isBlocked: true },
      { domain: umaDomain, isBlocked: true },
    ]
    const platform = await server.platform({ settings: { umaPeers } })
    const read = async (client: typeof platform, query: object = {}) => {
      const { data } = await server
        .client(client)
        .GET('/uma-providers', { params: { query: { limit: 100, ...query } } })
      return new Map(data!.data.map((provider) => [provider.domain, provider]))
    }
    const all = await read(platform)
    expect(all.get('bank.example')).toEqual({
      name: 'bank.example',
      domain: 'bank.example',
      supportedRegions: [],
      supportedCurrencies: [],
      allowListStatus: true,
    })
    expect(all.get('barred.example')).toMatchObject({ allowListStatus: false })
    expect(all.get(umaDomain)).toMatchObject({ name: hosted.name, allowListStatus: false })
    const open = await read(platform, { hasBlockedProviders: false })
    expect([open.has('bank.example'), open.has('barred.example'), open.has(umaDomain)]).toEqual([
      true,
      false,
      false,
    ])
    const others = await read(hosted)
    expect([others.has('bank.example'), others.get(umaDomain)?.allowListStatus]).toEqual([false, true])
  })

  it('lists the platforms of this installation as UMA providers of their environment', async () => {
    const first = await server.platform()
    const second = await server.platform()
    const live = await server.platform({ environment: 'PRODUCTION' })
    const read = async (query: object = {}) =>
      (await server.client(first).GET('/uma-providers', { params: { query: { limit: 100, ...query } } }))
        .data!
    const names = (await read({ sortOrder: 'asc' })).data.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(names).toEqual(expect.arrayContaining([first.name, second.name]))
    expect(names).not.toContain(live.name)
    expect((await read()).data.map(({ name }) => name)).toEqual([...names].reverse())
    expect((await read()).totalCount).toBe(names.length)
    const [one] = (await read({ currencyCode: 'EUR', countryCode: 'DE', hasBlockedProviders: false })).data
    expect(one).toMatchObject({ allowListStatus: true, domain: expect.stringContaining('.') })
    expect((await read({ countryCode: 'AQ' })).data).toEqual([])
    const page = await read({ limit: 1 })
    expect(page).toMatchObject({ hasMore: true })
    const next = await read({ limit: 1, cursor: page.nextCursor })
    expect(next.data[0]!.domain).not.toBe(page.data[0]!.domain)
    const otherFilter = await server.client(first).GET('/uma-providers', {
      params: { query: { cursor: page.nextCursor!, currencyCode: 'EUR' } },
    })
    expect(otherFilter.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'cursor' } })
  })
})

describe('a lookup of an external account', () => {
  const rupees = {
    currency: 'INR',
    accountInfo: {
      accountType: 'INR_ACCOUNT',
      vpa: 'amina@upi',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Amina Okafor' },
    },
  }

  async function start(environment: 'SANDBOX' | 'PRODUCTION' = 'SANDBOX') {
    const platform = await server.platform({ environment })
    const api = server.client(platform)
    const customer = await addCustomer(server, platform, { currencies: ['EUR', 'USD'] })
    const body = { customerId: customer.id, ...rupees } as never
    const account = (await api.POST('/customers/external-accounts', { body })).data!
    const lookUp = (query: object = {}, accountId: string = account.id) =>
      api.GET('/receiver/external-account/{accountId}', { params: { path: { accountId }, query } })
    return { platform, api, customer, account, lookUp }
  }

  it('tells what a sender can pay it, at an indicative rate in the other direction', async () => {
    const { customer, account, lookUp } = await start()
    const byPlatform = await lookUp()
    expect(byPlatform.data).toEqual({
      accountId: account.id,
      lookupId: expect.stringMatching(/^Lookup:/),
      supportedCurrencies: [
        {
          currency: { code: 'INR', name: 'Indian Rupee', symbol: '₹', decimals: 2 },
          estimatedExchangeRate: 89,
          min: 89,
          max: 8_900_000_000,
        },
      ],
      requiredPayerDataFields: [{ name: 'PURPOSE_OF_PAYMENT', mandatory: false }],
    })
    const byCustomer = await lookUp({ customerId: customer.id })
    expect(byCustomer.data!.supportedCurrencies[0]!.estimatedExchangeRate).toBe(103.48837209)
    const byUma = await lookUp({ senderUmaAddress: customer.umaAddress.toUpperCase() })
    expect(byUma.data!.supportedCurrencies).toEqual(byCustomer.data!.supportedCurrencies)
    expect(byUma.data!.lookupId).not.toBe(byCustomer.data!.lookupId)
  })

  it('demands the purpose of a payment to India with real money', async () => {
    const { lookUp } = await start('PRODUCTION')
    expect((await lookUp()).data!.requiredPayerDataFields).toEqual([
      { name: 'PURPOSE_OF_PAYMENT', mandatory: true },
    ])
  })

  it('refuses unknown senders, contradicting ones, and accounts that are gone', async () => {
    const { platform, api, customer, account, lookUp } = await start()
    const other = await addCustomer(server, platform)
    const deleted = await addCustomer(server, platform, { isDeleted: true })
    const notFound = { status: 404, code: 'USER_NOT_FOUND' }
    expect((await lookUp({ customerId: deleted.id })).error).toMatchObject(notFound)
    expect((await lookUp({ senderUmaAddress: '$nobody@uma.test' })).error).toMatchObject(notFound)
    expect(
      (await lookUp({ customerId: customer.id, senderUmaAddress: other.umaAddress })).error,
    ).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'senderUmaAddress' },
    })
    const missing = { status: 404, code: 'REFERENCE_NOT_FOUND' }
    expect((await lookUp({}, 'ExternalAccount:x')).error).toMatchObject(missing)
    const foreign = await start()
    expect((await lookUp({}, foreign.account.id)).error).toMatchObject(missing)
    const path = { externalAccountId: account.id }
    await api.DELETE('/customers/external-accounts/{externalAccountId}', { params: { path } })
    expect((await lookUp()).error).toMatchObject(missing)
  })

  it('is good for ten minutes, for the sender and receiver it was made of', async () => {
    const { platform, customer, account, lookUp } = await start()
    const { lookupId: id } = (await lookUp({ customerId: customer.id })).data!
    const find = async (of: object = {}) => {
      const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
      const asked = { id, senderId: customer.id, receiver: account.id, ...of }
      return findLookup(server.engine.database, scope, asked)
    }
    expect(await find()).toMatchObject({ id })
    expect(await find({ senderId: 'platform' })).toBeUndefined()
    expect(await find({ receiver: 'ExternalAccount:other' })).toBeUndefined()
    server.world.passMs(10 * 60 * 1000 - 1)
    expect(await find()).toMatchObject({ id })
    server.world.passMs(1)
    expect(await find()).toBeUndefined()
    await lookUp()
    const left = await server.engine.database.read<{ id: string }>(platform, {
      name: 'test.lookups',
      text: 'select id from lookups',
    })
    expect(left.map((row) => row.id)).not.toContain(id)
  })
})
