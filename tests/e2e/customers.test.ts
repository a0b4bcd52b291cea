import { loadSealedKey } from '@corridor/engine/keys/data-keys.ts'
import type { components } from '@corridor/sdk/index.ts'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

type Individual = components['schemas']['IndividualCustomer']
type Query = Record<string, string | number | boolean>

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function start(options: Parameters<TestServer['platform']>[0] = {}) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const path = (customerId: string) => ({ params: { path: { customerId } } })
  return {
    platform,
    api,
    create: (body: object) => api.POST('/customers', { body: body as never }),
    /** Creates an individual; the test does not care how. */
    async customer(body: object = {}): Promise<Individual> {
      const { data, error } = await api.POST('/customers', {
        body: { customerType: 'INDIVIDUAL', ...body } as never,
      })
      expect(error).toBeUndefined()
      return data as unknown as Individual
    },
    get: (id: string) => api.GET('/customers/{customerId}', path(id)),
    async change(id: string, body: object) {
      const answer = await api.PATCH('/customers/{customerId}', { ...path(id), body: body as never })
      return { ...answer, data: answer.data as Individual | undefined }
    },
    remove: (id: string) => api.DELETE('/customers/{customerId}', path(id)),
    list: (query: Query = {}) => api.GET('/customers', { params: { query: query as never } }),
    configure: (body: object) => api.PATCH('/config', { body: body as never }),
    accounts: async (customerId: string) => {
      const query = { customerId, limit: 100, sortOrder: 'asc' as const }
      const { data } = await api.GET('/customers/internal-accounts', { params: { query: query as never } })
      return data!.data.map(({ balance, type }) => [balance.currency.code, type])
    },
    events: () => eventsOf(platform.platformId),
  }
}

async function eventsOf(platformId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const text = 'select body from events where platform_id = $1 order by seq'
  const rows = await server.engine.database.system((connection) =>
    connection.query<{ body: string }>({ name: 'test.events', text }, [platformId]),
  )
  return rows.map(({ body }) => JSON.parse(body))
}

interface Refusal {
  status: number
  code: string
  details: { errors: { field: string; constraint?: object }[] } & Record<string, unknown>
}
const refusal = (error: unknown) => error as Refusal
const fieldsOf = (error: unknown) =>
  refusal(error)
    .details.errors.map(({ field }) => field)
    .sort()

const person = { customerType: 'INDIVIDUAL' }
const business = {
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'Larch Tools LLC',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2016-09-30',
  },
}
const address = { line1: '8 Quay Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' }

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
    const [row] = await server.engine.database.system((connection) =>
      connection.query<{ all: string }>(
        { name: 'test.row', text: 'select to_json(c)::text as all from customers c where id = $1' },
        [data!.id],
      ),
    )
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

describe('the fields of a customer', () => {
  const wrong: [string, object, string[]][] = [
    ['no type', {}, ['customerType']],
    ['an unknown type', { customerType: 'ROBOT' }, ['customerType']],
    ['a business without its information', { customerType: 'BUSINESS' }, ['businessInfo']],
    [
      'a business without the four facts',
      { customerType: 'BUSINESS', businessInfo: {} },
      ['country', 'incorporatedOn', 'legalName', 'taxId'].map((name) => `businessInfo.${name}`),
    ],
    ['an empty id of the platform', { ...person, platformCustomerId: '' }, ['platformCustomerId']],
    ['control characters', { ...person, fullName: 'A\u0007' }, ['fullName']],
    ['a blank name', { ...person, fullName: '   ' }, ['fullName']],
    ['a name of 251 characters', { ...person, fullName: 'a'.repeat(251) }, ['fullName']],
    ['an unassigned country', { ...person, region: 'XX', nationality: 'ZZ' }, ['nationality', 'region']],
    [
      'an address that lacks parts',
      { ...person, address: { line1: 'x' } },
      ['address.country', 'address.postalCode'],
    ],
    ['an address in no country', { ...person, address: { ...address, country: 'QQ' } }, ['address.country']],
    ['a birth in the future', { ...person, birthDate: '2999-01-01' }, ['birthDate']],
    ['a birth before 1900', { ...person, birthDate: '1899-12-31' }, ['birthDate']],
    ['a date with a time', { ...person, birthDate: '1990-01-01T00:00:00Z' }, ['birthDate']],
    ['an identifier without its type', { ...person, identifier: '219-09-9999' }, ['idType']],
    ['an identifier of another form', { ...person, idType: 'ITIN', identifier: '219099999' }, ['identifier']],
    [
      'an SSN issued abroad',
      { ...person, idType: 'SSN', identifier: '219-09-9999', countryOfIssuance: 'DE' },
      ['countryOfIssuance'],
    ],
    ['no currency at all', { ...person, currencies: [] }, ['currencies']],
    [
      'OTHER without a description',
      { ...person, purposeOfAccount: 'OTHER', sourceOfFundsCategories: ['GIFT', 'OTHER'] },
      ['purposeOfAccountOtherDescription', 'sourceOfFundsOtherDescription'],
    ],
    [
      "a business's source of funds for a person",
      { ...person, sourceOfFundsCategories: ['OPERATING_REVENUE'] },
      ['sourceOfFundsCategories.0'],
    ],
    [
      'a US tax number of eight digits',
      { ...business, businessInfo: { ...business.businessInfo, taxId: '12-345678' } },
      ['businessInfo.taxId'],
    ],
    [
      'an industry code in letters and a wrong list',
      {
        ...business,
        businessInfo: { ...business.businessInfo, naicsCode: 'A1', countriesOfOperation: ['US', 'Q1'] },
      },
      ['businessInfo.countriesOfOperation.1', 'businessInfo.naicsCode'],
    ],
    [
      'a company of tomorrow',
      { ...business, businessInfo: { ...business.businessInfo, incorporatedOn: '2099-01-01' } },
      ['businessInfo.incorporatedOn'],
    ],
    [
      'a consent that lacks parts',
      { ...person, endUserTermsConsent: { termsVersion: 'V1', acceptanceMethod: 'SHOUTED' } },
      ['acceptanceMethod', 'acceptedAt', 'ipAddress'].map((name) => `endUserTermsConsent.${name}`),
    ],
  ]

  test.each(wrong)('are refused: %s', async (_what, body, fields) => {
    const { create } = await start()
    const { error } = await create(body)
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(fieldsOf(error)).toEqual(fields)
  })

  const fine: [string, object, object][] = [
    ['lower-case countries', { ...person, region: 'de' }, { region: 'DE' }],
    ['a one-word name', { ...person, fullName: 'Cher' }, { fullName: 'Cher' }],
    ['a birth in 1900', { ...person, birthDate: '1900-01-01' }, { birthDate: '1900-01-01' }],
    ['an ITIN', { ...person, idType: 'ITIN', identifier: '900-70-0000' }, { countryOfIssuance: 'US' }],
    [
      'nine digits anyhow',
      { ...business, businessInfo: { ...business.businessInfo, taxId: '123-45-6789' } },
      { businessInfo: { taxId: '123-45-6789' } },
    ],
    [
      'a foreign tax number',
      { ...business, businessInfo: { ...business.businessInfo, country: 'fr', taxId: 'FR-7' } },
      { businessInfo: { country: 'FR', taxId: 'FR-7' } },
    ],
    [
      'what was read back',
      { ...person, id: 'Customer:1', createdAt: 'x', isDeleted: true, kycStatus: 'APPROVED' },
      { isDeleted: false, kycStatus: 'UNVERIFIED' },
    ],
    [
      'OTHER with a description',
      { ...person, purposeOfAccount: 'OTHER', purposeOfAccountOtherDescription: 'Rent\nand food' },
      { purposeOfAccountOtherDescription: 'Rent\nand food' },
    ],
  ]

  test.each(fine)('are accepted: %s', async (_what, body, shown) => {
    const { create } = await start()
    const { data, error } = await create(body)
    expect(error).toBeUndefined()
    expect(data).toMatchObject(shown)
  })

  it('of the other type are ignored, as is a description of nothing', async () => {
    const { create } = await start()
    const { data } = await create({
      ...person,
      businessInfo: { taxId: 1 },
      purposeOfAccount: 'P2P_TRANSFERS',
      purposeOfAccountOtherDescription: 'gone',
    })
    expect(data).not.toHaveProperty('businessInfo')
    expect(data).not.toHaveProperty('purposeOfAccountOtherDescription')
  })

  it('answer with the code of their kind, and INVALID_INPUT when kinds mix', async () => {
    const { create } = await start()
    const unknown = await create({ ...person, currencies: ['USD', 'usd', 'XXX'] })
    expect(unknown.error).toMatchObject({ code: 'INVALID_CURRENCY' })
    expect(refusal(unknown.error).details.supported).toContain('USD')
    expect(fieldsOf(unknown.error)).toEqual(['currencies.1', 'currencies.2'])
    const uma = await create({ ...person, umaAddress: 'mira@free.example' })
    expect(uma.error).toMatchObject({
      code: 'INVALID_UMA_ADDRESS',
      details: { field: 'umaAddress', umaAddress: 'mira@free.example' },
    })
    const mixed = await create({ ...person, currencies: ['XXX'], umaAddress: 'mira', email: 'x' })
    expect(mixed.error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(fieldsOf(mixed.error)).toEqual(['currencies.0', 'email', 'umaAddress'])
  })
})

describe('region and currencies', () => {
  const inferred: [string, object, string | undefined, string[] | 'all'][] = [
    ['as given', { region: 'MX', currencies: ['EUR'] }, 'MX', ['EUR']],
    ['from the address', { address: { ...address, country: 'br' } }, 'BR', ['BRL', 'USDC', 'USDT', 'USDB']],
    ['from the one country of one currency', { currencies: ['INR'] }, 'IN', ['INR']],
    ['not from the euro', { currencies: ['EUR'] }, undefined, ['EUR']],
    ['not from two currencies', { currencies: ['INR', 'BRL'] }, undefined, ['INR', 'BRL']],
    ['never from the nationality', { nationality: 'BR' }, undefined, 'all'],
    ['in a region without a currency of its own', { region: 'AQ' }, 'AQ', ['USDC', 'USDT', 'USDB']],
    ['in the euro area', { region: 'DE' }, 'DE', ['EUR', 'USDC', 'USDT', 'USDB']],
  ]

  test.each(inferred)('are inferred: %s', async (_what, body, region, currencies) => {
    const { api, customer } = await start()
    const created = await customer(body)
    const supported = (await api.GET('/config')).data!.supportedCurrencies
    expect(created.region).toBe(region)
    expect([...created.currencies].sort()).toEqual(
      currencies === 'all'
        ? supported.map(({ currencyCode }) => currencyCode).sort()
        : [...currencies].sort(),
    )
  })

  it('come from where a business is registered', async () => {
    const { create } = await start()
    const { data } = await create({
      ...business,
      businessInfo: { ...business.businessInfo, country: 'GB', taxId: 'UK1' },
    })
    expect(data).toMatchObject({ region: 'GB' })
    expect(data!.currencies).toContain('GBP')
    expect(data).not.toHaveProperty('contactVerification')
  })

  it('decide whether contacts must be verified', async () => {
    const { customer } = await start()
    const pending = { contactVerification: { email: 'PENDING', phone: 'PENDING' } }
    for (const region of ['DE', 'NO', 'IS', 'LI']) expect(await customer({ region })).toMatchObject(pending)
    for (const region of ['GB', 'CH', 'US']) {
      expect(await customer({ region })).not.toHaveProperty('contactVerification')
    }
  })

  it('demand what providers require, of the currencies that are named', async () => {
    const { create, platform, change } = await start()
    const settings = { providerRequiredCustomerFields: { BRL: ['FULL_NAME', 'TAX_ID'], EUR: ['EMAIL'] } }
    await server.engine.database.system((connection) =>
      connection.query(
        { name: 'test.settings', text: 'update books set settings = $2 where platform_id = $1' },
        [platform.platformId, JSON.stringify(settings)],
      ),
    )
    expect((await create(person)).response.status).toBe(201)
    const missing = await create({ ...person, currencies: ['BRL', 'EUR'], email: 'a@b.example' })
    expect(missing.error).toMatchObject({
      code: 'MISSING_MANDATORY_USER_INFO',
      details: { missingFields: ['fullName', 'identifier'] },
    })
    const malformed = await create({ ...person, currencies: ['EUR'], phoneNumber: '1' })
    expect(malformed.error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(fieldsOf(malformed.error)).toEqual(['email', 'phoneNumber'])

    const { data } = await create({ ...person, currencies: ['USD'] })
    const later = await change(data!.id, { ...person, currencies: ['USD', 'EUR'] })
    expect(later.error).toMatchObject({ details: { missingFields: ['email'] } })
    const both = { ...person, currencies: ['USD', 'EUR'], email: 'a@b.example' }
    expect((await change(data!.id, both)).response.status).toBe(200)
  })

  it('in production, customers of the EEA are reachable from the start', async () => {
    const { create, change } = await start({ environment: 'PRODUCTION' })
    const nobody = await create({ ...business, region: 'DE' })
    expect(nobody.error).toMatchObject({
      code: 'MISSING_MANDATORY_USER_INFO',
      details: {
        missingFields: [
          'email',
          'phoneNumber',
          'businessInfo.primaryContactFirstName',
          'businessInfo.primaryContactLastName',
        ],
      },
    })
    const contacts = { email: 'lena@vogt.example', phoneNumber: '+4915112345678' }
    const { data } = await create({ ...person, region: 'DE', ...contacts })
    const silent = await change(data!.id, { ...person, email: null })
    expect(silent.error).toMatchObject({ code: 'MISSING_MANDATORY_USER_INFO', details: { field: 'email' } })
    expect((await create({ ...person, region: 'US' })).response.status).toBe(201)
  })
})

describe('the status at creation', () => {
  const unregulated = {}
  const regulated = { isRegulated: true }
  const skipping = { skipPaperwork: true }
  const production = { environment: 'PRODUCTION' } as const
  const table: [string, object, string | undefined, string][] = [
    ['unregulated', unregulated, 'Ana Lopez 001', 'UNVERIFIED'],
    ['unregulated', unregulated, 'Ana Lopez 002', 'UNVERIFIED'],
    ['unregulated', unregulated, 'Ana Lopez', 'UNVERIFIED'],
    ['regulated', regulated, 'Ana Lopez 001', 'PENDING'],
    ['regulated', regulated, 'Ana Lopez 002  ', 'REJECTED'],
    ['regulated', regulated, 'Ana Lopez003', 'UNVERIFIED'],
    ['regulated', regulated, 'Ana Lopez 1002', 'REJECTED'],
    ['regulated', regulated, 'Ana Lopez 005', 'APPROVED'],
    ['regulated', regulated, 'Ana Lopez', 'APPROVED'],
    ['regulated', regulated, undefined, 'APPROVED'],
    ['skipping paperwork', skipping, 'Ana Lopez 001', 'PENDING'],
    ['skipping paperwork', skipping, 'Ana Lopez', 'APPROVED'],
    ['in production, unregulated', production, 'Ana Lopez', 'UNVERIFIED'],
    ['in production, regulated', { ...production, ...regulated }, 'Ana Lopez 002', 'APPROVED'],
  ]

  test.each(table)('of %s %j %j is %s', async (_what, options, fullName, status) => {
    const { customer, create, events } = await start(options)
    const created = await customer(fullName === undefined ? {} : { fullName })
    expect(created.kycStatus).toBe(status)
    const expected = status === 'UNVERIFIED' ? [] : [{ type: `CUSTOMER.KYC_${status}`, data: created }]
    expect(await events()).toMatchObject(expected)
    expect(await events()).toHaveLength(expected.length)
    const company = await create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber: '77002' },
    })
    expect(company.data).toMatchObject({ kybStatus: 'UNVERIFIED' })
    expect(await events()).toHaveLength(expected.length)
  })

  it('does not follow a change of the name', async () => {
    const { customer, change, events } = await start({ isRegulated: true })
    const { id } = await customer({ fullName: 'Teo Brandt 002' })
    const renamed = await change(id, { ...person, fullName: 'Teo Brandt' })
    expect(renamed.data).toMatchObject({ fullName: 'Teo Brandt', kycStatus: 'REJECTED' })
    expect((await events()).map(({ type }) => type)).toEqual(['CUSTOMER.KYC_REJECTED'])
  })
})

describe('a UMA address', () => {
  const addresses: [string, boolean][] = [
    ['$ana@larch.example', true],
    ['$Ana.B-c_d+e@LARCH.example', true],
    [`$${'a'.repeat(49)}@larch.example`, true],
    [`$${'a'.repeat(51)}@larch.example`, false],
    ['ana@larch.example', false],
    ['$@larch.example', false],
    ['$ana', false],
    ['$ana@', false],
    ['$ana@larch', false],
    ['$ana@larch..example', false],
    ['$añа@larch.example', false],
    ['$a b@larch.example', false],
    ['$a@b@larch.example', false],
  ]

  test.each(addresses)('%s is well-formed: %s', async (umaAddress, isWellFormed) => {
    const { create, remove } = await start()
    const { data, error } = await create({ ...person, umaAddress })
    if (!isWellFormed) return expect(error).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' })
    expect(data!.umaAddress).toBe(umaAddress.toLowerCase())
    await remove(data!.id)
  })

  it('belongs to one customer of all platforms, whatever its case', async () => {
    const [one, two] = [await start(), await start()]
    const { id } = await one.customer({ umaAddress: '$ida@shared.example' })
    const taken = await two.create({ ...person, umaAddress: '$IDA@shared.example' })
    expect(taken.error).toMatchObject({ status: 409, code: 'UMA_ADDRESS_EXISTS' })
    const other = await two.customer()
    const moved = await two.change(other.id, { ...person, umaAddress: '$ida@shared.example' })
    expect(moved.error).toMatchObject({ status: 409, code: 'UMA_ADDRESS_EXISTS' })
    expect((await two.get(other.id)).data).toEqual(other)

    await one.change(id, { ...person, umaAddress: '$ida2@shared.example' })
    const free = await two.change(other.id, { ...person, umaAddress: '$ida@shared.example' })
    expect(free.data).toMatchObject({ umaAddress: '$ida@shared.example' })
  })

  it('is not in the domain of another platform, and in production in its own', async () => {
    const [one, two] = [await start(), await start()]
    await one.configure({ umaDomain: 'uma.one.example' })
    expect((await one.create({ ...person, umaAddress: '$a@uma.one.example' })).response.status).toBe(201)
    const foreign = await two.create({ ...person, umaAddress: '$b@uma.one.example' })
    expect(foreign.error).toMatchObject({ code: 'INVALID_UMA_ADDRESS' })

    const real = await start({ environment: 'PRODUCTION' })
    await real.configure({ umaDomain: 'uma.real.example' })
    const outside = await real.create({ ...person, umaAddress: '$a@elsewhere.example' })
    expect(outside.error).toMatchObject({ code: 'INVALID_UMA_ADDRESS' })
    expect((await real.create({ ...person, umaAddress: '$a@uma.real.example' })).response.status).toBe(201)
  })
})

describe('a change of a customer', () => {
  it('needs the type, which never changes', async () => {
    const { customer, change } = await start()
    const { id } = await customer()
    expect(fieldsOf((await change(id, { fullName: 'x' })).error)).toEqual(['customerType'])
    const other = await change(id, { customerType: 'BUSINESS' })
    expect(other.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors: [{ field: 'customerType', constraint: { enum: ['INDIVIDUAL'] } }] },
    })
  })

  it('replaces scalars and lists, merges businessInfo, and clears with null', async () => {
    const { create, change } = await start()
    const { data: created } = await create({ ...business, address, email: 'a@b.example' })
    server.world.passMs(5)
    const { data } = await change(created!.id, {
      customerType: 'BUSINESS',
      email: null,
      address: { line1: '1 Mill St', postalCode: '83702', country: 'us' },
      businessInfo: { entityType: 'LLC', countriesOfOperation: ['us', 'MX'] },
    })
    expect(data).toMatchObject({
      address: { line1: '1 Mill St', postalCode: '83702', country: 'US' },
      businessInfo: { ...business.businessInfo, entityType: 'LLC', countriesOfOperation: ['US', 'MX'] },
    })
    expect(data!.address).not.toHaveProperty('city')
    expect(data).not.toHaveProperty('email')
    const cleared = await change(created!.id, {
      customerType: 'BUSINESS',
      businessInfo: { entityType: null, countriesOfOperation: ['FR'] },
    })
    expect(cleared.data).not.toHaveProperty('businessInfo.entityType')
    expect(cleared.data).toMatchObject({ businessInfo: { countriesOfOperation: ['FR'] } })
    const required = await change(created!.id, { customerType: 'BUSINESS', businessInfo: { taxId: null } })
    expect(fieldsOf(required.error)).toEqual(['businessInfo.taxId'])
  })

  it('that changes nothing leaves updatedAt alone, also with the same identifier', async () => {
    const { customer, change } = await start()
    const identifier = '219-09-9999'
    const created = await customer({ fullName: 'Mira Okafor', idType: 'SSN', identifier })
    server.world.passMs(5000)
    for (const body of [{}, { ...created }, { identifier }, { fullName: ' Mira  Okafor' }]) {
      expect((await change(created.id, { ...person, ...body })).data).toEqual(created)
    }
    const { data } = await change(created.id, { ...person, identifier: '219-09-9998' })
    expect(Date.parse(data!.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt))
  })

  it('moves updatedAt forward every time, even within a millisecond', async () => {
    const { customer, change } = await start()
    const created = await customer()
    const times = [created.updatedAt]
    for (const fullName of ['A', 'B', 'C']) {
      times.push((await change(created.id, { ...person, fullName })).data!.updatedAt)
    }
    expect(new Set(times).size).toBe(4)
    expect([...times].sort()).toEqual(times)
  })

  it('adds accounts for new currencies and keeps those of removed ones', async () => {
    const { customer, change, accounts } = await start()
    const { id } = await customer({ currencies: ['USD'] })
    const { data } = await change(id, { ...person, currencies: ['EUR', 'EUR'] })
    expect(data!.currencies).toEqual(['EUR'])
    expect((await accounts(id)).map(([code]) => code).sort()).toEqual(['EUR', 'USD', 'USDB'])
    const back = await change(id, { ...person, currencies: ['USD', 'EUR'] })
    expect(back.response.status).toBe(200)
    expect(await accounts(id)).toHaveLength(3)
    expect((await change(id, { ...person, currencies: [] })).error).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('keeps a currency that the platform no longer offers, and refuses to add one', async () => {
    const { api, customer, change, configure } = await start()
    const { id } = await customer({ currencies: ['USD', 'EUR'] })
    const { supportedCurrencies } = (await api.GET('/config')).data!
    await configure({
      supportedCurrencies: supportedCurrencies.filter(({ currencyCode }) => currencyCode === 'USD'),
    })
    expect((await change(id, { ...person, currencies: ['USD', 'EUR'] })).response.status).toBe(200)
    const added = await change(id, { ...person, currencies: ['USD', 'GBP'] })
    expect(added.error).toMatchObject({ code: 'INVALID_CURRENCY', details: { field: 'currencies.1' } })
  })

  it('refuses e-mail and phone number together', async () => {
    const { customer, change } = await start()
    const { id } = await customer()
    const both = await change(id, { ...person, email: 'a@b.example', phoneNumber: null })
    expect(both.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect((await change(id, { ...person, email: 'a@b.example' })).response.status).toBe(200)
  })

  it('may give an id of the platform that no other active customer has', async () => {
    const { customer, change } = await start()
    const [one, two] = [await customer({ platformCustomerId: 'one' }), await customer()]
    const taken = await change(two.id, { ...person, platformCustomerId: 'one' })
    expect(taken.error).toMatchObject({ status: 409, code: 'CONFLICT', details: { customerId: one.id } })
    const same = await change(one.id, { ...person, platformCustomerId: 'one' })
    expect(same.data).toEqual(one)
    const free = await change(two.id, { ...person, platformCustomerId: 'two' })
    expect(free.data).toMatchObject({ platformCustomerId: 'two' })
  })

  it('moves between regions only while nothing is decided, and takes the contacts along', async () => {
    const { customer, change } = await start()
    const { id } = await customer({ region: 'US', email: 'a@b.example' })
    const moved = await change(id, { ...person, region: 'fr' })
    expect(moved.data).toMatchObject({
      region: 'FR',
      contactVerification: { email: 'PENDING', phone: 'PENDING' },
    })
    expect((await change(id, { ...person, region: null })).data).not.toHaveProperty('contactVerification')

    const decided = await start({ isRegulated: true })
    const approved = await decided.customer({ region: 'US', idType: 'SSN', identifier: '219-09-9999' })
    const refused = await decided.change(approved.id, { ...person, region: 'FR' })
    expect(refused.error).toMatchObject({ status: 409, code: 'CONFLICT', details: { field: 'region' } })
    expect((await decided.change(approved.id, { ...person, region: 'us' })).response.status).toBe(200)
    const stripped = await decided.change(approved.id, { ...person, idType: null, identifier: null })
    expect(stripped.error).toMatchObject({ status: 409, details: { field: 'identifier' } })
  })

  it('puts a verified contact back to pending when its value changes', async () => {
    const { customer, change } = await start()
    const { id } = await customer({ region: 'DE', email: 'lena@vogt.example', phoneNumber: '+4915112345678' })
    await server.engine.database.system((connection) =>
      connection.query(
        {
          name: 'test.verify',
          text: `update customers set contact_verification = '{"email":"VERIFIED","phone":"VERIFIED"}' where id = $1`,
        },
        [id],
      ),
    )
    const sameEmail = await change(id, { ...person, email: 'Lena@Vogt.example' })
    expect(sameEmail.data).toMatchObject({ contactVerification: { email: 'VERIFIED', phone: 'VERIFIED' } })
    const email = await change(id, { ...person, email: 'new@vogt.example' })
    expect(email.data).toMatchObject({ contactVerification: { email: 'PENDING', phone: 'VERIFIED' } })
    const phone = await change(id, { ...person, phoneNumber: '+4915112345679' })
    expect(phone.data).toMatchObject({ contactVerification: { email: 'PENDING', phone: 'PENDING' } })
  })

  it('needs the type of an identifier as long as there is one', async () => {
    const { customer, change } = await start()
    const { id } = await customer({ idType: 'SSN', identifier: '219-09-9999' })
    expect(fieldsOf((await change(id, { ...person, idType: null })).error)).toEqual(['idType'])
    const both = await change(id, { ...person, idType: null, identifier: null })
    expect(both.data).not.toHaveProperty('idType')
    expect(both.data).not.toHaveProperty('countryOfIssuance')
    expect(fieldsOf((await change(id, { ...person, identifier: '219-09-9999' })).error)).toEqual(['idType'])
  })

  it('of a customer that is nobody of ours is 404, after the fields', async () => {
    const { change } = await start()
    const id = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect((await change(id, person)).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    expect((await change(id, { ...person, email: 'x' })).error).toMatchObject({ status: 400 })
  })
})

describe('terms for end users', () => {
  const consent = {
    acceptedAt: '2025-10-01T10:00:00+02:00',
    ipAddress: '2001:db8::1',
    termsVersion: 'V1',
    acceptanceMethod: 'CHECKBOX',
  }

  it('have a current version, found before any customer of that name', async () => {
    const { api } = await start()
    const { data } = await api.GET('/customers/end-user-terms')
    expect(data).toEqual({ version: 'V1', url: expect.stringMatching(/^https?:/) })
  })

  it('are recorded on creation and on change, and shown unchanged', async () => {
    const { platform, create, change, customer, events } = await start({ isRegulated: true })
    const { data } = await create({ ...person, endUserTermsConsent: { ...consent, extra: 1 } })
    expect((data as unknown as Individual).endUserTermsConsent).toEqual(consent)
    expect((await events())[0]!.data).toMatchObject({ endUserTermsConsent: consent })
    const { id } = await customer()
    const later = { ...consent, termsVersion: '2025-10-13', ipAddress: '198.51.100.24' }
    for (const given of [consent, later]) {
      const { data } = await change(id, { ...person, endUserTermsConsent: given })
      expect(data!.endUserTermsConsent).toEqual(given)
    }
    const kept = await server.engine.database.system((connection) =>
      connection.query<{ consent: string }>(
        {
          name: 'test.consents',
          text: 'select consent from customer_consents where customer_id = $1 order by recorded_at',
        },
        [id],
      ),
    )
    const sealedKey = await loadSealedKey(server.engine.database, platform, id)
    const key = server.engine.keys.dataKey(sealedKey!)
    const opened = kept.map((row) => JSON.parse(key.open('customer consent', row.consent)))
    expect(opened).toEqual([consent, later])
    const removed = await change(id, { ...person, endUserTermsConsent: null })
    expect(fieldsOf(removed.error)).toEqual(['endUserTermsConsent'])
  })

  it('are refused in an unknown version, from no address, and from the future', async () => {
    const { create } = await start()
    const unknown = await create({ ...person, endUserTermsConsent: { ...consent, termsVersion: 'V9' } })
    expect(unknown.error).toMatchObject({
      status: 400,
      code: 'END_USER_TERMS_VERSION_NOT_FOUND',
      details: { termsVersion: 'V9', currentVersion: 'V1' },
    })
    const acceptedAt = new Date(server.world.now() + 301_000).toISOString()
    const wrong = await create({
      ...person,
      endUserTermsConsent: { ...consent, acceptedAt, ipAddress: '198.51.100.256' },
    })
    expect(fieldsOf(wrong.error)).toEqual(['endUserTermsConsent.acceptedAt', 'endUserTermsConsent.ipAddress'])
    const soon = new Date(server.world.now() + 299_000).toISOString()
    const fine = await create({ ...person, endUserTermsConsent: { ...consent, acceptedAt: soon } })
    expect(fine.response.status).toBe(201)
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
      expect(data!.totalCount).toBe(45 + (pages.length > 1 ? 1 : 0))
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
    expect(await ids({ createdAfter: ana.createdAt, createdBefore: ana.createdAt })).toEqual(['ana'])
    expect(await ids({ updatedAfter: gone.updatedAt })).toEqual([])

    const wrong = [
      { customerType: 'ROBOT' },
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
