import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { environmentOperator, secretShownIn } from '../../mechanisms/http/authenticate.ts'
import { cookieFor, cookieOf } from '../../mechanisms/http/console.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { installationBook, type Scope } from '../../vocabulary/scope.ts'
import type { ConsoleSession, OpenedSession } from './contract.ts'
import { loadCredentialHash, loadPlatformName, loadSession, type SessionRow } from './store.ts'

type Header = (name: string) => string | undefined

/**
 * Opens a session for whoever has shown a credential: 256 random bits, of which the keyed hash is kept. FORBIDDEN for a
 * session, which opens no other, and for a former secret, which makes nothing that would outlast it. UNAUTHORIZED for a
 * secret that this process still remembers while another has ended or replaced it: a session is bound to what was shown.
 */
export async function openSession(
  engine: Engine,
  scope: Scope,
  header: Header,
): Promise<Result<Reply, Failure>> {
  const { world, keys, database, settings } = engine
  const authorization = header('authorization')
  if (authorization === undefined) return failed(fail('FORBIDDEN', { reason: 'NO_CREDENTIAL' }))
  if (scope.actor.limits?.isFormer) return failed(fail('FORBIDDEN', { reason: 'FORMER_SECRET' }))
  const credentialHash = await loadCredentialHash(database, scope)
  if (scope.actor.id !== environmentOperator.id) {
    const shown = secretShownIn(authorization)
    const isCurrent =
      shown !== undefined && credentialHash !== null && keys.matchesSecret(shown, credentialHash)
    if (!isCurrent) return failed(fail('UNAUTHORIZED'))
  }
  const token = Buffer.from(world.randomBytes(32)).toString('base64url')
  const at = toTimestamp(world.now())
  const isOperator = scope.platformId === installationBook.platformId
  const row = {
    id: world.id('ConsoleSession'),
    token_hash: keys.hashSecret(token),
    subject: scope.actor.id,
    of_platform_id: isOperator ? null : scope.platformId,
    of_environment: isOperator ? null : scope.environment,
    credential_hash: credentialHash,
    seen_at: at,
    created_at: at,
    updated_at: at,
  }
  const opened = await commit(engine.applier, { ...scope, ...installationBook }, async () =>
    ok({ inserts: [{ table: 'console_sessions', row }], result: () => ({ status: 201 }) }),
  )
  if (!opened.ok) return opened
  const body = await readSession(engine, token)
  if (!body) return failed(fail('UNAUTHORIZED'))
  return ok({ status: 201, body, headers: { 'set-cookie': cookieFor(settings.baseUrl, token) } })
}

/** Whose session it is, as it is at this moment; undefined for what is none. */
export async function readSession(
  { consoleSessions, database }: Engine,
  token: string | undefined,
): Promise<ConsoleSession | undefined> {
  // Whether asking is a use of it was told when the request was let in.
  const session = await consoleSessions.find(token, { isUse: false })
  if (!session) return undefined
  const { operator, principal, signedInAt, idleMs } = session
  const id = session.id as ConsoleSession['id']
  const common = { id, signedInAt: toTimestamp(signedInAt), idleSeconds: idleMs / 1000 }
  if (operator) return { ...common, subject: operator.id, role: operator.role }
  const { platformId, environment, actor } = principal!
  const platformName = await loadPlatformName(database, platformId)
  return {
    ...common,
    subject: actor.id,
    platformId,
    ...(platformName === undefined ? {} : { platformName }),
    environment,
    permissions: [...actor.permissions],
  }
}

/** Ends the session that asks, here and in the browser. */
export async function closeSession(
  engine: Engine,
  scope: Scope,
  header: Header,
): Promise<Result<Reply, Failure>> {
  const session = await engine.consoleSessions.find(cookieOf(engine.settings.baseUrl, header('cookie')))
  const headers = { 'set-cookie': cookieFor(engine.settings.baseUrl, undefined) }
  if (!session) return ok({ status: 204, headers })
  const ended = await endSession(engine, scope, session.id)
  return ended.ok ? ok({ status: 204, headers }) : ended
}

/** REFERENCE_NOT_FOUND. Ending twice is ending once. */
export async function endSession(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, { ...scope, ...installationBook }, async () => {
    const session = await loadSession(engine.database, id)
    if (!session) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ConsoleSession', id }))
    const at = toTimestamp(engine.world.now())
    const set = { ended_at: session.endedAt === null ? at : toTimestamp(session.endedAt), updated_at: at }
    return ok({
      updates: [{ table: 'console_sessions', id, version: session.version, set }],
      result: () => ({ status: 204 }),
    })
  })
}

export function renderOpened(row: SessionRow): OpenedSession {
  const { id, subject, platformId, environment, createdAt, seenAt, endedAt } = row
  return {
    id: id as OpenedSession['id'],
    subject,
    ...(platformId === null ? {} : { platformId }),
    ...(environment === null ? {} : { environment }),
    signedInAt: toTimestamp(createdAt),
    seenAt: toTimestamp(seenAt),
    ...(endedAt === null ? {} : { endedAt: toTimestamp(endedAt) }),
  }
}
