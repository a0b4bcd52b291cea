import { assert, stateAfter, statesBefore } from '@corridor/kernel'
import { type Agent, type Allowance, whileAgentStays } from '../../access/agents/index.ts'
import type { After, Decision, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { type Quote, quoteStatusAfter, renderQuote } from '../quotes/index.ts'
import { type AgentAction, actionRow } from './action.ts'
import type { AgentAction as AgentActionWire } from './action-schemas.ts'
import { agentActionMachine } from './machine.ts'
import { renderAction } from './render.ts'

/** A quote is for one action (wallets 12.5). */
export function quoteIsTaken({ status }: Pick<AgentAction, 'status'>, quoteId: string): Failure {
  return fail('CONFLICT', { reason: 'QUOTE_HAS_ACTION', status, quoteId })
}

/** What is decided about: the action, its agent as it was read, and its quote where it has one. */
export interface Acting {
  readonly action: AgentAction
  readonly agent: Agent
  readonly quote: Quote | undefined
}

/** An action that awaits an approval: nothing is held and nothing counted, its platform is told (wallets 12.5). */
export function decideQueue(scope: Scope, { action, agent, quote }: Acting, status: number): Decision<Reply> {
  const body = renderAction(action, asItIs(scope, quote))
  return {
    requires: [whileAgentStays(agent)],
    inserts: [{ table: 'agent_actions', row: actionRow(action) }],
    unique: takenAtOnce(quote),
    events: [
      {
        type: 'AGENT_ACTION.PENDING_APPROVAL',
        resourceId: action.id,
        subjectId: action.customerId,
        data: body,
      },
    ],
    result: () => ({ status, body }),
  }
}

/** An action that begins at once: with the payment, its counts and its record in one commit (wallets 12.5). */
export function decideBegin(
  acting: Acting,
  payment: Decision<Reply>,
  { counts }: Allowance,
  status: number,
): Decision<Reply> {
  const { action, quote } = acting
  return {
    ...begun(acting, payment, counts),
    inserts: [...(payment.inserts ?? []), { table: 'agent_actions', row: actionRow(action) }],
    unique: { ...payment.unique, ...takenAtOnce(quote) },
    result: (after) => ({ status, body: renderAction(action, asItBegins(acting, payment, after)) }),
  }
}

/** The same for one that waited: by the policy, the usage and the pause of this moment (wallets 12.5). */
export function decideApproved(
  scope: Scope,
  acting: Acting,
  payment: Decision<Reply>,
  { counts }: Allowance,
): Decision<Reply> {
  const { next, update } = moved(scope, acting.action, 'approve')
  const changes = begun(acting, payment, counts)
  const row: Update = { ...update, set: { ...update.set, transaction_id: next.transactionId } }
  return {
    ...changes,
    updates: [...(changes.updates ?? []), row],
    result: (after) => ({ status: 200, body: renderAction(next, asItBegins(acting, payment, after)) }),
  }
}

function begun({ agent }: Acting, payment: Decision<Reply>, counts: Allowance['counts']): Decision<Reply> {
  return {
    ...payment,
    requires: [...(payment.requires ?? []), whileAgentStays(agent)],
    counts: [...(payment.counts ?? []), ...counts],
  }
}

/** The quote while nothing happens to it. */
function asItIs(scope: Scope, quote: Quote | undefined): Pick<AgentActionWire, 'quote'> {
  return quote ? { quote: renderQuote(quote, scope.now) } : {}
}

/**
 * Quote and transaction as the payment leaves them: what it answers itself, and what it tells of its transaction last.
 * Known with the decision, so that the answer is recorded whole in the commit of its effect.
 */
function asItBegins(
  { action, quote }: Acting,
  payment: Decision<Reply>,
  after: After,
): Pick<AgentActionWire, 'quote' | 'transaction'> {
  const told = payment.events?.findLast(({ resourceId }) => resourceId === action.transactionId)
  assert(told, 'a payment that begins tells of its transaction')
  const transaction = typeof told.data === 'function' ? told.data(after) : told.data
  return {
    ...(quote ? { quote: payment.result(after).body as NonNullable<AgentActionWire['quote']> } : {}),
    transaction: transaction as NonNullable<AgentActionWire['transaction']>,
  }
}

/**
 * An approval that comes to nothing is an answer and no refusal (wallets 12.5). `over` is what the attempt itself
 * has ended, such as a quote whose rate is no longer to be had.
 */
export function decideFailed(
  scope: Scope,
  { action, quote }: Pick<Acting, 'action' | 'quote'>,
  { refusal, ...over }: Omit<Decision, 'result'> = {},
): Decision<Reply> {
  const { next, update } = moved(scope, action, 'fail', { transactionId: null })
  const left = quote && refusal ? { ...quote, status: quoteStatusAfter('refuseRate') } : quote
  return {
    ...over,
    updates: [...(over.updates ?? []), update],
    result: () => ({ status: 200, body: renderAction(next, asItIs(scope, left)) }),
  }
}

/** Nothing moves, now and later (wallets 12.5). */
export function decideReject(
  scope: Scope,
  { action, quote }: Pick<Acting, 'action' | 'quote'>,
  rejectionReason: string | null,
): Decision<Reply> {
  const { next, update } = moved(scope, action, 'reject', { rejectionReason })
  return {
    updates: [{ ...update, set: { ...update.set, rejection_reason: rejectionReason } }],
    result: () => ({ status: 200, body: renderAction(next, asItIs(scope, quote)) }),
  }
}

function moved(
  scope: Scope,
  action: AgentAction,
  event: 'approve' | 'fail' | 'reject',
  changes: Partial<Omit<AgentAction, 'status'>> = {},
): { next: AgentAction; update: Update } {
  const at = changedAt(scope, action.updatedAt)
  const status = stateAfter(agentActionMachine, event)
  const set = { status, updated_at: at, decided_by: scope.actor.id }
  return {
    next: { ...action, ...changes, status, updatedAt: Date.parse(at) },
    update: {
      table: 'agent_actions',
      id: action.id,
      version: action.version,
      from: statesBefore(agentActionMachine, event),
      set,
    },
  }
}

/** Of two who ask for one quote at once, the second finds it taken. */
function takenAtOnce(quote: Quote | undefined): NonNullable<Decision['unique']> {
  return quote ? { agent_actions_one_of_quote: 'stale' } : {}
}
