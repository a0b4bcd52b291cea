import {
  failed,
  type Instant,
  ok,
  type Result,
  stateAfter,
  statesBefore,
  toTimestamp,
} from '@corridor/kernel'
import { createNote } from '../../mechanisms/audit-log/entry.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { environmentOperator } from '../../mechanisms/http/authenticate.ts'
import type { Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail, passingConflict } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import { takesTwo } from '../../vocabulary/powers.ts'
import { type OperatorRole, reaches } from '../../vocabulary/roles.ts'
import { installationBook, type Scope } from '../../vocabulary/scope.ts'
import type { Proposal } from './contract.ts'
import { knownFields } from './known-fields.ts'
import { proposalMachine } from './machine.ts'
import { countsFor, personsBehind } from './persons.ts'
import {
  hasOthers,
  loadOperator,
  loadProposal,
  type OperatorRow,
  type ProposalRow,
  sealedProposals,
} from './store.ts'

/** How long a proposal waits for somebody else. */
const proposalMs = 24 * 60 * 60_000

interface Input {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body?: Record<string, unknown>
  /** What was prepared for the approval (`prepare` of the route). Never shown. */
  readonly kept?: Readonly<Record<string, string>>
  /** Why, as who proposed it at the console has said for the audit log. */
  readonly reason?: string
}

/**
 * What one operator alone should not do is written down instead, for another to approve. Where nobody else with a name
 * could, it is done at once: an installation of one person stays workable, and the audit log says who it was.
 */
export function withSecondPerson(route: Route): Route {
  const { operation } = route
  if (operation.auth !== 'operator' || !takesTwo(operation)) return route
  return {
    ...route,
    async handle(engine, call) {
      const since = engine.world.now() - proposalMs
      const isHarmless = route.needsSecondPerson && !(await route.needsSecondPerson(engine, call))
      if (isHarmless) return route.handle(engine, call)
      const isProposed = await hasOthers(engine.database, [call.scope.actor.id], operation.role, since)
      return isProposed ? propose(engine, route, call) : route.handle(engine, call)
    },
  }
}

async function propose(engine: Engine, route: Route, call: Call): Promise<Result<Reply, Failure>> {
  const { operation } = route
  const { world, keys } = engine
  const { scope } = call
  const id = world.id('Proposal')
  const at = toTimestamp(world.now())
  const expiresAt = toTimestamp(world.now() + proposalMs)
  const { params, query: given, body } = call as unknown as Input
  const query = operation.query ? given : {}
  const { reason } = scope.actor.note ?? {}
  const preparation = route.prepare?.(engine, call)
  const input: Input = {
    ...{ params, query },
    // Other fields are ignored, here as everywhere: what is kept until somebody decides is bounded.
    ...(operation.body && body !== undefined ? { body: knownFields(operation.body, body) } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(preparation ? { kept: preparation.kept } : {}),
  }
  const row = {
    id,
    operation: operation.id,
    input: keys.seal(installationBook, sealedProposals, id, JSON.stringify(input)),
    status: proposalMachine.initial[0],
    proposed_by: scope.actor.id,
    created_at: at,
    updated_at: at,
    expires_at: expiresAt,
  }
  return commit(engine.applier, scope, async () =>
    ok({
      inserts: [{ table: 'operator_proposals', row }],
      result: () => ({ status: 202, body: { id, status: 'OPEN', expiresAt, ...preparation?.shown } }),
    }),
  )
}

/**
 * Does what was proposed, in the name of whoever approves. It is marked first, so that it is done once at most; what
 * was marked and not done, because the process died or the operation refused, is proposed anew. FORBIDDEN for who
 * proposed it, may not do it himself, or has a new account from who proposed it; CONFLICT where whoever proposed it has left or may not do it any more.
 */
export async function approve(engine: Engine, call: Call, id: string): Promise<Result<Reply, Failure>> {
  const { actor } = call.scope
  const proposal = await loadProposal(engine.database, id)
  const route = proposal && engine.proposable.get(proposal.operation)
  if (!proposal || !route) return failed(notFound(id))
  const { operation } = route
  // The key of the environment is in the hands of whoever runs the machine: it is nobody in particular, so no second person.
  if (proposal.proposedBy === actor.id || actor.id === environmentOperator.id) {
    return failed(fail('FORBIDDEN', { reason: 'SECOND_PERSON' }))
  }
  const approver = await loadOperator(engine.database, actor.id)
  const role = approver?.role ?? 'VIEWER'
  if (operation.role && !reaches(role, operation.role)) {
    return failed(fail('FORBIDDEN', { requiredPermission: operation.role }))
  }
  if (approver && !countsFor(approver, proposal.proposedBy, engine.world.now())) {
    return failed(fail('FORBIDDEN', { reason: 'UNCONFIRMED_ACCOUNT' }))
  }
  // Two people want it, and both may: of somebody who has left, or lost the role, that is no longer known.
  const proposer = await loadOperator(engine.database, proposal.proposedBy)
  if (proposal.proposedBy !== environmentOperator.id) {
    const hasLeft = !proposer || proposer.endedAt !== null
    if (hasLeft || (operation.role && !reaches(proposer.role, operation.role))) {
      return failed(fail('CONFLICT', { reason: 'PROPOSER_MAY_NOT', id }))
    }
  }
  if (
    operation.role &&
    approver &&
    proposer &&
    (await isOnePerson(engine, proposer, approver, operation.role))
  )
    return failed(fail('FORBIDDEN', { reason: 'UNCONFIRMED_ACCOUNT' }))
  // With the line that it was approved, and without the answer to the request, which is that of the operation.
  const { recording: _, ...scope } = call.scope
  const { params, query, body, reason: proposed, kept = {} } = openInput(engine, proposal)
  // Both lines say why: in the words of who approves, else in those of who proposed.
  const reason = actor.note?.reason ?? proposed
  if (actor.note) actor.note.reason = reason
  const marked = await decide(engine, scope, id, 'approve', proposer)
  if (!marked.ok) return marked
  const { source } = call
  const note = createNote(engine.world, {
    actor: actor.id,
    source,
    operation,
    params,
    query,
    body,
    reason,
    requestId: id,
  })
  const done = await route.handle(engine, {
    ...call,
    scope: { ...scope, actor: { ...actor, note } },
    approved: { proposedBy: proposal.proposedBy, kept },
    params: params as never,
    query: query as never,
    body: body as never,
  })
  if (!note.isWritten) await engine.auditLog.write(installationBook, note.toRow(done))
  if (!done.ok) return done
  const { status, body: answer } = done.value
  return ok({ status: 200, body: { status, ...(answer === undefined ? {} : { answer }) } })
}

/** Returns true if one person may own both operator accounts. An inviter may still approve if no other operator can decide. */
async function isOnePerson(
  { database, world }: Engine,
  proposer: OperatorRow,
  approver: OperatorRow,
  role: OperatorRole,
): Promise<boolean> {
  const now = world.now()
  const ofProposer = await personsBehind(database, proposer, now)
  const ofApprover = await personsBehind(database, approver, now)
  if (!ofProposer.some((id) => ofApprover.includes(id))) return false
  return !ofProposer.includes(approver.id) || hasOthers(database, [proposer.id, approver.id], role, now)
}

/** By anybody who may see it; whoever proposed it takes it back. */
export async function refuse(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  const visible = await visibleTo(engine, scope)
  const proposal = await loadProposal(engine.database, id)
  const isHidden = proposal && visible !== undefined && !visible.includes(proposal.operation)
  if (isHidden && proposal.proposedBy !== scope.actor.id) return failed(notFound(id))
  return decide(engine, scope, id, 'refuse')
}

/** Of which operations somebody sees proposals: a reviewer of what reviewers do, others of all (undefined). */
export async function visibleTo(
  { database, proposable }: Engine,
  { actor }: Scope,
): Promise<readonly string[] | undefined> {
  const role = await roleOf(database, actor.id)
  if (reaches(role, 'OPERATOR')) return undefined
  return [...proposable.values()]
    .filter(({ operation }) => operation.role && reaches(role, operation.role))
    .map(({ operation }) => operation.id)
    .sort()
}

function decide(
  engine: Engine,
  scope: Scope,
  id: string,
  move: 'approve' | 'refuse',
  /** Who has to be as he was until it is decided. */
  proposer?: OperatorRow,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const proposal = await loadProposal(engine.database, id)
    if (!proposal) return failed(notFound(id))
    const now = engine.world.now()
    const shown = statusOf(proposal, now)
    if (shown !== 'OPEN') return failed(fail('CONFLICT', { reason: shown, id }))
    const status = stateAfter(proposalMachine, move)
    const set = { status, decided_by: scope.actor.id, updated_at: toTimestamp(now) }
    const after = { ...proposal, status, decidedBy: scope.actor.id }
    return ok({
      ...(proposer ? { requires: [stillAsItWas(proposer)] } : {}),
      updates: [
        {
          table: 'operator_proposals',
          id,
          version: proposal.version,
          from: statesBefore(proposalMachine, move),
          set,
        },
      ],
      result: () => ({ status: 200, body: renderProposal(engine, after) }),
    })
  })
}

/** Whoever changes the proposer at the same moment comes before, which fails the approval, or after it. */
function stillAsItWas({ id, version }: OperatorRow): Requirement {
  return { table: 'operators', id, version, orElse: passingConflict('CONCURRENT_UPDATE') }
}

async function roleOf(database: Engine['database'], id: string): Promise<OperatorRole> {
  if (id === environmentOperator.id) return environmentOperator.role
  return (await loadOperator(database, id))?.role ?? 'VIEWER'
}

export function renderProposal(engine: Engine, proposal: ProposalRow): Proposal {
  const { id, operation, proposedBy, decidedBy, createdAt, expiresAt } = proposal
  const { kept: _, ...input } = openInput(engine, proposal)
  return {
    id,
    operation,
    ...input,
    status: statusOf(proposal, engine.world.now()),
    proposedBy,
    ...(decidedBy === null ? {} : { decidedBy }),
    createdAt: toTimestamp(createdAt),
    expiresAt: toTimestamp(expiresAt),
  }
}

function statusOf({ status, expiresAt }: ProposalRow, now: Instant): Proposal['status'] {
  return status === 'OPEN' && expiresAt <= now ? 'EXPIRED' : status
}

function openInput({ keys }: Engine, { id, input }: ProposalRow): Input {
  return JSON.parse(keys.open(installationBook, sealedProposals, id, input)) as Input
}

function notFound(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Proposal', id })
}
