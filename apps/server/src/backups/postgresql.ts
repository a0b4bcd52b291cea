import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { environmentWith, StartRefused } from '../config.ts'

/** Writes the database of this address to a file, as it was when the program began. */
export async function dump(url: string, file: string): Promise<void> {
  await runTool('pg_dump', url, ['--format=custom', `--file=${file}`])
}

/** Fills an empty database from such a file, all of it or not at all. */
export async function restoreDump(url: string, file: string): Promise<void> {
  const driver = openPostgresql({ url })
  try {
    await refuseFilled(driver)
    await driver.use('maintenance', (connection) => connection.script(makeRoles))
  } finally {
    await driver.close()
  }
  await runTool('pg_restore', url, ['--no-owner', '--exit-on-error', '--single-transaction', file])
}

/** Makes a database beside the one of this address, and gives its address to the work; it is dropped afterwards. */
export async function withScratchDatabase<T>(
  url: string,
  name: string,
  work: (scratchUrl: string) => Promise<T>,
): Promise<T> {
  const driver = openPostgresql({ url })
  try {
    await driver.use('maintenance', (connection) => connection.script(`create database ${name}`))
    try {
      const scratch = new URL(url)
      scratch.pathname = `/${name}`
      return await work(scratch.href)
    } finally {
      await driver.use('maintenance', (connection) =>
        connection.script(`drop database if exists ${name} with (force)`),
      )
    }
  } finally {
    await driver.close()
  }
}

/** Roles belong to the server and are in no dump; the first start makes the same. */
const makeRoles = `do $$ declare name text; begin
  foreach name in array array['corridor_app', 'corridor_bound', 'corridor_system'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I nologin', name);
    end if;
    execute format('grant %I to current_user', name);
  end loop;
end $$`

const anyTable = statement(
  'backup.anyTable',
  `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S') limit 1`,
)

async function refuseFilled(driver: Driver): Promise<void> {
  const found = await driver.use('maintenance', (connection) => connection.query(anyTable))
  if (found.length === 0) return
  throw new StartRefused('The database is not empty. Create a new database and restore the backup there.')
}

/** What the end of its messages is worth showing. */
const shownCharacters = 2_000

/** The password goes through the environment: arguments of a process are there for every user to read. */
async function runTool(tool: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const child = spawn(tool, [`--dbname=${address.href}`, ...args], {
    env: environmentWith(password ? { PGPASSWORD: password } : {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-shownCharacters)
  })
  const code = await once(child, 'close').then(
    ([exit]) => exit as number | null,
    (error: { code?: string }) => {
      if (error.code !== 'ENOENT') throw error
      throw new StartRefused(
        `${tool} is not installed. Install the PostgreSQL client programs, in the same version as the server or a later one.`,
      )
    },
  )
  if (code === 0) return
  const hint = /row-level security|permission denied/.test(said)
    ? ' For the required user, see docs/guides/backup.md.'
    : ''
  throw new StartRefused(`${tool} failed:\n${said.trim()}\n${hint}`.trim())
}
