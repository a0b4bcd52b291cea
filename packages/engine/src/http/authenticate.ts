import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { type Failure, fail } from './errors.ts'
import type { Permission } from './operation.ts'
import type { Actor, Environment } from './scope.ts'

/** Who holds a credential: a token of a platform in one environment. */
export interface Principal {
  readonly platformId: string
  readonly environment: Environment
  readonly actor: Actor
}

export interface Authenticator {
  /** Resolves a Basic header to its token (conventions 2.1, 2.2). */
  basic(header: string | undefined): Promise<Result<Principal, Failure>>
  /** Forgets a token at once in this process; others follow within `cacheMs`. */
  forget(clientId: string): void
}

const cacheMs = 2_000
const maxCached = 10_000

const findToken = statement(
  'authenticate.findToken',
  `select platform_id as "platformId", environment, id, client_id as "clientId", secret_hash as "secretHash",
     permissions
   from tokens where client_id = $1 and deleted_at is null`,
)

interface TokenRow {
  readonly platformId: string
  readonly environment: Environment
  readonly id: string
  readonly clientId: string
  readonly secretHash: string
  readonly permissions: Permission[]
}

export function createAuthenticator(
  database: Database,
  keys: Keys,
  world: { now(): Instant },
): Authenticator {
  /** By hash of the whole header, so that a hit needs neither decoding nor a second hash of the secret. */
  const cache = new Map<string, { principal: Principal; clientId: string; until: Instant }>()
  const refusal = (): Result<never, Failure> => failed(fail('UNAUTHORIZED'))

  return {
    async basic(header) {
      const credential = parseBasic(header)
      if (!credential) return refusal()
      const key = createHash('sha256').update(header!).digest('base64')
      const hit = cache.get(key)
      if (hit && hit.until > world.now()) return ok(hit.principal)

      const [token] = await database.system((connection) =>
        connection.query<TokenRow>(findToken, [credential.clientId]),
      )
      // An unknown id does the same work as a wrong secret, so that time does not tell them apart.
      const matches = keys.matchesSecret(credential.secret, token?.secretHash ?? noHash)
      if (!token || !matches) return refusal()
      const principal: Principal = {
        platformId: token.platformId,
        environment: token.environment,
        actor: { id: token.id, permissions: token.permissions },
      }
      if (cache.size >= maxCached) cache.clear()
      cache.set(key, { principal, clientId: token.clientId, until: world.now() + cacheMs })
      return ok(principal)
    },
    forget(clientId) {
      for (const [key, entry] of cache) if (entry.clientId === clientId) cache.delete(key)
    },
  }
}

const noHash = Buffer.alloc(32).toString('base64url')

/** Splits at the first colon: a secret may contain colons itself. */
export function parseBasic(header: string | undefined): { clientId: string; secret: string } | undefined {
  const match = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')
  if (!match) return undefined
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon <= 0) return undefined
  return { clientId: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** TRANSACT and MANAGE each imply VIEW, not each other (conventions 2.3). */
export function isPermitted(held: readonly string[], needed: readonly Permission[]): boolean {
  return needed.some((permission) => held.includes(permission) || (permission === 'VIEW' && held.length > 0))
}
