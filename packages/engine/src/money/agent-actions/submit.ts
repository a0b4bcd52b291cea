import { assert, failed, ok, type Result } from '@corridor/kernel'
import { judgeMovement, loadUsage, requireActingAgent } from '../../access/agents/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { readSignature } from '../../mechanisms/signed-requests/index.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { checkSignature, loadQuote, loadSnapshot, type Quote } from '../quotes/index.ts'
import type { AgentAction, Subject, Transfer } from './action.ts'
import { type Attempt, attemptQuote, attemptTransfer } from './attempts.ts'
import { decideBegin, decideQueue, quoteIsTaken } from './rules.ts'
import { loadActionOfQuote } from './store.ts'

/** What an agent asks for, as it is at this moment. */
interface Asked {
  readonly attempt: Attempt
  readonly subject: Subject
  readonly quote?: Quote
  readonly signature?: string | undefined
}

/** Executes a quote of the agent's own, or lets it wait for an approval (wallets 12.5). */
export async function executeQuote(
  engine: Engine,
  scope: Scope,
  quoteId: string,
  header: Call['header'],
): Promise<Result<Reply, Failure>> {
  return submit(engine, scope, 200, async () => {
    const quote = await requireOwnQuote(engine, scope, quoteId)
    if (!quote.ok) return quote
    const taken = await loadActionOfQuote(engine.database, scope, quote.value.id)
    if (taken) return failed(quoteIsTaken(taken, quote.value.id))
    const signature = readSignature(header)
    const checked = await checkSignature(engine, scope, quote.value, header)
    return ok({
      attempt: await attemptQuote(engine, scope, quote.value, checked),
      subject: { type: 'EXECUTE_QUOTE', quoteId: quote.value.id },
      quote: quote.value,
      signature: signature.ok ? signature.value : undefined,
    })
  })
}

/** A quote that this agent made: those of others are unknown, of the same customer as well (wallets 12.4). */
export async function requireOwnQuote(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Quote, Failure>> {
  const quote = await loadQuote(engine, scope, id)
  const isOwn = quote?.options.agentId === scope.actor.id
  return quote && isOwn ? ok(quote) : failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id }))
}

/** Transfers money, or lets it wait for an approval (wallets 12.5). */
export async function transfer(
  engine: Engine,
  scope: Scope,
  asked: Transfer,
): Promise<Result<Reply, Failure>> {
  return submit(engine, scope, 201, async () => {
    const attempt = await attemptTransfer(engine, scope, asked)
    if (!attempt.ok) return attempt
    return ok({ attempt: attempt.value, subject: { ...asked, currency: attempt.value.movement.currency } })
  })
}

/**
 * The refusals in the order of wallets 12.5: what is asked for, its state, accounts and limits of the policy, the
 * signature, and what the platform's own call would refuse. Money that is not there yet may be there when
 * somebody approves.
 */
async function submit(
  engine: Engine,
  scope: Scope,
  status: number,
  ask: () => Promise<Result<Asked, Failure>>,
): Promise<Result<Reply, Failure>> {
  const id = engine.world.id('AgentAction')
  return commit(engine.applier, scope, async () => {
    const [agent, asked, snapshot] = await Promise.all([
      requireActingAgent(engine, scope),
      ask(),
      loadSnapshot(engine, scope),
    ])
    if (!agent.ok) return agent
    if (!asked.ok) return asked
    const { attempt, subject, quote, signature = null } = asked.value
    const usage = await loadUsage(engine.database, scope, agent.value, scope.now)
    const verdict = judgeMovement(agent.value, usage, attempt.movement, { now: scope.now, snapshot })
    const refusal = verdict.ok ? undefined : verdict.failure
    const payment = await attempt.plan({ id: agent.value.id, refusal })
    const needsApproval = verdict.ok && verdict.value.needsApproval
    const mayWait = needsApproval && !payment.ok && payment.failure.code === 'INSUFFICIENT_BALANCE'
    if (!payment.ok && !mayWait) return payment
    // Refused with an effect: the quote is over, and there is no action.
    if (payment.ok && payment.value.refusal) return payment
    assert(verdict.ok, 'a payment that the policy refuses is refused')
    const customer = await loadCustomer(engine, scope, agent.value.customerId)
    assert(customer, 'an agent that is there has a customer')
    const action: AgentAction = {
      id,
      version: 1n,
      agentId: agent.value.id,
      customerId: agent.value.customerId,
      platformCustomerId: customer.platformCustomerId,
      status: needsApproval ? 'PENDING_APPROVAL' : 'APPROVED',
      subject,
      signature,
      transactionId: needsApproval ? null : attempt.transactionId,
      rejectionReason: null,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    const acting = { action, agent: agent.value, quote }
    if (needsApproval || !payment.ok) return ok(decideQueue(scope, acting, status))
    return ok(decideBegin(acting, payment.value, verdict.value, status))
  })
}
