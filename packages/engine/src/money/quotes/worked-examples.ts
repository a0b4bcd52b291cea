import { crossRate, offlineSnapshot } from '../../reference/rates/index.ts'
import { chooseFees, type PricedDestination } from './fee-schedule.ts'
import type { Pricing, PricingInput } from './pricing.ts'

/** The figures of accounts 16 as data, for the tests of this folder. */

export const snapshot = offlineSnapshot(0)

/** One priced payment at the offline rates and default fees, in the words of accounts 16. */
export interface Example {
  readonly title: string
  readonly pair: readonly [source: string, destination: string]
  readonly lock: PricingInput['lockedSide']
  readonly amount: bigint
  readonly platform?: { readonly fixedMinor: bigint; readonly bps: number }
  readonly to?: PricedDestination
  readonly is: Readonly<Partial<Pricing>>
  readonly exchangeRate?: string
}

export function inputOf({ pair: [source, destination], lock, amount, platform, to }: Example): PricingInput {
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

export const standing = { fixedMinor: 50n, bps: 30 }
export const uma: PricedDestination = { kind: 'UMA' }
const solana: PricedDestination = { kind: 'ON_CHAIN', network: 'SOLANA' }

export const examples: readonly Example[] = [
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
