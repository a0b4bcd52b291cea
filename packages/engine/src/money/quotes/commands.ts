import { assert, failed, type Id, isId, ok, type Result } from '@corridor/kernel'
import { accountRefusal, isAgent, requireActingAgent } from '../../access/agents/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import { fromKnownFacts } from '../../mechanisms/facts/known-facts.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { forAll } from '../../mechanisms/jobs/one-by-one.ts'
import type { OwnedJob } from '../../mechanisms/jobs/runner.ts'
import {
  readSignature,
  signatureMissing,
  signatureRefusal,
  whileSignerStays,
} from '../../mechanisms/signed-requests/index.ts'
import { type Customer, loadCustomer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  fundingReference,
  type InternalAccount,
  issueForQuote,
  loadInternalAccounts,
  loadInternalAccountsButBalances,
  loadOwnedInternalAccount,
  openAccounts,
  platformOwner,
  walletIdentity,
} from '../../platform/internal-accounts/index.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import { loadSigners } from '../../platform/wallet-credentials/index.ts'
import { SimulatedFailure } from '../../ports/simulated-failure.ts'
import type { Decision, Insert, Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { firstRefusal } from '../../vocabulary/gates.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { bookOf, type Scope } from '../../vocabulary/scope.ts'
import { loadExternalAccounts } from '../external-accounts/index.ts'
import { dailyUsdLimit, type Step, umaRail, withStepsWithin } from '../payments/index.ts'
import { findLookup } from '../receivers/index.ts'
import { decideCreateUnauthorized, holdPayment } from './authorization.ts'
import { type Authorization, endUnauthorized, loadAuthorization } from './authorization-commands.ts'
import { draftQuote } from './draft.ts'
import { loadExecutionFacts, loadGates } from './execution-facts.ts'
import { type Guards, guardsOf } from './guards.ts'
import { type Parties, type ResolvedParties, resolveParties } from './parties.ts'
import {
  agreementOfSimulated,
  type Heard,
  peerPaymentUnique,
  quoteWithPeer,
  receiverOnce,
} from './peer-quotes.ts'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quote-schemas.ts'
import { isRateGone, loadSnapshot } from './quoted-rates.ts'
import { isUnauthorized, renderQuote, statusOf } from './render.ts'
import {
  answerAtOnce,
  type Begun,
  decideCreate,
  decideCreateAndExecute,
  decideExecute,
  type ExecutionFacts,
} from './rules.ts'
import { loadQuote } from './store.ts'
import { walletPayloadOf } from './wallet-instructions.ts'

export async function createQuote(
  engine: Engine,
  scope: Scope,
  request: QuoteRequest,
): Promise<Result<Reply, Failure>> {
  /** The steps of a payment that is executed at once are this request's from the moment they are written. */
  let ownSteps: readonly OwnedJob[] = []
  const heard: Heard = {}
  /** Of its calls for rates, by which they are known as those of one command. */
  const command = {}
  let begun: Begun | undefined
  const decide = async (scope: Scope): Promise<Result<Decision<Reply>, Failure>> => {
    // Decided again it is another quote: instructions that were issued for the first stay what they are.
    const quoteId = engine.world.id('Quote')
    const reference = fundingReference(engine.world)
    const { rules } = engine.adapters[scope.environment]
    const [named, { configuration, gates }] = await Promise.all([
      loadParties(engine, scope, request, heard),
      loadGates(engine, scope),
    ])
    const parties = resolveParties(request, named, { rules, gates })
    if (!parties.ok) return parties
    const agent = isAgent(scope.actor) ? await requireActingAgent(engine, scope) : undefined
    if (agent && !agent.ok) return agent
    const denied = firstRefusal({
      AGENT: agent && accountRefusal(agent.value.policy, ownAccounts(parties.value)),
    })
    if (denied) return failed(denied)
    const made = {
      quoteId,
      reference,
      configuration,
      agentId: agent?.value.id,
      customer: named.customer,
      heard,
      command,
    }
    const prepared = await prepareQuote(engine, scope, request, parties.value, made)
    if (!prepared.ok) return prepared
    const { quote, openedAccounts, accounts } = prepared.value
    const { source } = parties.value
    const asked = await loadFirstQuestion(engine, scope, request, { quote, named })
    if (asked.authorizationRefusal) return failed(asked.authorizationRefusal)
    const execution = request.immediatelyExecute
      ? decideCreateAndExecute(
          scope,
          quote,
          {
            stepMs: rules.stepMs,
            sourceAccount: source.kind === 'INTERNAL' ? source.account : undefined,
            dailyUsdMinor: dailyUsdLimit(configuration.settings.maxDailyUsdAmount),
            isRateRefused:
              (configuration.settings.refusesQuotedRates ?? false) ||
              (await isRateGone(engine, scope, quote, command)),
            guards: guardsOfParties(parties.value, named),
            ...asked,
          },
          asked.authorization ? holdPayment : undefined,
        )
      : undefined
    if (execution && !execution.ok) return execution
    begun =
      execution && (await withStepsWithin(execution.value, { ...stepFacts(engine, scope, named), accounts }))
    const decision: Decision<Reply> = begun
      ? withFinalAnswer(scope, begun)
      : asked.authorization
        ? decideCreateUnauthorized(scope, quote, asked.authorization)
        : decideCreate(scope, quote)
    const { inserts = [], jobs = [], unique } = decision
    // A quote that begins nothing is not written about somebody who has just been erased either.
    const requires = begun ? decision.requires : customersOf(named).map(whileCustomerStays)
    // What waits for its customer goes on when that has answered: nothing is run before the answer.
    ownSteps = asked.authorization ? [] : jobs.map((job) => engine.jobs.own(engine, job))
    return ok({
      ...decision,
      jobs: asked.authorization ? jobs : ownSteps,
      inserts: [...openedAccounts, ...inserts],
      ...(requires ? { requires } : {}),
      unique: { ...unique, ...peerPaymentUnique(quote), internal_accounts_one_per_currency: 'stale' },
    })
  }
  const created = await commit(
    engine.applier,
    scope,
    asksNobody(request) ? fromKnownFacts(engine.database, scope, decide) : () => decide(scope),
  )
  if (!created.ok || !begun || ownSteps.length === 0) return created
  return answerWhenOver(engine, scope, begun, ownSteps)
}

/** Whether a quote is decided from what is on record: nobody outside is asked before it is written. */
function asksNobody({ source, destination, scaFactor }: QuoteRequest): boolean {
  const isOfAccounts =
    source.sourceType === 'ACCOUNT' &&
    isId('InternalAccount', source.accountId) &&
    destination.destinationType === 'ACCOUNT'
  return isOfAccounts && scaFactor === undefined
}

/** What the steps of a payment at once are decided from, beside the accounts. */
function stepFacts(engine: Engine, scope: Scope, parties: Parties) {
  const { destinationInternal, customer } = parties
  const isPaid = customer !== undefined && destinationInternal?.ownerId === customer.id
  const receivingCustomer = isPaid ? customer : parties.receivingCustomer
  return {
    book: { platformId: scope.platformId, environment: scope.environment },
    now: scope.now,
    newItemId: () => engine.world.id('Transaction'),
    newReceivableId: () => engine.world.id('Receivable'),
    ...(receivingCustomer ? { mirrorPlatformCustomerId: receivingCustomer.platformCustomerId } : {}),
    stepMs: engine.adapters[scope.environment].rules.stepMs,
  }
}

function withFinalAnswer(scope: Scope, begun: Begun): Decision<Reply> {
  return { ...begun, result: () => answerAtOnce(scope, begun.begun, begun.leaves) }
}

/**
 * Takes the steps that ask somebody outside before the answer, so that it shows their outcome (accounts 12.1), and
 * writes the answer with the last of them.
 */
async function answerWhenOver(
  engine: Engine,
  scope: Scope,
  begun: Begun,
  steps: readonly OwnedJob[],
): Promise<Result<Reply, Failure>> {
  const { recording } = scope
  let reply: Reply | undefined
  const run = (step: OwnedJob) =>
    engine.jobs.runOwned(engine, scope, step, (outcome) => {
      const { leaves } = outcome as Partial<Step>
      if (!leaves) return outcome
      reply = answerAtOnce(scope, begun.begun, leaves)
      return recording ? { ...outcome, answers: [{ recording, reply }] } : outcome
    })
  const areOver = (await forAll(engine.world, steps, run)).every((isOver) => isOver)
  if (areOver && reply) return ok(reply)
  const quote = await loadQuote(engine, scope, begun.begun.id)
  assert(quote, 'an executed quote is on record')
  return ok({ status: 201, body: renderQuote(quote, await engine.clock.now(scope)) })
}

export async function executeQuote(
  engine: Engine,
  scope: Scope,
  {
    id,
    header,
    scaFactor,
  }: {
    readonly id: string
    readonly header: Call['header']
    readonly scaFactor: QuoteRequest['scaFactor']
  },
): Promise<Result<Reply, Failure>> {
  const command = {}
  const decide = async (scope: Scope) => {
    const quote = await loadQuote(engine, scope, id)
    if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id }))
    const signature = await checkSignature(engine, scope, quote, header)
    return planExecution(engine, scope, quote, { signature, scaFactor, command })
  }
  const outcome = await commit(engine.applier, scope, fromKnownFacts(engine.database, scope, decide))
  if (outcome.ok || outcome.failure.code !== 'INSUFFICIENT_BALANCE') return outcome
  // The balance was read after the quote: it may be this very payment, by another call, that has used it up.
  const quote = await loadQuote(engine, scope, id)
  return quote && quote.status !== 'PENDING'
    ? failed(fail('CONFLICT', { status: quote.status, quoteId: quote.id }))
    : outcome
}

/** A quote as it is now: one whose customer has let the time pass is ended first. QUOTE_NOT_FOUND. */
export async function readQuote(engine: Engine, scope: Scope, id: string): Promise<Result<Quote, Failure>> {
  let quote = await loadQuote(engine, scope, id)
  if (quote && isUnauthorized(quote, scope.now)) {
    await endUnauthorized(engine, scope, quote.id)
    quote = await loadQuote(engine, scope, id)
  }
  return quote ? ok(quote) : failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id }))
}

/** What executing a quote comes to at this moment; nothing has happened before it is committed. */
export async function planExecution(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  {
    signature,
    scaFactor,
    agent,
    command,
  }: Pick<ExecutionFacts, 'agent'> & {
    readonly signature: CheckedSignature
    readonly scaFactor?: QuoteRequest['scaFactor']
    /** The command that executes it, where that may be decided again. */
    readonly command?: object
  },
): Promise<Result<Decision<Reply>, Failure>> {
  const { customer, destination, ...facts } = await loadExecutionFacts(engine, scope, quote)
  const { sourceAccount } = facts
  const isRateRefused =
    facts.isRateRefused ||
    (statusOf(quote, scope.now) === 'PENDING' && (await isRateGone(engine, scope, quote, command)))
  const asked = await loadAuthorization(engine, scope, quote, {
    customer,
    sourceAccount,
    destination,
    scaFactor,
  })
  const begin = asked.authorization ? holdPayment : undefined
  const guards = { requires: [...facts.guards.requires, ...signature.requires] }
  const all = { ...facts, isRateRefused, guards, signatureRefusal: signature.refusal, agent, ...asked }
  return decideExecute(scope, quote, all, begin)
}

/**
 * What the customer is asked when the quote is made: where that already is the request to pay, or opens the
 * funding. Whatever is executed later is asked about then; a factor that can never authorize is refused now.
 */
async function loadFirstQuestion(
  engine: Engine,
  scope: Scope,
  { source, immediatelyExecute, scaFactor }: QuoteRequest,
  { quote, named }: { readonly quote: Quote; readonly named: Parties },
): Promise<Authorization> {
  const { customer, sourceInternal: sourceAccount, destinationExternal: destination } = named
  const load = () =>
    loadAuthorization(engine, scope, quote, { customer, sourceAccount, destination, scaFactor })
  if (source.sourceType === 'REALTIME_FUNDING' || immediatelyExecute || scaFactor === 'TOTP') return load()
  // What an agent chooses here is what is asked for later, so it is told now what it cannot choose.
  if (quote.options.scaFactor) return { authorizationRefusal: (await load()).authorizationRefusal }
  return {}
}

/** The internal accounts that a quote of an agent touches: those of others it does not see (wallets 12.3). */
function ownAccounts({ source, destination }: ResolvedParties): string[] {
  return [source, destination].flatMap((side) => (side.kind === 'INTERNAL' ? [side.account.id] : []))
}

function guardsOfParties({ source, destination }: ResolvedParties, named: Parties): Guards {
  const accounts = [source, destination].flatMap((side) =>
    side.kind === 'REALTIME' || side.kind === 'UMA' ? [] : [side],
  )
  return guardsOf({
    internal: accounts.flatMap((side) => (side.kind === 'INTERNAL' ? [side.account] : [])),
    external: accounts.flatMap((side) => (side.kind === 'INTERNAL' ? [] : [side.account])),
    customers: customersOf(named),
  })
}

function customersOf({ customer, receivingCustomer }: Parties): Customer[] {
  return [customer, receivingCustomer].filter((person) => person !== undefined)
}

/** Everything the request names, in as few reads as there are kinds of it. */
async function loadParties(
  engine: Engine,
  scope: Scope,
  request: QuoteRequest,
  heard: Heard,
): Promise<Parties> {
  const { database } = engine
  const { source, destination } = request
  const sourceId = source.sourceType === 'ACCOUNT' ? source.accountId : undefined
  const destinationId = destination.destinationType === 'ACCOUNT' ? destination.accountId : undefined
  const ids = [sourceId, destinationId].filter((id) => id !== undefined)
  const internalIds = ids.filter((id) => isId('InternalAccount', id))
  const [internal, external] = await Promise.all([
    // What is paid at once is decided from what its account has.
    request.immediatelyExecute
      ? loadInternalAccounts(database, scope, internalIds)
      : loadInternalAccountsButBalances(database, scope, internalIds),
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
      ? await receiverOnce(engine, scope, heard, {
          umaAddress: destination.umaAddress,
          sender: customer,
          wasLookedUp: request.lookupId !== undefined,
        })
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

interface Prepared {
  readonly quote: Quote
  readonly openedAccounts: readonly Insert[]
  /** The accounts of ours that it may move. */
  readonly accounts: readonly InternalAccount[]
}

async function prepareQuote(
  engine: Engine,
  scope: Scope,
  request: QuoteRequest,
  parties: ResolvedParties,
  made: {
    quoteId: Quote['id']
    reference: string
    configuration: Configuration
    agentId: Id<'Agent'> | undefined
    customer: Customer | undefined
    heard: Heard
    command: object
  },
): Promise<Result<Prepared, Failure>> {
  const { database } = engine
  const adapters = engine.adapters[scope.environment]
  const { sendingCurrency, ownerId, source } = parties
  const mayEarnPlatformFee =
    request.platformFeeOverride !== undefined || made.configuration.feeConfigs.length > 0
  const needsOwnerAccount = source.kind !== 'INTERNAL'
  const context = {
    scope,
    command: made.command,
    id: made.quoteId,
    customerIds: [ownerId],
    accountIds: [source, parties.destination].flatMap((side) => ('account' in side ? [side.account.id] : [])),
    amount: BigInt(request.lockedCurrencyAmount),
  }
  const [snapshot, platformAccount, ownerAccount] = await Promise.all([
    loadSnapshot(engine, scope, context).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      const level = error instanceof SimulatedFailure ? 'info' : 'error'
      engine.world.log[level]({ error: message }, 'the rates for a quote could not be read')
      return undefined
    }),
    mayEarnPlatformFee
      ? loadOwnedInternalAccount(database, bookOf(scope), platformOwner, sendingCurrency)
      : undefined,
    needsOwnerAccount ? loadOwnedInternalAccount(database, scope, ownerId, sendingCurrency) : undefined,
  ])
  if (!snapshot) return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'RATE_SOURCE' }))
  // A refund needs an account to go to, so an owner without one gets it with the quote (accounts 10.5).
  const openedAccounts =
    needsOwnerAccount && !ownerAccount
      ? await openAccounts(engine, scope.environment, {
          ownerId,
          currencies: [sendingCurrency],
          now: scope.now,
        })
      : []
  const draft = (resolved: ResolvedParties) =>
    draftQuote(request, {
      now: scope.now,
      ...made,
      parties: resolved,
      snapshot,
      platformAccountId: platformAccount?.id,
      refundAccountId: ownerAccount?.id ?? (openedAccounts[0]?.row.id as string | undefined),
      ...(source.kind === 'INTERNAL' && source.account.type === 'EMBEDDED_WALLET'
        ? { wallet: walletIdentity(engine.keys, source.account.id) }
        : {}),
      // Another institution is reached by the protocol itself.
      hasRail: (rail, accountInfo) => {
        if (peer && rail === umaRail) return true
        const client = adapters.rail(rail)
        return client !== undefined && (!accountInfo || client.reaches?.(accountInfo) !== false)
      },
    })
  const { destination } = parties
  const peer = destination.kind === 'UMA' ? destination.peer : undefined
  const drafted = peer
    ? await quoteWithPeer(engine, scope, { request, parties, peer, snapshot, draft, ...made })
    : draft(parties)
  if (!drafted.ok) return drafted
  const refusal = peer ? undefined : await agreementOfSimulated(engine, scope, { parties, ...made })
  if (refusal) return failed(refusal)
  const quote = await withPayIn(engine, scope, drafted.value, source)
  if (!quote.ok) return quote
  const sides = [source, destination].flatMap((side) => (side.kind === 'INTERNAL' ? [side.account] : []))
  const others = [platformAccount, ownerAccount].filter((account) => account !== undefined)
  return ok({
    quote: quote.value,
    openedAccounts: openedAccounts.map(({ table, row }) => ({ table, row })),
    accounts: [...new Map([...sides, ...others].map((account) => [account.id, account])).values()],
  })
}

/** A realtime quote says how it is paid in; instructions that come after its time are of no use to anybody. */
async function withPayIn(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  source: ResolvedParties['source'],
): Promise<Result<Quote, Failure>> {
  if (source.kind !== 'REALTIME') return ok(quote)
  const {
    id: quoteId,
    sendingCurrency: currency,
    sendingMinor: amountMinor,
    expiresAt,
    paymentReference,
  } = quote
  assert(paymentReference, 'a realtime quote has a reference')
  const issued = await issueForQuote(engine, scope.environment, {
    quoteId,
    currency,
    ...(source.network ? { cryptoNetwork: source.network } : {}),
    reference: paymentReference,
    amountMinor,
    now: scope.now,
    expiresAt,
  })
  if (!issued.ok) return issued
  if ((await engine.clock.now(scope)) >= expiresAt) {
    return failed(fail('QUOTE_REQUEST_FAILED', { reason: 'INSTRUCTIONS' }))
  }
  return ok({ ...quote, paymentInstructions: issued.value })
}

/** Whether the signature of a wallet releases a quote. */
export interface CheckedSignature {
  readonly refusal?: Failure | undefined
  /** What must still hold when the payment begins: that nobody has ended the session that signed. */
  readonly requires: readonly Requirement[]
}

/** Checks the signature over the quote of an embedded wallet; other sources need none (wallets 9.1). */
export async function checkSignature(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  header: Call['header'],
): Promise<CheckedSignature> {
  const payloadToSign = walletPayloadOf(quote)
  if (payloadToSign === undefined || quote.sourceAccountId === null) return { requires: [] }
  const signature = readSignature(header)
  if (!signature.ok) return { refusal: signature.failure, requires: [] }
  if (signature.value === undefined) return { refusal: signatureMissing(), requires: [] }
  const signers = {
    ...(await loadSigners(engine.database, scope, [quote.sourceAccountId])),
    literal: engine.adapters[scope.environment].rules.signatureLiteral,
  }
  return {
    refusal: signatureRefusal(signature.value, payloadToSign, signers),
    requires: whileSignerStays(signature.value, signers),
  }
}
