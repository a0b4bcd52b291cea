import {
  assert,
  failed,
  mulDivCeil,
  mulDivFloor,
  mulDivHalfUp,
  ok,
  type Rate,
  type Result,
} from '@corridor/kernel'

/** Basis points in a whole: 10 000 bps take everything. */
const wholeBps = 10_000n

/** What a price depends on apart from the amount. Captured once; execution never computes again. */
export interface PricingTerms {
  /** X: receiving minor units per sending minor unit, exact. */
  readonly crossRate: Rate
  /** The service's fee in sending minor units, and its share r of the gross amount (may be 0, below 1). */
  readonly serviceFee: { readonly fixedMinor: bigint; readonly rate: Rate }
  /** On-chain destinations: the chain's cost in sending minor units. Counts as part of sf. */
  readonly networkFeeMinor: bigint
  /** The platform's fee in sending minor units, and 0..10000 bps of what its fixed fees leave. */
  readonly platformFee: { readonly fixedMinor: bigint; readonly bps: number }
  /** C: what the receiving institution keeps, in receiving minor units. */
  readonly counterpartyFeeMinor: bigint
}

export interface PricingInput extends PricingTerms {
  readonly lockedSide: 'SENDING' | 'RECEIVING'
  /** In the currency of the locked side. Positive: the contract refuses the rest as INVALID_AMOUNT. */
  readonly lockedAmountMinor: bigint
}

/** The amounts of a quote. Sending minor units unless the name says otherwise. */
export interface Pricing {
  /** S: everything the sender gives. */
  readonly sendingAmountMinor: bigint
  /** R, receiving minor units: what the recipient gets. */
  readonly receivingAmountMinor: bigint
  readonly serviceFixedMinor: bigint
  readonly serviceVariableMinor: bigint
  readonly networkFeeMinor: bigint
  readonly platformFixedMinor: bigint
  readonly platformVariableMinor: bigint
  /** N: what is converted. */
  readonly netConvertedMinor: bigint
  /** G = floor(N · X), receiving minor units: what N is worth before C. */
  readonly grossReceivingMinor: bigint
  /** C, receiving minor units. */
  readonly counterpartyFeeMinor: bigint
  /** `feesIncluded`: all fees, C converted back included. */
  readonly feesIncludedMinor: bigint
  /** `platformFeesIncluded`. */
  readonly platformFeesIncludedMinor: bigint
  /** G − C − R, receiving minor units: stays in the FX position when the receiving side is locked. */
  readonly fxSurplusMinor: bigint
}

/**
 * Prices a payment (accounts 8, normative). The locked side comes out exactly as it went in. Fees
 * round half up, converted amounts down; the rate is never rounded. Refuses with AMOUNT_OUT_OF_RANGE
 * when the fees leave nothing to convert or nothing to receive, and when the variable fees together
 * reach the whole amount so that no sending amount could deliver the locked one.
 */
export function pricePayment(input: PricingInput): Result<Pricing, 'AMOUNT_OUT_OF_RANGE'> {
  assertTerms(input)
  assert(input.lockedAmountMinor > 0n, 'the locked amount is positive')
  return input.lockedSide === 'SENDING' ? priceSending(input) : priceReceiving(input)
}

function priceSending(input: PricingInput): Result<Pricing, 'AMOUNT_OUT_OF_RANGE'> {
  const pricing = priceForward(input.lockedAmountMinor, input)
  const isPayable = pricing.netConvertedMinor > 0n && pricing.receivingAmountMinor > 0n
  return isPayable ? ok(pricing) : failed('AMOUNT_OUT_OF_RANGE')
}

/**
 * The smallest S whose forward result reaches the locked amount. Found by stepping up from a proven
 * lower bound, not by binary search: with two fees rounding, N(S) can dip by one unit and is not
 * monotone. Rounding moves each variable fee by at most half a unit, which bounds the steps by
 * 2/(1 − r − b) and a few: a handful for any real price list.
 */
function priceReceiving(input: PricingInput): Result<Pricing, 'AMOUNT_OUT_OF_RANGE'> {
  const { crossRate, lockedAmountMinor, counterpartyFeeMinor, serviceFee, platformFee } = input
  const { numerator: serviceShare, denominator: serviceWhole } = serviceFee.rate
  const bps = BigInt(platformFee.bps)
  // 1 − r − b/10000 as keptShare/keptWhole.
  const keptWhole = serviceWhole * wholeBps
  const keptShare = keptWhole - serviceShare * wholeBps - bps * serviceWhole
  if (keptShare <= 0n) return failed('AMOUNT_OUT_OF_RANGE')

  const leastGross = lockedAmountMinor + counterpartyFeeMinor
  const leastNet = mulDivCeil(leastGross, crossRate.denominator, crossRate.numerator)
  const fixedMinor = serviceFee.fixedMinor + input.networkFeeMinor + platformFee.fixedMinor
  // floor((leastNet − 1 + fixed · (1 − b/10000)) / (1 − r − b/10000)) − 1
  const bound =
    mulDivFloor((leastNet - 1n) * wholeBps + fixedMinor * (wholeBps - bps), serviceWhole, keptShare) - 1n
  const start = bound > 1n ? bound : 1n

  const last = start + mulDivCeil(2n, keptWhole, keptShare) + 4n
  let sendingAmountMinor = start
  while (netAt(sendingAmountMinor, input) < leastNet) {
    sendingAmountMinor++
    assert(sendingAmountMinor <= last, 'the sending amount lies within the proven number of steps')
  }
  const forward = priceForward(sendingAmountMinor, input)
  const fxSurplusMinor = forward.receivingAmountMinor - lockedAmountMinor
  assert(fxSurplusMinor >= 0n, 'the sending amount delivers the locked amount')
  return ok({ ...forward, receivingAmountMinor: lockedAmountMinor, fxSurplusMinor })
}

/**
 * What sending `sendingAmountMinor` gives, without judging it: N and R may be zero or negative. For
 * price lists that show any amount (accounts 6.1); quotes use `pricePayment`.
 */
export function priceForward(sendingAmountMinor: bigint, terms: PricingTerms): Pricing {
  const { crossRate, serviceFee, networkFeeMinor, platformFee, counterpartyFeeMinor } = terms
  const serviceVariableMinor = serviceVariableAt(sendingAmountMinor, terms)
  const platformVariableMinor = platformVariableAt(sendingAmountMinor, terms)
  const netConvertedMinor = netAt(sendingAmountMinor, terms)
  // Down: the recipient gets whole units only, the fraction stays with the FX position.
  const grossReceivingMinor = mulDivFloor(netConvertedMinor, crossRate.numerator, crossRate.denominator)
  const counterpartyFeeInSendingMinor = mulDivHalfUp(
    counterpartyFeeMinor,
    crossRate.denominator,
    crossRate.numerator,
  )
  const platformFeesIncludedMinor = platformFee.fixedMinor + platformVariableMinor
  const serviceFeesMinor = serviceFee.fixedMinor + networkFeeMinor + serviceVariableMinor
  return {
    sendingAmountMinor,
    receivingAmountMinor: grossReceivingMinor - counterpartyFeeMinor,
    serviceFixedMinor: serviceFee.fixedMinor,
    serviceVariableMinor,
    networkFeeMinor,
    platformFixedMinor: platformFee.fixedMinor,
    platformVariableMinor,
    netConvertedMinor,
    grossReceivingMinor,
    counterpartyFeeMinor,
    feesIncludedMinor: serviceFeesMinor + platformFeesIncludedMinor + counterpartyFeeInSendingMinor,
    platformFeesIncludedMinor,
    fxSurplusMinor: 0n,
  }
}

/** N = S − sf − sv − pf − pv. */
function netAt(sendingAmountMinor: bigint, terms: PricingTerms): bigint {
  return (
    sendingAmountMinor -
    fixedFeesOf(terms) -
    serviceVariableAt(sendingAmountMinor, terms) -
    platformVariableAt(sendingAmountMinor, terms)
  )
}

/** sv: on the gross amount. */
function serviceVariableAt(sendingAmountMinor: bigint, { serviceFee }: PricingTerms): bigint {
  return mulDivHalfUp(sendingAmountMinor, serviceFee.rate.numerator, serviceFee.rate.denominator)
}

/** pv: on what all fixed fees leave, the service's included; nothing where they leave nothing. */
function platformVariableAt(sendingAmountMinor: bigint, terms: PricingTerms): bigint {
  const left = sendingAmountMinor - fixedFeesOf(terms)
  return left > 0n ? mulDivHalfUp(left, BigInt(terms.platformFee.bps), wholeBps) : 0n
}

function fixedFeesOf({ serviceFee, networkFeeMinor, platformFee }: PricingTerms): bigint {
  return serviceFee.fixedMinor + networkFeeMinor + platformFee.fixedMinor
}

function assertTerms({ serviceFee, networkFeeMinor, platformFee, counterpartyFeeMinor }: PricingTerms): void {
  const { numerator, denominator } = serviceFee.rate
  assert(numerator >= 0n && denominator > 0n, 'the service rate is not negative')
  const fixed = [serviceFee.fixedMinor, networkFeeMinor, platformFee.fixedMinor, counterpartyFeeMinor]
  assert(
    fixed.every((amountMinor) => amountMinor >= 0n),
    'fixed fees are not negative',
  )
  const { bps } = platformFee
  assert(Number.isInteger(bps) && bps >= 0 && bps <= 10_000, 'the platform fee is 0..10000 bps')
}
