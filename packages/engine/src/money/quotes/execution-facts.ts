import type { Engine } from '../../mechanisms/feature/engine.ts'
import { assertCustomerReady, type Customer, loadCustomer } from '../../people/customers/index.ts'
import { loadInternalAccounts, platformOwner } from '../../platform/internal-accounts/index.ts'
import { isCurrencyOf, loadConfig, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  type ExternalAccount,
  externalAccountRefusal,
  loadExternalAccounts,
} from '../external-accounts/index.ts'
import { dailyUsdLimit } from '../payments/index.ts'
import { guardsOf } from './guards.ts'
import type { Quote } from './quote.ts'
import type { ExecutionFacts } from './rules.ts'

/** The platform's configuration, and who of its customers may move money. */
export async function loadGates(engine: Engine, scope: Scope) {
  const [configuration, platform] = await Promise.all([
    loadConfig(engine.database, scope),
    loadPlatform(engine.database, scope),
  ])
  const { rules } = engine.adapters[scope.environment]
  return { configuration, gates: moneyGates(rules, configuration.settings, platform) }
}

/**
 * What the execution of a quote, or the end of waiting for its customer, is decided from. The accounts that pay and are
 * paid are always read, for their balances.
 */
export async function loadExecutionFacts(
  engine: Engine,
  scope: Scope,
  quote: Quote,
): Promise<ExecutionFacts & { customer: Customer | undefined; destination: ExternalAccount | undefined }> {
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
  const customers = [customer, receivingCustomer].filter((person) => person !== undefined)
  const unready = customers
    .map((person) => assertCustomerReady(person, gates))
    .find((refusal) => refusal !== undefined)
  const pair = [quote.sendingCurrency, quote.receivingCurrency]
  const disabled = pair.find((code) => !isCurrencyOf(configuration, code))
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
    customer,
    destination:
      delivery.kind === 'EXTERNAL' ? external.find(({ id }) => id === delivery.accountId) : undefined,
    stepMs: rules.stepMs,
    dailyUsdMinor: dailyUsdLimit(configuration.settings.maxDailyUsdAmount),
    isRateRefused: configuration.settings.refusesQuotedRates ?? false,
    sourceAccount,
    guards: guardsOf({ internal, external, customers }),
    readinessRefusal: unready ?? frozen,
    accountRefusal:
      (disabled === undefined ? undefined : fail('INVALID_CURRENCY', { currency: disabled })) ??
      (funding.kind === 'PULL' ? refusalOf(funding.accountId, 'PULL_SOURCE') : undefined) ??
      (delivery.kind === 'EXTERNAL' ? refusalOf(delivery.accountId, 'DESTINATION') : undefined),
  }
}
