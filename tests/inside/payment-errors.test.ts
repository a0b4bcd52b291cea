import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import { screenExternalAccount } from '@corridor/engine/money/external-accounts/index.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  type ExternalAccount,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { paymentRefusals } from '../e2e/payment-api.ts'

// Refusals of quotes, transfers and accounts that no example of a payment shows (accounts 15).

let server: TestServer
let breakRates = false
beforeAll(async () => {
  server = await startTestServer({
    rates: () => ({
      async snapshot(now) {
        if (breakRates) throw new Error('the source of rates hangs up')
        return offlineRates.snapshot(now)
      },
    }),
  })
})
afterAll(() => server.close())
afterEach(() => server.expectSoundLedger())

const start = (options?: Parameters<TestServer['platform']>[0]) => paymentRefusals(server, options)

const unknownUuid = '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'

describe('a currency', () => {
  it('has to be known, and enabled for the direction of the payment', async () => {
    const { api, usd, payee, bank, quote, transferIn, transferOut } = await start()
    const enable = (code: string, ...enabledTransactionTypes: string[]) => ({
      currencyCode: code,
      minAmount: 1,
      maxAmount: 1_000_000,
      enabledTransactionTypes,
      requiredCounterpartyFields: [],
    })
    const allow = (...supportedCurrencies: object[]) =>
      must(api.PATCH('/config', { body: { supportedCurrencies: supportedCurrencies as never } }))
    const refused = (currency: string) => ({ status: 400, code: 'INVALID_CURRENCY', details: { currency } })

    await allow(enable('USD', 'OUTGOING'))
    expect(await quote(usd, payee)).toMatchObject(refused('MXN'))
    expect(await transferIn(bank, usd, 1_000)).toMatchObject(refused('USD'))
    expect(await quote(bank, usd)).toMatchObject(refused('USD'))
    await allow(enable('USD', 'INCOMING'), enable('MXN', 'OUTGOING'))
    expect(await quote(usd, payee)).toMatchObject(refused('USD'))
    expect(await transferOut(usd, bank, 1_000)).toMatchObject(refused('USD'))
    expect(await quote(bank, usd)).toBeUndefined()
    expect(await transferIn(bank, usd, 1_000)).toBeUndefined()

    for (const currency of ['XXX', 'usd']) {
      const source = { sourceType: 'REALTIME_FUNDING', currency }
      expect(await quote(usd, payee, 1_000, { source })).toMatchObject({ code: 'INVALID_CURRENCY' })
    }
    await server.settle()
  })
})

describe('an external account', () => {
  async function screened(verdicts: readonly ('hit' | 'reject')[]) {
    const started = await start()
    const { platform } = started
    const scope = await server.engine.clock.scope(platform, { id: 'operator', permissions: [] })
    const screen = async ({ id }: ExternalAccount) => {
      for (const verdict of verdicts) {
        expect((await screenExternalAccount(server.engine, scope, id, verdict)).ok).toBe(true)
      }
    }
    return { ...started, screen }
  }

  it.each([
    ['UNDER_REVIEW', ['hit']],
    ['INACTIVE', ['hit', 'reject']],
  ] as const)(
    'that is %s neither receives nor pays, also where a quote was made before',
    async (status, verdicts) => {
      const { api, usd, payee, bank, quote, transferIn, transferOut, screen } = await screened(verdicts)
      await fund(api, usd.id, 10_000)
      const paying = await createQuote(api, quoteBody(usd, payee, 1_000))
      const pulling = await createQuote(api, quoteBody(bank, payee, 1_000))
      await screen(bank)
      const asSource = { status: 400, code: 'INVALID_BANK_ACCOUNT', details: { accountId: bank.id, status } }
      const asDestination = (id: string) => ({
        status: 400,
        code: 'INVALID_RECEIVER',
        details: { accountId: id, status },
      })
      expect(await quote(bank, payee)).toMatchObject(asSource)
      expect((await execute(api, pulling.id)).error).toMatchObject(asSource)
      expect(await transferIn(bank, usd, 1_000)).toMatchObject(asSource)
      expect(await transferOut(usd, bank, 1_000)).toMatchObject(asDestination(bank.id))
      await screen(payee)
      expect(await quote(usd, payee)).toMatchObject(asDestination(payee.id))
      expect((await execute(api, paying.id)).error).toMatchObject(asDestination(payee.id))
    },
  )

  it('that is still being screened neither receives nor pays', async () => {
    const { api, customer, usd, transferIn, transferOut } = await start()
    const rules = server.engine.adapters.SANDBOX.rules as { newExternalAccountStatus: 'ACTIVE' | 'PENDING' }
    rules.newExternalAccountStatus = 'PENDING'
    const pending = await createPayee(api, 'USD', '000123456777', { customerId: customer.id })
    rules.newExternalAccountStatus = 'ACTIVE'
    expect(await transferOut(usd, pending, 100)).toMatchObject({
      code: 'INVALID_RECEIVER',
      details: { status: 'PENDING' },
    })
    expect(await transferIn(pending, usd, 100)).toMatchObject({
      code: 'INVALID_BANK_ACCOUNT',
      details: { status: 'PENDING' },
    })
  })

  it('of another customer is nobody this customer may pay, nor pull from', async () => {
    const { api, customer, usd, payee, quote, transferOut } = await start()
    const other = await createCustomer(api, { fullName: 'Ben Okafor' })
    const theirs = await createPayee(api, 'USD', '000123456891', { customerId: other.id })
    const refused = { status: 400, code: 'INVALID_RECEIVER', details: { accountId: theirs.id } }
    expect(await quote(usd, theirs)).toMatchObject(refused)
    expect(await transferOut(usd, theirs, 1_000)).toMatchObject(refused)
    const source = { sourceType: 'ACCOUNT', accountId: theirs.id, customerId: customer.id }
    expect(await quote(usd, payee, 1_000, { source })).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'source.customerId' },
    })
    const [own] = (
      await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
    ).data
    expect(await quote(own!, theirs)).toBeUndefined()
  })

  it('is paid on one of its rails alone, and an internal account on none', async () => {
    const { api, customer, usd, bank, quote, transferOut } = await start()
    await fund(api, usd.id, 10_000)
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const on = (destination: { id: string }, paymentRail: string) => ({
      destination: { destinationType: 'ACCOUNT', accountId: destination.id, paymentRail },
    })
    const refused = { status: 400, code: 'INVALID_INPUT', details: { field: 'destination.paymentRail' } }
    expect(await quote(usd, iban, 1_000, on(iban, 'ACH'))).toMatchObject({
      ...refused,
      details: { errors: [{ constraint: { enum: ['SEPA_INSTANT', 'SEPA'] } }] },
    })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    expect(await quote(usd, eur, 1_000, on(eur, 'SEPA'))).toMatchObject(refused)
    const asked = await createQuote(api, quoteBody(usd, iban, 1_000, on(iban, 'SEPA') as never))
    const transaction = api.GET('/transactions/{transactionId}', {
      params: { path: { transactionId: asked.transactionId } },
    })
    expect(await must(transaction)).toMatchObject({ paymentRail: 'SEPA', railSelectionMode: 'MANUAL' })
    const toBank = (paymentRail: string) => ({ destination: { accountId: bank.id, paymentRail } })
    expect(await transferOut(usd, bank, 1_000, toBank('SEPA'))).toMatchObject(refused)
    expect(await transferOut(usd, bank, 1_000, toBank('WIRE'))).toBeUndefined()
    await server.settle()
  })
})

describe('an internal account', () => {
  it('that is frozen neither pays nor receives, also where a quote was made before', async () => {
    const { platform, api, customer, usd, payee, bank, quote, transferIn, transferOut } = await start()
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const paying = await createQuote(api, quoteBody(usd, payee, 1_000))
    const converting = await createQuote(api, quoteBody(usd, eur, 1_000))
    const freeze = (id: string, status: string) =>
      server.engine.database.read(
        platform,
        { name: 'test.freeze', text: 'update internal_accounts set status = $2 where id = $1' },
        [id, status],
      )
    const refused = (accountId: string) => ({
      status: 403,
      code: 'USER_NOT_READY',
      details: { accountId, accountStatus: 'FROZEN' },
    })
    await freeze(eur.id, 'FROZEN')
    expect(await quote(usd, eur)).toMatchObject(refused(eur.id))
    expect((await execute(api, converting.id)).error).toMatchObject(refused(eur.id))
    await freeze(usd.id, 'FROZEN')
    expect(await quote(usd, payee)).toMatchObject(refused(usd.id))
    expect((await execute(api, paying.id)).error).toMatchObject(refused(usd.id))
    expect(await transferOut(usd, bank, 100)).toMatchObject(refused(usd.id))
    expect(await transferIn(bank, usd, 100)).toMatchObject(refused(usd.id))
    await freeze(usd.id, 'ACTIVE')
    expect((await execute(api, paying.id)).data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
  })

  it('of a customer deleted since receives nothing from quotes made before', async () => {
    const { api, usd } = await start()
    await fund(api, usd.id, 10_000)
    const other = await createCustomer(api, { fullName: 'Ben Okafor' })
    const made = await createQuote(api, quoteBody(usd, await internalAccountOf(api, other.id, 'USD'), 1_000))
    await must(api.DELETE('/customers/{customerId}', { params: { path: { customerId: other.id } } }))
    expect((await execute(api, made.id)).error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
  })
})

describe('what a payment is for', () => {
  it('has to be said for rupees and yuan where payer data is enforced', async () => {
    const { api, customer, usd, quote, transferOut } = await start()
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Asha Rao' }
    const accountInfo = { accountType: 'INR_ACCOUNT', vpa: 'asha.rao@upi', beneficiary }
    const register = { customerId: customer.id, currency: 'INR', accountInfo } as never
    const rupees = await must(api.POST('/customers/external-accounts', { body: register }))
    const ours = await createCustomer(api, { currencies: ['INR'] })
    const account = await internalAccountOf(api, ours.id, 'INR')
    const theirs = { ...(register as object), customerId: ours.id } as never
    const payee = await must(api.POST('/customers/external-accounts', { body: theirs }))
    expect(await quote(usd, rupees)).toBeUndefined()

    const rules = server.engine.adapters.SANDBOX.rules as { requiresPayerData: boolean }
    rules.requiresPayerData = true
    try {
      const missing = {
        status: 400,
        code: 'MISSING_MANDATORY_USER_INFO',
        details: { field: 'purposeOfPayment', missingFields: ['PURPOSE_OF_PAYMENT'] },
      }
      expect(await quote(usd, rupees)).toMatchObject(missing)
      expect(await transferOut(account, payee, 1_000)).toMatchObject(missing)
      const told = { purposeOfPayment: 'GIFT' }
      expect(await quote(usd, rupees, 1_000, told)).toBeUndefined()
      expect(await transferOut(account, payee, 1_000, told)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
      expect(await quote(usd, account)).toBeUndefined()
    } finally {
      rules.requiresPayerData = false
    }
  })
})

describe('a quote that is paid in', () => {
  it('is executed by its money alone', async () => {
    const { usd, payee, quote } = await start()
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' }
    expect(await quote(usd, payee, 1_000, { source, immediatelyExecute: true })).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'immediatelyExecute' },
    })
  })
})

describe('what does not exist', () => {
  it('is 404 by its kind, for other platforms as well', async () => {
    const { api, usd, payee, bank, transferIn, transferOut } = await start()
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const elsewhere = await start()
    const [known, unknown] = [elsewhere.api, `Quote:${unknownUuid}`]
    for (const quoteId of [unknown, made.id, 'Quote:x', usd.id]) {
      const path = { params: { path: { quoteId } } }
      const gone = { status: 404, code: 'QUOTE_NOT_FOUND' }
      expect((await known.GET('/quotes/{quoteId}', path)).error).toMatchObject(gone)
      expect((await execute(known, quoteId)).error).toMatchObject(gone)
    }
    for (const quoteId of [unknown, made.id]) {
      const body = { quoteId, currencyCode: 'USD' } as never
      expect((await known.POST('/sandbox/send', { body })).error).toMatchObject({ code: 'QUOTE_NOT_FOUND' })
    }
    for (const transactionId of [`Transaction:${unknownUuid}`, made.transactionId, 'x']) {
      const path = { params: { path: { transactionId } } }
      const gone = { status: 404, code: 'TRANSACTION_NOT_FOUND' }
      expect((await known.GET('/transactions/{transactionId}', path)).error).toMatchObject(gone)
      expect((await known.POST('/transactions/{transactionId}/cancel', path)).error).toMatchObject(gone)
    }
    const noAccount = { status: 404, code: 'REFERENCE_NOT_FOUND' }
    const one = (id: string) => known.GET('/internal-accounts/{id}', { params: { path: { id } } })
    expect((await one(usd.id)).error).toMatchObject(noAccount)
    const fundIt = known.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: usd.id } },
      body: { amount: 1 },
    })
    expect((await fundIt).error).toMatchObject(noAccount)
    expect(await elsewhere.transferIn(bank, elsewhere.usd, 1)).toMatchObject(noAccount)
    expect(await elsewhere.transferIn(elsewhere.bank, usd, 1)).toMatchObject(noAccount)
    expect(await transferOut({ id: `InternalAccount:${unknownUuid}` }, bank, 1)).toMatchObject(noAccount)
    expect(await transferIn(bank, { id: `InternalAccount:${unknownUuid}` }, 1)).toMatchObject(noAccount)
  })

  it('is a wrong field of a quote, every one of them at once', async () => {
    const { quote } = await start()
    const { usd, payee } = await start()
    expect(await quote(usd, payee)).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { errors: [{ field: 'source.accountId' }, { field: 'destination.accountId' }] },
    })
  })
})

describe('when the service itself fails', () => {
  it('asks to repeat a quote for which there were no rates just now', async () => {
    const { api, usd, payee } = await start()
    breakRates = true
    const refused = await api.POST('/quotes', { body: quoteBody(usd, payee, 1_000) })
    breakRates = false
    expect(refused.error).toMatchObject({ status: 400, code: 'QUOTE_REQUEST_FAILED' })
    expect((await createQuote(api, quoteBody(usd, payee, 1_000))).status).toBe('PENDING')
  })

  it('says whether it was the payment switch, and moves nothing', async () => {
    const { api, usd, bank, transferOut } = await start()
    await fund(api, usd.id, 1_000)
    breakRates = true
    const read = await api.GET('/exchange-rates', { params: { query: { sourceCurrency: 'USD' } } })
    expect(read.error).toMatchObject({
      status: 500,
      code: 'INTERNAL_ERROR',
      details: { requestId: expect.any(String) },
    })
    const key = { 'Idempotency-Key': 'again' }
    const body = { source: { accountId: usd.id }, destination: { accountId: bank.id }, amount: 600 } as never
    const failed = await api.POST('/transfer-out', { body, headers: key })
    expect(failed.error).toMatchObject({ status: 500, code: 'SERVICE_SWITCH_ERROR' })
    expect(JSON.stringify(failed.error)).not.toContain('hangs up')
    expect(failed.response.headers.get('x-should-retry')).toBe('true')
    breakRates = false
    expect((await api.POST('/transfer-out', { body, headers: key })).data).toMatchObject({
      status: 'PENDING',
    })
    expect(await transferOut(usd, bank, 600)).toMatchObject({ details: { available: 400 } })
    await server.settle()
  })
})
