import { randomUUID } from 'node:crypto'
import { lightningRail } from '@corridor/adapters/lightning/lightning-rail.ts'
import { lightningInvoice } from '@corridor/adapters/sandbox/instructions/lightning-invoice.ts'
import { claimInvoice } from '@corridor/engine/money/payments/invoice-claims.ts'
import type { LightningNode, LightningOutcome } from '@corridor/engine/ports/lightning.ts'
import type { Environment } from '@corridor/engine/vocabulary/scope.ts'
import { createCustomer, fund, internalAccountOf, must, openTestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Accounts 13, row 11, with a node as production has it.

const server = await openTestServer()

let outcome: LightningOutcome = { status: 'UNKNOWN' }
const handedOver: string[] = []
const node = {
  track: async ({ paymentHash }: { paymentHash: string }) =>
    handedOver.includes(paymentHash) ? outcome : { status: 'NOT_FOUND' },
  async pay({ paymentHash }: { paymentHash: string }) {
    handedOver.push(paymentHash)
    return outcome
  },
} as unknown as LightningNode

beforeAll(() => {
  const adapters = server.engine.adapters.SANDBOX
  const rail = adapters.rail.bind(adapters)
  const overNode = lightningRail(node)
  vi.spyOn(adapters, 'rail').mockImplementation((id) => (id === 'LIGHTNING' ? overNode : rail(id)))
})
afterAll(() => vi.restoreAllMocks())

async function start() {
  const platform = await server.platform()
  const api = server.client(platform)
  const customer = await createCustomer(api, { currencies: ['USD'] } as never)
  const source = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, source.id, 1_000_000)
  const accountWith = (details: object) =>
    must(
      api.POST('/customers/external-accounts', {
        body: {
          customerId: customer.id,
          currency: 'BTC',
          accountInfo: { accountType: 'LIGHTNING', ...details },
        } as never,
      }),
    )
  const quote = (accountId: string, amount = 100_000) =>
    api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: source.id },
        destination: { destinationType: 'ACCOUNT', accountId },
        lockedCurrencySide: 'RECEIVING',
        lockedCurrencyAmount: amount,
      } as never,
    })
  const execute = (quoteId: string) =>
    must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }))
  const transaction = (transactionId: string) =>
    must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))
  const balance = async () => (await internalAccountOf(api, customer.id, 'USD')).balance.amount
  const explain = (id: string) => must(api.GET('/explain/{id}', { params: { path: { id } } }))
  return { platform, accountWith, quote, execute, transaction, balance, explain }
}

const invoiceOver = (amountSat: bigint) => {
  const { world } = server
  return lightningInvoice(world, { amountSat, description: 'tea', now: world.now(), lifeSeconds: 3_600 })
}

describe('a payout to a Lightning invoice', () => {
  it('is handed over once; what has become of it is read up, and the service bears the way', async () => {
    const { platform, accountWith, quote, execute, transaction, balance } = await start()
    const payee = await accountWith({ invoice: invoiceOver(100_000n) })
    const made = await must(quote(payee.id))
    const before = { balance: await balance(), calls: handedOver.length }
    outcome = { status: 'UNKNOWN' }
    await execute(made.id)
    await server.settle()
    expect((await transaction(made.transactionId)).status).toBe('PROCESSING')
    outcome = { status: 'SUCCEEDED', preimage: '0c'.repeat(32), feeMsats: 11_001n }
    await server.pass(10_000)
    expect((await transaction(made.transactionId)).status).toBe('COMPLETED')
    expect(handedOver.length).toBe(before.calls + 1)
    expect(await balance()).toBe(before.balance - made.totalSendingAmount)
    const ledger = await server.ledgerBalances(platform)
    expect(ledger['rail:LIGHTNING:BTC']).toBe(100_012n)
  })

  it('is for one payment: another one to the same invoice is given back', async () => {
    const { accountWith, quote, execute, transaction, balance } = await start()
    const payee = await accountWith({ invoice: invoiceOver(100_000n) })
    outcome = { status: 'SUCCEEDED', preimage: '0c'.repeat(32), feeMsats: 0n }
    const first = await must(quote(payee.id))
    await execute(first.id)
    await server.settle()
    const before = { balance: await balance(), calls: handedOver.length }
    const second = await must(quote(payee.id))
    await execute(second.id)
    await server.settle()
    expect(await transaction(first.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect(await transaction(second.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'ACCOUNT_CANNOT_RECEIVE',
      refund: { status: 'COMPLETED' },
    })
    expect([await balance(), handedOver.length]).toEqual([before.balance, before.calls])
  })

  it('is for one payment of all platforms of production, and of each sandbox', async () => {
    const [one, other] = [await server.platform(), await server.platform()].map(
      ({ platformId }) => platformId,
    )
    const claim = async (platformId: string, environment: Environment) => {
      const scope = await server.engine.clock.scope(
        { platformId, environment },
        { id: 'test', permissions: [] },
      )
      return claimInvoice(server.engine, scope, { id: `Transaction:${randomUUID()}` }, 'ab'.repeat(32))
    }
    expect(await claim(one!, 'PRODUCTION')).toBe('MADE')
    expect(await claim(other!, 'PRODUCTION')).toBe('TAKEN')
    expect(await claim(one!, 'SANDBOX')).toBe('MADE')
    expect(await claim(one!, 'SANDBOX')).toBe('TAKEN')
    expect(await claim(other!, 'SANDBOX')).toBe('MADE')
  })

  it('that finds no way is given back', async () => {
    const { accountWith, quote, execute, transaction, balance, explain } = await start()
    const payee = await accountWith({ invoice: invoiceOver(100_000n) })
    const made = await must(quote(payee.id))
    const before = await balance()
    outcome = { status: 'FAILED' }
    await execute(made.id)
    await server.settle()
    expect(await transaction(made.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect(await balance()).toBe(before)
    // The node would only tell of the first attempt again.
    expect((await explain(made.transactionId)).status.safeToRetry.answer).toBe('NO')
  })

  it('is quoted over what the invoice asks for; an address is not reached', async () => {
    const { accountWith, quote } = await start()
    const payee = await accountWith({ invoice: invoiceOver(100_000n) })
    const { error } = await quote(payee.id, 100_001)
    expect(error).toMatchObject({
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 100_000, max: 100_000, currency: 'BTC' },
    })
    const address = await accountWith({ lightningAddress: 'amina@wallet.example' })
    expect((await quote(address.id)).error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
  })
})
