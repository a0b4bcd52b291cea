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

// An operator writes off a debt that cannot be collected.

const server = await openTestServer()
afterEach(async () => {
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const reason = 'The customer has died'

/** The bank returns 400 dollars after they paid for a payout, so the customer owes them. */
async function owing() {
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const fault = {
    kind: 'OUTCOME',
    target: 'RAIL',
    match: { accountId: bank.id },
    params: { outcome: '005', seconds: 600 },
  }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  await execute(api, (await createQuote(api, quoteBody(bank, payee, 40_000))).id)
  await server.settle()
  await server.pass(601_000)
  const { data } = await must(api.GET('/receivables'))
  const path = { id: data[0]!.id }
  return {
    ...payments,
    id: path.id,
    shown: () => must(api.GET('/receivables/{id}', { params: { path } })),
    account: () => must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } })),
    collect: () => api.POST('/receivables/{id}/collect', { params: { path } }),
    writeOff: (body: object = { reason }) =>
      operate(server, 'POST', `/receivables/${path.id}/write-off`, body),
    /** Ledger balances of the owner's receivable and of the loss account. */
    ledger: async () => {
      const balances = await server.ledgerBalances(platform)
      return [balances[`recv:${customer.id}:USD`] ?? 0n, balances['loss:USD'] ?? 0n]
    },
    eventsOf: async (type: string) => (await server.events(platform)).filter((event) => event.type === type),
  }
}

describe('a receivable that is written off', () => {
  it('is a loss of the service, and its owner owes nothing any more', async () => {
    const { api, id, customer, usd, shown, account, writeOff, ledger, eventsOf } = await owing()
    const before = await account()
    expect([before.receivable?.amount, await ledger()]).toEqual([40_000, [-40_000n, 0n]])

    const answer = await writeOff()
    const written = await shown()
    expect(answer).toMatchObject({ status: 200, body: written })
    expect(written).toMatchObject({
      status: 'WRITTEN_OFF',
      amount: { amount: 40_000 },
      remainingAmount: { amount: 0 },
      writtenOffAmount: { amount: 40_000, currency: { code: 'USD' } },
    })
    expect(written.settledAt).toBeDefined()
    expect(await ledger()).toEqual([0n, -40_000n])
    expect((await eventsOf('RECEIVABLE.UPDATED')).map(({ data }) => data)).toEqual([written])

    const after = await account()
    expect(after).not.toHaveProperty('receivable')
    expect(after.version).toBe(before.version! + 1)
    const told = (await eventsOf('INTERNAL_ACCOUNT.BALANCE_UPDATED')).at(-1)!.data
    expect(told).toMatchObject({ id: usd.id, version: after.version })
    expect(told).not.toHaveProperty('receivable')

    const query = { subjectId: [id] }
    const journals = await must(api.GET('/ledger/journals', { params: { query } }))
    expect(journals.data).toMatchObject([
      {
        subjectId: id,
        step: 'writeOff',
        postings: [{ from: 'loss:USD', to: `recv:${customer.id}:USD`, amount: '40000' }],
      },
    ])
    const listed = await must(api.GET('/receivables', { params: { query: { status: ['WRITTEN_OFF'] } } }))
    expect(listed.data).toEqual([written])
  })

  it('no longer keeps its account and its customer', async () => {
    const { api, customer, usd, writeOff } = await owing()
    const close = () => operate(server, 'POST', `/internal-accounts/${usd.id}/close`)
    expect(await close()).toMatchObject({ status: 409, body: { details: { reason: 'RECEIVABLE_OPEN' } } })
    await writeOff()
    expect(await close()).toMatchObject({ status: 200, body: { status: 'CLOSED' } })
    const path = { customerId: customer.id }
    await must(api.DELETE('/customers/{customerId}', { params: { path } }))
  })

  it('after a part was paid loses the rest alone', async () => {
    const { api, usd, collect, shown, writeOff, ledger } = await owing()
    await fund(api, usd.id, 15_000)
    await must(collect())
    await writeOff()
    expect(await shown()).toMatchObject({
      status: 'WRITTEN_OFF',
      amount: { amount: 40_000 },
      remainingAmount: { amount: 0 },
      writtenOffAmount: { amount: 25_000 },
    })
    expect(await ledger()).toEqual([0n, -25_000n])
  })

  it('is neither collected nor written off again, and later credits stay with the customer', async () => {
    const { api, usd, collect, writeOff, balance, shown, ledger } = await owing()
    await writeOff()
    const written = await shown()
    await must(api.PATCH('/config', { body: { collectsReceivables: true } }))
    await fund(api, usd.id, 50_000)
    await server.pass(60_000)
    const resolved = { code: 'CONFLICT', details: { reason: 'RESOLVED', status: 'WRITTEN_OFF' } }
    expect((await collect()).error).toMatchObject(resolved)
    expect(await writeOff()).toMatchObject({ status: 409, body: resolved })
    expect([await balance(), await shown(), await ledger()]).toEqual([50_000, written, [0n, -40_000n]])
  })

  it('is not found under another id, and needs a reason', async () => {
    const { id, shown, writeOff } = await owing()
    for (const body of [{}, { reason: ' ' }]) expect(await writeOff(body)).toMatchObject({ status: 400 })
    expect((await shown()).status).toBe('OPEN')
    const unknown = id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000')
    expect(await operate(server, 'POST', `/receivables/${unknown}/write-off`, { reason })).toMatchObject({
      status: 404,
      body: { details: { resourceType: 'Receivable' } },
    })
  })
})
