import { type Id, largestWireMinor, lowerAscii, ok, toTimestamp, toWireAmount } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import { hasWebhookReceiver } from '../../notices/webhook-events/index.ts'
import { type Customer, customerName, informationOf } from '../../people/customers/index.ts'
import { fundingReference } from '../../platform/internal-accounts/index.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { PayerField } from '../../ports/uma.ts'
import { decimalsOf } from '../../reference/currencies/index.ts'
import type { Scope, SilentScope } from '../../vocabulary/scope.ts'
import { loadTransaction, type Transaction } from '../payments/index.ts'
import {
  admit,
  backingSignatures,
  type Counterparty,
  cameAsExpected,
  descriptionHashOf,
  findBacked,
  findCounterparty,
  fromMsats,
  fromUmaKey,
  hashOf,
  identityOf,
  isPeerAddress,
  newCallbackAddress,
  settlesBilaterally,
  signParts,
  toMsats,
  toUmaKey,
  type UmaMajor,
  writeInvoice,
} from '../uma-peers/index.ts'
import { decideReceipt, takePayeeInformation } from '../uma-receipts/index.ts'
import { json, refuse, refuseAs } from './errors.ts'
import { isRequestId, metadataOf } from './lookups.ts'
import { loadReceiver, type Offer, type Receiver } from './offers.ts'
import { findServedLookup, sealedPreimages } from './store.ts'

const invoiceLifeMs = 5 * 60_000
/** Two windows of five seconds for the platform, and what sending takes. */
const patienceMs = 14_000
const lookMs = 50
const longestValue = 512
const maxFields = 40

type Members = Readonly<Record<string, unknown>>

interface Asked {
  readonly payerUma: string
  readonly currency: string
  readonly amountMsats: bigint
  readonly receivedMinor: bigint
  readonly offer: Offer
  /** By CustomerInfoFieldName. */
  readonly payer: Readonly<Record<string, string>>
  readonly travelRuleInfo: string | null
  /** Where the peer wants to be told afterwards; as it came. */
  readonly utxoCallback: unknown
  /** What it wants to know of the receiver. */
  readonly payee: readonly PayeeKey[]
}

interface PayeeKey {
  readonly key: string
  readonly name: PayerField
  readonly mandatory: boolean
}

/** A peer asks to pay (webhooks-uma 6.3 step 4, 6.4): checked, put to the platform, and answered with what to settle. */
export async function answerPayRequest(engine: Engine, request: HostedRequest): Promise<HostedAnswer> {
  const { id } = request.params
  const lookup = isRequestId(id) ? await findServedLookup(engine.database, id) : undefined
  const { world } = engine
  if (!lookup || world.now() >= lookup.expiresAt) return refuse('REQUEST_NOT_FOUND')
  const scope = await engine.clock.scope(lookup, { id: 'peer', permissions: [] })
  const payerData = objectOf(request.body.payerData)
  const compliance = objectOf(payerData.compliance)
  const payerUma = typeof payerData.identifier === 'string' ? lowerAscii(payerData.identifier) : ''
  if (!payerUma.startsWith('$') || payerUma.split('@')[1] !== lookup.peerDomain) {
    return refuse('SENDER_NOT_ACCEPTED')
  }
  const config = await loadConfig(engine.database, lookup)
  const peer =
    (await findCounterparty(engine, lookup, config, lookup.peerDomain)) ??
    findBacked(config, lookup.peerDomain, compliance.backingSignatures)
  if (!peer || !cameAsExpected(peer, request)) return refuse('COUNTERPARTY_NOT_ALLOWED')
  const admitted = await admit(engine, lookup, {
    peer,
    parts: [String(payerData.identifier)],
    signature: compliance.signature,
    nonce: compliance.signatureNonce,
    timestamp: compliance.signatureTimestamp,
    backingSignatures: compliance.backingSignatures,
  })
  if ('refusal' in admitted) return refuseAs(admitted.refusal)

  const receiver = await loadReceiver(engine, scope, lookup.customerId)
  if (!receiver) return refuse('USER_NOT_FOUND')
  if (!receiver.isReady) return refuse('USER_NOT_READY')
  const body = asVersion1(request.body, lookup.major)
  if (!body) return refuse('INVALID_INPUT')
  const asked = readAsked(body, { payerData, compliance, payerUma, receiver })
  if (!('offer' in asked)) return asked
  const layer = layerOf(engine, lookup, peer, body.settlement)
  if (!layer) return refuse('NOT_IMPLEMENTED')
  const { isHosted, creditLineMsats = 0 } = peer
  const isOwed = layer === 'BILATERAL' && !isHosted
  if (isOwed && asked.amountMsats > BigInt(creditLineMsats)) return refuse('VELOCITY_LIMIT_EXCEEDED')
  if (!(await hasWebhookReceiver(engine, scope))) return refuse('USER_NOT_READY')

  const promised = await promise(engine, scope, receiver, {
    ...asked,
    peer,
    layer,
    peerSigningKey: Buffer.from(admitted.keys.signing).toString('hex'),
  })
  if (!promised) return refuse('USER_NOT_READY')
  const decided = await awaitDecision(engine, scope, promised.transactionId)
  if (decided.status !== 'PENDING' || decided.flow.stage !== 'SETTLE') return refusalOf(decided)
  const told = await takePayeeInformation(engine, scope, promised.transactionId)
  const payeeUma = receiver.customer.umaAddress
  const domain = payeeUma.split('@')[1] ?? ''
  const identity = await identityOf(engine, scope, domain)
  const signed = signParts([payerUma, payeeUma], identity.signingKey, { world, now: world.now() })
  const backing = await backingSignatures(engine, peer, domain, [payerUma, payeeUma], signed)
  const { offer, receivedMinor, amountMsats } = asked
  const { paymentHash, expiresAt } = promised
  const pr =
    layer === 'BILATERAL'
      ? writeInvoice({ paymentHash, amountMsats, expiresAt })
      : await engine.adapters[lookup.environment].lightning?.createInvoice(
          {
            paymentHash,
            preimage: promised.preimage,
            amountMsats,
            descriptionHash: descriptionHashOf(metadataOf(payeeUma) + JSON.stringify(payerData)),
            expiresAt,
          },
          world.now(),
        )
  // Nobody can pay it; its time runs out.
  if (pr === undefined) return refuse('SERVICE_UNAVAILABLE')
  const { currency, multiplier } = offer
  const conversion = { currencyCode: currency, decimals: decimalsOf(currency), multiplier }
  const hooks = { nodePubKey: null, utxos: [], utxoCallback: promised.callback }
  const payeeData = payeeDataOf(receiver, asked.payee, told)
  return json({
    pr,
    routes: [],
    ...(lookup.major === 0
      ? { paymentInfo: { ...conversion, exchangeFeesMillisatoshi: 0 }, compliance: hooks, payeeData }
      : {
          converted: { amount: toWireAmount(receivedMinor), ...conversion, fee: 0 },
          payeeData: { ...payeeData, compliance: { ...hooks, ...signed, ...backing } },
        }),
    disposable: false,
  })
}

/**
 * A pay request in the words of version 1; undefined for one that is not in the version of its lookup. In version 0 the
 * currency has another name, and the amount is a number of its units.
 */
function asVersion1(body: Members, major: UmaMajor): Members | undefined {
  const { currency, convert, amount } = body
  if (major === 1) return convert === undefined && currency !== undefined ? undefined : body
  if (convert !== undefined || typeof amount !== 'number' || !Number.isSafeInteger(amount)) return undefined
  return { ...body, convert: currency, amount: `${amount}.${currency}`, settlement: undefined }
}

/** How it is settled: over Lightning, unless the peer asks otherwise. Undefined for what is not done here. */
function layerOf(
  { adapters }: Engine,
  { environment }: Pick<Scope, 'environment'>,
  peer: Counterparty,
  settlement: unknown,
): 'BILATERAL' | 'LIGHTNING' | undefined {
  const { layer = 'ln' } = objectOf(settlement)
  if (layer === 'bilateral') return settlesBilaterally(peer) ? 'BILATERAL' : undefined
  return layer === 'ln' && adapters[environment].lightning ? 'LIGHTNING' : undefined
}

function objectOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** Digits and nothing else: neither signs nor exponents (webhooks-uma 6.4). */
const amountForm = /^([1-9][0-9]{0,15})(?:\.([A-Z0-9]{1,16}))?$/

function readAsked(
  body: Members,
  facts: {
    readonly payerData: Members
    readonly compliance: Members
    readonly payerUma: string
    readonly receiver: Receiver
  },
): Asked | HostedAnswer {
  const { payerData, compliance, payerUma, receiver } = facts
  const { convert, amount } = body
  const offer = receiver.offers.find(({ currency }) => currency === convert)
  if (!offer) return refuse('INVALID_CURRENCY')
  const match = typeof amount === 'string' ? amountForm.exec(amount) : null
  if (!match) return refuse('INVALID_INPUT')
  if (match[2] !== undefined && match[2] !== offer.currency) return refuse('INVALID_CURRENCY')
  const given = BigInt(match[1] ?? 0)
  const isReceiving = match[2] !== undefined
  const receivedMinor = isReceiving ? given : fromMsats(given, offer.rate)
  const amountMsats = isReceiving ? toMsats(given, offer.rate) : given
  const { minMinor, maxMinor } = offer
  const isTold = amountMsats <= largestWireMinor
  if (!isTold || receivedMinor <= 0n || receivedMinor < minMinor || receivedMinor > maxMinor) {
    const bounds = { min: toWireAmount(minMinor), max: toWireAmount(maxMinor), currency: offer.currency }
    return refuse('AMOUNT_OUT_OF_RANGE', bounds)
  }
  const payer = readPayer(payerData)
  if (!payer) return refuse('INVALID_INPUT')
  const wanted =
    receiver.config.supportedCurrencies.find(({ currencyCode }) => currencyCode === offer.currency)
      ?.requiredCounterpartyFields ?? []
  const missing = wanted.filter(({ name, mandatory }) => mandatory && name !== 'IDENTIFIER' && !payer[name])
  if (missing.length > 0) {
    return refuseWithout(missing.map(({ name }) => name))
  }
  const payee = readPayeeKeys(objectOf(body.payeeData))
  if (!payee) return refuse('UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY')
  const { encryptedTravelRuleInfo, utxoCallback } = compliance
  const told = Object.fromEntries(
    Object.entries({ ...payer, IDENTIFIER: payerUma }).filter(([name]) =>
      wanted.some((field) => field.name === name),
    ),
  )
  return {
    payerUma,
    currency: offer.currency,
    amountMsats,
    receivedMinor,
    offer,
    payer: told,
    travelRuleInfo: typeof encryptedTravelRuleInfo === 'string' ? encryptedTravelRuleInfo : null,
    utxoCallback,
    payee,
  }
}

/** In the words of the protocol what the peer has to add. */
function refuseWithout(names: readonly PayerField[]): HostedAnswer {
  return refuse('MISSING_MANDATORY_PAYER_DATA', { missingFields: names.map(toUmaKey) })
}

/** Told in any case, whatever is asked. */
const alwaysTold: ReadonlySet<string> = new Set(['identifier', 'compliance'])

/** Undefined where it insists on what has no meaning here. One name is asked for once, by the first of its keys. */
function readPayeeKeys(payeeData: Members): readonly PayeeKey[] | undefined {
  const keys = new Map<PayerField, PayeeKey>()
  for (const [key, value] of Object.entries(payeeData).slice(0, maxFields)) {
    const name = fromUmaKey(key)
    const mandatory = objectOf(value).mandatory === true
    const before = name && keys.get(name)
    if (name) {
      keys.set(name, { name, key: before?.key ?? key, mandatory: mandatory || before?.mandatory === true })
    } else if (mandatory && !alwaysTold.has(key)) return undefined
  }
  return [...keys.values()]
}

/** What the record says, or else what the platform has said; nothing that was not asked for (webhooks-uma 6.5). */
function payeeDataOf(
  { customer }: Receiver,
  asked: readonly PayeeKey[],
  told: Readonly<Record<string, unknown>>,
): Members {
  const entries = asked.flatMap(({ key, name }) => {
    const value = knownOf(customer, name) ?? told[name]
    return value === undefined ? [] : [[key, value] as const]
  })
  return { ...Object.fromEntries(entries), identifier: customer.umaAddress }
}

function knownOf(customer: Customer, name: PayerField): string | undefined {
  return name === 'FULL_NAME' ? customerName(customer) : informationOf(customer, name)
}

function readPayer(payerData: Members): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(payerData)
  if (entries.length > maxFields) return undefined
  const payer: Record<string, string> = {}
  for (const [key, value] of entries) {
    const name = fromUmaKey(key)
    if (!name || typeof value !== 'string' || value.trim() === '') continue
    if (value.length > longestValue) return undefined
    payer[name] = value
  }
  return payer
}

interface Promised {
  readonly transactionId: Id<'Transaction'>
  readonly paymentHash: string
  readonly preimage: string
  readonly expiresAt: number
  /** Where the peer may tell what moved. */
  readonly callback: string
}

/**
 * Puts the payment on record and before the platform, together with what settles it. Undefined where the customer or the
 * account changed since they were looked at.
 */
async function promise(
  engine: Engine,
  scope: SilentScope,
  { customer }: Receiver,
  asked: Asked & {
    readonly peer: Counterparty
    readonly layer: 'BILATERAL' | 'LIGHTNING'
    readonly peerSigningKey: string
  },
): Promise<Promised | undefined> {
  const { world, keys } = engine
  const { layer, peer } = asked
  const { domain, isHosted, creditLineMsats = 0 } = peer
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  const preimage = Buffer.from(world.randomBytes(32)).toString('hex')
  const paymentHash = hashOf(preimage)
  const expiresAt = world.now() + invoiceLifeMs
  const told = newCallbackAddress(engine, scope, domain)
  const recorded = await commit<null>(engine.applier, scope, async () => {
    const receipt = decideReceipt(scope, {
      transactionId,
      reference,
      senderUma: asked.payerUma,
      customer,
      account: asked.offer.account,
      amountMinor: asked.receivedMinor,
      requestedFields: asked.payee
        .filter(({ name }) => knownOf(customer, name) === undefined)
        .map(({ name, mandatory }) => ({ name, mandatory })),
      counterpartyInformation: asked.payer,
      counterparty: {
        domain,
        msats: asked.amountMsats.toString(),
        ...(layer === 'LIGHTNING' ? { lightningHash: paymentHash } : isHosted ? { isHosted } : {}),
      },
      expiresAfterMs: invoiceLifeMs,
      isRefused: false,
    })
    return ok({
      ...receipt,
      inserts: [
        ...(receipt.inserts ?? []),
        ...told.inserts,
        {
          table: 'uma_payments',
          row: {
            id: paymentHash,
            transaction_id: transactionId,
            customer_id: customer.id,
            peer_domain: domain,
            payer_uma: asked.payerUma,
            payee_uma: customer.umaAddress,
            amount_msats: asked.amountMsats,
            layer,
            peer_signing_key: asked.peerSigningKey,
            credit_line_msats: isHosted ? null : BigInt(creditLineMsats),
            preimage: keys.seal(scope, sealedPreimages, paymentHash, preimage),
            travel_rule_info: asked.travelRuleInfo,
            utxo_callback: isPeerAddress(asked.utxoCallback, domain) ? asked.utxoCallback : null,
            expires_at: toTimestamp(expiresAt),
            created_at: toTimestamp(scope.now),
          },
        },
      ],
      statements: told.statements,
      result: () => null,
    })
  })
  return recorded.ok ? { transactionId, paymentHash, preimage, expiresAt, callback: told.url } : undefined
}

/** Until the platform has decided, in whichever process its answer is taken. */
async function awaitDecision(engine: Engine, scope: Scope, id: string): Promise<Transaction> {
  const { world } = engine
  const until = world.now() + patienceMs
  // Here and now: the relay's own round may be a while off.
  const delivered = engine.relay.runBook(engine, scope, true).then(
    () => undefined,
    () => undefined,
  )
  // What else is asked of that platform may take much longer than this answer.
  await Promise.race([delivered, world.sleep(lookMs)])
  for (;;) {
    const transaction = await loadTransaction(engine, scope, id)
    if (!transaction) throw new Error('The UMA payment was written but cannot be read back')
    if (transaction.flow.stage !== 'APPROVE' || world.now() >= until) return transaction
    await world.sleep(lookMs)
  }
}

/** What the counterparty learns of a payment that is not to be: never the platform's own words. */
function refusalOf({ failureReason, status, flow }: Transaction): HostedAnswer {
  if (failureReason === 'PAY_REQUEST_FAILED') return refuseWithout(flow.approval?.requiredFields ?? [])
  return status === 'REJECTED' ? refuse('PAYMENT_REJECTED') : refuse('USER_NOT_READY')
}
