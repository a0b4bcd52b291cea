import { isDeepStrictEqual } from 'node:util'
import { failed, lowerAscii, ok, type Result } from '@corridor/kernel'
import type { Decision, Insert } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { FeeConfig, PlatformConfigUpdateRequest } from './contract.ts'
import { renderConfig } from './render.ts'
import type { Configuration, SupportedCurrency } from './store.ts'

/** Background work for customers when the platform gains currencies; the customers feature does it. */
export const currenciesAddedJob = 'customers.open-accounts'

const feeCurrency = 'USD'

/**
 * The configuration that a PATCH asks for (customers 2): objects merge, the list of currencies is
 * replaced, fees are merged by key. Fails with NOT_IMPLEMENTED for fees in other currencies than USD.
 */
export function mergeConfig(
  config: Configuration,
  request: PlatformConfigUpdateRequest,
): Result<Configuration, Failure> {
  const unsupported = request.feeConfigs?.findIndex(({ sourceCurrency }) => sourceCurrency !== feeCurrency)
  if (unsupported !== undefined && unsupported >= 0) {
    const field = `feeConfigs.${unsupported}.sourceCurrency`
    return failed(fail('NOT_IMPLEMENTED', { reason: 'fees are charged only in USD', field }))
  }
  return ok({
    ...config,
    umaDomain:
      request.umaDomain === undefined || request.umaDomain === null
        ? config.umaDomain
        : lowerAscii(request.umaDomain),
    webhookEndpoint: request.webhookEndpoint === undefined ? config.webhookEndpoint : request.webhookEndpoint,
    supportedCurrencies: request.supportedCurrencies?.map(withoutReadOnly) ?? config.supportedCurrencies,
    feeConfigs: mergeFees(config.feeConfigs, request.feeConfigs ?? []),
    collectsReceivables: request.collectsReceivables ?? config.collectsReceivables,
    embeddedWalletConfig: mergeObjects(config.embeddedWalletConfig, request.embeddedWalletConfig),
    cardTokenization2faConfig: mergeObjects(
      config.cardTokenization2faConfig,
      request.cardTokenization2faConfig,
    ),
  })
}

function withoutReadOnly(entry: SupportedCurrency): SupportedCurrency {
  const { currencyCode, minAmount, maxAmount, requiredCounterpartyFields } = entry
  const enabledTransactionTypes = [...new Set(entry.enabledTransactionTypes)]
  return {
    currencyCode,
    minAmount,
    maxAmount,
    requiredCounterpartyFields: requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes,
  }
}

/** An entry replaces the one of its key; one that takes nothing removes it. */
function mergeFees(stored: readonly FeeConfig[], given: readonly FeeConfig[]): FeeConfig[] {
  const keyOf = ({ feeType, sourceCurrency }: FeeConfig) => `${feeType} ${sourceCurrency}`
  const fees = new Map(stored.map((fee) => [keyOf(fee), fee]))
  for (const { feeType, sourceCurrency, variableFeeBps, fixedFee } of given) {
    const { amount, currency } = fixedFee
    const fee: FeeConfig = { feeType, sourceCurrency, variableFeeBps, fixedFee: { amount, currency } }
    if (variableFeeBps === 0 && amount === 0) fees.delete(keyOf(fee))
    else fees.set(keyOf(fee), fee)
  }
  return [...fees.values()]
}

/** Keys that are given replace, nested objects merge, absent keys stay. */
function mergeObjects<T extends object>(stored: T | null, given: T | undefined): T | null {
  if (given === undefined) return stored
  const merged: Record<string, unknown> = { ...stored }
  for (const [key, value] of Object.entries(given)) {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
    merged[key] = isNested ? mergeObjects((merged[key] as object | undefined) ?? null, value) : value
  }
  return merged as T
}

/** Currencies that the change adds, in the order of its list. */
export function addedCurrencies(before: Configuration, after: Configuration): string[] {
  const known = new Set(before.supportedCurrencies.map(({ currencyCode }) => currencyCode))
  return after.supportedCurrencies
    .map(({ currencyCode }) => currencyCode)
    .filter((currencyCode) => !known.has(currencyCode))
}

/**
 * Stores a changed configuration: the platform gets accounts in new currencies, the name of a new UMA
 * domain is taken, and a new endpoint is sent one TEST event that is never repeated (customers 2, 15).
 */
export function decideConfigUpdate(
  scope: Scope,
  platform: { readonly isRegulated: boolean },
  change: {
    readonly before: Configuration
    readonly after: Configuration
    readonly accounts: readonly Insert[]
  },
): Decision<Reply> {
  const { before, after, accounts } = change
  const set = changedColumns(before, after)
  if (Object.keys(set).length === 0) {
    return { result: () => ({ status: 200, body: renderConfig(before, platform) }) }
  }
  const at = changedAt(scope, before.updatedAt)
  const isNewDomain = after.umaDomain !== before.umaDomain
  const isNewEndpoint = after.webhookEndpoint !== null && after.webhookEndpoint !== before.webhookEndpoint
  const currencies = addedCurrencies(before, after)
  return {
    updates: [
      { table: 'platform_configs', id: before.id, version: before.version, set: { ...set, updated_at: at } },
    ],
    deletes: isNewDomain ? [{ table: 'uma_domains', row: { domain: before.umaDomain } }] : [],
    inserts: [
      ...(isNewDomain ? [{ table: 'uma_domains' as const, row: { domain: after.umaDomain } }] : []),
      ...accounts,
    ],
    jobs: currencies.length > 0 ? [{ kind: currenciesAddedJob, payload: { currencies } }] : [],
    events: isNewEndpoint
      ? [{ type: 'TEST', resourceId: before.id, subjectId: null, data: {}, maxAttempts: 1 }]
      : [],
    unique: {
      uma_domains_pkey: failFields([{ field: 'umaDomain', message: 'is used by another platform' }]),
    },
    result: () => ({
      status: 200,
      body: renderConfig({ ...after, updatedAt: Date.parse(at) }, platform),
    }),
  }
}

function changedColumns(before: Configuration, after: Configuration): Record<string, unknown> {
  const columns = {
    uma_domain: [before.umaDomain, after.umaDomain],
    webhook_endpoint: [before.webhookEndpoint, after.webhookEndpoint],
    supported_currencies: [before.supportedCurrencies, after.supportedCurrencies],
    fee_configs: [before.feeConfigs, after.feeConfigs],
    collects_receivables: [before.collectsReceivables, after.collectsReceivables],
    embedded_wallet_config: [before.embeddedWalletConfig, after.embeddedWalletConfig],
    card_tokenization_2fa_config: [before.cardTokenization2faConfig, after.cardTokenization2faConfig],
  }
  const changed = Object.entries(columns).filter(([, [old, now]]) => !isDeepStrictEqual(old, now))
  return Object.fromEntries(changed.map(([column, [, now]]) => [column, now]))
}
