import {
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { differences } from '../../scripts/recompute-explanations.ts'
import { operate } from './onboarding.ts'
import { paymentApi } from './payment-api.ts'

/** What a quote, a payment and a balance are explained with. */

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

async function funded() {
  const payment = await paymentApi(server)
  await fund(payment.api, payment.usd.id, 250_000)
  const payee = await createPayee(payment.api, 'EUR', 'DE89 3704 0044 0532 0130 00', {
    customerId: payment.customer.id,
  })
  const explain = async (id: string) =>
    (await payment.api.GET('/explain/{id}', { params: { path: { id } } })).data!
  return { ...payment, payee, explain }
}

describe('an explanation', () => {
  it('tells a payment from its quote to its end', async () => {
    const { api, usd, payee, explain } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))

    const before = await explain(made.id)
    expect(differences(before.derivation)).toEqual([])
    expect(before.derivation.map(({ name, result }) => [name, result.amount])).toEqual([
      ['sending', '100000'],
      ['serviceFixed', '0'],
      ['networkFee', '0'],
      ['platformFixed', '0'],
      ['counterpartyFee', '0'],
      ['serviceVariable', '500'],
      ['platformVariable', '0'],
      ['netConverted', '99500'],
      ['grossReceiving', '85570'],
      ['fxSurplus', '0'],
      ['receiving', '85570'],
      ['feesIncluded', '500'],
    ])
    expect(before).toMatchObject({
      subject: { id: made.id, type: 'Quote', environment: 'SANDBOX' },
      status: {
        now: 'PENDING',
        waitingFor: 'PLATFORM',
        expectedBy: made.expiresAt,
        overdue: false,
        safeToRetry: { answer: 'YES_SAME_KEY' },
      },
      rate: { exact: '43/50', lockedAt: made.createdAt, expiresAt: made.expiresAt },
      journals: [],
      next: [{ doNow: `POST /quotes/${made.id}/execute` }],
      unknown: [],
    })

    await execute(api, made.id)
    await server.settle()
    const after = await explain(made.transactionId)
    expect(after.status).toMatchObject({
      now: 'COMPLETED',
      waitingFor: 'NOBODY',
      safeToRetry: { answer: 'NO' },
    })
    expect(after.next).toEqual([])
    expect(after.sentence).toBe(
      'Ana Lopez sent 1,000.00 USD, Greta Lindholm received 855.70 EUR. Completed 2025-10-13 09:00:00 UTC, no action is pending.',
    )
    expect(before.sentence).toBe(
      'Ana Lopez will send 1,000.00 USD, Greta Lindholm will receive 855.70 EUR. Pending, waiting for the platform until 2025-10-13 09:05:00 UTC.',
    )
    expect(after.rate!.source).toBe('the rates when the quote was created (their id is not stored)')
    expect(after.timeline).toContainEqual({
      at: after.journals[1]!.at,
      kind: 'TRANSITION',
      text: 'the money was converted at 0.86 EUR for one USD',
      ref: `${made.transactionId}/convert`,
    })
    expect(after.checks).toEqual([
      { name: 'recomputed amounts match the stored ones', holds: true },
      { name: 'EUR sums to 0', holds: true },
      { name: 'USD sums to 0', holds: true },
      { name: 'clearing empty', holds: true },
    ])
    expect(after.derivation).toEqual(before.derivation)
    expect(after.journals.map(({ step }) => step)).toEqual(['execute', 'convert', 'deliver'])
    expect(after.journals[0]!.postings).toEqual([
      {
        kind: 'POSTED',
        from: `avail:${usd.id}`,
        to: `txn:${made.transactionId}:USD`,
        value: { amount: '100000', currency: 'USD' },
        why: 'clearing of one transaction; zero once the transaction is finished',
      },
    ])
    expect(after.webhooks.map(({ type }) => type)).toEqual([
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])
    expect((await explain(made.id)).subject).toMatchObject({ id: made.id, type: 'Quote' })
  })

  it('tells what each balance was before and after, where no other payment moved it at that moment', async () => {
    const { api, customer, usd, explain } = await funded()
    const closed = await createPayee(api, 'EUR', 'DE97370400440532013004', { customerId: customer.id })
    const failed = await createQuote(api, quoteBody(usd, closed, 100_000))
    await execute(api, failed.id)
    await server.settle()
    // Its deposit came at the same moment, so which of them left what is not known.
    expect((await explain(failed.transactionId)).balances).toBeUndefined()
    await server.pass(1_000)
    const again = await createQuote(api, quoteBody(usd, closed, 100_000))
    await execute(api, again.id)
    await server.settle()
    const { balances } = await explain(again.transactionId)
    expect(balances).toEqual([
      {
        account: usd.id,
        currency: 'USD',
        changes: [
          { step: 'execute', at: expect.any(String), before: '250000', after: '150000' },
          { step: 'refund', at: expect.any(String), before: '150000', after: '250000' },
        ],
      },
    ])
    const markdown = await api.GET('/explain/{id}', {
      params: { path: { id: again.transactionId } },
      headers: { accept: 'text/markdown' },
      parseAs: 'text',
    })
    expect(String(markdown.data)).toContain(
      `\`${usd.id}\`: 2,500.00 USD → 1,500.00 USD by execute, 1,500.00 USD → 2,500.00 USD by refund`,
    )
  })

  it('says of what failed why, by what the sandbox decided so, and what came back when', async () => {
    const { api, customer, usd, explain } = await funded()
    const closed = await createPayee(api, 'EUR', 'DE97370400440532013004', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, closed, 100_000))
    await execute(api, id)
    await server.settle()
    const { sentence, timeline } = await explain(transactionId)
    expect(sentence).toMatch(
      /^The payment of 1,000\.00 USD to Greta Lindholm failed 2025-10-13 09:\d\d:\d\d UTC: the account cannot receive the money \(ACCOUNT_CANNOT_RECEIVE\); all 1,000\.00 USD was refunded 2025-10-13 09:\d\d:\d\d UTC\. No action is pending\.$/,
    )
    // What nobody received is named nowhere as if somebody had.
    expect(sentence).not.toContain('EUR')
    const failed = timeline.findIndex(({ text }) => text.startsWith('the payment is FAILED'))
    expect(timeline[failed]).toMatchObject({
      kind: 'TRANSITION',
      text: 'the payment is FAILED: the account cannot receive the money (ACCOUNT_CANNOT_RECEIVE); sandbox outcome: the account ends in 004 (the delivery to the receiver fails), not a fault',
      ref: transactionId,
    })
    expect(timeline[failed + 1]).toMatchObject({ text: 'the reversal of the conversion was posted' })

    const closedOther = await createPayee(api, 'EUR', 'DE42370400440532013006', { customerId: customer.id })
    const cancelled = await createQuote(api, quoteBody(usd, closedOther, 10_000))
    await execute(api, cancelled.id)
    await server.settle()
    expect((await explain(cancelled.transactionId)).timeline).toContainEqual(
      expect.objectContaining({
        kind: 'RAIL',
        text: 'the rail cancelled the payment; sandbox outcome: the account ends in 006 (the user cancels the payment), not a fault',
      }),
    )
  })

  it('says that a payment came to nothing before any money moved, and keeps long names short', async () => {
    const { platform, api, customer, usd, explain } = await funded()
    const long = await createPayee(api, 'EUR', 'DE89370400440532013111', {
      customerId: customer.id,
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: 'DE89370400440532013111',
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: `Maximilian ${'de la Torre y '.repeat(6)}Gonzaga`,
        },
      },
    })
    const { id } = await createQuote(api, quoteBody(usd, long, 10_000))
    const { sentence } = await explain(id)
    expect(sentence).toMatch(/Maximilian de la Torre y de la Torre y de la To… will receive 85\.57 EUR\./)
    expect([...sentence].length).toBeLessThanOrEqual(300)
    await server.advance(platform, 60 * 60_000)
    await server.settle()
    expect((await explain(id)).sentence).toMatch(
      /^The payment of 100\.00 USD to Maximilian .*… expired 2025-10-13 \S+ UTC.*; no money was moved\. No action is pending\.$/,
    )
  })

  it('says who asked for what, by which request, and what the rail did', async () => {
    const { api, usd, payee, explain } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    const executed = await api.POST('/quotes/{quoteId}/execute', {
      params: { path: { quoteId: made.id }, header: { 'Idempotency-Key': 'k-41' } } as never,
    })
    await server.settle()
    const { timeline } = await explain(made.transactionId)
    const asked = timeline.find(({ requestId }) => requestId !== undefined)!
    expect(asked).toMatchObject({
      kind: 'REQUEST',
      text: 'POST /quotes/{quoteId}/execute returned 200',
      actor: expect.stringMatching(/^Token:/),
      requestId: executed.response.headers.get('x-request-id'),
      idempotencyKey: expect.any(String),
    })
    expect(asked.idempotencyKey).not.toContain('k-41')
    expect(timeline.filter(({ kind }) => kind === 'RAIL').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^the payment was handed to [A-Z_]+$/),
      expect.stringMatching(/^[A-Z_]+ settled the payment$/),
    ])
    expect(timeline.filter(({ kind }) => kind === 'WEBHOOK')).toHaveLength(3)
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).sort())
  })

  it('says that the clock ended what nobody executed', async () => {
    const { platform, api, usd, payee, explain } = await funded()
    const { id, expiresAt } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await server.advance(platform, 60 * 60_000)
    await server.settle()
    const { timeline } = await explain(id)
    expect(timeline).toContainEqual({ at: expiresAt, kind: 'CLOCK', text: 'the payment expired', ref: id })
  })

  it('says until when a payment that waits for its rail is expected, and from then on that it is overdue, as the list does', async () => {
    const { platform, api, customer, usd, explain } = await funded()
    const slow = await createPayee(api, 'EUR', 'DE97370400440532013003', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, slow, 10_000))
    await execute(api, id)
    await server.settle()
    const path = { transactionId }
    const listed = async (isStuck?: boolean) => {
      const query = { ...(isStuck ? { isStuck } : {}), limit: 100 } as never
      const { data } = await api.GET('/transactions', { params: { query } })
      return data!.data.find((each) => each.id === transactionId)
    }
    const read = async () => (await api.GET('/transactions/{transactionId}', { params: { path } })).data!
    const { status, next, timeline } = await explain(transactionId)
    const handed = Date.parse(
      timeline.find(({ text }) => text.startsWith('the payment was handed to SEPA_INSTANT'))!.at,
    )
    // An instant rail says sixty seconds (accounts 1.1).
    const expectedBy = new Date(handed + 60_000).toISOString()
    expect(status).toMatchObject({ now: 'PROCESSING', waitingFor: 'RAIL', expectedBy, overdue: false })
    // The rail is asked when its job is due, whatever it has said before.
    const { data: comes } = await api.GET('/sandbox/clock/upcoming')
    const { dueAt } = comes!.upcoming.find(({ subjectId }) => subjectId === transactionId)!
    expect(next).toEqual([{ what: 'Corridor asks the rail for the outcome', when: dueAt }])
    expect(await listed()).toMatchObject({ expectedBy, isOverdue: false })
    expect(await read()).toMatchObject({ expectedBy, isOverdue: false })
    expect(await listed(true)).toBeUndefined()

    await server.advance(platform, 61_000)
    await server.settle()
    const late = await explain(transactionId)
    expect(late.status).toMatchObject({ now: 'PROCESSING', waitingFor: 'RAIL', expectedBy, overdue: true })
    expect(await listed(true)).toMatchObject({ expectedBy, isOverdue: true })
    expect(await listed()).toEqual(await listed(true))
    expect(await read()).toMatchObject({ expectedBy, isOverdue: true })

    await server.advance(platform, 360_000)
    await server.settle()
    const over = await explain(transactionId)
    expect(over.status).toMatchObject({ now: 'COMPLETED', expectedBy: null, overdue: false })
    expect(await read()).not.toHaveProperty('expectedBy')
    expect(await listed()).not.toHaveProperty('isOverdue')
  })

  it('says whether a payment may be cancelled, as long as it may', async () => {
    const { api, customer, usd, explain } = await funded()
    const slow = await createPayee(api, 'EUR', 'DE97370400440532013003', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, slow, 10_000))
    expect((await explain(id)).status.cancellable).toBe(false)
    await execute(api, id)
    await server.settle()
    for (const told of [transactionId, id]) {
      expect((await explain(told)).status).toMatchObject({ now: 'PROCESSING', cancellable: true })
    }
    const path = { transactionId }
    const cancelled = await api.POST('/transactions/{transactionId}/cancel', { params: { path }, body: {} })
    expect(cancelled.response.status).toBe(200)
    await server.settle()
    const { status, timeline } = await explain(transactionId)
    expect([status.cancellable, (await explain(id)).status.cancellable]).toEqual([false, false])
    expect(timeline.filter(({ kind }) => kind === 'RAIL').map(({ text }) => text)).toEqual([
      'the payment was handed to SEPA_INSTANT; sandbox outcome: the account ends in 003 (the payment completes after about 6 minutes), not a fault',
    ])
  })

  it('tells a refused request, what to do, and the payment that it was about', async () => {
    const { api, usd, payee, explain } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    await execute(api, made.id)
    await server.settle()
    const refused = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: made.transactionId } },
      body: {},
    })
    expect(refused.response.status).toBe(409)
    const requestId = refused.response.headers.get('x-request-id')!
    const explained = await explain(requestId)
    expect(explained.subject).toMatchObject({ id: requestId, type: 'Request', about: made.transactionId })
    expect(explained.sentence).toMatch(
      /^POST \/transactions\/\{transactionId\}\/cancel returned 409 TRANSACTION_NOT_CANCELLABLE after \d+ ms\. Ana Lopez sent 1,000\.00 USD, Greta Lindholm received/,
    )
    expect(explained.status).toMatchObject({ now: '409', safeToRetry: { answer: 'NO' } })
    expect(explained.next[0]!.what).not.toBe('')
    expect(explained.derivation).toEqual((await explain(made.transactionId)).derivation)
    expect(explained.timeline.filter((entry) => entry.requestId === requestId)).toHaveLength(1)

    const { api: other } = await paymentApi(server)
    const elsewhere = await other.GET('/explain/{id}', { params: { path: { id: requestId } } })
    expect(elsewhere.error).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
  })

  it('calls one that only reads safe to retry, and speaks of no key, for it has none', async () => {
    const { api, explain } = await funded()
    const { response } = await api.GET('/config')
    const { status } = await explain(response.headers.get('x-request-id')!)
    expect(status.safeToRetry).toEqual({ answer: 'YES', why: 'the request only reads data' })
  })

  it('shows nobody what was asked who may not see it', async () => {
    const { api, platform, usd, payee } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    const executed = await api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: made.id } } })
    await server.settle()
    const { data } = await api.POST('/tokens', {
      body: { name: 'payments', permissions: ['VIEW'], areas: ['PAYMENTS'] } as never,
    })
    const held = server.client({ ...platform, ...(data as { clientId: string; clientSecret: string }) })
    const requestId = executed.response.headers.get('x-request-id')!
    const path = (id: string) => ({ params: { path: { id } } })
    expect((await held.GET('/explain/{id}', path(requestId))).error).toMatchObject({
      code: 'REFERENCE_NOT_FOUND',
    })
    const { data: told } = await held.GET('/explain/{id}', path(made.transactionId))
    expect(told!.timeline.some((entry) => entry.actor !== undefined)).toBe(false)
  })

  it('is prose for a ticket where it is asked for', async () => {
    const { api, usd, payee } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    await execute(api, made.id)
    await server.settle()
    const ask = async (id: string, accept: string) => {
      const { response, data, error } = await api.GET('/explain/{id}', {
        params: { path: { id } },
        headers: { accept },
        parseAs: 'text',
      })
      return { type: response.headers.get('content-type'), text: String(data ?? error) }
    }
    const prose = await ask(made.transactionId, 'text/markdown')
    expect(prose.type).toBe('text/markdown; charset=utf-8')
    expect(prose.text).toContain(`# ${made.transactionId}`)
    expect(prose.text).toContain('Ana Lopez sent 1,000.00 USD, Greta Lindholm received 855.70 EUR.')
    const derivation = prose.text.match(/^\| \d .*$/gm)
    // A fee that there is not is no row, and nothing is added that is nothing.
    expect(derivation).toEqual([
      '| 1 sent, including fees | locked by the quote | 1,000.00 USD |',
      '| 2 service fee, share | `100000 × 1/200` = 500, half up | 5.00 USD |',
      '| 3 converted | `100000 − 500` = 99500 | 995.00 USD |',
      '| 4 after conversion | `99500 × 43/50` = 85570, floor | 855.70 EUR |',
      '| 5 for the recipient | `85570` | 855.70 EUR |',
      '| 6 all fees | `500`, half up | 5.00 USD |',
    ])
    expect(prose.text).toContain('- ✓ USD sums to 0')
    const json = 'application/json; charset=utf-8'
    expect((await ask('Transaction:0', 'text/markdown')).type).toBe(json)
    expect((await ask(made.transactionId, 'application/json')).type).toBe(json)
  })

  it('tells what a payment collected, and to whom it was credited', async () => {
    const { api, customer, explain } = await funded()
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const { id, transactionId } = await createQuote(api, quoteBody(bank, eur, 10_000))
    await execute(api, id)
    await server.settle()
    const { journals, status, checks } = await explain(transactionId)
    expect(status.now).toBe('COMPLETED')
    expect(journals.map(({ step }) => step)).toEqual(['collect'])
    expect(journals[0]!.postings.at(-1)).toMatchObject({
      to: `avail:${eur.id}`,
      value: { amount: '8557', currency: 'EUR' },
    })
    expect(checks).toContainEqual({ name: 'clearing empty', holds: true })
  })

  it('shows that the smallest amount was taken where the receiving side is locked', async () => {
    const { api, usd, payee, explain } = await funded()
    const locked = quoteBody(usd, payee, 12_345, { lockedCurrencySide: 'RECEIVING' })
    const { id } = await createQuote(api, locked)
    const { derivation } = await explain(id)
    expect(derivation[0]).toMatchObject({ name: 'receivingLocked', result: { amount: '12345' } })
    expect(differences(derivation)).toEqual([])
  })

  it('does not call an expired quote waiting, and says that a new one is safe', async () => {
    const { platform, api, usd, payee, explain } = await funded()
    const { id } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await server.advance(platform, 6 * 60_000)
    expect((await explain(id)).status).toMatchObject({
      now: 'EXPIRED',
      waitingFor: 'NOBODY',
      overdue: false,
      safeToRetry: { answer: 'YES_NEW_QUOTE' },
    })
  })

  it('tells where the money went of a payment that was not delivered', async () => {
    const { api, customer, usd, explain } = await funded()
    const refusing = await createPayee(api, 'EUR', 'DE97370400440532013004', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, refusing, 100_000))
    await execute(api, made.id)
    await server.settle()
    const { status, journals, checks } = await explain(made.transactionId)
    expect(status).toMatchObject({ now: 'FAILED', safeToRetry: { answer: 'YES_NEW_QUOTE' } })
    expect(journals.map(({ step }) => step)).toEqual(['execute', 'convert', 'unwind', 'refund'])
    expect(checks).toContainEqual({ name: 'clearing empty', holds: true })
  })

  it('says of a payment whose step was given up that it waits for an operator', async () => {
    const { platform, api, usd, payee, explain } = await funded()
    const made = await createQuote(api, quoteBody(usd, payee, 10_000))
    const { data: fault } = await api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'OUTAGE' } })
    await execute(api, made.id)
    await server.settle()
    const waitingFor = async () => (await explain(made.transactionId)).status.waitingFor
    expect(await waitingFor()).toBe('RAIL')
    // A rail that fails is asked again for as long as it takes, so only a step that fails by itself is given up.
    await server.rows(
      `update jobs set dead_at = due_at where platform_id = $1 and environment = $2 and key = $3`,
      [platform.platformId, platform.environment, made.transactionId],
    )
    expect(await waitingFor()).toBe('OPERATOR')
    const query = { isStuck: true } as never
    const { data: stuck } = await api.GET('/transactions', { params: { query } })
    expect(stuck?.data.map(({ id }) => id)).toEqual([made.transactionId])
    const { body: dead } = await operate(server, 'GET', '/jobs')
    await api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId: fault!.id } } })
    for (const { id } of dead.data) await operate(server, 'POST', `/jobs/${id}/retry`)
    await server.settle()
    expect(await waitingFor()).toBe('NOBODY')
  })

  it('says of a cancelled payment that it was refunded only where it was', async () => {
    const { api, customer, usd, explain } = await funded()
    const slow = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const cancelled = async () => {
      const { id, transactionId } = await createQuote(api, quoteBody(usd, slow, 50_000))
      await execute(api, id)
      await server.settle()
      const path = { transactionId }
      expect(
        (await api.POST('/transactions/{transactionId}/cancel', { params: { path } })).response.status,
      ).toBe(200)
      return transactionId
    }
    const given = await cancelled()
    await server.settle()
    expect(await explain(given)).toMatchObject({
      sentence: expect.stringMatching(
        /^The payment of 500\.00 USD to Greta Lindholm was cancelled and not delivered; all 500\.00 USD was refunded .* UTC\. Completed .* UTC, no action is pending\.$/,
      ),
      status: {
        now: 'COMPLETED',
        safeToRetry: { answer: 'YES_NEW_QUOTE', why: 'the payment was cancelled and refunded' },
      },
    })
    const waiting = await cancelled()
    await operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`)
    await server.settle()
    expect(await explain(waiting)).toMatchObject({
      sentence: expect.stringContaining(
        'was cancelled and not delivered; the refund of all 500.00 USD has not succeeded yet.',
      ),
      status: {
        now: 'COMPLETED',
        safeToRetry: { answer: 'NO', why: 'the refund has not succeeded yet' },
      },
    })
  })

  it('says of a quote of before what is not known of it', async () => {
    const { api, usd, payee, explain } = await funded()
    const { id } = await createQuote(api, quoteBody(usd, payee, 100_000))
    await server.rows(`update quotes set options = options - 'pricing' where id = '${id}'`)
    const { derivation, rate, unknown, checks } = await explain(id)
    expect(unknown).toContain('the locked side')
    expect(rate).toBeUndefined()
    expect(differences(derivation)).toEqual([])
    expect(derivation.at(-1)).toMatchObject({ name: 'receiving', result: { amount: '85570' } })
    expect(checks).toContainEqual({ name: 'recomputed amounts match the stored ones', holds: true })
  })

  it('computes a balance from what the ledger counts', async () => {
    const { usd, explain } = await funded()
    const { derivation, checks, subject, sentence } = await explain(usd.id)
    expect(subject.type).toBe('InternalAccount')
    expect(sentence).toBe('2,500.00 USD can be spent.')
    expect(derivation.map(({ name, result }) => [name, result.amount])).toEqual([
      ['available', '250000'],
      ['underReview', '0'],
    ])
    expect(differences(derivation)).toEqual([])
    expect(checks).toEqual([{ name: 'recomputed balances match the stored ones', holds: true }])
  })

  it('says of an account that is not active that nothing of it can be spent', async () => {
    const { usd, explain } = await funded()
    await operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`)
    const { sentence, status } = await explain(usd.id)
    expect(status.now).toBe('FROZEN')
    expect(sentence).toBe('The account is FROZEN, so its 2,500.00 USD cannot be spent.')
  })

  it('tells which payments a balance came from, the newest first, and how many came before those that are told', async () => {
    const { api, usd, payee, explain } = await funded()
    await server.pass(1_000)
    const made = await createQuote(api, quoteBody(usd, payee, 100_000))
    await execute(api, made.id)
    await server.settle()
    const { journals, timeline, unknown, currencies } = await explain(usd.id)
    expect(journals.map(({ step }) => step)).toEqual(['execute', 'deposit'])
    expect(journals[0]!.postings).toEqual([
      expect.objectContaining({
        from: `avail:${usd.id}`,
        to: `txn:${made.transactionId}:USD`,
        value: { amount: '100000', currency: 'USD' },
      }),
    ])
    expect(timeline.map(({ text, ref }) => [text, ref])).toEqual([
      [`−1,000.00 USD: execute of ${made.transactionId}`, `${made.transactionId}/execute`],
      [expect.stringMatching(/^\+2,500\.00 USD: deposit of Transaction:/), journals[1]!.id],
    ])
    expect(unknown).toEqual([])
    expect(currencies).toEqual([{ code: 'USD', decimals: 2 }])
    // What came from no payment is told to be missing, never left out in silence.
    const received = async (from: string, to: string) =>
      server.rows(`update transactions set receiver_identifiers = '{${to}}' where type = 'INCOMING'
        and flow -> 'delivery' ->> 'accountId' = '${usd.id}' and receiver_identifiers = '{${from}}'`)
    await received(usd.id, '')
    expect((await explain(usd.id)).unknown).toEqual(['other changes of 2,500.00 USD, for example by cards'])

    for (let count = 0; count < 50; count++) await fund(api, usd.id, 100)
    const after = await explain(usd.id)
    expect(after.journals).toHaveLength(50)
    expect(after.journals.every(({ step }) => step === 'deposit')).toBe(true)
    expect(after.unknown).toEqual(['the effect of 1 earlier payments (list the transactions of the account)'])
    expect(after.checks).toEqual([{ name: 'recomputed balances match the stored ones', holds: true }])
    // Its list shows it again, as the audit expects.
    await received('', usd.id)
  })

  it('says that the clock was moved, and to which moment', async () => {
    const { api, customer, usd, explain } = await funded()
    const advance = (seconds: number) => api.POST('/sandbox/clock/advance', { body: { seconds } })
    const slow = await createPayee(api, 'EUR', 'DE97370400440532013003', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, slow, 10_000))
    await execute(api, id)
    await server.settle()
    await advance(7 * 24 * 3_600)
    await server.settle()
    const { data: clock } = await api.GET('/sandbox/clock')
    const { status, timeline } = await explain(transactionId)
    expect(status.now).toBe('COMPLETED')
    const moves = timeline.filter(({ kind }) => kind === 'CLOCK')
    expect(moves).toMatchObject([
      {
        text: 'the sandbox clock was moved to this time: POST /sandbox/clock/advance returned 200',
        actor: expect.stringMatching(/^Token:/),
        requestId: expect.any(String),
      },
    ])
    expect(Math.abs(Date.parse(moves[0]!.at) - Date.parse(clock!.now))).toBeLessThan(60_000)
    expect(timeline.at(-1)).toEqual(moves[0])

    // What was over before it was moved is no part of it.
    await api.GET('/config')
    await advance(3_600)
    expect((await explain(transactionId)).timeline.filter(({ kind }) => kind === 'CLOCK')).toEqual(moves)
  })

  it('tells what became of a webhook, and how it is sent again', async () => {
    const { api, usd, payee, explain } = await funded()
    const hook = 'https://shop.example/hooks'
    await api.PATCH('/config', { body: { webhookEndpoint: hook } })
    const made = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, made.id)
    await server.settle()
    const { data: list } = await api.GET('/webhook-events')
    const { id } = list!.data.find(({ type }) => type === 'OUTGOING_PAYMENT.COMPLETED')!
    const trying = await explain(id)
    expect(trying).toMatchObject({
      subject: { id, type: 'Webhook' },
      sentence: `OUTGOING_PAYMENT.COMPLETED of ${made.transactionId} has failed so far and will be retried.`,
      status: { now: 'RETRYING', waitingFor: 'CLOCK', safeToRetry: { answer: 'NO' } },
      timeline: [
        { kind: 'TRANSITION', ref: made.transactionId },
        { kind: 'WEBHOOK', text: 'attempt 1 at endpoint: failed' },
      ],
    })
    const { data: event } = await api.GET('/webhook-events/{eventId}', { params: { path: { eventId: id } } })
    expect(event!.nextAttemptAt).toEqual(expect.any(String))
    expect(trying.next).toEqual([{ what: 'the next attempt', when: event!.nextAttemptAt }])
    await server.rows(`update events set status = 'FAILED' where id = '${id}'`)
    const over = await explain(id)
    expect(over).toMatchObject({
      status: { now: 'FAILED', waitingFor: 'NOBODY', safeToRetry: { answer: 'YES_SAME_KEY' } },
      next: [{ doNow: `POST /webhook-events/${id}/resend` }],
    })
    expect(over.sentence).toContain('failed at its last attempt and is no longer retried')
  })

  it('tells a token no more than its areas do', async () => {
    const { api, platform, usd, payee } = await funded()
    const { transactionId } = await createQuote(
      api,
      quoteBody(usd, payee, 10_000, { immediatelyExecute: true }),
    )
    await server.settle()
    const holding = async (...areas: string[]) => {
      const { data } = await api.POST('/tokens', {
        body: { name: 'x', permissions: ['VIEW'], areas } as never,
      })
      const { clientId, clientSecret } = data!
      const held = server.client({ ...platform, clientId, clientSecret: clientSecret! })
      return (id: string) => held.GET('/explain/{id}', { params: { path: { id } } })
    }
    const ofPayments = await holding('PAYMENTS')
    for (const hidden of [usd.id, 'Webhook:01930000-0000-7000-8000-000000000000']) {
      expect((await ofPayments(hidden)).error).toMatchObject({ status: 403, details: { reason: 'AREA' } })
    }
    expect((await ofPayments(transactionId)).data!.webhooks).toEqual([])
    const ofMore = await holding('PAYMENTS', 'ACCOUNTS', 'EVENTS')
    expect((await ofMore(usd.id)).response.status).toBe(200)
    expect((await ofMore(transactionId)).data!.webhooks).not.toEqual([])
  })

  it('is given to nobody else, and of nothing else', async () => {
    const { api, usd, payee } = await funded()
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
    const other = server.client(await server.platform())
    for (const hidden of [id, transactionId, usd.id]) {
      const answer = await other.GET('/explain/{id}', { params: { path: { id: hidden } } })
      expect(answer.error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    }
    for (const unknown of ['Quote:1', 'nothing', payee.id, 'x'.repeat(2_000)]) {
      const answer = await api.GET('/explain/{id}', { params: { path: { id: unknown } } })
      expect(answer.response.status, unknown).toBe(404)
    }
  })
})
