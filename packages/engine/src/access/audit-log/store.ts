import type { Database } from '../../mechanisms/db/database.ts'
import { type Statement, statement } from '../../mechanisms/db/driver.ts'
import { type Book, installationBook } from '../../vocabulary/scope.ts'

/** The operator sees all books, so these statements run past the row-level policies. */

const conditions = {
  platformId: 'platform_id = ?::uuid',
  environment: `environment = ? and platform_id <> '${installationBook.platformId}'`,
  actor: 'actor = ?',
  operation: 'operation = ?',
  resource: 'resources @> to_jsonb(?::text)',
  outcome: 'outcome = ?',
  createdAfter: 'at >= ?',
  createdBefore: 'at <= ?',
  cursor: 'id < ?',
} as const

export type AuditFilters = { readonly [Name in keyof typeof conditions]?: string | undefined }

export interface FoundEntry extends Book {
  readonly position: bigint
  readonly entry: string
}

const texts = new Map<string, Statement>()

/** Up to `limit` entries of all books, the latest first. */
export async function findEntries(
  database: Database,
  filters: AuditFilters,
  limit: number,
): Promise<FoundEntry[]> {
  const given = (Object.keys(conditions) as (keyof AuditFilters)[]).filter(
    (name) => filters[name] !== undefined,
  )
  const key = given.join(' ')
  let find = texts.get(key)
  if (!find) {
    const where = given.map((name, index) => conditions[name].replace('?', () => `$${index + 2}`))
    find = statement(
      `auditLog.find #${texts.size}`,
      `select platform_id as "platformId", environment, position, entry from audit_entries
       ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by id desc limit $1`,
    )
    texts.set(key, find)
  }
  const values = given.map((name) => filters[name])
  return database.system((connection) => connection.query<FoundEntry>(find, [limit, ...values]))
}

const readChain = statement(
  'auditLog.read',
  `select position, entry, hash from audit_entries
   where platform_id = $1 and environment = $2 and position > $3 order by position limit $4`,
)
const readHead = statement(
  'auditLog.head',
  `select position, hash, forgotten_position as "forgottenPosition", forgotten_hash as "forgottenHash"
   from audit_heads where platform_id = $1 and environment = $2`,
)

export interface ChainHead {
  readonly position: bigint
  readonly hash: string
  readonly forgottenPosition: bigint
  readonly forgottenHash: string
}

export interface ChainedEntry {
  readonly position: bigint
  readonly entry: string
  readonly hash: string
}

/** A part of the chain of one book, and where it begins and ends; undefined where there is none yet. */
export async function loadChain(
  database: Database,
  { platformId, environment }: Book,
  after: number,
  limit: number,
): Promise<{ head: ChainHead | undefined; entries: ChainedEntry[] }> {
  return database.system(async (connection) => {
    const [head] = await connection.query<ChainHead>(readHead, [platformId, environment])
    const entries = await connection.query<ChainedEntry>(readChain, [
      platformId,
      environment,
      BigInt(after),
      limit,
    ])
    return { head, entries }
  })
}
