import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { environmentOperator, operatorKeyPrefix } from '../../mechanisms/http/authenticate.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { OperatorRole } from '../../vocabulary/roles.ts'
import { installationBook, type Scope } from '../../vocabulary/scope.ts'
import type { OperatorAccount } from './contract.ts'
import { findOperatorByCode, loadOperator, type OperatorRow } from './store.ts'

const dayMs = 24 * 60 * 60_000
const codeDays = 3
const defaultKeyDays = 90

export interface NewOperator {
  readonly name: string
  readonly role: OperatorRole
  readonly keyDays?: number
}

/** An account, and the code that makes its first key: 256 random bits, of which the keyed hash is kept. */
export async function createOperator(
  engine: Engine,
  scope: Scope,
  { name, role, keyDays = defaultKeyDays }: NewOperator,
): Promise<Result<Reply, Failure>> {
  const { world, keys } = engine
  const now = world.now()
  const at = toTimestamp(now)
  const id = world.id('Operator')
  const joinCode = Buffer.from(world.randomBytes(32)).toString('base64url')
  const row = {
    id,
    name,
    role,
    key_days: keyDays,
    code_hash: keys.hashSecret(joinCode),
    code_expires_at: toTimestamp(now + codeDays * dayMs),
    created_at: at,
    updated_at: at,
  }
  const body = { id, name, role, status: 'INVITED', createdAt: at, joinCode }
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
  'A join code is the joinCode that an administrator is answered for a new account (POST /operator/operators), or the operatorJoinCode of the first start. It is no key: it makes one, once and within three days.'

/** Why the code of an account makes no key; undefined: it does. */
function overAs({ endedAt, codeExpiresAt }: OperatorRow, now: Instant): string | undefined {
  const another = 'an administrator makes another account, with another code.'
  if (endedAt !== null) return `The account of this join code was ended; ${another}`
  if (codeExpiresAt === null)
    return `This join code was used, and made its key; for whoever lost that ${another}`
  return codeExpiresAt <= now ? `This join code is over, three days after it was made; ${another}` : undefined
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

/** Ends an account at once. Ending twice is ending once. */
export async function endOperator(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return change(engine, scope, id, ({ endedAt }) =>
    ok({ set: { ended_at: toTimestamp(endedAt ?? engine.world.now()) }, reply: { status: 204 } }),
  )
}

async function change(
  engine: Engine,
  scope: Scope,
  id: string,
  decide: (operator: OperatorRow) => Result<{ set: Record<string, unknown>; reply: Reply }, Failure>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const operator = await loadOperator(engine.database, id)
    if (!operator) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Operator', id }))
    const decided = decide(operator)
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
    return { ...environmentOperator, name: 'Key of the environment', status: usable }
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
  }
}

function statusOf({ endedAt, hasKey, keyExpiresAt, codeExpiresAt }: OperatorRow, now: Instant) {
  if (endedAt !== null) return 'ENDED'
  const goodUntil = hasKey ? keyExpiresAt : codeExpiresAt
  if ((goodUntil ?? 0) <= now) return 'EXPIRED'
  return hasKey ? 'ACTIVE' : 'INVITED'
}
