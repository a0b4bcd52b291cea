import { sandboxInstructions } from '@corridor/adapters/sandbox/instructions/sandbox-instructions.ts'
import { hold, journal } from '@corridor/engine/money/payments/index.ts'
import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  type InternalAccount,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { cardApi } from '../e2e/card-api.ts'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'
import { walletClient } from '../e2e/wallet-client.ts'

// Accounts 3.1: what becomes of an internal account, and what its platform is told.

const server = await openTestServer({ instructions: { PRODUCTION: () => sandboxInstructions } })

type Platform = Awaited<ReturnType<TestServer['platform']>>
const moves = ['activate', 'fail', 'freeze', 'release', 'close'] as const
const move = (id: string, on: string) => operate(server, 'POST', `/internal-accounts/${id}/${on}`)

async function platformAccounts(environment: 'SANDBOX' | 'PRODUCTION') {
  const platform = await server.platform({ environment })
  const api = server.client(platform)
  const { data } = await must(api.GET('/platform/internal-accounts'))
  const account = (code: string) => data.find(({ balance }) => balance.currency.code === code)!
  const read = (id: string) => must(api.GET('/internal-accounts/{id}', { params: { path: { id } } }))
  return { platform, account, read }
}

/** What was told of an account, the oldest first, without what moved its balance. */
async function told(platform: Platform, id: string) {
  const events = await server.events(platform)
  return events
    .filter(({ type, data }) => data.id === id && !type.endsWith('.BALANCE_UPDATED'))
    .map(({ type, data }) => ({ type, data: data as unknown as InternalAccount }))
}

const statusUpdated = 'INTERNAL_ACCOUNT.STATUS_UPDATED'
const instructionsUpdated = 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED'

describe('a pending internal account', () => {
  it('becomes active with coordinates of its own, and tells both', async () => {
    const { platform, account, read } = await platformAccounts('PRODUCTION')
    const { id, status, fundingPaymentInstructions } = account('USD')
    expect([status, fundingPaymentInstructions]).toEqual(['PENDING', []])
    const activated = await move(id, 'activate')
    expect(activated).toMatchObject({ status: 200, body: { id, status: 'ACTIVE' } })
    const now = await read(id)
    expect(activated.body).toEqual(now)
    expect(now.fundingPaymentInstructions.map((entry) => entry.accountOrWalletInfo.accountType)).toEqual([
      'US_ACCOUNT',
      'SOLANA_WALLET',
    ])
    expect(Date.parse(now.updatedAt)).toBeGreaterThan(Date.parse(account('USD').updatedAt))
    expect(await told(platform, id)).toEqual([
      { type: statusUpdated, data: now },
      { type: instructionsUpdated, data: now },
    ])
  })

  it('fails for good when it cannot be provisioned, and keeps no coordinates', async () => {
    const { platform, account, read } = await platformAccounts('PRODUCTION')
    const { id } = account('EUR')
    expect(await move(id, 'fail')).toMatchObject({ status: 200, body: { status: 'FAILED' } })
    const now = await read(id)
    expect(now).toMatchObject({ status: 'FAILED', fundingPaymentInstructions: [] })
    expect(await told(platform, id)).toEqual([{ type: statusUpdated, data: now }])
  })
})

describe('the privacy of an embedded wallet', () => {
  it('is changed at once, however much is paid into it meanwhile', async () => {
    const client = await walletClient(server)
    const { id } = client.wallet
    const { key } = await client.otpSession()
    const { applier } = server.engine
    const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
    const isChange = ({ updates = [] }: Decision) => updates.some(({ set }) => set.private_enabled === true)
    let paid = 0
    Object.assign(applier, {
      async apply(scope: unknown, decision: Decision) {
        // Whatever it was decided from, another payment is faster.
        if (isChange(decision) && paid < 60) {
          paid++
          await fund(client.api, id, 100)
        }
        return apply(scope, decision)
      },
    })
    const answer = await client
      .twice(key, 'PATCH', `/internal-accounts/${id}`, { privateEnabled: true })
      .finally(() => Object.assign(applier, { apply }))
    expect(answer).toMatchObject({ status: 200, body: { privateEnabled: true, balance: { amount: 100 } } })
    expect(paid).toBe(1)
    const now = await must(client.api.GET('/internal-accounts/{id}', { params: { path: { id } } }))
    expect(answer.body).toEqual(now)
  })
})

describe('a frozen internal account', () => {
  it('shows no coordinates, and the same ones again once it is released', async () => {
    const { platform, usd, api } = await paymentApi(server)
    const read = () => must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
    expect(usd.fundingPaymentInstructions).toHaveLength(2)
    expect(await move(usd.id, 'freeze')).toMatchObject({ status: 200, body: { status: 'FROZEN' } })
    const frozen = await read()
    expect(frozen).toMatchObject({ status: 'FROZEN', fundingPaymentInstructions: [] })
    expect(await move(usd.id, 'release')).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
    const released = await read()
    expect(released.fundingPaymentInstructions).toEqual(usd.fundingPaymentInstructions)
    expect(await told(platform, usd.id)).toEqual([
      { type: statusUpdated, data: frozen },
      { type: instructionsUpdated, data: frozen },
      { type: statusUpdated, data: released },
      { type: instructionsUpdated, data: released },
    ])
  })

  it('is frozen at once, however much is paid from it meanwhile', async () => {
    const { platform, api, customer, usd } = await paymentApi(server)
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const { applier } = server.engine
    const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
    const isFreeze = ({ updates = [] }: Decision) => updates.some(({ set }) => set.status === 'FROZEN')
    let paid = 0
    Object.assign(applier, {
      async apply(scope: unknown, decision: Decision) {
        // Whatever the freeze was decided from, another payment is faster.
        if (isFreeze(decision) && paid < 60) {
          paid++
          await createQuote(api, { ...quoteBody(usd, payee, 100), immediatelyExecute: true })
        }
        return apply(scope, decision)
      },
    })
    const answer = await move(usd.id, 'freeze').finally(() => Object.assign(applier, { apply }))
    expect(answer).toMatchObject({ status: 200, body: { status: 'FROZEN', balance: { amount: 99_900 } } })
    expect(paid).toBe(1)
    expect(await told(platform, usd.id)).toEqual([
      { type: statusUpdated, data: answer.body },
      { type: instructionsUpdated, data: answer.body },
    ])
  })

  it('refuses new debits and credits while the payout on its way finishes', async () => {
    const { api, customer, usd, balance, transaction } = await paymentApi(server)
    await fund(api, usd.id, 30_000)
    const slow = await createPayee(api, 'MXN', clabe('003'), { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, slow, 10_000))
    const later = await createQuote(api, quoteBody(usd, slow, 10_000))
    await execute(api, quote.id)
    await server.settle()
    await move(usd.id, 'freeze')
    const refused = {
      status: 403,
      code: 'USER_NOT_READY',
      details: { accountId: usd.id, accountStatus: 'FROZEN' },
    }
    expect((await execute(api, later.id)).error).toMatchObject(refused)
    const path = { params: { path: { accountId: usd.id } }, body: { amount: 100 } }
    expect((await api.POST('/sandbox/internal-accounts/{accountId}/fund', path)).error).toMatchObject(refused)
    await server.pass(360_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect(await balance()).toBe(20_000)
  })

  it('tells of its status alone where it never had coordinates', async () => {
    const { platform, account } = await platformAccounts('SANDBOX')
    const { id } = account('KES')
    await move(id, 'freeze')
    await move(id, 'release')
    expect((await told(platform, id)).map(({ type }) => type)).toEqual([statusUpdated, statusUpdated])
  })
})

describe('closing an internal account', () => {
  it('is refused while it holds money, and withdraws its coordinates when it does not', async () => {
    const { platform, api, usd } = await paymentApi(server)
    const read = () => must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
    await fund(api, usd.id, 1)
    expect(await move(usd.id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'BALANCE_NOT_ZERO', accountId: usd.id } },
    })
    expect(await told(platform, usd.id)).toEqual([])
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: usd.customerId! })
    await must(
      api.POST('/transfer-out', {
        body: { source: { accountId: usd.id }, destination: { accountId: bank.id }, amount: 1 },
      }),
    )
    await server.settle()
    expect(await move(usd.id, 'close')).toMatchObject({ status: 200, body: { status: 'CLOSED' } })
    const closed = await read()
    expect(closed).toMatchObject({ status: 'CLOSED', fundingPaymentInstructions: [] })
    expect(await told(platform, usd.id)).toEqual([
      { type: statusUpdated, data: closed },
      { type: instructionsUpdated, data: closed },
    ])
  })

  it('is refused while its money is held', async () => {
    const { platform, api, usd, balances } = await paymentApi(server)
    await fund(api, usd.id, 500)
    const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
    const held = hold({ transactionId: 'Transaction:held', currency: 'USD', amountMinor: 500n }, usd.id)
    const transfers = journal('test', 'hold', held)
    await server.engine.applier.apply(scope, { transfers, result: () => null })
    expect(await balances()).toEqual({ available: 0, total: 500 })
    const answer = await move(usd.id, 'close')
    expect(answer).toMatchObject({ status: 409, body: { details: { reason: 'BALANCE_NOT_ZERO' } } })
  })

  it('is refused while a payment may still come back', async () => {
    const { api, customer, usd } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const slow = await createPayee(api, 'MXN', clabe('003'), { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, slow, 10_000))
    await execute(api, quote.id)
    await server.settle()
    expect((await internalAccountOf(api, customer.id, 'USD')).totalBalance.amount).toBe(0)
    expect(await move(usd.id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'PAYMENTS_UNDER_WAY', accountId: usd.id } },
    })
    await server.pass(360_000)
    expect((await move(usd.id, 'close')).status).toBe(200)
  })
})

describe('the status of an internal account', () => {
  it('moves as the table says and is a conflict everywhere else, with nothing told', async () => {
    const { platform, account } = await platformAccounts('PRODUCTION')
    const listed = {
      PENDING: { currency: 'USD', path: [], next: ['activate', 'fail'] },
      ACTIVE: { currency: 'EUR', path: ['activate'], next: ['freeze', 'close'] },
      FROZEN: { currency: 'GBP', path: ['activate', 'freeze'], next: ['release'] },
      CLOSED: { currency: 'MXN', path: ['activate', 'close'], next: [] },
      FAILED: { currency: 'BRL', path: ['fail'], next: [] },
    } as const
    for (const [status, { currency, path, next }] of Object.entries(listed)) {
      const { id } = account(currency)
      for (const on of path) expect((await move(id, on)).status).toBe(200)
      const before = (await told(platform, id)).length
      const refused = moves.filter((on) => !next.some((each) => each === on))
      for (const on of refused) {
        expect(await move(id, on), `${status} ${on}`).toMatchObject({
          status: 409,
          body: { code: 'CONFLICT', details: { reason: 'WRONG_STATUS', status, accountId: id } },
        })
      }
      expect(await told(platform, id)).toHaveLength(before)
    }
  })

  it('changes once when several ask at the same time', async () => {
    const { platform, usd } = await paymentApi(server)
    const answers = await Promise.all(Array.from({ length: 6 }, () => move(usd.id, 'freeze')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await told(platform, usd.id)).toHaveLength(2)
  })

  it('is changed by the operator alone, and only of accounts that exist', async () => {
    const { platform, usd, api } = await paymentApi(server)
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    for (const on of moves) {
      for (const id of ['InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', 'nonsense']) {
        expect(await move(id, on)).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
      }
      const response = await server.fetch(`http://corridor.test/operator/internal-accounts/${usd.id}/${on}`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
      })
      expect(response.status).toBe(401)
    }
    const now = await must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
    expect(now).toEqual(usd)
  })
})

describe('an account with a card charge that is still owed', () => {
  it('is not closed, nor is its customer deleted, until the operator has charged it', async () => {
    const cards = await cardApi(server, { balance: 1_000 })
    const { api, usd, customer, account } = cards
    const card = await cards.activeCard()
    const { id } = await cards.authorize(card.id, 1_000)
    await server.settle()
    await cards.simulate(card.id, 'clearing', { cardTransactionId: id, amount: 1_500 })
    expect(await cards.after(id)).toMatchObject({ status: 'EXCEPTION' })
    expect((await account()).totalBalance.amount).toBe(0)
    const close = () => operate(server, 'POST', `/internal-accounts/${usd.id}/close`)
    const path = { customerId: customer.id }
    const remove = () => api.DELETE('/customers/{customerId}', { params: { path } })
    expect(await close()).toMatchObject({ status: 409, body: { details: { reason: 'PAYMENTS_UNDER_WAY' } } })
    expect((await remove()).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'RECEIVABLE_OPEN' } })
    await fund(api, usd.id, 500)
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({ status: 200 })
    expect(await close()).toMatchObject({ status: 200 })
    expect((await remove()).response.status).toBe(200)
  })
})
