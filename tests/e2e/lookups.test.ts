import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  createCustomer,
  createPayee,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

async function start() {
  const platform = await server.platform()
  const api = server.client(platform)
  return { platform, api, look: lookWith(api) }
}

function lookWith(api: CorridorClient) {
  return (receiverUmaAddress: string, query: object = {}) =>
    api.GET('/receiver/uma/{receiverUmaAddress}', { params: { path: { receiverUmaAddress }, query } })
}

const euroReceiver = '$success.eur@sandbox.uma.money'

describe('a lookup of a UMA address', () => {
  it('shows what a scripted user can be sent and wants to know (16.5)', async () => {
    const { api, look } = await start()
    const customer = await createCustomer(api)
    const { data } = await look(euroReceiver, { customerId: customer.id })
    expect(data).toEqual({
      receiverUmaAddress: euroReceiver,
      lookupId: expect.stringMatching(/^Lookup:/),
      supportedCurrencies: [
        {
          currency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
          estimatedExchangeRate: 0.86,
          min: 100,
          max: 10_000_000,
        },
      ],
      requiredPayerDataFields: [
        { name: 'FULL_NAME', mandatory: true },
        { name: 'BIRTH_DATE', mandatory: false },
      ],
    })
  })

  it.each([
    ['$success.usd', 'USD'],
    ['$success.mxn', 'MXN'],
    ['$pending.long.usd', 'USD'],
    ['$fail.compliance.usd', 'USD'],
    ['$SUCCESS.EUR', 'EUR'],
  ])('finds %s in %s, by the platform itself', async (user, currency) => {
    const { look } = await start()
    const { data } = await look(`${user}@sandbox.uma.money`)
    expect(data!.supportedCurrencies.map(({ currency }) => currency.code)).toEqual([currency])
  })

  it('finds customers of every platform of the installation, in the currencies they hold', async () => {
    const { look } = await start()
    const other = await start()
    const receiver = await createCustomer(other.api, { currencies: ['EUR', 'USD'] })
    const { data } = await look(receiver.umaAddress.toUpperCase())
    expect(data).toMatchObject({
      receiverUmaAddress: receiver.umaAddress,
      requiredPayerDataFields: [],
      supportedCurrencies: expect.arrayContaining([
        expect.objectContaining({ currency: expect.objectContaining({ code: 'EUR' }), min: 1 }),
      ]),
    })
    expect(data!.supportedCurrencies.map(({ currency }) => currency.code).slice(0, 2)).toEqual(['EUR', 'USD'])
    const unknownUser = receiver.umaAddress.replace('$', '$un')
    expect((await look(unknownUser)).error).toMatchObject({ status: 404, code: 'UMA_NOT_FOUND' })
    const live = server.client(await server.platform({ environment: 'PRODUCTION' }))
    const { error } = await lookWith(live)(receiver.umaAddress)
    expect(error).toMatchObject({ status: 403, code: 'COUNTERPARTY_NOT_ALLOWED' })
  })

  it('refuses whoever may neither pay nor be paid, and forgets the deleted', async () => {
    const { look } = await start()
    const platform = await server.platform({ skipPaperwork: true })
    const api = server.client(platform)
    const rejected = await createCustomer(api, { fullName: 'Ana Lopez 002' })
    expect((await look(rejected.umaAddress)).error).toMatchObject({ status: 400, code: 'INVALID_RECEIVER' })
    expect((await lookWith(api)(euroReceiver, { customerId: rejected.id })).error).toMatchObject({
      status: 403,
      code: 'USER_NOT_READY',
    })
    const gone = await createCustomer(api)
    await must(api.DELETE('/customers/{customerId}', { params: { path: { customerId: gone.id } } }))
    expect((await look(gone.umaAddress)).error).toMatchObject({ code: 'UMA_NOT_FOUND' })
    expect((await lookWith(api)(euroReceiver, { customerId: gone.id })).error).toMatchObject({
      code: 'USER_NOT_FOUND',
    })
  })

  it.each([
    'nobody',
    '$@sandbox.uma.money',
    '$a b@sandbox.uma.money',
    '$a@b',
    `$${'a'.repeat(65)}@b.example`,
  ])('refuses %j as an address', async (address) => {
    const { look } = await start()
    expect((await look(address)).error).toMatchObject({
      status: 400,
      code: 'INVALID_UMA_ADDRESS',
      details: { umaAddress: address },
    })
  })

  it('says which sender it cannot use', async () => {
    const { api, look } = await start()
    const [one, two] = [await createCustomer(api), await createCustomer(api)]
    const refusal = async (query: object, receiver = euroReceiver) => (await look(receiver, query)).error
    const unknown = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect(await refusal({ customerId: unknown })).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    expect(await refusal({ senderUmaAddress: euroReceiver })).toMatchObject({ code: 'USER_NOT_FOUND' })
    expect(await refusal({ customerId: one.id, senderUmaAddress: two.umaAddress })).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    })
    expect(await refusal({ customerId: one.id }, one.umaAddress)).toMatchObject({
      status: 400,
      code: 'SELF_PAYMENT',
    })
    expect(await refusal({ senderUmaAddress: one.umaAddress }, one.umaAddress)).toMatchObject({
      code: 'SELF_PAYMENT',
    })
  })

  it('knows nobody outside its domains', async () => {
    const { look } = await start()
    expect((await look('$nobody@sandbox.uma.money')).error).toMatchObject({
      status: 404,
      code: 'UMA_NOT_FOUND',
    })
    expect((await look('$success.usd@elsewhere.example')).error).toMatchObject({
      status: 403,
      code: 'COUNTERPARTY_NOT_ALLOWED',
      details: { counterpartyDomain: 'elsewhere.example' },
    })
    expect((await look('$success.usd@localhost:8080')).error).toMatchObject({
      code: 'COUNTERPARTY_NOT_ALLOWED',
    })
  })
})

describe('a quote that names a lookup', () => {
  it('finds it for ten minutes, for the same sender and receiver', async () => {
    const { api } = await start()
    const [customer, other] = [await createCustomer(api), await createCustomer(api)]
    const [usd, otherUsd] = [
      await internalAccountOf(api, customer.id, 'USD'),
      await internalAccountOf(api, other.id, 'USD'),
    ]
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000')
    const { lookupId } = await must(
      api.GET('/receiver/external-account/{accountId}', {
        params: { path: { accountId: payee.id }, query: { customerId: customer.id as never } },
      }),
    )
    const ask = (source: { id: string }, id: string = lookupId) =>
      api.POST('/quotes', { body: quoteBody(source, payee, 10_000, { lookupId: id as never }) })
    expect((await ask(usd)).response.status).toBe(201)
    expect((await ask(usd, lookupId.replace('Lookup', 'LookupRequest'))).response.status).toBe(201)
    const missing = { status: 404, code: 'LOOKUP_REQUEST_NOT_FOUND' }
    expect((await ask(otherUsd)).error).toMatchObject(missing)
    const unknown = 'Lookup:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect((await ask(usd, unknown)).error).toMatchObject({ ...missing, details: { id: unknown } })
    await server.pass(10 * 60_000 - 1)
    expect((await ask(usd)).response.status).toBe(201)
    await server.pass(1)
    expect((await ask(usd)).error).toMatchObject(missing)
  })

  it('to a UMA address says what is wrong with the address first', async () => {
    const { api, look } = await start()
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const ask = async (umaAddress: string, lookupId?: string) =>
      (
        await api.POST('/quotes', {
          body: {
            ...quoteBody(usd, usd, 10_000),
            destination: { destinationType: 'UMA_ADDRESS', umaAddress },
            ...(lookupId ? { lookupId: lookupId as never } : {}),
          },
        })
      ).error
    expect(await ask('nobody')).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' })
    expect(await ask('$nobody@sandbox.uma.money')).toMatchObject({ status: 404, code: 'UMA_NOT_FOUND' })
    expect(await ask('$a@elsewhere.example')).toMatchObject({ code: 'COUNTERPARTY_NOT_ALLOWED' })
    expect(await ask(customer.umaAddress)).toMatchObject({ code: 'SELF_PAYMENT' })
    const { lookupId } = await must(look(euroReceiver, { customerId: customer.id }))
    const another = '$success.usd@sandbox.uma.money'
    expect(await ask(another, lookupId)).toMatchObject({ code: 'LOOKUP_REQUEST_NOT_FOUND' })
    expect(await ask(euroReceiver, lookupId)).toBeUndefined()
    // Without an endpoint nobody can be asked whether it accepts the payment.
    const hosted = await createCustomer(api)
    expect(await ask(hosted.umaAddress)).toMatchObject({ status: 400, code: 'INVALID_RECEIVER' })
  })
})
