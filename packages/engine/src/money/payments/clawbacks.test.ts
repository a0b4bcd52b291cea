import { customer, funded, Ledger, paymentOf, platform, sent } from '@corridor/testkit/model-ledger.ts'
import { describe, expect, it, test } from 'vitest'
import * as clawbacks from './clawbacks.ts'
import * as postings from './postings.ts'
import * as receipts from './receipts.ts'

const flow = { ...clawbacks, ...postings, ...receipts }

describe('clawbacks', () => {
  const fees = { serviceRate: '0.005', platformFee: { fixedMinor: 50n, bps: 30 }, counterparty: 9n }
  const converted = paymentOf({ pair: ['USD', 'EUR'], amount: 20_000n, ...fees })
  const unconverted = paymentOf({ pair: ['USD', 'USD'], amount: 20_000n, ...fees })
  const owner = 'PlatformConfig:1'

  // The platform earned 110 and may have spent some of it.
  test.each([
    [110n, 0n],
    [200n, 0n],
    [30n, -80n],
    [0n, -110n],
  ])('take the fee of the platform, of which %d is left: receivable %d', (availableMinor, receivable) => {
    for (const payment of [converted, unconverted]) {
      const ledger = funded('USD', 20_000n)
        .post(flow.debitPrefunded(sent(payment), customer))
        .post(flow.convert(payment))
        .post(flow.deliverToRail(payment, { rail: 'RTP', platformAccountId: platform }))
      const spent = 110n - availableMinor
      const elsewhere = { currency: 'USD', amountMinor: spent < 0n ? -spent : spent }
      const deposit = { rail: 'TEST', internalAccountId: platform }
      ledger.post(
        spent < 0n
          ? flow.depositToAccount(elsewhere, deposit)
          : flow.debitPrefunded({ transactionId: 'Transaction:2', ...elsewhere }, platform),
      )
      const source = { internalAccountId: platform, owner, availableMinor }
      ledger
        .post(flow.returnAfterCompletion(payment, { rail: 'RTP', platform: source }))
        .post(flow.refundToAccount(sent(payment), customer))
      expect(ledger.balance(`avail:${customer}`, 'USD')).toBe(20_000n)
      expect(ledger.balance(`recv:${owner}:USD`, 'USD')).toBe(receivable)
      expect(ledger.balance(`rail:RTP:${payment.receivingCurrency}`, payment.receivingCurrency)).toBe(0n)
      expect(ledger.leftOver().filter((slot) => !slot.includes('Transaction:2'))).toEqual([])
      // The counterparty keeps its fee: that is the loss.
      if (payment === converted) expect(ledger.balance('fx:EUR', 'EUR')).toBe(-9n)
      else expect(ledger.balance('loss:USD', 'USD')).toBe(-9n)
    }
  })

  it('undo a pull that bounces after its credit, as far as the money is still there', () => {
    for (const payment of [
      paymentOf({ pair: ['USD', 'EUR'], amount: 20_000n, serviceRate: '0.005' }),
      paymentOf({ pair: ['USD', 'USD'], amount: 20_000n }),
    ]) {
      const currency = payment.receivingCurrency
      const ledger = new Ledger()
        .post(flow.pullSettled(sent(payment), 'ACH'))
        .post(flow.convert(payment))
        .post(flow.deliverToInternalAccount(payment, { internalAccountId: customer }))
        .post(
          flow.debitPrefunded({ transactionId: 'Transaction:2', currency, amountMinor: 5_000n }, customer),
        )
      const availableMinor = payment.receivingAmountMinor - 5_000n
      const credited = { internalAccountId: customer, owner: 'Customer:1', availableMinor }
      ledger.post(flow.pullReturnedAfterCredit(payment, { rail: 'ACH', credited }))
      expect(ledger.state()).toEqual({
        [`recv:Customer:1:${currency} ${currency}`]: -5_000n,
        [`txn:Transaction:2:${currency} ${currency}`]: 5_000n,
      })
    }
  })

  it('never take more than there is from an account that was credited and earned the fee', () => {
    const payment = paymentOf({ pair: ['USD', 'USD'], amount: 20_000n, ...fees })
    for (const availableMinor of [
      0n,
      50n,
      payment.receivingAmountMinor,
      payment.receivingAmountMinor + 30n,
    ]) {
      const source = { internalAccountId: platform, owner, availableMinor }
      const postings = flow.pullReturnedAfterCredit(payment, {
        rail: 'ACH',
        credited: source,
        platform: source,
      })
      const taken = postings
        .filter(({ debit }) => debit === `avail:${platform}`)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      expect(taken).toBe(availableMinor)
    }
  })

  it('stop when a fee has no account to come from', () => {
    expect(() => flow.returnAfterCompletion(converted, { rail: 'RTP' })).toThrow('assertion failed')
    expect(() => flow.deliverToRail(converted, { rail: 'RTP' })).toThrow('assertion failed')
  })
})
