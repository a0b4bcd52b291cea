import { parseRate } from '@corridor/kernel'
import type { Quote } from '../quotes/index.ts'
import { type Computed, type Ratio, whole } from './steps.ts'

/** How the amounts of a quote came about (accounts 8), with what its record says about it and no more. */
export interface Derivation {
  readonly steps: readonly Computed[]
  readonly unknown: readonly string[]
}

export type PricedQuote = Pick<Quote, 'amounts' | 'sendingCurrency' | 'receivingCurrency'> & {
  readonly options: Pick<Quote['options'], 'pricing' | 'feesIncludedMinor'>
}

export function derivationOf(quote: PricedQuote): Derivation {
  const { pricing } = quote.options
  const sending = quote.sendingCurrency
  const receiving = quote.receivingCurrency
  const of = (key: keyof Quote['amounts']) => BigInt(quote.amounts[key])
  const S = of('sendingAmountMinor')
  const R = of('receivingAmountMinor')
  const [sf, sv] = [of('serviceFixedMinor'), of('serviceVariableMinor')]
  const nf = of('networkFeeMinor')
  const [pf, pv] = [of('platformFixedMinor'), of('platformVariableMinor')]
  const N = of('netConvertedMinor')
  const C = of('counterpartyFeeMinor')
  const surplus = of('fxSurplusMinor')
  const gross = R + C + surplus

  const sum = (name: string, formula: string, parts: Record<string, bigint>, result: bigint) => ({
    name,
    formula,
    inputs: Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, whole(value)])),
    result,
    rounding: 'NONE' as const,
  })
  const given = (name: string, value: bigint, currency: string, rule: string): Computed => ({
    ...sum(name, name, { [name]: value }, value),
    exact: whole(value),
    currency,
    rule,
  })

  const net: Computed = {
    ...sum(
      'netConverted',
      'sending − serviceFixed − serviceVariable − networkFee − platformFixed − platformVariable',
      {
        sending: S,
        serviceFixed: sf,
        serviceVariable: sv,
        networkFee: nf,
        platformFixed: pf,
        platformVariable: pv,
      },
      N,
    ),
    exact: whole(S - sf - sv - nf - pf - pv),
    currency: sending,
    rule: 'the amount after fees is converted',
  }
  const received: Computed = {
    ...sum(
      'receiving',
      'grossReceiving − counterpartyFee − fxSurplus',
      { grossReceiving: gross, counterpartyFee: C, fxSurplus: surplus },
      R,
    ),
    exact: whole(gross - C - surplus),
    currency: receiving,
    rule: 'the recipient gets the amount minus the fee of the receiving institution; a surplus over a locked amount stays in the currency position',
  }
  const fixed = [
    given('serviceFixed', sf, sending, 'the fixed fee of the service'),
    given('networkFee', nf, sending, 'the network cost of the blockchain'),
    given('platformFixed', pf, sending, 'the fixed fee of the platform'),
    given('counterpartyFee', C, receiving, 'the fee of the receiving institution'),
  ]
  if (!pricing) {
    return {
      steps: [given('sending', S, sending, 'as recorded'), ...fixed, net, received],
      unknown: ['the locked side', 'the exact rate', 'the rates of the variable fees'],
    }
  }

  const crossRate: Ratio = parseRate(pricing.crossRate)
  const serviceRate = shareOf(pricing.serviceRate)
  const platformRate = { numerator: BigInt(pricing.platformBps), denominator: 10_000n }
  const base = S - sf - nf - pf
  const first =
    pricing.lockedSide === 'SENDING'
      ? [given('sending', S, sending, 'locked by the quote')]
      : [
          given('receivingLocked', R, receiving, 'locked by the quote'),
          given(
            'sending',
            S,
            sending,
            'the smallest amount that delivers the locked amount after fees and conversion',
          ),
        ]
  const fees = whole(sf + nf + sv + pf + pv)
  return {
    steps: [
      ...first,
      ...fixed,
      {
        name: 'serviceVariable',
        formula: 'sending × serviceRate',
        inputs: { sending: whole(S), serviceRate },
        exact: { numerator: S * serviceRate.numerator, denominator: serviceRate.denominator },
        rounding: 'HALF_UP',
        result: sv,
        currency: sending,
        rule: 'variable fee of the service, on the gross amount',
      },
      {
        name: 'platformVariable',
        formula: '(sending − serviceFixed − networkFee − platformFixed) × platformRate',
        inputs: {
          sending: whole(S),
          serviceFixed: whole(sf),
          networkFee: whole(nf),
          platformFixed: whole(pf),
          platformRate,
        },
        exact: { numerator: base * platformRate.numerator, denominator: platformRate.denominator },
        rounding: 'HALF_UP',
        result: pv,
        currency: sending,
        rule: 'variable fee of the platform, on the amount after fixed fees',
      },
      net,
      {
        name: 'grossReceiving',
        formula: 'netConverted × crossRate',
        inputs: { netConverted: whole(N), crossRate },
        exact: { numerator: N * crossRate.numerator, denominator: crossRate.denominator },
        rounding: 'FLOOR',
        result: gross,
        currency: receiving,
        goesTo: `fx:${receiving}`,
        rule: 'converted amounts are rounded down',
      },
      given('fxSurplus', surplus, receiving, 'surplus of the conversion over a locked receiving amount'),
      received,
      {
        name: 'feesIncluded',
        formula:
          'serviceFixed + networkFee + serviceVariable + platformFixed + platformVariable + counterpartyFee ÷ crossRate',
        inputs: {
          serviceFixed: whole(sf),
          networkFee: whole(nf),
          serviceVariable: whole(sv),
          platformFixed: whole(pf),
          platformVariable: whole(pv),
          counterpartyFee: whole(C),
          crossRate,
        },
        exact: {
          numerator: fees.numerator * crossRate.numerator + C * crossRate.denominator,
          denominator: crossRate.numerator,
        },
        rounding: 'HALF_UP',
        result: BigInt(quote.options.feesIncludedMinor),
        currency: sending,
        rule: 'all fees; the fee of the receiving institution is converted back',
      },
    ],
    unknown: [],
  }
}

/** A share may be 0, which a rate is not. */
function shareOf(text: string): Ratio {
  const [numerator, denominator = '1'] = text.split('/')
  return { numerator: BigInt(numerator!), denominator: BigInt(denominator) }
}
