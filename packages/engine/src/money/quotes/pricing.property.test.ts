import { divideRates, mulDivHalfUp, one, type Rate, rate } from '@corridor/kernel'
import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencies } from '../../reference/currencies/index.ts'
import { crossRate, offlineSnapshot } from '../../reference/rates/index.ts'
import { type Pricing, type PricingInput, priceForward, pricePayment } from './pricing.ts'

/** Random cases of amount, pair, fees and lock. */
const caseCount = effort(20_000, 1_000_000)

const snapshot = offlineSnapshot(0)
const codes = fc.constantFrom(...currencies.map((record) => record.code))

/** Rates of the table, and arbitrary ones up to a million either way. */
const crossRates: fc.Arbitrary<Rate> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(codes, codes)
      .map(([source, destination]) => crossRate(snapshot, { source, destination })!),
  },
  { weight: 1, arbitrary: fc.constant(one) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }))
      .map(([numerator, denominator]) => rate(BigInt(numerator), BigInt(denominator))),
  },
)

/** Every order of magnitude up to the largest amount the API accepts. */
const amounts = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9_000_000 }))
  .map(([magnitude, digits]) => {
    const amount = (BigInt(digits) * 10n ** BigInt(magnitude)) / 1_000_000n
    return amount > 0n ? amount : 1n
  })

/** r from nothing to 12 %, in thousandths of a percent and in sevenths that never end. */
const serviceRates: fc.Arbitrary<Rate> = fc.oneof(
  fc
    .integer({ min: 0, max: 12_000 })
    .map((numerator) => ({ numerator: BigInt(numerator), denominator: 100_000n })),
  fc.integer({ min: 0, max: 80 }).map((numerator) => ({ numerator: BigInt(numerator), denominator: 700n })),
)
const fixedFees = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0, max: 1_000_000 }),
)
const platformBps = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 0, max: 8_000 }),
)

const cases: fc.Arbitrary<PricingInput> = fc
  .tuple(
    fc.boolean(),
    amounts,
    crossRates,
    serviceRates,
    platformBps,
    fc.tuple(fixedFees, fixedFees, fixedFees, fixedFees),
  )
  .map(
    ([
      isSending,
      lockedAmountMinor,
      cross,
      serviceRate,
      bps,
      [service, network, platform, counterparty],
    ]) => ({
      lockedSide: isSending ? 'SENDING' : 'RECEIVING',
      lockedAmountMinor,
      crossRate: cross,
      serviceFee: { fixedMinor: BigInt(service), rate: serviceRate },
      networkFeeMinor: BigInt(network),
      platformFee: { fixedMinor: BigInt(platform), bps },
      counterpartyFeeMinor: BigInt(counterparty),
    }),
  )

const reaches = (sendingAmountMinor: bigint, input: PricingInput) =>
  priceForward(sendingAmountMinor, input).receivingAmountMinor >= input.lockedAmountMinor

/** What is wrong with a price, or undefined. Plain comparisons: 100 000 cases should take seconds. */
function violationOf(input: PricingInput, pricing: Pricing): string | undefined {
  const { lockedSide, lockedAmountMinor, crossRate: x } = input
  const locked = lockedSide === 'SENDING' ? pricing.sendingAmountMinor : pricing.receivingAmountMinor
  if (locked !== lockedAmountMinor) return 'the locked side moved'

  const { serviceFixedMinor, serviceVariableMinor, networkFeeMinor } = pricing
  const { platformFixedMinor, platformVariableMinor, counterpartyFeeMinor } = pricing
  const sendingFees =
    serviceFixedMinor + serviceVariableMinor + networkFeeMinor + platformFixedMinor + platformVariableMinor
  if (pricing.netConvertedMinor + sendingFees !== pricing.sendingAmountMinor)
    return 'N and the fees are not S'
  const counterpartyInSending = mulDivHalfUp(counterpartyFeeMinor, x.denominator, x.numerator)
  if (pricing.feesIncludedMinor !== sendingFees + counterpartyInSending) return 'feesIncluded'
  if (pricing.platformFeesIncludedMinor !== platformFixedMinor + platformVariableMinor) return 'platformFees'

  const { grossReceivingMinor, receivingAmountMinor, fxSurplusMinor } = pricing
  if (receivingAmountMinor + counterpartyFeeMinor + fxSurplusMinor !== grossReceivingMinor)
    return 'G is not R + C + surplus'
  if (receivingAmountMinor <= 0n || pricing.netConvertedMinor <= 0n) return 'nothing is paid'
  if (platformVariableMinor < 0n || serviceVariableMinor < 0n || fxSurplusMinor < 0n) return 'a negative part'
  // The FX position never gives more than N is worth, nor keeps a whole unit of a SENDING lock.
  const worth = pricing.netConvertedMinor * x.numerator
  if (grossReceivingMinor * x.denominator > worth) return 'money was made'
  if ((grossReceivingMinor + 1n) * x.denominator <= worth) return 'a whole unit was kept'
  if (lockedSide === 'SENDING' && fxSurplusMinor !== 0n) return 'a surplus without a receiving lock'
  if (x.numerator === x.denominator && fxSurplusMinor !== 0n) return 'a surplus in one currency'

  if (lockedSide === 'RECEIVING') {
    if (!reaches(pricing.sendingAmountMinor, input)) return 'S does not reach the locked amount'
    for (const less of [1n, 2n, 3n]) {
      const smaller = pricing.sendingAmountMinor - less
      if (smaller > 0n && reaches(smaller, input)) return `S − ${less} would do`
    }
  }
  return undefined
}

describe('every price', () => {
  it(`keeps the locked side, adds up and is minimal, over ${caseCount} random cases`, () => {
    let priced = 0
    fc.assert(
      fc.property(cases, (input) => {
        const result = pricePayment(input)
        if (!result.ok) return true
        priced++
        const violation = violationOf(input, result.value)
        if (violation) throw new Error(violation)
        return true
      }),
      { numRuns: caseCount },
    )
    // The generator must not refuse itself into an empty test.
    expect(priced).toBeGreaterThan(caseCount / 2)
  })

  it('refuses a sending lock exactly when nothing would be paid', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const forward = priceForward(input.lockedAmountMinor, input)
        const isPaid = forward.netConvertedMinor > 0n && forward.receivingAmountMinor > 0n
        return pricePayment({ ...input, lockedSide: 'SENDING' }).ok === isPaid
      }),
      { numRuns: 5_000 },
    )
  })

  it('takes no more than any smaller amount could do, checked one by one', () => {
    const small = fc.record({
      cross: fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
      fixed: fc.tuple(
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
      ),
      share: fc.integer({ min: 0, max: 70 }),
      bps: fc.integer({ min: 0, max: 9_990 }),
      locked: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(small, ({ cross, fixed, share, bps, locked }) => {
        const input: PricingInput = {
          lockedSide: 'RECEIVING',
          lockedAmountMinor: BigInt(locked),
          crossRate: rate(BigInt(cross[0]), BigInt(cross[1])),
          serviceFee: { fixedMinor: BigInt(fixed[0]), rate: { numerator: BigInt(share), denominator: 100n } },
          networkFeeMinor: 0n,
          platformFee: { fixedMinor: BigInt(fixed[1]), bps },
          counterpartyFeeMinor: BigInt(fixed[2]),
        }
        const result = pricePayment(input)
        if (!result.ok) return share * 100 + bps >= 10_000
        const { sendingAmountMinor } = result.value
        const depth = sendingAmountMinor < 500n ? sendingAmountMinor : 500n
        for (let less = 1n; less < depth; less++) {
          if (reaches(sendingAmountMinor - less, input)) return false
        }
        return reaches(sendingAmountMinor, input)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('conversions there and back', () => {
  const free = { networkFeeMinor: 0n, counterpartyFeeMinor: 0n, platformFee: { fixedMinor: 0n, bps: 0 } }
  const convert = (
    lockedAmountMinor: bigint,
    cross: Rate,
    serviceRate: Rate,
    lockedSide: PricingInput['lockedSide'],
  ) => {
    const serviceFee = { fixedMinor: 0n, rate: serviceRate }
    const result = pricePayment({ ...free, serviceFee, crossRate: cross, lockedSide, lockedAmountMinor })
    return result.ok ? result.value : undefined
  }
  const freeOrCheap = fc.constantFrom(
    { numerator: 0n, denominator: 1n },
    { numerator: 1n, denominator: 1000n },
    { numerator: 5n, denominator: 1000n },
  )

  it('never end with more than they began with, whichever sides are locked', () => {
    fc.assert(
      fc.property(amounts, crossRates, freeOrCheap, (start, cross, serviceRate) => {
        const back = divideRates(one, cross)
        const there = convert(start, cross, serviceRate, 'SENDING')
        const here = there && convert(there.receivingAmountMinor, back, serviceRate, 'SENDING')
        if (here && here.receivingAmountMinor > start) return false
        // Buying exactly `start` abroad and selling it again brings back no more than it cost.
        const bought = convert(start, cross, serviceRate, 'RECEIVING')
        const sold = bought && convert(start, back, serviceRate, 'SENDING')
        return !bought || !sold || sold.receivingAmountMinor <= bought.sendingAmountMinor
      }),
      { numRuns: effort(5_000, 200_000) },
    )
  })

  it('nor does any round trip through three currencies', () => {
    fc.assert(
      fc.property(amounts, codes, codes, codes, freeOrCheap, (start, a, b, c, serviceRate) => {
        let held: bigint | undefined = start
        for (const [source, destination] of [
          [a, b],
          [b, c],
          [c, a],
        ] as const) {
          const cross = crossRate(snapshot, { source, destination })!
          held =
            held === undefined
              ? undefined
              : convert(held, cross, serviceRate, 'SENDING')?.receivingAmountMinor
        }
        return held === undefined || held <= start
      }),
      { numRuns: effort(5_000, 200_000) },
    )
  })
})
