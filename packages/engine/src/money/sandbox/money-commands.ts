import { failed, ok, type Result } from '@corridor/kernel'
import type { Static } from 'typebox'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { loadCustomer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  fundingReference,
  loadInternalAccount,
  platformOwner,
  renderInternalAccount,
  whileStatusStays,
  withBalancesAfter,
} from '../../platform/internal-accounts/index.ts'
import { isCurrencyOf, loadConfig } from '../../platform/platforms/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { receiveInboundPayment as bookInboundPayment } from '../inbound-payments/index.ts'
import { decideDeposit, renderTransaction } from '../payments/index.ts'
import { loadFundableQuote, receiveFunds } from '../quotes/index.ts'
import type { receiveInboundPayment, SandboxSendRequest } from './contract.ts'

/** The rail that mirrors money which exists only in the simulation. */
const simulatedRail = 'sandbox'

/** Puts money into an account, as a deposit from nowhere would (accounts 12.6). */
export async function fundInternalAccount(
  engine: Engine,
  scope: Scope,
  accountId: string,
  amountMinor: bigint,
): Promise<Result<Reply, Failure>> {
  const transactionId = engine.world.id('Transaction')
  const reference = `REF-${fundingReference(engine.world)}`
  return commit(engine.applier, scope, async () => {
    const account = await loadInternalAccount(engine.database, scope, accountId)
    if (!account)
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id: accountId }))
    const customer =
      account.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, account.ownerId)
    if (customer && customer.deletedAt !== null) {
      return failed(fail('CUSTOMER_DELETED', { customerId: customer.id }))
    }
    const { status } = account
    if (!isCurrencyOf(await loadConfig(engine.database, scope), account.currency)) {
      return failed(fail('CONFLICT', { reason: 'CURRENCY_DISABLED', accountId }))
    }
    if (status !== 'ACTIVE') return failed(fail('USER_NOT_READY', { accountId, accountStatus: status }))
    const { transaction, ...deposit } = decideDeposit(scope, {
      transactionId,
      account,
      platformCustomerId: customer?.platformCustomerId ?? account.ownerId,
      amountMinor,
      rail: simulatedRail,
      reference,
    })
    return ok({
      ...deposit,
      requires: [whileStatusStays(account), ...(customer ? [whileCustomerStays(customer)] : [])],
      result: (after) => {
        const moved = new Set([ledgerAccount.available(account.id)])
        return { status: 200, body: renderInternalAccount(withBalancesAfter(account, after, moved)) }
      },
    })
  })
}

/** Pays a realtime quote from nowhere (accounts 12.6). */
export async function sendToQuote(
  engine: Engine,
  scope: Scope,
  request: SandboxSendRequest,
): Promise<Result<Reply, Failure>> {
  const quote = await loadFundableQuote(engine, scope, request)
  if (!quote.ok) return quote
  const { sendingMinor, sendingCurrency } = quote.value
  const amountMinor = request.currencyAmount === undefined ? sendingMinor : BigInt(request.currencyAmount)
  const receipt = { amountMinor, currency: sendingCurrency, rail: simulatedRail }
  return receiveFunds(engine, scope, quote.value, receipt, {
    isLateRefused: true,
    answer: (transaction) => ({ status: 200, body: renderTransaction(scope, transaction) }),
  })
}

/** Money arrives as a rail would bring it; its reference decides where it goes (accounts 3.3, 7.4). */
export async function receivePayment(
  engine: Engine,
  scope: Scope,
  request: Static<(typeof receiveInboundPayment)['body']>,
): Promise<Result<Reply, Failure>> {
  const { currency, amount, reference, railReference, accountHolderName } = request
  const config = await loadConfig(engine.database, scope)
  if (!isCurrencyOf(config, currency)) return failed(fail('INVALID_CURRENCY', { currency }))
  const payment = {
    rail: simulatedRail,
    railReference: railReference ?? engine.world.uuid(),
    currency,
    amountMinor: BigInt(amount),
    ...(reference === undefined ? {} : { reference }),
    ...(accountHolderName === undefined ? {} : { originator: { accountHolderName } }),
  }
  return bookInboundPayment(engine, scope, payment, ({ outcome, transactionId }) => ({
    status: 200,
    body: { outcome, ...(transactionId === null ? {} : { transactionId }) },
  }))
}
