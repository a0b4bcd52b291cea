import { failed, ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContradictoryFacts, type Decision, type Transfer } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Book, Recording } from '../../vocabulary/scope.ts'
import { commit } from './apply.ts'
import { statement } from './driver.ts'

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

const alice = 'avail:InternalAccount:alice'
const bob = 'avail:InternalAccount:bob'
const refused = fail('INSUFFICIENT_BALANCE' as never)

function transfer(amountMinor: bigint, more: Partial<Transfer> = {}): Transfer {
  return { id: `t:${books.world.uuid()}`, debit: alice, credit: bob, currency: 'EUR', amountMinor, ...more }
}

const apply = <T>(book: Book, decision: Decision<T>) => books.applier.apply(books.scope(book), decision)
const move = (book: Book, transfers: Transfer[]) =>
  apply(book, { transfers, uncovered: () => refused, result: () => 'moved' })

/** Holds the lanes of a book, so that all that is added meanwhile forms one batch. */
async function together<T>(book: Book, add: () => Promise<T>[]): Promise<T[]> {
  const first = [1, 2].map(() => apply(book, { events: [event('GATE')], result: () => null }))
  const all = add()
  await Promise.all(first)
  return Promise.all(all)
}

function event(type: string, resourceId = 'Customer:1') {
  return { type, resourceId, subjectId: null, data: { id: resourceId } }
}

function token(name: string, id = books.world.id('Token')) {
  return {
    table: 'tokens' as const,
    row: {
      id,
      name,
      client_id: books.world.uuid(),
      secret_hash: 'hash',
      permissions: ['VIEW', 'TRANSACT'],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    },
  }
}

/** Makes the job the one of a worker. */
async function claimed(book: Book, id: string) {
  const claim = books.world.uuid()
  const take = statement(
    'test.apply.claim',
    'update jobs set claim = $4, attempts = 1 where platform_id = $1 and environment = $2 and id = $3',
  )
  await books.database.system((connection) =>
    connection.query(take, [book.platformId, book.environment, id, claim]),
  )
  return { id, claim }
}

async function counts(book: Book) {
  const tables = ['tokens', 'ledger_transfers', 'jobs', 'events', 'idempotency_keys', 'ledger_accounts']
  const rows = await Promise.all(tables.map((table) => books.rows(book, table)))
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]!.length]))
}

describe('a decision', () => {
  it('writes all its parts, and its result sees the balances it leaves', async () => {
    const book = await books.open({ webhookEndpoint: 'https://hook.test' })
    await books.fund(book, alice, 500n)
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const scope = { ...books.scope(book), recording: recording('key') }
    books.woken()
    const outcome = await books.applier.apply(scope, {
      updates: [{ table: 'tokens', id: row.row.id, version: 1n, set: { name: 'b' } }],
      inserts: [token('c')],
      transfers: [transfer(200n), transfer(50n, { credit: 'txn:Transaction:1:EUR' })],
      jobs: [{ kind: 'submit', payload: { n: 1, text: 'a "quoted" \\ ünï' }, key: 'k' }],
      events: [
        {
          type: 'SENT',
          resourceId: 'Transaction:1',
          subjectId: null,
          data: (after) => ({ left: Number(after.balance(alice)) }),
        },
      ],
      result: (after) => ({ status: 200, body: { left: after.balance(alice), got: after.balance(bob) } }),
    })
    expect(outcome).toEqual(ok({ status: 200, body: { left: 250n, got: 200n } }))
    expect(books.woken()).toEqual(['jobs', 'events'])

    expect(await books.balances(book)).toMatchObject({
      [alice]: { spendableMinor: 250n },
      [bob]: { spendableMinor: 200n },
      'txn:Transaction:1:EUR': { spendableMinor: 50n },
      'rail:TEST:EUR': { postedMinor: -500n },
    })
    expect(await books.rows(book, 'tokens', 'name')).toMatchObject([
      { name: 'b', version: 2n },
      { name: 'c', version: 1n, permissions: ['VIEW', 'TRANSACT'] },
    ])
    expect(await books.rows(book, 'jobs')).toMatchObject([
      { kind: 'submit', key: 'k', payload: { n: 1, text: 'a "quoted" \\ ünï' }, run_at: books.world.now() },
    ])
    const [sent] = await books.rows<{ body: string; id: string }>(book, 'events')
    expect(sent).toMatchObject({ type: 'SENT', status: 'QUEUED', resource_id: 'Transaction:1' })
    expect(JSON.parse(sent!.body)).toMatchObject({ id: sent!.id, type: 'SENT', data: { left: 250 } })
    expect(await books.rows(book, 'idempotency_keys')).toMatchObject([
      { id: 'key', status: 200, body: '{"status":200}' },
    ])
    expect(scope.recording.stored).toEqual({ status: 200, body: '{"status":200}' })
  })

  it('keeps an event without an endpoint to send it to, and wakes nobody else', async () => {
    const book = await books.open()
    await apply(book, { events: [event('KEPT')], result: () => null })
    expect(await books.rows(book, 'events')).toMatchObject([{ status: 'STORED', due_at: null }])
  })

  it('stores an answer without a body', async () => {
    const book = await books.open()
    const scope = { ...books.scope(book), recording: { ...recording('empty'), serialize: () => '' } }
    await books.applier.apply(scope, { result: () => ({ status: 204 }) })
    expect(await books.rows(book, 'idempotency_keys')).toMatchObject([{ id: 'empty', status: 204, body: '' }])
  })

  it('finishes a job and leaves its successor under the same key', async () => {
    const book = await books.open()
    const job = { kind: 'poll', payload: {}, key: 'payment' }
    await apply(book, { jobs: [job], result: () => null })
    await apply(book, { jobs: [job], result: () => null })
    const [first, ...more] = await books.rows<{ id: string }>(book, 'jobs')
    expect(more).toEqual([])
    await apply(book, {
      completes: [await claimed(book, first!.id)],
      jobs: [{ ...job, payload: { n: 2 } }],
      result: () => null,
    })
    expect(await books.rows(book, 'jobs')).toMatchObject([{ payload: { n: 2 } }])
  })

  it('that asks twice for the same job gets it once, at the earlier time', async () => {
    const book = await books.open()
    const now = books.world.now()
    const job = (n: number, runAt: number) => ({ kind: 'poll', key: 'k', payload: { n }, runAt })
    await apply(book, { jobs: [job(1, now + 3000), job(2, now + 2000)], result: () => null })
    await apply(book, { jobs: [job(3, now + 1000)], result: () => null })
    expect(await books.rows(book, 'jobs')).toMatchObject([{ payload: { n: 1 }, run_at: now + 1000 }])
  })

  it.each<[string, (book: Book, id: string) => Partial<Decision>]>([
    ['its money is not there', () => ({ transfers: [transfer(100n), transfer(401n)] })],
    ['a row has another version', (_, id) => ({ updates: [{ table: 'tokens', id, version: 7n, set: {} }] })],
    ['a row is gone', () => ({ updates: [{ table: 'tokens', id: 'Token:none', set: {} }] })],
    ['a hold is unknown', () => ({ transfers: [transfer(1n, { kind: 'POST_PENDING', pendingId: 'no' })] })],
    [
      'it repeats itself',
      () => ({ transfers: [transfer(1n, { id: 'same' }), transfer(1n, { id: 'same' })] }),
    ],
  ])('is refused and leaves no trace when %s', async (_, broken) => {
    const book = await books.open()
    await books.fund(book, alice, 500n)
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const before = { counts: await counts(book), balances: await books.balances(book) }
    const renames = statement('test.rename', "update tokens set name = 'renamed' where id = $1")
    const outcome = await apply<unknown>(book, {
      statements: [{ statement: renames, parameters: [row.row.id] }],
      inserts: [token('b')],
      jobs: [{ kind: 'submit', payload: {} }],
      events: [event('SENT')],
      uncovered: () => refused,
      ...broken(book, row.row.id),
      result: () => 'done',
    })
    expect(outcome.ok).toBe(false)
    expect({ counts: await counts(book), balances: await books.balances(book) }).toEqual(before)
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'a', version: 1n }])
  })

  it('names the shortage when it is refused', async () => {
    const book = await books.open()
    await books.fund(book, alice, 500n)
    const outcome = await apply(book, {
      transfers: [transfer(300n), transfer(201n)],
      uncovered: (shortage) => ({ ...refused, details: { ...shortage } }),
      result: () => 'done',
    })
    expect(outcome).toMatchObject({
      failure: {
        details: { ledgerAccount: alice, availableMinor: 200n, requiredMinor: 201n, currency: 'EUR' },
      },
    })
  })

  it('that has no answer for missing money was made from old facts', async () => {
    const book = await books.open()
    const outcome = await apply(book, { transfers: [transfer(1n)], result: () => null })
    expect(outcome).toEqual(failed({ code: 'STALE' }))
  })

  it('may spend what it has just received, also from an account that it opens', async () => {
    const book = await books.open()
    const clearing = 'txn:Transaction:9:EUR'
    const outcome = await move(book, [
      transfer(90n, { debit: 'rail:TEST:EUR', credit: clearing }),
      transfer(90n, { debit: clearing, credit: bob }),
    ])
    expect(outcome).toEqual(ok('moved'))
    expect(await books.balances(book)).toMatchObject({ [bob]: { spendableMinor: 90n } })
  })
})

describe('the decisions of one batch', () => {
  it('are decided in order, each on its own', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const outcomes = await together(book, () => [
      move(book, [transfer(60n)]),
      move(book, [transfer(60n)]),
      move(book, [transfer(60n, { debit: bob, credit: alice })]),
      move(book, [transfer(100n)]),
      move(book, [transfer(1n)]),
    ])
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, true, false])
    expect(await books.balances(book)).toMatchObject({
      [alice]: { spendableMinor: 0n },
      [bob]: { spendableMinor: 100n },
    })
  })

  it('are refused, and not disturbed by one, that an account of the service cannot count', async () => {
    const book = await books.open()
    const huge = () => transfer(9_000_000_000_000_000_000n, { debit: 'rail:ACH:EUR', credit: 'susp:EUR' })
    expect(await move(book, [huge()])).toEqual(ok('moved'))
    const tooMuch = { ok: false, failure: { code: 'AMOUNT_OUT_OF_RANGE' } }
    expect(await move(book, [huge()])).toMatchObject(tooMuch)
    const small = () => transfer(1n, { debit: 'fx:EUR', credit: 'susp:USD', currency: 'EUR' })
    const three = await together(book, () => [
      move(book, [small()]),
      move(book, [huge()]),
      move(book, [small()]),
    ])
    expect(three).toMatchObject([ok('moved'), tooMuch, ok('moved')])
  })

  it('are not disturbed by one that a constraint or a broken statement refuses', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const taken = token('taken')
    await apply(book, { inserts: [taken], result: () => null })
    const isTaken = fail('CONFLICT', { field: 'clientId' })
    const outcomes = await together(book, () => [
      move(book, [transfer(10n)]),
      apply<string>(book, {
        inserts: [{ ...taken, row: { ...taken.row, id: books.world.id('Token') } }],
        unique: { tokens_client_id: isTaken },
        transfers: [transfer(10n)],
        result: () => 'never',
      }),
      move(book, [transfer(10n)]),
      apply<string>(book, {
        statements: [{ statement: statement('test.apply.broken', 'select 1/0'), parameters: [] }],
        transfers: [transfer(10n)],
        result: () => 'never',
      }).catch((error: Error) => failed({ ...refused, message: error.message })),
      move(book, [transfer(10n)]),
    ])
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, false, true])
    expect(outcomes[1]).toEqual(failed(isTaken))
    expect(await books.balances(book)).toMatchObject({ [bob]: { spendableMinor: 30n } })
    expect(await books.rows(book, 'ledger_transfers')).toHaveLength(4)
  })

  it('keep the answers of idempotent requests when the batch is written in pieces', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const scopes = ['a', 'b', 'c'].map((key) => ({ ...books.scope(book), recording: recording(key) }))
    await together(book, () => [
      ...scopes.map((scope) =>
        books.applier.apply(scope, { transfers: [transfer(1n)], result: () => ({ status: 201 }) }),
      ),
      apply<unknown>(book, {
        statements: [{ statement: statement('test.apply.broken', 'select 1/0'), parameters: [] }],
        result: () => null,
      }).catch(() => failed(refused)),
    ])
    expect(await books.rows(book, 'idempotency_keys')).toMatchObject(scopes.map(() => ({ status: 201 })))
    expect(await books.balances(book)).toMatchObject({ [bob]: { spendableMinor: 3n } })
  })

  it('change one row once when all of them saw the same version', async () => {
    const book = await books.open()
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const outcomes = await together(book, () =>
      ['b', 'c', 'd'].map((name) =>
        apply(book, {
          updates: [{ table: 'tokens', id: row.row.id, version: 1n, set: { name } }],
          events: [event('RENAMED')],
          result: () => name,
        }),
      ),
    )
    expect(outcomes).toEqual([ok('b'), failed({ code: 'STALE' }), failed({ code: 'STALE' })])
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'b', version: 2n }])
  })

  it('do a transfer once, whoever asks for it and however often', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const same = transfer(10n, { id: 'payment:1' })
    const outcomes = await together(book, () => [same, same, same].map((one) => move(book, [one])))
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false])
    await move(book, [transfer(90n)])
    // Also when the money has gone since: it was covered when it was done.
    expect(await move(book, [same])).toEqual(failed({ code: 'STALE' }))
    expect(await books.balances(book)).toMatchObject({ [bob]: { spendableMinor: 100n } })
  })
})

describe('holds', () => {
  const hold = (amountMinor: bigint, id: string) => transfer(amountMinor, { id, kind: 'PENDING' })
  const resolve = (kind: 'POST_PENDING' | 'VOID_PENDING', pendingId: string, id = `${pendingId}:end`) =>
    transfer(1n, { id, kind, pendingId })

  it('reserve, and then move or give back exactly what they reserved', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    expect((await move(book, [hold(60n, 'h1')])).ok).toBe(true)
    expect(await books.balances(book)).toMatchObject({
      [alice]: { postedMinor: 100n, spendableMinor: 40n },
      [bob]: { postedMinor: 0n },
    })
    expect((await move(book, [transfer(41n)])).ok).toBe(false)
    expect((await move(book, [hold(40n, 'h2')])).ok).toBe(true)
    expect((await move(book, [resolve('VOID_PENDING', 'h2')])).ok).toBe(true)
    expect((await move(book, [resolve('POST_PENDING', 'h1')])).ok).toBe(true)
    expect(await books.balances(book)).toMatchObject({
      [alice]: { postedMinor: 40n, spendableMinor: 40n },
      [bob]: { postedMinor: 60n, spendableMinor: 60n },
    })
    const accounts = await books.rows<{ debits_pending: bigint; credits_pending: bigint }>(
      book,
      'ledger_accounts',
    )
    expect(accounts.every((row) => row.debits_pending === 0n && row.credits_pending === 0n)).toBe(true)
  })

  it('are resolved once, in one batch or in two', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    await move(book, [hold(60n, 'h1')])
    const outcomes = await together(book, () => [
      move(book, [resolve('POST_PENDING', 'h1')]),
      move(book, [resolve('VOID_PENDING', 'h1', 'other')]),
    ])
    expect(outcomes).toEqual([ok('moved'), failed({ code: 'STALE' })])
    expect(await move(book, [resolve('VOID_PENDING', 'h1', 'third')])).toEqual(failed({ code: 'STALE' }))
    expect(await books.balances(book)).toMatchObject({ [bob]: { postedMinor: 60n } })
  })

  it('can be made and resolved by neighbours in one batch', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const outcomes = await together(book, () => [
      move(book, [hold(60n, 'h1')]),
      move(book, [resolve('POST_PENDING', 'h1')]),
    ])
    expect(outcomes).toEqual([ok('moved'), ok('moved')])
    expect(await books.balances(book)).toMatchObject({ [alice]: { spendableMinor: 40n } })
  })
})

describe('commit', () => {
  it('decides again when the facts have changed, and answers for the new ones', async () => {
    const book = await books.open()
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const read = statement('test.version', 'select version from tokens where platform_id = $1 and id = $2')
    let rounds = 0
    let reads = 0
    let tellAllRead: () => void = () => {}
    const allRead = new Promise<void>((resolve) => {
      tellAllRead = resolve
    })
    const outcomes = await Promise.all(
      [1, 2, 3].map(() =>
        commit(books.applier, books.scope(book), async () => {
          rounds++
          const [found] = await books.database.read<{ version: bigint }>(book, read, [
            book.platformId,
            row.row.id,
          ])
          const version = found!.version
          if (++reads === 3) tellAllRead()
          await allRead
          if (version >= 3n) return failed(refused)
          return ok({
            updates: [{ table: 'tokens', id: row.row.id, version, set: {} }],
            result: () => version,
          } satisfies Decision)
        }),
      ),
    )
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2)
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([failed(refused)])
    expect(rounds).toBeGreaterThan(3)
    expect(await books.rows(book, 'tokens')).toMatchObject([{ version: 3n }])
  })

  it('is not made again for an actor that is no longer what it was admitted as', async () => {
    const book = await books.open()
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const scope = books.scope(book)
    const admitted = { table: 'tokens', id: row.row.id, version: 9n } as const
    let rounds = 0
    const outcome = await commit(
      books.applier,
      { ...scope, actor: { ...scope.actor, while: admitted } },
      async () => {
        rounds++
        return ok({ inserts: [token('b')], result: () => 1 } as Decision)
      },
    )
    expect(outcome).toMatchObject({ failure: { code: 'CONFLICT', details: { reason: 'CONCURRENT_UPDATE' } } })
    expect(rounds).toBe(1)
  })

  it('reads facts again that were read around a change, and not for ever', async () => {
    const book = await books.open()
    const contradictory = (times: number) => {
      let reads = 0
      return async () => {
        if (++reads <= times) throw new ContradictoryFacts('one is of before, the other of after')
        return ok({ result: () => reads } satisfies Decision)
      }
    }
    expect(await commit(books.applier, books.scope(book), contradictory(2))).toEqual(ok(3))
    await expect(commit(books.applier, books.scope(book), contradictory(3))).rejects.toThrow(
      ContradictoryFacts,
    )
  })

  it('gives up on facts that change under it every time', async () => {
    const book = await books.open()
    const row = token('a')
    await apply(book, { inserts: [row], result: () => null })
    const outcome = await commit(books.applier, books.scope(book), async () =>
      ok({
        updates: [{ table: 'tokens', id: row.row.id, version: 9n, set: {} }],
        result: () => 1,
      } as Decision),
    )
    expect(outcome).toMatchObject({ failure: { code: 'CONFLICT', details: { reason: 'CONCURRENT_UPDATE' } } })
  })
})

function recording(key: string): Recording {
  return {
    key,
    fingerprint: 'f',
    retentionMs: 1000,
    serialize: ({ status }) => JSON.stringify({ status }),
    refuse: ({ code }) => ({ status: 400, body: code }),
    seal: (body) => body,
  }
}
