import { loadReceivable } from '@corridor/engine/money/payments/index.ts'
import { loadFacts } from '@corridor/engine/money/receivables/commands.ts'
import { decideCollect, decideWriteOff } from '@corridor/engine/money/receivables/rules.ts'
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
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// A receivable is written off while something else pays it: whichever is written first counts, and the other is decided again.

const server = await openTestServer()
afterEach(async () => {
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const returnAfterMs = 600_000
const reason = 'Not collectable'

/** The bank returns the 400 dollars that paid for a payout. */
async function owing({ payee: number = '12345678', after = returnAfterMs } = {}) {
  const payments = await paymentApi(server)
  const { api, platform, customer, usd } = payments
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const params = { outcome: '005', seconds: after / 1_000 }
  const fault = { kind: 'OUTCOME', target: 'RAIL', match: { accountId: bank.id }, params }
  await must(api.POST('/sandbox/faults', { body: fault as never }))
  const payee = await createPayee(api, 'GBP', number, { customerId: customer.id })
  const { id: quoteId, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
  await execute(api, quoteId)
  await server.settle()
  await server.pass(after + 1_000)
  const { engine } = server
  const scope = () => engine.clock.scope(platform, { id: 'other', permissions: [] })
  const [receivable] = (await must(api.GET('/receivables'))).data
  const path = { id: receivable!.id }
  const facts = async () => {
    const found = await loadReceivable(engine.database, await scope(), path.id)
    if (!found) throw new Error('it is on record')
    return { found, more: await loadFacts(engine, await scope(), found) }
  }
  const apply = async (decided: ReturnType<typeof decideCollect>) => {
    if (!decided.ok) throw new Error(decided.failure.code)
    return engine.applier.apply<unknown>(await scope(), decided.value)
  }
  return {
    ...payments,
    transactionId,
    shown: () => must(api.GET('/receivables/{id}', { params: { path } })),
    account: () => must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } })),
    collect: () => api.POST('/receivables/{id}/collect', { params: { path } }),
    writeOff: () => operate(server, 'POST', `/receivables/${path.id}/write-off`, { reason }),
    /** Decides now, as another process would, and applies nothing. */
    async decide(what: 'collect' | 'writeOff') {
      const { found, more } = await facts()
      return what === 'collect'
        ? decideCollect(await scope(), found, more)
        : decideWriteOff(await scope(), found, more.account)
    },
    apply,
    ledger: async () => {
      const balances = await server.ledgerBalances(platform)
      return [balances[`recv:${customer.id}:USD`] ?? 0n, balances['loss:USD'] ?? 0n]
    },
  }
}

const stale = { ok: false, failure: { code: 'STALE' } }

describe('a write-off', () => {
  it('that comes before a collection decided earlier leaves the balance to the customer', async () => {
    const { api, usd, decide, apply, writeOff, shown, balance, ledger } = await owing()
    await fund(api, usd.id, 15_000)
    const late = await decide('collect')
    expect(await writeOff()).toMatchObject({ status: 200 })
    expect(await apply(late)).toMatchObject(stale)
    expect([await balance(), await ledger()]).toEqual([15_000, [0n, -40_000n]])
    expect(await shown()).toMatchObject({ status: 'WRITTEN_OFF', writtenOffAmount: { amount: 40_000 } })
  })

  it('that comes after a collection loses what is left alone', async () => {
    const { api, usd, decide, apply, collect, writeOff, shown, balance, ledger } = await owing()
    await fund(api, usd.id, 15_000)
    const late = await decide('writeOff')
    await must(collect())
    expect(await apply(late)).toMatchObject(stale)
    expect(await writeOff()).toMatchObject({ status: 200 })
    expect([await balance(), await ledger()]).toEqual([0, [0n, -25_000n]])
    expect(await shown()).toMatchObject({ status: 'WRITTEN_OFF', writtenOffAmount: { amount: 25_000 } })
  })

  it('is written once when two processes decide it', async () => {
    const { decide, apply, writeOff, ledger } = await owing()
    const [first, second] = [await decide('writeOff'), await decide('writeOff')]
    const outcomes = await Promise.all([apply(first), apply(second)])
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject(stale)
    expect(await writeOff()).toMatchObject({ status: 409, body: { details: { reason: 'RESOLVED' } } })
    expect(await ledger()).toEqual([0n, -40_000n])
  })

  it('at the same moment as collections and deposits loses exactly what was not collected', async () => {
    for (let round = 0; round < 2; round++) {
      const { api, usd, collect, writeOff, account, shown, ledger } = await owing()
      await must(api.PATCH('/config', { body: { collectsReceivables: round % 2 === 0 } }))
      await fund(api, usd.id, 1_000)
      const all = [collect, writeOff, () => fund(api, usd.id, 2_000), collect, writeOff]
      await Promise.all((round % 2 ? all : all.reverse()).map((each) => each()))
      await server.pass(60_000)
      const { status, remainingAmount, writtenOffAmount } = await shown()
      expect([status, remainingAmount.amount]).toEqual(['WRITTEN_OFF', 0])
      const after = await account()
      expect(after).not.toHaveProperty('receivable')
      const collected = 3_000 - after.balance.amount
      expect(writtenOffAmount!.amount).toBe(40_000 - collected)
      expect(await ledger()).toEqual([0n, BigInt(-writtenOffAmount!.amount)])
    }
  })

  it('meets the automatic collection from a deposit in either order', async () => {
    for (const isFirst of [true, false]) {
      const { api, usd, writeOff, shown, balance, ledger } = await owing()
      await must(api.PATCH('/config', { body: { collectsReceivables: true } }))
      if (isFirst) await writeOff()
      await fund(api, usd.id, 50_000)
      await server.pass(60_000)
      if (isFirst) expect([await balance(), await ledger()]).toEqual([50_000, [0n, -40_000n]])
      else {
        expect(await writeOff()).toMatchObject({ status: 409, body: { details: { status: 'SETTLED' } } })
        expect([await balance(), await ledger()]).toEqual([10_000, [0n, 0n]])
      }
      expect((await shown()).status).toBe(isFirst ? 'WRITTEN_OFF' : 'SETTLED')
    }
  })
})

describe('a refund of the payment whose collection was returned', () => {
  // The payout is on its way for minutes, and cancelled meanwhile.
  it.each([true, false])(
    'goes to the customer if the receivable is written off: %s',
    async (isWrittenOff) => {
      const { api, transactionId, writeOff, shown, balance, ledger } = await owing({
        payee: '12345003',
        after: 30_000,
      })
      expect((await shown()).status).toBe('OPEN')
      if (isWrittenOff) await writeOff()
      await api.POST('/transactions/{transactionId}/cancel', { params: { path: { transactionId } } })
      await server.settle()
      await server.pass(60_000)
      if (isWrittenOff) expect([await balance(), await ledger()]).toEqual([40_000, [0n, -40_000n]])
      else expect([await balance(), await ledger()]).toEqual([0, [0n, 0n]])
      expect((await shown()).status).toBe(isWrittenOff ? 'WRITTEN_OFF' : 'SETTLED')
    },
  )
})

describe('a receivable that cannot be collected', () => {
  it('from a closed account is written off', async () => {
    const { api, usd, decide, platform, ledger, shown, writeOff } = await owing()
    // Accounts of earlier releases could be closed while their owner owed something.
    await server.rows(`update internal_accounts set status = 'CLOSED' where id = $1`, [usd.id])
    expect(await decide('collect')).toMatchObject({
      ok: false,
      failure: { details: { reason: 'ACCOUNT_NOT_ACTIVE' } },
    })
    expect(await writeOff()).toMatchObject({ status: 200 })
    expect([(await shown()).status, await ledger()]).toEqual(['WRITTEN_OFF', [0n, -40_000n]])
    const told = (await server.events(platform)).filter(({ type }) => type === 'RECEIVABLE.UPDATED')
    expect(told).toHaveLength(1)
    await must(api.GET('/internal-accounts/{id}', { params: { path: { id: usd.id } } }))
  })
})
