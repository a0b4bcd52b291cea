import { derivationOf } from '@corridor/engine/money/explanations/derivation.ts'
import { isRecomputed, renderSteps } from '@corridor/engine/money/explanations/steps.ts'
import { amountsToText } from '@corridor/engine/money/payments/index.ts'
import { type PricingInput, pricePayment } from '@corridor/engine/money/quotes/index.ts'
import { currencies } from '@corridor/engine/reference/currencies/index.ts'
import { crossRate, offlineSnapshot } from '@corridor/engine/reference/rates/index.ts'
import { rate } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import { differences } from '../../scripts/recompute-explanations.ts'

/** Random prices, explained and recomputed. `CORRIDOR_EXPLANATIONS` says how many. */
const count = Number(process.env.CORRIDOR_EXPLANATIONS ?? 2_000)

const snapshot = offlineSnapshot(0)

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = BigInt(seed)
  return (below) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n)
    return Number((state >> 16n) % BigInt(below))
  }
}

const draw = numbers(17)
const oneOf = <T>(list: readonly T[]): T => list[draw(list.length)]!

function randomTerms(): { input: PricingInput; sending: string; receiving: string } {
  const sending = oneOf(currencies).code
  const receiving = oneOf(currencies).code
  const known = crossRate(snapshot, { source: sending, destination: receiving })!
  const input: PricingInput = {
    lockedSide: oneOf(['SENDING', 'RECEIVING']),
    // Every order of magnitude, from one unit on.
    lockedAmountMinor: BigInt(1 + draw(9_999)) * 10n ** BigInt(draw(12)) || 1n,
    crossRate: draw(3) > 0 ? known : rate(BigInt(1 + draw(1_000_000)), BigInt(1 + draw(1_000_000))),
    serviceFee: {
      fixedMinor: BigInt(oneOf([0, draw(200), draw(1_000_000)])),
      rate: oneOf([
        { numerator: BigInt(draw(12_000)), denominator: 100_000n },
        { numerator: BigInt(draw(80)), denominator: 700n },
      ]),
    },
    networkFeeMinor: BigInt(oneOf([0, draw(5_000)])),
    platformFee: { fixedMinor: BigInt(oneOf([0, draw(5_000)])), bps: oneOf([0, draw(1_000)]) },
    counterpartyFeeMinor: BigInt(oneOf([0, draw(500)])),
  }
  return { input, sending, receiving }
}

/** The steps of one random price; undefined where its fees leave nothing. */
function explained() {
  const { input, sending, receiving } = randomTerms()
  const priced = pricePayment(input)
  if (!priced.ok) return undefined
  const { crossRate: cross, serviceFee, platformFee, lockedSide } = input
  const text = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
    `${numerator}/${denominator}`
  const { steps } = derivationOf({
    amounts: amountsToText(priced.value),
    sendingCurrency: sending,
    receivingCurrency: receiving,
    options: {
      feesIncludedMinor: `${priced.value.feesIncludedMinor}`,
      pricing: {
        lockedSide,
        crossRate: text(cross),
        serviceRate: text(serviceFee.rate),
        platformBps: platformFee.bps,
      },
    },
  })
  return steps
}

describe('explanations of prices', () => {
  it('are recomputed from nothing but themselves', { timeout: 30_000 + count }, () => {
    const found: string[] = []
    const locked = new Set<string>()
    for (let index = 0; index < count; ) {
      const steps = explained()
      if (!steps) continue
      index++
      expect(isRecomputed(steps)).toBe(true)
      locked.add(steps[0]!.name)
      found.push(...differences(renderSteps(steps)))
    }
    expect(found).toEqual([])
    expect([...locked].sort()).toEqual(['receivingLocked', 'sending'])
  })

  it('do not come out where any one amount is a unit off', () => {
    let steps: ReturnType<typeof explained>
    while (steps?.[0]?.name !== 'receivingLocked') steps = explained()
    const rendered = renderSteps(steps)
    for (const [index, step] of rendered.entries()) {
      const amount = `${BigInt(step.result.amount) + 1n}`
      const off = rendered.map((each, at) =>
        at === index ? { ...each, result: { ...each.result, amount } } : each,
      )
      expect(differences(off), step.name).not.toEqual([])
      const wrong = steps.map((each, at) => (at === index ? { ...each, result: each.result + 1n } : each))
      expect(isRecomputed(wrong), step.name).toBe(false)
    }
  })
})
