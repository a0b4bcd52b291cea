import { type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { Area } from '../../vocabulary/areas.ts'
import type { Permission } from '../../vocabulary/operation.ts'
import { type OperatorRole, reaches } from '../../vocabulary/roles.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { environmentOperator, limitsOf, type OperatorIdentity, type Principal } from './authenticate.ts'

/** A person in a browser, as an operator or with the credential of a platform. One of the two is there. */
export interface ConsoleSession {
  readonly id: string
  readonly operator?: OperatorIdentity
  readonly principal?: Principal
  readonly signedInAt: Instant
  /** How long it lives unused, in milliseconds. */
  readonly idleMs: number
  /** Whether the installation has a platform in production. */
  readonly hasProduction: boolean
}

export interface ConsoleSessions {
  /**
   * The session of a token, as whoever opened it is at this moment; using it keeps it alive, and what a page asks by itself
   * is no use of it.
   */
  find(token: string | undefined, options?: { isUse?: boolean }): Promise<ConsoleSession | undefined>
  isBook(book: Book): Promise<boolean>
}

const idleMsOf: Readonly<Record<Environment, number>> = { SANDBOX: 12 * 60 * 60_000, PRODUCTION: 30 * 60_000 }
/** Rarely enough to cost nothing, and often enough to be right by a minute. */
const seenEveryMs = 60_000

const changesHere: Readonly<Record<Environment, boolean>> = { SANDBOX: true, PRODUCTION: false }

/**
 * What an operator may do in the book of a platform: who may see customers sees it, in the sandbox who may move money acts
 * there, and nobody changes anything in production otherwise than by the operator API, with its second person.
 */
export function mayInBooks(role: OperatorRole, environment: Environment): readonly Permission[] {
  if (!reaches(role, 'REVIEWER')) return []
  if (!changesHere[environment] || !reaches(role, 'OPERATOR')) return ['VIEW']
  return reaches(role, 'ADMINISTRATOR') ? ['VIEW', 'TRANSACT', 'MANAGE'] : ['VIEW', 'TRANSACT']
}

interface Row {
  readonly id: string
  readonly subject: string
  readonly signedInAt: Instant
  readonly seenAt: Instant
  readonly role: OperatorRole | null
  readonly isKeyCurrent: boolean
  readonly platformId: string | null
  readonly environment: Environment | null
  readonly permissions: Permission[] | null
  readonly expiresAt: Instant | null
  readonly allowedAddresses: string[] | null
  readonly areas: Area[] | null
  readonly hasProduction: boolean
}

/** Never remembered: whoever is let go, or has another key, has no session at the next request. */
const findSession = statement(
  'consoleSessions.find',
  `select s.id, s.subject, s.created_at as "signedInAt", s.seen_at as "seenAt", o.role,
     s.credential_hash is not distinct from (select sealed_part from installation_keys where id = 'operator')
       as "isKeyCurrent",
     t.platform_id as "platformId", t.environment, t.permissions, t.expires_at as "expiresAt",
     t.allowed_addresses as "allowedAddresses", t.areas,
     exists (select from books where environment = 'PRODUCTION') as "hasProduction"
   from console_sessions s
   left join operators o on o.id = s.subject and o.key_hash = s.credential_hash and o.key_expires_at > $2
     and o.ended_at is null
   left join tokens t on t.platform_id = s.of_platform_id and t.environment = s.of_environment and t.id = s.subject
     and t.secret_hash = s.credential_hash and t.deleted_at is null and (t.expires_at is null or t.expires_at > $2)
   where s.token_hash = $1 and s.ended_at is null`,
)
const noteSeen = statement(
  'consoleSessions.noteSeen',
  'update console_sessions set seen_at = $2 where token_hash = $1 and seen_at < $2',
)
const findBook = statement(
  'consoleSessions.findBook',
  'select 1 as found from books where platform_id = $1 and environment = $2',
)

export function createConsoleSessions(parts: {
  readonly database: Database
  readonly keys: Pick<Keys, 'hashSecret'>
  readonly world: Pick<World, 'now'>
}): ConsoleSessions {
  const { database, keys, world } = parts

  return {
    async find(token, { isUse = true } = {}) {
      if (token === undefined) return undefined
      const now = world.now()
      const hash = keys.hashSecret(token)
      const [row] = await database.system((connection) =>
        connection.query<Row>(findSession, [hash, toTimestamp(now)]),
      )
      const session = row && sessionOf(row)
      if (!session || row.seenAt + session.idleMs <= now) return undefined
      if (isUse && row.seenAt + seenEveryMs <= now) {
        await database.system((connection) => connection.query(noteSeen, [hash, toTimestamp(now)]))
      }
      return session
    },
    async isBook({ platformId, environment }) {
      const found = await database.system((connection) =>
        connection.query(findBook, [platformId, environment]),
      )
      return found.length > 0
    },
  }
}

function sessionOf(row: Row): ConsoleSession | undefined {
  const { id, signedInAt, hasProduction } = row
  const operator = operatorOf(row)
  if (operator) {
    const idleMs = idleMsOf[hasProduction ? 'PRODUCTION' : 'SANDBOX']
    return { id, operator, signedInAt, idleMs, hasProduction }
  }
  const { platformId, environment, permissions } = row
  if (platformId === null || environment === null || permissions === null) return undefined
  const principal = { platformId, environment, actor: { id: row.subject, permissions, ...limitsOf(row) } }
  return { id, principal, signedInAt, idleMs: idleMsOf[environment], hasProduction }
}

function operatorOf(row: Row): OperatorIdentity | undefined {
  if (row.role !== null) return { id: row.subject, role: row.role }
  if (row.subject !== environmentOperator.id) return undefined
  return row.isKeyCurrent ? environmentOperator : undefined
}
