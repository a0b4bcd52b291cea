import { accountTypes } from '@corridor/engine/reference/account-types/index.ts'
import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { euroAccount, externalAccountApi, person } from '../e2e/external-account-api.ts'

const server = await openTestServer()

const start = (options?: Parameters<TestServer['platform']>[0]) => externalAccountApi(server, options)

describe('external accounts', () => {
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
