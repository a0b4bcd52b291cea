import { stateAfter, statesBefore } from '@corridor/kernel'
import { type Agent, type Allowance, whileAgentStays } from '../../access/agents/index.ts'
import type { Decision, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { Quote } from '../quotes/index.ts'
import { type AgentAction, actionRow } from './action.ts'
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
  const body = renderAction(scope, action, { quote })
  return {
    requires: [whileAgentStays(agent)],
    inserts: [{ table: 'agent_actions', row: actionRow(action) }],
    unique: takenAtOnce(quote),
    events: [{ type: 'AGENT_ACTION.PENDING_APPROVAL', resourceId: action.id, data: body }],
    result: () => ({ status, body }),
  }
}

/** An action that begins at once: with the payment, its counts and its record in one commit (wallets 12.5). */
export function decideBegin(
  scope: Scope,
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
    result: () => ({ status, body: renderAction(scope, action, { quote }) }),
  }
}

/** The same for one that waited: by the policy, the usage and the pause of this moment (wallets 12.5). */
export function decideApproved(
  scope: Scope,
  acting: Acting,
  payment: Decision<Reply>,
  { counts }: Allowance,
): Decision<Reply> {
  const { quote } = acting
  const { next, update } = moved(scope, acting.action, 'approve')
  const changes = begun(acting, payment, counts)
  const row: Update = { ...update, set: { ...update.set, transaction_id: next.transactionId } }
  return {
    ...changes,
    updates: [...(changes.updates ?? []), row],
    result: () => ({ status: 200, body: renderAction(scope, next, { quote }) }),
  }
}

function begun({ agent }: Acting, payment: Decision<Reply>, counts: Allowance['counts']): Decision<Reply> {
  return {
    ...payment,
    requires: [...(payment.requires ?? []), whileAgentStays(agent)],
    counts: [...(payment.counts ?? []), ...counts],
  }
}

/**
 * An approval that comes to nothing is an answer and no refusal (wallets 12.5). `over` is what the attempt itself
 * has ended, such as a quote whose rate is no longer to be had.
 */
export function decideFailed(
  scope: Scope,
  { action, quote }: Pick<Acting, 'action' | 'quote'>,
  { refusal: _, ...over }: Omit<Decision, 'result'> = {},
): Decision<Reply> {
  const { next, update } = moved(scope, action, 'fail', { transactionId: null })
  return {
    ...over,
    updates: [...(over.updates ?? []), update],
    result: () => ({ status: 200, body: renderAction(scope, next, { quote }) }),
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
    result: () => ({ status: 200, body: renderAction(scope, next, { quote }) }),
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
