import { toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadTransactions, renderTransaction } from '../payments/index.ts'
import { loadQuotes, renderQuote } from '../quotes/index.ts'
import type { AgentAction, Transfer } from './action.ts'
import type { AgentAction as AgentActionWire } from './action-schemas.ts'

/** What an action is about, as it is shown at this moment. */
type Related = Pick<AgentActionWire, 'quote' | 'transaction'>

/** An action with its quote or its transfer, and, once it began, with its transaction (wallets 12.5). */
export function renderAction(action: AgentAction, { quote, transaction }: Related): AgentActionWire {
  const { id, agentId, customerId, platformCustomerId, status, subject, rejectionReason } = action
  return {
    id,
    agentId,
    customerId,
    platformCustomerId,
    status,
    type: subject.type,
    ...(quote ? { quote } : {}),
    ...(subject.type === 'EXECUTE_QUOTE' ? {} : { transferDetails: detailsOf(subject) }),
    ...(transaction ? { transaction } : {}),
    ...(rejectionReason === null ? {} : { rejectionReason }),
    createdAt: toTimestamp(action.createdAt),
    updatedAt: toTimestamp(action.updatedAt),
  }
}

function detailsOf({ request: { source, destination, amount }, currency }: Transfer & { currency: string }) {
  return {
    amount,
    currency,
    sourceAccountId: source.accountId,
    destinationAccountId: destination.accountId,
  }
}

/** The same with everything read, for whoever asks and not for a decision: in one read of each kind. */
export async function showActions(
  engine: Engine,
  scope: Scope,
  actions: readonly AgentAction[],
): Promise<AgentActionWire[]> {
  const quoteIdOf = ({ subject }: AgentAction) => (subject.type === 'EXECUTE_QUOTE' ? [subject.quoteId] : [])
  const transactionIds = actions.flatMap(({ transactionId }) => (transactionId ? [transactionId] : []))
  const [quotes, transactions] = await Promise.all([
    loadQuotes(engine, scope, actions.flatMap(quoteIdOf)),
    loadTransactions(engine, scope, transactionIds),
  ])
  return actions.map((action) => {
    const [quoteId] = quoteIdOf(action)
    const quote = quotes.find(({ id }) => id === quoteId)
    const transaction = transactions.find(({ id }) => id === action.transactionId)
    return renderAction(action, {
      ...(quote ? { quote: renderQuote(quote, scope.now) } : {}),
      ...(transaction ? { transaction: renderTransaction(scope, transaction) } : {}),
    })
  })
}
