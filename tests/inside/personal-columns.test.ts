import { features } from '@corridor/engine/assembly/features.ts'
import { sealedColumns } from '@corridor/engine/assembly/sealed-columns.ts'
import { mechanismData } from '@corridor/engine/mechanisms/personal-data.ts'
import {
  type ColumnClasses,
  everywhere,
  type PersonalData,
} from '@corridor/engine/vocabulary/personal-data.ts'
import { createCustomer, internalAccountOf, openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'

/** Every column says whether it is about a person, and what is about a customer is gone once the customer is erased. */

const server = await openTestServer()

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** By the database itself. */
  readonly isMade: boolean
}

const declared: PersonalData = Object.assign(
  {},
  mechanismData,
  ...features.map(({ personalData = {} }) => personalData),
)
const [plainNames, canary] = [new Set<string>(everywhere), 'canary-of-a-person']
const wholeOnes = ({ erased = [] }: ColumnClasses) => erased.filter((name) => !name.includes('.'))
const partsOf = ({ erased = [] }: ColumnClasses) => erased.filter((name) => name.includes('.'))

let columns: Column[]
beforeAll(async () => {
  columns = await server.rows<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef as "isRequired", a.attidentity <> '' as "isMade"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attgenerated = ''
     order by 1, a.attnum`,
  )
})

describe('the columns of the database', () => {
  it('each say once whether they are about a person', () => {
    const wrong = columns
      .map(({ table, name }) => {
        const classes = declared[table] ?? {}
        const { sealed = [], kept = {}, plain = [] } = classes
        const lists = [wholeOnes(classes), sealed, ...Object.values(kept), plain]
        const count = lists.flat().filter((each) => each === name).length
        return { column: `${table}.${name}`, count: count + (plainNames.has(name) ? 1 : 0) }
      })
      .filter(({ count }) => count !== 1)
    expect(wrong).toEqual([])
  })

  it('are all that is spoken of', () => {
    const known = new Set(columns.map(({ table, name }) => `${table}.${name}`))
    const named = Object.entries(declared).flatMap(([table, classes]) =>
      [classes.erased ?? [], classes.sealed ?? [], ...Object.values(classes.kept ?? {}), classes.plain ?? []]
        .flat()
        .map((name) => `${table}.${name.split('.')[0]}`),
    )
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('are sealed where the key of a customer is said to seal them', () => {
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    const said = Object.entries(declared).flatMap(([table, classes]) =>
      (classes.sealed ?? []).map((name) => `${table}.${name}`),
    )
    expect(said.length).toBeGreaterThan(0)
    expect(said.filter((name) => !sealed.includes(name))).toEqual([])
  })
})

/** Columns by which rows belong to a customer. */
const owners = new Set(
  ['owner_id', 'customer_id', 'sender_id', 'holder_id', 'cardholder_id'].concat([
    'sealed_for',
    'subject_id',
    'words_for',
  ]),
)
/** What keeps an erasure waiting otherwise. */
const settled: Readonly<Record<string, string>> = { transactions: 'COMPLETED', quotes: 'EXPIRED' }

describe('erasing a customer', () => {
  it('leaves nothing in any column that is to be erased', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await api.DELETE('/customers/{customerId}', { params: { path: { customerId: id } } })
    const tables = Object.keys(declared).filter(
      (table) => table !== 'customers' && table !== 'data_keys' && declared[table]!.erased !== undefined,
    )
    const { database } = server.engine
    await database.maintenance(async (connection) => {
      // Rows of nothing but what is looked for: what else a row has to be does not matter here.
      await connection.script('reset role')
      await connection.script(
        `do $$ declare each record; begin
           for each in select conname, conrelid::regclass as place from pg_constraint
             where contype in ('c', 'f') and connamespace = 'public'::regnamespace
           loop execute format('alter table %s drop constraint %I', each.place, each.conname); end loop;
         end $$`,
      )
      await connection.script('set session_replication_role = replica')
      for (const table of tables) {
        const row = rowOf(table, { platform, customerId: id, accountId: account.id })
        const names = Object.keys(row)
        const text = `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`)})`
        await connection.query({ name: `test.canary ${table}`, text }, Object.values(row))
      }
      for (const name of wholeOnes(declared.customers!)) {
        const text = `update customers set ${name} = coalesce(${name}, '${canary}') where id = $1`
        await connection.query({ name: `test.canary customers ${name}`, text }, [id])
      }
      await connection.script('set session_replication_role = default')
    })
    const marked = tables.filter((table) => declared[table]!.erased!.some((name) => !owners.has(name)))
    expect(await tablesWithCanaries()).toEqual(expect.arrayContaining(marked))

    const erased = await server.fetch(
      `http://corridor.test/operator/customers/${encodeURIComponent(id)}/erase`,
      { method: 'POST', headers: { authorization: `Bearer ${operatorKey}` } },
    )
    expect(erased.status).toBe(204)
    // Keyed hashes of secrets that have ended stay there: a restored sandbox must not accept the secrets again.
    expect(await tablesWithCanaries()).toEqual(['ended_credentials'])
    for (const table of tables) {
      for (const name of wholeOnes(declared[table]!).filter((each) => owners.has(each))) {
        expect([table, await server.rows(`select 1 from ${table} where ${name} = $1`, [id])]).toEqual([
          table,
          [],
        ])
      }
    }
    const [customer] = await server.rows('select * from customers where id = $1', [id])
    const left = wholeOnes(declared.customers!).filter((name) => customer![name] !== null)
    expect(left).toEqual([])
    expect(await server.rows('select 1 from data_keys where owner_id = $1', [id])).toEqual([])
  })

  async function tablesWithCanaries(): Promise<string[]> {
    const found: string[] = []
    for (const table of Object.keys(declared).filter((name) => !name.startsWith('corridor_'))) {
      const text = `select 1 as found from ${table} t where to_jsonb(t)::text like '%${canary}%' limit 1`
      if ((await server.rows(text)).length > 0) found.push(table)
    }
    return found
  }

  /** A row with a canary in each column that is to be erased. */
  function rowOf(
    table: string,
    of: { platform: { platformId: string; environment: string }; customerId: string; accountId: string },
  ): Record<string, unknown> {
    const classes = declared[table]!
    const { platformId, environment } = of.platform
    const row: Record<string, unknown> = { platform_id: platformId, environment }
    for (const { name, type, isRequired } of columns.filter(
      (column) => column.table === table && !column.isMade,
    )) {
      if (name in row) continue
      const parts = partsOf(classes).filter((part) => part.startsWith(`${name}.`))
      if (owners.has(name) || (table === 'sca_customers' && name === 'id')) row[name] = of.customerId
      else if (name === 'internal_account_id') row[name] = of.accountId
      else if (name === 'status' && settled[table]) row[name] = settled[table]
      else if (wholeOnes(classes).includes(name)) row[name] = canaryOf(type)
      else if (parts.length > 0) row[name] = JSON.stringify(Object.assign({}, ...parts.map(nested)))
      else if (isRequired || type.startsWith('timestamp')) row[name] = anyOf(type)
    }
    return row
  }
})

/** `transfer.request.text` as what stands in the column `transfer`. */
function nested(part: string): object {
  const [, ...names] = part.split('.')
  return names.reduceRight<unknown>((value, name) => ({ [name]: value }), canary) as object
}

function canaryOf(type: string): unknown {
  if (type === 'jsonb') return JSON.stringify({ canary })
  if (type.endsWith('[]')) return [canary]
  if (type === 'text') return canary
  throw new Error(`no canary fits a column of type ${type}`)
}

function anyOf(type: string): unknown {
  if (type.startsWith('timestamp')) return '2026-01-01T00:00:00.000Z'
  if (type === 'jsonb') return '{}'
  if (type.endsWith('[]')) return []
  if (type === 'boolean') return false
  if (type === 'uuid') return '019542f5-b3e7-7d02-8000-000000000001'
  if (['integer', 'bigint', 'numeric', 'smallint'].includes(type)) return 1
  return 'x'
}
