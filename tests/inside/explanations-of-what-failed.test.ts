import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import type { RateSource } from '@corridor/engine/ports/adapters.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
  startTestServer,
} from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'
import { basic, json } from '../e2e/raw-calls.ts'

/** What explanations say of what went wrong, where a wrong word would have somebody pay twice, or wait for nothing. */

const server = await openTestServer()
let address: string
beforeAll(async () => {
  address = `${await server.listen()}/2025-10-13`
})

async function stage(on = server) {
  const payment = await paymentApi(on)
  const explain = async (id: string) =>
    (await payment.api.GET('/explain/{id}', { params: { path: { id } } })).data!
  return { ...payment, explain }
}

describe('an explanation of what failed', () => {
  it('does not say that nothing has happened of a request that was answered 503 and carried out', async () => {
    let isHeld = false
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const rates: RateSource = {
      ...offlineRates,
      async snapshot(now) {
        if (isHeld) await held
        return offlineRates.snapshot(now)
      },
    }
    const slow = await startTestServer({
      rates: () => rates,
      answerTimeoutMs: () => (isHeld ? 20 : 60_000),
    })
    try {
      const { platform, api, usd, customer, explain, balances } = await stage(slow)
      await fund(api, usd.id, 250_000)
      const payee = await createPayee(api, 'EUR', 'DE89 3704 0044 0532 0130 00', { customerId: customer.id })
      const address = `${await slow.listen()}/2025-10-13`
      const ask = (headers: Record<string, string>) =>
        fetch(`${address}/quotes`, {
          method: 'POST',
          headers: { authorization: basic(platform), ...json, ...headers },
          body: JSON.stringify({ ...quoteBody(usd, payee, 10_000), immediatelyExecute: true }),
        })
      isHeld = true
      const [late, lateWithKey] = [await ask({}), await ask({ 'idempotency-key': 'k' })]
      isHeld = false
      release()
      await slow.settle()
      expect([late.status, lateWithKey.status]).toEqual([503, 503])
      await expect.poll(async () => (await balances()).total).toBe(230_000)
      const safeOf = async ({ headers }: Response) =>
        (await explain(headers.get('x-request-id')!)).status.safeToRetry
      expect(await safeOf(late)).toEqual({
        answer: 'NO',
        why: 'the request had no idempotency key and may have taken effect; check first',
      })
      expect(await safeOf(lateWithKey)).toMatchObject({ answer: 'YES_SAME_KEY' })
    } finally {
      await slow.close()
    }
  })

  it('names the rail that had the money to pull, and not the one that was to pay it out', async () => {
    const { api, customer, explain } = await stage()
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, id)
    await server.settle()
    await server.pass(30_000)
    const { status, timeline } = await explain(transactionId)
    expect(status).toMatchObject({ now: 'FAILED', safeToRetry: { answer: 'YES_NEW_QUOTE' } })
    expect(timeline.filter(({ kind }) => kind === 'RAIL').map(({ text }) => text)).toEqual([
      'the payment was handed to ACH',
    ])
  })

  it('does not call it money that came in where nothing did', async () => {
    const { api, customer, usd, explain } = await stage()
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(bank, usd, 40_000))
    await execute(api, id)
    await server.settle()
    expect((await explain(transactionId)).status).toMatchObject({
      now: 'PENDING',
      safeToRetry: { answer: 'NO', why: 'the payment may still arrive' },
    })
    await server.pass(30_000)
    expect((await explain(transactionId)).status).toMatchObject({
      now: 'FAILED',
      safeToRetry: { answer: 'YES_NEW_QUOTE' },
    })
  })

  it('says that money in suspense waits for an operator, until he has given it back', async () => {
    const { api, customer, usd, explain } = await stage()
    await fund(api, usd.id, 250_000)
    const payee = await createPayee(api, 'BRL', 'lia.007@mail.example', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, id)
    await server.settle()
    expect((await explain(transactionId)).status).toMatchObject({
      now: 'FAILED',
      waitingFor: 'OPERATOR',
      safeToRetry: { answer: 'NO', why: 'the refund has not succeeded yet' },
    })
    const body = { to: 'ACCOUNT', reason: 'no way back by the rail' }
    const resolved = await operate(server, 'POST', `/transactions/${transactionId}/resolve-refund`, body)
    expect(resolved.status).toBe(200)
    expect((await explain(transactionId)).status).toMatchObject({
      waitingFor: 'NOBODY',
      safeToRetry: { answer: 'YES_NEW_QUOTE' },
    })
  })

  it('does not say that money went back which is in suspense, nor that none moved where some came too late', async () => {
    const { api, customer, explain } = await stage()
    const quoteTo = async (payee: { id: string }) => {
      const source = { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' }
      const destination = { destinationType: 'ACCOUNT', accountId: payee.id }
      const locked = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 10_000 }
      return (await api.POST('/quotes', { body: { source, destination, ...locked } as never })).data!
    }
    const refusing = await createPayee(api, 'BRL', 'lia.007@mail.example', { customerId: customer.id })
    const kept = await quoteTo(refusing)
    await api.POST('/sandbox/send', { body: { quoteId: kept.id, currencyCode: 'USD' } as never })
    await server.settle()
    const { timeline } = await explain(kept.transactionId)
    expect(timeline.filter(({ kind }) => kind === 'RAIL').map(({ text }) => text)).toEqual([
      'the payment was handed to PIX',
    ])

    const late = await quoteTo(refusing)
    const { reference } = late.paymentInstructions![0]!.accountOrWalletInfo as { reference?: string }
    await api.POST('/sandbox/clock/advance', { body: { seconds: 3_600 } })
    const arrived = { currency: 'USD', amount: 10_000, reference }
    await api.POST('/sandbox/inbound-payments', { body: arrived as never })
    await server.settle()
    expect((await explain(late.transactionId)).status.safeToRetry).toEqual({
      answer: 'YES_NEW_QUOTE',
      why: 'the quote expired; late funds are refunded',
    })
  })

  /** A payment to an account that ends so, executed while a fault of the rail is in force. */
  async function executedWith(fault: object, suffix: string) {
    const payment = await stage()
    const { api, usd, customer } = payment
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id })
    const body = { target: 'RAIL', ...fault } as never
    expect((await api.POST('/sandbox/faults', { body })).response.status).toBe(201)
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, quote.id)
    await server.settle()
    return { ...payment, quote }
  }

  async function failedOnPurpose(suffix: string) {
    const payment = await executedWith({ kind: 'OUTCOME', params: { outcome: '004' } }, suffix)
    await server.pass(5_000)
    return payment
  }

  it.each([
    ['OUTAGE', 'Corridor hands the payment to the rail again'],
    ['SILENCE', 'Corridor asks the rail for the outcome'],
  ])(
    'says of a rail with a fault of %s that it is waited for, and when it is next asked',
    async (kind, what) => {
      const { api, explain, quote } = await executedWith({ kind }, '891')
      await api.POST('/sandbox/clock/advance', { body: { seconds: 4_000 } })
      const { data: comes } = await api.GET('/sandbox/clock/upcoming')
      const { dueAt } = comes!.upcoming.find(({ subjectId }) => subjectId === quote.transactionId)!
      const { subject, sentence, status, next } = await explain(quote.transactionId)
      expect(status).toMatchObject({ waitingFor: 'RAIL', overdue: true })
      expect(next).toEqual([{ what, when: dueAt }])
      expect(dueAt > subject.asOf).toBe(true)
      expect(status.expectedBy! < subject.asOf).toBe(true)
      expect(sentence).toMatch(/, waiting for the rail until .* UTC, overdue\.$/)
    },
  )

  it('says when a payment had been settled also after it was returned, and when that was', async () => {
    const late = { kind: 'OUTCOME', params: { outcome: '005', seconds: 3_600 } }
    const { api, explain, quote } = await executedWith(late, '891')
    const ofRail = async () =>
      (await explain(quote.id)).timeline.filter(
        ({ kind, text }) => kind === 'RAIL' && !text.startsWith('the payment was handed'),
      )
    await server.pass(5_000)
    const before = await ofRail()
    expect(before).toEqual([
      { at: expect.any(String), kind: 'RAIL', text: 'SPEI settled the payment', ref: quote.transactionId },
    ])
    await api.POST('/sandbox/clock/advance', { body: { seconds: 4_000 } })
    await server.settle()
    const { status, timeline } = await explain(quote.id)
    const { at } = timeline.find(({ text }) => text.startsWith('the payment is FAILED'))!
    expect(status.now).toBe('FAILED')
    expect(await ofRail()).toEqual([
      ...before,
      { at, kind: 'RAIL', text: 'SPEI returned the payment', ref: quote.transactionId },
    ])
  })

  it('says that a pull had been settled before the bank took it back', async () => {
    const { api, customer, usd, explain } = await stage()
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const fault = { target: 'RAIL', kind: 'OUTCOME', params: { outcome: '005', seconds: 3_600 } } as const
    expect((await api.POST('/sandbox/faults', { body: fault })).response.status).toBe(201)
    const { id, transactionId } = await createQuote(api, quoteBody(bank, usd, 10_000))
    await execute(api, id)
    await server.settle()
    const textsOfRail = async () => {
      const { timeline } = await explain(transactionId)
      return timeline.filter(({ kind }) => kind === 'RAIL').map(({ text }) => text)
    }
    expect(await textsOfRail()).toEqual(['the payment was handed to ACH', 'ACH settled the payment'])
    await api.POST('/sandbox/clock/advance', { body: { seconds: 4_000 } })
    await server.settle()
    expect(await textsOfRail()).toEqual([
      'the payment was handed to ACH',
      'ACH settled the payment',
      'ACH returned the payment',
    ])
  })

  it.each([
    ['LOST_ANSWER', 'but a fault discarded the response'],
    ['TRUNCATED', 'but a fault cut the response in half'],
  ])('says of a request with %s what it came to, and not that nothing was done', async (kind, loss) => {
    const { api, platform, usd, customer, explain } = await stage()
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const match = { operationId: 'executeQuote' }
    const body = { target: 'API', kind, match } as never
    expect((await api.POST('/sandbox/faults', { body })).response.status).toBe(201)
    const [first, second] = [
      await createQuote(api, quoteBody(usd, payee, 10_000)),
      await createQuote(api, quoteBody(usd, payee, 10_000)),
    ]
    const lose = async (id: string, headers: Record<string, string>) => {
      const method = 'POST'
      const asked = fetch(`${address}/quotes/${id}/execute`, {
        method,
        headers: { authorization: basic(platform), 'x-request-id': `asked-${kind}-${id}`, ...headers },
      })
      await expect(asked.then((answer) => answer.text())).rejects.toThrow()
      return `asked-${kind}-${id}`
    }
    const [bare, keyed] = [await lose(first.id, {}), await lose(second.id, { 'idempotency-key': 'k' })]
    const told = await explain(bare)
    const asked = 'POST /quotes/{quoteId}/execute'
    expect(told.sentence).toMatch(
      new RegExp(`^POST /quotes/{quoteId}/execute returned 200 after \\d+ ms, ${loss}\\. `),
    )
    expect(told.status).toMatchObject({
      now: '200',
      safeToRetry: {
        answer: 'NO',
        why: 'the request had no idempotency key, so a retry could take effect twice',
      },
    })
    expect((await explain(keyed)).status.safeToRetry).toEqual({
      answer: 'YES_SAME_KEY',
      why: 'a retry with the same key gets the same response',
    })
    for (const id of [bare, first.transactionId]) {
      const { timeline } = await explain(id)
      expect(timeline.find(({ requestId }) => requestId === bare)!.text).toBe(
        `${asked} returned 200, ${loss}`,
      )
    }
    // Whoever may not see faults is told none.
    const areas = ['PAYMENTS', 'ACCOUNTS', 'TOKENS']
    const made = await api.POST('/tokens', {
      body: { name: 'no sandbox', permissions: ['VIEW'], areas } as never,
    })
    const held = server.client({ ...platform, ...(made.data as { clientId: string; clientSecret: string }) })
    const { data: hidden } = await held.GET('/explain/{id}', { params: { path: { id: bare } } })
    expect(hidden!.sentence).toMatch(/^POST \/quotes\/\{quoteId\}\/execute returned 200 after \d+ ms\. /)
    expect(JSON.stringify(hidden)).not.toMatch(/⚑ fault/)
  })

  const textsOf = ({ timeline }: { timeline: { text: string }[] }) => timeline.map(({ text }) => text)

  it('does not say that the account decided where a fault did', async () => {
    const { explain, quote } = await failedOnPurpose('003')
    const texts = textsOf(await explain(quote.id))
    expect(texts.some((text) => text.startsWith('⚑ fault, RAIL OUTCOME'))).toBe(true)
    expect(texts.filter((text) => text.includes('sandbox outcome'))).toEqual([])
  })

  it('tells the fault that decided also of a payment that was hit a hundred times before', async () => {
    const { api, usd, customer, explain } = await stage()
    await fund(api, usd.id, 250_000)
    const payee = await createPayee(api, 'MXN', clabe('003'), { customerId: customer.id })
    const fail = (body: object) => api.POST('/sandbox/faults', { body: body as never })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await fail({ target: 'API', kind: 'ERROR', times: 101, match: { operationId: 'getQuoteById' } })
    const path = { quoteId: quote.id }
    for (let asked = 0; asked < 101; asked++) {
      expect((await api.GET('/quotes/{quoteId}', { params: { path } })).response.status).toBe(500)
    }
    await server.pass(1_000)
    await fail({ target: 'RAIL', kind: 'OUTCOME', params: { outcome: '004' } })
    await execute(api, quote.id)
    await server.settle()
    await server.pass(5_000)
    const explained = await explain(quote.id)
    const texts = textsOf(explained)
    const ofFaults = explained.timeline.filter(({ kind }) => kind === 'FAULT')
    expect(ofFaults).toHaveLength(100)
    expect(ofFaults.at(-1)!.text).toMatch(/^⚑ fault, RAIL OUTCOME/)
    expect(texts.some((text) => text.startsWith('the payment is FAILED'))).toBe(true)
    expect(texts.filter((text) => text.includes('sandbox outcome'))).toEqual([])
    expect(explained.unknown).toContain('further fault hits (only the first 100 are shown)')
  })

  it('denies no fault to a token that may not see it', async () => {
    const { api, platform, quote } = await failedOnPurpose('004')
    const body = { name: 'payments', permissions: ['VIEW'], areas: ['PAYMENTS', 'ACCOUNTS'] } as const
    const { data: token } = await api.POST('/tokens', { body: body as never })
    const held = server.client({
      ...platform,
      clientId: token!.clientId,
      clientSecret: token!.clientSecret!,
    })
    const { data } = await held.GET('/explain/{id}', { params: { path: { id: quote.id } } })
    const texts = textsOf(data!)
    expect(texts.some((text) => text.startsWith('the payment is FAILED'))).toBe(true)
    expect(texts.filter((text) => /⚑ fault|sandbox outcome/.test(text))).toEqual([])
  })

  it('ends with a whole word where there is no room for all of it', async () => {
    const { api, usd, customer, explain } = await stage()
    await fund(api, usd.id, 90_000_000)
    const accountInfo = {
      accountType: 'MXN_ACCOUNT',
      clabeNumber: clabe('004'),
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: 'Margarethe Lindholm von Wallensteinn zu Hohenegg',
        birthDate: '1990-01-01',
        nationality: 'MX',
      },
    }
    const payee = await createPayee(api, 'MXN', clabe('004'), { customerId: customer.id, accountInfo })
    const quote = await createQuote(api, quoteBody(usd, payee, 12_345_678))
    await execute(api, quote.id)
    await server.settle()
    await server.pass(5_000)
    const path = { transactionId: quote.transactionId }
    const cancel = () =>
      api.POST('/transactions/{transactionId}/cancel', {
        params: { path, header: { 'Idempotency-Key': 'cancel' } },
        headers: { 'Idempotency-Key': 'cancel' },
      })
    await cancel()
    const { response } = await cancel()
    const { sentence } = await explain(response.headers.get('x-request-id')!)
    expect([...sentence].length).toBeLessThanOrEqual(300)
    const { sentence: whole } = await explain(quote.transactionId)
    const [, told] = /\. (The payment of .*)…$/.exec(sentence)!
    expect(whole.startsWith(`${told} `)).toBe(true)
  })
})
