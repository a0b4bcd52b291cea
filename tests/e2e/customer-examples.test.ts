import { openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { customerApi } from './customer-api.ts'

/** Worked examples of customers that cross features, call for call. */

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

describe('all field errors at once; a duplicate id (customers 16.4)', () => {
  it('names each wrong field', async () => {
    const { create } = await customerApi(server)
    const { error } = await create({
      customerType: 'INDIVIDUAL',
      email: 'not-an-address',
      phoneNumber: '555-0100',
      birthDate: '1990-02-30',
      idType: 'EIN',
      identifier: '1',
    })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const errors = error!.details!.errors as { field: string; constraint?: object }[]
    expect(new Set(errors.map(({ field }) => field))).toEqual(
      new Set(['email', 'phoneNumber', 'birthDate', 'idType', 'identifier']),
    )
    const constraintOf = (name: string) => errors.find(({ field }) => field === name)!.constraint
    expect(constraintOf('email')).toMatchObject({ format: 'email' })
    expect(constraintOf('phoneNumber')).toMatchObject({ pattern: '^\\+[1-9]\\d{1,14}$' })
    expect(constraintOf('birthDate')).toMatchObject({ format: 'date' })
    expect(constraintOf('idType')).toMatchObject({ enum: ['SSN', 'ITIN'] })
  })

  it('tells who has the id, and frees it with the customer', async () => {
    const { create, remove, list } = await customerApi(server)
    const body = { customerType: 'INDIVIDUAL', platformCustomerId: 'u-771' }
    const { id } = (await create(body)).data!
    expect((await create(body)).error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { customerId: id },
    })
    const removed = await remove(id)
    expect(removed.response.status).toBe(200)
    expect(removed.data).toMatchObject({ isDeleted: true })
    expect((await remove(id)).error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    const again = await create(body)
    expect(again.response.status).toBe(201)
    expect(again.data!.id).not.toBe(id)
    expect((await list({ platformCustomerId: 'u-771' })).data).toMatchObject({ totalCount: 1 })
    const all = await list({ platformCustomerId: 'u-771', isIncludingDeleted: true })
    expect(all.data).toMatchObject({ totalCount: 2, data: [expect.anything(), expect.anything()] })
  })
})

describe('contacts in the EEA, then a link (customers 16.6)', () => {
  it('verifies both before there is a link', async () => {
    const { api, customer, get } = await customerApi(server)
    const { id, contactVerification } = await customer({
      fullName: 'Lena Vogt',
      region: 'DE',
      currencies: ['EUR', 'USDC'],
      email: 'lena@vogt.example',
      phoneNumber: '+4915112345678',
    })
    expect(contactVerification).toEqual({ email: 'PENDING', phone: 'PENDING' })
    const params = { path: { customerId: id } }
    const link = (key: string) =>
      api.POST('/customers/{customerId}/kyc-link', {
        params,
        body: { redirectUri: 'https://shop.example/back' },
        headers: { 'Idempotency-Key': key },
      })
    expect((await link('k-0')).error).toMatchObject({ status: 409, code: 'CONFLICT' })

    const sendEmail = () => api.POST('/customers/{customerId}/verify-email', { params })
    const confirmEmail = (code: string) =>
      api.POST('/customers/{customerId}/verify-email/confirm', { params, body: { code } })
    expect((await sendEmail()).response.status).toBe(204)
    expect((await confirmEmail('999999')).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const confirmed = await confirmEmail('123456')
    expect(confirmed.response.status).toBe(200)
    expect(confirmed.data).toMatchObject({ contactVerification: { email: 'VERIFIED', phone: 'PENDING' } })
    expect((await sendEmail()).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    const sent = await api.POST('/customers/{customerId}/verify-phone', { params })
    expect(sent.response.status).toBe(204)
    const phone = await api.POST('/customers/{customerId}/verify-phone/confirm', {
      params,
      body: { code: '123456' },
    })
    expect(phone.response.status).toBe(200)

    const first = await link('k-1')
    expect(first.response.status).toBe(201)
    expect(first.data).toMatchObject({ provider: 'SUMSUB', token: expect.stringMatching(/^_act-sbx-jwt-/) })
    expect((await link('k-1')).data).toEqual(first.data)
    expect((await link('k-2')).data!.kycUrl).not.toBe(first.data!.kycUrl)
    expect((await get(id)).data).toMatchObject({ kycStatus: 'UNVERIFIED' })
  })

  it('concerns nobody in the United States', async () => {
    const { api, customer } = await customerApi(server)
    const american = await customer({ region: 'US', email: 'noor@larch.example' })
    expect(american).not.toHaveProperty('contactVerification')
    const params = { path: { customerId: american.id } }
    const { error } = await api.POST('/customers/{customerId}/verify-email', { params })
    expect(error).toMatchObject({ status: 409, code: 'CONFLICT' })
  })
})

describe('tokens and configuration (customers 16.12)', () => {
  it('a token does what it was made for, until it is deleted', async () => {
    const { api } = await customerApi(server)
    const { data: token } = await api.POST('/tokens', { body: { name: 'reporting', permissions: ['VIEW'] } })
    const { id, clientId, clientSecret } = token!
    const params = { path: { tokenId: id } }
    const read = await api.GET('/tokens/{tokenId}', { params })
    expect(read.data).toMatchObject({ id, clientId, name: 'reporting', permissions: ['VIEW'] })
    expect(read.data).not.toHaveProperty('clientSecret')
    const viewer = server.client({ clientId, clientSecret: clientSecret! })
    expect((await viewer.GET('/customers')).response.status).toBe(200)
    const refused = await viewer.POST('/customers', { body: { customerType: 'INDIVIDUAL' } })
    expect(refused.error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await api.DELETE('/tokens/{tokenId}', { params })).response.status).toBe(204)
    expect((await viewer.GET('/customers')).error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await api.GET('/tokens/{tokenId}', { params })).error).toMatchObject({
      status: 404,
      code: 'TOKEN_NOT_FOUND',
    })
  })

  it('fees merge by their key, and a new endpoint is told of itself', async () => {
    const { configure, events } = await customerApi(server)
    const fee = (bps: number, amount: number, sourceCurrency = 'USD') => ({
      feeConfigs: [
        {
          feeType: 'CROSS_CURRENCY_TRANSACTION',
          sourceCurrency,
          variableFeeBps: bps,
          fixedFee: { amount, currency: sourceCurrency },
        },
      ],
    })
    expect((await configure(fee(40, 50))).data!.feeConfigs).toHaveLength(1)
    const wallet = await configure({ embeddedWalletConfig: { appName: 'Larch' } })
    expect(wallet.data!.feeConfigs).toHaveLength(1)
    expect((await configure(fee(0, 0))).data!.feeConfigs).toEqual([])
    expect((await configure(fee(40, 50, 'EUR'))).error).toMatchObject({
      status: 501,
      code: 'NOT_IMPLEMENTED',
    })

    const { url } = receiver.inbox()
    const tests = async () => (await events()).filter(({ type }) => type === 'TEST')
    expect((await configure({ webhookEndpoint: url })).response.status).toBe(200)
    expect(await tests()).toHaveLength(1)
    await configure({ webhookEndpoint: url })
    expect(await tests()).toHaveLength(1)
  })
})
