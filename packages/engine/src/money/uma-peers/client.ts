import {
  failed,
  type Instant,
  mulDivHalfUp,
  ok,
  parseRate,
  type Result,
  toWireAmount,
} from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import type { PayerField, UmaName, UmaReceiver } from '../../ports/uma.ts'
import { isCurrencyCode } from '../../reference/currencies/lookup.ts'
import { type Failure, fail, outOfRange } from '../../vocabulary/errors.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import { parseOutsideJson } from '../../vocabulary/storable.ts'
import { admit } from './admission.ts'
import { addsUp, readAgreed, unitsOf } from './agreement.ts'
import { backingSignatures } from './backing.ts'
import { newCallbackAddress } from './callbacks.ts'
import { type Counterparty, transportTo } from './counterparties.ts'
import { fromUmaKey, toUmaKey } from './fields.ts'
import { identityOf } from './own-keys.ts'
import { keysOfPeer } from './peer-keys.ts'
import { settlementEndpoint } from './settlement.ts'
import { commonMajor, majorOf, type UmaMajor, umaVersions } from './versions.ts'
import {
  type BilateralInvoice,
  descriptionHashOf,
  encryptTo,
  isPeerAddress,
  readInvoice,
  readMultiplier,
  signParts,
  wellKnown,
  writeBackingSignatures,
} from './wire.ts'

/** The sender's side of the protocol: lookup and pay request (webhooks-uma 6.3, 6.8). */

const lookupTimeoutMs = 10_000
/** The peer's platform may need two windows of five seconds to agree. */
const payRequestTimeoutMs = 30_000
const longestCallback = 2_048

/** A receiver as its institution describes it. */
export interface PeerReceiver extends UmaReceiver {
  readonly counterparty: Counterparty
  readonly callback: string
  /** The version that it speaks with us. */
  readonly major: UmaMajor
  /** Millisatoshi per minor unit, by currency: indicative. */
  readonly multipliers: Readonly<Record<string, string>>
  /** How payments to it are settled; undefined where it wants Lightning and there is no node here. */
  readonly layer: 'BILATERAL' | 'LIGHTNING' | undefined
  /** As it came: the description of its invoices. */
  readonly metadata: string
}

interface Parsed {
  readonly body: Record<string, unknown>
}

const peerError = (code: 'PARSE_LNURLP_RESPONSE_ERROR' | 'MISSING_REQUIRED_UMA_PARAMETERS') =>
  failed(fail(code))

/** Asks a peer what its user can be sent. Failures as callers of the API see them (webhooks-uma 6.8). */
export async function lookUpAtPeer(
  engine: Engine,
  scope: Scope,
  {
    config,
    counterparty,
    receiver,
  }: {
    readonly config: Configuration
    readonly counterparty: Counterparty
    readonly receiver: UmaName
  },
): Promise<Result<PeerReceiver, Failure>> {
  const { domain: peerDomain } = counterparty
  const address = `$${receiver.user}@${peerDomain}`
  const identity = await identityOf(engine, scope, config.umaDomain)
  const { world } = engine
  const ask = async (asked: UmaMajor) => {
    const signed = signParts([address], identity.signingKey, { world, now: world.now() })
    const backing = await backingSignatures(engine, counterparty, config.umaDomain, [address], signed)
    const query = new URLSearchParams({
      signature: signed.signature,
      vaspDomain: config.umaDomain,
      nonce: signed.signatureNonce,
      isSubjectToTravelRule: 'true',
      timestamp: String(signed.signatureTimestamp),
      umaVersion: umaVersions[asked],
      ...writeBackingSignatures(backing),
    })
    const url = `${wellKnown(peerDomain, 'lnurlp')}/$${receiver.user}?${query}`
    return transportTo(engine, scope.environment, counterparty).get(url, lookupTimeoutMs)
  }
  let major: UmaMajor = 1
  let answer = await ask(major)
  if (answer.ok && answer.status === 412) {
    const common = commonMajor(parse(answer.body)?.body.supportedMajorVersions)
    if (common === undefined) {
      return failed(fail('NO_COMPATIBLE_UMA_VERSION', { supportedVersions: Object.values(umaVersions) }))
    }
    major = common
    answer = await ask(major)
  }
  const parsed = answer.ok ? parse(answer.body) : undefined
  if (!answer.ok || answer.status !== 200) {
    return failed(lookupFailure(answer.ok ? answer.status : undefined, parsed, { address, peerDomain }))
  }
  if (!parsed) return peerError('PARSE_LNURLP_RESPONSE_ERROR')
  const { body } = parsed
  const compliance = objectOf(body.compliance)
  const currencies = readCurrencies(body.currencies)
  const { callback } = body
  if (!compliance || !currencies || typeof body.umaVersion !== 'string' || !objectOf(body.payerData)) {
    return peerError('MISSING_REQUIRED_UMA_PARAMETERS')
  }
  // In another version than it was asked, what it says could mean something else.
  if (majorOf(body.umaVersion) !== major) return peerError('PARSE_LNURLP_RESPONSE_ERROR')
  if (body.tag !== 'payRequest' || !isAddress(callback)) return peerError('PARSE_LNURLP_RESPONSE_ERROR')
  // Only this comparison keeps a peer from answering for somebody else (webhooks-uma 6.3).
  if (compliance.receiverIdentifier !== address) return peerError('PARSE_LNURLP_RESPONSE_ERROR')
  const admitted = await admit(engine, scope, {
    peer: counterparty,
    parts: [address],
    signature: compliance.signature,
    nonce: compliance.signatureNonce,
    timestamp: compliance.signatureTimestamp,
    backingSignatures: compliance.backingSignatures,
  })
  if ('refusal' in admitted) return failed(admitted.refusal)
  return ok({
    counterparty,
    callback,
    major,
    ...currencies,
    layer:
      major === 1 && offersBilateral(body.settlementOptions)
        ? 'BILATERAL'
        : engine.adapters[scope.environment].lightning && 'LIGHTNING',
    metadata: typeof body.metadata === 'string' ? body.metadata : '',
    requiredPayerFields: readPayerFields(objectOf(body.payerData) ?? {}),
  })
}

/** What a lookup fails with that was answered this status; undefined: none. */
export function lookupFailure(
  status: number | undefined,
  parsed: Parsed | undefined,
  { address: umaAddress, peerDomain }: { readonly address: string; readonly peerDomain: string },
): Failure {
  if (status === undefined || status >= 500) {
    return fail('LNURLP_REQUEST_FAILED', { counterpartyDomain: peerDomain })
  }
  const { code } = parsed?.body ?? {}
  const counterpartyCode = typeof code === 'string' ? code.slice(0, 64) : undefined
  if (status === 404) return fail('UMA_NOT_FOUND', { umaAddress })
  if (code === 'USER_NOT_READY') return fail('INVALID_RECEIVER', { reason: 'NOT_READY' })
  if (status === 412)
    return fail('UNSUPPORTED_UMA_VERSION', { supportedVersions: Object.values(umaVersions) })
  return fail('LOOKUP_REQUEST_FAILED', counterpartyCode === undefined ? {} : { counterpartyCode })
}

function parse(text: string): Parsed | undefined {
  try {
    const body = objectOf(parseOutsideJson(text))
    return body && { body }
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestCallback && /^https?:\/\//.test(value)
}

const maxCurrencies = 100

/** Currencies that both sides know; what else a peer offers is left out. */
function readCurrencies(list: unknown): Pick<PeerReceiver, 'currencies' | 'multipliers'> | undefined {
  if (!Array.isArray(list)) return undefined
  const multipliers: Record<string, string> = {}
  const currencies = list.slice(0, maxCurrencies).flatMap((entry: unknown) => {
    const { code, multiplier, convertible, minSendable, maxSendable } = objectOf(entry) ?? {}
    // The latter two in version 0.
    const { min, max } = objectOf(convertible) ?? { min: minSendable, max: maxSendable }
    if (typeof code !== 'string' || !isCurrencyCode(code) || !readMultiplier(multiplier)) return []
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return []
    multipliers[code] = String(multiplier)
    return [{ currency: code, minMinor: BigInt(min as number), maxMinor: BigInt(max as number) }]
  })
  return { currencies, multipliers }
}

function readPayerFields(payerData: Record<string, unknown>): PeerReceiver['requiredPayerFields'] {
  return Object.entries(payerData).flatMap(([key, value]) => {
    const name = fromUmaKey(key)
    return name ? [{ name, mandatory: objectOf(value)?.mandatory === true }] : []
  })
}

function offersBilateral(options: unknown): boolean {
  return Array.isArray(options) && options.some((option) => objectOf(option)?.settlementLayer === 'bilateral')
}

/** What is asked of a peer, and who asks. */
export interface PayRequest {
  readonly config: Configuration
  readonly receiver: PeerReceiver
  readonly payeeUma: string
  readonly payerUma: string
  readonly kycStatus: 'VERIFIED' | 'PENDING' | 'NOT_VERIFIED'
  readonly payer: Readonly<Partial<Record<PayerField, string>>>
  /** Who pays, for the travel rule; leaves encrypted alone (6.5). */
  readonly originator: Readonly<{ name: string; account: string; address?: string; id?: string }>
  readonly currency: string
  readonly amount:
    | { readonly lock: 'SENDING'; readonly msats: bigint }
    | { readonly lock: 'RECEIVING'; readonly minor: bigint }
}

/** The terms that a peer has agreed to. */
export interface AgreedPayment {
  readonly paymentHash: string
  readonly amountMsats: bigint
  /** Real time. */
  readonly expiresAt: Instant
  /** How it settles: the invoice, or where the peer takes its settlement. */
  readonly invoice?: string
  readonly settlementEndpoint?: string
  /** Where the peer wants to be told afterwards; as it came. */
  readonly utxoCallback?: string
  readonly receivedMinor: bigint
  /** Millisatoshi per receiving minor unit, as decimal text; `feeMinor` in receiving units. */
  readonly multiplier: string
  readonly feeMinor: bigint
}

/** Sends the pay request and checks every number of the answer (webhooks-uma 6.3, steps 3 to 5). */
export async function requestPayment(
  engine: Engine,
  scope: Scope,
  request: PayRequest,
): Promise<Result<AgreedPayment, Failure>> {
  const { config, receiver, payeeUma, payerUma, currency, amount, payer } = request
  const { counterparty } = receiver
  const { domain: counterpartyDomain } = counterparty
  const [identity, keys] = await Promise.all([
    identityOf(engine, scope, config.umaDomain),
    keysOfPeer(engine, scope.environment, counterparty),
  ])
  if (!keys.ok) return keys
  const { world } = engine
  const isLightning = receiver.layer === 'LIGHTNING'
  const endpoint = isLightning ? undefined : await settlementEndpoint(engine, scope.environment, counterparty)
  // Before it is asked for anything: what nobody could settle would be promised in vain.
  if (!isLightning && endpoint === undefined) {
    return failed(fail('PAYREQ_REQUEST_FAILED', { counterpartyDomain }))
  }
  const signed = signParts([payerUma], identity.signingKey, { world, now: world.now() })
  const info = Object.fromEntries(
    Object.entries(payer).map(([name, value]) => [toUmaKey(name as PayerField), value]),
  )
  const { name, email, ...others } = info
  const originator = JSON.stringify({ originator: request.originator })
  const backing = await backingSignatures(engine, counterparty, config.umaDomain, [payerUma], signed)
  const told = newCallbackAddress(engine, scope, counterparty.domain)
  const { major } = receiver
  const body = {
    ...(major === 1
      ? {
          convert: currency,
          amount: amount.lock === 'SENDING' ? String(amount.msats) : `${amount.minor}.${currency}`,
        }
      : { currency, amount: toWireAmount(unitsOf(request)) }),
    // In the order of the public SDKs and without empty members: the description of a Lightning invoice is the hash of this
    // text, and they write it anew from what they have read.
    payerData: {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      identifier: payerUma,
      compliance: {
        utxos: [],
        kycStatus: request.kycStatus,
        encryptedTravelRuleInfo: encryptTo(keys.value.encryption, originator, world),
        ...signed,
        utxoCallback: told.url,
        ...backing,
      },
      ...others,
    },
    payeeData: { identifier: { mandatory: true }, name: { mandatory: false } },
    // Without any, it is Lightning.
    ...(isLightning ? {} : { settlement: { layer: 'bilateral', assetIdentifier: 'BTC' } }),
  }
  const { inserts, statements } = told
  await engine.applier.apply(silently(scope), { inserts, statements, result: () => null })
  const peers = transportTo(engine, scope.environment, counterparty)
  const answer = await peers.post(receiver.callback, JSON.stringify(body), payRequestTimeoutMs)
  const parsed = answer.ok ? parse(answer.body) : undefined
  if (!answer.ok || answer.status !== 200) {
    const status = answer.ok ? answer.status : undefined
    return failed(payRequestFailure(status, parsed, { counterpartyDomain, currency }))
  }
  const invoice = isLightning
    ? await decodeInvoice(engine, scope, parsed?.body.pr, {
        counterpartyDomain,
        description: receiver.metadata + JSON.stringify(body.payerData),
      })
    : ok(readInvoice(parsed?.body.pr))
  if (!invoice.ok) return invoice
  const agreed = parsed && readAgreed(parsed.body, invoice.value, request)
  if (!agreed) return failed(fail('PARSE_PAYREQ_RESPONSE_ERROR', { counterpartyDomain }))
  const { compliance, ...terms } = agreed
  if (!addsUp(terms, request, world.now())) {
    return failed(fail('INVALID_PAYREQ_RESPONSE', { counterpartyDomain }))
  }
  // Version 0 knows no signature here. Either way it would cover neither the invoice nor the amounts.
  if (major === 1) {
    const admitted = await admit(engine, scope, {
      peer: counterparty,
      parts: [payerUma, payeeUma],
      signature: compliance.signature,
      nonce: compliance.signatureNonce,
      timestamp: compliance.signatureTimestamp,
      backingSignatures: compliance.backingSignatures,
    })
    if ('refusal' in admitted) return failed(admitted.refusal)
  }
  const { multiplier, feeMsats } = terms
  const rate = parseRate(multiplier)
  return ok({
    paymentHash: terms.invoice.paymentHash,
    amountMsats: terms.invoice.amountMsats,
    expiresAt: terms.invoice.expiresAt,
    ...(endpoint === undefined ? { invoice: String(parsed.body.pr) } : { settlementEndpoint: endpoint }),
    ...(isPeerAddress(compliance.utxoCallback, counterparty.domain)
      ? { utxoCallback: compliance.utxoCallback }
      : {}),
    receivedMinor: terms.receivedMinor,
    multiplier,
    feeMinor: mulDivHalfUp(feeMsats, rate.denominator, rate.numerator),
  })
}

const longestInvoice = 4_096

/** What a Lightning invoice says, once it is about this payment: its description is what was said on both sides. */
async function decodeInvoice(
  engine: Engine,
  scope: Scope,
  pr: unknown,
  { counterpartyDomain, description }: { readonly counterpartyDomain: string; readonly description: string },
): Promise<Result<BilateralInvoice | undefined, Failure>> {
  const node = engine.adapters[scope.environment].lightning
  if (!node || typeof pr !== 'string' || pr.length > longestInvoice) return ok(undefined)
  const decoded = await node.decode(pr)
  if (decoded === 'UNAVAILABLE') return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'LIGHTNING_NODE' }))
  if (decoded === 'UNREADABLE') return ok(undefined)
  return decoded.descriptionHash === descriptionHashOf(description)
    ? ok(decoded)
    : failed(fail('INVALID_PAYREQ_RESPONSE', { counterpartyDomain }))
}

/** Of what a peer misses, what the API has a word for; not every peer says it. */
function fieldsNamed(keys: unknown): readonly string[] {
  const named: readonly unknown[] = Array.isArray(keys) ? keys.slice(0, maxCurrencies) : []
  return named.flatMap((key) => (typeof key === 'string' ? (fromUmaKey(key) ?? []) : []))
}

/** The bounds that a peer names with its refusal; not every peer does. */
function boundsTold({ min, max }: Record<string, unknown> = {}) {
  const bound = (told: unknown) => (Number.isSafeInteger(told) ? BigInt(told as number) : undefined)
  return { least: bound(min), most: bound(max) }
}

/** Codes of a peer that mean the same to our caller. */
const passedOn = ['AMOUNT_OUT_OF_RANGE', 'INVALID_CURRENCY', 'SENDER_NOT_ACCEPTED'] as const

/** What a pay request fails with that was answered this status; undefined: none. */
export function payRequestFailure(
  status: number | undefined,
  parsed: Parsed | undefined,
  { counterpartyDomain, currency }: { readonly counterpartyDomain: string; readonly currency: string },
): Failure {
  const { code } = parsed?.body ?? {}
  if (status === undefined || status >= 500) {
    return code === 'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY'
      ? fail(code)
      : fail('PAYREQ_REQUEST_FAILED', { counterpartyDomain })
  }
  const same = passedOn.find((known) => known === code)
  if (same === 'SENDER_NOT_ACCEPTED') return fail(same, { counterpartyDomain })
  if (same === 'AMOUNT_OUT_OF_RANGE') return outOfRange(currency, boundsTold(parsed?.body))
  if (same) return fail(same, { currency })
  if (code === 'VELOCITY_LIMIT_EXCEEDED' || code === 'COUNTERPARTY_NOT_ALLOWED') {
    return fail(code, { counterpartyDomain })
  }
  if (code === 'MISSING_MANDATORY_PAYER_DATA') {
    const missingFields = fieldsNamed(parsed?.body.missingFields)
    return fail('MISSING_MANDATORY_USER_INFO', missingFields.length > 0 ? { missingFields } : {})
  }
  if (code === 'USER_NOT_READY') return fail('INVALID_RECEIVER', { reason: 'NOT_READY' })
  return fail('QUOTE_REQUEST_FAILED', { reason: 'COUNTERPARTY' })
}
