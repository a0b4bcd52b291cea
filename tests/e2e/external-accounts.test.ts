import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { addCustomer } from './book-fixtures.ts'
import { euroAccount, externalAccountApi, person } from './external-account-api.ts'

const server = await openTestServer()

const start = (options?: Parameters<TestServer['platform']>[0]) => externalAccountApi(server, options)

describe('external accounts', () => {
  it('is registered, shown cleaned, found in lists and deleted for good', async () => {
    const { api, customer, create, get, remove, list } = await start()
    const created = await create({
      platformAccountId: 'payee-77',
      ...euroAccount('de89 3704-0044 0532 0130 00', {
        ...person,
        birthDate: '1979-04-02',
        nationality: 'se',
      }),
    })
    expect(created.response.status).toBe(201)
    const account = created.data!
    expect(account).toEqual({
      id: expect.stringMatching(/^ExternalAccount:/),
      customerId: customer.id,
      status: 'ACTIVE',
      platformAccountId: 'payee-77',
      currency: 'EUR',
      defaultUmaDepositAccount: false,
      beneficiaryVerificationStatus: 'MATCHED',
      beneficiaryVerifiedData: { fullName: 'Greta Lindholm' },
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: 'DE89370400440532013000',
        paymentRails: ['SEPA_INSTANT', 'SEPA'],
        beneficiary: {
          ...person,
          birthDate: '1979-04-02',
          nationality: 'SE',
          countryOfResidence: 'DE',
        },
      },
    })
    expect((await get(account.id)).data).toEqual(account)
    expect((await list()).data).toEqual([account])
    const query = (filter: object) => api.GET('/customers/external-accounts', { params: { query: filter } })
    expect((await query({ currency: 'EUR', customerId: customer.id })).data!.totalCount).toBe(1)
    expect((await query({ currency: 'USD' })).data).toEqual({ data: [], hasMore: false, totalCount: 0 })
    expect((await query({ customerId: 'nobody' })).error).toMatchObject({ code: 'INVALID_INPUT' })

    expect((await remove(account.id)).response.status).toBe(204)
    const gone = { status: 404, code: 'REFERENCE_NOT_FOUND', details: { id: account.id } }
    expect((await get(account.id)).error).toMatchObject(gone)
    expect((await remove(account.id)).error).toMatchObject(gone)
    expect((await list()).data).toEqual([])
  })

  it('refuses the same account of the same owner, however it is written, until it is deleted (16.13, 1)', async () => {
    const { platform, api, create, remove } = await start()
    const first = (await create(euroAccount('DE89 3704 0044 0532 0130 00'))).data!
    const again = await create(euroAccount('DE893704 0044 0532 0130 00', { ...person, fullName: 'Ola Nord' }))
    expect(again.error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { externalAccountId: first.id },
    })
    const other = await addCustomer(server, platform)
    const elsewhere = { customerId: other.id, ...euroAccount('DE89370400440532013000') }
    expect(
      (await api.POST('/customers/external-accounts', { body: elsewhere as never })).response.status,
    ).toBe(201)

    await remove(first.id)
    const renewed = await create(euroAccount('DE89370400440532013000'))
    expect(renewed.response.status).toBe(201)
    expect(renewed.data!.id).not.toBe(first.id)
  })

  it('lets one of two registrations at the same moment through, and replays both answers', async () => {
    const { create, list } = await start()
    const body = euroAccount('DE89370400440532013000')
    const keys = ['first', 'second'].map((key) => ({ 'Idempotency-Key': key }))
    const both = await Promise.all(keys.map((headers) => create(body, headers)))
    expect(both.map(({ response }) => response.status).sort()).toEqual([201, 409])
    const winner = both.find(({ data }) => data)!.data!
    const loser = both.find(({ error }) => error)!.error!
    expect(loser).toMatchObject({ code: 'CONFLICT', details: { externalAccountId: winner.id } })
    expect((await list()).totalCount).toBe(1)

    for (const [index, headers] of keys.entries()) {
      const replay = await create(body, headers)
      expect(replay.response.headers.get('idempotent-replayed')).toBe('true')
      expect(replay.data ?? replay.error).toEqual(both[index]!.data ?? both[index]!.error)
    }
  })

  it('moves the flag of the default deposit account to the newest that asks for it (16.13, 6)', async () => {
    const { create, get } = await start()
    const flag = { defaultUmaDepositAccount: true }
    const a = (await create({ ...euroAccount('DE89370400440532013000'), ...flag })).data!
    expect(a.defaultUmaDepositAccount).toBe(true)
    const b = (await create({ ...euroAccount('DE35370400440532013999'), ...flag })).data!
    expect((await get(a.id)).data!.defaultUmaDepositAccount).toBe(false)
    expect((await get(b.id)).data!.defaultUmaDepositAccount).toBe(true)

    const both = ['DE35370400440532013888', 'DE35370400440532013777'].map((iban) =>
      create({ ...euroAccount(iban), ...flag }),
    )
    const made = (await Promise.all(both)).map(({ data }) => data!.id)
    const flags = await Promise.all(
      [b.id, ...made].map(async (id) => (await get(id)).data!.defaultUmaDepositAccount),
    )
    expect(flags.filter(Boolean)).toHaveLength(1)
    expect(flags[0]).toBe(false)

    const lightning = { accountType: 'LIGHTNING', lightningAddress: 'amina@wallet.example' }
    const refused = await create({ currency: 'BTC', accountInfo: lightning, ...flag })
    expect(refused.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'defaultUmaDepositAccount' },
    })
  })

  it('keeps the accounts of the platform apart from those of customers', async () => {
    const { api, create, get, remove, list } = await start()
    const customers = (await create(euroAccount('DE89370400440532013000'))).data!
    const iban = euroAccount('DE35370400440532013999') as never
    const viaCustomers = (await api.POST('/customers/external-accounts', { body: iban })).data!
    expect(viaCustomers.customerId).toBeNull()
    const viaPlatform = await api.POST('/platform/external-accounts', {
      body: {
        ...euroAccount('DE35370400440532013888'),
        customerId: 'Customer:ignored',
        defaultUmaDepositAccount: true,
      } as never,
    })
    expect(viaPlatform.data).toMatchObject({ customerId: null, defaultUmaDepositAccount: false })

    expect((await list()).data.map(({ id }) => id)).toEqual([customers.id])
    const own = (await api.GET('/platform/external-accounts')).data!.data
    expect(own.map(({ id }) => id)).toEqual([viaPlatform.data!.id, viaCustomers.id])

    const notFound = { code: 'REFERENCE_NOT_FOUND' }
    const onPlatform = (externalAccountId: string) => ({ params: { path: { externalAccountId } } })
    const one = '/platform/external-accounts/{externalAccountId}'
    expect((await get(viaCustomers.id)).error).toMatchObject(notFound)
    expect((await remove(viaCustomers.id)).error).toMatchObject(notFound)
    expect((await api.GET(one, onPlatform(customers.id))).error).toMatchObject(notFound)
    expect((await api.DELETE(one, onPlatform(customers.id))).error).toMatchObject(notFound)
    expect((await api.GET(one, onPlatform(viaCustomers.id))).data).toEqual(viaCustomers)
    expect((await api.DELETE(one, onPlatform(viaCustomers.id))).response.status).toBe(204)

    const flagged = { ...euroAccount('DE35370400440532013777'), defaultUmaDepositAccount: true } as never
    expect((await api.POST('/customers/external-accounts', { body: flagged })).error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'defaultUmaDepositAccount' },
    })
  })

  it('refuses a customer that is unknown, deleted or of another platform, naming the field', async () => {
    const { api, platform } = await start()
    const deleted = await addCustomer(server, platform, { isDeleted: true })
    const foreign = await addCustomer(server, await server.platform())
    const unknown = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const customerId of [unknown, deleted.id, foreign.id, 'Customer:x']) {
      const body = { customerId, ...euroAccount('DE89370400440532013000') } as never
      const { error } = await api.POST('/customers/external-accounts', { body })
      expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: { field: 'customerId' } })
    }
  })

  it('has no update', async () => {
    const { platform, create } = await start()
    const account = (await create(euroAccount('DE89370400440532013000'))).data!
    const credentials = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const response = await server.fetch(`${server.baseUrl}/customers/external-accounts/${account.id}`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('DELETE')
  })
})
