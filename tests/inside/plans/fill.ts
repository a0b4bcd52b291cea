import { createHash } from 'node:crypto'
import { type Connection, statement } from '@corridor/engine/mechanisms/db/driver.ts'

/** Rows in every table that grows, of ten platforms, of which the first has most. Made of what the catalogue says of the columns. */

/** Of the installation, or a row or a few for each platform: they stay small. */
const small = new Set([
  ...['corridor_claims', 'corridor_migrations', 'corridor_sessions'],
  ...[
    'books',
    'platforms',
    'platform_configs',
    'audit_heads',
    'keyrings',
    'installation_keys',
    'webhook_keys',
    'uma_keys',
  ],
  ...[
    'uma_domains',
    'operators',
    'payout_pauses',
    'stablecoin_provider_accounts',
    'stablecoins',
    'list_totals',
  ],
  // Of each platform there may be so many and no more.
  ...['faults', 'webhook_listeners'],
])

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isUnique: boolean
  readonly isNullable: boolean
  /** The values that a check allows. */
  readonly values: string[] | null
}

const columnsOfAll = statement(
  'test.columns',
  `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable",
     exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)) as "isUnique",
     (select array_agg(m[1]) from pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([A-Z_]+)''::text', 'g') m
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as values
   from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     and a.attgenerated = '' and a.attidentity <> 'a'
   order by c.relname, a.attnum`,
)
const checksOfAll = statement(
  'test.checks',
  `select conrelid::regclass::text as "table", quote_ident(conname) as name from pg_constraint
   where contype = 'c' and connamespace = current_schema()::regnamespace`,
)

const uuid = (n: string) => `md5((${n})::text)::uuid`
/** Most rows are over; a hundredth is in each other state. */
const ended = [
  'COMPLETED',
  'EXECUTED',
  'DELIVERED',
  'ACTIVE',
  'APPROVED',
  'SUCCEEDED',
  'POSTED',
  'CLOSED',
  'CLAIMED',
]

function sampleOf({ table, name, type, isUnique, isNullable, values }: Column, rows: number): string {
  if (name === 'platform_id')
    return `${uuid(`'platform ' || case when n % 10 < 6 then 1 else 2 + n % 9 end`)}`
  if (name === 'environment') return "'SANDBOX'"
  const isFound = /_id$|_hash$|^key$|reference|token|question/.test(name)
  if (isNullable && !isFound && !isUnique) {
    // What may be missing mostly is.
    return `case when n % 50 = 7 then ${sampleOf({ table, name, type, isUnique, isNullable: false, values }, rows)} end`
  }
  if (values) {
    const usual = values.find((value) => ended.includes(value)) ?? values.at(-1)
    const other = values.map((value, index) => `when ${index} then '${value}'`).join(' ')
    return `case n % 100 ${other} else '${usual}' end`
  }
  const many = isUnique ? 'n' : `n % ${Math.ceil(rows / 20)}`
  if (type === 'uuid') return uuid(many)
  if (type === 'text') {
    if (name === 'id' && table === 'ledger_accounts') {
      return `(array['avail', 'pend', 'txn', 'refund'])[1 + n % 4] || ':InternalAccount:' || ${uuid('n')}`
    }
    if (/currency$/.test(name)) return "(array['USD', 'EUR', 'MXN'])[1 + n % 3]"
    if (name === 'kind' || name === 'type' || name === 'rail') return `'${name} ' || n % 7`
    return `'${name === 'id' ? table : name}:' || ${uuid(many)}`
  }
  if (type === 'bytea') return `sha256(int8send(${many}))`
  if (type === 'jsonb' || type === 'json') return `'{}'::${type}`
  if (type === 'boolean') return 'n % 50 = 7'
  if (type === 'text[]') return `array['many:' || ${uuid(many)}]`
  if (type === 'date') return `date '2026-01-01' + (n % 300)::int`
  if (type.startsWith('timestamp')) return `timestamptz '2026-01-01' + n % ${rows} * interval '10 seconds'`
  if (type === 'interval') return `interval '1 day'`
  return isUnique || type === 'bigint' ? 'n' : 'n % 100'
}

/** As `md5` of PostgreSQL makes it. */
export function platformId(n: number): string {
  const hex = createHash('md5').update(`platform ${n}`).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the names of the tables that it has filled. */
export async function fillTables(connection: Connection, rows: number): Promise<ReadonlySet<string>> {
  const columns = await connection.query<Column>(columnsOfAll)
  const checks = await connection.query<{ table: string; name: string }>(checksOfAll)
  // Rows are made of what columns are, and not of what they mean.
  await connection.script(
    checks.map(({ table, name }) => `alter table ${table} drop constraint ${name}`).join('; '),
  )
  await connection.script('set session_replication_role = replica; set synchronous_commit = off')
  const tables = new Set(columns.map(({ table }) => table).filter((table) => !small.has(table)))
  for (const table of tables) {
    const own = columns.filter((column) => column.table === table)
    await connection.script(`
      alter table ${table} set (autovacuum_enabled = false);
      insert into ${table} (${own.map(({ name }) => name).join(', ')})
      select ${own.map((column) => sampleOf(column, rows)).join(', ')} from generate_series(1, ${rows}) n
      on conflict do nothing`)
  }
  await connection.script(`
    insert into books (platform_id, environment) select md5('platform ' || n)::uuid, 'SANDBOX' from generate_series(1, 10) n;
    reset session_replication_role`)
  return tables
}
