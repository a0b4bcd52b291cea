import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { paymentApi } from './payment-api.ts'

// A bank takes back what it had let be collected, after the money has paid for something else.

const server = await openTestServer()
afterEach(async () => {
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const returnAfterMs = 600_000
const collectedMinor = 40_000

/** 400 dollars collected from a bank account for a payee in the United Kingdom; the bank returns them after ten minutes. */
async function pay({ payee: number }: { readonly payee: string }) {
  const payments = await paymentApi(server)
  const { api, platform, customer } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: returnAfterMs / 1_000 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const payee = await createPayee(api, 'GBP', number, { customerId: customer.id })
  const { id: quoteId, transactionId } = await createQuote(api, quoteBody(bank, payee, collectedMinor))
  await execute(api, quoteId)
  await server.settle()
  return {
    ...payments,
    bank,
    transactionId,
    shown: () => payments.transaction(transactionId),
    ledger: () => server.ledgerBalances(platform),
    owed: async () => (await server.ledgerBalances(platform))[`recv:${customer.id}:USD`] ?? 0n,
    receivables: async () =>
      (await must(api.GET('/receivables', { params: { query: { customerId: customer.id } } }))).data,
    /** Every posting at the bank: what was collected and has not been returned. */
    atBank: async () => (await server.ledgerBalances(platform))['rail:ACH:USD'] ?? 0n,
    cancel: () =>
      must(api.POST('/transactions/{transactionId}/cancel', { params: { path: { transactionId } } })),
    eventsOf: async (type: string) => (await server.events(platform)).filter((event) => event.type === type),
    move: (accountId: string, on: 'freeze' | 'release') =>
      operate(server, 'POST', `/internal-accounts/${accountId}/${on}`),
    withdraw: async (accountId: string, amount: number) => {
      const to = await createPayee(api, 'USD', '000987654891', { customerId: customer.id })
      return must(
        api.POST('/transfer-out', {
          body: { source: { accountId: accountId as never }, destination: { accountId: to.id }, amount },
        }),
      )
    },
  }
}

describe('a collection that is returned', () => {
  it('after its payout was delivered leaves the payout completed, and the amount is owed', async () => {
    const { shown, owed, atBank, receivables, transactionId, customer, eventsOf, balance } = await pay({
      payee: '12345678',
    })
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    await server.pass(returnAfterMs + 1_000)
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    expect([await owed(), await atBank(), await balance()]).toEqual([-40_000n, 0n, 0])
    const [receivable, ...others] = await receivables()
    expect(others).toEqual([])
    expect(receivable).toMatchObject({
      customerId: customer.id,
      status: 'OPEN',
      cause: 'COLLECTION_RETURNED',
      transactionId,
      amount: { amount: collectedMinor, currency: { code: 'USD' } },
      remainingAmount: { amount: collectedMinor },
    })
    const created = await eventsOf('RECEIVABLE.CREATED')
    expect(created.map(({ data }) => data)).toEqual([receivable])
    await server.pass(returnAfterMs)
    expect(await owed()).toBe(-40_000n)
  })

  it('after a refund of all of it takes the refund back, with a record of its own', async () => {
    const { api, shown, owed, atBank, receivables, balance, usd, customer, bank } = await pay({
      payee: '12345004',
    })
    expect(await shown()).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
    expect(await balance()).toBe(collectedMinor)
    await server.pass(returnAfterMs + 1_000)
    expect([await balance(), await owed(), await atBank()]).toEqual([0, 0n, 0n])
    expect(await receivables()).toEqual([])
    const { data } = await must(
      api.GET('/transactions', {
        params: { query: { customerId: customer.id, senderAccountIdentifier: usd.id } },
      }),
    )
    expect(data).toMatchObject([
      {
        type: 'OUTGOING',
        direction: 'DEBIT',
        status: 'COMPLETED',
        sentAmount: { amount: collectedMinor },
        destination: { accountId: bank.id },
      },
    ])
  })

  it('after the refund was spent in part is owed for the rest', async () => {
    const { usd, withdraw, balance, owed, receivables, atBank } = await pay({ payee: '12345004' })
    await withdraw(usd.id, 30_000)
    await server.settle()
    await server.pass(returnAfterMs + 1_000)
    expect([await balance(), await owed()]).toEqual([0, -30_000n])
    expect(await receivables()).toMatchObject([{ amount: { amount: 30_000 }, status: 'OPEN' }])
    expect(await atBank()).toBe(0n)
  })

  it('while the refund waits on a frozen account is owed whole, and the account is left as it is', async () => {
    const { usd, move, balance, owed, receivables } = await pay({ payee: '12345004' })
    await move(usd.id, 'freeze')
    await server.pass(returnAfterMs + 1_000)
    expect([await balance(), await owed()]).toEqual([collectedMinor, -40_000n])
    expect(await receivables()).toMatchObject([{ amount: { amount: collectedMinor } }])
  })

  it('while its payout is on its way does not stop it', async () => {
    const { shown, owed, receivables, balance } = await pay({ payee: '12345003' })
    await server.pass(361_000)
    expect(await shown()).toMatchObject({ status: 'COMPLETED' })
    await server.pass(returnAfterMs)
    expect([await owed(), (await receivables()).length, await balance()]).toEqual([-40_000n, 1, 0])
  })

  it('after its payout was cancelled takes back what was given back', async () => {
    const { shown, cancel, balance, owed, receivables } = await pay({ payee: '12345003' })
    await cancel()
    await server.settle()
    expect(await shown()).toMatchObject({ status: 'COMPLETED', refund: { reason: 'USER_CANCELLATION' } })
    expect(await balance()).toBe(collectedMinor)
    await server.pass(returnAfterMs + 1_000)
    expect([await balance(), await owed()]).toEqual([0, 0n])
    expect(await receivables()).toEqual([])
  })

  it('is explained, and keeps its account and its customer until it is paid', async () => {
    const { api, transactionId, usd, customer, receivables } = await pay({ payee: '12345678' })
    await server.pass(returnAfterMs + 1_000)
    const path = { id: transactionId }
    const explained = await must(api.GET('/explain/{id}', { params: { path } }))
    expect(explained.sentence).toContain('the bank returned the collection')
    const shown = await must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
    expect(shown.receivable).toMatchObject({ amount: collectedMinor })
    expect(await operate(server, 'POST', `/internal-accounts/${usd.id}/close`)).toMatchObject({
      status: 409,
      body: { details: { reason: 'RECEIVABLE_OPEN' } },
    })
    const customerPath = { customerId: customer.id }
    const refused = await api.DELETE('/customers/{customerId}', { params: { path: customerPath } })
    expect(refused.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'RECEIVABLE_OPEN' } })
    const id = (await receivables())[0]!.id
    const answer = await operate(server, 'GET', `/receivables/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { id } })
  })

  it('is collected from later credits by itself where the platform wants that', async () => {
    const { api, usd, owed, balance, receivables } = await pay({ payee: '12345678' })
    await server.pass(returnAfterMs + 1_000)
    await fund(api, usd.id, 15_000)
    await server.pass(1_000)
    expect(await owed()).toBe(-40_000n)
    await must(api.PATCH('/config', { body: { collectsReceivables: true } }))
    await server.pass(1_000)
    expect([await owed(), await balance()]).toEqual([-25_000n, 0])
    await fund(api, usd.id, 30_000)
    await server.pass(1_000)
    expect([await owed(), await balance()]).toEqual([0n, 5_000])
    expect(await receivables()).toMatchObject([{ status: 'SETTLED' }])
  })
})
