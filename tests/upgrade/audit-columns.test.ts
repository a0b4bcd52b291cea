import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { columnsOf, entryRow } from '@corridor/engine/mechanisms/audit-log/entry.ts'
import { type Head, hashOf, tagOf } from '@corridor/engine/mechanisms/audit-log/hashes.ts'
import { createAuditLog } from '@corridor/engine/mechanisms/audit-log/log.ts'
import { verifyAuditLog } from '@corridor/engine/mechanisms/audit-log/verify.ts'
import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { applyMigrations, migrate, readMigrations } from '@corridor/engine/mechanisms/db/migrate.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { toTimestamp } from '@corridor/kernel'
import { admin } from '@corridor/testkit/database.ts'
import { expect, it } from 'vitest'

/**
 * Migration 0092 takes columns over that the database had generated: a log that was filled before has the same rows
 * afterwards, found by the same columns, its chain as whole as it was, and goes on.
 */

const migrations = await readMigrations(
  fileURLToPath(new URL('../../packages/engine/migrations', import.meta.url)),
)
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const book = { platformId: '0199c000-0000-7000-8000-000000000001', environment: 'SANDBOX' } as const
const keys = {
  tag: (purpose: string, text: string) => createHash('sha256').update(`${purpose} ${text}`).digest('hex'),
}
const world = { now: () => Date.UTC(2026, 10, 20), uuid: () => randomUUID() }
/** More than a walk along the chain reads at once. */
const count = 2_100

const fill = statement(
  'test.auditColumns.fill',
  `insert into audit_entries (platform_id, environment, position, entry, hash)
   select $1, $2, position, entry, hash from unnest($3::bigint[], $4::text[], $5::text[]) as e (position, entry, hash)`,
)
const end = statement(
  'test.auditColumns.end',
  'insert into audit_heads (platform_id, environment, position, hash, tag) values ($1, $2, $3, $4, $5)',
)
const read = statement(
  'test.auditColumns.read',
  `select position, entry, hash, id, at, actor, operation, outcome, resources from audit_entries
   where platform_id = $1 and environment = $2 order by position`,
)
const ofResource = statement(
  'test.auditColumns.ofResource',
  `select count(*) as count from audit_entries where resources @> '["Token:4"]'`,
)
const generated = statement(
  'test.auditColumns.generated',
  `select count(*) as count from information_schema.columns
   where table_schema = current_schema() and table_name = 'audit_entries' and is_generated = 'ALWAYS'`,
)

function entryOf(position: number) {
  return entryRow({
    id: randomUUID(),
    at: toTimestamp(world.now() + position),
    actor: position % 3 === 0 ? 'operator' : `Token:${position % 10}`,
    source: '192.0.2.17',
    operation: 'createToken',
    resources: position % 2 === 0 ? { id: `Token:${position % 10}`, customerId: 'Customer:1' } : {},
    changed: ['name'],
    outcome: position % 5 === 0 ? 'REFUSED' : 'DONE',
  }).entry
}

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const name = `corridor_audit_columns_${process.pid}`
  const url = serverUrl && new URL(serverUrl)
  if (url) {
    await admin(serverUrl, `create database ${name}`)
    url.pathname = `/${name}`
  }
  const database = createDatabase(url ? openPostgresql({ url: url.href }) : await openPglite({}))
  try {
    await work(database)
  } finally {
    await database.close()
    if (url) await admin(serverUrl!, `drop database if exists ${name} with (force)`)
  }
}

it('a filled audit log is the same after its columns are plain ones, and goes on', async () => {
  await withDatabase(async (database) => {
    await applyMigrations(
      database,
      migrations.filter(({ name }) => name < '0092'),
    )
    const positions = Array.from({ length: count }, (_, index) => index + 1)
    const entries = positions.map(entryOf)
    const hashes: string[] = []
    for (const [index, entry] of entries.entries()) {
      hashes.push(hashOf(hashes.at(-1) ?? '', BigInt(index + 1), entry))
    }
    const head: Head = {
      position: BigInt(count),
      hash: hashes.at(-1)!,
      forgottenPosition: 0n,
      forgottenHash: '',
    }
    const key = [book.platformId, book.environment]
    // As the program of then wrote them: the database made the other columns.
    await database.maintenance(async (connection) => {
      await connection.query(fill, [...key, positions, entries, hashes])
      await connection.query(end, [...key, head.position, head.hash, tagOf(keys, book, head)])
    })
    const rows = () => database.maintenance((connection) => connection.query<{ entry: string }>(read, key))
    const verified = () => database.maintenance((connection) => verifyAuditLog(connection, keys))
    const found = async (query: typeof ofResource) => {
      const [row] = await database.maintenance((connection) => connection.query<{ count: bigint }>(query))
      return Number(row!.count)
    }
    const before = await rows()
    expect(await verified()).toEqual({ checkedEntries: count, problems: [] })
    expect(await found(ofResource)).toBe(count / 10)
    expect(await found(generated)).toBe(6)

    await migrate(database, migrations)

    expect(await found(generated)).toBe(0)
    expect(await found(ofResource)).toBe(count / 10)
    expect(await rows()).toEqual(before)
    expect(before).toHaveLength(count)
    for (const row of before) expect(row).toMatchObject(columnsOf(row.entry))
    expect(await verified()).toEqual({ checkedEntries: count, problems: [] })

    const log = createAuditLog({ database, keys, world })
    await log.write(book, entryRow(JSON.parse(entryOf(count + 1))))
    await log.chain()
    expect(await verified()).toEqual({ checkedEntries: count + 1, problems: [] })
  })
})
