import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import {
  type Connection,
  type Driver,
  sessionSettings,
  statement,
} from '@corridor/engine/mechanisms/db/driver.ts'

/**
 * The embedded database of a worker, emptied for each test file: opening one anew takes 1.2 s of CPU, emptying it a tenth. A
 * file that changes more than rows gets it for itself: the next file starts from a new copy.
 */
const idle: { readonly driver: Driver; readonly before: State }[] = []
/** A file with two servers has two databases. */
const maxIdle = 2

interface State {
  /** Everything that a migration can change: tables, columns, constraints, functions, policies, roles, grants. */
  readonly schema: string
  /** Rows of the tables that are not empty after all migrations. */
  readonly rows: string
}

export async function openReused(open: () => Promise<Driver>): Promise<Driver> {
  const { driver, before } = idle.pop() ?? (await openFirst(open))
  let isClosed = false
  return {
    ...driver,
    async use(lane, work) {
      if (isClosed) throw new DatabaseUnavailable('AWAY', 'the embedded database is closed')
      return driver.use(lane, work)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      // It waits for its turn behind everything that is under way.
      const isAsBefore = await driver
        .use('maintenance', (connection) => empty(connection, before))
        .catch(() => false)
      if (isAsBefore && idle.length < maxIdle) idle.push({ driver, before })
      else await driver.close()
    },
  }
}

async function openFirst(open: () => Promise<Driver>) {
  const driver = await open()
  const before = await driver.use('maintenance', async (connection) => {
    const filled = await filledTables(connection)
    return { schema: await schemaOf(connection), rows: await rowsOf(connection, filled), filled }
  })
  seeded = before.filled
  return { driver, before }
}

const ours = "relpersistence <> 't' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'"

/** Tables that migrations fill. They are the same in each copy. */
let seeded: readonly string[] = []

/** Whether the database is as a new copy would be. */
async function empty(connection: Connection, before: State): Promise<boolean> {
  await connection.script(`rollback; reset all; reset role; ${sessionSettings}`)
  // Its key and its claims are rows, which go.
  connection.session.worn = ''
  connection.session.opened = undefined
  const found = await connection.query<{ name: string }>(usedTables)
  const used = found.map(({ name }) => name).filter((name) => !seeded.includes(name))
  await connection.script(
    [
      // Tables that only grow refuse to be emptied, by their triggers.
      'set session_replication_role = replica',
      ...(used.length > 0 ? [`truncate ${used.join(', ')}`] : []),
      'reset session_replication_role',
      // Plans must not know of the rows of another file.
      `delete from pg_statistic where starelid in (select oid from pg_class where ${ours})`,
      'select setval(seqrelid::regclass, seqstart, false) from pg_sequence',
    ].join('; '),
  )
  return (await schemaOf(connection)) === before.schema && (await rowsOf(connection, seeded)) === before.rows
}

const tables = `select c.oid::regclass::text as name from pg_class c where relkind = 'r' and ${ours}`
const tableNames = statement('testkit.tables', `${tables} order by 1`)
/** Those that had rows as well: how many pages they took is what the planner remembers of them. */
const usedTables = statement('testkit.usedTables', `${tables} and pg_relation_size(c.oid) > 0 order by 1`)

async function filledTables(connection: Connection): Promise<string[]> {
  const names = (await connection.query<{ name: string }>(tableNames)).map(({ name }) => name)
  const text = names.map(
    (name) => `select '${name.replaceAll("'", "''")}' as name where exists (select from ${name})`,
  )
  const filled = await connection.query<{ name: string }>(
    statement('testkit.filled', text.join(' union all ')),
  )
  return filled.map(({ name }) => name)
}

async function rowsOf(connection: Connection, tables: readonly string[]): Promise<string> {
  if (tables.length === 0) return ''
  const text = tables.map(
    (name) => `select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum from ${name} t`,
  )
  const sums = await connection.query<{ sum: string }>(statement('testkit.seeded', text.join(' union all ')))
  return sums.map(({ sum }) => sum).join()
}

const digest = (columns: string, from: string) =>
  `(select md5(coalesce(string_agg(md5((${columns})::text), '' order by md5((${columns})::text)), '')) from ${from})`

const schema = statement(
  'testkit.schema',
  `select ${[
    digest(
      'c.oid, relname, relkind, relrowsecurity, relforcerowsecurity, relacl, reloptions',
      `pg_class c where ${ours}`,
    ),
    digest(
      'attrelid, attname, attnotnull, atttypid, attacl',
      `pg_attribute a join pg_class c on c.oid = attrelid where attnum > 0 and ${ours}`,
    ),
    digest('k.oid, conname, contype, convalidated', 'pg_constraint k'),
    digest('t.oid, tgname, tgenabled', `pg_trigger t join pg_class c on c.oid = tgrelid where ${ours}`),
    digest('p.oid, polname, polqual, polwithcheck', 'pg_policy p'),
    digest('f.oid, proname, prosrc, proacl', "pg_proc f where pronamespace = 'public'::regnamespace"),
    digest('n.oid, nspname, nspacl', "pg_namespace n where nspname !~ '^pg_'"),
    digest('r.oid, rolname, rolsuper, rolcanlogin, rolbypassrls', 'pg_authid r'),
    digest('member, roleid', 'pg_auth_members'),
    digest('setdatabase, setrole, setconfig', 'pg_db_role_setting'),
  ].join(' || ')} as digest`,
)

async function schemaOf(connection: Connection): Promise<string> {
  const [row] = await connection.query<{ digest: string }>(schema)
  return row!.digest
}
