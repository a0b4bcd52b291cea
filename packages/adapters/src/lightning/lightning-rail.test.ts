import type { LightningNode, LightningOutcome } from '@corridor/engine/ports/lightning.ts'
import { readInvoice } from '@corridor/engine/reference/account-types/index.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { lightningInvoice } from '../sandbox/instructions/lightning-invoice.ts'
import { lightningRail } from './lightning-rail.ts'

// Payouts to invoices over a node: handed over once, and read up ever after.

const now = Date.parse('2026-11-22T12:00:00Z')
let seed = 0
const randomBytes = (length: number) => Buffer.alloc(length, ++seed)
const invoice = lightningInvoice(
  { randomBytes },
  { amountSat: 2_500n, description: 'tea', now, lifeSeconds: 600 },
)
const { paymentHash } = readInvoice(invoice)!

let known: LightningOutcome = { status: 'NOT_FOUND' }
let answer: LightningOutcome = { status: 'PENDING' }
const handedOver: object[] = []
const node = {
  track: async () => known,
  pay: async (order: object) => {
    handedOver.push(order)
    return answer
  },
} as unknown as LightningNode
const rail = lightningRail(node)

const payout = (accountInfo: Record<string, unknown> = { invoice }, amountMinor = 2_500n) => ({
  transactionId: 'Transaction:1',
  rail: 'LIGHTNING',
  currency: 'BTC',
  amountMinor,
  accountType: 'LIGHTNING',
  accountInfo,
  primaryId: invoice,
  submittedAt: now,
  flow: 'QUOTE' as const,
  isImmediate: false,
})
const paid = { status: 'SUCCEEDED', preimage: '0c'.repeat(32), feeMsats: 1_013n } as const
const internal = { status: 'FAILED', reason: 'INTERNAL' }

beforeEach(() => {
  known = { status: 'NOT_FOUND' }
  answer = { status: 'PENDING' }
  handedOver.length = 0
})

describe('a payout to an invoice', () => {
  it.each<[LightningOutcome, object]>([
    [paid, { status: 'ACCEPTED', checkAt: now }],
    [{ status: 'PENDING' }, { status: 'ACCEPTED', checkAt: now + 2_000 }],
    [{ status: 'UNKNOWN' }, { status: 'ACCEPTED', checkAt: now + 2_000 }],
    [{ status: 'FAILED' }, internal],
  ])('is handed over once, and is what the node says: %o', async (said, submission) => {
    answer = said
    expect(await rail.submitPayout(payout(), now)).toEqual(submission)
    expect(handedOver).toEqual([{ invoice, paymentHash, maxFeeMsats: 25_000n }])
  })

  it.each<[LightningOutcome, object]>([
    [paid, { status: 'ACCEPTED', checkAt: now }],
    [{ status: 'PENDING' }, { status: 'ACCEPTED', checkAt: now }],
    [{ status: 'FAILED' }, internal],
  ])('that the node knows from before is not handed over again: %o', async (before, submission) => {
    known = before
    expect(await rail.submitPayout(payout(), now)).toEqual(submission)
    expect(handedOver).toEqual([])
  })

  it('waits for a node that does not say what it knows', async () => {
    known = { status: 'UNKNOWN' }
    await expect(rail.submitPayout(payout(), now)).rejects.toThrow(/Lightning node/)
    expect(handedOver).toEqual([])
  })

  it('is refused once the invoice is over, for another amount, and without an invoice', async () => {
    expect(await rail.submitPayout(payout(), now + 600_000)).toEqual(internal)
    const unfit = { status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' }
    expect(await rail.submitPayout(payout({ invoice }, 2_499n), now)).toEqual(unfit)
    const address = { lightningAddress: 'amina@wallet.example' }
    expect(await rail.submitPayout(payout(address), now)).toEqual(unfit)
    expect(rail.reaches!(address)).toBe(false)
    expect(rail.reaches!({ bolt12: 'lno1x' })).toBe(false)
    expect(rail.reaches!({ invoice })).toBe(true)
    expect(handedOver).toEqual([])
  })

  it.each<[string, LightningOutcome, number, object]>([
    ['that has arrived, with what the way cost', paid, 5_000, { status: 'SETTLED', routingCostMinor: 2n }],
    ['that has failed', { status: 'FAILED' }, 5_000, internal],
    ['under way', { status: 'PENDING' }, 5_000, { status: 'ACCEPTED', checkAt: now + 7_000 }],
    [
      'of which nothing is heard',
      { status: 'UNKNOWN' },
      100_000,
      { status: 'ACCEPTED', checkAt: now + 110_000 },
    ],
    [
      'unknown to the node in time',
      { status: 'NOT_FOUND' },
      659_999,
      { status: 'ACCEPTED', checkAt: now + 719_999 },
    ],
    ['unknown to the node in the end', { status: 'NOT_FOUND' }, 660_000, internal],
    [
      'of which nothing is heard in the end',
      { status: 'UNKNOWN' },
      900_000,
      { status: 'ACCEPTED', checkAt: now + 960_000 },
    ],
  ])('%s is read up', async (_what, said, afterMs, outcome) => {
    known = said
    expect(await rail.fetchPayout(payout(), now + afterMs)).toEqual(outcome)
    expect(handedOver).toEqual([])
  })
})
