import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin } from '@corridor/testkit/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

/** A server whose login owns nothing: the schema is brought up to date under another (ADR 21). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const isEmbedded = !serverUrl
const database = `corridor_users_${process.pid}`
const owner = `corridor_owner_${process.pid}`
const user = `corridor_user_${process.pid}`
const directory = mkdtempSync(join(tmpdir(), 'corridor-users-'))
let server: StartedServer | undefined

function urlOf(login: string): string {
  const url = new URL(serverUrl!)
  url.pathname = `/${database}`
  url.username = login
  url.password = login
  return url.href
}

async function as<R>(login: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: urlOf(login) })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** In a session with a claim to a book of nobody, as the program would make it. */
async function inSomeBook<R>(login: string, text: string, values: unknown[]): Promise<R[]> {
  const client = new pg.Client({ connectionString: urlOf(login) })
  await client.connect()
  try {
    const nobody = '01930000-0000-7000-8000-000000000000'
    const make = `select set_config('corridor.claim', corridor_make_claim(corridor_open(), '${nobody}', 'SANDBOX', '', false), false)`
    await client.query(make)
    await client.query('set role corridor_app')
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

async function start(environment: Record<string, string>): Promise<StartedServer> {
  await server?.stop()
  server = await startServer({ CORRIDOR_DATA_DIR: directory, ...environment })
  return server
}

beforeAll(async () => {
  if (isEmbedded) return
  buildServer()
  await admin(serverUrl, `create role ${owner} login createrole password '${owner}'`)
  await admin(serverUrl, `create role ${user} login password '${user}'`)
  // The roles of this server were made by another owner.
  await admin(serverUrl, `grant corridor_app, corridor_bound, corridor_system to ${owner} with admin option`)
  await admin(serverUrl, `create database ${database} owner ${owner}`)
}, 60_000)
afterAll(async () => {
  await server?.stop()
  rmSync(directory, { recursive: true, force: true })
  if (isEmbedded) return
  await admin(serverUrl, `drop database if exists ${database} with (force)`)
  await admin(
    serverUrl,
    `revoke corridor_app, corridor_bound, corridor_system from ${user}, ${owner} cascade`,
  )
  await admin(serverUrl, `drop role ${user}`)
  await admin(serverUrl, `drop role ${owner}`)
})

const customer = { customerType: 'INDIVIDUAL', platformCustomerId: 'c1', region: 'US', currencies: ['USD'] }

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: server!.authorization('acme'), 'content-type': 'application/json' }
  return fetch(`${server!.base}${path}`, { ...init, headers })
}

it.skipIf(isEmbedded)(
  'refuses to start on an empty database without the right to make tables',
  async () => {
    await expect(start({ DATABASE_URL: urlOf(user) })).rejects.toThrow(
      /did not start.*lacks rights|lacks rights.*CORRIDOR_MIGRATE_DATABASE_URL/s,
    )
    expect(await as(owner, "select relname from pg_class where relname = 'books'")).toEqual([])
  },
  60_000,
)

it.skipIf(isEmbedded)(
  'serves under a user that owns nothing, and starts again without the one that does',
  async () => {
    await start({ DATABASE_URL: urlOf(user), CORRIDOR_MIGRATE_DATABASE_URL: urlOf(owner) })
    expect((await call('/customers', { method: 'POST', body: JSON.stringify(customer) })).status).toBe(201)
    expect((await fetch(`${server!.origin}/readyz`)).status).toBe(200)
    const audit = await fetch(`${server!.origin}/operator/audit`, {
      headers: { authorization: server!.operator },
    })
    expect(await audit.json()).toMatchObject({ sound: true })
    expect(server!.log()).not.toContain('superuser')

    expect(await as(user, 'select relname from pg_class where relowner = current_user::regrole')).toEqual([])
    const others = `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relowner <> '${owner}'::regrole`
    expect(await as(owner, others)).toEqual([])
    // Neither sees anything by itself, and the owner is held to the policies like everybody.
    for (const login of [user, owner]) {
      for (const table of ['customers', 'events', 'platforms', 'keyrings', 'tokens']) {
        expect(await as(login, `select 1 from ${table}`), `${login} ${table}`).toEqual([])
      }
    }

    // A name is found by who knows it, and only so.
    const root = new URL(serverUrl!)
    root.pathname = `/${database}`
    const client = new pg.Client({ connectionString: root.href })
    await client.connect()
    const [name] = (
      await client.query("select domain, platform_id from uma_domains where environment = 'SANDBOX'")
    ).rows
    await client.end()
    const holder = 'select corridor_domain_holder($1) as platform_id'
    expect(await inSomeBook(user, holder, [name.domain])).toEqual([{ platform_id: name.platform_id }])
    expect(await inSomeBook(user, holder, ['nobody.example'])).toEqual([{ platform_id: null }])
    expect(await inSomeBook(user, 'select 1 from uma_domains', [])).toEqual([])

    await start({ DATABASE_URL: urlOf(user) })
    const { data } = (await (await call('/customers')).json()) as { data: unknown[] }
    expect(data).toMatchObject([{ platformCustomerId: 'c1' }])
  },
  120_000,
)

it.skipIf(isEmbedded)(
  'says so when the one user it has owns the tables, and serves all the same',
  async () => {
    await start({ DATABASE_URL: urlOf(owner) })
    expect(server!.log()).toContain('docs/guides/database-users.md')
    const { data } = (await (await call('/customers')).json()) as { data: unknown[] }
    expect(data).toHaveLength(1)
  },
  60_000,
)
