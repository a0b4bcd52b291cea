import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it, test } from 'vitest'
import { customerApi, refusal } from './customer-api.ts'

const server = await openTestServer()

const lena = {
  fullName: 'Lena Vogt',
  region: 'DE',
  currencies: ['EUR', 'USDC'],
  email: 'Lena@vogt.example',
  phoneNumber: '+4915112345678',
}

async function start(options: Parameters<TestServer['platform']>[0] = {}) {
  const known = await customerApi(server, options)
  const { api } = known
  const path = (customerId: string) => ({ params: { path: { customerId } } })
  return {
    ...known,
    sendEmail: (id: string) => api.POST('/customers/{customerId}/verify-email', path(id)),
    sendPhone: (id: string) => api.POST('/customers/{customerId}/verify-phone', path(id)),
    confirmEmail: (id: string, code: unknown) =>
      api.POST('/customers/{customerId}/verify-email/confirm', { ...path(id), body: { code } as never }),
    confirmPhone: (id: string, code: string) =>
      api.POST('/customers/{customerId}/verify-phone/confirm', { ...path(id), body: { code } }),
    statuses: async (id: string) => (await known.get(id)).data!.contactVerification,
    inbox: async (query: object = {}) => (await api.GET('/sandbox/inbox', { params: { query } })).data!.data,
  }
}

describe('a customer in the EEA', () => {
  it('verifies both contacts, in either order, each once', async () => {
    const { customer, sendEmail, sendPhone, confirmEmail, confirmPhone, events } = await start()
    const { id, contactVerification, updatedAt } = await customer(lena)
    expect(contactVerification).toEqual({ email: 'PENDING', phone: 'PENDING' })
    expect((await sendEmail(id)).response.status).toBe(204)
    expect(refusal((await confirmEmail(id, '999999')).error)).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'code' },
    })
    const { data } = await confirmEmail(id, '123456')
    expect(data).toMatchObject({ contactVerification: { email: 'VERIFIED', phone: 'PENDING' } })
    expect(data!.updatedAt > updatedAt).toBe(true)
    for (const again of [await sendEmail(id), await confirmEmail(id, '123456')]) {
      expect(refusal(again.error)).toMatchObject({ status: 409, code: 'CONFLICT' })
    }
    expect((await sendPhone(id)).response.status).toBe(204)
    const both = await confirmPhone(id, '123456')
    expect(both.data).toMatchObject({ contactVerification: { email: 'VERIFIED', phone: 'VERIFIED' } })
    expect(await events()).toEqual([])
  })

  it('needs a code that was sent, to the contact it has now', async () => {
    const { customer, change, sendEmail, confirmEmail, statuses } = await start()
    const { id } = await customer(lena)
    expect((await confirmEmail(id, '123456')).response.status).toBe(400)
    await sendEmail(id)
    await change(id, { customerType: 'INDIVIDUAL', email: 'other@vogt.example' })
    expect((await confirmEmail(id, '123456')).response.status).toBe(400)
    await sendEmail(id)
    expect((await confirmEmail(id, '123456')).response.status).toBe(200)
    await change(id, { customerType: 'INDIVIDUAL', email: 'third@vogt.example' })
    expect(await statuses(id)).toEqual({ email: 'PENDING', phone: 'PENDING' })
    expect((await confirmEmail(id, '123456')).response.status).toBe(400)
  })

  it('accepts no code after ten minutes, nor after five wrong ones, until another is sent', async () => {
    const { api, customer, sendEmail, confirmEmail } = await start()
    const { id } = await customer(lena)
    await sendEmail(id)
    const advance = (seconds: number) => api.POST('/sandbox/clock/advance', { body: { seconds } })
    await advance(599)
    expect((await confirmEmail(id, '000000')).response.status).toBe(400)
    await advance(1)
    expect((await confirmEmail(id, '123456')).response.status).toBe(400)

    await sendEmail(id)
    for (let wrong = 0; wrong < 5; wrong++) await confirmEmail(id, '000000')
    expect((await confirmEmail(id, '123456')).response.status).toBe(400)
    await sendEmail(id)
    for (let wrong = 0; wrong < 4; wrong++) await confirmEmail(id, '000000')
    expect((await confirmEmail(id, '123456')).response.status).toBe(200)
  })

  it('gets five guesses in all, however many come at once', async () => {
    const { customer, sendPhone, confirmPhone } = await start()
    const { id } = await customer(lena)
    await sendPhone(id)
    await Promise.all(Array.from({ length: 8 }, () => confirmPhone(id, '000000')))
    expect((await confirmPhone(id, '123456')).response.status).toBe(400)
  })

  it('cannot be sent anything where nothing is on file', async () => {
    const { customer, sendEmail, sendPhone } = await start()
    const { id } = await customer({ region: 'FR', email: 'a@b.example' })
    expect(refusal((await sendPhone(id)).error)).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NO_CONTACT_ON_FILE' },
    })
    expect((await sendEmail(id)).response.status).toBe(204)
  })

  test.each([[7], [''], [null], [undefined]])('is refused the code %j as a field', async (code) => {
    const { customer, confirmEmail } = await start()
    const { id } = await customer(lena)
    expect(refusal((await confirmEmail(id, code)).error).details.errors[0]!.field).toBe('code')
  })
})

it('concerns nobody outside the EEA, nobody deleted and nobody unknown', async () => {
  const { customer, remove, sendEmail, confirmPhone, statuses } = await start()
  const { id } = await customer({ region: 'US', email: 'a@b.example', phoneNumber: '+14155550100' })
  expect(await statuses(id)).toBeUndefined()
  for (const { error } of [await sendEmail(id), await confirmPhone(id, '123456')]) {
    expect(refusal(error)).toMatchObject({ status: 409, code: 'CONFLICT' })
  }
  const gone = await customer(lena)
  await remove(gone.id)
  expect(refusal((await sendEmail(gone.id)).error)).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
  const unknown = await sendEmail('Customer:0199dccc-4a80-7000-8000-000000000000')
  expect(refusal(unknown.error)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
})

describe('with real money', () => {
  it('sends six random digits, again after half a minute, and keeps no text', async () => {
    const { platform, customer, sendEmail, confirmEmail, sendPhone, confirmPhone } = await start({
      environment: 'PRODUCTION',
      isRegulated: true,
    })
    const { id } = await customer(lena)
    const codeOf = (to: string) =>
      /\b(\d{6})\b/.exec(server.posted.findLast((message) => message.to === to)!.text)![1]!
    await sendEmail(id)
    const tooSoon = await sendEmail(id)
    expect(refusal(tooSoon.error)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(tooSoon.response.headers.get('retry-after')).toBe('30')
    await server.settle()
    const first = codeOf(lena.email)
    await server.pass(30_000)
    expect((await sendEmail(id)).response.status).toBe(204)
    await sendPhone(id)
    await server.settle()
    const second = codeOf(lena.email)
    expect(second).not.toBe(first)
    expect((await confirmEmail(id, first)).response.status).toBe(400)
    expect((await confirmPhone(id, second)).response.status).toBe(400)
    expect((await confirmEmail(id, second)).response.status).toBe(200)
    expect((await confirmPhone(id, codeOf(lena.phoneNumber))).response.status).toBe(200)
    const kept = await server.rows('select status, content from messages where platform_id = $1', [
      platform.platformId,
    ])
    expect(kept).toEqual(Array(3).fill({ status: 'SENT', content: null }))
  })

  it('keeps codes as hashes', async () => {
    const { platform, customer, sendEmail } = await start({ environment: 'PRODUCTION', isRegulated: true })
    const { id } = await customer(lena)
    await sendEmail(id)
    await server.settle()
    const code = /\b(\d{6})\b/.exec(server.posted.at(-1)!.text)![1]!
    const rows = await server.rows<{ all: string }>(
      'select to_json(c)::text as all from contact_codes c where platform_id = $1',
      [platform.platformId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.all).not.toContain(code)
  })
})

describe('the inbox of the sandbox', () => {
  it('shows what would have been sent, the latest first, to the platform alone', async () => {
    const { customer, sendEmail, sendPhone, inbox } = await start()
    const { id } = await customer(lena)
    await sendEmail(id)
    server.world.passMs(1000)
    await sendPhone(id)
    expect((await inbox()).map(({ status }) => status)).toEqual(['QUEUED', 'QUEUED'])
    await server.settle()
    const [sms, email] = await inbox({ customerId: id })
    expect(sms).toMatchObject({ channel: 'SMS', status: 'SENT', to: '+4915112345678', customerId: id })
    expect(email).toMatchObject({
      channel: 'EMAIL',
      purpose: 'CONTACT_VERIFICATION',
      to: 'Lena@vogt.example',
      subject: 'Your verification code',
      text: expect.stringContaining('123456'),
    })
    expect(await inbox({ channel: 'EMAIL' })).toHaveLength(1)
    const stranger = await start()
    expect(await stranger.inbox()).toEqual([])
  })

  it('does not exist for production credentials', async () => {
    const { api } = await start({ environment: 'PRODUCTION' })
    const { error } = await api.GET('/sandbox/inbox')
    expect(refusal(error)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })
})
