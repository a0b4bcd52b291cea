import { decideDeposit } from '@corridor/engine/money/payments/index.ts'
import { loadInternalAccount, whileStatusStays } from '@corridor/engine/platform/internal-accounts/index.ts'
import { decidePrivacy } from '@corridor/engine/platform/internal-accounts/rules.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

/** The event with the highest version of an account shows the account as it is. */

const server = await openTestServer()

async function owing() {
  const payments = await paymentApi(server)
  const { api, customer, platform, usd } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: 600 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  await fund(api, usd.id, 50_000)
  const { id: quoteId } = await createQuote(api, quoteBody(bank, payee, 40_000))
  await execute(api, quoteId)
  await server.settle()
  await server.pass(5_000)
  const account = async () =>
    (await must(
      api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }),
    )) as unknown as Record<string, unknown>
  const told = async () =>
    (await server.events(platform, usd.id).catch(() => server.events(platform)))
      .filter(({ data }) => data.id === usd.id)
      .map(({ data }) => data)
  const returned = () => server.pass(700_000)
  const receivableId = async () =>
    (await must(api.GET('/receivables', { params: { query: { customerId: customer.id } } }))).data[0]!.id
  return { ...payments, account, told, returned, receivableId }
}

describe('an internal account whose owner begins to owe', () => {
  it('has another version than before, and its owner is told of the account as it is', async () => {
    const { account, told, returned } = await owing()
    const before = await account()
    await returned()
    const after = await account()
    expect(after.receivable).toMatchObject({ amount: 40_000 })
    expect(before).not.toHaveProperty('receivable')
    expect((await told()).at(-1)).toMatchObject({ receivable: { amount: 40_000 } })
    expect(after.version).not.toBe(before.version)
  })
})

describe('the last event of a balance', () => {
  it('shows what is owed as it is, whoever else has moved the account', async () => {
    const found: unknown[] = []
    for (let round = 0; round < 6; round++) {
      const { api, usd, account, told, returned, receivableId } = await owing()
      await returned()
      const path = { id: await receivableId() }
      const collect = () => must(api.POST('/receivables/{id}/collect', { params: { path } }))
      const deposit = () => fund(api, usd.id, 1_000)
      await Promise.all(round % 2 ? [collect(), deposit(), deposit()] : [deposit(), collect(), deposit()])
      const shown = await account()
      const last = (await told()).sort((a, b) => Number(a.version) - Number(b.version)).at(-1)!
      expect(last.version).toBe(shown.version)
      found.push([shown.receivable ?? null, last.receivable ?? null])
    }
    expect(found).toEqual(found.map(() => [null, null]))
  })
})

describe('a deposit that was decided before the privacy of its wallet changed', () => {
  it('is not told with the privacy of before', async () => {
    const { api, platform, customer } = await paymentApi(server)
    const { engine } = server
    const wallet = await internalAccountOf(api, customer.id, 'USDB')
    const scope = await engine.clock.scope(platform, { id: 'test', permissions: [] })
    const before = await loadInternalAccount(engine.database, scope, wallet.id)
    if (!before) throw new Error('the wallet is on record')
    const { transaction: _, ...deposit } = decideDeposit(scope, {
      transactionId: engine.world.id('Transaction'),
      account: before,
      platformCustomerId: customer.platformCustomerId,
      amountMinor: 1_000n,
      rail: 'sandbox',
      reference: 'REF-0000000001',
    })
    const privacy = { ...decidePrivacy(scope, before, !before.privateEnabled), result: () => null }
    expect(await engine.applier.apply<unknown>(scope, privacy)).toMatchObject({ ok: true })
    const requires = [whileStatusStays(before)]
    const applied = await engine.applier.apply<unknown>(scope, { ...deposit, requires, result: () => null })
    // Decided again it would be right: STALE is as good.
    if (!applied.ok) return
    const shown = await must(api.GET('/internal-accounts/{id}', { params: { path: { id: wallet.id } } }))
    const last = (await server.events(platform, wallet.id)).at(-1)!.data
    expect(last.version).toBe(shown.version)
    expect(last.privateEnabled).toBe(shown.privateEnabled)
  })
})
