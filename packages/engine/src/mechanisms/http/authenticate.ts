import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { LRUCache } from 'lru-cache'
import type { Area } from '../../vocabulary/areas.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { isFromNetworks } from '../../vocabulary/networks.ts'
import type { AgentPermission, Operation, Permission } from '../../vocabulary/operation.ts'
import type { OperatorRole } from '../../vocabulary/roles.ts'
import type { Actor, Book, Environment, TokenLimits } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { createLoginGuard } from './login-guard.ts'
import type { LimitState, RateLimits } from './rate-limits.ts'

/** Who holds a credential: a token of a platform in one environment. */
export interface Principal {
  readonly platformId: string
  readonly environment: Environment
  readonly actor: Actor
  /** An agent that may only read for the time being. */
  readonly isPaused?: boolean
  /** An operator who looks into the book of a platform: whatever he asks is on record. */
  readonly isOperator?: true
}

/** Who holds a key of the operator API. */
export interface OperatorIdentity {
  readonly id: string
  readonly role: OperatorRole
}

/** What keys of operators with a name begin with. */
export const operatorKeyPrefix = 'operator-key_'

/** Whoever holds the key of the environment: the first administrator, and machines. */
export const environmentOperator: OperatorIdentity = { id: 'operator', role: 'ADMINISTRATOR' }

/** A no, and what is left of the tries where they are counted. */
export interface LoginRefusal {
  readonly failure: Failure
  /** The token that was named, if there is one of that id. */
  readonly named?: { readonly book: Book; readonly id: string }
  readonly state?: LimitState | undefined
}

/** Whether credentials are looked up as they are at this moment, and a failure is no new attempt. */
export interface Freshness {
  readonly isFresh: boolean
}

export interface Authenticator {
  /** Resolves a Basic header to its token (conventions 2.1, 2.2). `source` is where the request comes from. */
  basic(
    header: string | undefined,
    source: string,
    freshness?: Freshness,
  ): Promise<Result<Principal, LoginRefusal>>
  /** Resolves a Bearer header to its agent, as it is at this moment (wallets 12). */
  agent(
    header: string | undefined,
    source: string,
    freshness?: Freshness,
  ): Promise<Result<Principal, LoginRefusal>>
  /** Resolves a Bearer header to the operator whose key it is, as he is at this moment. */
  operator(
    header: string | undefined,
    source: string,
    isKey: (key: string) => boolean | Promise<boolean>,
    freshness?: Freshness,
  ): Promise<Result<OperatorIdentity, LoginRefusal>>
  /** Forgets a token at once in this process; others follow within `cacheMs`. */
  forget(clientId: string): void
}

/** With the time of a lookup less than the two seconds within which a token ends everywhere. */
const cacheMs = 1_500
const maxCached = 10_000

const findToken = statement(
  'authenticate.findToken',
  `select platform_id as "platformId", environment, id, client_id as "clientId", secret_hash as "secretHash",
     permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt", allowed_addresses as "allowedAddresses",
     areas, former_secret_hash as "formerSecretHash", former_secret_until as "overlapEndsAt"
   from tokens where client_id = $1 and deleted_at is null`,
)
/** Rarely enough to cost nothing: a platform asks many times a second. */
const lastUseMs = 60 * 60_000
const noteUse = statement(
  'authenticate.noteUse',
  `update tokens set last_used_at = $4 where platform_id = $1 and environment = $2 and id = $3
     and (last_used_at is null or last_used_at <= $5)`,
)

/** Never remembered: whoever pauses or deletes an agent is not to wait for it. */
const findAgent = statement(
  'authenticate.findAgent',
  `select a.platform_id as "platformId", a.environment, a.id, a.version, a.customer_id as "customerId",
     a.is_paused as "isPaused", a.policy->'permissions' as permissions
   from agents a join customers c
     on c.platform_id = a.platform_id and c.environment = a.environment and c.id = a.customer_id
   where a.token_hash = $1 and a.deleted_at is null and c.deleted_at is null`,
)

/** Never remembered either: who is let go, or loses a role, has it no longer at the next request. */
const findOperator = statement(
  'authenticate.findOperator',
  `select id, role from operators where key_hash = $1 and key_expires_at > $2 and ended_at is null`,
)

interface AgentRow {
  readonly platformId: string
  readonly environment: Environment
  readonly id: string
  readonly version: bigint
  readonly customerId: string
  readonly isPaused: boolean
  readonly permissions: AgentPermission[]
}

export interface TokenRow {
  readonly platformId: string
  readonly environment: Environment
  readonly id: string
  readonly clientId: string
  readonly secretHash: string
  readonly permissions: Permission[]
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly allowedAddresses: string[] | null
  readonly areas: Area[] | null
  readonly formerSecretHash: string | null
  readonly overlapEndsAt: Instant | null
}

export function createAuthenticator(
  database: Database,
  keys: Keys,
  world: { now(): Instant },
  rateLimits: RateLimits,
): Authenticator {
  /** By hash of the whole header, so that a hit needs neither decoding nor a second hash of the secret. */
  const cache = new LRUCache<string, { principal: Principal; clientId: string; until: Instant }>({
    max: maxCached,
  })
  const guard = createLoginGuard({ keys, world, rateLimits })
  /** How often a token was forgotten: what was read before must not be remembered after. */
  let forgotten = 0

  function refuse(source: string, header: string | undefined, isFresh = false): LoginRefusal {
    if (isFresh) return { failure: fail('UNAUTHORIZED') }
    const state = guard.failed(source, header)
    return state && !state.allowed ? mustWait(state) : { failure: fail('UNAUTHORIZED'), state }
  }

  async function noteLastUse({ platformId, environment, id }: TokenRow, now: Instant): Promise<void> {
    const times = [toTimestamp(now), toTimestamp(now - lastUseMs)]
    await database.system((connection) => connection.query(noteUse, [platformId, environment, id, ...times]))
  }

  return {
    async basic(header, source, { isFresh } = { isFresh: false }) {
      const credential = parseBasic(header)
      if (!credential) return failed(refuse(source, undefined, isFresh))
      const key = createHash('sha256').update(header!).digest('base64')
      const hit = cache.get(key)
      if (!isFresh && hit && hit.until > world.now()) return fromAllowedAddress(hit.principal, source)

      const repeated = isFresh ? undefined : guard.repeats(source, header)
      if (repeated) return failed(mustWait(repeated))
      const [before, startedAt] = [forgotten, world.now()]
      const [token] = await database.system((connection) =>
        connection.query<TokenRow>(findToken, [credential.clientId]),
      )
      // An unknown id does the same work as a wrong secret, so that time does not tell them apart.
      const isCurrent = keys.matchesSecret(credential.secret, token?.secretHash ?? noHash)
      const isFormer = keys.matchesSecret(credential.secret, token?.formerSecretHash ?? noHash)
      const goodUntil = token ? endOf(token, isCurrent) : 0
      if (!token || !(isCurrent || isFormer) || goodUntil <= startedAt) {
        const refusal = refuse(source, header, isFresh)
        if (!token) return failed(refusal)
        const { platformId, environment } = token
        return failed({ ...refusal, named: { book: { platformId, environment }, id: token.id } })
      }
      const principal: Principal = {
        platformId: token.platformId,
        environment: token.environment,
        // A former secret makes nothing that would outlast it: it is as limited as its overlap.
        actor: {
          id: token.id,
          permissions: token.permissions,
          ...(isCurrent
            ? limitsOf(token)
            : { limits: { ...limitsOf(token).limits, expiresAt: goodUntil, isFormer: true } }),
        },
      }
      if (before === forgotten) {
        cache.set(key, {
          principal,
          clientId: token.clientId,
          until: Math.min(startedAt + cacheMs, goodUntil),
        })
      }
      const allowed = fromAllowedAddress(principal, source)
      if (allowed.ok && (token.lastUsedAt ?? 0) <= startedAt - lastUseMs) await noteLastUse(token, startedAt)
      return allowed
    },
    async agent(header, source, { isFresh } = { isFresh: false }) {
      const token = bearerOf(header)
      if (!token) return failed(refuse(source, undefined, isFresh))
      const repeated = isFresh ? undefined : guard.repeats(source, header)
      if (repeated) return failed(mustWait(repeated))
      const hash = agentTokenHash(keys, token)
      const [agent] = await database.system((connection) => connection.query<AgentRow>(findAgent, [hash]))
      if (!agent) return failed(refuse(source, header, isFresh))
      const { platformId, environment, id, version, customerId, isPaused, permissions } = agent
      const actor = { id, permissions, customerId, while: { table: 'agents', id, version } } as const
      return ok({ platformId, environment, actor, isPaused })
    },
    async operator(header, source, isKey, { isFresh } = { isFresh: false }) {
      const repeated = isFresh ? undefined : guard.repeats(source, header)
      if (repeated) return failed(mustWait(repeated))
      const key = bearerOf(header)
      if (key?.startsWith(operatorKeyPrefix)) {
        const parameters = [keys.hashSecret(key), toTimestamp(world.now())]
        const [operator] = await database.system((connection) =>
          connection.query<OperatorIdentity>(findOperator, parameters),
        )
        if (operator) return ok(operator)
      } else if (key && (await isKey(key))) return ok(environmentOperator)
      return failed(refuse(source, key && header, isFresh))
    },
    forget(clientId) {
      forgotten++
      for (const [key, entry] of cache.entries()) if (entry.clientId === clientId) cache.delete(key)
    },
  }
}

/** When a secret of a token ends: with the token, and a former one with its overlap. */
function endOf({ expiresAt, overlapEndsAt }: TokenRow, isCurrent: boolean): Instant {
  const ends = expiresAt ?? Number.POSITIVE_INFINITY
  return isCurrent ? ends : Math.min(ends, overlapEndsAt ?? 0)
}

export function limitsOf({
  expiresAt,
  allowedAddresses,
  areas,
}: Pick<TokenRow, 'expiresAt' | 'allowedAddresses' | 'areas'>): { limits?: TokenLimits } {
  if (expiresAt === null && allowedAddresses === null && areas === null) return {}
  return {
    limits: {
      expiresAt: expiresAt ?? undefined,
      allowedAddresses: allowedAddresses ?? undefined,
      areas: areas ?? undefined,
    },
  }
}

/** The right secret from the wrong place: whoever has it learns why, nobody else learns anything. */
export function fromAllowedAddress(principal: Principal, source: string): Result<Principal, LoginRefusal> {
  const { id, limits } = principal.actor
  if (!limits?.allowedAddresses || isFromNetworks(limits.allowedAddresses, source)) return ok(principal)
  const failure = fail('FORBIDDEN', { reason: 'ADDRESS_NOT_ALLOWED' })
  return failed({ failure, named: { book: principal, id } })
}

function bearerOf(header: string | undefined): string | undefined {
  return /^bearer {1,8}([!-~]{1,255})$/i.exec(header ?? '')?.[1]
}

/** What is kept of the access token of an agent, and what it is found by. */
export function agentTokenHash(keys: Pick<Keys, 'hashSecret'>, token: string): string {
  return keys.hashSecret(token)
}

/** The secret of a header, of either scheme that sessions are opened with. */
export function secretShownIn(authorization: string): string | undefined {
  return parseBasic(authorization)?.secret ?? bearerOf(authorization)
}

function mustWait(state: LimitState): LoginRefusal {
  return { failure: { ...fail('RATE_LIMITED'), retryAfterSeconds: state.resetSeconds }, state }
}

/** Far more than an id and a secret. */
const maxHeaderLength = 2048

const noHash = Buffer.alloc(32).toString('base64url')

/** Splits at the first colon: a secret may contain colons itself. */
export function parseBasic(header: string | undefined): { clientId: string; secret: string } | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined
  const match = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)
  if (!match) return undefined
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const clientId = text.slice(0, Math.max(colon, 0))
  // What no id consists of never reaches the database, which takes no NUL for one.
  return /^[!-~]{1,255}$/.test(clientId) ? { clientId, secret: text.slice(colon + 1) } : undefined
}

/** TRANSACT and MANAGE each imply VIEW, not each other (conventions 2.3). */
export function isPermitted(held: readonly string[], needed: Operation['permissions']): boolean {
  if (needed.length === 0) return true
  return needed.some((permission) => held.includes(permission) || (permission === 'VIEW' && held.length > 0))
}
