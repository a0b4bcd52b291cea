import { sealedColumns } from '@corridor/engine/assembly/sealed-columns.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { customerApi, person } from '../e2e/customer-api.ts'

/** What somebody can do who may write the database and holds a sandbox token, but not the master key. */
const server = await openTestServer()

let named = 0
async function sql<R>(text: string, parameters: readonly unknown[] = []): Promise<R[]> {
  const name = `test.attack ${named++}`
  return server.engine.database.system((connection) => connection.query<R>({ name, text }, parameters))
}

async function repeat(platform: { clientId: string; clientSecret: string }, key: string) {
  const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
  const response = await server.fetch(`${server.baseUrl}/customers`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(person),
  })
  return { status: response.status, text: await response.text() }
}

describe('a sealed text that was copied', () => {
  it('does not open as a stored answer: neither a signing key nor an answer of another key or platform', async () => {
    const [mine, other] = [await server.platform(), await server.platform()]
    for (const [platform, key] of [
      [mine, 'first'],
      [mine, 'second'],
      [other, 'first'],
    ] as const) {
      expect((await repeat(platform, key)).status).toBe(201)
      expect((await repeat(platform, key)).status).toBe(201)
    }
    type Answer = { id: string; platform_id: string; body: string }
    const answers = await sql<Answer>('select id, platform_id, body from idempotency_keys')
    const [target, ...rest] = answers.filter(({ platform_id }) => platform_id === mine.platformId)
    const foreign = answers.find(({ platform_id }) => platform_id === other.platformId)
    const [signing] = await sql<{ sealed: string }>(
      'select sealed_part as sealed from webhook_keys where platform_id = $1',
      [mine.platformId],
    )
    const replays = async () => Promise.all(['first', 'second'].map((key) => repeat(mine, key)))
    for (const stolen of [signing!.sealed, foreign!.body, rest[0]!.body]) {
      await sql('update idempotency_keys set body = $2 where id = $1 and platform_id = $3', [
        target!.id,
        stolen,
        mine.platformId,
      ])
      const answered = await replays()
      expect(answered.map(({ status }) => status).sort()).toEqual([201, 500])
      for (const { text } of answered) expect(text).not.toMatch(/PRIVATE KEY|authenticate/)
    }
    await sql('update idempotency_keys set body = $2 where id = $1 and platform_id = $3', [
      target!.id,
      target!.body,
      mine.platformId,
    ])
    expect((await replays()).map(({ status }) => status)).toEqual([201, 201])
  })

  it('does not open as a customer of another platform, with or without its key', async () => {
    const [victim, thief] = [await customerApi(server), await customerApi(server)]
    const stolen = await victim.customer({ ...person, fullName: 'Ana Canary' })
    const own = await thief.customer(person)
    const steal = (table: string, id: string, column: string) =>
      sql(
        `update ${table} set ${column} = (select ${column} from ${table} where ${id} = $1) where ${id} = $2`,
        [stolen.id, own.id],
      )
    await steal('customers', 'id', 'personal')
    expect(await thief.get(own.id)).toMatchObject({ error: { status: 500 } })
    await steal('data_keys', 'owner_id', 'sealed_key')
    const answer = await thief.get(own.id)
    expect(answer).toMatchObject({ error: { status: 500 } })
    expect(JSON.stringify(answer)).not.toContain('Canary')
    expect((await victim.get(stolen.id)).data).toMatchObject({ fullName: 'Ana Canary' })
  })
})

describe('the list of sealed columns', () => {
  it('names every column in which a sealed text stands, and every text names its key', async () => {
    const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))
    const columns = await sql<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = current_schema() and data_type = 'text'`,
    )
    const found = new Set<string>()
    for (const { table, column } of columns) {
      const [row] = await sql<{ count: bigint }>(
        `select count(*) from "${table}" where "${column}" ~ '^2\\.[a-z0-9_-]+\\.[A-Za-z0-9_-]+$'`,
      )
      if (row!.count > 0n) found.add(`${table}.${column}`)
    }
    expect([...found].filter((place) => !listed.has(place))).toEqual([])
    for (const { table, column, where = 'true' } of sealedColumns) {
      const [row] = await sql<{ count: bigint }>(
        `select count(*) from ${table} where ${column} is not null and ${where} and ${column} !~ '^2\\.[a-z0-9_-]+\\.'`,
      )
      expect(`${table} ${row!.count}`).toBe(`${table} 0`)
    }
  })

  it('finds each row by the SQL of its declaration', async () => {
    for (const { table, row, owner, isOfInstallation } of sealedColumns) {
      const platform = isOfInstallation ? '' : 'platform_id, '
      await sql<Book>(
        `select ${platform}environment, (${row})::text, (${owner ?? 'null'})::text from ${table} limit 1`,
      )
    }
  })
})
