import { failed, type Id, ok, type Result } from '@corridor/kernel'
import type { AgentGate } from '../../access/agents/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  fundingReference,
  loadInternalAccount,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import { loadConfig, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import { equivalentMinor, usdEquivalentMinor } from '../../reference/rates/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadExternalAccount } from '../external-accounts/index.ts'
import { dailyUsdLimit } from '../payments/index.ts'
import { loadSnapshot } from '../quotes/index.ts'
import type { TransferInRequest, TransferOutRequest } from './contract.ts'
import { decideTransferIn, decideTransferOut, type TransferFacts } from './rules.ts'

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

export function prepareTransferOut(
  engine: Engine,
  scope: Scope,
  { source, destination, amount, remittanceInformation, purposeOfPayment }: TransferOutRequest,
): TransferPlan {
  const { paymentRail } = destination
  const options = { paymentRail, remittanceInformation, purposeOfPayment }
  const accounts = { internalId: source.accountId, externalId: destination.accountId, amount }
  return prepare(engine, scope, accounts, (facts) => decideTransferOut(scope, facts, options))
}

/** The new transaction keeps its id and reference when the facts have to be loaded again. */
function prepare(
  engine: Engine,
  scope: Scope,
  { internalId, externalId, amount }: { internalId: string; externalId: string; amount: number },
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
    return ok({
      transactionId,
      reference,
      internal,
      external,
      customer,
      amountMinor,
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
      hasRail: (rail) => adapters.rail(rail) !== undefined,
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
