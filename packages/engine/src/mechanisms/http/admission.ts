import { failed, type World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapters } from '../../ports/adapters.ts'
import { isInAreas } from '../../vocabulary/areas.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { reaches } from '../../vocabulary/roles.ts'
import { type Actor, type Environment, installationBook } from '../../vocabulary/scope.ts'
import { createNote } from '../audit-log/entry.ts'
import type { AuditLog } from '../audit-log/log.ts'
import { fromAllowedAddress, isPermitted, type OperatorIdentity, type Principal } from './authenticate.ts'
import { type ConsoleTarget, consoleTargetOf, cookieOf, isBackground, refuseForeign } from './console.ts'
import { type ConsoleSession, type ConsoleSessions, mayInBooks } from './console-sessions.ts'
import { byParameter } from './query.ts'
import {
  anonymousLimit,
  createRateLimiter,
  type LimitState,
  limitsOf,
  type RateLimits,
} from './rate-limits.ts'
import { type CredentialChecks, schemes } from './schemes.ts'
import { sourceOf } from './sources.ts'

/** Who is let in, and how often. */
export interface Admissions {
  /** Authentication, permission, environment guard and rate limits, in the order of conventions 2.2. */
  admit(request: FastifyRequest, reply: FastifyReply, operation: Operation): Promise<Failure | undefined>
  /**
   * The same for a response that goes on, as things are at this moment: nothing that was remembered counts, and limits
   * do not, since nothing new was asked. Whatever it returns means that the caller may not have more.
   */
  admitAgain(request: FastifyRequest, reply: FastifyReply, operation: Operation): Promise<Failure | undefined>
  /** What needs no credentials is limited by where it comes from. */
  limitAnonymous(request: FastifyRequest): Failure | undefined
}

interface AdmissionEngine {
  readonly world: World
  readonly auditLog: AuditLog
  readonly adapters: Readonly<Record<Environment, Pick<Adapters, 'rules'>>>
  readonly consoleSessions: ConsoleSessions
  readonly settings: { readonly baseUrl: string; readonly rateLimits: RateLimits }
}

/** Where people sign in to the console, and what is kept of who could not. */
export type People = Pick<AdmissionEngine, 'consoleSessions' | 'auditLog'>

/** How old a sign-in to the console may be for a change in production. */
const freshMs = 5 * 60_000

export function createAdmission(
  parts: CredentialChecks & {
    readonly engine: AdmissionEngine
    readonly admitsOperators?: boolean
    readonly people?: () => People
  },
): Admissions {
  const { engine, admitsOperators = true, people = () => engine } = parts
  const { world, settings } = engine
  const limiter = createRateLimiter()
  /** Who is signed in may have a platform that a copy was made without. */
  const isCopy = parts.people !== undefined

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    isAgain = false,
  ): Promise<Failure | undefined> {
    const target = consoleTargetOf(request.raw)
    if (target || operation.auth === 'console') {
      const foreign = refuseForeign(request, settings.baseUrl)
      if (foreign) return foreign
    }
    if (operation.auth === 'none') return isAgain ? undefined : limitAnonymous(request)
    const source = sourceOf(request)
    const header = request.headers.authorization
    if (target || (operation.auth === 'console' && header === undefined)) {
      return admitSession(request, { reply, operation, target, isAgain })
    }
    const admission = await schemes[operation.auth].admit(parts, header, source, { isFresh: isAgain })
    if (!admission.ok) {
      const { failure, state, named } = admission.failure
      if (state && !isAgain) announce(reply, state)
      const who = { book: named?.book, actor: named?.id ?? 'stranger', operation: 'signIn' }
      engine.auditLog.refused({ ...who, source, code: failure.code })
      return failure
    }
    const { principal, operator } = admission.value
    if (operator) {
      if (operation.auth === 'console' && !admitsOperators) return fail('UNAUTHORIZED')
      request.operator = operator
      return holdToRole(request, operation, operator)
    }
    return principal && admitPrincipal(request, { reply, operation, principal, isAgain })
  }

  interface Asked {
    readonly reply: FastifyReply
    readonly operation: Operation
    readonly isAgain: boolean
  }

  function admitPrincipal(
    request: FastifyRequest,
    { reply, operation, principal, isAgain }: Asked & { readonly principal: Principal },
  ): Failure | undefined {
    request.principal = principal
    const refusal = isAgain ? forbidden(operation, principal) : guard(request, reply, operation, principal)
    if (refusal?.code === 'FORBIDDEN') {
      const who = { book: principal, actor: principal.actor.id, operation: operation.id }
      engine.auditLog.refused({ ...who, source: sourceOf(request), code: refusal.code })
    }
    return refusal
  }

  /** Whoever has no session, or none any more: limited like all that needs no credentials. */
  function refuseStranger(request: FastifyRequest, isAgain: boolean): Failure {
    if (isAgain) return fail('UNAUTHORIZED')
    const who = { actor: 'stranger', operation: 'signIn', source: sourceOf(request) }
    people().auditLog.refused({ ...who, code: 'UNAUTHORIZED' })
    return limitAnonymous(request) ?? fail('UNAUTHORIZED')
  }

  /** A person in a browser: by the cookie alone, to where the address points. */
  async function admitSession(
    request: FastifyRequest,
    { target, ...asked }: Asked & { readonly target: ConsoleTarget | undefined },
  ): Promise<Failure | undefined> {
    const { operation, isAgain } = asked
    const token = cookieOf(settings.baseUrl, request.headers.cookie)
    const isUse = operation.isStream !== true && !isBackground(request)
    const session = await people().consoleSessions.find(token, { isUse })
    // Who shows nothing has not tried to sign in: a page asks first whether somebody is.
    if (token === undefined) return (isAgain ? undefined : limitAnonymous(request)) ?? fail('UNAUTHORIZED')
    if (!session || (session.operator && !admitsOperators)) return refuseStranger(request, isAgain)
    const { operator } = session
    if (session.principal) {
      const allowed = fromAllowedAddress(session.principal, sourceOf(request))
      if (!allowed.ok) return allowed.failure.failure
    }
    if (!target) {
      if (operator) request.operator = operator
      return session.principal && admitPrincipal(request, { ...asked, principal: session.principal })
    }
    if (mustSignInAgain(session, operation, target)) return fail('FORBIDDEN', { reason: 'SIGN_IN_AGAIN' })
    if (target.kind === 'OPERATOR') {
      if (operation.auth !== 'operator') return fail('UNAUTHORIZED')
      if (!operator) return fail('FORBIDDEN', { requiredPermission: operation.role ?? 'VIEWER' })
      request.operator = operator
      return holdToRole(request, operation, operator)
    }
    // Agents have keys of their own, and no eyes.
    if (operation.auth !== 'basic') return fail('UNAUTHORIZED')
    const { platformId, environment } = target
    const unknown = fail('REFERENCE_NOT_FOUND', { resourceType: 'Platform', id: platformId })
    if (operator) {
      if (!(await people().consoleSessions.isBook(target))) return unknown
      if (isCopy && !(await engine.consoleSessions.isBook(target))) return unknown
      const actor: Actor = { id: operator.id, permissions: mayInBooks(operator.role, environment) }
      return admitPrincipal(request, {
        ...asked,
        principal: { platformId, environment, actor, isOperator: true },
      })
    }
    const principal = session.principal!
    if (principal.platformId !== platformId || principal.environment !== environment) {
      return fail('FORBIDDEN', { reason: 'OTHER_PLATFORM' })
    }
    if (isCopy && !(await engine.consoleSessions.isBook(target))) return unknown
    return admitPrincipal(request, { ...asked, principal })
  }

  function mustSignInAgain(session: ConsoleSession, { method }: Operation, target: ConsoleTarget): boolean {
    if (method === 'GET') return false
    // An operator's session may do more than what it is used for just now.
    const isOfProduction = target.kind === 'BOOK' && target.environment === 'PRODUCTION'
    const isGuarded = isOfProduction || (session.operator !== undefined && session.hasProduction)
    return isGuarded && session.signedInAt + freshMs <= world.now()
  }

  /** What a role does not reach is refused, and on record like all that operators do. */
  async function holdToRole(
    request: FastifyRequest,
    operation: Operation,
    operator: OperatorIdentity,
  ): Promise<Failure | undefined> {
    if (operation.role === undefined || reaches(operator.role, operation.role)) return undefined
    const failure = fail('FORBIDDEN', { requiredPermission: operation.role })
    const note = createNote(world, {
      actor: operator.id,
      source: sourceOf(request),
      operation,
      params: request.params as Record<string, unknown>,
      query: byParameter(request.query as Record<string, unknown>, operation),
      requestId: request.id,
    })
    await engine.auditLog.write(installationBook, note.toRow(failed(failure)))
    return failure
  }

  function limitAnonymous(request: FastifyRequest): Failure | undefined {
    const limit = anonymousLimit(settings.rateLimits)
    if (!limit) return undefined
    const state = limiter.take(`anonymous ${sourceOf(request)}`, limit, world.now())
    return state.allowed ? undefined : limited(state)
  }

  function guard(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    principal: Principal,
  ): Failure | undefined {
    const refusal = forbidden(operation, principal)
    const limits = limitsOf(settings.rateLimits, engine.adapters[principal.environment].rules.rateLimitFactor)
    const now = world.now()
    const key = `${principal.platformId} ${principal.environment}`
    if (limits.platform) {
      // What is forbidden costs nothing, and still says what is left (conventions 2.2 and 8).
      const state = limiter[refusal ? 'look' : 'take'](key, limits.platform, now)
      announce(reply, state)
      if (!refusal && !state.allowed) return limited(state)
    }
    if (refusal) return refusal
    const { customerId = principal.actor.customerId } = request.params as { customerId?: string }
    if (limits.customerWrites && customerId && operation.method !== 'GET') {
      const state = limiter.take(`${key} ${customerId}`, limits.customerWrites, now)
      if (!state.allowed) return limited(state)
    }
    return undefined
  }

  return {
    admit: (request, reply, operation) => admit(request, reply, operation),
    admitAgain: (request, reply, operation) => admit(request, reply, operation, true),
    limitAnonymous,
  }
}

/** Who acts. An operator may do in a platform's book what the platform may; nobody needs no credentials. */
export function actorOf({ principal, operator }: FastifyRequest): Actor {
  if (principal) return principal.actor
  return operator ? { id: operator.id, permissions: ['VIEW', 'TRANSACT', 'MANAGE'] } : stranger
}

const stranger: Actor = { id: 'stranger', permissions: [] }

function forbidden(operation: Operation, principal: Principal): Failure | undefined {
  // Reads go on, so that a paused agent can find out that it is.
  if (principal.isPaused && operation.method !== 'GET') return fail('FORBIDDEN', { reason: 'AGENT_PAUSED' })
  if (!isPermitted(principal.actor.permissions, operation.permissions)) {
    const requiredPermission = operation.permissions.join(' or ')
    const reason = operation.auth === 'agent' ? { reason: 'POLICY_PERMISSION' } : {}
    return fail('FORBIDDEN', { requiredPermission, ...reason })
  }
  const isInArea = operation.isOfAnyArea || isInAreas(principal.actor.limits?.areas, operation.tag)
  if (!isInArea) return fail('FORBIDDEN', { reason: 'AREA' })
  if (operation.sandboxOnly && principal.environment === 'PRODUCTION') {
    return fail('FORBIDDEN', { reason: 'SANDBOX_ONLY' })
  }
  return undefined
}

function announce(reply: FastifyReply, state: LimitState): void {
  reply.header('ratelimit-limit', state.limit)
  reply.header('ratelimit-remaining', state.remaining)
  reply.header('ratelimit-reset', state.resetSeconds)
}

function limited({ resetSeconds }: LimitState): Failure {
  return { ...fail('RATE_LIMITED'), retryAfterSeconds: resetSeconds }
}
