import { createPayee, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs, scaApi } from './sca-api.ts'

const server = await openTestServer()
/** The books add up after every one of these stories, whatever became of the hold. */
afterEach(() => server.expectSoundLedger())

const code = { code: '123456' }

describe('a payment that its customer has to authorize', () => {
  it('is told with what it holds where its account is explained', async () => {
    const { api, eur, held } = await scaApi(server)
    const { id, transactionId } = await held()
    const { data } = await api.GET('/explain/{id}', { params: { path: { id: eur.id } } })
    expect(data!.sentence).toBe(
      `300.00 EUR can be spent. 200.00 EUR is reserved: 200.00 EUR for ${transactionId}.`,
    )
    expect(data!.timeline).toContainEqual(
      expect.objectContaining({
        kind: 'HOLD',
        text: `200.00 EUR is reserved: hold of ${transactionId}`,
        ref: `${transactionId}/hold`,
      }),
    )
    expect(data!.unknown).toEqual([])
    const { data: payment } = await api.GET('/explain/{id}', { params: { path: { id } } })
    expect(payment!.sentence).toMatch(/ Pending authorization, waiting for the customer until \S+ \S+ UTC\.$/)
  })

  it('16.7: waits for a login and a right proof, once', async () => {
    const { calls, customer, quoted, logIn } = await scaApi(server)
    const { id } = await quoted()
    const executed = await calls.execute(id)
    expect(executed).toMatchObject({
      status: 200,
      body: {
        status: 'PENDING_AUTHORIZATION',
        scaChallenge: { factor: 'SMS_OTP', availableFactors: ['SMS_OTP'], purpose: 'PAYOUT' },
      },
    })
    const { scaChallenge } = executed.body
    expect(scaChallenge.id).toMatch(/^ScaChallenge:/)
    expect(Object.keys(scaChallenge).sort()).toEqual([
      'availableFactors',
      'expiresAt',
      'factor',
      'id',
      'purpose',
    ])
    expect(await calls.execute(id)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { status: 'PENDING_AUTHORIZATION' } },
    })
    expect(await calls.authorize(id, code)).toMatchObject({
      status: 409,
      body: { code: 'SCA_SESSION_REQUIRED' },
    })
    expect((await calls.quote(id)).scaChallenge).toEqual(scaChallenge)

    const started = await calls.startLogin(customer.id)
    expect(started).toMatchObject({ status: 200, body: { factor: 'SMS_OTP', expiresAt: expect.any(String) } })
    expect(started.body.challengeId).toMatch(/^ScaChallenge:/)
    const { challengeId } = started.body
    const proof = { factor: 'SMS_OTP', challengeId, ...code }
    expect(await calls.completeLogin(customer.id, { ...proof, endUserIpAddress: undefined })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'endUserIpAddress' } },
    })
    const done = await calls.completeLogin(customer.id, proof)
    expect(done).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
    const { sessionExpiresAt } = await logIn()
    expect(Date.parse(sessionExpiresAt) - server.world.now()).toBe(180 * 24 * 60 * minuteMs)

    expect(await calls.authorize(id, { code: '000000' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'code' } },
    })
    const both = { ...code, passkeyAssertion: { id: 'x' }, origin: 'https://app.example.com' }
    expect(await calls.authorize(id, both)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await calls.resend(id)).toMatchObject({ status: 204 })
    expect((await calls.quote(id)).scaChallenge).toEqual(scaChallenge)
    const authorized = await calls.authorize(id, { ...code, endUserIpAddress: '203.0.113.9' })
    expect(authorized).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect(authorized.body).not.toHaveProperty('scaChallenge')
    expect(await calls.authorize(id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await server.settle()
    expect(await calls.quote(id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('16.15: is held, taken by the proof, and given back when nobody answers', async () => {
    const { calls, balances, held, logIn, told, platform } = await scaApi(server)
    const first = await held()
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    expect(await calls.execute(first.id)).toMatchObject({ status: 409 })
    expect(await calls.authorize(first.id, code)).toMatchObject({ status: 409 })
    await logIn()
    expect(await calls.authorize(first.id, { code: '999999' })).toMatchObject({ status: 400 })
    expect(await calls.authorize(first.id, code)).toMatchObject({
      status: 200,
      body: { status: 'PROCESSING' },
    })
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
    await server.settle()
    expect(await told(first.transactionId)).toEqual([
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])

    const second = await held()
    expect(await balances()).toEqual({ available: 10_000, total: 30_000 })
    expect(await calls.transaction(second.transactionId)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    await server.pass(5 * minuteMs)
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
    const failed = await calls.transaction(second.transactionId)
    expect(failed).toMatchObject({ status: 'FAILED', failureReason: 'SCA_NOT_COMPLETED' })
    expect(failed).not.toHaveProperty('refund')
    expect(await calls.quote(second.id)).toMatchObject({ status: 'FAILED' })
    expect(await calls.quote(second.id)).not.toHaveProperty('scaChallenge')
    expect(await told(second.transactionId)).toEqual([
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT.FAILED',
    ])
    const events = await server.events(platform)
    expect(JSON.stringify(events)).not.toContain('scaChallenge')
    const shown = events.filter(({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED')
    const amountOf = (balance: unknown) => (balance as { amount: number }).amount
    expect(shown.map(({ data }) => [amountOf(data.balance), amountOf(data.totalBalance)])).toEqual([
      [50_000, 50_000],
      [30_000, 50_000],
      [30_000, 30_000],
      [10_000, 30_000],
      [30_000, 30_000],
    ])
    expect(await calls.authorize(second.id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await calls.execute(second.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  it('is over for every reader once its time is up, before the timer has come by', async () => {
    const { calls, balances, held } = await scaApi(server)
    const [byQuote, byTransaction] = [await held(10_000), await held(10_000)]
    server.world.passMs(5 * minuteMs - 1)
    expect(await calls.quote(byQuote.id)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    server.world.passMs(1)
    expect(await calls.quote(byQuote.id)).toMatchObject({ status: 'FAILED' })
    expect(await calls.transaction(byTransaction.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    })
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    await server.settle()
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
  })

  it('is over in lists too once its time is up', async () => {
    const { api, balances, held } = await scaApi(server)
    const { transactionId } = await held()
    const listed = async (status?: 'FAILED' | 'PENDING_AUTHORIZATION') => {
      const { data } = await api.GET('/transactions', { params: { query: status ? { status } : {} } })
      return data!.data.map((each) => [each.id, each.status])
    }
    server.world.passMs(5 * minuteMs - 1)
    expect(await listed('PENDING_AUTHORIZATION')).toEqual([[transactionId, 'PENDING_AUTHORIZATION']])
    server.world.passMs(1)
    expect(await listed('PENDING_AUTHORIZATION')).toEqual([])
    expect(await listed('FAILED')).toEqual([[transactionId, 'FAILED']])
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
  })

  it.each([{ status: 'FAILED' }, { type: 'OUTGOING' }] as const)(
    'is over in the list of %o, whichever is the first to be read after its time',
    async (query) => {
      const { api, balances, calls, customer, payee, held } = await scaApi(server)
      const { transactionId } = await held()
      const { body: realtime } = await calls.createQuote({
        source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'EUR' },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1_000,
      })
      expect(realtime).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
      server.world.passMs(5 * minuteMs)
      const { data } = await api.GET('/transactions', { params: { query } })
      const listed = data!.data.map(({ id, status }) => [id, status])
      expect(listed.sort()).toEqual(
        [
          [transactionId, 'FAILED'],
          [realtime.transactionId, 'FAILED'],
        ].sort(),
      )
      expect(data).toMatchObject({ totalCount: 2 })
      expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    },
  )

  it('16.8: is funded in realtime only after every step is authorized', async () => {
    const { calls, customer, payee, logIn, api, told } = await scaApi(server)
    const body = {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'EUR' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 25_000,
    }
    const created = await calls.createQuote(body)
    expect(created).toMatchObject({
      status: 202,
      body: { status: 'PENDING_AUTHORIZATION', scaChallenge: { purpose: 'CURRENCY_CONVERSION' } },
    })
    expect(created.body).not.toHaveProperty('paymentInstructions')
    const { id, transactionId } = created.body
    expect(await calls.quote(id)).not.toHaveProperty('paymentInstructions')
    expect(await calls.transaction(transactionId)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    const send = () => api.POST('/sandbox/send', { body: { quoteId: id, currencyCode: 'EUR' } as never })
    expect((await send()).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    await logIn()

    const purposes = []
    const ids = new Set<string>()
    let quote = created.body
    while (quote.status === 'PENDING_AUTHORIZATION') {
      purposes.push(quote.scaChallenge.purpose)
      ids.add(quote.scaChallenge.id)
      const answered = await calls.authorize(id, code)
      expect(answered.status).toBe(200)
      quote = answered.body
    }
    expect(purposes).toEqual(['CURRENCY_CONVERSION', 'PAYOUT'])
    expect(ids.size).toBe(2)
    expect(quote).toMatchObject({ status: 'PENDING', paymentInstructions: [{}] })
    expect(quote).not.toHaveProperty('scaChallenge')
    expect(await calls.transaction(transactionId)).toMatchObject({ status: 'PENDING' })
    expect((await send()).error).toBeUndefined()
    await server.settle()
    expect(await calls.quote(id)).toMatchObject({ status: 'COMPLETED' })
    expect(await told(transactionId)).toEqual([
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])
  })

  it('has one step when realtime money stays in its currency, and fails when nobody answers', async () => {
    const { calls, customer, api, told } = await scaApi(server)
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013891', { customerId: customer.id })
    const created = await calls.createQuote({
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'EUR' },
      destination: { destinationType: 'ACCOUNT', accountId: iban.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 25_000,
    })
    expect(created).toMatchObject({ status: 202, body: { scaChallenge: { purpose: 'PAYOUT' } } })
    const { id, transactionId, expiresAt, scaChallenge } = created.body
    expect(Date.parse(scaChallenge.expiresAt)).toBeLessThanOrEqual(Date.parse(expiresAt))
    const listed = async () => {
      const { data } = await api.GET('/transactions', { params: { query: {} } })
      return data!.data.filter((each) => each.id === transactionId).map(({ status }) => status)
    }
    expect(await listed()).toEqual([])
    await server.pass(5 * minuteMs)
    expect(await calls.quote(id)).toMatchObject({ status: 'FAILED' })
    expect(await calls.transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    })
    expect(await listed()).toEqual(['FAILED'])
    expect(await told(transactionId)).toEqual([
      'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT.FAILED',
    ])
  })

  it('answers 202 when it is executed as it is created, and goes on after the proof', async () => {
    const { calls, eur, payee, logIn, balances } = await scaApi(server)
    const body = quoteBody(eur, payee, 20_000, { immediatelyExecute: true })
    const created = await calls.createQuote(body)
    expect(created).toMatchObject({ status: 202, body: { status: 'PENDING_AUTHORIZATION' } })
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    await logIn()
    expect(await calls.authorize(created.body.id, code)).toMatchObject({ status: 200 })
    await server.settle()
    expect(await calls.quote(created.body.id)).toMatchObject({ status: 'COMPLETED' })
    const tooMuch = quoteBody(eur, payee, 30_001, { immediatelyExecute: true })
    expect(await calls.createQuote(tooMuch)).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_BALANCE' },
    })
  })

  it('that is pulled into an account of ours stays PENDING, and moves nothing before the proof', async () => {
    const { calls, api, customer, eur, logIn, balances } = await scaApi(server)
    const bank = await createPayee(api, 'EUR', 'DE89370400440532013892', { customerId: customer.id })
    const pull = async () => {
      const { body } = await calls.createQuote(quoteBody(bank, eur, 1_000))
      const executed = await calls.execute(body.id)
      expect(executed).toMatchObject({ status: 200, body: { status: 'PENDING_AUTHORIZATION' } })
      return executed.body
    }
    const [answered, left] = [await pull(), await pull()]
    expect(await calls.transaction(answered.transactionId)).toMatchObject({
      type: 'INCOMING',
      status: 'PENDING',
    })
    await server.settle()
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    await logIn()
    expect(await calls.authorize(answered.id, code)).toMatchObject({ status: 200 })
    await server.settle()
    expect(await balances()).toEqual({ available: 51_000, total: 51_000 })
    await server.pass(5 * minuteMs)
    expect(await calls.transaction(left.transactionId)).toMatchObject({ type: 'INCOMING', status: 'FAILED' })
    expect(await balances()).toEqual({ available: 51_000, total: 51_000 })
  })

  it('replays its first answer to the same key, and moves nothing twice', async () => {
    const { calls, quoted, logIn, balances } = await scaApi(server)
    const { id } = await quoted()
    const key = { 'Idempotency-Key': 'execute-1' }
    const first = await calls.execute(id, undefined, key)
    const again = await calls.execute(id, undefined, key)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    await logIn()
    const proof = { 'Idempotency-Key': 'authorize-1' }
    const authorized = await calls.authorize(id, code, proof)
    const repeated = await calls.authorize(id, code, proof)
    expect([repeated.status, repeated.body]).toEqual([authorized.status, authorized.body])
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
  })
})

describe('a choice of factor', () => {
  it('is refused for what never authorizes or is not enrolled, before anything happens', async () => {
    const { calls, quoted, balances, eur, payee } = await scaApi(server)
    const { id } = await quoted()
    for (const scaFactor of ['TOTP', 'PASSKEY']) {
      expect(await calls.execute(id, { scaFactor })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { field: 'scaFactor' } },
      })
    }
    expect(
      await calls.createQuote(quoteBody(eur, payee, 1_000, { scaFactor: 'TOTP' } as never)),
    ).toMatchObject({
      status: 400,
      body: { details: { field: 'scaFactor' } },
    })
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    expect(await calls.execute(id, { scaFactor: 'SMS_OTP' })).toMatchObject({
      body: { status: 'PENDING_AUTHORIZATION' },
    })
  })
})
