import { assert, failed, isId, ok, type Result } from '@corridor/kernel'
import { type Agent, judgeMovement, loadAgent, loadUsage } from '../../access/agents/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail, isPassing } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadQuote, loadSnapshot, type Quote } from '../quotes/index.ts'
import { type AgentAction, neededPermission } from './action.ts'
import { type Attempt, attemptQuote, attemptTransfer } from './attempts.ts'
import { decideApproved, decideFailed, decideReject } from './rules.ts'
import { loadAction } from './store.ts'

/** The names of an action in a path: the pair has to match. */
export interface ActionPath {
  readonly agentId: string
  readonly actionId: string
}

/**
 * Lets an action begin, if everything still allows it: the policy, the usage and the pause of this moment, the quote,
 * the balance. Where something does not, the answer is the action as FAILED (wallets 12.5). CONFLICT for one that
 * was decided.
 */
export async function approveAction(
  engine: Engine,
  scope: Scope,
  path: ActionPath,
): Promise<Result<Reply, Failure>> {
  /** Whether the last decision was to begin: what refuses it then is found on committing. */
  let isTried = false
  const approval = await commit(engine.applier, scope, async () => {
    isTried = false
    const found = await requirePending(engine, scope, path)
    if (!found.ok) return found
    const { action, quote } = found.value
    const agent = await loadAgent(engine.database, scope, action.agentId)
    const allowed = agent && (await tryAgain(engine, scope, agent, found.value))
    if (!agent || !allowed?.ok) return ok(decideFailed(scope, found.value))
    const { attempt, payment, allowance } = allowed.value
    if (payment.refusal) return ok(decideFailed(scope, found.value, payment))
    isTried = true
    const begins = { ...action, transactionId: attempt.transactionId }
    return ok(decideApproved(scope, { action: begins, agent, quote }, payment, allowance))
  })
  const isRefused = !approval.ok && isTried && !isPassing(approval.failure)
  return isRefused ? failAction(engine, scope, path) : approval
}

/** Somebody took the last of the balance, of a limit or of a volume at the same moment. */
function failAction(engine: Engine, scope: Scope, path: ActionPath): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requirePending(engine, scope, path)
    return found.ok ? ok(decideFailed(scope, found.value)) : found
  })
}

/** REFERENCE_NOT_FOUND, or CONFLICT for what is decided already: both find nothing to change. */
export async function rejectAction(
  engine: Engine,
  scope: Scope,
  path: ActionPath,
  reason: string | undefined,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requirePending(engine, scope, path)
    return found.ok ? ok(decideReject(scope, found.value, reason ?? null)) : found
  })
}

interface Pending {
  readonly action: AgentAction
  readonly quote: Quote | undefined
}

async function requirePending(
  engine: Engine,
  scope: Scope,
  { agentId, actionId }: ActionPath,
): Promise<Result<Pending, Failure>> {
  const isNamed = isId('Agent', agentId) && isId('AgentAction', actionId)
  const action = isNamed ? await loadAction(engine.database, scope, agentId, actionId) : undefined
  if (!action) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'AgentAction', id: actionId }))
  const { status, subject } = action
  if (status !== 'PENDING_APPROVAL') return failed(fail('CONFLICT', { status }))
  const quote = subject.type === 'EXECUTE_QUOTE' ? await loadQuote(engine, scope, subject.quoteId) : undefined
  return ok({ action, quote })
}

/** What the action comes to now; a failure for whatever stands in its way. */
async function tryAgain(engine: Engine, scope: Scope, agent: Agent, { action, quote }: Pending) {
  const isAllowed =
    !agent.isPaused && agent.policy.permissions.includes(neededPermission[action.subject.type])
  if (!isAllowed) return failed(fail('FORBIDDEN'))
  // As the agent: nothing else is seen than what it could have named.
  const bound: Scope = { ...scope, actor: { ...scope.actor, customerId: agent.customerId } }
  const attempt = await attemptOf(engine, bound, action, quote)
  if (!attempt.ok) return attempt
  const [usage, snapshot] = await Promise.all([
    loadUsage(engine.database, scope, agent, scope.now),
    loadSnapshot(engine, scope),
  ])
  const { movement, plan } = attempt.value
  const verdict = judgeMovement(agent, usage, movement, { now: scope.now, snapshot })
  if (!verdict.ok) return verdict
  const payment = await plan({ id: agent.id })
  if (!payment.ok) return payment
  return ok({ attempt: attempt.value, payment: payment.value, allowance: verdict.value })
}

async function attemptOf(
  engine: Engine,
  scope: Scope,
  { subject }: AgentAction,
  quote: Quote | undefined,
): Promise<Result<Attempt, Failure>> {
  if (subject.type !== 'EXECUTE_QUOTE') return attemptTransfer(engine, scope, subject)
  assert(quote, 'the quote of an action is on record')
  // Its signature was verified when the agent asked for it.
  return ok(await attemptQuote(engine, scope, quote, { requires: [] }))
}
