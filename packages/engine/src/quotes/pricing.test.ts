import { one, parseRate, rate, toDecimal, toWireAmount } from '@corridor/kernel'
import { describe, expect, it, test } from 'vitest'
import { bitcoinPrice, crossRate, offlineSnapshot, quoteExchangeRate } from '../exchange-rates/index.ts'
import { chooseFees, freeRate, type PricedDestination } from './fee-schedule.ts'
import { type Pricing, type PricingInput, priceForward, pricePayment } from './pricing.ts'
import { renderRateDetails } from './rate-details.ts'

const snapshot = offlineSnapshot(0)

/** One priced payment at the offline rates and default fees, in the words of accounts 16. */
interface Example {
  readonly title: string
  readonly pair: readonly [source: string, destination: string]
  readonly lock: PricingInput['lockedSide']
  readonly amount: bigint
  readonly platform?: { readonly fixedMinor: bigint; readonly bps: number }
  readonly to?: PricedDestination
  readonly is: Readonly<Partial<Pricing>>
  readonly exchangeRate?: string
}

function inputOf({ pair: [source, destination], lock, amount, platform, to }: Example): PricingInput {
  const cross = (from: string, into: string) => crossRate(snapshot, { source: from, destination: into })!
  const terms = chooseFees({
    sendingCurrency: source,
    receivingCurrency: destination,
    destination: to ?? { kind: 'ACCOUNT' },
    crossRate: cross(source, destination),
    sendingPerUsdMinor: cross('USD', source),
    receivingPerUsdMinor: cross('USD', destination),
  })
  const platformFee = platform ?? { fixedMinor: 0n, bps: 0 }
  const crossed = cross(source, destination)
  return { ...terms, platformFee, crossRate: crossed, lockedSide: lock, lockedAmountMinor: amount }
}

const standing = { fixedMinor: 50n, bps: 30 }
const uma: PricedDestination = { kind: 'UMA' }
const solana: PricedDestination = { kind: 'ON_CHAIN', network: 'SOLANA' }

const examples: readonly Example[] = [
  {
    title: '16.1 USD to EUR',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 100_000n,
    is: {
      sendingAmountMinor: 100_000n,
      receivingAmountMinor: 85_570n,
      serviceVariableMinor: 500n,
      netConvertedMinor: 99_500n,
      feesIncludedMinor: 500n,
      platformFeesIncludedMinor: 0n,
    },
    exchangeRate: '1.1627907',
  },
  {
    title: '16.2 receiving locked',
    pair: ['USD', 'EUR'],
    lock: 'RECEIVING',
    amount: 92_000n,
    is: {
      sendingAmountMinor: 107_515n,
      receivingAmountMinor: 92_000n,
      netConvertedMinor: 106_977n,
      feesIncludedMinor: 538n,
      fxSurplusMinor: 0n,
    },
  },
  {
    title: '16.2 a currency without decimals, whose surplus stays with the FX position',
    pair: ['USD', 'VND'],
    lock: 'RECEIVING',
    amount: 3_000_000n,
    is: {
      sendingAmountMinor: 11_464n,
      receivingAmountMinor: 3_000_000n,
      netConvertedMinor: 11_407n,
      grossReceivingMinor: 3_000_041n,
      fxSurplusMinor: 41n,
      feesIncludedMinor: 57n,
    },
    exchangeRate: '0.000038022814',
  },
  {
    title: '16.3 standing platform fee',
    pair: ['USD', 'MXN'],
    lock: 'SENDING',
    amount: 20_000n,
    platform: standing,
    is: {
      serviceVariableMinor: 100n,
      platformFixedMinor: 50n,
      platformVariableMinor: 60n,
      netConvertedMinor: 19_790n,
      receivingAmountMinor: 360_178n,
      feesIncludedMinor: 210n,
      platformFeesIncludedMinor: 110n,
    },
    exchangeRate: '0.054945055',
  },
  {
    title: '16.3 platform fee overridden with nothing',
    pair: ['USD', 'MXN'],
    lock: 'SENDING',
    amount: 20_000n,
    platform: { fixedMinor: 0n, bps: 0 },
    is: { receivingAmountMinor: 362_180n, feesIncludedMinor: 100n, platformFeesIncludedMinor: 0n },
  },
  {
    title: '16.3 ten dollars at the standing fee',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 1_000n,
    platform: standing,
    is: {
      serviceVariableMinor: 5n,
      platformVariableMinor: 3n,
      netConvertedMinor: 942n,
      receivingAmountMinor: 810n,
    },
  },
  {
    title: '16.4 half a centavo is rounded down',
    pair: ['USD', 'PHP'],
    lock: 'SENDING',
    amount: 15_000n,
    is: { netConvertedMinor: 14_925n, receivingAmountMinor: 873_112n, feesIncludedMinor: 75n },
    exchangeRate: '0.017094017',
  },
  {
    title: '16.5 UMA outgoing',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 10_000n,
    to: uma,
    is: {
      serviceFixedMinor: 10n,
      serviceVariableMinor: 30n,
      netConvertedMinor: 9_960n,
      grossReceivingMinor: 8_565n,
      counterpartyFeeMinor: 9n,
      receivingAmountMinor: 8_556n,
      feesIncludedMinor: 50n,
    },
    exchangeRate: '1.1627907',
  },
  {
    title: '16.6 on-ramp, receiving locked',
    pair: ['USD', 'BTC'],
    lock: 'RECEIVING',
    amount: 100_000n,
    is: {
      sendingAmountMinor: 9_548n,
      receivingAmountMinor: 100_000n,
      netConvertedMinor: 9_500n,
      feesIncludedMinor: 48n,
    },
    exchangeRate: '95000',
  },
  {
    title: '16.7 off-ramp',
    pair: ['BTC', 'USD'],
    lock: 'SENDING',
    amount: 1_000_000n,
    is: { serviceVariableMinor: 5_000n, netConvertedMinor: 995_000n, receivingAmountMinor: 94_525n },
    exchangeRate: '0.000010526316',
  },
  {
    title: '16.8 USD to MXN',
    pair: ['USD', 'MXN'],
    lock: 'SENDING',
    amount: 30_000n,
    is: { serviceVariableMinor: 150n, netConvertedMinor: 29_850n, receivingAmountMinor: 543_270n },
  },
  {
    title: '16.9 USD to GBP',
    pair: ['USD', 'GBP'],
    lock: 'SENDING',
    amount: 50_000n,
    is: { serviceVariableMinor: 250n, netConvertedMinor: 49_750n, receivingAmountMinor: 37_561n },
  },
  {
    title: '16.10 a pull into an account of the same currency is free',
    pair: ['USD', 'USD'],
    lock: 'SENDING',
    amount: 12_550n,
    is: { receivingAmountMinor: 12_550n, feesIncludedMinor: 0n, fxSurplusMinor: 0n },
    exchangeRate: '1',
  },
  {
    title: '16.11 pull-sourced USD to BRL',
    pair: ['USD', 'BRL'],
    lock: 'SENDING',
    amount: 40_000n,
    is: { serviceVariableMinor: 200n, netConvertedMinor: 39_800n, receivingAmountMinor: 212_930n },
  },
  {
    title: '16.16 price list row',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 10_000n,
    is: { netConvertedMinor: 9_950n, receivingAmountMinor: 8_557n, feesIncludedMinor: 50n },
  },
  {
    title: '16.16 price list row with the platform fee',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 10_000n,
    platform: standing,
    is: {
      platformVariableMinor: 30n,
      netConvertedMinor: 9_870n,
      receivingAmountMinor: 8_488n,
      feesIncludedMinor: 130n,
    },
  },
  {
    title: '16.16 stablecoin withdrawal with its network fee',
    pair: ['USD', 'USDC'],
    lock: 'SENDING',
    amount: 20_000n,
    to: solana,
    is: {
      serviceVariableMinor: 20n,
      networkFeeMinor: 1n,
      netConvertedMinor: 19_979n,
      receivingAmountMinor: 199_790_000n,
      feesIncludedMinor: 21n,
    },
    exchangeRate: '1',
  },
  {
    title: 'a withdrawal of the asset held costs the network fee only',
    pair: ['USDC', 'USDC'],
    lock: 'SENDING',
    amount: 1_000_000n,
    to: solana,
    is: { serviceVariableMinor: 0n, networkFeeMinor: 5_000n, receivingAmountMinor: 995_000n },
  },
  {
    title: 'UMA in one currency',
    pair: ['USD', 'USD'],
    lock: 'RECEIVING',
    amount: 10_000n,
    to: uma,
    is: {
      sendingAmountMinor: 10_050n,
      serviceVariableMinor: 30n,
      counterpartyFeeMinor: 10n,
      feesIncludedMinor: 50n,
    },
  },
  {
    title: 'a real UMA peer names its own fee',
    pair: ['USD', 'EUR'],
    lock: 'SENDING',
    amount: 10_000n,
    to: { kind: 'UMA', peerFeeMinor: 0n },
    is: { counterpartyFeeMinor: 0n, receivingAmountMinor: 8_565n, feesIncludedMinor: 40n },
  },
  {
    title: 'a zero-rounded variable fee is a fee of nothing',
    pair: ['USD', 'VND'],
    lock: 'SENDING',
    amount: 1n,
    is: { serviceVariableMinor: 0n, receivingAmountMinor: 263n, feesIncludedMinor: 0n },
  },
]

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
      { serviceFee: { fixedMinor: 0n, rate: freeRate }, platformFee: { fixedMinor: 0n, bps: 10 } },
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

describe('renderRateDetails', () => {
  const detailsOf = (example: Example) => {
    const input = inputOf(example)
    const priced = pricePayment(input)
    if (!priced.ok) throw new Error('priced')
    const [source, destination] = example.pair
    return renderRateDetails({
      pricing: priced.value,
      serviceRate: input.serviceFee.rate,
      sendingBitcoinPrice: bitcoinPrice(snapshot, source)!,
      receivingBitcoinPrice: bitcoinPrice(snapshot, destination)!,
    })
  }

  it('explains 16.1 with twelve significant digits', () => {
    expect(detailsOf(examples[0]!)).toEqual({
      counterpartyMultiplier: 0.0000817,
      counterpartyFixedFee: 0,
      gridApiMultiplier: 10473.6842105,
      gridApiFixedFee: 0,
      gridApiVariableFeeRate: 0.005,
      gridApiVariableFeeAmount: 500,
    })
  })

  it('explains 16.5 with the fixed fees of both institutions', () => {
    expect(detailsOf(examples.find((example) => example.to === uma)!)).toMatchObject({
      counterpartyFixedFee: 9,
      gridApiFixedFee: 10,
      gridApiVariableFeeRate: 0.003,
      gridApiVariableFeeAmount: 30,
    })
  })

  test.each(examples.filter((example) => !example.platform && example.lock === 'SENDING'))(
    'leads from S to R: $title',
    (example) => {
      const details = detailsOf(example)
      const { sendingAmountMinor, receivingAmountMinor } = example.is
      const sent = toWireAmount(sendingAmountMinor ?? example.amount) - details.gridApiFixedFee
      const led =
        sent * details.gridApiMultiplier * details.counterpartyMultiplier - details.counterpartyFixedFee
      const x = inputOf(example).crossRate
      // Within a receiving unit, or what one rounded sending unit is worth.
      const unit = Math.max(1, Number(toDecimal(x.numerator, x.denominator)))
      expect(Math.abs(led - toWireAmount(receivingAmountMinor!))).toBeLessThanOrEqual(unit + 1e-3)
    },
  )
})
