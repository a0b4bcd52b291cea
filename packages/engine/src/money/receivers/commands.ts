import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import { toSnapshot } from '../../reference/rates/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { loadExternalAccount } from '../external-accounts/index.ts'
import type {
  lookupExternalAccount,
  lookupUma,
  ReceiverExternalAccountLookup,
  ReceiverUmaLookup,
} from './contract.ts'
import { currencyPreference, requiredPayerFields, umaPreferences } from './rules.ts'
import { resolveSender } from './sender.ts'
import { createLookup } from './store.ts'
import { resolveReceiver } from './uma-receiver.ts'

/** Whether the account is usable is not asked: that is the quote's question (accounts 5.2). */
export async function lookUpExternalAccount(
  engine: Engine,
  { scope, params, query }: Call<typeof lookupExternalAccount>,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const { rates, rules } = engine.adapters[scope.environment]
  const account = await loadExternalAccount(engine, scope, params.accountId)
  if (!account || account.deletedAt !== null) {
    return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id: params.accountId }))
  }
  const configuration = await loadConfig(database, scope)
  const sender = await resolveSender(engine, scope, query, configuration)
  if (!sender.ok) return sender
  const { ownerId, currency: source } = sender.value

  const snapshot = toSnapshot(await rates.snapshot(scope.now))
  const pair = source === undefined ? undefined : { source, destination: account.currency }
  const preference = pair && currencyPreference(configuration, snapshot, pair)
  const { lookup, changes } = createLookup(world, scope, { senderId: ownerId, receiver: account.id })
  const body: ReceiverExternalAccountLookup = {
    accountId: account.id,
    supportedCurrencies: preference ? [preference] : [],
    requiredPayerDataFields: requiredPayerFields(account.currency, { isMandatory: rules.requiresPayerData }),
    lookupId: lookup.id,
  }
  return commit(engine.applier, scope, async () => ok({ ...changes, result: () => ({ status: 200, body }) }))
}

/** What can be sent to a UMA address and what its institution wants to know (accounts 5.1, cards 5.1). */
export async function lookUpUma(
  engine: Engine,
  { scope, params, query }: Call<typeof lookupUma>,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const { rates } = engine.adapters[scope.environment]
  const sender = await resolveSender(engine, scope, query, await loadConfig(database, scope))
  if (!sender.ok) return sender
  const { ownerId, currency: source, customer } = sender.value
  const { receiverUmaAddress: umaAddress } = params
  const receiver = await resolveReceiver(engine, scope, { umaAddress, sender: customer })
  if (!receiver.ok) return receiver
  const { address, requiredPayerFields: fields } = receiver.value

  const snapshot = toSnapshot(await rates.snapshot(scope.now))
  const supportedCurrencies = umaPreferences(receiver.value, snapshot, source)
  const { lookup, changes } = createLookup(world, scope, {
    senderId: ownerId,
    receiver: address,
    details: {
      currencies: supportedCurrencies.map(({ currency }) => currency.code),
      requiredPayerDataFields: fields,
    },
  })
  const body: ReceiverUmaLookup = {
    receiverUmaAddress: address,
    supportedCurrencies,
    requiredPayerDataFields: [...fields],
    lookupId: lookup.id,
  }
  return commit(engine.applier, scope, async () => ok({ ...changes, result: () => ({ status: 200, body }) }))
}
