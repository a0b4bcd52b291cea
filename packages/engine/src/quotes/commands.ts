import { assert, failed, isId, ok, type Result } from '@corridor/kernel'
import { assertCustomerReady, loadCustomer } from '../customers/index.ts'
import { commit } from '../db/apply.ts'
import type { Insert } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import { type RateSnapshot, toSnapshot } from '../exchange-rates/index.ts'
import { externalAccountRefusal, loadExternalAccounts } from '../external-accounts/index.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Call, Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import {
  fundingReference,
  loadInternalAccounts,
  loadOwnedInternalAccount,
  openAccounts,
  platformOwner,
  realtimeInstructions,
  walletIdentity,
} from '../internal-accounts/index.ts'
import { type Configuration, loadConfig, loadPlatform, moneyGates } from '../platforms/index.ts'
import { findLookup, resolveReceiver } from '../receivers/index.ts'
import {
  loadSessionKeys,
  readSignature,
  signatureMissing,
  signatureRefusal,
} from '../signed-requests/index.ts'
import { dailyUsdLimit, transactionIdOf } from '../transactions/index.ts'
import { draftQuote } from './draft.ts'
import { type Parties, type ResolvedParties, resolveParties } from './parties.ts'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quote-schemas.ts'
import { renderQuote } from './render.ts'
import { decideCreate, decideCreateAndExecute, decideExecute, type ExecutionFacts } from './rules.ts'
import { loadQuote } from './store.ts'
import { walletPayloadOf } from './wallet-instructions.ts'

export async function createQuote(
  engine: Engine,
  scope: Scope,
  request: QuoteRequest,
): Promise<Result<Reply, Failure>> {
  const quoteId = engine.world.id('Quote')
  const reference = fundingReference(engine.world)
  const created = await commit(engine.applier, scope, async () => {
    const { rules } = engine.adapters[scope.environment]
    const [named, { configuration, gates }] = await Promise.all([
      loadParties(engine, scope, request),
      loadGates(engine, scope),
    ])
    const parties = resolveParties(request, named, { rules, gates })
    if (!parties.ok) return parties
    const made = { quoteId, reference, configuration }
    const prepared = await prepareQuote(engine, scope, request, parties.value, made)
    if (!prepared.ok) return prepared
    const { quote, openedAccounts } = prepared.value
    const { source } = parties.value
    const decision = request.immediatelyExecute
      ? decideCreateAndExecute(scope, quote, {
          stepMs: rules.stepMs,
          sourceAccount: source.kind === 'INTERNAL' ? source.account : undefined,
          dailyUsdMinor: dailyUsdLimit(configuration.settings.maxDailyUsdAmount),
          isRateRefused: configuration.settings.refusesQuotedRates ?? false,
        })
      : ok(decideCreate(scope, quote))
    if (!decision.ok) return decision
    const { inserts = [] } = decision.value
    return ok({
      ...decision.value,
      inserts: [...openedAccounts, ...inserts],
      unique: { internal_accounts_one_per_currency: 'stale' },
    })
  })
  if (!created.ok || !request.immediatelyExecute) return created
  // The steps that need no waiting run before the answer, so that it shows their outcome (accounts 12.1).
  await engine.jobs.runKey(engine, scope, transactionIdOf(quoteId))
  const quote = await loadQuote(engine.database, scope, quoteId)
  assert(quote, 'an executed quote is on record')
  return ok({ status: 201, body: renderQuote(quote, await engine.clock.now(scope)) })
}

export async function executeQuote(
  engine: Engine,
  scope: Scope,
  { id, header }: { readonly id: string; readonly header: Call['header'] },
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const quote = await loadQuote(engine.database, scope, id)
    if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id }))
    return decideExecute(scope, quote, await loadExecutionFacts(engine, scope, quote, header))
  })
}

/** The platform's configuration, and who of its customers may move money. */
async function loadGates(engine: Engine, scope: Scope) {
  const [configuration, platform] = await Promise.all([
    loadConfig(engine.database, scope),
    loadPlatform(engine.database, scope),
  ])
  const { rules } = engine.adapters[scope.environment]
  return { configuration, gates: moneyGates(rules, configuration.settings, platform) }
}

/** Everything the request names, in as few reads as there are kinds of it. */
async function loadParties(engine: Engine, scope: Scope, request: QuoteRequest): Promise<Parties> {
  const { database } = engine
  const { source, destination } = request
  const sourceId = source.sourceType === 'ACCOUNT' ? source.accountId : undefined
  const destinationId = destination.destinationType === 'ACCOUNT' ? destination.accountId : undefined
  const ids = [sourceId, destinationId].filter((id) => id !== undefined)
  const [internal, external] = await Promise.all([
    loadInternalAccounts(
      database,
      scope,
      ids.filter((id) => isId('InternalAccount', id)),
    ),
    loadExternalAccounts(
      engine,
      scope,
      ids.filter((id) => isId('ExternalAccount', id)),
    ),
  ])
  const live = external.filter(({ deletedAt }) => deletedAt === null)
  const parties = {
    sourceInternal: internal.find(({ id }) => id === sourceId),
    sourceExternal: live.find(({ id }) => id === sourceId),
    destinationInternal: internal.find(({ id }) => id === destinationId),
    destinationExternal: live.find(({ id }) => id === destinationId),
  }
  const namedCustomerId =
    source.customerId === undefined || source.customerId === `PlatformConfig:${scope.platformId}`
      ? undefined
      : source.customerId
  const sourceOwner = parties.sourceInternal?.ownerId ?? parties.sourceExternal?.ownerId
  const customerId = namedCustomerId ?? (sourceOwner === platformOwner ? undefined : sourceOwner)
  const receiverId = parties.destinationInternal?.ownerId
  const isAnotherCustomer =
    receiverId !== undefined && receiverId !== platformOwner && receiverId !== customerId
  const [customer, receivingCustomer] = await Promise.all([
    customerId ? loadCustomer(engine, scope, customerId) : undefined,
    isAnotherCustomer ? loadCustomer(engine, scope, receiverId) : undefined,
  ])
  const umaReceiver =
    destination.destinationType === 'UMA_ADDRESS'
      ? await resolveReceiver(engine, scope, { umaAddress: destination.umaAddress, sender: customer })
      : undefined
  const receiver = umaReceiver?.ok ? umaReceiver.value.address : destinationId
  const lookup =
    request.lookupId === undefined || receiver === undefined
      ? undefined
      : await findLookup(database, scope, {
          // Some clients of this API shape know lookups by the longer name.
          id: request.lookupId.replace(/^LookupRequest:/, 'Lookup:'),
          senderId: customerId ?? platformOwner,
          receiver,
        })
  return { ...parties, customer, namedCustomerId, receivingCustomer, umaReceiver, lookup }
}

async function prepareQuote(
  engine: Engine,
  scope: Scope,
  request: QuoteRequest,
  parties: ResolvedParties,
  made: { quoteId: Quote['id']; reference: string; configuration: Configuration },
): Promise<Result<{ quote: Quote; openedAccounts: readonly Insert[] }, Failure>> {
  const { database } = engine
  const adapters = engine.adapters[scope.environment]
  const { sendingCurrency, ownerId, source } = parties
  const mayEarnPlatformFee =
    request.platformFeeOverride !== undefined || made.configuration.feeConfigs.length > 0
  const needsOwnerAccount = source.kind !== 'INTERNAL'
  const [snapshot, platformAccount, ownerAccount] = await Promise.all([
    loadSnapshot(engine, scope).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      engine.world.log.error({ error: message }, 'the rates for a quote could not be read')
      return undefined
    }),
    mayEarnPlatformFee
      ? loadOwnedInternalAccount(database, scope, platformOwner, sendingCurrency)
      : undefined,
    needsOwnerAccount ? loadOwnedInternalAccount(database, scope, ownerId, sendingCurrency) : undefined,
  ])
  if (!snapshot) return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'RATE_SOURCE' }))
  // A refund needs an account to go to, so an owner without one gets it with the quote (accounts 10.5).
  const openedAccounts =
    needsOwnerAccount && !ownerAccount
      ? openAccounts(engine.world, {
          ownerId,
          currencies: [sendingCurrency],
          now: scope.now,
          status: adapters.rules.newInternalAccountStatus,
        }).map(({ table, row }) => ({ table, row }))
      : []
  const drafted = draftQuote(request, {
    now: scope.now,
    ...made,
    parties,
    snapshot,
    platformAccountId: platformAccount?.id,
    refundAccountId: ownerAccount?.id ?? (openedAccounts[0]?.row.id as string | undefined),
    ...(source.kind === 'REALTIME'
      ? {
          payInInstructions: (payIn) =>
            realtimeInstructions(engine.world, {
              ...payIn,
              currency: sendingCurrency,
              ...(source.network ? { cryptoNetwork: source.network } : {}),
              reference: made.reference,
              now: scope.now,
            }),
        }
      : {}),
    ...(source.kind === 'INTERNAL' && source.account.type === 'EMBEDDED_WALLET'
      ? { wallet: walletIdentity(engine.keys, source.account.id) }
      : {}),
    hasRail: (rail) => adapters.rail(rail) !== undefined,
  })
  return drafted.ok ? ok({ quote: drafted.value, openedAccounts }) : drafted
}

/** The rates of this moment, as exact ratios. */
export async function loadSnapshot(engine: Engine, scope: Scope): Promise<RateSnapshot> {
  return toSnapshot(await engine.adapters[scope.environment].rates.snapshot(scope.now))
}

async function loadExecutionFacts(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  header: Call['header'],
): Promise<ExecutionFacts> {
  const { database } = engine
  const { rules } = engine.adapters[scope.environment]
  const { funding, delivery } = quote.options
  const sides = [funding, delivery]
  const internalIds = sides.flatMap((side) => (side.kind === 'INTERNAL' ? [side.accountId] : []))
  const externalIds = sides.flatMap((side) =>
    side.kind === 'PULL' || side.kind === 'EXTERNAL' ? [side.accountId] : [],
  )
  const [internal, external, customer, { configuration, gates }] = await Promise.all([
    loadInternalAccounts(database, scope, internalIds),
    loadExternalAccounts(engine, scope, externalIds),
    quote.ownerId === platformOwner ? undefined : loadCustomer(engine, scope, quote.ownerId),
    loadGates(engine, scope),
  ])
  const sourceAccount =
    funding.kind === 'INTERNAL' ? internal.find(({ id }) => id === funding.accountId) : undefined
  const receiver =
    delivery.kind === 'INTERNAL' ? internal.find(({ id }) => id === delivery.accountId) : undefined
  const isForAnother = receiver && receiver.ownerId !== quote.ownerId && receiver.ownerId !== platformOwner
  const receivingCustomer = isForAnother ? await loadCustomer(engine, scope, receiver.ownerId) : undefined
  const unready = [customer, receivingCustomer]
    .map((person) => person && assertCustomerReady(person, gates))
    .find((refusal) => refusal !== undefined)
  const inactive = internal.find(({ status }) => status !== 'ACTIVE')
  const frozen =
    inactive && fail('USER_NOT_READY', { accountId: inactive.id, accountStatus: inactive.status })
  const sendingEurMinor =
    quote.options.sendingEurMinor === undefined ? undefined : BigInt(quote.options.sendingEurMinor)
  const refusalOf = (accountId: string, as: 'PULL_SOURCE' | 'DESTINATION') => {
    const account = external.find(({ id }) => id === accountId)
    return account && externalAccountRefusal(account, { as, sendingEurMinor })
  }
  return {
    stepMs: rules.stepMs,
    dailyUsdMinor: dailyUsdLimit(configuration.settings.maxDailyUsdAmount),
    isRateRefused: configuration.settings.refusesQuotedRates ?? false,
    sourceAccount,
    signatureRefusal: await loadSignatureRefusal(engine, scope, quote, header),
    readinessRefusal: unready ?? frozen,
    accountRefusal:
      (funding.kind === 'PULL' ? refusalOf(funding.accountId, 'PULL_SOURCE') : undefined) ??
      (delivery.kind === 'EXTERNAL' ? refusalOf(delivery.accountId, 'DESTINATION') : undefined),
  }
}

/** Why the signature does not release the quote of an embedded wallet; other sources need none (wallets 9.1). */
async function loadSignatureRefusal(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  header: Call['header'],
): Promise<Failure | undefined> {
  const payloadToSign = walletPayloadOf(quote)
  if (payloadToSign === undefined || quote.sourceAccountId === null) return undefined
  const signature = readSignature(header)
  if (!signature.ok) return signature.failure
  if (signature.value === undefined) return signatureMissing()
  return signatureRefusal(signature.value, payloadToSign, {
    publicKeys: await loadSessionKeys(engine.database, scope, quote.sourceAccountId),
    literal: engine.adapters[scope.environment].rules.signatureLiteral,
  })
}
