import { failed, ok, type Result } from '@corridor/kernel'
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

export async function transferIn(
  engine: Engine,
  scope: Scope,
  { source, destination, amount }: TransferInRequest,
): Promise<Result<Reply, Failure>> {
  const load = factsLoader(engine, scope, {
    internalId: destination.accountId,
    externalId: source.accountId,
    amount,
  })
  return commit(engine.applier, scope, async () => {
    const facts = await load()
    return facts.ok ? decideTransferIn(scope, facts.value) : facts
  })
}

export async function transferOut(
  engine: Engine,
  scope: Scope,
  request: TransferOutRequest,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, prepareTransferOut(engine, scope, request))
}

/** The decision of a payout, made anew from fresh facts whenever it is called; its ids stay the same. */
export function prepareTransferOut(
  engine: Engine,
  scope: Scope,
  { source, destination, amount, remittanceInformation, purposeOfPayment }: TransferOutRequest,
): () => Promise<Result<Decision<Reply>, Failure>> {
  const load = factsLoader(engine, scope, {
    internalId: source.accountId,
    externalId: destination.accountId,
    amount,
  })
  const { paymentRail } = destination
  const options = { paymentRail, remittanceInformation, purposeOfPayment }
  return async () => {
    const facts = await load()
    return facts.ok ? decideTransferOut(scope, facts.value, options) : facts
  }
}

/** The new transaction keeps its id and reference when the facts have to be loaded again. */
function factsLoader(
  engine: Engine,
  scope: Scope,
  { internalId, externalId, amount }: { internalId: string; externalId: string; amount: number },
): () => Promise<Result<TransferFacts, Failure>> {
  const { database, world } = engine
  const adapters = engine.adapters[scope.environment]
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  const amountMinor = BigInt(amount)
  return async () => {
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
}
