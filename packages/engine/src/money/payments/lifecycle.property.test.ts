import { effort } from '@corridor/testkit/effort.ts'
import { customer, funded, Ledger, other, paymentOf, platform, sent } from '@corridor/testkit/model-ledger.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PricingInput } from '../quotes/index.ts'
import * as clawbacks from './clawbacks.ts'
import type { Payment } from './postings.ts'
import * as postings from './postings.ts'
import * as receipts from './receipts.ts'

const flow = { ...clawbacks, ...postings, ...receipts }

describe('every life of a payment', () => {
  const codes = fc.constantFrom('USD', 'EUR', 'VND', 'BTC', 'USDC', 'XAF')
  const fixed = fc.bigInt({ min: 0n, max: 60n })
  const payments = fc
    .record({
      pair: fc.tuple(codes, codes),
      lock: fc.constantFrom<PricingInput['lockedSide']>('SENDING', 'RECEIVING'),
      amount: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      serviceRate: fc.constantFrom('0.001', '0.005', '1/7'),
      fixed,
      network: fixed,
      platformFee: fc.record({ fixedMinor: fixed, bps: fc.integer({ min: 0, max: 500 }) }),
      counterparty: fixed,
    })
    .map((priced) => {
      try {
        return paymentOf(priced)
      } catch {
        return undefined
      }
    })
    .filter((payment) => payment !== undefined)
  const sources = fc.constantFrom('prefunded', 'held', 'pulled', 'paid in')
  const ends = fc.constantFrom(
    'delivered',
    'credited',
    'failed early',
    'unwound',
    'lost',
    'returned',
    'bounced',
    'waited',
    'bounced waiting',
  )

  it('sums to zero per currency, overdraws no one and leaves nothing in its own accounts', () => {
    fc.assert(
      fc.property(
        payments,
        sources,
        ends,
        fc.bigInt({ min: 0n, max: 600n }),
        (payment, source, end, spent) => {
          const ledger = live(payment, { source, end, spent })
          expect(Object.values(ledger.sums()).every((sum) => sum === 0n)).toBe(true)
          expect(ledger.leftOver().filter((slot) => !slot.includes('Transaction:2'))).toEqual([])
          if (end === 'failed early' || end === 'unwound' || end === 'returned') {
            const currency = payment.sendingCurrency
            expect(ledger.balance(`avail:${customer}`, currency)).toBe(payment.sendingAmountMinor)
          }
          if (end === 'unwound') {
            for (const key of [`fx:${payment.sendingCurrency}`, `fee:${payment.sendingCurrency}`]) {
              expect(ledger.balance(key, payment.sendingCurrency)).toBe(0n)
            }
            expect(ledger.balance(`fx:${payment.receivingCurrency}`, payment.receivingCurrency)).toBe(0n)
          }
        },
      ),
      { numRuns: effort(1_000, 100_000) },
    )
  })

  function live(
    payment: Payment,
    { source, end, spent }: { readonly source: string; readonly end: string; readonly spent: bigint },
  ): Ledger {
    const moved = sent(payment)
    const ledger = ['prefunded', 'held'].includes(source)
      ? funded(moved.currency, moved.amountMinor)
      : new Ledger()
    if (source === 'prefunded') ledger.post(flow.debitPrefunded(moved, customer))
    if (source === 'held') ledger.post(flow.hold(moved, customer)).post(flow.captureHold(moved, customer))
    if (source === 'pulled') ledger.post(flow.pullSettled(moved, 'ACH'))
    if (source === 'paid in') ledger.post(flow.realtimeReceipt(moved, 'RTP'))
    if (end === 'failed early') {
      return ledger.post(flow.unwindBeforeConvert(moved)).post(flow.refundToAccount(moved, customer))
    }
    ledger.post(flow.convert(payment))
    if (end === 'unwound' || end === 'lost') {
      ledger.post(flow.unwindAfterConvert(payment))
      return ledger.post(
        end === 'lost' ? flow.refundToSuspense(moved) : flow.refundToAccount(moved, customer),
      )
    }
    const toAccount = { internalAccountId: other, platformAccountId: platform }
    if (end === 'credited') return ledger.post(flow.deliverToInternalAccount(payment, toAccount))
    if (end === 'delivered' || end === 'returned') {
      ledger.post(flow.deliverToRail(payment, { rail: 'X', platformAccountId: platform }))
      if (end === 'delivered') return ledger
      const availableMinor = spend(ledger, payment.sendingCurrency, platform, spent)
      const source = { internalAccountId: platform, owner: 'PlatformConfig:1', availableMinor }
      return ledger
        .post(flow.returnAfterCompletion(payment, { rail: 'X', platform: source }))
        .post(flow.refundToAccount(moved, customer))
    }
    if (end.endsWith('waiting')) {
      ledger.post(flow.pullToSuspense(payment)).post(flow.pullFromSuspense(payment))
      return ledger.post(flow.unwindAfterConvert(payment)).post(flow.refundToRail(moved, 'ACH'))
    }
    if (end === 'waited') ledger.post(flow.pullToSuspense(payment)).post(flow.pullFromSuspense(payment))
    ledger.post(flow.deliverToInternalAccount(payment, toAccount))
    if (end === 'waited') return ledger
    const availableMinor = spend(ledger, payment.receivingCurrency, other, spent)
    const credited = { internalAccountId: other, owner: 'Customer:1', availableMinor }
    const left = ledger.balance(`avail:${platform}`, payment.sendingCurrency)
    const earned = { internalAccountId: platform, owner: 'PlatformConfig:1', availableMinor: left }
    return ledger.post(flow.pullReturnedAfterCredit(payment, { rail: 'ACH', credited, platform: earned }))
  }

  /** Takes up to `spent` out of an account and says what is left. */
  function spend(ledger: Ledger, currency: string, internalAccountId: string, spent: bigint): bigint {
    const available = ledger.balance(`avail:${internalAccountId}`, currency)
    const amountMinor = spent < available ? spent : available
    ledger.post(
      flow.debitPrefunded({ transactionId: 'Transaction:2', currency, amountMinor }, internalAccountId),
    )
    return available - amountMinor
  }
})
