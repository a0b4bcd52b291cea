import { failed, largestWireMinor, mulDivFloor, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Customer, informationOf } from '../../people/customers/index.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import type { RateSnapshot } from '../../reference/rates/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { umaRail } from '../payments/index.ts'
import { type ResolvedReceiver, resolveReceiver } from '../receivers/index.ts'
import {
  type AgreedPayment,
  exchangeWith,
  type PayRequest,
  type PeerReceiver,
  payRequestFailure,
  requestPayment,
} from '../uma-peers/index.ts'
import { pricedByPeer, type ResolvedParties } from './parties.ts'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quote-schemas.ts'
import { msatsPerMinor } from './terms.ts'

/** What institutions have said while one quote is made. */
export interface Heard {
  receiver?: { readonly senderUma: string | undefined; readonly answer: ResolvedReceiver }
  agreed?: { readonly request: string; readonly answer: AgreedPayment }
  /** That the simulated institution has agreed. */
  hasSimulatedAgreed?: true
}

/**
 * Whom the quote is for. When it is decided again, because something changed meanwhile, nobody is asked a second time:
 * the receiver's platform would decide about two payments.
 */
export async function receiverOnce(
  engine: Engine,
  scope: Scope,
  heard: Heard,
  named: Parameters<typeof resolveReceiver>[2],
): Promise<Result<ResolvedReceiver, Failure>> {
  const senderUma = named.sender?.umaAddress
  const { receiver } = heard
  if (receiver && receiver.senderUma === senderUma) return ok(receiver.answer)
  const resolved = await resolveReceiver(engine, scope, named)
  if (resolved.ok) heard.receiver = { senderUma, answer: resolved.value }
  return resolved
}

async function agreementOnce(
  engine: Engine,
  scope: Scope,
  heard: Heard,
  asked: PayRequest,
  customerId: string | undefined,
): Promise<Result<AgreedPayment, Failure>> {
  const { config, receiver, amount, ...rest } = asked
  const amountText = Object.values(amount).join(' ')
  const request = JSON.stringify([config.umaDomain, receiver.callback, amountText, rest])
  if (heard.agreed?.request === request) return ok(heard.agreed.answer)
  const { domain: counterpartyDomain } = receiver.counterparty
  const agreed = await exchangeWith<Result<AgreedPayment, Failure>>(
    engine,
    scope,
    {
      kind: 'PAY_REQUEST',
      address: asked.payeeUma,
      customerId,
      unanswered: (status) =>
        failed(payRequestFailure(status, undefined, { counterpartyDomain, currency: asked.currency })),
    },
    () => requestPayment(engine, scope, asked),
  )
  if (agreed.ok) heard.agreed = { request, answer: agreed.value }
  return agreed
}

/**
 * What the simulated institution says when a quote asks for its terms: it agrees to ours. Asked last, when nothing else is refused,
 * and once for each quote. It keeps nothing, so an answer that is lost leaves nothing behind.
 */
export async function agreementOfSimulated(
  engine: Engine,
  scope: Scope,
  {
    parties: { destination, receivingCurrency: currency },
    customer,
    heard,
  }: Pick<PeerQuoteFacts, 'parties' | 'customer' | 'heard'>,
): Promise<Failure | undefined> {
  if (destination.kind !== 'UMA' || heard.hasSimulatedAgreed) return undefined
  const { umaAddress: address } = destination
  const counterpartyDomain = address.slice(address.indexOf('@') + 1)
  const refusal = await exchangeWith<Failure | undefined>(
    engine,
    scope,
    {
      kind: 'PAY_REQUEST',
      address,
      customerId: customer?.id,
      unanswered: (status) => payRequestFailure(status, undefined, { counterpartyDomain, currency }),
    },
    async () => undefined,
  )
  if (!refusal) heard.hasSimulatedAgreed = true
  return refusal
}

/** What a quote to a receiver at another institution is made from. */
export interface PeerQuoteFacts {
  readonly request: QuoteRequest
  readonly parties: ResolvedParties
  readonly peer: PeerReceiver
  readonly customer: Customer | undefined
  readonly configuration: Configuration
  readonly snapshot: RateSnapshot
  readonly draft: (parties: ResolvedParties) => Result<Quote, Failure>
  readonly heard: Heard
}

/** Time to pay before the other side lets the promise lapse. */
const marginMs = 10_000

/**
 * Asks the receiver's institution for its terms, which fix what arrives (webhooks-uma 5.2). Everything that can be refused
 * here is refused before anything is sent.
 */
export async function quoteWithPeer(
  engine: Engine,
  scope: Scope,
  facts: PeerQuoteFacts,
): Promise<Result<Quote, Failure>> {
  const { request, parties, peer, customer, configuration, snapshot, draft, heard } = facts
  const { destination, source } = parties
  if (destination.kind !== 'UMA') return draft(parties)
  // What a wallet signs names the amounts, which are not known before the peer has answered.
  if (source.kind === 'INTERNAL' && source.account.type === 'EMBEDDED_WALLET') {
    return failed(fail('NOT_IMPLEMENTED', { field: 'destination.destinationType' }))
  }
  if (source.kind === 'PULL') {
    const message = 'takes longer to collect than the offer of the other institution is valid'
    return failed(failFields([{ field: 'source.accountId', message }]))
  }
  const indicative = draft(parties)
  if (!indicative.ok) return indicative
  const perUnit = msatsPerMinor(snapshot, parties.sendingCurrency)
  if (!perUnit) return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'NO_RATE' }))
  const netMinor = BigInt(indicative.value.amounts.netConvertedMinor)
  // Down: what is left of a unit stays with the position.
  const netMsats = mulDivFloor(netMinor, perUnit.numerator, perUnit.denominator)
  if (netMsats > largestWireMinor) {
    const most = mulDivFloor(largestWireMinor, perUnit.denominator, perUnit.numerator)
    return failed(outOfRange(parties.sendingCurrency, { most }))
  }
  const payerUma = customer?.umaAddress ?? `$platform@${configuration.umaDomain}`
  const payer = payerOf(request, peer, customer)
  const agreed = await agreementOnce(
    engine,
    scope,
    heard,
    {
      config: configuration,
      receiver: peer,
      payeeUma: destination.umaAddress,
      payerUma,
      kycStatus: kycStatusOf(customer),
      payer,
      originator: {
        name: payer.FULL_NAME ?? '',
        account: payerUma,
        ...originatorOf(customer),
      },
      currency: parties.receivingCurrency,
      amount:
        request.lockedCurrencySide === 'RECEIVING'
          ? { lock: 'RECEIVING', minor: BigInt(request.lockedCurrencyAmount) }
          : { lock: 'SENDING', msats: netMsats },
    },
    customer?.id,
  )
  if (!agreed.ok) return agreed
  const priced = draft({ ...parties, priced: pricedByPeer(agreed.value.multiplier, agreed.value.feeMinor) })
  if (!priced.ok) return priced
  const terms = withAgreement(priced.value, agreed.value)
  if (!terms || agreed.value.amountMsats > largestWireMinor) {
    return failed(fail('INVALID_PAYREQ_RESPONSE', { counterpartyDomain: peer.counterparty.domain }))
  }
  const lapsesInMs = agreed.value.expiresAt - engine.world.now() - marginMs
  return ok({
    ...terms,
    expiresAt: Math.min(terms.expiresAt, scope.now + lapsesInMs),
    options: {
      ...terms.options,
      delivery: {
        kind: 'UMA',
        umaAddress: destination.umaAddress,
        rail: umaRail,
        peer: {
          peerDomain: peer.counterparty.domain,
          ...(peer.counterparty.isHosted ? { isHosted: true as const } : {}),
          ownDomain: configuration.umaDomain,
          payerUma,
          payeeUma: destination.umaAddress,
          paymentHash: agreed.value.paymentHash,
          amountMsats: agreed.value.amountMsats.toString(),
          ...settlementOf(agreed.value),
        },
      },
    },
  })
}

function settlementOf({ invoice, expiresAt, settlementEndpoint, utxoCallback }: AgreedPayment) {
  return {
    ...(utxoCallback === undefined ? {} : { utxoCallback }),
    ...(invoice === undefined ? {} : { lightning: { invoice, expiresAt } }),
    ...(settlementEndpoint === undefined ? {} : { settlementEndpoint }),
  }
}

/** The quote with what the peer credits; undefined where in one currency more would arrive than is sent. */
function withAgreement(quote: Quote, { receivedMinor, feeMinor }: AgreedPayment): Quote | undefined {
  const { amounts } = quote
  const surplus = BigInt(amounts.netConvertedMinor) - receivedMinor - feeMinor
  const isConverted = quote.sendingCurrency !== quote.receivingCurrency
  if (!isConverted && surplus < 0n) return undefined
  return {
    ...quote,
    receivingMinor: receivedMinor,
    amounts: {
      ...amounts,
      receivingAmountMinor: receivedMinor.toString(),
      counterpartyFeeMinor: feeMinor.toString(),
      ...(isConverted ? {} : { fxSurplusMinor: surplus.toString() }),
    },
  }
}

/** What the receiver's institution asked for, and nothing else; its name is what the travel rule needs anyway. */
function payerOf(
  { senderCustomerInfo = {} }: QuoteRequest,
  peer: PeerReceiver,
  customer: Customer | undefined,
) {
  const wanted = ['FULL_NAME' as const, ...peer.requiredPayerFields.map(({ name }) => name)]
  const known = wanted.flatMap((name) => {
    const told = senderCustomerInfo[name]
    const value = typeof told === 'string' ? told : customer && informationOf(customer, name)
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(known)
}

/** Of the sender, by the number that this installation knows it by: never a document's. */
function originatorOf(customer: Customer | undefined): { readonly address?: string; readonly id?: string } {
  if (!customer) return {}
  const address = informationOf(customer, 'POSTAL_ADDRESS')
  return { ...(address === undefined ? {} : { address }), id: customer.id }
}

function kycStatusOf(customer: Customer | undefined): 'VERIFIED' | 'PENDING' | 'NOT_VERIFIED' {
  if (!customer || customer.status === 'APPROVED') return 'VERIFIED'
  return customer.status === 'PENDING' ? 'PENDING' : 'NOT_VERIFIED'
}

/** One invoice pays once: of two quotes that were given the same one, the second is refused (migration 0080). */
export function peerPaymentUnique({ options: { delivery } }: Quote): Required<Decision>['unique'] {
  const peer = delivery.kind === 'UMA' ? delivery.peer : undefined
  if (!peer) return {}
  return { quotes_peer_payment: fail('INVALID_PAYREQ_RESPONSE', { counterpartyDomain: peer.peerDomain }) }
}
