import { assert, failed, ok, parseRate, type Result } from '@corridor/kernel'
import { assertCustomerReady, type Customer, isOnRecord } from '../../people/customers/index.ts'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { MoneyGates } from '../../platform/platforms/index.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { canFundInRealtime, findCurrency, isStablecoin } from '../../reference/currencies/index.ts'
import { isNetworkId, networksCarrying } from '../../reference/rails/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { CustomerInfoFieldName } from '../../vocabulary/shapes.ts'
import { type ExternalAccount, isPullable } from '../external-accounts/index.ts'
import { type Lookup, purposeRefusal, type ResolvedReceiver } from '../receivers/index.ts'
import type { PeerReceiver } from '../uma-peers/index.ts'
import type { PricedDestination } from './fee-schedule.ts'
import type { QuoteRequest } from './quote-schemas.ts'

/** The accounts and people that a quote names, as they are on record; undefined where there is none. */
export interface Parties {
  readonly sourceInternal?: InternalAccount | undefined
  readonly sourceExternal?: ExternalAccount | undefined
  readonly destinationInternal?: InternalAccount | undefined
  readonly destinationExternal?: ExternalAccount | undefined
  /** Whom the quote is for, unless it is the platform itself. */
  readonly customer?: Customer | undefined
  /** Whom `source.customerId` names. */
  readonly namedCustomerId?: string | undefined
  /** The owner of an internal destination, where that is another customer. */
  readonly receivingCustomer?: Customer | undefined
  /** Who is behind the UMA address of the destination, or why nobody can be paid there. */
  readonly umaReceiver?: Result<ResolvedReceiver, Failure> | undefined
  /** What the request's `lookupId` names, when it is a live lookup of this receiver by this sender. */
  readonly lookup?: Lookup | undefined
}

/** The rules of the environment, and the operator's gates laid over them. */
export interface PartyRules {
  readonly rules: EnvironmentRules
  readonly gates: MoneyGates
}

/** Both sides of a payment after every rule about who may pay whom (accounts 7.1). */
export interface ResolvedParties {
  readonly ownerId: string
  readonly platformCustomerId: string
  readonly sendingCurrency: string
  readonly receivingCurrency: string
  readonly source:
    | { readonly kind: 'INTERNAL'; readonly account: InternalAccount }
    | { readonly kind: 'PULL'; readonly account: ExternalAccount }
    | { readonly kind: 'REALTIME'; readonly network?: string }
  readonly destination:
    | { readonly kind: 'INTERNAL'; readonly account: InternalAccount }
    | { readonly kind: 'EXTERNAL'; readonly account: ExternalAccount; readonly network?: string }
    | {
        readonly kind: 'UMA'
        readonly umaAddress: string
        /** Bounds of what the receiver gets, in minor units of the receiving currency. */
        readonly minMinor: bigint
        readonly maxMinor: bigint
        /** Where the protocol goes on with another institution. */
        readonly peer?: PeerReceiver
      }
  readonly priced: PricedDestination
}

/**
 * Checks the parties of a quote in the order of accounts 0: references, readiness, then the rules of the
 * business. Limits and prices come later.
 */
export function resolveParties(
  request: QuoteRequest,
  parties: Parties,
  { rules, gates }: PartyRules,
): Result<ResolvedParties, Failure> {
  const missing = missingReferences(request, parties) ?? missingReceiver(request, parties)
  if (missing) return failed(missing)
  const unready = readiness(parties, gates)
  if (unready) return failed(unready)

  const source = resolveSource(request, parties, rules)
  if (!source.ok) return source
  const { ownerId } = source.value
  const destination = resolveDestination(request, parties, { ownerId, rules })
  if (!destination.ok) return destination

  return ok({
    ...source.value,
    ...destination.value,
    platformCustomerId: parties.customer?.platformCustomerId ?? platformOwner,
  })
}

/** Ids that name nothing of this platform, all at once (accounts 7.1: the operation has no 404). */
function missingReferences({ source, destination }: QuoteRequest, parties: Parties): Failure | undefined {
  const errors = []
  const isKnownSource = parties.sourceInternal ?? parties.sourceExternal
  if (source.sourceType === 'ACCOUNT' && !isKnownSource) {
    errors.push({ field: 'source.accountId', message: 'is not an account of this platform' })
  }
  const isKnownDestination = parties.destinationInternal ?? parties.destinationExternal
  if (destination.destinationType === 'ACCOUNT' && !isKnownDestination) {
    errors.push({ field: 'destination.accountId', message: 'is not an account of this platform' })
  }
  if (parties.namedCustomerId && !parties.customer) {
    errors.push({ field: 'source.customerId', message: 'is not a customer of this platform' })
  }
  return errors.length > 0 ? failFields(errors) : undefined
}

/** Why there is nobody to pay at a UMA address, or no such lookup: the only 404s of quotes (accounts 5.3). */
function missingReceiver({ lookupId }: QuoteRequest, parties: Parties): Failure | undefined {
  if (parties.umaReceiver && !parties.umaReceiver.ok) return parties.umaReceiver.failure
  if (lookupId === undefined || parties.lookup) return undefined
  return fail('LOOKUP_REQUEST_NOT_FOUND', { resourceType: 'Lookup', id: lookupId })
}

function readiness(parties: Parties, gates: MoneyGates): Failure | undefined {
  if (parties.customer) {
    const refusal = assertCustomerReady(parties.customer, gates)
    if (refusal) return refusal
  }
  for (const account of [parties.sourceInternal, parties.destinationInternal]) {
    if (account && account.status !== 'ACTIVE') {
      return fail('USER_NOT_READY', { accountId: account.id, accountStatus: account.status })
    }
  }
  if (parties.receivingCustomer) return assertCustomerReady(parties.receivingCustomer, gates)
  return undefined
}

type ResolvedSource = Pick<ResolvedParties, 'ownerId' | 'sendingCurrency' | 'source'>

function resolveSource(
  request: QuoteRequest,
  parties: Parties,
  rules: EnvironmentRules,
): Result<ResolvedSource, Failure> {
  const { source, immediatelyExecute } = request
  const refuse = (field: string, message: string) => failed(failFields([{ field, message }]))

  if (source.sourceType === 'REALTIME_FUNDING') {
    if (immediatelyExecute)
      return refuse('immediatelyExecute', 'needs a source that Corridor can debit immediately')
    const { currency, cryptoNetwork } = source
    const known = findCurrency(currency)
    if (!known || !canFundInRealtime(currency)) return failed(fail('INVALID_CURRENCY', { currency }))
    if (isStablecoin(currency) || cryptoNetwork !== undefined) {
      const carrying: readonly string[] = networksCarrying(currency)
      if (!cryptoNetwork || !carrying.includes(cryptoNetwork)) {
        return failed(
          failFields([
            {
              field: 'source.cryptoNetwork',
              message: cryptoNetwork ? `must be a network that supports ${currency}` : 'is required',
              constraint: { enum: carrying },
            },
          ]),
        )
      }
    }
    return ok({
      ownerId: parties.customer?.id ?? platformOwner,
      sendingCurrency: currency,
      source: { kind: 'REALTIME', ...(cryptoNetwork ? { network: cryptoNetwork } : {}) },
    })
  }

  const { sourceInternal, sourceExternal, customer } = parties
  if (sourceInternal) {
    if (sourceInternal.type === 'EMBEDDED_WALLET' && immediatelyExecute) {
      return refuse(
        'immediatelyExecute',
        'is not possible for embedded wallets, because they have to sign the quote',
      )
    }
    const isForeign = sourceInternal.ownerId !== platformOwner && source.customerId !== undefined
    if (isForeign && source.customerId !== sourceInternal.ownerId) {
      return refuse('source.customerId', 'is not the owner of the source account')
    }
    return ok({
      ownerId: customer?.id ?? platformOwner,
      sendingCurrency: sourceInternal.currency,
      source: { kind: 'INTERNAL', account: sourceInternal },
    })
  }

  const account = sourceExternal!
  if (parties.namedCustomerId !== undefined && parties.namedCustomerId !== account.ownerId) {
    return refuse('source.customerId', 'is not the owner of the source account')
  }
  if (!isPullable(account, { ownerId: account.ownerId }, rules)) {
    return refuse('source.accountId', 'does not support pulls')
  }
  return ok({
    ownerId: account.ownerId,
    sendingCurrency: account.currency,
    source: { kind: 'PULL', account },
  })
}

type ResolvedDestination = Pick<ResolvedParties, 'receivingCurrency' | 'destination' | 'priced'>

function resolveDestination(
  request: QuoteRequest,
  parties: Parties,
  { ownerId, rules }: { readonly ownerId: string; readonly rules: EnvironmentRules },
): Result<ResolvedDestination, Failure> {
  const { source, destination, purposeOfPayment } = request
  if (destination.destinationType === 'UMA_ADDRESS') return resolveUma(request, destination.currency, parties)
  const { accountId } = destination
  if (source.sourceType === 'ACCOUNT' && source.accountId === accountId) return failed(fail('SELF_PAYMENT'))
  const { destinationInternal, destinationExternal } = parties
  if (destinationInternal) {
    const { currency } = destinationInternal
    return ok({
      receivingCurrency: currency,
      destination: { kind: 'INTERNAL', account: destinationInternal },
      priced: { kind: 'ACCOUNT' },
    })
  }
  const account = destinationExternal!
  // The platform may pay any of its customers' accounts; a customer only its own and the platform's.
  const isAllowed =
    ownerId === platformOwner || account.ownerId === ownerId || account.ownerId === platformOwner
  if (!isAllowed) return failed(fail('INVALID_RECEIVER', { accountId, reason: 'OWNER' }))
  const unexplained = purposeRefusal({ currency: account.currency, purposeOfPayment }, rules)
  if (unexplained) return failed(unexplained)
  const { network } = accountTypeOf(account.accountInfo)
  return ok({
    receivingCurrency: account.currency,
    destination: { kind: 'EXTERNAL', account, ...(network ? { network } : {}) },
    priced: network && isNetworkId(network) ? { kind: 'ON_CHAIN', network } : { kind: 'ACCOUNT' },
  })
}

/**
 * A receiver at a UMA address (webhooks-uma 5.2): a currency that it is offered in, and what its institution wants to
 * know of the sender, from the record or from the request.
 */
function resolveUma(
  request: QuoteRequest,
  currency: string | undefined,
  { umaReceiver, customer }: Parties,
): Result<ResolvedDestination, Failure> {
  assert(umaReceiver?.ok, 'a receiver that is not known was refused before')
  const receiver = umaReceiver.value
  // Who does not settle bilaterally is paid over Lightning.
  if (receiver.peer && !receiver.peer.layer)
    return failed(fail('NOT_IMPLEMENTED', { field: 'destination.destinationType' }))
  const supported = receiver.currencies.map((offered) => offered.currency)
  const offered = receiver.currencies.find((entry) => entry.currency === (currency ?? supported[0]))
  if (!offered) return failed(fail('INVALID_CURRENCY', { currency, supported }))
  const missingFields = receiver.requiredPayerFields
    .filter(({ name, mandatory }) => mandatory && !isKnownOfSender(name, request, customer))
    .map(({ name }) => name)
  if (missingFields.length > 0) return failed(fail('MISSING_MANDATORY_USER_INFO', { missingFields }))
  const { minMinor, maxMinor } = offered
  return ok({
    receivingCurrency: offered.currency,
    destination: {
      kind: 'UMA',
      umaAddress: receiver.address,
      minMinor,
      maxMinor,
      ...(receiver.peer ? { peer: receiver.peer } : {}),
    },
    priced: receiver.peer
      ? pricedByPeer(receiver.peer.multipliers[offered.currency] ?? '1', 0n)
      : { kind: 'UMA' },
  })
}

function isKnownOfSender(
  name: CustomerInfoFieldName,
  { senderCustomerInfo = {}, purposeOfPayment }: QuoteRequest,
  customer: Customer | undefined,
): boolean {
  const told = senderCustomerInfo[name]
  if (typeof told === 'string' && told.trim() !== '') return true
  if (name === 'PURPOSE_OF_PAYMENT') return purposeOfPayment !== undefined
  // The platform itself sends under its own name.
  return customer ? isOnRecord(customer, name) : name === 'FULL_NAME'
}

/** The peer's own price in place of ours. */
export function pricedByPeer(multiplier: string, peerFeeMinor: bigint): PricedDestination {
  return { kind: 'UMA', peerFeeMinor, peerMultiplier: parseRate(multiplier) }
}
