import { toDecimal, toWireAmount } from '@corridor/kernel'
import { describe, expect, it, test } from 'vitest'
import { bitcoinPrice } from '../../reference/rates/index.ts'
import { pricePayment } from './pricing.ts'
import { renderRateDetails } from './rate-details.ts'
import { type Example, examples, inputOf, snapshot, uma } from './worked-examples.ts'

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
