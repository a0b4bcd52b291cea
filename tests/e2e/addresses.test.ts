import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { header, importApi, row } from './bulk-import-api.ts'
import { business, fieldsOf, person } from './customer-api.ts'

/** Addresses in countries without postal codes, wherever an address is sent. */

const server = await openTestServer()

const without = ['AE', 'HK', 'JM', 'AO', 'BS', 'GH', 'PA', 'QA', 'UG', 'ZW', 'hk']
const withCodes = ['US', 'DE', 'GB', 'BR', 'IN', 'JP', 'SG', 'ZZ']
const absent: readonly object[] = [{}, { postalCode: '' }, { postalCode: '  ' }, { postalCode: null }]

const { api, create, change, import: bring, list } = await importApi(server)

const at = (country: string, postalCode: object = {}) => ({ line1: '1 Main St', country, ...postalCode })

async function owner(country: string, postalCode: object) {
  const company = (await create({ ...business })).data!
  const personalInfo = {
    ...{ firstName: 'Ada', lastName: 'Ro', birthDate: '1980-01-01', nationality: 'JM' },
    ...{ idType: 'NON_US_TAX_ID', identifier: '123', countryOfIssuance: 'JM' },
    address: at(country, postalCode),
  }
  const body = { customerId: company.id, roles: ['UBO'], ownershipPercentage: 50, personalInfo }
  return api.POST('/beneficial-owners', { body: body as never })
}

function payee(country: string, postalCode: object) {
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Amina Okafor',
    address: at(country, postalCode),
  }
  const accountInfo = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary }
  return api.POST('/platform/external-accounts', { body: { currency: 'EUR', accountInfo } as never })
}

describe('postal codes', () => {
  it.each(without)('may be absent in %s, and are then empty in responses', async (country) => {
    for (const postalCode of absent) {
      const made = await create({ ...person, address: at(country, postalCode) })
      expect(made.data, JSON.stringify(made.error)).toMatchObject({
        address: { country: country.toUpperCase(), postalCode: '' },
      })
    }
    const owned = await owner(country, {})
    expect(owned.data, JSON.stringify(owned.error)).toMatchObject({
      personalInfo: { address: { postalCode: '' } },
    })
  })

  it.each(withCodes)('are required in %s', async (country) => {
    for (const postalCode of absent) {
      const made = await create({ ...person, address: at(country, postalCode) })
      expect(fieldsOf(made.error)).toContain('address.postalCode')
    }
    expect(fieldsOf((await owner(country, {})).error)).toContain('personalInfo.address.postalCode')
    expect(fieldsOf((await payee(country, {})).error)).toContain('accountInfo.beneficiary.address.postalCode')
    expect(fieldsOf((await payee(country, { postalCode: ' ' })).error)).toContain(
      'accountInfo.beneficiary.address.postalCode',
    )
  })

  it('may be absent for a beneficiary and in a change', async () => {
    const { data, error } = await payee('JM', {})
    expect(data, JSON.stringify(error)).toMatchObject({
      accountInfo: { beneficiary: { address: { country: 'JM', postalCode: '' } } },
    })
    const customer = (await create(person)).data!
    const changed = await change(customer.id, { ...person, address: at('HK') })
    expect(changed.data).toMatchObject({ address: { country: 'HK', postalCode: '' } })
    expect((await change(customer.id, { ...person, address: at('DE') })).error).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('may be blank in a CSV file', async () => {
    const blank = (country: string) => row({ country, postalCode: '', state: 'Kingston' })
    const job = await bring(header, blank(' JM '), blank('jm'), blank('US'))
    expect(job.progress).toMatchObject({ successful: 2, failed: 1 })
    expect(job.errors[0]!.details).toMatchObject({ field: 'postalCode' })
    const { data } = (await list({ limit: 2 })).data!
    expect(data.map((each) => 'address' in each && each.address?.postalCode)).toEqual(['', ''])
  })

  it('may be absent in a CSV file whose cells are separated by semicolons', async () => {
    const job = await bring(header.replaceAll(',', ';'), row().replaceAll(',', ';'))
    expect(job).toMatchObject({ status: 'COMPLETED', progress: { successful: 1, failed: 0 } })
  })
})
