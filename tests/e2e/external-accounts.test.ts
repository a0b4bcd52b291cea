import { accountTypes } from '@corridor/engine/account-types/index.ts'
import {
  externalAccountRefusal,
  isPullable,
  loadExternalAccount,
  screenExternalAccount,
} from '@corridor/engine/external-accounts/index.ts'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, eventsOf } from './book-fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const person = { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' }

function euroAccount(iban: string, beneficiary: object = person) {
  return { currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT', iban, beneficiary } }
}

async function start(options: Parameters<TestServer['platform']>[0] = {}) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const customer = await addCustomer(server, platform)
  const create = (body: object, headers: Record<string, string> = {}) =>
    api.POST('/customers/external-accounts', { body: { customerId: customer.id, ...body } as never, headers })
  const get = (externalAccountId: string) =>
    api.GET('/customers/external-accounts/{externalAccountId}', { params: { path: { externalAccountId } } })
  const remove = (externalAccountId: string) =>
    api.DELETE('/customers/external-accounts/{externalAccountId}', {
      params: { path: { externalAccountId } },
    })
  const list = async () => (await api.GET('/customers/external-accounts')).data!
  return { platform, api, customer, create, get, remove, list }
}

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

  it('checks the name of the holder by the magic endings and stores nothing for 105 (16.13, 2)', async () => {
    const { create, list } = await start()
    const byEnding: [string, string, string | undefined][] = [
      ['102', 'NOT_MATCHED', undefined],
      ['103', 'PARTIAL_MATCH', 'G. Lindholm'],
      ['104', 'PENDING', undefined],
      ['106', 'UNSUPPORTED', undefined],
      ['107', 'CHECKED_BY_RECEIVING_FI', undefined],
      ['999', 'MATCHED', 'Greta Lindholm'],
    ]
    for (const [ending, status, fullName] of byEnding) {
      const { data } = await create(euroAccount(`DE35370400440532013${ending}`))
      expect(data, ending).toMatchObject({ status: 'ACTIVE', beneficiaryVerificationStatus: status })
      expect(data!.beneficiaryVerifiedData?.fullName, ending).toBe(fullName)
    }
    const refused = await create(euroAccount('DE35370400440532013105'))
    expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_BANK_ACCOUNT' })
    expect((await list()).totalCount).toBe(byEnding.length)
  })

  it('names every wrong detail at once (16.13, 3)', async () => {
    const { create } = await start()
    const { error } = await create({
      currency: 'INR',
      accountInfo: { accountType: 'INR_ACCOUNT', beneficiary: { ...person, birthDate: '1990-02-30' } },
    })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const errors = (error as unknown as { details: { errors: { field: string }[] } }).details.errors
    expect(errors.map(({ field }) => field)).toEqual(['accountInfo', 'accountInfo.beneficiary.birthDate'])
  })

  it.each([
    ['a UMA address', { lightningAddress: '$a@b.example' }],
    ['two ways to pay', { invoice: 'lnbc1exampledata', bolt12: 'lno1exampledata' }],
    ['no way to pay', {}],
  ])('refuses a Lightning account with %s (16.13, 4)', async (_what, fields) => {
    const { create } = await start()
    const { error } = await create({ currency: 'BTC', accountInfo: { accountType: 'LIGHTNING', ...fields } })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  })

  it('refuses a currency that the account type does not hold (16.13, 5)', async () => {
    const { create } = await start()
    const mismatch = await create({ ...euroAccount('DE89370400440532013000'), currency: 'USD' })
    expect(mismatch.error).toMatchObject({
      status: 400,
      code: 'INVALID_CURRENCY',
      details: { supported: ['EUR'] },
    })
    const swift = {
      currency: 'NGN',
      accountInfo: accountTypes.find(({ name }) => name === 'SWIFT_ACCOUNT')!.example,
    }
    expect((await create(swift)).error).toMatchObject({ code: 'INVALID_CURRENCY' })
    const enabled = await start({ settings: { swiftCurrencies: ['NGN'] } })
    expect((await enabled.create(swift)).response.status).toBe(201)
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

  it('accepts the older names of account types and echoes them, as one account with the new ones', async () => {
    const { create } = await start()
    const info = { accountNumber: '000123456789', routingNumber: '021000021', beneficiary: person }
    const older = await create({
      currency: 'USD',
      accountInfo: {
        accountType: 'US_ACCOUNT',
        accountCategory: 'SAVINGS',
        platformAccountId: 'inner',
        ...info,
      },
    })
    expect(older.data).toMatchObject({
      platformAccountId: 'inner',
      accountInfo: { accountType: 'US_ACCOUNT', accountCategory: 'SAVINGS', platformAccountId: 'inner' },
    })
    const newer = await create({ currency: 'USD', accountInfo: { accountType: 'USD_ACCOUNT', ...info } })
    expect(newer.error).toMatchObject({ code: 'CONFLICT', details: { externalAccountId: older.data!.id } })
    const clabe = {
      accountType: 'CLABE',
      clabeNumber: '032180000118359719',
      bankName: 'BBVA',
      beneficiary: person,
    }
    const mexican = await create({ platformAccountId: 'outer', currency: 'MXN', accountInfo: clabe })
    expect(mexican.data).toMatchObject({
      platformAccountId: 'outer',
      accountInfo: { ...clabe, paymentRails: ['SPEI'] },
    })
  })

  it('tells its rails and is never told them', async () => {
    const { create } = await start()
    const { accountInfo, ...iban } = euroAccount('DE89370400440532013000')
    const sent = { ...iban, accountInfo: { ...accountInfo, paymentRails: ['WIRE'] } }
    expect((await create(sent)).data!.accountInfo).toMatchObject({ paymentRails: ['SEPA_INSTANT', 'SEPA'] })
    const malformed = { ...euroAccount('DE35370400440532013999') }
    const again = await create({ ...malformed, accountInfo: { ...malformed.accountInfo, paymentRails: 7 } })
    expect(again.data!.accountInfo).toMatchObject({ paymentRails: ['SEPA_INSTANT', 'SEPA'] })
  })

  it('lists the allowed account types when the one sent is unknown', async () => {
    const { create } = await start()
    const { error } = await create({ currency: 'EUR', accountInfo: { accountType: 'EURO_ACCOUNT' } })
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        errors: [
          {
            field: 'accountInfo.accountType',
            constraint: { enum: expect.arrayContaining(['EUR_ACCOUNT', 'CLABE', 'LIGHTNING_ACCOUNT']) },
          },
        ],
      },
    })
  })

  it('is not deleted while it is a trusted beneficiary', async () => {
    const { platform, create, remove } = await start()
    const account = (await create(euroAccount('DE89370400440532013000'))).data!
    await server.engine.database.read(
      platform,
      { name: 'test.trust', text: 'update external_accounts set trusted = true where id = $1' },
      [account.id],
    )
    expect((await remove(account.id)).error).toMatchObject({
      status: 409,
      code: 'BENEFICIARY_TRUSTED',
      details: { externalAccountId: account.id },
    })
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

describe('every account type', () => {
  it.each(accountTypes.map((type) => [type.name, type] as const))(
    '%s is registered from its published example in both environments',
    async (_name, type) => {
      for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
        const { create, get } = await start({ environment })
        const { data, error } = await create({ currency: type.currencies[0], accountInfo: type.example })
        expect(error).toBeUndefined()
        expect(data!.status).toBe(environment === 'SANDBOX' ? 'ACTIVE' : 'PENDING')
        expect(data!.accountInfo).toMatchObject(type.example)
        expect((await get(data!.id)).data).toEqual(data)
      }
    },
  )
})

describe('with real money', () => {
  it('refuses wrong check digits, an unknown bank and an unknown custodian', async () => {
    const { create } = await start({ environment: 'PRODUCTION' })
    const address = { line1: '1 High Street', postalCode: '10115', country: 'DE' }
    const checksum = await create(euroAccount('DE89370400440532013001', { ...person, address }))
    expect(checksum.error).toMatchObject({
      status: 400,
      code: 'INVALID_BANK_ACCOUNT',
      details: { field: 'accountInfo.iban' },
    })
    const pesos = { accountType: 'PHP_ACCOUNT', accountNumber: '12345678', beneficiary: person }
    const bank = await create({ currency: 'PHP', accountInfo: { ...pesos, bankName: 'Bank of Nowhere' } })
    expect(bank.error).toMatchObject({
      code: 'INVALID_BANK_ACCOUNT',
      details: { field: 'accountInfo.bankName' },
    })
    const base = accountTypes.find(({ name }) => name === 'BASE_WALLET')!.example
    const hosted = (vaspName: string) => create({ currency: 'USDC', accountInfo: { ...base, vaspName } })
    expect((await hosted('Nobody')).error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'accountInfo.vaspName' },
    })
    expect((await hosted('Kraken')).data!.status).toBe('PENDING')
  })

  it('follows what screening says, with an event for each change', async () => {
    const { platform, create, get } = await start({ environment: 'PRODUCTION' })
    const created = await create({
      currency: 'MXN',
      accountInfo: { accountType: 'MXN_ACCOUNT', clabeNumber: '032180000118359719', beneficiary: person },
    })
    const { id } = created.data!
    expect(created.data!.beneficiaryVerificationStatus).toBe('UNSUPPORTED')
    const scope = await server.engine.clock.scope(platform, { id: 'operator', permissions: [] })
    const screen = (verdict: 'clear' | 'hit' | 'reject') =>
      screenExternalAccount(server.engine, scope, id, verdict)
    const steps = [
      ['hit', 'UNDER_REVIEW'],
      ['reject', 'INACTIVE'],
      ['clear', 'ACTIVE'],
    ] as const
    for (const [verdict, status] of steps) {
      expect((await screen(verdict)).ok).toBe(true)
      expect((await get(id)).data!.status).toBe(status)
    }
    expect(await screen('reject')).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
    const events = await eventsOf(server, platform, id)
    expect(events.map(({ type, data }) => [type, data.status])).toEqual(
      steps.map(([, status]) => ['EXTERNAL_ACCOUNT.STATUS_UPDATED', status]),
    )
  })
})

describe('the use of an external account in payments', () => {
  it('depends on its status, the amount, and whether it pays or receives', async () => {
    const { platform, create, remove } = await start()
    const { id } = (await create(euroAccount('DE89370400440532013000'))).data!
    const account = (await loadExternalAccount(server.engine, platform, id))!
    const codeOf = (status: string, as: 'DESTINATION' | 'PULL_SOURCE', sendingEurMinor: bigint | undefined) =>
      externalAccountRefusal({ ...account, status: status as never }, { as, sendingEurMinor })?.code
    const required = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED'
    for (const [status, as, amount, code] of [
      ['ACTIVE', 'DESTINATION', 10_000_000n, undefined],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', 100_000n, undefined],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', 100_001n, required],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', undefined, required],
      ['UNVERIFIED', 'DESTINATION', 1n, required],
      ['PENDING', 'DESTINATION', 1n, 'INVALID_RECEIVER'],
      ['UNDER_REVIEW', 'PULL_SOURCE', 1n, 'INVALID_BANK_ACCOUNT'],
      ['INACTIVE', 'DESTINATION', 1n, 'INVALID_RECEIVER'],
    ] as const) {
      expect(codeOf(status, as, amount), `${status} ${as} ${amount}`).toBe(code)
    }
    await remove(id)
    const deleted = (await loadExternalAccount(server.engine, platform, id))!
    expect(deleted.deletedAt).not.toBeNull()
    expect(externalAccountRefusal(deleted, { as: 'DESTINATION', sendingEurMinor: 1n })).toMatchObject({
      code: 'INVALID_RECEIVER',
      details: { status: 'DELETED' },
    })
  })

  it('allows pulls from bank accounts only, and with real money only from the payer’s own in dollars', async () => {
    const { platform, customer, create } = await start()
    const byType = new Map<string, { any: boolean; own: boolean; another: boolean }>()
    for (const name of [
      'USD_ACCOUNT',
      'EUR_ACCOUNT',
      'SWIFT_ACCOUNT',
      'KES_ACCOUNT',
      'BASE_WALLET',
      'LIGHTNING',
    ]) {
      const type = accountTypes.find((known) => known.name === name)!
      const { data } = await create({ currency: type.currencies[0], accountInfo: type.example })
      const account = (await loadExternalAccount(server.engine, platform, data!.id))!
      const own = { ownerId: customer.id }
      byType.set(name, {
        any: isPullable(account, own, { pullableAccounts: 'ANY_BANK' }),
        own: isPullable(account, own, { pullableAccounts: 'US_ONLY' }),
        another: isPullable(account, { ownerId: 'platform' }, { pullableAccounts: 'US_ONLY' }),
      })
    }
    const never = { any: false, own: false, another: false }
    expect(Object.fromEntries(byType)).toEqual({
      USD_ACCOUNT: { any: true, own: true, another: false },
      EUR_ACCOUNT: { any: true, own: false, another: false },
      SWIFT_ACCOUNT: never,
      KES_ACCOUNT: never,
      BASE_WALLET: never,
      LIGHTNING: never,
    })
  })
})
