import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { hasWebhookReceiver } from '../../notices/webhook-events/index.ts'
import {
  assertCustomerReady,
  type Customer,
  findCustomerByUma,
  isOnRecord,
  loadCustomer,
  parseUmaAddress,
} from '../../people/customers/index.ts'
import { fundingReference, loadOwnedInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { loadConfig, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import type { SimulatedPayer } from '../../ports/uma.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadTransaction, renderTransaction, type Transaction } from '../payments/index.ts'
import { offeredCurrencies, parseReceiverAddress } from '../receivers/index.ts'
import type { SandboxUmaReceiveRequest } from './contract.ts'
import { keepPayeeInformation } from './payee-information.ts'
import {
  awaitsApproval,
  decideApproval,
  decideReceipt,
  decideRejection,
  missingFields,
  notAwaiting,
} from './rules.ts'

/**
 * A simulated payment to a customer's UMA address (webhooks-uma 5.3): on record at once and PENDING, while the platform
 * is asked in the background.
 */
export async function simulateReceipt(
  engine: Engine,
  scope: Scope,
  request: SandboxUmaReceiveRequest,
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const { uma, rules } = engine.adapters[scope.environment]
  const payer = payerOf(request.senderUmaAddress)
  if (!payer.ok) return payer
  const { sender, simulated } = payer.value
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  return commit(engine.applier, scope, async () => {
    const named = await loadReceiver(engine, scope, request)
    if (!named.ok) return named
    const customer = named.value
    const [accounts, config, platform, canBeAsked] = await Promise.all([
      loadOwnedInternalAccounts(database, scope, customer.id),
      loadConfig(database, scope),
      loadPlatform(database, scope),
      hasWebhookReceiver(engine, scope),
    ])
    const unready = assertCustomerReady(customer, moneyGates(rules, config.settings, platform))
    if (unready) return failed(unready)
    const { receivingCurrencyCode: currency, receivingCurrencyAmount } = request
    const offered = offeredCurrencies(customer, accounts, config)
    const bounds = offered.find((entry) => entry.currency === currency)
    const account = accounts.find((held) => held.currency === currency && held.status === 'ACTIVE')
    if (!bounds || !account) {
      const supported = offered.map((entry) => entry.currency)
      return failed(fail('INVALID_CURRENCY', { currency, supported }))
    }
    const amountMinor = BigInt(receivingCurrencyAmount)
    const { minMinor, maxMinor } = bounds
    if (amountMinor < minMinor || amountMinor > maxMinor) {
      return failed(outOfRange(currency, { least: minMinor, most: maxMinor }))
    }
    if (!canBeAsked) return failed(fail('WEBHOOK_ENDPOINT_NOT_SET'))
    const wanted = config.supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)
    const decision = decideReceipt(scope, {
      transactionId,
      reference,
      senderUma: sender,
      customer,
      account,
      amountMinor,
      requestedFields: simulated.asks.filter(({ name }) => !isOnRecord(customer, name)),
      counterpartyInformation: disclosed(simulated, wanted?.requiredCounterpartyFields ?? []),
      settlesAfterMs: simulated.settlesAfterMs,
      isRefused: simulated.isRefused,
    })
    return ok({
      ...decision,
      result: (after) => ({ status: 200, body: renderTransaction(scope, decision.result(after)) }),
    })
  })

  function payerOf(text: string): Result<{ sender: string; simulated: SimulatedPayer }, Failure> {
    const parsed = parseReceiverAddress(text, { allowsPorts: rules.allowsPrivateEndpoints })
    if (!parsed) return failed(fail('INVALID_UMA_ADDRESS', { umaAddress: text }))
    const sender = `$${parsed.user}@${parsed.domain}`
    const simulated = uma.simulatedPayer(parsed)
    return simulated ? ok({ sender, simulated }) : failed(fail('UMA_NOT_FOUND', { umaAddress: sender }))
  }
}

/** What the platform's configuration asks of the sender, and nothing else. */
function disclosed(
  { information }: SimulatedPayer,
  wanted: readonly { readonly name: keyof SimulatedPayer['information'] }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(wanted.map(({ name }) => [name, information[name]]))
}

async function loadReceiver(
  engine: Engine,
  scope: Scope,
  { receiverUmaAddress, customerId }: SandboxUmaReceiveRequest,
): Promise<Result<Customer, Failure>> {
  if (receiverUmaAddress === undefined && customerId === undefined) {
    const message = 'is required if customerId is absent'
    return failed(failFields([{ field: 'receiverUmaAddress', message }]))
  }
  if (receiverUmaAddress !== undefined && !parseUmaAddress(receiverUmaAddress)) {
    return failed(fail('INVALID_UMA_ADDRESS', { umaAddress: receiverUmaAddress }))
  }
  const idByUma =
    receiverUmaAddress === undefined
      ? undefined
      : await findCustomerByUma(engine.database, scope, receiverUmaAddress)
  if (receiverUmaAddress !== undefined && idByUma === undefined) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', field: 'receiverUmaAddress' }))
  }
  const id = customerId ?? idByUma ?? ''
  const customer = await loadCustomer(engine, scope, id)
  if (!customer || customer.deletedAt !== null) {
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
  }
  if (idByUma !== undefined && idByUma !== customer.id) {
    return failed(failFields([{ field: 'receiverUmaAddress', message: 'belongs to another customer' }]))
  }
  return ok(customer)
}

/**
 * /approve and /reject (webhooks 3.4): while the platform's answer is awaited, or within five seconds of its 202.
 * Undefined where there is no such transaction.
 */
export async function decideByPlatform(
  engine: Engine,
  scope: Scope,
  id: string,
  decision:
    | { readonly isApproved: true; readonly receiverCustomerInfo: unknown }
    | { readonly isApproved: false; readonly reason: string | undefined },
): Promise<Result<Reply, Failure> | undefined> {
  let isKnown = true
  const decided = await commit(engine.applier, scope, async () => {
    const transaction = await loadTransaction(engine, scope, id)
    isKnown = transaction !== undefined
    if (!transaction) return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }))
    if (!awaitsApproval(transaction, scope.now)) return failed(notAwaiting(transaction))
    const answer = (shown: Transaction) => () => ({ status: 200, body: renderTransaction(scope, shown) })
    if (!decision.isApproved) {
      const { rejected, ...effect } = decideRejection(scope, transaction, decision.reason)
      return ok({ ...effect, result: answer(rejected) })
    }
    const missing = missingFields(transaction, decision.receiverCustomerInfo)
    if (missing.length > 0) return failed(fail('MISSING_MANDATORY_USER_INFO', { missingFields: missing }))
    const { approved, ...effect } = decideApproval(
      scope,
      transaction,
      keepPayeeInformation(engine, scope, transaction, decision.receiverCustomerInfo),
    )
    return ok({ ...effect, result: answer(approved) })
  })
  return isKnown ? decided : undefined
}
