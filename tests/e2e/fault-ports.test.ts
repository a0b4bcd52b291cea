import {
  createCustomer,
  createPayee,
  fund,
  must,
  openTestServer,
  quoteBody,
  recordWebhooks,
} from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { onboarding } from './onboarding.ts'
import { clabe, paymentApi } from './payment-api.ts'
import { quoteTo } from './uma-peers.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

// What others than the API do on purpose: refusals, errors and "too often" of every port, and institutions of the UMA network
// (6.2).

const receiver = recordWebhooks()
const errors: string[] = []
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (_fields: object, words: string) => void errors.push(words),
}
const server = await openTestServer({ network: receiver.network, log: log as never })
afterAll(() => server.expectSoundLedger())

type Fault = Record<string, unknown>

async function sandbox() {
  const payments = await paymentApi(server)
  const { api } = payments
  const create = (body: Fault) => must(api.POST('/sandbox/faults', { body: body as never }))
  const activations = async (faultId: string) =>
    (await must(api.GET('/sandbox/faults/{faultId}/activations', { params: { path: { faultId } } }))).data
  return { ...payments, create, activations }
}

const euroReceiver = '$success.eur@sandbox.uma.money'

describe('a fault of other institutions (6.2)', () => {
  async function looking(fault: Fault) {
    const stage = await sandbox()
    const made = await stage.create({ target: 'UMA', ...fault })
    const look = (receiverUmaAddress = euroReceiver, query: object = {}) =>
      stage.api.GET('/receiver/uma/{receiverUmaAddress}', { params: { path: { receiverUmaAddress }, query } })
    return { ...stage, look, fault: made }
  }

  it.each([
    [{ kind: 'REFUSED', times: 1 }, 'LNURLP_REQUEST_FAILED'],
    [{ kind: 'OUTAGE', times: 1 }, 'LNURLP_REQUEST_FAILED'],
    [{ kind: 'ERROR', times: 1 }, 'LNURLP_REQUEST_FAILED'],
    [{ kind: 'ERROR', params: { status: 404 }, times: 1 }, 'UMA_NOT_FOUND'],
    [{ kind: 'RATE_LIMITED', times: 1 }, 'LOOKUP_REQUEST_FAILED'],
  ])('%o: nobody is found this time, with %s', async (fault, code) => {
    const { look, fault: made, activations } = await looking(fault)
    const refused = await look()
    expect(refused.error).toMatchObject({ code })
    expect(refused.response.headers.get('x-corridor-fault')).toBe(made.id)
    const [hit] = await activations(made.id)
    expect(hit).toMatchObject({
      kind: fault.kind,
      target: 'UMA',
      requestId: refused.response.headers.get('x-request-id'),
    })
    // It is an address of a person.
    expect(JSON.stringify(hit)).not.toContain('success.eur')
    const found = await look()
    expect(found.response.status).toBe(200)
    expect(found.response.headers.get('x-corridor-fault')).toBeNull()
  })

  it('is met by those alone who ask for another institution, and for whom it is meant', async () => {
    const { look, customer } = await looking({ kind: 'OUTAGE', match: { customerId: 'Customer:nobody' } })
    expect((await look(euroReceiver, { customerId: customer.id })).response.status).toBe(200)
    const all = await looking({ kind: 'OUTAGE' })
    expect((await all.look('$somebody@nowhere.example')).error).toMatchObject({
      code: 'COUNTERPARTY_NOT_ALLOWED',
    })
    expect(await all.activations(all.fault.id)).toEqual([])
  })

  it.each([
    [{ kind: 'REFUSED', after: 1, times: 1 }, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'ERROR', after: 1, params: { status: 400 }, times: 1 }, 'QUOTE_REQUEST_FAILED'],
    [{ kind: 'LOST_ANSWER', times: 1 }, 'PAYREQ_REQUEST_FAILED'],
  ])('%o: no quote is made with its terms this time', async (fault, code) => {
    const { create, platform, api, usd, customer, balance, activations } = await sandbox()
    const receiving = await paymentApi(server)
    await webhookEndpoints(() => server, receiver).setEndpoint(receiving.platform, receiver.inbox().url)
    await fund(api, usd.id, 100_000)
    const payer = { server, platform, api, account: usd, customer, domain: '' }
    const address = (receiving.customer as unknown as { umaAddress: string }).umaAddress
    const made = await create({ target: 'UMA', ...fault })
    const refused = await quoteTo(payer as never, address, { amount: 5_000, currency: 'USD' })
    expect(refused.error).toMatchObject({ code })
    expect(await activations(made.id)).toHaveLength(1)
    const quote = await must(quoteTo(payer as never, address, { amount: 5_000, currency: 'USD' }))
    await must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await server.settle()
    expect(await balance()).toBeLessThan(100_000)
    // What was agreed to and never paid comes to nothing at the other side as well.
    const incoming = (await must(receiving.api.GET('/transactions'))).data
    expect(incoming.filter(({ status }: { status: string }) => status === 'COMPLETED')).toHaveLength(1)
  })
})

describe('a fault of the institution of the sandbox, where a quote asks for its terms', () => {
  it.each([
    [{ kind: 'LOST_ANSWER' }, true, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'LOST_ANSWER' }, false, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'REFUSED' }, true, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'REFUSED', after: 1 }, false, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'OUTAGE' }, true, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'ERROR' }, true, 'PAYREQ_REQUEST_FAILED'],
    [{ kind: 'RATE_LIMITED' }, true, 'QUOTE_REQUEST_FAILED'],
  ])('%o, with a lookupId %s: %s, and nothing is left of it', async (fault, isLookedUp, code) => {
    const { create, api, usd, customer, balance, activations } = await sandbox()
    await fund(api, usd.id, 100_000)
    const params = { path: { receiverUmaAddress: euroReceiver }, query: { customerId: customer.id } }
    const { lookupId } = await must(api.GET('/receiver/uma/{receiverUmaAddress}', { params }))
    const made = await create({ target: 'UMA', ...fault })
    const quote = () =>
      api.POST('/quotes', {
        body: {
          source: { sourceType: 'ACCOUNT', accountId: usd.id },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress: euroReceiver, currency: 'EUR' },
          ...(isLookedUp ? { lookupId } : {}),
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 1_000,
        } as never,
      })
    const refused = await quote()
    expect(refused.error).toMatchObject({ code })
    expect(refused.response.headers.get('x-corridor-fault')).toBe(made.id)
    expect(await activations(made.id)).toHaveLength(1)
    expect((await must(api.GET('/quotes'))).data).toEqual([])
    const outgoing = (await must(api.GET('/transactions'))).data.filter(
      ({ type }: { type: string }) => type === 'OUTGOING',
    )
    expect(outgoing).toEqual([])
    expect(await balance()).toBe(100_000)
    await api.DELETE('/sandbox/faults')
    const { id: quoteId } = await must(quote())
    await must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }))
    await server.settle()
    expect(await balance()).toBe(99_000)
  })
})

describe('a fault of the rates (6.2)', () => {
  it.each(['REFUSED', 'ERROR', 'RATE_LIMITED', 'SILENCE'])(
    '%s: no quote is made, the request is told by which fault, and so is who asks about it',
    async (kind) => {
      const { api, create, activations, usd, customer } = await sandbox()
      await fund(api, usd.id, 100_000)
      const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
      const fault = await create({ target: 'RATES', kind, times: 1 })
      const quote = () => api.POST('/quotes', { body: quoteBody(usd, payee, 10_000) as never })
      const refused = await quote()
      expect(refused.error).toMatchObject({ code: 'QUOTE_REQUEST_FAILED' })
      expect(refused.response.headers.get('x-corridor-fault')).toBe(fault.id)
      // Nobody has to look after what was asked for.
      expect(errors).not.toContain('the rates for a quote could not be read')
      const requestId = refused.response.headers.get('x-request-id')!
      expect((await activations(fault.id)).map((hit) => hit.requestId)).toEqual([requestId])
      const { timeline } = await must(api.GET('/explain/{id}', { params: { path: { id: requestId } } }))
      expect(timeline.map((entry) => [entry.kind, entry.ref])).toContainEqual(['FAULT', fault.id])
      const made = await quote()
      expect(made.response.status).toBe(201)
      expect(made.response.headers.get('x-corridor-fault')).toBeNull()
    },
  )

  it('that is hidden is named by no answer', async () => {
    const { api, create, usd, customer } = await sandbox()
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    await create({ target: 'RATES', kind: 'ERROR', hidden: true })
    const refused = await api.POST('/quotes', { body: quoteBody(usd, payee, 10_000) as never })
    expect(refused.error).toMatchObject({ code: 'QUOTE_REQUEST_FAILED' })
    expect(refused.response.headers.get('x-corridor-fault')).toBeNull()
    const id = refused.response.headers.get('x-request-id')!
    const { timeline } = await must(api.GET('/explain/{id}', { params: { path: { id } } }))
    expect(timeline.filter(({ kind }) => kind === 'FAULT')).toEqual([])
  })
})

it('a request that a fault cut off is explained by it, though nothing came of it', async () => {
  const { api, create, platform } = await sandbox()
  const fault = await create({
    target: 'API',
    kind: 'ERROR',
    params: { status: 503 },
    match: { operationId: 'createCustomer' },
    times: 1,
  })
  const refused = await api.POST('/customers', {
    body: { customerType: 'INDIVIDUAL', fullName: 'Ana Row', region: 'US' } as never,
  })
  const id = refused.response.headers.get('x-request-id')!
  const { timeline } = await must(api.GET('/explain/{id}', { params: { path: { id } } }))
  expect(timeline.filter(({ kind }) => kind === 'FAULT').map(({ ref }) => ref)).toEqual([fault.id])
  expect(platform.clientId).toBeTruthy()
})

describe('what is asked too often on purpose', () => {
  it.each(['REFUSED', 'RATE_LIMITED'])('%s: nobody decides about a customer', async (kind) => {
    const at = onboarding(server, await server.platform())
    const { id } = await at.completePerson('Mira Okafor')
    await must(at.api.POST('/sandbox/faults', { body: { target: 'IDENTITY', kind, times: 1 } as never }))
    expect((await at.verify(id)).error).toMatchObject({ status: 503 })
    expect((await at.verify(id)).error).toBeUndefined()
  })

  it('a rail does it when it is asked again', async () => {
    const { api, create, usd, customer, transaction } = await sandbox()
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    await create({ target: 'RAIL', kind: 'RATE_LIMITED', times: 2 })
    const quote = await must(api.POST('/quotes', { body: quoteBody(usd, payee, 10_000) as never }))
    await must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await server.settle()
    expect((await transaction(quote.transactionId)).status).not.toBe('COMPLETED')
    for (let time = 0; time < 2; time++) await server.pass(60_000)
    expect((await transaction(quote.transactionId)).status).toBe('COMPLETED')
  })

  it('payments change places: there is word of each, and not in the order in which they were made', async () => {
    const { api, create, usd, customer, transaction } = await sandbox()
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    await create({ target: 'RAIL', kind: 'REORDER', params: { n: 3 } })
    const ids: string[] = []
    for (let made = 0; made < 3; made++) {
      const quote = await must(api.POST('/quotes', { body: quoteBody(usd, payee, 10_000) as never }))
      await must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
      await server.settle()
      ids.push(quote.transactionId)
    }
    const completed: string[] = []
    for (let second = 0; second < 16; second++) {
      for (const id of ids) {
        const isOver = (await transaction(id)).status === 'COMPLETED'
        if (isOver && !completed.includes(id)) completed.push(id)
      }
      if (second < 9) expect(completed).toEqual([])
      await server.pass(1_000)
    }
    expect([...completed].sort()).toEqual([...ids].sort())
    expect(completed.indexOf(ids[1]!)).toBeLessThan(completed.indexOf(ids[0]!))
  })

  it('a message is sent again', async () => {
    const { api, create } = await sandbox()
    const { id: customerId } = await createCustomer(api, {
      fullName: 'Mia Berg',
      email: 'mia@example.com',
      phoneNumber: '+4915112345678',
      region: 'DE',
      currencies: ['EUR'],
    })
    await create({ target: 'MESSAGING', kind: 'RATE_LIMITED', times: 1 })
    await api.POST('/customers/{customerId}/verify-email', { params: { path: { customerId } } })
    await server.settle()
    const statuses = async () =>
      (await must(api.GET('/sandbox/inbox'))).data.map(({ status }: { status: string }) => status)
    expect(await statuses()).toEqual(['QUEUED'])
    await server.pass(120_000)
    expect(await statuses()).toEqual(['SENT'])
  })
})
