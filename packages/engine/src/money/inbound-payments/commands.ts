import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { fundingReference, hasRoomFor, platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Transaction } from '../payments/index.ts'
import { findQuoteByReference, receiveFunds } from '../quotes/index.ts'
import {
  bookedRow,
  creditFor,
  decideCredit,
  decideSuspense,
  decideWaiting,
  type InboundPayment,
  inboundId,
} from './rules.ts'
import { type BookedPayment, findAccountByReference, loadBooked } from './store.ts'

/**
 * Books a payment that a rail tells of (accounts 3.3, 7.4): to the realtime quote or to the internal
 * account that its reference names, else to suspense. Telling of it again answers what was done first; with another
 * amount or currency it is CONFLICT, and the operator's log says so, because one of the two is wrong.
 * A conflict with something that happened at the same moment books nothing: the rail tells of it again.
 */
export async function receiveInboundPayment(
  engine: Engine,
  scope: Scope,
  payment: InboundPayment,
  answer: (booked: BookedPayment) => Reply,
): Promise<Result<Reply, Failure>> {
  const { reference } = payment
  const decideForAccount = accountDecider(engine, scope, payment, answer)
  const booked = await loadBooked(engine.database, scope, inboundId(payment))
  const quote =
    booked || reference === undefined ? undefined : await findQuoteByReference(engine, scope, reference)
  if (!quote) return commit(engine.applier, scope, decideForAccount)
  return receiveFunds(engine, scope, quote, payment, {
    isLateRefused: false,
    alongside: (transaction) => bookedRow(scope, payment, outcomeOf(transaction), transaction.id),
    unique: { inbound_payments_pkey: 'stale' },
    answer: (transaction) =>
      answer({ id: inboundId(payment), outcome: outcomeOf(transaction), transactionId: transaction.id }),
    // Funded already: a second payment for one quote has nothing to pay and waits for the operator.
    instead: decideForAccount,
  })
}

function outcomeOf({ refund }: Transaction): 'REFUNDED' | 'FUNDED_QUOTE' {
  return refund ? 'REFUNDED' : 'FUNDED_QUOTE'
}

/** The payment keeps its ids when the facts have to be loaded again. */
function accountDecider(
  engine: Engine,
  scope: Scope,
  payment: InboundPayment,
  answer: (booked: BookedPayment) => Reply,
): () => Promise<Result<Decision<Reply>, Failure>> {
  const { database, world } = engine
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  const answered = (decision: Decision<BookedPayment>) =>
    ok({
      ...decision,
      result: (after: Parameters<typeof decision.result>[0]) => answer(decision.result(after)),
    })
  return async () => {
    const booked = await loadBooked(database, scope, inboundId(payment))
    if (booked && moneyOf(booked) !== moneyOf(payment)) {
      const { platformId, environment } = scope
      engine.world.log.error(
        { platformId, environment, id: booked.id, recorded: moneyOf(booked), told: moneyOf(payment) },
        'a rail told of a recorded payment with another amount',
      )
      return failed(fail('CONFLICT', { reason: 'RECORDED', id: booked.id }))
    }
    if (booked) return ok({ result: () => answer(booked) })
    const account =
      payment.reference === undefined
        ? undefined
        : await findAccountByReference(database, scope, payment.reference)
    const creditedMinor = account && creditFor(account, payment)
    if (!account || creditedMinor === undefined)
      return answered(decideSuspense(scope, payment, { transactionId, reference }))
    const customer =
      account.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, account.ownerId)
    const facts = { account, creditedMinor, transactionId, reference }
    if (account.status !== 'ACTIVE' || customer?.deletedAt || !hasRoomFor(account, creditedMinor)) {
      return answered(decideWaiting(scope, payment, { ...facts, customer }))
    }
    const platformCustomerId = customer?.platformCustomerId ?? platformOwner
    return answered(decideCredit(scope, payment, { ...facts, platformCustomerId, customer }))
  }
}

function moneyOf({ amountMinor, currency }: Pick<InboundPayment, 'amountMinor' | 'currency'>): string {
  return `${amountMinor} ${currency}`
}
