import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardApi } from '../e2e/card-api.ts'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'
import { scaApi } from '../e2e/sca-api.ts'

// Accounts 3.1: a freeze, a closing or a deletion counts although it comes between the look at an account and
// the commit, and money goes to suspense for reasons of the business alone.

/** What somebody else does once a command has read its facts, and when that is. */
interface Meanwhile {
  /** While the source of rates takes its time over its answer, or just before a decision is committed. */
  readonly at: 'RATES' | ((decision: Decision) => boolean)
  readonly happens: () => Promise<unknown>
  readonly everyTime?: true
}
let meanwhile: Meanwhile | undefined

async function interfere(isTime: (at: Meanwhile['at']) => boolean): Promise<void> {
  const now = meanwhile
  if (!now || !isTime(now.at)) return
  meanwhile = undefined
  await now.happens()
  if (now.everyTime) meanwhile = now
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    rates: () => ({
      async snapshot(now) {
        await interfere((at) => at === 'RATES')
        return offlineRates.snapshot(now)
      },
    }),
  })
  const { applier } = server.engine
  const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
  Object.assign(applier, {
    async apply(scope: unknown, decision: Decision) {
      await interfere((at) => typeof at === 'function' && at(decision))
      return apply(scope, decision)
    },
  })
})
afterAll(() => server.close())
beforeEach(() => {
  meanwhile = undefined
})

const anyCommit = () => true
const step = (name: string) => (decision: Decision) =>
  decision.transfers?.some(({ id }) => id.includes(`/${name}/`)) ?? false
const move = (id: string, on: string) => operate(server, 'POST', `/internal-accounts/${id}/${on}`)

/** A customer with 1,000.00 dollars, a payee in Mexico and a bank of its own. */
async function start(suffix = '891') {
  const payments = await paymentApi(server)
  const { api, customer, usd, platform } = payments
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id })
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const remove = (
    path: '/customers/{customerId}' | '/customers/external-accounts/{externalAccountId}',
    id: string,
  ) =>
    api.DELETE(path as '/customers/{customerId}', {
      params: { path: { customerId: id, externalAccountId: id } as never },
    })
  return {
    ...payments,
    payee,
    bank,
    freeze: () => move(usd.id, 'freeze'),
    deleteCustomer: () => remove('/customers/{customerId}', customer.id),
    deletePayee: () => remove('/customers/external-accounts/{externalAccountId}', payee.id),
    suspense: async (currency = 'USD') => (await server.ledgerBalances(platform))[`susp:${currency}`] ?? 0n,
    async arrive(amount: number, railReference: string, reference?: string, key?: string) {
      const first = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference?: string }
      const body = { currency: 'USD', amount, railReference, reference: reference ?? first.reference! }
      const headers = key === undefined ? {} : { 'Idempotency-Key': key }
      return api.POST('/sandbox/inbound-payments', { body, headers })
    },
  }
}
type Start = Awaited<ReturnType<typeof start>>

const immediate = ({ api, usd, payee }: Start) =>
  api.POST('/quotes', { body: quoteBody(usd, payee, 10_000, { immediatelyExecute: true }) })
const quoteFirst = async ({ api, usd, payee }: Start) => {
  const { id } = await createQuote(api, quoteBody(usd, payee, 10_000))
  return () => execute(api, id)
}
const beforehand =
  (send: (at: Start) => Promise<{ error?: unknown }>) =>
  async (at: Start): Promise<() => Promise<{ error?: unknown }>> =>
  () =>
    send(at)

describe('what happens between the look and the commit', () => {
  const frozen = { code: 'USER_NOT_READY', details: { accountStatus: 'FROZEN' } }
  it.each([
    ['immediate execution', 'the rates are late', 'RATES', beforehand(immediate), 'freeze', frozen],
    [
      'a transfer out',
      'the rates are late',
      'RATES',
      beforehand((at) => at.transferOut(at.usd, at.bank, 1_000)),
      'freeze',
      frozen,
    ],
    [
      'a transfer in',
      'the rates are late',
      'RATES',
      beforehand((at) => at.transferIn(at.bank, at.usd, 1_000)),
      'freeze',
      frozen,
    ],
    ['immediate execution', 'it commits', anyCommit, beforehand(immediate), 'freeze', frozen],
    ['execution', 'it commits', anyCommit, quoteFirst, 'freeze', frozen],
    ['execution', 'it commits', anyCommit, quoteFirst, 'deleteCustomer', { code: 'CUSTOMER_DELETED' }],
    ['execution', 'it commits', anyCommit, quoteFirst, 'deletePayee', { code: 'INVALID_RECEIVER' }],
    [
      'a transfer out',
      'it commits',
      anyCommit,
      beforehand((at) => at.transferOut(at.usd, at.bank, 1_000)),
      'deleteCustomer',
      { code: 'CUSTOMER_DELETED' },
    ],
  ] as const)('stops %s while %s', async (_what, _when, at, prepare, happens, refusal) => {
    const test = await start()
    const send = await prepare(test)
    meanwhile = { at, happens: test[happens] }
    expect((await send()).error).toMatchObject(refusal)
    expect(meanwhile).toBeUndefined()
    await server.settle()
    expect(await server.ledgerBalances(test.platform)).toMatchObject({ [`avail:${test.usd.id}`]: 100_000n })
    const { data } = await must(test.api.GET('/transactions', { params: { query: { type: ['OUTGOING'] } } }))
    expect(data).toEqual([])
  })

  it('stops the delivery to an account that is frozen, and the money goes back', async () => {
    const { api, usd, platform, transaction } = await start()
    const other = await createCustomer(api, { currencies: ['USD'] })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const { id, transactionId } = await createQuote(api, quoteBody(usd, theirs, 10_000))
    await must(execute(api, id))
    meanwhile = { at: step('deliver'), happens: () => move(theirs.id, 'freeze') }
    await server.settle()
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'ACCOUNT_CANNOT_RECEIVE',
      refund: { status: 'COMPLETED' },
    })
    expect(await server.ledgerBalances(platform)).toMatchObject({ [`avail:${usd.id}`]: 100_000n })
  })

  it('lets a refund wait in suspense when its account is frozen', async () => {
    const test = await start('004')
    const { id, transactionId } = await createQuote(test.api, quoteBody(test.usd, test.payee, 10_000))
    await must(execute(test.api, id))
    meanwhile = { at: step('refund'), happens: test.freeze }
    await server.settle()
    const { refund } = (await test.transaction(transactionId)) as { refund?: object }
    expect(refund).toMatchObject({ status: 'FAILED' })
    expect(await test.suspense()).toBe(10_000n)
    await move(test.usd.id, 'release')
    await server.settle()
    expect([await test.balance(), await test.suspense()]).toEqual([100_000, 0n])
  })

  it.each([
    [
      'a payment begins',
      'PAYMENTS_UNDER_WAY',
      ({ transferIn, bank }: Start, eur: { id: string }) => transferIn(bank, eur, 1_000),
    ],
    ['money comes', 'BALANCE_NOT_ZERO', ({ api }: Start, usd: { id: string }) => fund(api, usd.id, 5)],
  ] as const)('does not close an account to which %s', async (_what, reason, happens) => {
    const test = await start()
    const { api, platform } = test
    const other = await createCustomer(api, { currencies: ['USD'] })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const bank = await createPayee(api, 'USD', '000123456892', { customerId: other.id })
    meanwhile = { at: anyCommit, happens: () => happens({ ...test, bank }, theirs) }
    expect(await move(theirs.id, 'close')).toMatchObject({ status: 409, body: { details: { reason } } })
    await server.settle()
    expect((await server.ledgerBalances(platform))[`avail:${theirs.id}`]).toBeGreaterThan(0n)
  })
})

describe('a card', () => {
  const writes = (table: string) => (decision: Decision) =>
    [...(decision.inserts ?? []), ...(decision.updates ?? [])].some((each) => each.table === table)

  it('is not issued to a holder who is deleted meanwhile', async () => {
    const { issue, call, customer } = await cardApi(server)
    meanwhile = { at: writes('cards'), happens: () => call('DELETE', `/customers/${customer.id}`) }
    expect(await issue()).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'cardholderId' } },
    })
    expect(meanwhile).toBeUndefined()
    expect((await call('GET', `/cards?cardholderId=${customer.id}`)).body.data).toEqual([])
  })

  it('shows its account frozen when it was frozen before the charge was confirmed', async () => {
    const { platform, activeCard, authorize, after, usd } = await cardApi(server)
    const { id } = await authorize((await activeCard()).id, 1_000)
    meanwhile = { at: writes('card_transactions'), happens: () => move(usd.id, 'freeze') }
    expect(await after(id)).toMatchObject({ pullSummary: { pendingCount: 0 } })
    expect(meanwhile).toBeUndefined()
    const shown = (await server.events(platform)).filter(
      ({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    )
    expect(shown.at(-1)!.data).toMatchObject({ status: 'FROZEN', totalBalance: { amount: 49_000 } })
  })
})

describe('money for an account of a deleted customer', () => {
  it('waits in suspense, also when the account was frozen and is released', async () => {
    const { arrive, deleteCustomer, suspense, usd, platform, freeze, api } = await start()
    await deleteCustomer()
    expect((await arrive(700, 'w-1')).data).toEqual({ outcome: 'SUSPENSE' })
    await freeze()
    expect((await arrive(300, 'w-2')).data).toEqual({ outcome: 'SUSPENSE' })
    await move(usd.id, 'release')
    await server.settle()
    expect(await suspense()).toBe(1_000n)
    expect(await server.ledgerBalances(platform)).toMatchObject({ [`avail:${usd.id}`]: 100_000n })
    expect((await arrive(700, 'w-1')).data).toEqual({ outcome: 'SUSPENSE' })
    const refused = await api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: usd.id } },
      body: { amount: 1 },
    })
    expect(refused.error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
  })

  it('waits in suspense when the deletion comes at the same moment', async () => {
    const { arrive, deleteCustomer, suspense, api, usd } = await start()
    meanwhile = { at: anyCommit, happens: deleteCustomer }
    expect((await arrive(700, 'w-1')).data).toEqual({ outcome: 'SUSPENSE' })
    expect([await suspense(), meanwhile]).toEqual([700n, undefined])

    const other = await start()
    meanwhile = { at: anyCommit, happens: other.deleteCustomer }
    const refused = await other.api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: other.usd.id } },
      body: { amount: 1 },
    })
    expect(refused.error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    expect(
      (await must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))).balance.amount,
    ).toBe(100_000)
  })

  it('is refused where it was to fund a quote, or waits when a rail brings it', async () => {
    const test = await start()
    const { quoteId, reference } = await realtime(test)
    await test.deleteCustomer()
    const sent = await test.api.POST('/sandbox/send', {
      body: { quoteId: quoteId as never, currencyCode: 'USD' },
    })
    expect(sent.error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    expect((await test.arrive(10_000, 'w-1', reference)).data).toEqual({ outcome: 'SUSPENSE' })
    expect(await test.suspense()).toBe(10_000n)
  })
})

async function realtime({ api, customer, payee }: Start) {
  const quote = await must(
    api.POST('/quotes', {
      body: {
        source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id as never, currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id as never },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
      },
    }),
  )
  const { reference } = quote.paymentInstructions![0]!.accountOrWalletInfo as { reference?: string }
  return { quoteId: quote.id, reference: reference! }
}

/** Somebody else changes the quote each time a payment is about to fund it. */
function touching({ platform }: Start, quoteId: string): Meanwhile {
  const touch = statement(
    'test.touchQuote',
    'update quotes set version = version + 1 where platform_id = $1 and environment = $2 and id = $3',
  )
  const { platformId, environment } = platform
  const happens = () =>
    server.engine.database.system((connection) => connection.query(touch, [platformId, environment, quoteId]))
  return { at: step('fund'), happens, everyTime: true }
}

describe('a customer that changes while strong authentication is under way', () => {
  const moves = (table: string) => (decision: Decision) =>
    [...(decision.updates ?? []), ...(decision.inserts ?? [])].some((each) => each.table === table)
  const answer = { code: '123456' }
  const path = (id: string) => ({ params: { path: { customerId: id as never } } })

  it('is not logged in by a code that is on its way to the phone it had', async () => {
    const { api, calls, customer } = await scaApi(server)
    const body = { customerType: 'INDIVIDUAL', phoneNumber: '+4915112345999' } as never
    meanwhile = {
      at: moves('sca_challenges'),
      happens: () => must(api.PATCH('/customers/{customerId}', { ...path(customer.id), body })),
    }
    const { challengeId } = (await calls.startLogin(customer.id)).body
    const login = { factor: 'SMS_OTP', challengeId, ...answer }
    expect(await calls.completeLogin(customer.id, login)).toMatchObject({ status: 400 })
    const again = (await calls.startLogin(customer.id)).body
    expect(
      await calls.completeLogin(customer.id, { ...login, challengeId: again.challengeId }),
    ).toMatchObject({
      status: 200,
    })
  })

  it('is not logged in any more when its phone changes in the transaction of the login', async () => {
    const { api, calls, customer, held } = await scaApi(server)
    const { challengeId } = (await calls.startLogin(customer.id)).body
    const waiting = await held(1_000)
    const body = { customerType: 'INDIVIDUAL', phoneNumber: '+4915112345999' } as never
    let patched: Promise<unknown> | undefined
    meanwhile = {
      at: moves('sca_customers'),
      async happens() {
        const arrived = new Promise<void>((resolve) => {
          meanwhile = { at: moves('customers'), happens: async () => resolve() }
        })
        patched = api.PATCH('/customers/{customerId}', { ...path(customer.id), body })
        await arrived
      },
    }
    await calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, ...answer })
    expect(patched).toBeDefined()
    await patched
    const later = await held(1_000)
    expect(await calls.authorize(later.id, answer)).toMatchObject({ body: { code: 'SCA_SESSION_REQUIRED' } })
    expect(await calls.authorize(waiting.id, answer)).toMatchObject({ status: 409 })
  })

  it('is gone rather than not logged in, when it is deleted', async () => {
    const { api, calls, customer, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    const { database } = server.engine
    const read = database.read.bind(database) as (...given: unknown[]) => Promise<never>
    let isDeleted = false
    Object.assign(database, {
      async read(book: unknown, asked: { name: string }, ...more: unknown[]) {
        if (!isDeleted && asked.name === 'sca.loadState') {
          isDeleted = true
          await must(api.DELETE('/customers/{customerId}', path(customer.id)))
        }
        return read(book, asked, ...more)
      },
    })
    const late = await calls.authorize(id, answer)
    Object.assign(database, { read })
    expect(late).toMatchObject({ status: 410, body: { code: 'CUSTOMER_DELETED' } })
  })

  it('answers the question that it was asked, not the one that followed', async () => {
    const { calls, eur, payee, logIn } = await scaApi(server)
    await logIn()
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'EUR', customerId: eur.customerId }
    const { body: quote } = await calls.createQuote({ ...quoteBody(eur, payee, 20_000), source })
    expect(quote.scaChallenge.purpose).toBe('CURRENCY_CONVERSION')
    let first: Awaited<ReturnType<typeof calls.authorize>> | undefined
    meanwhile = {
      at: moves('sca_challenges'),
      async happens() {
        first = await calls.authorize(quote.id, answer)
      },
    }
    const second = await calls.authorize(quote.id, answer)
    expect(first).toMatchObject({ status: 200, body: { scaChallenge: { purpose: 'PAYOUT' } } })
    expect(second).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await calls.authorize(quote.id, answer)).toMatchObject({
      status: 200,
      body: { status: 'PENDING' },
    })
  })
})

describe('the event of a balance', () => {
  const last = async (platform: { platformId: string }) =>
    (await server.events(platform as never)).filter(({ type }) => type.startsWith('INTERNAL_ACCOUNT')).at(-1)!

  it('shows the account as it is when a hold comes back', async () => {
    const { platform, eur, held } = await scaApi(server)
    await held()
    meanwhile = {
      // Holds of the tests before this one end as well.
      at: ({ events }) => events?.some(({ resourceId }) => resourceId === eur.id) ?? false,
      happens: () => move(eur.id, 'freeze'),
    }
    await server.pass(6 * 60_000)
    expect(await last(platform)).toMatchObject({
      type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      data: { status: 'FROZEN', fundingPaymentInstructions: [] },
    })
  })
})

describe('a conflict that another try settles', () => {
  it('is not the answer to its idempotency key, and says when to come again', async () => {
    const test = await start()
    const { quoteId, reference } = await realtime(test)
    const send = (amount = 10_000) => test.arrive(amount, 'fed-key', reference, 'one')
    meanwhile = touching(test, quoteId)
    for (const _try of [1, 2]) {
      const { error, response } = await send()
      expect(error).toMatchObject({ code: 'CONFLICT', details: { reason: 'CONCURRENT_UPDATE' } })
      expect(response.headers.get('retry-after')).toBe('1')
      expect(response.headers.get('x-should-retry')).toBe('true')
      expect(response.headers.get('idempotent-replayed')).toBeNull()
    }
    meanwhile = undefined
    for (const replayed of [null, 'true']) {
      const { data, response } = await send()
      expect(data).toMatchObject({ outcome: 'FUNDED_QUOTE' })
      expect(response.headers.get('idempotent-replayed')).toBe(replayed)
    }
    // What it came to is the answer now, also to another request under the key.
    const other = await send(20_000)
    expect(other.error).toMatchObject({ details: { reason: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(other.response.headers.get('x-should-retry')).toBe('false')
    expect(other.response.headers.get('retry-after')).toBeNull()
  })
})

describe('suspense', () => {
  it('is not for a conflict that another try settles', async () => {
    const test = await start()
    const { quoteId, reference } = await realtime(test)
    meanwhile = touching(test, quoteId)
    const told = await test.arrive(10_000, 'fed-1', reference)
    expect(told.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'CONCURRENT_UPDATE' } })
    expect(await test.suspense()).toBe(0n)
    // The rail tells of it again, as of everything it got no answer for.
    meanwhile = undefined
    expect((await test.arrive(10_000, 'fed-1', reference)).data).toMatchObject({ outcome: 'FUNDED_QUOTE' })
    expect((await test.arrive(10_000, 'fed-1', reference)).data).toMatchObject({ outcome: 'FUNDED_QUOTE' })
    // A second payment for the quote has nothing to pay: that is a reason of the business.
    expect((await test.arrive(10_000, 'fed-2', reference)).data).toEqual({ outcome: 'SUSPENSE' })
    expect(await test.suspense()).toBe(10_000n)
  })
})

it('says of a quote that another call has paid meanwhile that it is paid, not that the money is missing', async () => {
  const { api, usd, payee } = await start()
  const { id } = await createQuote(api, quoteBody(usd, payee, 60_000))
  const { database } = server.engine
  const read = database.read.bind(database) as (...given: unknown[]) => Promise<never>
  let before: unknown[] | undefined
  let isRead = false
  Object.assign(database, {
    async read(book: unknown, asked: { text: string }, ...more: unknown[]) {
      const isOfQuotes = asked.text.includes('from quotes')
      if (isOfQuotes && isRead && before) {
        // As it was read before the other call.
        const rows = before
        before = undefined
        return rows
      }
      const rows: unknown[] = await read(book, asked, ...more)
      if (isOfQuotes && !isRead) before = rows
      return rows
    },
  })
  await must(execute(api, id))
  isRead = true
  const { error } = await execute(api, id)
  Object.assign(database, { read })
  expect(before).toBeUndefined()
  expect(error).toMatchObject({ code: 'CONFLICT', details: { quoteId: id } })
})
