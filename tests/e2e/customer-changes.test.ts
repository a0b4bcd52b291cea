import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { address, business, customerApi, fieldsOf, person } from './customer-api.ts'

const server = await openTestServer()

const start = (options: Parameters<typeof customerApi>[1] = {}) => customerApi(server, options)

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
    const { data: created } = await create({
      ...business,
      address,
      email: 'a@b.example',
      phoneNumber: '+12085550142',
    })
    server.world.passMs(5)
    const { data } = await change(created!.id, {
      customerType: 'BUSINESS',
      phoneNumber: null,
      address: { line1: '1 Mill St', postalCode: '83702', country: 'us' },
      businessInfo: { entityType: 'LLC', countriesOfOperation: ['us', 'MX'] },
    })
    expect(data).toMatchObject({
      address: { line1: '1 Mill St', postalCode: '83702', country: 'US' },
      businessInfo: { ...business.businessInfo, entityType: 'LLC', countriesOfOperation: ['US', 'MX'] },
    })
    expect(data!.address).not.toHaveProperty('city')
    expect(data).not.toHaveProperty('phoneNumber')
    // The wallet is signed in to with the address.
    const tied = await change(created!.id, { customerType: 'BUSINESS', email: null })
    expect(tied.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'UNLOCKS_WALLET' } })
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
    await server.rows(
      `update customers set contact_verification = '{"email":"VERIFIED","phone":"VERIFIED"}' where id = $1`,
      [id],
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
