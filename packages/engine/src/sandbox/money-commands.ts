import { failed, ok, type Result } from '@corridor/kernel'
import type { Static } from 'typebox'
import { isCurrencyCode } from '../currencies/index.ts'
import { loadCustomer } from '../customers/index.ts'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { receiveInboundPayment as bookInboundPayment } from '../inbound-payments/index.ts'
import {
  fundingReference,
  type InternalAccount,
  loadInternalAccount,
  platformOwner,
  renderInternalAccount,
  withBalancesAfter,
} from '../internal-accounts/index.ts'
import { ledgerAccount } from '../ledger/accounts.ts'
import { loadFundableQuote, receiveFunds } from '../quotes/index.ts'
import { decideDeposit, renderTransaction } from '../transactions/index.ts'
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
    const { status } = account
    if (status !== 'ACTIVE') return failed(fail('USER_NOT_READY', { accountId, accountStatus: status }))
    const platformCustomerId = await platformCustomerIdOf(engine, scope, account)
    const { transaction, ...deposit } = decideDeposit(scope, {
      transactionId,
      account,
      platformCustomerId,
      amountMinor,
      rail: simulatedRail,
      reference,
    })
    return ok({
      ...deposit,
      result: (after) => {
        const moved = new Set([ledgerAccount.available(account.id)])
        const funded = { ...withBalancesAfter(account, after, moved), updatedAt: scope.now }
        return { status: 200, body: renderInternalAccount(funded) }
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
  const transaction = await receiveFunds(engine, scope, quote.value, receipt, { isLateRefused: true })
  if (!transaction.ok) return transaction
  return ok({ status: 200, body: renderTransaction(scope, transaction.value) })
}

/** Money arrives as a rail would bring it; its reference decides where it goes (accounts 3.3, 7.4). */
export async function receivePayment(
  engine: Engine,
  scope: Scope,
  request: Static<(typeof receiveInboundPayment)['body']>,
): Promise<Result<Reply, Failure>> {
  const { currency, amount, reference, railReference, accountHolderName } = request
  if (!isCurrencyCode(currency)) return failed(fail('INVALID_CURRENCY', { currency }))
  const booked = await bookInboundPayment(engine, scope, {
    rail: simulatedRail,
    railReference: railReference ?? engine.world.uuid(),
    currency,
    amountMinor: BigInt(amount),
    ...(reference === undefined ? {} : { reference }),
    ...(accountHolderName === undefined ? {} : { originator: { accountHolderName } }),
  })
  if (!booked.ok) return booked
  const { outcome, transactionId } = booked.value
  return ok({ status: 200, body: { outcome, ...(transactionId === null ? {} : { transactionId }) } })
}

async function platformCustomerIdOf(
  engine: Engine,
  scope: Scope,
  { ownerId }: InternalAccount,
): Promise<string> {
  if (ownerId === platformOwner) return platformOwner
  const customer = await loadCustomer(engine, scope, ownerId)
  return customer?.platformCustomerId ?? ownerId
}
