import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { environmentOperator, operatorKeyPrefix } from '../../mechanisms/http/authenticate.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { ApprovedProposal, Reply } from '../../vocabulary/operation.ts'
import type { OperatorRole } from '../../vocabulary/roles.ts'
import { installationBook, type Scope } from '../../vocabulary/scope.ts'
import type { OperatorAccount } from './contract.ts'
import { countsFor, maybeOnePerson } from './persons.ts'
import { findOperatorByCode, loadOperator, type OperatorRow } from './store.ts'

const dayMs = 24 * 60 * 60_000
const codeDays = 3
const defaultKeyDays = 90

export interface NewOperator {
  readonly name: string
  readonly role: OperatorRole
  readonly keyDays?: number
}

/** 256 random bits, of which the keyed hash is kept. Who invites gets the code: who approves could join with it. */
export function makeJoinCode({ world, keys }: Pick<Engine, 'world' | 'keys'>) {
  const joinCode = Buffer.from(world.randomBytes(32)).toString('base64url')
  return { shown: { joinCode }, kept: { codeHash: keys.hashSecret(joinCode) } }
}

/** An account, and the code that makes its first key. */
export async function createOperator(
  engine: Engine,
  scope: Scope,
  { name, role, keyDays = defaultKeyDays }: NewOperator,
  approved?: ApprovedProposal,
): Promise<Result<Reply, Failure>> {
  const { world } = engine
  const now = world.now()
  const at = toTimestamp(now)
  const id = world.id('Operator')
  const { shown, kept } = approved ? { shown: {}, kept: approved.kept } : makeJoinCode(engine)
  const row = {
    id,
    name,
    role,
    key_days: keyDays,
    code_hash: kept.codeHash,
    code_expires_at: toTimestamp(now + codeDays * dayMs),
    invited_by: approved?.proposedBy ?? scope.actor.id,
    approved_by: approved ? scope.actor.id : null,
    created_at: at,
    updated_at: at,
  }
  const invitedBy = row.invited_by
  const body = {
    ...{ id, name, role, status: 'INVITED', createdAt: at, invitedBy, isConfirmed: false },
    ...(row.approved_by === null ? {} : { approvedBy: row.approved_by }),
    ...shown,
  }
  return commit(engine.applier, scope, async () =>
    ok({ inserts: [{ table: 'operators', row }], result: () => ({ status: 201, body }) }),
  )
}

/**
 * Turns a code into a key, once. UNAUTHORIZED for a code that is unknown, used or too old. Nobody guesses 256 bits, so whoever knows
 * a code is told what became of it.
 */
export async function join(engine: Engine, by: Scope, code: string): Promise<Result<Reply, Failure>> {
  const { database, keys, world } = engine
  const known = await findOperatorByCode(database, keys.hashSecret(code))
  if (!known) return failed(fail('UNAUTHORIZED', { reason: noSuchCode }))
  const scope = { ...by, ...installationBook }
  return commit(engine.applier, scope, async () => {
    const operator = await loadOperator(database, known.id)
    const over = operator ? overAs(operator, world.now()) : noSuchCode
    return operator && over === undefined
      ? ok(giveKey(engine, operator))
      : failed(fail('UNAUTHORIZED', { reason: over }))
  })
}

const noSuchCode =
  'A join code is the joinCode in the response for a new account (POST /operator/operators), or the operatorJoinCode of the first start. It creates a key, once and within three days.'

/** Why the code of an account makes no key; undefined: it does. */
function overAs({ endedAt, codeExpiresAt }: OperatorRow, now: Instant): string | undefined {
  const another = 'an administrator has to create a new account with a new code.'
  if (endedAt !== null) return `The account of this join code was ended; ${another}`
  if (codeExpiresAt === null) return `This join code was used. If the key is lost, ${another}`
  return codeExpiresAt <= now ? `This join code expired three days after its creation; ${another}` : undefined
}

/** Another key for whoever asks. CONFLICT for the key of the environment, which is changed there. */
export async function renewKey(engine: Engine, scope: Scope): Promise<Result<Reply, Failure>> {
  if (scope.actor.id === environmentOperator.id) {
    return failed(fail('CONFLICT', { reason: 'KEY_OF_THE_ENVIRONMENT' }))
  }
  return commit(engine.applier, scope, async () => ok(giveKey(engine, await requireSelf(engine, scope))))
}

function giveKey({ world, keys }: Engine, operator: OperatorRow): Decision<Reply> {
  const key = operatorKeyPrefix + Buffer.from(world.randomBytes(32)).toString('base64url')
  const keyExpiresAt = world.now() + operator.keyDays * dayMs
  const set = {
    key_hash: keys.hashSecret(key),
    key_expires_at: toTimestamp(keyExpiresAt),
    // Its hash stays, by which it is known that it was used.
    code_expires_at: null,
    ...(operator.joinedAt === null ? { joined_at: toTimestamp(world.now()) } : {}),
    updated_at: toTimestamp(world.now()),
  }
  const body = { ...renderOperator({ ...operator, hasKey: true, keyExpiresAt }, world.now()), key }
  return {
    updates: [{ table: 'operators', id: operator.id, version: operator.version, set }],
    result: () => ({ status: 201, body }),
  }
}

/** REFERENCE_NOT_FOUND; CONFLICT for an account that has ended. */
export async function changeRole(
  engine: Engine,
  scope: Scope,
  id: string,
  role: OperatorRole,
): Promise<Result<Reply, Failure>> {
  return change(engine, scope, id, (operator) =>
    operator.endedAt === null
      ? ok({
          set: { role },
          reply: { status: 200, body: renderOperator({ ...operator, role }, engine.world.now()) },
        })
      : failed(fail('CONFLICT', { reason: 'ENDED', id })),
  )
}

/**
 * By another person with a name: FORBIDDEN for the account itself, for who invited or approved it, and for an account of theirs
 * that does not count yet.
 */
export async function confirmOperator(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const { actor } = scope
  const confirmer = await loadOperator(engine.database, actor.id)
  return change(engine, scope, id, async (operator) => {
    const makers = [operator.invitedBy, operator.approvedBy]
    if ([operator.id, ...makers, environmentOperator.id].includes(actor.id) || !confirmer)
      return failed(fail('FORBIDDEN', { reason: 'SECOND_PERSON' }))
    if (await isOfMaker(engine, confirmer, makers))
      return failed(fail('FORBIDDEN', { reason: 'UNCONFIRMED_ACCOUNT' }))
    if (operator.endedAt !== null) return failed(fail('CONFLICT', { reason: 'ENDED', id }))
    if (operator.joinedAt === null) return failed(fail('CONFLICT', { reason: 'NOT_JOINED', id }))
    const now = engine.world.now()
    const body = renderOperator({ ...operator, confirmedBy: operator.confirmedBy ?? actor.id }, now)
    const set = operator.confirmedBy ? {} : { confirmed_by: actor.id, confirmed_at: toTimestamp(now) }
    return ok({ set, reply: { status: 200, body } })
  })
}

/** True if the confirmer may be the inviter or the approver of the account, behind any of their accounts. */
async function isOfMaker(
  { database, world }: Engine,
  confirmer: OperatorRow,
  makers: readonly (string | null)[],
): Promise<boolean> {
  const now = world.now()
  for (const id of makers) {
    if (id === null) continue
    const maker = await loadOperator(database, id)
    if (!countsFor(confirmer, id, now) || (maker && (await maybeOnePerson(database, confirmer, maker, now))))
      return true
  }
  return false
}

/** Ends an account at once. Ending twice is ending once. */
export async function endOperator(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return change(engine, scope, id, ({ endedAt }) =>
    ok({ set: { ended_at: toTimestamp(endedAt ?? engine.world.now()) }, reply: { status: 204 } }),
  )
}

type Changed = Result<{ set: Record<string, unknown>; reply: Reply }, Failure>

async function change(
  engine: Engine,
  scope: Scope,
  id: string,
  decide: (operator: OperatorRow) => Changed | Promise<Changed>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const operator = await loadOperator(engine.database, id)
    if (!operator) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Operator', id }))
    const decided = await decide(operator)
    if (!decided.ok) return decided
    const set = { ...decided.value.set, updated_at: toTimestamp(engine.world.now()) }
    return ok({
      updates: [{ table: 'operators', id, version: operator.version, set }],
      result: () => decided.value.reply,
    })
  })
}

const usable: OperatorAccount['status'] = 'ACTIVE'

/** Who calls, as everybody may see it. */
export async function readSelf(engine: Engine, scope: Scope): Promise<OperatorAccount> {
  if (scope.actor.id === environmentOperator.id) {
    return { ...environmentOperator, name: 'Key of the environment', status: usable, isConfirmed: false }
  }
  return renderOperator(await requireSelf(engine, scope), engine.world.now())
}

async function requireSelf({ database }: Engine, { actor }: Scope): Promise<OperatorRow> {
  const operator = await loadOperator(database, actor.id)
  if (!operator) throw new Error('assertion failed: whoever was admitted has an account')
  return operator
}

export function renderOperator(operator: OperatorRow, now: Instant): OperatorAccount {
  const { id, name, role, keyExpiresAt, createdAt } = operator
  return {
    id,
    name,
    role,
    status: statusOf(operator, now),
    ...(keyExpiresAt === null ? {} : { keyExpiresAt: toTimestamp(keyExpiresAt) }),
    createdAt: toTimestamp(createdAt),
    ...(operator.invitedBy === null ? {} : { invitedBy: operator.invitedBy }),
    ...(operator.approvedBy === null ? {} : { approvedBy: operator.approvedBy }),
    isConfirmed: [operator.invitedBy, operator.approvedBy].every(
      (other) => other === null || countsFor(operator, other, now),
    ),
  }
}

function statusOf({ endedAt, hasKey, keyExpiresAt, codeExpiresAt }: OperatorRow, now: Instant) {
  if (endedAt !== null) return 'ENDED'
  const goodUntil = hasKey ? keyExpiresAt : codeExpiresAt
  if ((goodUntil ?? 0) <= now) return 'EXPIRED'
  return hasKey ? 'ACTIVE' : 'INVITED'
}
