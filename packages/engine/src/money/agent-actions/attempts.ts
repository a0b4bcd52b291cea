import { failed, type Id, ok, type Result } from '@corridor/kernel'
import type { AgentGate, Movement } from '../../access/agents/index.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadInternalAccount, loadInternalAccounts } from '../../platform/internal-accounts/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { transactionIdOf } from '../payments/index.ts'
import { type CheckedSignature, planExecution, type Quote } from '../quotes/index.ts'
import { prepareTransferIn, prepareTransferOut } from '../transfers/index.ts'
import type { Transfer } from './action.ts'

/** What an action comes to at this moment: what the policy measures, and what the platform's own call would do. */
export interface Attempt {
  readonly movement: Movement
  readonly transactionId: Id<'Transaction'>
  readonly plan: (agent: AgentGate) => Promise<Result<Decision<Reply>, Failure>>
}

/** The scope has to be bound to the agent's customer: what it does not see is unknown. */
export async function attemptQuote(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  signature: CheckedSignature,
): Promise<Attempt> {
  const { funding, delivery, scaFactor } = quote.options
  const touched = [funding, delivery].flatMap((side) => (side.kind === 'INTERNAL' ? [side.accountId] : []))
  const own = await loadInternalAccounts(engine.database, scope, touched)
  return {
    movement: {
      accountIds: own.map(({ id }) => id),
      amountMinor: quote.sendingMinor,
      currency: quote.sendingCurrency,
    },
    transactionId: transactionIdOf(quote.id),
    plan: (agent) => planExecution(engine, scope, quote, { signature, scaFactor, agent }),
  }
}

/** REFERENCE_NOT_FOUND without the internal account, in whose currency a transfer is measured. */
export async function attemptTransfer(
  engine: Engine,
  scope: Scope,
  transfer: Transfer,
): Promise<Result<Attempt, Failure>> {
  const isOut = transfer.type === 'TRANSFER_OUT'
  const { accountId } = isOut ? transfer.request.source : transfer.request.destination
  const account = await loadInternalAccount(engine.database, scope, accountId)
  if (!account) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id: accountId }))
  const { transactionId, decide } = isOut
    ? prepareTransferOut(engine, scope, transfer.request)
    : prepareTransferIn(engine, scope, transfer.request)
  const amountMinor = BigInt(transfer.request.amount)
  return ok({
    movement: { accountIds: [account.id], amountMinor, currency: account.currency },
    transactionId,
    plan: decide,
  })
}
