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
import { cardApi } from '../e2e/card-api.ts'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'

// A frozen account neither gains nor loses: the ledger itself refuses it, and each flow says what becomes of the money.

const server = await openTestServer()
afterEach(async () => {
  await server.expectSoundLedger()
  await server.expectSoundRecords()
})

const startMinor = 50_000

type Stage = Awaited<ReturnType<typeof start>>

async function start() {
  const payments = await paymentApi(server)
  const { api, platform, usd, customer } = payments
  await fund(api, usd.id, startMinor)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const pay = async (number: string, amount: number) => {
    const payee = await createPayee(api, 'GBP', number, { customerId: customer.id })
    const { id } = await createQuote(api, quoteBody(usd, payee, amount))
    return () => execute(api, id)
  }
  const ledger = async () => {
    const all = await server.ledgerBalances(platform)
    return {
      available: all[`avail:${usd.id}`] ?? 0n,
      suspense: all['susp:USD'] ?? 0n,
      owed: all[`recv:${customer.id}:USD`] ?? 0n,
    }
  }
  return { ...payments, bank, pay, ledger }
}

const move = async (id: string, on: 'freeze' | 'release') =>
  expect(await operate(server, 'POST', `/internal-accounts/${id}/${on}`)).toMatchObject({ status: 200 })

/** What begins before the freeze, and what happens after it. */
interface Kind {
  readonly name: string
  readonly before: (stage: Stage) => Promise<() => Promise<unknown>>
  readonly becomes: 'SUSPENSE' | 'OWED' | 'REFUSED'
  readonly amountMinor?: bigint
}

const kinds: readonly Kind[] = [
  {
    name: 'a deposit',
    becomes: 'SUSPENSE',
    amountMinor: 5_000n,
    before: async ({ api, usd }) => {
      const { reference } = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
      return () =>
        must(api.POST('/sandbox/inbound-payments', { body: { reference, currency: 'USD', amount: 5_000 } }))
    },
  },
  {
    name: 'a pull that settles',
    becomes: 'SUSPENSE',
    amountMinor: 5_000n,
    before: async ({ api, usd, bank }) => {
      const { id } = await createQuote(api, quoteBody(bank, usd, 5_000))
      await execute(api, id)
      return () => server.settle()
    },
  },
  {
    name: 'the refund of a payout that fails',
    becomes: 'SUSPENSE',
    amountMinor: 5_000n,
    before: async ({ pay }) => {
      await (await pay('12345004', 5_000))()
      return () => server.settle()
    },
  },
  {
    name: 'the refund of a payout that is returned',
    becomes: 'SUSPENSE',
    amountMinor: 5_000n,
    before: async ({ pay }) => {
      await (await pay('12345005', 5_000))()
      return () => server.pass(10_000)
    },
  },
  {
    name: 'the sandbox that funds it',
    becomes: 'REFUSED',
    before:
      async ({ api, usd }) =>
      async () => {
        const path = { accountId: usd.id }
        const refused = await api.POST('/sandbox/internal-accounts/{accountId}/fund', {
          params: { path },
          body: { amount: 5_000 },
        })
        expect(refused.error).toBeDefined()
      },
  },
  {
    name: 'a quote that is executed',
    becomes: 'REFUSED',
    before: async ({ pay }) => {
      const executed = await pay('87654321', 5_000)
      return async () => expect((await executed()).error).toMatchObject({ status: 403 })
    },
  },
  {
    name: 'a transfer out',
    becomes: 'REFUSED',
    before:
      async ({ transferOut, usd, bank }) =>
      async () =>
        expect((await transferOut(usd, bank, 5_000)).error).toBeDefined(),
  },
  {
    name: 'a transfer in',
    becomes: 'REFUSED',
    before:
      async ({ transferIn, usd, bank }) =>
      async () =>
        expect((await transferIn(bank, usd, 5_000)).error).toBeDefined(),
  },
]

describe('a frozen account', () => {
  it.each(kinds)('$name: $becomes', async ({ before, becomes, amountMinor = 0n }) => {
    const stage = await start()
    const then = await before(stage)
    const { available, suspense, owed } = await stage.ledger()
    await move(stage.usd.id, 'freeze')
    await then()
    for (let step = 0; step < 4; step++) await server.pass(1_000)
    expect(await stage.ledger()).toEqual({
      available,
      suspense: suspense + (becomes === 'SUSPENSE' ? amountMinor : 0n),
      owed: owed - (becomes === 'OWED' ? amountMinor : 0n),
    })
    await move(stage.usd.id, 'release')
    for (let step = 0; step < 2; step++) await server.pass(1_000)
    expect(await stage.ledger()).toEqual({
      available: available + (becomes === 'SUSPENSE' ? amountMinor : 0n),
      suspense,
      owed: owed - (becomes === 'OWED' ? amountMinor : 0n),
    })
  })
})

describe('a card on a frozen account', () => {
  async function charged() {
    const cards = await cardApi(server)
    const card = await cards.activeCard()
    const { id } = await cards.authorize(card.id, 1_000)
    await server.settle()
    const simulate = (what: string, body: object = {}) =>
      cards.simulate(card.id, what, { cardTransactionId: id, ...body })
    const balance = async () => (await cards.account()).balance.amount
    const ledger = async () => {
      const all = await server.ledgerBalances(cards.platform)
      return { suspense: all['susp:USD'] ?? 0n, owed: all[`recv:${cards.customer.id}:USD`] ?? 0n }
    }
    const receivables = async () => (await must(cards.api.GET('/receivables'))).data
    return { ...cards, card, id, simulate, balance, ledger, receivables }
  }

  it('is charged what was held before; what is above it is owed', async () => {
    const { usd, simulate, balance, ledger, receivables, id, after } = await charged()
    await move(usd.id, 'freeze')
    const before = await balance()
    await simulate('clearing', { amount: 1_500 })
    await server.settle()
    expect(await after(id)).toMatchObject({ status: 'SETTLED' })
    expect([await balance(), await ledger()]).toEqual([before, { suspense: 0n, owed: -500n }])
    expect(await receivables()).toMatchObject([
      { cause: 'CARD_CLEARING', transactionId: id, amount: { amount: 500 } },
    ])
  })

  it('has a return wait in suspense until it is released', async () => {
    const { usd, simulate, balance, ledger } = await charged()
    await simulate('clearing', { amount: 1_000 })
    await server.settle()
    await move(usd.id, 'freeze')
    const before = await balance()
    await simulate('return', { amount: 1_000 })
    expect([await balance(), await ledger()]).toEqual([before, { suspense: 1_000n, owed: 0n }])
    await move(usd.id, 'release')
    await server.settle()
    expect([await balance(), await ledger()]).toEqual([before + 1_000, { suspense: 0n, owed: 0n }])
  })

  it('owes a return that is taken back', async () => {
    const { usd, simulate, balance, ledger, receivables } = await charged()
    await simulate('clearing', { amount: 1_000 })
    await simulate('return', { amount: 1_000 })
    await server.settle()
    await move(usd.id, 'freeze')
    const before = await balance()
    await simulate('return_reversal')
    expect([await balance(), await ledger()]).toEqual([before, { suspense: 0n, owed: -1_000n }])
    expect(await receivables()).toMatchObject([{ cause: 'CARD_RETURN_REVERSED' }])
  })

  it('is neither authorized for a purchase nor for more', async () => {
    const { usd, card, authorize, simulate, balance, id, after } = await charged()
    await move(usd.id, 'freeze')
    const before = await balance()
    expect(await authorize(card.id, 100)).toBeUndefined()
    await simulate('authorization_advice', { amount: 2_000 })
    expect(await after(id)).toMatchObject({ authorizedAmount: { amount: 1_000 } })
    expect(await balance()).toBe(before)
  })
})

describe('the ledger itself', () => {
  it.each([
    ['a debit', { debit: 'HOLDER', credit: 'rail:TEST:USD' }],
    ['a credit', { debit: 'rail:TEST:USD', credit: 'HOLDER' }],
    ['a hold', { debit: 'HOLDER', credit: 'rail:TEST:USD', kind: 'PENDING' as const }],
  ])('refuses %s of a frozen account, read or not', async (name, sides) => {
    const { platform, usd, ledger } = await start()
    const { engine } = server
    const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
    const holder = `avail:${usd.id}`
    const named = (side: string) => (side === 'HOLDER' ? holder : side)
    const transfer = {
      ...sides,
      id: `test/${name}`,
      debit: named(sides.debit),
      credit: named(sides.credit),
      currency: 'USD',
      amountMinor: 100n,
    }
    const decision = { transfers: [transfer], result: () => null }
    await move(usd.id, 'freeze')
    const before = await ledger()
    const stale = { ok: false, failure: { code: 'STALE' } }
    expect(await engine.applier.apply<unknown>(scope, decision)).toEqual(stale)
    expect(await engine.applier.apply<unknown>(scope, { ...decision, shows: [holder] } as never)).toEqual(
      stale,
    )
    expect(await ledger()).toEqual(before)
    await move(usd.id, 'release')
  })
})
