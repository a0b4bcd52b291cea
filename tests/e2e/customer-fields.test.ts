import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it, test } from 'vitest'
import { address, business, customerApi, fieldsOf, person, refusal } from './customer-api.ts'

const server = await openTestServer()

const start = (options: Parameters<typeof customerApi>[1] = {}) => customerApi(server, options)

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
    await server.rows('update books set settings = $2 where platform_id = $1', [
      platform.platformId,
      JSON.stringify(settings),
    ])
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
