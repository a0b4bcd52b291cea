import { timingSafeEqual } from 'node:crypto'
import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { environmentOperator, secretShownIn } from '../../mechanisms/http/authenticate.ts'
import { cookieFor, cookieOf, refuseForeign } from '../../mechanisms/http/console.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Environment, installationBook, type Scope } from '../../vocabulary/scope.ts'
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
  const shown = await shownCredential(engine, scope, header)
  if (!shown.ok) return shown
  const isOperator = scope.platformId === installationBook.platformId
  return begin(engine, scope, {
    id: engine.world.id('ConsoleSession'),
    subject: scope.actor.id,
    of_platform_id: isOperator ? null : scope.platformId,
    of_environment: isOperator ? null : scope.environment,
    credential_hash: shown.value,
  })
}

/** The hash of the credential that was shown, where it is the one that counts now; null for a key that is nowhere written down. */
async function shownCredential(
  { keys, database }: Engine,
  scope: Scope,
  header: Header,
): Promise<Result<string | null, Failure>> {
  const authorization = header('authorization')
  if (authorization === undefined) return failed(fail('FORBIDDEN', { reason: 'NO_CREDENTIAL' }))
  if (scope.actor.limits?.isFormer) return failed(fail('FORBIDDEN', { reason: 'FORMER_SECRET' }))
  const credentialHash = await loadCredentialHash(database, scope)
  if (scope.actor.id === environmentOperator.id) return ok(credentialHash)
  const shown = secretShownIn(authorization)
  const isCurrent =
    shown !== undefined && credentialHash !== null && keys.matchesSecret(shown, credentialHash)
  return isCurrent ? ok(credentialHash) : failed(fail('UNAUTHORIZED'))
}

interface Begun {
  readonly id: string
  readonly subject: string
  readonly of_platform_id: string | null
  readonly of_environment: Environment | null
  readonly credential_hash: string | null
}

/** UNAUTHORIZED where the session has begun before, or its credential counts no more. */
async function begin(engine: Engine, by: Scope, begun: Begun): Promise<Result<Reply, Failure>> {
  const { world, keys, settings } = engine
  const token = Buffer.from(world.randomBytes(32)).toString('base64url')
  const at = toTimestamp(world.now())
  const times = { seen_at: at, created_at: at, updated_at: at }
  const row = { ...begun, token_hash: keys.hashSecret(token), ...times }
  const opened = await commit(engine.applier, { ...by, ...installationBook }, async () =>
    ok({
      inserts: [{ table: 'console_sessions', row }],
      unique: { console_sessions_pkey: fail('UNAUTHORIZED') },
      result: () => ({ status: 201 }),
    }),
  )
  if (!opened.ok) return opened
  const body = await readSession(engine, token)
  if (!body) return failed(fail('UNAUTHORIZED'))
  return ok({ status: 201, body, headers: { 'set-cookie': cookieFor(settings.baseUrl, token) } })
}

/** How long a link signs somebody in, once. */
const linkMs = 10 * 60_000

/**
 * A link to the console that signs in whoever opens it first, as the token of a sandbox that asks for it. What it says is
 * vouched for, so nothing is kept of it; it is used up by the session that it opens, whose id it names. FORBIDDEN for
 * operators, whose keys are shown to nothing but the form.
 */
export async function createStartLink(
  engine: Engine,
  scope: Scope,
  header: Header,
): Promise<Result<Reply, Failure>> {
  const { world, keys } = engine
  if (scope.platformId === installationBook.platformId) {
    return failed(fail('FORBIDDEN', { reason: 'NO_PLATFORM' }))
  }
  const shown = await shownCredential(engine, scope, header)
  if (!shown.ok) return shown
  const expiresAt = world.now() + linkMs
  const said: StartLink = {
    id: world.id('ConsoleSession'),
    platformId: scope.platformId,
    environment: scope.environment,
    subject: scope.actor.id,
    credential: keys.tag(credentialPurpose, shown.value!),
    expiresAt,
  }
  const text = Buffer.from(JSON.stringify(said)).toString('base64url')
  const body = {
    path: `/console/#t=${text}.${keys.tag(linkPurpose, text)}`,
    expiresAt: toTimestamp(expiresAt),
  }
  return ok({ status: 201, body })
}

interface StartLink {
  readonly id: string
  readonly platformId: string
  readonly environment: Environment
  readonly subject: string
  /** Of the secret it was made with: another secret ends it. */
  readonly credential: string
  readonly expiresAt: Instant
}

const linkPurpose = 'console start link'
const credentialPurpose = 'console start link credential'

/**
 * Opens the session of a link. UNAUTHORIZED for one that nobody made, was used, or is too old; FORBIDDEN from a page of
 * somebody else; CONFLICT while the browser has a session of something else, unless the link is to replace it.
 */
export async function startSession(
  engine: Engine,
  by: Scope,
  { token, replaces = false }: { readonly token: string; readonly replaces?: boolean },
  header: Header,
): Promise<Result<Reply, Failure>> {
  const { keys, world, database, settings, consoleSessions } = engine
  const names = ['origin', 'host', 'sec-fetch-site', 'x-corridor-console']
  const headers = Object.fromEntries(names.map((name) => [name, header(name)]))
  const foreign = refuseForeign({ method: 'POST', headers }, settings.baseUrl)
  if (foreign) return failed(foreign)
  const [text = '', tag = ''] = token.split('.')
  if (!isSame(keys.tag(linkPurpose, text), tag)) return failed(fail('UNAUTHORIZED'))
  // Ours from here on.
  const said = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as StartLink
  const { id, platformId, environment, subject, credential, expiresAt } = said
  if (world.now() >= expiresAt) return failed(fail('UNAUTHORIZED'))
  const owner = { ...by, platformId, environment, actor: { ...by.actor, id: subject } }
  const hash = await loadCredentialHash(database, owner)
  if (hash === null || !isSame(keys.tag(credentialPurpose, hash), credential))
    return failed(fail('UNAUTHORIZED'))
  const before = await consoleSessions.find(cookieOf(settings.baseUrl, header('cookie')), { isUse: false })
  const isOfSame =
    before?.principal?.platformId === platformId && before.principal.environment === environment
  if (before && !isOfSame && !replaces) {
    const platformName = await loadPlatformName(database, platformId)
    return failed(fail('CONFLICT', { reason: 'SIGNED_IN', ...(platformName ? { platformName } : {}) }))
  }
  const begun = await begin(engine, by, {
    id,
    subject,
    of_platform_id: platformId,
    of_environment: environment,
    credential_hash: hash,
  })
  if (begun.ok && before) await endSession(engine, by, before.id)
  return begun
}

function isSame(ours: string, theirs: string): boolean {
  const [a, b] = [Buffer.from(ours), Buffer.from(theirs)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whose session it is, as it is at this moment; undefined for what is none. */
export async function readSession(
  { consoleSessions, database, worlds }: Engine,
  token: string | undefined,
): Promise<ConsoleSession | undefined> {
  // Whether asking is a use of it was told when the request was let in.
  const session = await consoleSessions.find(token, { isUse: false })
  if (!session) return undefined
  const { operator, principal, signedInAt, idleMs } = session
  const id = session.id as ConsoleSession['id']
  const common = {
    id,
    signedInAt: toTimestamp(signedInAt),
    idleSeconds: idleMs / 1000,
    hasWorlds: worlds.isOn,
  }
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
