import { ok, type Result } from '@corridor/kernel'
import { loadCustomer } from '../customers/index.ts'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import type { Failure } from '../http/errors.ts'
import type { Scope } from '../http/scope.ts'
import { fundingReference, platformOwner } from '../internal-accounts/index.ts'
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
 * account that its reference names, else to suspense. Telling of it again answers what was done first.
 */
export async function receiveInboundPayment(
  engine: Engine,
  scope: Scope,
  payment: InboundPayment,
): Promise<Result<BookedPayment, Failure>> {
  const { reference } = payment
  const booked = await loadBooked(engine.database, scope, inboundId(payment))
  if (booked) return ok(booked)
  const quote = reference === undefined ? undefined : await findQuoteByReference(engine, scope, reference)
  if (quote) {
    const funded = await receiveFunds(engine, scope, quote, payment, {
      isLateRefused: false,
      alongside: (transaction) => {
        const outcome = transaction.refund ? 'REFUNDED' : 'FUNDED_QUOTE'
        return bookedRow(scope, payment, outcome, transaction.id)
      },
    })
    if (funded.ok) {
      const outcome = funded.value.refund ? 'REFUNDED' : 'FUNDED_QUOTE'
      return ok({ id: inboundId(payment), outcome, transactionId: funded.value.id })
    }
    // Funded already: a second payment for one quote has nothing to pay and waits for the operator.
  }
  return bookToAccount(engine, scope, payment)
}

async function bookToAccount(
  engine: Engine,
  scope: Scope,
  payment: InboundPayment,
): Promise<Result<BookedPayment, Failure>> {
  const { database, world } = engine
  const transactionId = world.id('Transaction')
  const reference = `REF-${fundingReference(world)}`
  return commit(engine.applier, scope, async () => {
    const booked = await loadBooked(database, scope, inboundId(payment))
    if (booked) return ok({ result: () => booked })
    const account =
      payment.reference === undefined
        ? undefined
        : await findAccountByReference(database, scope, payment.reference)
    const creditedMinor = account && creditFor(account, payment)
    if (!account || creditedMinor === undefined) return ok(decideSuspense(scope, payment))
    if (account.status !== 'ACTIVE') {
      return ok(decideWaiting(scope, payment, { account, creditedMinor, transactionId, reference }))
    }
    const customer =
      account.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, account.ownerId)
    const platformCustomerId = customer?.platformCustomerId ?? platformOwner
    return ok(
      decideCredit(scope, payment, { account, creditedMinor, transactionId, reference, platformCustomerId }),
    )
  })
}
