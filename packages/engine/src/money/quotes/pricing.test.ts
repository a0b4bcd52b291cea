import { one, parseRate, rate } from '@corridor/kernel'
import { describe, expect, it, test } from 'vitest'
import { quoteExchangeRate } from '../../reference/rates/index.ts'
import { type PricingInput, priceForward, pricePayment } from './pricing.ts'
import { type Example, examples, inputOf, standing, uma } from './worked-examples.ts'

describe('the worked examples', () => {
  test.each(examples)('$title', (example) => {
    const input = inputOf(example)
    const priced = pricePayment(input)
    expect(priced).toMatchObject({ ok: true, value: example.is })
    if (example.exchangeRate) {
      const [source, destination] = example.pair
      expect(quoteExchangeRate(input.crossRate, { source, destination })).toBe(example.exchangeRate)
    }
  })

  it('gives 50.00 at 10 bps in one currency for 50.05', () => {
    const terms = { crossRate: one, networkFeeMinor: 0n, counterpartyFeeMinor: 0n }
    for (const fees of [
      { serviceFee: { fixedMinor: 0n, rate: parseRate('0.001') }, platformFee: { fixedMinor: 0n, bps: 0 } },
      {
        serviceFee: { fixedMinor: 0n, rate: { numerator: 0n, denominator: 1n } },
        platformFee: { fixedMinor: 0n, bps: 10 },
      },
    ]) {
      expect(
        pricePayment({ ...terms, ...fees, lockedSide: 'RECEIVING', lockedAmountMinor: 5_000n }),
      ).toMatchObject({
        ok: true,
        value: { sendingAmountMinor: 5_005n, receivingAmountMinor: 5_000n, feesIncludedMinor: 5n },
      })
    }
  })
})

describe('refusals', () => {
  const usdToEur: Example = { title: '', pair: ['USD', 'EUR'], lock: 'SENDING', amount: 0n, is: {} }
  test.each<[string, Partial<Example>]>([
    ['nothing left to convert', { amount: 50n, platform: standing }],
    ['fixed fees above the amount', { amount: 10n, platform: standing }],
    ['less than one receiving unit', { pair: ['VND', 'USD'], amount: 100n }],
    ['the counterparty fee eats the rest', { amount: 21n, to: uma }],
    ['all of it to the platform', { amount: 1_000n, platform: { fixedMinor: 0n, bps: 10_000 } }],
    [
      'no sending amount is enough when the variable fees reach the whole',
      { lock: 'RECEIVING', amount: 1n, platform: { fixedMinor: 0n, bps: 9_950 } },
    ],
    ['nor when they exceed it', { lock: 'RECEIVING', amount: 1n, platform: { fixedMinor: 0n, bps: 10_000 } }],
  ])('%s', (_title, example) => {
    expect(pricePayment(inputOf({ ...usdToEur, ...example }))).toEqual({
      ok: false,
      failure: 'AMOUNT_OUT_OF_RANGE',
    })
  })

  test.each<[string, Partial<Example>]>([
    ['one unit more than the fixed fee', { amount: 52n, platform: standing }],
    ['exactly one receiving unit', { pair: ['VND', 'USD'], amount: 265n }],
    ['one unit after the counterparty fee', { amount: 22n, to: uma }],
    [
      'variable fees just below the whole',
      { lock: 'RECEIVING', amount: 1n, platform: { fixedMinor: 0n, bps: 9_949 } },
    ],
  ])('but prices %s', (_title, example) => {
    expect(pricePayment(inputOf({ ...usdToEur, ...example })).ok).toBe(true)
  })

  it('stops on terms only a bug can produce', () => {
    const input = inputOf({ ...usdToEur, amount: 1_000n })
    const wrong: Partial<PricingInput>[] = [
      { lockedAmountMinor: 0n },
      { networkFeeMinor: -1n },
      { counterpartyFeeMinor: -1n },
      { platformFee: { fixedMinor: 0n, bps: 10_001 } },
      { platformFee: { fixedMinor: 0n, bps: 0.5 } },
      { platformFee: { fixedMinor: -1n, bps: 0 } },
    ]
    for (const part of wrong) {
      expect(() => pricePayment({ ...input, ...part })).toThrow('assertion failed')
    }
  })
})

describe('priceForward', () => {
  it('shows what the fees would be even when they eat the amount', () => {
    const terms = inputOf({
      title: '',
      pair: ['USD', 'EUR'],
      lock: 'SENDING',
      amount: 1n,
      platform: standing,
      is: {},
    })
    const pricing = priceForward(30n, terms)
    expect(pricing.feesIncludedMinor).toBe(50n)
    expect(pricing.receivingAmountMinor).toBeLessThan(0n)
  })

  it('dips by one unit when two fees round up together, which is why the search steps', () => {
    const terms = {
      crossRate: one,
      serviceFee: { fixedMinor: 0n, rate: rate(1n, 2n) },
      networkFeeMinor: 0n,
      platformFee: { fixedMinor: 0n, bps: 2_500 },
      counterpartyFeeMinor: 0n,
    }
    const nets = [1n, 2n, 3n, 4n, 5n, 6n].map((amount) => priceForward(amount, terms).netConvertedMinor)
    expect(nets).toEqual([0n, 0n, 0n, 1n, 1n, 1n])
    const falls = Array.from({ length: 200 }, (_, index) => BigInt(index + 1)).filter(
      (amount) =>
        priceForward(amount, { ...terms, platformFee: { fixedMinor: 1n, bps: 2_500 } }).netConvertedMinor <
        priceForward(amount - 1n, { ...terms, platformFee: { fixedMinor: 1n, bps: 2_500 } })
          .netConvertedMinor,
    )
    expect(falls.length).toBeGreaterThan(0)
  })
})
