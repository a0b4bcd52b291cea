import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// What the holder of an embedded wallet owes is never debited without a signature, while other accounts are collected.

const server = await openTestServer()
afterEach(async () => {
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const returnAfterMs = 600_000
const collectedMinor = 40_000

type Api = Awaited<ReturnType<typeof paymentApi>>['api']

/** The bank returns a collection that was credited to an account while that account is frozen, so all of it is owed. */
async function owe(api: Api, currency: 'USD' | 'USDB') {
  const customer = await createCustomer(api, { currencies: ['USD', 'USDB'] })
  const account = await internalAccountOf(api, customer.id, currency)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: returnAfterMs / 1_000 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const { id: quoteId } = await createQuote(api, quoteBody(bank, account, collectedMinor))
  await execute(api, quoteId)
  await server.settle()
  await operate(server, 'POST', `/internal-accounts/${account.id}/freeze`)
  const path = { id: account.id }
  const query = { customerId: customer.id }
  return {
    release: () => operate(server, 'POST', `/internal-accounts/${account.id}/release`),
    credit: (amount: number) => fund(api, account.id, amount),
    shown: () => must(api.GET('/internal-accounts/{id}', { params: { path } })),
    receivable: async () => (await must(api.GET('/receivables', { params: { query } }))).data[0]!,
  }
}

describe('the sweep that collects receivables from later credits', () => {
  it('finds no embedded wallet, and collects from another account in the same round', async () => {
    const { api } = await paymentApi(server)
    const wallet = await owe(api, 'USDB')
    const other = await owe(api, 'USD')
    await server.pass(returnAfterMs + 1_000)
    await wallet.release()
    await other.release()
    await must(api.PATCH('/config', { body: { collectsReceivables: true } }))
    const before = await wallet.shown()
    expect(before).toMatchObject({ type: 'EMBEDDED_WALLET', status: 'ACTIVE' })
    expect(before.balance.amount).toBeGreaterThan(0)
    const owed = await wallet.receivable()
    expect(owed).toMatchObject({ status: 'OPEN', cause: 'COLLECTION_RETURNED' })
    expect(before.receivable).toEqual(owed.remainingAmount)

    const { ran } = await must(api.POST('/sandbox/clock/advance', { body: { seconds: 60 } }))
    expect(await other.receivable()).toMatchObject({ status: 'SETTLED' })
    const swept = ran.filter(({ kind }) => kind === 'receivables.collect').map(({ subjectId }) => subjectId)
    expect(swept).toContain((await other.receivable()).id)
    expect(swept).not.toContain(owed.id)
    await wallet.credit(5_000_000)
    await server.pass(60_000)
    const after = await wallet.shown()
    expect(await wallet.receivable()).toEqual(owed)
    expect(after.balance.amount).toBe(before.balance.amount + 5_000_000)
    expect(after.receivable).toEqual(owed.remainingAmount)

    const params = { path: { id: owed.id } }
    const refused = await api.POST('/receivables/{id}/collect', { params })
    expect(refused.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'HOLDER_MUST_SIGN' } })
  })
})
