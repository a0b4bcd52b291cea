import {
  assert,
  divideRates,
  failed,
  type Id,
  type Instant,
  largestWireMinor,
  ok,
  type Rate,
  type Result,
  rate,
  toTimestamp,
} from '@corridor/kernel'
import type { WalletIdentity } from '../../platform/internal-accounts/index.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import { accountTypeOf, readInvoice, textOf } from '../../reference/account-types/index.ts'
import { chooseRail, isRailId, type RailId, railOf, settlementEstimate } from '../../reference/rails/index.ts'
import {
  bitcoinPrice,
  equivalentMinor,
  quoteExchangeRate,
  type RateSnapshot,
  usdEquivalentMinor,
} from '../../reference/rates/index.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import { externalAccountRefusal } from '../external-accounts/index.ts'
import type { Delivery, Funding, RefundRoute } from '../payments/index.ts'
import { amountsToText, umaRail } from '../payments/index.ts'
import { amountBounds, amountRefusal, currencyRefusal } from './limits.ts'
import type { ResolvedParties } from './parties.ts'
import { type Pricing, type PricingTerms, pricePayment } from './pricing.ts'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quote-schemas.ts'
import { renderRateDetails } from './rate-details.ts'
import { type PlatformFee, pricingTerms, standingPlatformFee } from './terms.ts'
import { walletInstructions } from './wallet-instructions.ts'

/** What a quote is made from, besides its request and its parties. */
export interface QuoteFacts {
  readonly now: Instant
  readonly quoteId: Id<'Quote'>
  readonly parties: ResolvedParties
  readonly configuration: Configuration
  readonly snapshot: RateSnapshot
  /** The platform's own account of the sending currency: where its fee goes. */
  readonly platformAccountId: string | undefined
  /** The owner's internal account of the sending currency, for sources that are not one themselves. */
  readonly refundAccountId: string | undefined
  /** Ten unambiguous characters. */
  readonly reference: string
  /** Who asks for it, where that is an agent. */
  readonly agentId?: Id<'Agent'> | undefined
  /** Who signs, when the source is an embedded wallet. */
  readonly wallet?: WalletIdentity
  /** Whether it is served here; with the account that is paid, whether it reaches that one. */
  readonly hasRail: (rail: string, accountInfo?: Readonly<Record<string, unknown>>) => boolean
}

/** Makes the quote that the request asks for, or says why there is none (accounts 7.2, 8). */
export function draftQuote(request: QuoteRequest, facts: QuoteFacts): Result<Quote, Failure> {
  const { parties, snapshot, now, configuration } = facts
  const { sendingCurrency, receivingCurrency } = parties
  // A pull into an account of ours is money coming in; every other quote is for money going out.
  const isIncoming = parties.source.kind === 'PULL' && parties.destination.kind === 'INTERNAL'
  const payerId = parties.source.kind === 'INTERNAL' ? parties.source.account.ownerId : parties.ownerId
  const paysAnother =
    parties.destination.kind === 'INTERNAL' && parties.destination.account.ownerId !== payerId
  const disabled = currencyRefusal(configuration, {
    currencies: [sendingCurrency, receivingCurrency],
    direction: isIncoming ? 'INCOMING' : 'OUTGOING',
  })
  if (disabled) return failed(disabled)
  const platformFee = platformFeeOf(request, facts)
  if (!platformFee.ok) return platformFee
  const pair = { source: sendingCurrency, destination: receivingCurrency }
  const terms = pricingTerms({ snapshot, pair, destination: parties.priced, platformFee: platformFee.value })
  const sendingBitcoinPrice = bitcoinPrice(snapshot, sendingCurrency)
  const { priced: pricedDestination } = parties
  const receivingBitcoinPrice =
    pricedDestination.kind === 'UMA' && pricedDestination.peerMultiplier
      ? divideRates(rate(10n ** 11n, 1n), pricedDestination.peerMultiplier)
      : bitcoinPrice(snapshot, receivingCurrency)
  if (!terms || !sendingBitcoinPrice || !receivingBitcoinPrice) {
    return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'NO_RATE' }))
  }
  const priced = pricePayment({
    lockedSide: request.lockedCurrencySide,
    lockedAmountMinor: BigInt(request.lockedCurrencyAmount),
    ...terms,
  })
  if (!priced.ok) return failed(feesRefusal(configuration, sendingCurrency, terms))
  const pricing = priced.value

  const sendingEurMinor = equivalentMinor(snapshot, {
    amountMinor: pricing.sendingAmountMinor,
    source: sendingCurrency,
    destination: 'EUR',
  })
  const sendingUsdMinor = usdEquivalentMinor(snapshot, {
    amountMinor: pricing.sendingAmountMinor,
    currency: sendingCurrency,
  })
  const refusal = limitRefusal(configuration, parties, pricing) ?? accountRefusal(parties, sendingEurMinor)
  if (refusal) return failed(refusal)
  if (pricing.platformFeesIncludedMinor > 0n && !facts.platformAccountId) {
    return failed(
      failFields([
        { field: 'platformFeeOverride', message: 'requires a platform account in the sending currency' },
      ]),
    )
  }
  const delivery = chooseDelivery(request, parties, pricing)
  if (!delivery.ok) return delivery
  const funding = fundingOf(parties, pricing.sendingAmountMinor)
  const { destination: payee } = parties
  const paid = payee.kind === 'EXTERNAL' ? payee.account.accountInfo : undefined
  for (const { kind, rail } of [delivery.value.delivery, funding] as { kind: string; rail?: string }[]) {
    if (
      (kind === 'EXTERNAL' || kind === 'PULL' || kind === 'UMA') &&
      rail &&
      !facts.hasRail(rail, kind === 'EXTERNAL' ? paid : undefined)
    ) {
      return failed(fail('NOT_IMPLEMENTED', { rail }))
    }
  }

  const { shownRail, mode } = delivery.value
  const expiresAt = now + validityMs(parties, delivery.value.delivery)
  const isRealtime = parties.source.kind === 'REALTIME'
  const settlement = shownRail && isRailId(shownRail) ? settlementEstimate(railOf(shownRail), now) : undefined
  const { sendingAmountMinor: sendingMinor, receivingAmountMinor: receivingMinor } = pricing
  const amounts = { sendingMinor, receivingMinor, sendingCurrency, receivingCurrency }
  const destination = destinationOf(request, parties)
  const signed = { id: facts.quoteId, ...amounts, destination, now, expiresAt }
  return ok({
    id: facts.quoteId,
    version: 1n,
    status: 'PENDING',
    ownerId: parties.ownerId,
    source: request.source,
    destination,
    sourceAccountId: parties.source.kind === 'REALTIME' ? null : parties.source.account.id,
    destinationAccountId: parties.destination.kind === 'UMA' ? null : parties.destination.account.id,
    ...amounts,
    amounts: amountsToText(pricing),
    exchangeRate: quoteExchangeRate(terms.crossRate, pair),
    rateDetails: renderRateDetails({
      pricing,
      serviceRate: terms.serviceFee.rate,
      sendingBitcoinPrice,
      receivingBitcoinPrice,
    }),
    paymentInstructions: facts.wallet ? walletInstructions(facts.wallet, signed) : null,
    paymentReference: isRealtime ? facts.reference : null,
    options: {
      ...(facts.agentId ? { agentId: facts.agentId } : {}),
      ...(facts.agentId && request.scaFactor ? { scaFactor: request.scaFactor } : {}),
      funding,
      delivery: delivery.value.delivery,
      refundRoute: refundRouteOf(facts),
      pricing: {
        lockedSide: request.lockedCurrencySide,
        crossRate: ratioText(terms.crossRate),
        serviceRate: ratioText(terms.serviceFee.rate),
        platformBps: terms.platformFee.bps,
      },
      feesIncludedMinor: pricing.feesIncludedMinor.toString(),
      platformFeesIncludedMinor: pricing.platformFeesIncludedMinor.toString(),
      ...(facts.platformAccountId ? { platformAccountId: facts.platformAccountId } : {}),
      railSelectionMode: mode,
      ...(shownRail ? { shownRail } : {}),
      ...(payerId === parties.ownerId ? {} : { payerId }),
      ...(paysAnother ? { paysAnother } : {}),
      transactionReference: isRealtime ? facts.reference : `REF-${facts.reference}`,
      platformCustomerId: parties.platformCustomerId,
      ...(sendingEurMinor === undefined ? {} : { sendingEurMinor: sendingEurMinor.toString() }),
      ...(sendingUsdMinor === undefined ? {} : { sendingUsdMinor: sendingUsdMinor.toString() }),
      ...(request.description === undefined ? {} : { description: request.description }),
      ...(request.remittanceInformation === undefined
        ? {}
        : { remittanceInformation: request.remittanceInformation }),
      ...(request.purposeOfPayment === undefined ? {} : { purposeOfPayment: request.purposeOfPayment }),
      ...(settlement
        ? {
            settlement: {
              settlementTimelineSeconds: settlement.timelineSeconds,
              expectedSettlementAt:
                settlement.expectedAt === null ? null : toTimestamp(settlement.expectedAt),
            },
          }
        : {}),
    },
    createdAt: now,
    updatedAt: now,
    expiresAt,
    scaChallenge: null,
    transactionStatus: null,
  })
}

/** What the quote shows: of a UMA address as the lookup would, with the currency that was settled on. */
function destinationOf({ destination }: QuoteRequest, parties: ResolvedParties): Quote['destination'] {
  if (destination.destinationType !== 'UMA_ADDRESS' || parties.destination.kind !== 'UMA') return destination
  const { umaAddress } = parties.destination
  return { ...destination, umaAddress, currency: parties.receivingCurrency }
}

const ratioText = ({ numerator, denominator }: Rate): string => `${numerator}/${denominator}`

/** The standing fee on conversions from USD, or what the request puts in its place (accounts 7.2). */
function platformFeeOf(
  { platformFeeOverride }: QuoteRequest,
  { parties, configuration }: QuoteFacts,
): Result<PlatformFee, Failure> {
  const { sendingCurrency, receivingCurrency } = parties
  if (platformFeeOverride) {
    const { platformFixedFee, platformVariableFeeBps } = platformFeeOverride
    const errors = []
    if (sendingCurrency !== 'USD') {
      errors.push({ field: 'platformFeeOverride', message: 'requires USD as the sending currency' })
    }
    if (platformFixedFee.currency !== 'USD') {
      errors.push({
        field: 'platformFeeOverride.platformFixedFee.currency',
        message: 'must be USD',
        constraint: { enum: ['USD'] },
      })
    }
    if (errors.length > 0) return failed(failFields(errors))
    return ok({ fixedMinor: BigInt(platformFixedFee.amount), bps: platformVariableFeeBps })
  }
  const pair = { source: sendingCurrency, destination: receivingCurrency }
  return ok(standingPlatformFee(configuration.feeConfigs, pair))
}

/** The fees leave nothing: the least amount is the one that delivers a single unit, where any does. */
function feesRefusal({ supportedCurrencies }: Configuration, currency: string, terms: PricingTerms): Failure {
  const { least, most } = amountBounds(supportedCurrencies, currency)
  const smallest = pricePayment({ ...terms, lockedSide: 'RECEIVING', lockedAmountMinor: 1n })
  const payable = smallest.ok ? smallest.value.sendingAmountMinor : least
  return outOfRange(currency, { least: payable > least ? payable : least, most, reason: 'FEES' })
}

/** Limits on the sending amount, and on what Lightning and Spark carry (accounts 1.3). */
function limitRefusal(
  configuration: Configuration,
  { sendingCurrency, receivingCurrency, destination }: ResolvedParties,
  { sendingAmountMinor, receivingAmountMinor }: Pricing,
): Failure | undefined {
  const refusal = amountRefusal(configuration, { currency: sendingCurrency, amountMinor: sendingAmountMinor })
  if (refusal) return refusal
  // A bound of the sending currency says nothing of how many units of a weaker one it comes to.
  if (receivingAmountMinor > largestWireMinor) {
    return outOfRange(receivingCurrency)
  }
  if (destination.kind === 'INTERNAL') return undefined
  const { least, most } = boundsOf(destination, receivingCurrency)
  if (
    (least !== undefined && receivingAmountMinor < least) ||
    (most !== undefined && receivingAmountMinor > most)
  ) {
    return outOfRange(receivingCurrency, { least, most })
  }
  return undefined
}

/** What the receiving side carries at least and at most, in receiving minor units. */
function boundsOf(
  destination: Exclude<ResolvedParties['destination'], { kind: 'INTERNAL' }>,
  receivingCurrency: string,
): { readonly least?: bigint | undefined; readonly most?: bigint | undefined } {
  if (destination.kind === 'UMA') return { least: destination.minMinor, most: destination.maxMinor }
  const { accountInfo } = destination.account
  const invoice = textOf(accountInfo, 'invoice')
  const askedMsats = invoice === undefined ? undefined : readInvoice(invoice)?.amountMsats
  if (askedMsats !== undefined) {
    // An invoice takes what it names and nothing else; of a part of a satoshi the whole.
    const asked = (askedMsats + 999n) / 1000n
    return { least: asked, most: asked }
  }
  const rail = destination.network ?? lightningRail(accountInfo.accountType)
  const bounds = rail && isRailId(rail) ? railOf(rail) : undefined
  return {
    least: bounds?.minAmountMinor?.[receivingCurrency],
    most: bounds?.maxAmountMinor?.[receivingCurrency],
  }
}

/** Whether both external accounts may take part in a payment of this value (accounts 4.2). */
function accountRefusal(
  { source, destination }: ResolvedParties,
  sendingEurMinor: bigint | undefined,
): Failure | undefined {
  const pulled =
    source.kind === 'PULL' && externalAccountRefusal(source.account, { as: 'PULL_SOURCE', sendingEurMinor })
  if (pulled) return pulled
  if (destination.kind !== 'EXTERNAL') return undefined
  return externalAccountRefusal(destination.account, { as: 'DESTINATION', sendingEurMinor })
}

function lightningRail(accountType: string): string | undefined {
  return accountType.startsWith('LIGHTNING') ? 'LIGHTNING' : undefined
}

/** The rail the money leaves on: the caller's choice among the account's rails, or ours (accounts 1.1). */
function chooseDelivery(
  { destination }: QuoteRequest,
  parties: ResolvedParties,
  { receivingAmountMinor }: Pricing,
): Result<{ delivery: Delivery; shownRail?: string; mode: 'AUTO' | 'MANUAL' }, Failure> {
  const target = parties.destination
  const asked = destination.destinationType === 'ACCOUNT' ? destination.paymentRail : undefined
  if (target.kind === 'UMA') {
    const { umaAddress } = target
    return ok({ delivery: { kind: 'UMA', umaAddress, rail: umaRail }, mode: 'AUTO' })
  }
  const { account } = target
  if (target.kind === 'INTERNAL') {
    if (asked)
      return failed(
        failFields([{ field: 'destination.paymentRail', message: 'is only for external accounts' }]),
      )
    return ok({ delivery: { kind: 'INTERNAL', accountId: account.id }, mode: 'AUTO' })
  }
  const { accountInfo } = target.account
  const available = accountTypeOf(accountInfo).rails(accountInfo) as readonly RailId[]
  if (asked && !(available as readonly string[]).includes(asked)) {
    const message = 'is not one of the rails of the account'
    return failed(
      failFields([{ field: 'destination.paymentRail', message, constraint: { enum: available } }]),
    )
  }
  const currency = parties.receivingCurrency
  const chosen = asked ?? chooseRail({ available, amountMinor: receivingAmountMinor, currency })
  const rail = chosen ?? target.network ?? lightningRail(accountInfo.accountType)
  if (!rail) return failed(fail('INVALID_RECEIVER', { accountId: account.id, reason: 'NO_RAIL' }))
  return ok({
    delivery: { kind: 'EXTERNAL', accountId: account.id, rail },
    // Chains and Lightning are not shown as payment rails (accounts 10.2).
    ...(chosen ? { shownRail: chosen } : {}),
    mode: asked ? 'MANUAL' : 'AUTO',
  })
}

function fundingOf({ source, sendingCurrency }: ResolvedParties, amountMinor: bigint): Funding {
  if (source.kind === 'INTERNAL') return { kind: 'INTERNAL', accountId: source.account.id }
  if (source.kind === 'REALTIME') {
    return { kind: 'REALTIME', rail: source.network ?? 'realtime', isCrypto: source.network !== undefined }
  }
  return {
    kind: 'PULL',
    accountId: source.account.id,
    rail: pullRail(source.account, sendingCurrency, amountMinor),
  }
}

/** Pulls run on the rail that can debit: ACH where the account has it, else its default rail. */
export function pullRail(
  {
    accountInfo,
  }: { readonly accountInfo: { readonly accountType: string; readonly [field: string]: unknown } },
  currency: string,
  amountMinor: bigint,
): string {
  const available = accountTypeOf(accountInfo).rails(accountInfo) as readonly RailId[]
  const debiting = available.find((rail) => (railOf(rail).capabilities as readonly string[]).includes('PULL'))
  return debiting ?? chooseRail({ available, amountMinor, currency }) ?? 'BANK_TRANSFER'
}

/** Where the money goes when the payment fails (accounts 10.5). */
function refundRouteOf({ parties, refundAccountId }: QuoteFacts): RefundRoute {
  const { source } = parties
  if (source.kind === 'INTERNAL') return { kind: 'INTERNAL', accountId: source.account.id }
  if (source.kind === 'REALTIME' && source.network === undefined && parties.sendingCurrency !== 'BTC') {
    return { kind: 'RAIL', rail: 'realtime' }
  }
  assert(refundAccountId, 'a source outside has an account for its refunds')
  return { kind: 'INTERNAL', accountId: refundAccountId }
}

const minuteMs = 60_000

/** How long the price stands (accounts 7.3). */
function validityMs({ source, destination }: ResolvedParties, delivery: Delivery): number {
  const rail = delivery.kind === 'EXTERNAL' ? delivery.rail : undefined
  if (rail === 'LIGHTNING' || rail === 'SPARK' || delivery.kind === 'UMA') return 2 * minuteMs
  if (source.kind === 'PULL' || (destination.kind === 'EXTERNAL' && rail === 'SWIFT')) return 15 * minuteMs
  return 5 * minuteMs
}
