import { parseRate } from '@corridor/kernel'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { crossRate, offlineSnapshot } from '../exchange-rates/index.ts'
import { type PricingInput, pricePayment } from '../quotes/index.ts'
import * as flow from './index.ts'
import { ledgerAccountRule, type Payment, type Posting } from './index.ts'

const snapshot = offlineSnapshot(0)
const transactionId = 'Transaction:1'
const customer = 'InternalAccount:customer'
const other = 'InternalAccount:other'
const platform = 'InternalAccount:platform'

/** A ledger that refuses what the real one refuses, posting by posting. */
class Ledger {
  readonly balances = new Map<string, bigint>()

  post(postings: readonly Posting[]): this {
    for (const { debit, credit, currency, amountMinor } of postings) {
      expect(amountMinor).toBeGreaterThan(0n)
      expect(debit).not.toBe(credit)
      for (const key of [debit, credit]) expect(ledgerAccountRule(key).currency ?? currency).toBe(currency)
      this.#move(debit, currency, -amountMinor)
      this.#move(credit, currency, amountMinor)
    }
    return this
  }

  #move(key: string, currency: string, amountMinor: bigint): void {
    const slot = `${key} ${currency}`
    const balance = (this.balances.get(slot) ?? 0n) + amountMinor
    if (ledgerAccountRule(key).mustNotGoNegative && balance < 0n) throw new Error(`${key} below zero`)
    this.balances.set(slot, balance)
  }

  balance(key: string, currency: string): bigint {
    return this.balances.get(`${key} ${currency}`) ?? 0n
  }

  /** Balances other than zero, as `key currency`: the end state of a worked example. */
  state(): Record<string, bigint> {
    return Object.fromEntries([...this.balances].filter(([, balance]) => balance !== 0n))
  }

  /** What a finished transaction still holds in accounts that must end empty. */
  leftOver(): string[] {
    return Object.keys(this.state()).filter((slot) => ledgerAccountRule(slot.split(' ')[0]!).mustEndEmpty)
  }

  sums(): Record<string, bigint> {
    const sums: Record<string, bigint> = {}
    for (const [slot, balance] of this.balances) {
      const currency = slot.split(' ')[1]!
      sums[currency] = (sums[currency] ?? 0n) + balance
    }
    return sums
  }
}

interface Priced {
  readonly pair: readonly [string, string]
  readonly lock?: PricingInput['lockedSide']
  readonly amount: bigint
  readonly serviceRate?: string
  readonly fixed?: bigint
  readonly network?: bigint
  readonly platformFee?: { readonly fixedMinor: bigint; readonly bps: number }
  readonly counterparty?: bigint
}

function paymentOf(priced: Priced): Payment {
  const [sendingCurrency, receivingCurrency] = priced.pair
  const result = pricePayment({
    lockedSide: priced.lock ?? 'SENDING',
    lockedAmountMinor: priced.amount,
    crossRate: crossRate(snapshot, { source: sendingCurrency, destination: receivingCurrency })!,
    serviceFee: {
      fixedMinor: priced.fixed ?? 0n,
      rate: priced.serviceRate ? parseRate(priced.serviceRate) : { numerator: 0n, denominator: 1n },
    },
    networkFeeMinor: priced.network ?? 0n,
    platformFee: priced.platformFee ?? { fixedMinor: 0n, bps: 0 },
    counterpartyFeeMinor: priced.counterparty ?? 0n,
  })
  if (!result.ok) throw new Error('priced')
  return { ...result.value, transactionId, sendingCurrency, receivingCurrency }
}

const sent = (payment: Payment) => ({
  transactionId,
  currency: payment.sendingCurrency,
  amountMinor: payment.sendingAmountMinor,
})

/** A ledger in which the customer owns `amountMinor`. */
const funded = (currency: string, amountMinor: bigint) =>
  new Ledger().post(
    flow.depositToAccount({ currency, amountMinor }, { rail: 'TEST', internalAccountId: customer }),
  )

const usdToEur = paymentOf({ pair: ['USD', 'EUR'], amount: 100_000n, serviceRate: '0.005' })

describe('the ledger end states of the worked examples', () => {
  it('16.1: fees and FX of USD, FX and rail of EUR', () => {
    const ledger = funded('USD', 250_000n)
      .post(flow.debitPrefunded(sent(usdToEur), customer))
      .post(flow.convert(usdToEur))
      .post(flow.deliverToRail(usdToEur, { rail: 'SEPA_INSTANT' }))
    expect(ledger.state()).toEqual({
      'rail:TEST:USD USD': -250_000n,
      [`avail:${customer} USD`]: 150_000n,
      'fee:USD USD': 500n,
      'fx:USD USD': 99_500n,
      'fx:EUR EUR': -85_570n,
      'rail:SEPA_INSTANT:EUR EUR': 85_570n,
    })
  })

  it('16.2: the rounding surplus of a receiving lock stays in FX', () => {
    const payment = paymentOf({
      pair: ['USD', 'VND'],
      lock: 'RECEIVING',
      amount: 3_000_000n,
      serviceRate: '0.005',
    })
    const ledger = funded('USD', 11_464n)
      .post(flow.debitPrefunded(sent(payment), customer))
      .post(flow.convert(payment))
      .post(flow.deliverToRail(payment, { rail: 'BANK_TRANSFER' }))
    expect(ledger.balance('fx:VND', 'VND')).toBe(-3_000_000n)
    expect(ledger.balance('fx:USD', 'USD')).toBe(11_407n)
  })

  const withPlatformFee = paymentOf({
    pair: ['USD', 'MXN'],
    amount: 20_000n,
    serviceRate: '0.005',
    platformFee: { fixedMinor: 50n, bps: 30 },
  })

  it('16.3: the platform earns its fee at completion, not before', () => {
    const ledger = funded('USD', 20_000n)
      .post(flow.debitPrefunded(sent(withPlatformFee), customer))
      .post(flow.convert(withPlatformFee))
    expect(ledger.balance(`avail:${platform}`, 'USD')).toBe(0n)
    ledger.post(flow.deliverToRail(withPlatformFee, { rail: 'SPEI', platformAccountId: platform }))
    expect(ledger.balance(`avail:${platform}`, 'USD')).toBe(110n)
    expect(ledger.leftOver()).toEqual([])
  })

  it('16.3: and never earns it when the payout fails', () => {
    const ledger = funded('USD', 20_000n)
    const before = ledger.state()
    ledger
      .post(flow.debitPrefunded(sent(withPlatformFee), customer))
      .post(flow.convert(withPlatformFee))
      .post(flow.unwindAfterConvert(withPlatformFee))
      .post(flow.refundToAccount(sent(withPlatformFee), customer))
    expect(ledger.state()).toEqual(before)
  })

  it('16.5: the counterparty fee of a UMA payment', () => {
    const payment = paymentOf({
      pair: ['USD', 'EUR'],
      amount: 10_000n,
      serviceRate: '0.003',
      fixed: 10n,
      counterparty: 9n,
    })
    const ledger = funded('USD', 10_000n)
      .post(flow.debitPrefunded(sent(payment), customer))
      .post(flow.convert(payment))
      .post(flow.deliverToRail(payment, { rail: 'UMA' }))
    expect(ledger.state()).toEqual({
      'rail:TEST:USD USD': -10_000n,
      'fee:USD USD': 40n,
      'fx:USD USD': 9_960n,
      'fx:EUR EUR': -8_565n,
      'cpfee:EUR EUR': 9n,
      'rail:UMA:EUR EUR': 8_556n,
    })
  })

  it('16.6: an awaited amount paid in dollars or in dollar coins, and a wrong amount of either', () => {
    const payment = paymentOf({
      pair: ['USD', 'BTC'],
      lock: 'RECEIVING',
      amount: 100_000n,
      serviceRate: '0.005',
    })
    const finish = (ledger: Ledger) =>
      ledger.post(flow.convert(payment)).post(flow.deliverToRail(payment, { rail: 'SPARK' }))
    const inFiat = finish(new Ledger().post(flow.realtimeReceipt(sent(payment), 'RTP')))
    expect(inFiat.balance('rail:RTP:USD', 'USD')).toBe(-9_548n)
    expect(inFiat.balance('rail:SPARK:BTC', 'BTC')).toBe(100_000n)
    const received = { currency: 'USDC', amountMinor: 95_480_000n }
    const inCoins = finish(
      new Ledger().post(flow.realtimeReceiptInStablecoin(sent(payment), { received, rail: 'SOLANA' })),
    )
    expect(inCoins.state()).toMatchObject({
      'rail:SOLANA:USDC USDC': -95_480_000n,
      'fx:USDC USDC': 95_480_000n,
    })
    expect(inCoins.balance('fx:USD', 'USD')).toBe(9_500n - 9_548n)

    const wrong = { transactionId, currency: 'USD', amountMinor: 9_000n }
    const returned = new Ledger()
      .post(flow.wrongAmountReceipt(wrong, 'RTP'))
      .post(flow.refundToRail(wrong, 'RTP'))
    expect(returned.state()).toEqual({})
    const wrongCoins = { transactionId, currency: 'USDC', amountMinor: 90_000_000n }
    const credited = new Ledger()
      .post(flow.wrongAmountReceipt(wrongCoins, 'SOLANA'))
      .post(flow.refundToAccount(wrongCoins, customer))
    expect(credited.balance(`avail:${customer}`, 'USDC')).toBe(90_000_000n)
    expect(credited.leftOver()).toEqual([])
  })

  it('16.7: a return leaves everything as before the payment', () => {
    const payment = paymentOf({ pair: ['BTC', 'USD'], amount: 1_000_000n, serviceRate: '0.005' })
    const ledger = funded('BTC', 2_000_000n)
    const before = ledger.state()
    ledger
      .post(flow.debitPrefunded(sent(payment), customer))
      .post(flow.convert(payment))
      .post(flow.deliverToRail(payment, { rail: 'RTP' }))
      .post(flow.returnAfterCompletion(payment, { rail: 'RTP' }))
      .post(flow.refundToAccount(sent(payment), customer))
    expect(ledger.state()).toEqual(before)
  })

  it('16.8: when the refund fails too, the money waits in suspense', () => {
    const payment = paymentOf({ pair: ['USD', 'MXN'], amount: 30_000n, serviceRate: '0.005' })
    const ledger = funded('USD', 30_000n)
      .post(flow.debitPrefunded(sent(payment), customer))
      .post(flow.convert(payment))
      .post(flow.unwindAfterConvert(payment))
      .post(flow.refundToSuspense(sent(payment)))
    expect(ledger.state()).toEqual({ 'rail:TEST:USD USD': -30_000n, 'susp:USD USD': 30_000n })
    ledger.post(flow.suspenseToAccount({ currency: 'USD', amountMinor: 30_000n }, customer))
    expect(ledger.balance(`avail:${customer}`, 'USD')).toBe(30_000n)
  })

  it('16.11: a pull never touches internal balances, until its refund', () => {
    const payment = paymentOf({ pair: ['USD', 'BRL'], amount: 40_000n, serviceRate: '0.005' })
    const pulled = () => new Ledger().post(flow.pullSettled(sent(payment), 'ACH')).post(flow.convert(payment))
    expect(
      pulled()
        .post(flow.deliverToRail(payment, { rail: 'PIX' }))
        .state(),
    ).toEqual({
      'rail:ACH:USD USD': -40_000n,
      'fee:USD USD': 200n,
      'fx:USD USD': 39_800n,
      'fx:BRL BRL': -212_930n,
      'rail:PIX:BRL BRL': 212_930n,
    })
    const failed = pulled()
      .post(flow.unwindAfterConvert(payment))
      .post(flow.refundToAccount(sent(payment), customer))
    expect(failed.state()).toEqual({ 'rail:ACH:USD USD': -40_000n, [`avail:${customer} USD`]: 40_000n })
  })

  it('16.15: a hold lowers the balance but not the total, and an expired one restores it', () => {
    const held = { currency: 'EUR', amountMinor: 20_000n }
    const ledger = funded('EUR', 50_000n).post(flow.hold(held, customer))
    const balances = () => [
      ledger.balance(`avail:${customer}`, 'EUR'),
      ledger.balance(`held:${customer}`, 'EUR'),
    ]
    expect(balances()).toEqual([30_000n, 20_000n])
    ledger.post(flow.captureHold({ transactionId, ...held }, customer))
    expect(balances()).toEqual([30_000n, 0n])
    ledger.post(flow.hold(held, customer))
    expect(balances()).toEqual([10_000n, 20_000n])
    ledger.post(flow.releaseHold(held, customer))
    expect(balances()).toEqual([30_000n, 0n])
  })
})

describe('money from outside', () => {
  it('splits the network fee of an on-chain payout, and takes it back when the payout fails', () => {
    const payment = paymentOf({ pair: ['USDC', 'USDC'], amount: 1_000_000n, network: 5_000n })
    const ledger = funded('USDC', 1_000_000n)
      .post(flow.debitPrefunded(sent(payment), customer))
      .post(flow.convert(payment))
    expect(ledger.balance('netfee:USDC', 'USDC')).toBe(5_000n)
    const failed = flow.unwindAfterConvert(payment)
    expect(failed.filter((row) => row.debit === 'netfee:USDC')).toHaveLength(1)
    ledger.post(flow.deliverToRail(payment, { rail: 'SOLANA' }))
    expect(ledger.balance('rail:SOLANA:USDC', 'USDC')).toBe(995_000n)
    expect(ledger.leftOver()).toEqual([])
  })

  it('keeps the dust of a stablecoin deposit in FX', () => {
    const received = { currency: 'USDC', amountMinor: 1_239_999n }
    const ledger = new Ledger().post(
      flow.depositStablecoinToUsdAccount(
        { received, creditedUsdMinor: 123n },
        { rail: 'SOLANA', internalAccountId: customer },
      ),
    )
    expect(ledger.state()).toEqual({
      'rail:SOLANA:USDC USDC': -1_239_999n,
      'fx:USDC USDC': 1_239_999n,
      'fx:USD USD': -123n,
      [`avail:${customer} USD`]: 123n,
    })
  })

  it('shows a deposit under review as pending until it is cleared or sent back', () => {
    const received = { transactionId, currency: 'EUR', amountMinor: 700n }
    const review = () =>
      new Ledger().post(flow.depositUnderReview(received, { rail: 'SEPA', internalAccountId: customer }))
    expect(review().balance(`pend:${customer}`, 'EUR')).toBe(700n)
    expect(review().post(flow.reviewCleared(received, customer)).balance(`avail:${customer}`, 'EUR')).toBe(
      700n,
    )
    const refused = review()
      .post(flow.reviewRefused(received, customer))
      .post(flow.refundToRail(received, 'SEPA'))
    expect(refused.state()).toEqual({})
  })

  it('routes money for an expired payment through suspense into a refund', () => {
    const received = { transactionId, currency: 'USD', amountMinor: 9_548n }
    const ledger = new Ledger().post(flow.receiptAfterExpiry(received, 'RTP'))
    expect(ledger.balance(`refund:${transactionId}:USD`, 'USD')).toBe(9_548n)
    expect(ledger.post(flow.refundToRail(received, 'RTP')).state()).toEqual({})
    const stray = new Ledger().post(flow.depositToSuspense(received, 'RTP'))
    expect(stray.post(flow.suspenseToRail(received, 'RTP')).state()).toEqual({})
  })

  it('credits an incoming UMA payment less the fee of the service', () => {
    const received = { transactionId, currency: 'USD', amountMinor: 5_000n, serviceFeeMinor: 20n }
    const ledger = new Ledger().post(
      flow.umaReceiptToAccount(received, { rail: 'UMA', internalAccountId: customer }),
    )
    expect(ledger.state()).toEqual({
      'rail:UMA:USD USD': -5_000n,
      'fee:USD USD': 20n,
      [`avail:${customer} USD`]: 4_980n,
    })
  })

  it('bears the routing cost of a Lightning payout', () => {
    expect(new Ledger().post(flow.bearRoutingCost('LIGHTNING', 12n)).state()).toEqual({
      'fx:BTC BTC': -12n,
      'rail:LIGHTNING:BTC BTC': 12n,
    })
    expect(flow.bearRoutingCost('LIGHTNING', 0n)).toEqual([])
  })
})

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
      const open = { currency, amountMinor: 2_000n }
      ledger
        .post(flow.depositToAccount(open, { rail: 'TEST', internalAccountId: customer }))
        .post(flow.recoverReceivable(open, credited))
        .post(flow.writeOffReceivable({ currency, amountMinor: 3_000n }, 'Customer:1'))
      expect(ledger.balance(`recv:Customer:1:${currency}`, currency)).toBe(0n)
      expect(ledger.balance(`loss:${currency}`, currency)).toBe(-3_000n)
    }
  })

  it('stop when a fee has no account to come from', () => {
    expect(() => flow.returnAfterCompletion(converted, { rail: 'RTP' })).toThrow('assertion failed')
    expect(() => flow.deliverToRail(converted, { rail: 'RTP' })).toThrow('assertion failed')
  })
})

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
      { numRuns: 2_000 },
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
    ledger.post(flow.deliverToInternalAccount(payment, toAccount))
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

describe('postings', () => {
  it('leave out amounts of zero', () => {
    const plain = paymentOf({ pair: ['USD', 'USD'], amount: 12_550n })
    expect(flow.convert(plain)).toEqual([])
    expect(flow.unwindAfterConvert(plain)).toHaveLength(1)
    expect(flow.debitPrefunded({ transactionId, currency: 'USD', amountMinor: 0n }, customer)).toEqual([])
  })

  it('stop on amounts that do not add up', () => {
    expect(() => flow.convert({ ...usdToEur, netConvertedMinor: 1n })).toThrow('assertion failed')
    const plain = paymentOf({ pair: ['USD', 'USD'], amount: 100n })
    expect(() => flow.convert({ ...plain, receivingAmountMinor: 99n })).toThrow('assertion failed')
    expect(() => flow.debitPrefunded({ transactionId, currency: 'USD', amountMinor: -1n }, customer)).toThrow(
      'assertion failed',
    )
  })
})
