import {
  customer,
  funded,
  Ledger,
  paymentOf,
  platform,
  sent,
  transactionId,
} from '@corridor/testkit/model-ledger.ts'
import { describe, expect, it } from 'vitest'
import * as clawbacks from './clawbacks.ts'
import * as postings from './postings.ts'
import * as receipts from './receipts.ts'

const flow = { ...clawbacks, ...postings, ...receipts }

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
    const held = { transactionId, currency: 'EUR', amountMinor: 20_000n }
    const ledger = funded('EUR', 50_000n).post(flow.hold(held, customer))
    const balances = () => [
      ledger.balance(`avail:${customer}`, 'EUR'),
      ledger.held.get(`avail:${customer} EUR`),
    ]
    expect(balances()).toEqual([30_000n, 20_000n])
    ledger.post(flow.captureHold(held, customer))
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
