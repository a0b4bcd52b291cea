import { assert, type Id, ok, toWireAmount } from '@corridor/kernel'
import { answerHandler, jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { loadInternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadDefaultUmaDepositAccount } from '../external-accounts/index.ts'
import { loadTransaction, type Transaction } from '../payments/index.ts'
import { preparePaymentOn } from '../transfers/index.ts'
import { keepPayeeInformation } from './payee-information.ts'
import {
  approvalQuestion,
  awaitsApproval,
  decideAnswer,
  decideFailure,
  decideSettlement,
  decideTimeout,
  expireJob,
  isAwaited,
  payOnJob,
  type ReceiptPayload,
  refuseJob,
  type SettlementFacts,
  settleJob,
  timerJob,
} from './rules.ts'

async function load(engine: Engine, scope: Scope, { transactionId }: ReceiptPayload): Promise<Transaction> {
  const transaction = await loadTransaction(engine, scope, transactionId)
  assert(transaction, 'a payment that is decided about is on record')
  return transaction
}

function accountOf({ flow: { delivery } }: Transaction): Id<'InternalAccount'> {
  assert(delivery.kind === 'INTERNAL', 'what comes in is for an account of ours')
  return delivery.accountId as Id<'InternalAccount'>
}

/** The platform's HTTP answer to INCOMING_PAYMENT.PENDING (webhooks 3.4). */
export const approval = answerHandler<ReceiptPayload>({
  kind: approvalQuestion,
  isAwaited: async (engine, scope, payload) => awaitsApproval(await load(engine, scope, payload), scope.now),
  async decide(engine, scope, payload, answer) {
    const transaction = await load(engine, scope, payload)
    return decideAnswer(scope, transaction, answer, (info) =>
      keepPayeeInformation(engine, scope, transaction, info),
    )
  },
})

const timeOut = jobHandler<ReceiptPayload>({
  kind: timerJob,
  run: async (engine, scope, payload) =>
    ok({ ...decideTimeout(scope, await load(engine, scope, payload)), result: () => undefined }),
})

const refuse = jobHandler<ReceiptPayload>({
  kind: refuseJob,
  async run(engine, scope, payload) {
    const transaction = await load(engine, scope, payload)
    const effect =
      transaction.status === 'PENDING' ? decideFailure(scope, transaction, 'COMPLIANCE_REJECTED') : {}
    return ok({ ...effect, result: () => undefined })
  },
})

export async function loadSettlementFacts(
  engine: Engine,
  scope: Scope,
  transaction: Transaction,
): Promise<SettlementFacts> {
  const [account, customer, depositAccount] = await Promise.all([
    loadInternalAccount(engine.database, scope, accountOf(transaction)),
    loadCustomer(engine, scope, transaction.ownerId),
    loadDefaultUmaDepositAccount(engine, scope, transaction.ownerId),
  ])
  return { account, customer, hasDepositAccount: depositAccount !== undefined }
}

/** The peer has let the time pass in which it could bring the money. */
const expire = jobHandler<ReceiptPayload>({
  kind: expireJob,
  async run(engine, scope, payload) {
    const transaction = await load(engine, scope, payload)
    const effect = isAwaited(transaction) ? decideFailure(scope, transaction, 'QUOTE_EXPIRED') : {}
    return ok({ ...effect, result: () => undefined })
  },
})

const settle = jobHandler<ReceiptPayload>({
  kind: settleJob,
  async run(engine, scope, payload) {
    const transaction = await load(engine, scope, payload)
    const facts = await loadSettlementFacts(engine, scope, transaction)
    return ok({ ...decideSettlement(scope, transaction, facts), result: () => undefined })
  },
})

/**
 * Pays what came on to the customer's own account elsewhere, as a transfer like any other (accounts 11.4). Where that is
 * refused, the money stays where it is.
 */
const payOn = jobHandler<ReceiptPayload>({
  kind: payOnJob,
  async run(engine, scope, payload) {
    const transaction = await load(engine, scope, payload)
    const { ownerId, receivedMinor } = transaction
    const nothing = ok({ result: () => undefined })
    const destination = await loadDefaultUmaDepositAccount(engine, scope, ownerId)
    if (!destination || receivedMinor === null) return nothing
    const { decide } = preparePaymentOn(engine, scope, {
      source: { accountId: accountOf(transaction) },
      destination: { accountId: destination.id },
      amount: toWireAmount(receivedMinor),
    })
    const transfer = await decide()
    return transfer.ok ? transfer : ok(staysHere(engine, transfer.failure))
  },
  refused: (engine, _scope, _payload, failure) => staysHere(engine, failure),
})

function staysHere(engine: Engine, { code }: Failure) {
  engine.world.log.info({ code }, 'a UMA payment could not be forwarded and stays in the internal account')
  return { result: () => undefined }
}

export const receiptJobs = [timeOut, refuse, settle, expire, payOn]
