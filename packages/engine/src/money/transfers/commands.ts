import { failed, type Id, largestWireMinor, ok, type Result } from '@corridor/kernel'
import type { AgentGate } from '../../access/agents/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  fundingReference,
  type InternalAccount,
  loadInternalAccount,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import { loadConfig, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { isNetworkId } from '../../reference/rails/index.ts'
import {
  equivalentMinor,
  quoteExchangeRate,
  type RateSnapshot,
  toWireRate,
  usdEquivalentMinor,
} from '../../reference/rates/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type ExternalAccount, loadExternalAccount } from '../external-accounts/index.ts'
import { dailyUsdLimit } from '../payments/index.ts'
import { loadSnapshot, noPlatformFee, pricePayment, pricingTerms } from '../quotes/index.ts'
import type { TransferInRequest, TransferOutRequest } from './contract.ts'
import { type Conversion, decideTransferIn, decideTransferOut, type TransferFacts } from './rules.ts'

/** A transfer that may be decided several times, each time from what holds then. */
export interface TransferPlan {
  readonly transactionId: Id<'Transaction'>
  readonly decide: (agent?: AgentGate) => Promise<Result<Decision<Reply>, Failure>>
}

export async function transferIn(
  engine: Engine,
  scope: Scope,
  request: TransferInRequest,
): Promise<Result<Reply, Failure>> {
  const { decide } = prepareTransferIn(engine, scope, request)
  return commit(engine.applier, scope, () => decide())
}

export async function transferOut(
  engine: Engine,
  scope: Scope,
  request: TransferOutRequest,
): Promise<Result<Reply, Failure>> {
  const { decide } = prepareTransferOut(engine, scope, request)
  return commit(engine.applier, scope, () => decide())
}

export function prepareTransferIn(
  engine: Engine,
  scope: Scope,
  { source, destination, amount }: TransferInRequest,
): TransferPlan {
  const accounts = { internalId: destination.accountId, externalId: source.accountId, amount }
  return prepare(engine, scope, accounts, (facts) => decideTransferIn(scope, facts))
}

export function prepareTransferOut(engine: Engine, scope: Scope, request: TransferOutRequest): TransferPlan {
  return prepareOut(engine, scope, request)
}

/**
 * Pays a UMA payment on to its owner's account elsewhere (accounts 11.4): into another currency at mid, with the default
 * fee for that and none of the platform's.
 */
export function preparePaymentOn(engine: Engine, scope: Scope, request: TransferOutRequest): TransferPlan {
  return prepareOut(engine, scope, request, { converts: true })
}

function prepareOut(
  engine: Engine,
  scope: Scope,
  { source, destination, amount, remittanceInformation, purposeOfPayment }: TransferOutRequest,
  { converts = false } = {},
): TransferPlan {
  const { paymentRail } = destination
  const options = { paymentRail, remittanceInformation, purposeOfPayment }
  const accounts = { internalId: source.accountId, externalId: destination.accountId, amount, converts }
  return prepare(engine, scope, accounts, (facts) => decideTransferOut(scope, facts, options))
}

/** The new transaction keeps its id and reference when the facts have to be loaded again. */
function prepare(
  engine: Engine,
  scope: Scope,
  {
    internalId,
    externalId,
    amount,
    converts = false,
  }: { internalId: string; externalId: string; amount: number; converts?: boolean },
  decide: (facts: TransferFacts) => Result<Decision<Reply>, Failure>,
): TransferPlan {
  const { database, world } = engine
  const adapters = engine.adapters[scope.environment]
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  const amountMinor = BigInt(amount)
  const load = async (): Promise<Result<TransferFacts, Failure>> => {
    const [internal, external, snapshot, configuration, platform] = await Promise.all([
      loadInternalAccount(database, scope, internalId),
      loadExternalAccount(engine, scope, externalId),
      loadSnapshot(engine, scope),
      loadConfig(database, scope),
      loadPlatform(database, scope),
    ])
    if (!internal)
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id: internalId }))
    if (!external || external.deletedAt !== null) {
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id: externalId }))
    }
    const customer =
      internal.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, internal.ownerId)
    const conversion =
      converts && external.currency !== internal.currency
        ? convertedAt(snapshot, { internal, external, amountMinor })
        : undefined
    return ok({
      transactionId,
      reference,
      internal,
      external,
      customer,
      amountMinor,
      conversion,
      rules: adapters.rules,
      configuration,
      gates: moneyGates(adapters.rules, configuration.settings, platform),
      sendingEurMinor: equivalentMinor(snapshot, {
        amountMinor,
        source: internal.currency,
        destination: 'EUR',
      }),
      sendingUsdMinor: usdEquivalentMinor(snapshot, { amountMinor, currency: internal.currency }),
      dailyUsdMinor: dailyUsdLimit(configuration.settings.maxDailyUsdAmount),
      hasRail: (rail) => {
        const client = adapters.rail(rail)
        return client !== undefined && client.reaches?.(external.accountInfo) !== false
      },
    })
  }
  return {
    transactionId,
    async decide(agent) {
      const facts = await load()
      return facts.ok ? decide({ ...facts.value, agent }) : facts
    },
  }
}

/** Undefined where there is no rate, the fee leaves nothing, or it comes to more than can be told: then it is refused as what has two currencies. */
function convertedAt(
  snapshot: RateSnapshot,
  {
    internal,
    external,
    amountMinor,
  }: { readonly internal: InternalAccount; readonly external: ExternalAccount; readonly amountMinor: bigint },
): Conversion | undefined {
  const pair = { source: internal.currency, destination: external.currency }
  const { network } = accountTypeOf(external.accountInfo)
  const destination =
    network && isNetworkId(network)
      ? ({ kind: 'ON_CHAIN', network } as const)
      : ({ kind: 'ACCOUNT' } as const)
  const terms = pricingTerms({ snapshot, pair, destination, platformFee: noPlatformFee })
  const priced = terms && pricePayment({ lockedSide: 'SENDING', lockedAmountMinor: amountMinor, ...terms })
  return priced?.ok && priced.value.receivingAmountMinor <= largestWireMinor
    ? { pricing: priced.value, exchangeRate: toWireRate(quoteExchangeRate(terms!.crossRate, pair)) }
    : undefined
}
