import type { PayoutOutcome, PullOutcome, RailClient } from '@corridor/engine/ports/rail.ts'
import {
  createPayee,
  createQuote,
  execute,
  fund,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(async () => {
  vi.restoreAllMocks()
  await server.expectSoundLedger()
})

const minuteMs = 60_000

/** A rail that settles what it is given, and says something else when it is asked again. */
function settlesThen(railName: string, later: Partial<{ payout: PayoutOutcome; pull: PullOutcome }>) {
  const { SANDBOX } = server.thirdParties
  const rail = SANDBOX.rail(railName)
  if (!rail) throw new Error('the sandbox has this rail')
  let asked = 0
  const outcome = <O>(then: O | undefined, now: number) =>
    asked++ === 0 || !then ? ({ status: 'SETTLED', checkAt: now + minuteMs } as const) : then
  const client: RailClient = {
    ...rail,
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPayout: async (_payout, now) => outcome(later.payout, now),
    submitPull: async (_pull, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPull: async (_pull, now) => outcome(later.pull, now),
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
}

describe('a rail that has settled a payment', () => {
  const contradictions: PayoutOutcome[] = [
    { status: 'FAILED', reason: 'ACCOUNT_INVALID' },
    { status: 'CANCELLED' },
    { status: 'RETURNED' },
  ]
  it.each(contradictions)('and then says $status has the money again: it is returned', async (payout) => {
    settlesThen('FASTER_PAYMENTS', { payout })
    const { api, customer, usd, transaction, balance, told, platform } = await paymentApi(server)
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 50_000))
    const before = await server.ledgerBalances(platform)
    await execute(api, id)
    for (let step = 0; step < 3; step++) await server.pass(1_000)
    expect(await transaction(transactionId)).toMatchObject({ status: 'COMPLETED' })
    await server.pass(minuteMs)
    await server.pass(minuteMs)
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    })
    expect(await balance()).toBe(50_000)
    expect((await told(transactionId)).slice(-4)).toEqual([
      'COMPLETED',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ])
    expect(await server.ledgerBalances(platform)).toEqual(before)
  })

  const takenBack: PullOutcome[] = [
    { status: 'FAILED', reason: 'INSUFFICIENT_FUNDS' },
    { status: 'RETURNED' },
  ]
  it.each(takenBack)('and then says $status of a pull has taken it back from the account', async (pull) => {
    settlesThen('ACH', { pull })
    const { api, customer, usd, transaction, balance } = await paymentApi(server)
    const payer = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(payer, usd, 10_000))
    await execute(api, id)
    for (let step = 0; step < 3; step++) await server.pass(1_000)
    expect(await transaction(transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect(await balance()).toBe(10_000)
    await server.pass(minuteMs)
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'COLLECTION_FAILED',
    })
    expect(await balance()).toBe(0)
  })
})
