import { assert } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { PayoutInstruction, RailClient } from '../../ports/rail.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { isRailId, railOf, toRemittanceText } from '../../reference/rails/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadExternalAccount } from '../external-accounts/index.ts'
import { peerRail } from './peer-rail.ts'
import type { Delivery, Transaction } from './transaction.ts'

interface RailCall {
  readonly rail: RailClient
  readonly instruction: PayoutInstruction
  readonly isGone: boolean
}

/** Whom to ask about a payment, and what: from the account as it is registered, deleted or not. */
export async function instructionFor(
  engine: Engine,
  scope: Scope,
  transaction: Transaction,
  side: 'PULL' | 'PAYOUT',
): Promise<RailCall> {
  const { flow, id, ownerId, sentCurrency, receivedCurrency } = transaction
  const party = side === 'PULL' ? flow.funding : flow.delivery
  if (party.kind === 'UMA') return umaInstruction(engine, scope, transaction, party)
  assert(party.kind === 'PULL' || party.kind === 'EXTERNAL', 'only external accounts are reached by rail')
  const account = await loadExternalAccount(engine, scope, party.accountId)
  assert(account, 'an external account of a payment stays on record')
  const currency = side === 'PULL' ? sentCurrency : receivedCurrency
  // Once it has settled, a watched collection keeps its own.
  const submittedAt = side === 'PULL' ? (flow.collection?.submittedAt ?? flow.submittedAt) : flow.submittedAt
  assert(currency, 'a payment has two currencies')
  return {
    rail: requireRail(engine, scope, party.rail),
    // Money that arrived for a destination that was gone comes back. Every other payment was refused at its
    // execution if it was, so it finishes whatever is deleted later (accounts 4.11).
    isGone:
      flow.funding.kind === 'REALTIME' &&
      account.deletedAt !== null &&
      account.deletedAt <= transaction.createdAt,
    instruction: {
      transactionId: id,
      rail: party.rail,
      currency,
      amountMinor: BigInt(
        side === 'PULL' ? flow.amounts.sendingAmountMinor : flow.amounts.receivingAmountMinor,
      ),
      accountType: account.accountInfo.accountType,
      accountInfo: account.accountInfo,
      primaryId: accountTypeOf(account.accountInfo).primaryId(account.accountInfo),
      submittedAt: submittedAt ?? scope.now,
      flow: flow.kind === 'QUOTE' ? 'QUOTE' : 'TRANSFER',
      isImmediate: flow.isImmediate,
      ...remittanceOf(flow, party.rail),
      context: {
        scope,
        side,
        id,
        customerIds: [ownerId],
        accountIds: [party.accountId],
      },
    },
  }
}

/** The text that travels with a payment, in the characters and the length of its rail (accounts 7.2). */
function remittanceOf({ remittanceInformation: text }: Transaction['flow'], rail: string) {
  assert(isRailId(rail), 'a payment goes by a rail of the table')
  const carried = text === undefined ? undefined : toRemittanceText(railOf(rail), text)
  return carried ? { remittanceInformation: carried } : {}
}

/** The same for a payment to a UMA address, which no account stands for. */
function umaInstruction(
  engine: Engine,
  scope: Scope,
  { id: transactionId, ownerId, flow, receivedCurrency }: Transaction,
  { rail, umaAddress, peer }: Extract<Delivery, { kind: 'UMA' }>,
): RailCall {
  assert(receivedCurrency, 'a payment has two currencies')
  const { prepareRail = (client: RailClient) => client } = engine.adapters[scope.environment]
  return {
    rail: peer ? prepareRail(peerRail(engine, scope, peer)) : requireRail(engine, scope, rail),
    isGone: false,
    instruction: {
      transactionId,
      rail,
      currency: receivedCurrency,
      amountMinor: BigInt(flow.amounts.receivingAmountMinor),
      accountType: 'UMA_ADDRESS',
      accountInfo: {},
      primaryId: umaAddress,
      submittedAt: flow.submittedAt ?? scope.now,
      flow: 'QUOTE',
      isImmediate: flow.isImmediate,
      context: { scope, side: 'PAYOUT', id: transactionId, customerIds: [ownerId], accountIds: [] },
    },
  }
}

/** Checked before the payment began; without a client now, the job waits for the operator. */
function requireRail({ adapters }: Engine, { environment }: Scope, id: string): RailClient {
  const rail = adapters[environment].rail(id)
  if (!rail) throw new Error(`no client for rail ${id}`)
  return rail
}
