import { ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import { jsonColumn, numberColumn, splitJson, textColumn, toTime } from './columns.ts'
import { createDatabase, TransactionWatch } from './database.ts'
import { statement } from './driver.ts'
import { insertRows } from './write.ts'

const isEmbedded = !process.env.CORRIDOR_TEST_DATABASE_URL

let books: TestBooks
let book: Book
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  book = await books.open()
})
afterAll(() => books.database.close())

/** Both drivers pass this file; that is what makes them one. */
async function one<R>(text: string, parameters: unknown[] = []): Promise<R> {
  const [row] = await books.database.read<R>(book, statement(`test ${text}`.slice(0, 60), text), parameters)
  return row!
}

describe('every driver', () => {
  it.each([
    ['a small int8', '1::bigint', 1n],
    ['a large int8', '9223372036854775807::bigint', 9_223_372_036_854_775_807n],
    ['a count', 'count(*)', 1n],
    ['an int4', '7::int', 7],
    ['a numeric', '12345678901234567890.123456789::numeric', '12345678901234567890.123456789'],
    ['an instant', "'2026-02-28T23:59:59.123Z'::timestamptz", Date.UTC(2026, 1, 28, 23, 59, 59, 123)],
    ['an instant of another zone', "'2026-03-01T01:00:00+02:00'::timestamptz", Date.UTC(2026, 1, 28, 23)],
    ['an instant before the epoch', "'1969-12-31T23:59:59.999Z'::timestamptz", -1],
    [
      'a list of texts',
      `array['a', 'b"c', 'd\\e', 'f,g', '', 'NULL', 'ü']`,
      ['a', 'b"c', 'd\\e', 'f,g', '', 'NULL', 'ü'],
    ],
    ['json', `'{"a": [1, "x", null, true]}'::jsonb`, { a: [1, 'x', null, true] }],
    ['null', 'null::bigint', null],
    ['a boolean', 'true', true],
  ])('reads %s alike', async (_, expression, expected) => {
    expect(await one(`select ${expression} as value`)).toEqual({ value: expected })
  })

  it.each([
    ['int8', '$1::bigint', -9_007_199_254_740_993n],
    ['a list of texts', '$1::text[]', ['a', 'b"c', 'd\\e', '', 'ü', 'x\ny']],
    ['text with every quote', '$1::text', `'"\\\n\t\u00e9 \u{1f4b6}`],
    ['json', '$1::jsonb', { a: ['ü', { b: null }] }],
    ['null', '$1::text', null],
  ])('sends %s and gets it back', async (_, expression, value) => {
    const sent =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value
    expect(await one(`select ${expression} as value`, [sent])).toEqual({ value })
  })

  it.skipIf(isEmbedded)('compiles no machine code for the statements of requests', async () => {
    const asked = statement('test.jit', "select current_setting('jit') as value")
    const { database } = books
    const ofSystem = await database.system((connection) => connection.query<{ value: string }>(asked))
    expect([await one("select current_setting('jit') as value"), ...ofSystem]).toEqual([
      { value: 'off' },
      { value: 'off' },
    ])
  })

  it('writes and reads rows through JSON without a loss', async () => {
    const row = {
      id: 'Customer:1',
      version: 9_007_199_254_740_993n,
      customer_type: 'INDIVIDUAL',
      platform_customer_id: 'quote " backslash \\ newline \n é',
      uma_address: '$a@b',
      status: 'APPROVED',
      currencies: ['EUR', 'a"b\\c'],
      contact_verification: { nested: ['ü', { deep: null }], big: '9007199254740993' },
      created_at: '2026-01-01T00:00:00.123Z',
      updated_at: '2026-01-01T00:00:00.123Z',
    }
    await books.database.transact(book, async (connection) =>
      ok(insertRows(connection, book, 'customers', [row])),
    )
    const instant = Date.UTC(2026, 0, 1, 0, 0, 0, 123)
    expect(await books.rows(book, 'customers')).toMatchObject([
      { ...row, created_at: instant, updated_at: instant },
    ])
  })

  it('takes columns of many rows as one parameter each', async () => {
    const texts = ['plain', 'quo"te', 'back\\slash', null, '', 'NULL', '{a,b}', 'ü\n', 'x,y']
    const numbers = [1n, -9_223_372_036_854_775_808n, null, 0, 5n, 6n, 7n, 8n, 9n]
    const bodies = texts.map((text) => (text === '' ? '' : JSON.stringify({ text, control: '\u001e\u0000' })))
    const rows = await books.database.read(
      book,
      statement(
        'test.columns',
        `select * from unnest($1::text::text[], $2::text::bigint[], ${splitJson('$3')}) v(text, number, body)`,
      ),
      [textColumn(texts, (v) => v), numberColumn(numbers, (v) => v), jsonColumn(bodies, (v) => v)],
    )
    expect(rows).toEqual(
      texts.map((text, index) => ({
        text,
        number: numbers[index] === null ? null : BigInt(numbers[index]!),
        body: bodies[index] || null,
      })),
    )
    expect(textColumn([], () => '')).toBe('{}')
  })

  it('takes times as numbers and gives them back, in any year that can be written', async () => {
    const times = [0, 1, 999, Date.UTC(2026, 10, 20, 15, 4, 5, 120), Date.UTC(2279, 4, 25, 17, 46, 40, 1)]
    for (let index = 0; index < 500; index++) times.push(Date.UTC(9000, 0, 1, 0, 0, index, index * 2 + 1))
    const rows = await books.database.read<{ at: number; isExact: boolean }>(
      book,
      statement(
        'test.times',
        `select ${toTime('v.at')} as at, date_trunc('milliseconds', ${toTime('v.at')}) = ${toTime('v.at')} as "isExact"
         from unnest($1::text::bigint[]) v(at)`,
      ),
      [numberColumn(times, (at) => at)],
    )
    expect(rows).toEqual(times.map((at) => ({ at, isExact: true })))
    const old = await one(`select '0001-01-01T00:00:00Z'::timestamptz as value`)
    expect(old).toEqual({ value: Date.parse('0001-01-01T00:00:00Z') })
  })

  it('rolls back what returns a failure or throws, and commits the rest', async () => {
    const insert = statement(
      'test.address',
      "insert into uma_addresses (environment, address, platform_id, customer_id) values ('SANDBOX', $1, $2, 'c')",
    )
    const attempt = (address: string, end: () => ReturnType<typeof ok>) =>
      books.database.transact(book, async (connection) => {
        await connection.query(insert, [address, book.platformId])
        return end()
      })
    await attempt('kept', () => ok(null))
    await attempt('refused', () => ({ ok: false, failure: {} }) as never)
    await expect(
      attempt('thrown', () => {
        throw new Error('a bug')
      }),
    ).rejects.toThrow('a bug')
    const text = 'select address from uma_addresses where platform_id = $1'
    expect(await books.database.read(book, statement('test.addresses', text), [book.platformId])).toEqual([
      { address: 'kept' },
    ])
  })

  it.each(['57014', '58030', 'XX000'])(
    'lends no connection whose transaction failed with %s',
    async (code) => {
      const fails = books.database.transact(book, async (connection) => {
        await connection.script(`do $$ begin raise exception using errcode = '${code}'; end $$`)
        return ok(null)
      })
      await expect(fails).rejects.toThrow()
      const asked = statement('test after a failure', 'select 1 as value')
      for (let count = 0; count < 3; count++) {
        expect(await books.database.write(book, asked, [])).toEqual([{ value: 1 }])
      }
    },
  )

  it('commits nothing when a statement fails whose answer nobody waits for', async () => {
    const insert = statement(
      'test.drivers.claim',
      "insert into uma_addresses (environment, address, platform_id, customer_id) values ('SANDBOX', $1, $2, 'd')",
    )
    const attempt = (...unwaited: (readonly [string, readonly unknown[]])[]) =>
      books.database.transact(book, async (connection) => {
        void connection.query(insert, ['first', book.platformId])
        for (const [text, parameters] of unwaited) void connection.query(statement(text, text), parameters)
        void connection.query(insert, ['last', book.platformId])
        return ok(null)
      })
    // The failure that is reported is the first, not that of those behind it.
    await expect(attempt(['select 1 / $1::int', [0]])).rejects.toMatchObject({ code: '22012' })
    await expect(attempt(['select 2 / $1::int', ['no number']])).rejects.toThrow()
    await expect(attempt(['select $1::text as text', [Object.create(null)]])).rejects.toThrow()
    await expect(attempt(['select $1::text[] as texts', [[Object.create(null)]]])).rejects.toThrow()
    const text = "select address from uma_addresses where platform_id = $1 and customer_id = 'd'"
    const found = () => books.database.read(book, statement('test.claims', text), [book.platformId])
    expect(await found()).toEqual([])
    await attempt()
    expect(await found()).toHaveLength(2)
  })

  // The embedded database has no connection that could be cut.
  it.skipIf(isEmbedded)(
    'outlives a connection that is cut between two statements of a transaction',
    async () => {
      const whoAmI = statement('test.pid', 'select pg_backend_pid() as pid')
      const cut = statement('test.cut', 'select pg_terminate_backend($1::int, 5000)')
      const nothing = statement('test.nothing', 'select 1')
      await expect(
        books.database.transact(book, async (connection) => {
          const [mine] = await connection.query<{ pid: number }>(whoAmI)
          await books.database.system((other) => other.query(cut, [mine!.pid]))
          // The news of it is on another connection than the answer of the cut.
          await new Promise((resolve) => setImmediate(resolve))
          await connection.query(nothing)
          return ok(null)
        }),
      ).rejects.toThrow()
      const again = await books.database.transact(book, async (connection) => {
        await connection.query(nothing)
        return ok('served')
      })
      expect(again).toEqual(ok('served'))
    },
  )

  it('repeats a transaction that was the victim of a deadlock, and gives up on one that always is', async () => {
    const raise = statement('test.raise', "do $$ begin raise exception 'x' using errcode = '40P01'; end $$")
    let runs = 0
    const repeated = await books.database.transact(book, async (connection) => {
      if (++runs < 3) await connection.query(raise)
      return ok(runs)
    })
    expect(repeated).toEqual(ok(3))
    const hopeless = books.database.transact(book, async (connection) => ok(await connection.query(raise)))
    await expect(hopeless).rejects.toMatchObject({ code: '40P01' })
    expect(await one('select 1 as value')).toEqual({ value: 1 })
  })
})

describe('a session of one book', () => {
  it.each([
    ['tokens', 'select count(*) as n from tokens'],
    ['ledger_accounts', "select count(*) as n from ledger_accounts where environment = 'SANDBOX'"],
    ['events', 'select count(*) as n from events where platform_id = $1'],
  ])('sees no rows of another in %s, whatever the statement says', async (_, text) => {
    const other = await books.open()
    await books.fund(other, 'avail:InternalAccount:1', 5n)
    await books.applier.apply(books.scope(other), {
      events: [{ type: 'X', resourceId: 'r', subjectId: null, data: {} }],
      inserts: [
        {
          table: 'tokens',
          row: {
            id: 'Token:other',
            name: 'n',
            client_id: books.world.uuid(),
            secret_hash: 'h',
            permissions: ['VIEW'],
            created_at: '2026-01-01',
            updated_at: '2026-01-01',
          },
        },
      ],
      result: () => null,
    })
    const fresh = await books.open()
    const parameters = text.includes('$1') ? [other.platformId] : []
    const query = (who: Book) =>
      books.database.read(who, statement(`test.see ${text}`.slice(0, 60), text), parameters)
    expect(await query(fresh)).toEqual([{ n: 0n }])
    // The same statement of the book itself finds them, so it is the policy that hides them.
    expect(await query(other)).not.toEqual([{ n: 0n }])
  })

  it('cannot insert, change or delete rows of another', async () => {
    const other = await books.open()
    await books.fund(other, 'avail:InternalAccount:1', 5n)
    const insert = statement(
      'test.foreign',
      `insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at)
       values ($1, 'SANDBOX', 'avail:x', 'EUR', true, '2026-01-01')`,
    )
    await expect(books.database.read(book, insert, [other.platformId])).rejects.toMatchObject({
      code: '42501',
    })
    for (const text of [
      'update ledger_accounts set credits_posted = 1000000 where platform_id = $1 returning id',
      'delete from ledger_accounts where platform_id = $1 returning id',
    ]) {
      expect(await books.database.read(book, statement(text.slice(0, 30), text), [other.platformId])).toEqual(
        [],
      )
    }
    expect(await books.balances(other)).toMatchObject({ 'avail:InternalAccount:1': { postedMinor: 5n } })
  })

  it('cannot rewrite the journal, not even its own', async () => {
    await books.fund(book, 'avail:InternalAccount:1', 5n)
    for (const text of ['update ledger_transfers set amount = 1', 'delete from ledger_transfers']) {
      await expect(books.database.read(book, statement(text, text))).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('does not keep the other environment of the same platform in view', async () => {
    const production: Book = { ...book, environment: 'PRODUCTION' }
    await books.fund(book, 'avail:InternalAccount:1', 5n)
    expect(await books.balances(production)).toEqual({})
  })
})

describe('statements of one connection', () => {
  it('come one after the other, whatever becomes of those before', async () => {
    const first = statement('test.first', "select 'first' as answer, pg_sleep(0.02)::text")
    const broken = statement('test.drivers.broken', 'select 1 / 0')
    const last = statement('test.last', "select 'last' as answer")
    await books.database.system(async (connection) => {
      const answers = await Promise.allSettled(
        [first, broken, last].map((asked) => connection.query<{ answer: string }>(asked)),
      )
      expect(answers).toMatchObject([
        { value: [{ answer: 'first' }] },
        { status: 'rejected', reason: { code: '22012' } },
        { value: [{ answer: 'last' }] },
      ])
    })
  })
})

describe('the watch over transactions', () => {
  it('knows what runs inside one', async () => {
    const watch = new TransactionWatch()
    const driver = await openTestDatabase()
    const watched = createDatabase(driver, watch)
    expect(watch.isInside).toBe(false)
    const seen = await watched.transact(book, async () => ok(watch.isInside))
    expect(seen).toEqual(ok(true))
    expect(watch.isInside).toBe(false)
    await watched.close()
  })
})
