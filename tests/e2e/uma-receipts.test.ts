import {
  createCustomer,
  createPayee,
  must,
  openTestServer,
  recordWebhooks,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { takeUnexpectedErrors } from '@corridor/testkit/unexpected-errors.ts'
import { describe, expect, it, vi } from 'vitest'
import { paymentApi } from './payment-api.ts'
import { pendingAnswer, second, webhookEndpoints } from './webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { setEndpoint, emit } = webhookEndpoints(() => server, receiver)

const success = '$success.usd@sandbox.uma.money'

async function start(options: Parameters<TestServer['platform']>[0] = {}) {
  const payments = await paymentApi(server, options)
  const { platform, api, customer } = payments
  const inbox = receiver.inbox()
  await setEndpoint(platform, inbox.url)
  const path = (transactionId: string) => ({ params: { path: { transactionId } } })
  return {
    ...payments,
    inbox,
    receive: (more: object = {}) =>
      api.POST('/sandbox/uma/receive', {
        body: {
          senderUmaAddress: success,
          receiverUmaAddress: customer.umaAddress,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: 5_000,
          ...more,
        },
      }),
    approve: (id: string, body?: object) =>
      api.POST('/transactions/{transactionId}/approve', { ...path(id), ...(body ? { body } : {}) }),
    reject: (id: string, body?: object) =>
      api.POST('/transactions/{transactionId}/reject', { ...path(id), ...(body ? { body } : {}) }),
    status: async (id: string) => (await payments.transaction(id)).status,
    advance: (seconds: number) => must(api.POST('/sandbox/clock/advance', { body: { seconds } })),
    asked: () => inbox.received.filter(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING'),
  }
}

const answerWith = (status: number, body: object) => new Response(JSON.stringify(body), { status })
function timedOut(): never {
  throw new DOMException('too slow', 'TimeoutError')
}
function brokenOff(): never {
  throw new TypeError('connection refused')
}

describe('an incoming UMA payment', () => {
  it('is approved by the answer 200 and credited (W8, 16.12)', async () => {
    const uma = await start()
    uma.inbox.answer(({ event }) =>
      event.type === 'INCOMING_PAYMENT.PENDING'
        ? answerWith(200, { receiverCustomerInfo: { NATIONALITY: 'PT' } })
        : 200,
    )
    const { data, response } = await uma.receive()
    expect(response.status).toBe(200)
    expect(data).toMatchObject({
      status: 'PENDING',
      type: 'INCOMING',
      direction: 'CREDIT',
      customerId: uma.customer.id,
      source: { sourceType: 'UMA_ADDRESS', umaAddress: success },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: uma.customer.umaAddress },
      receivedAmount: { amount: 5_000 },
      reconciliationInstructions: { reference: expect.stringMatching(/^REF-/) },
    })
    expect(data).not.toHaveProperty('sentAmount')
    expect(await uma.balance()).toBe(0)
    await server.settle()

    const events = uma.inbox.received.map(({ event }) => event)
    expect(events[0]!.type).toBe('INCOMING_PAYMENT.PENDING')
    const completed = events.find(({ type }) => type === 'INCOMING_PAYMENT.COMPLETED')
    expect(
      events
        .slice(1)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'])
    expect(events[0]!.data).toEqual({
      ...data,
      requestedReceiverCustomerInfoFields: [{ name: 'NATIONALITY', mandatory: false }],
    })
    expect(completed!.id).not.toBe(events[0]!.id)
    expect(await uma.balance()).toBe(5_000)
    expect(await uma.transaction(data!.id)).toMatchObject({
      status: 'COMPLETED',
      settledAt: expect.any(String),
    })
    expect(await server.ledgerBalances(uma.platform)).toMatchObject({ 'rail:UMA:USD': -5_000n })
  })

  const refusals: readonly [string, () => number | Response, string, string | undefined][] = [
    ['403', () => answerWith(403, { reason: 'RESTRICTED_JURISDICTION' }), 'REJECTED', undefined],
    ['422', () => answerWith(422, { requiredFields: ['TAX_ID'] }), 'FAILED', 'PAY_REQUEST_FAILED'],
    ['409', () => 409, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['500', () => 500, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['204', () => 204, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['a redirect', () => 302, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['a broken connection', brokenOff, 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['silence', timedOut, 'FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'],
  ]
  it.each(refusals)(
    'is asked about once and refused by %s (W8)',
    async (_what, script, status, failureReason) => {
      const uma = await start()
      uma.inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? script() : 200))
      const { id } = await must(uma.receive())
      await server.settle()
      await uma.advance(3_600)
      const transaction = await uma.transaction(id)
      expect(transaction).toMatchObject({ status })
      expect((transaction as { failureReason?: string }).failureReason).toBe(failureReason)
      expect(JSON.stringify(transaction)).not.toContain('RESTRICTED')
      expect(uma.asked()).toHaveLength(1)
      expect(await uma.told(id)).toEqual(['PENDING', 'FAILED'])
      expect(await uma.balance()).toBe(0)
    },
  )

  it('is asked about at once, also where the endpoint hangs with everything else', async () => {
    const uma = await start()
    await server.settle()
    const hanging = pendingAnswer()
    uma.inbox.answer(({ event }) => (event.type === 'TEST' ? hanging.answer : 200))
    await emit(uma.platform, ...Array.from({ length: 20 }, (_, n) => ({ resourceId: `Thing:${n}` })))
    const before = uma.inbox.received.length
    const running = server.settle()
    await uma.inbox.arrived(before + 16)
    const { data } = await uma.receive()
    await server.poll()
    await uma.inbox.arrived(before + 17)
    expect(uma.asked()).toHaveLength(1)
    hanging.give(200)
    await running
    await server.settle()
    expect(await uma.status(data!.id)).toBe('COMPLETED')
  })

  it('gives the endpoint five seconds', async () => {
    const uma = await start()
    const send = vi.spyOn(server.thirdParties.SANDBOX.webhooks, 'send')
    await must(uma.receive())
    await server.settle()
    expect(send.mock.calls[0]![0].timeoutMs).toBe(5_000)
    send.mockRestore()
  })

  it('waits five seconds after a 202 for /approve (W8)', async () => {
    const uma = await start()
    uma.inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200))
    const { id } = await must(uma.receive())
    await server.settle()
    await uma.advance(1)
    expect(await uma.status(id)).toBe('PENDING')
    const approved = await uma.approve(id)
    expect(approved.data).toMatchObject({ id, status: 'PENDING' })
    const again = { status: 409, code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' }
    expect((await uma.approve(id)).error).toMatchObject(again)
    expect((await uma.reject(id)).error).toMatchObject(again)
    await server.settle()
    expect(await uma.status(id)).toBe('COMPLETED')
    expect((await uma.approve(id)).error).toMatchObject({ ...again, details: { status: 'COMPLETED' } })
    expect(await uma.balance()).toBe(5_000)
  })

  it('is rejected by /reject, with a reason that stays here', async () => {
    const uma = await start()
    uma.inbox.answer(() => 202)
    const { id } = await must(uma.receive())
    await server.settle()
    const { data } = await uma.reject(id, { reason: 'RESTRICTED_JURISDICTION' })
    expect(data).toMatchObject({ status: 'REJECTED' })
    expect(data).not.toHaveProperty('failureReason')
    await uma.advance(60)
    expect(await uma.told(id)).toEqual(['PENDING', 'FAILED'])
  })

  it('times out five seconds after a 202 that nothing follows (W8)', async () => {
    const uma = await start()
    uma.inbox.answer(() => 202)
    const { id } = await must(uma.receive())
    await server.settle()
    await uma.advance(4)
    expect(await uma.status(id)).toBe('PENDING')
    await uma.advance(1)
    expect(await uma.transaction(id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYMENT_APPROVAL_TIMED_OUT',
    })
    expect((await uma.approve(id)).error).toMatchObject({ status: 409 })
  })

  it('is decided by whoever comes first: /approve while the endpoint still thinks', async () => {
    const uma = await start()
    const { answer, give } = pendingAnswer()
    uma.inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? answer : 200))
    const { id } = await must(uma.receive())
    const delivering = server.settle()
    await uma.inbox.arrived(1)
    expect((await uma.approve(id)).data).toMatchObject({ status: 'PENDING' })
    give(403)
    await delivering
    await server.settle()
    expect(await uma.status(id)).toBe('COMPLETED')
  })

  it('needs the mandatory fields that the service does not know', async () => {
    const uma = await start()
    const business = await must(
      uma.api.POST('/customers', {
        body: { customerType: 'INDIVIDUAL', currencies: ['USD'] } as never,
      }),
    )
    const receiverUmaAddress = business.umaAddress
    const asked = [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'NATIONALITY', mandatory: false },
    ]
    const bodies = [
      {},
      { receiverCustomerInfo: { NATIONALITY: 'PT' } },
      { receiverCustomerInfo: { FULL_NAME: ' ' } },
    ]
    for (const body of bodies) {
      uma.inbox.answer(() => answerWith(200, body))
      const { id } = await must(uma.receive({ receiverUmaAddress }))
      await server.settle()
      expect(uma.asked().at(-1)!.event.data.requestedReceiverCustomerInfoFields).toEqual(asked)
      expect(await uma.transaction(id)).toMatchObject({ failureReason: 'MISSING_MANDATORY_PAYEE_DATA' })
    }
    uma.inbox.answer(() => 202)
    const { id } = await must(uma.receive({ receiverUmaAddress }))
    await server.settle()
    expect((await uma.approve(id)).error).toMatchObject({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      details: { missingFields: ['FULL_NAME'] },
    })
    const info = { receiverCustomerInfo: { FULL_NAME: 'Ana Lopez' } }
    expect((await uma.approve(id, info)).data).toMatchObject({ status: 'PENDING' })
    await server.settle()
    expect(await uma.status(id)).toBe('COMPLETED')
  })

  it('shows of the sender what the configuration asks for', async () => {
    const uma = await start()
    const { supportedCurrencies } = await must(uma.api.GET('/config'))
    await must(
      uma.api.PATCH('/config', {
        body: {
          supportedCurrencies: supportedCurrencies.map((entry) => ({
            ...entry,
            requiredCounterpartyFields:
              entry.currencyCode === 'USD' ? [{ name: 'FULL_NAME', mandatory: true }] : [],
          })) as never,
        },
      }),
    )
    const { data } = await uma.receive()
    expect(data).toMatchObject({ counterpartyInformation: { FULL_NAME: 'Sam Sandbox' } })
    await server.settle()
    expect(uma.asked()[0]!.event.data.counterpartyInformation).toEqual({ FULL_NAME: 'Sam Sandbox' })
  })

  it('follows the scenario of its sender: a long wait, and a refusal without a question', async () => {
    const uma = await start()
    const long = await must(uma.receive({ senderUmaAddress: '$pending.long.usd@sandbox.uma.money' }))
    await server.settle()
    await uma.advance(359)
    expect(await uma.status(long.id)).toBe('PENDING')
    await uma.advance(1)
    expect(await uma.status(long.id)).toBe('COMPLETED')

    const refused = await must(uma.receive({ senderUmaAddress: '$fail.compliance.usd@sandbox.uma.money' }))
    expect(refused.status).toBe('PENDING')
    await server.settle()
    expect(await uma.transaction(refused.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'COMPLIANCE_REJECTED',
    })
    expect(await uma.told(refused.id)).toEqual(['FAILED'])
    expect(uma.asked()).toHaveLength(1)
    expect((await uma.approve(refused.id)).error).toMatchObject({ status: 409 })
  })

  it('goes back when the account cannot take it any more', async () => {
    const uma = await start()
    const { id } = await must(uma.receive({ senderUmaAddress: '$pending.long.usd@sandbox.uma.money' }))
    await server.settle()
    await must(
      uma.api.DELETE('/customers/{customerId}', { params: { path: { customerId: uma.customer.id } } }),
    )
    await uma.advance(360)
    expect(await uma.transaction(id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'OFFRAMP_FAILED',
      refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    })
    expect(await uma.told(id)).toEqual(['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'])
  })

  it('is paid on to the default deposit account, and stays when that fails', async () => {
    const uma = await start()
    const more = { customerId: uma.customer.id, defaultUmaDepositAccount: true }
    await createPayee(uma.api, 'USD', '000123456700', more)
    await must(uma.receive())
    await server.settle()
    expect(await uma.balance()).toBe(0)
    const { data } = await must(uma.api.GET('/transactions', { params: { query: {} } }))
    expect(data.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'OUTGOING COMPLETED',
      'INCOMING COMPLETED',
    ])
    const failing = await createPayee(uma.api, 'USD', '000123456004', more)
    expect(failing.defaultUmaDepositAccount).toBe(true)
    await must(uma.receive())
    await server.settle()
    expect(await uma.balance()).toBe(5_000)
  })

  it('is paid on in another currency at mid, less the default fee (11.4)', async () => {
    const uma = await start()
    const more = { customerId: uma.customer.id, defaultUmaDepositAccount: true }
    await createPayee(uma.api, 'EUR', 'DE89370400440532013000', more)
    await must(uma.receive())
    await server.settle()
    expect(await uma.balance()).toBe(0)
    const { data } = await must(uma.api.GET('/transactions', { params: { query: { type: 'OUTGOING' } } }))
    // As a quote over the same amount would, with no fee of the platform.
    const quote = await must(
      uma.api.GET('/exchange-rates', {
        params: { query: { sourceCurrency: 'USD', destinationCurrency: 'EUR', sendingAmount: 5_000 } },
      } as never),
    )
    const [rate] = (quote as { data: { receivingAmount: number }[] }).data
    expect(data).toMatchObject([
      {
        status: 'COMPLETED',
        sentAmount: { amount: 5_000, currency: { code: 'USD' } },
        receivedAmount: { amount: rate!.receivingAmount, currency: { code: 'EUR' } },
        exchangeRate: expect.any(Number),
      },
    ])
    expect(data[0]).not.toHaveProperty('quoteId')
  })

  it('is not asked about a second time when the attempt is cut off', async () => {
    const uma = await start()
    const send = vi.spyOn(server.thirdParties.SANDBOX.webhooks, 'send')
    // The process dies with the request on its way: no outcome is recorded.
    send.mockImplementationOnce(() => Promise.reject(new Error('cut off')))
    const { id } = await must(uma.receive())
    await server.settle()
    expect(await uma.status(id)).toBe('PENDING')
    await server.pass(120 * second)
    expect(await uma.transaction(id)).toMatchObject({ failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' })
    expect(uma.asked()).toEqual([])
    send.mockRestore()
    expect(takeUnexpectedErrors()).toEqual([expect.stringContaining('"message":"cut off"')])
  })

  it('is refused before it is on record', async () => {
    const uma = await start({ skipPaperwork: true })
    const other = await createCustomer(uma.api)
    const rejected = await createCustomer(uma.api, { fullName: 'Ana Lopez 002' })
    const refusals: readonly [object, number, string][] = [
      [{ senderUmaAddress: '$nobody@sandbox.uma.money' }, 404, 'UMA_NOT_FOUND'],
      [{ senderUmaAddress: other.umaAddress }, 404, 'UMA_NOT_FOUND'],
      [{ senderUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
      [{ receiverUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
      [{ receiverUmaAddress: '$nobody@uma.corridor.example' }, 404, 'USER_NOT_FOUND'],
      [{ receiverUmaAddress: undefined }, 400, 'INVALID_INPUT'],
      [{ customerId: other.id }, 400, 'INVALID_INPUT'],
      [
        { receiverUmaAddress: undefined, customerId: 'Customer:0199dccc-4a80-7000-8000-000000000000' },
        404,
        'USER_NOT_FOUND',
      ],
      [{ receiverUmaAddress: rejected.umaAddress }, 403, 'USER_NOT_READY'],
      [{ receivingCurrencyCode: 'MXN' }, 400, 'INVALID_CURRENCY'],
      [{ receivingCurrencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
      [{ receivingCurrencyAmount: 100_000_001 }, 400, 'AMOUNT_OUT_OF_RANGE'],
      [{ receivingCurrencyAmount: undefined }, 400, 'INVALID_INPUT'],
    ]
    for (const [body, status, code] of refusals) {
      expect((await uma.receive(body)).error, JSON.stringify(body)).toMatchObject({ status, code })
    }
    await setEndpoint(uma.platform, null)
    expect((await uma.receive()).error).toMatchObject({ status: 400, code: 'WEBHOOK_ENDPOINT_NOT_SET' })
    const live = await server.platform({ environment: 'PRODUCTION' })
    const { error } = await server.client(live).POST('/sandbox/uma/receive', {
      body: { senderUmaAddress: success, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 1 },
    })
    expect(error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const { data } = await must(uma.api.GET('/transactions', { params: { query: {} } }))
    expect(data).toEqual([])
  })
})
