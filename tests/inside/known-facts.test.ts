import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import {
  createPayee,
  createQuote,
  fund,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

// ADR 38: a quote is priced from what the process has read for an earlier one, and the database says whether it still is so.
// Rows are changed past the program here, as another process changes them.

/** Happens once the facts of a quote are taken, and before it is written. */
let meanwhile: (() => Promise<unknown>) | undefined
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    rates: () => ({
      async snapshot(now) {
        const happens = meanwhile
        meanwhile = undefined
        await happens?.()
        return offlineRates.snapshot(now)
      },
    }),
  })
})
afterAll(() => server.close())
beforeEach(() => {
  meanwhile = undefined
})

/** A quote was made before, so all that the next one needs is known. */
async function start() {
  const payments = await paymentApi(server)
  const { api, usd, customer, platform } = payments
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
  const quote = () => api.POST('/quotes', { body: quoteBody(usd, payee, 1_000) })
  await createQuote(api, quoteBody(usd, payee, 1_000))
  const change = (table: string, set: string, id: string) =>
    server.rows(`update ${table} set ${set} where platform_id = $1 and id = $2 returning id`, [
      platform.platformId,
      id,
    ])
  return { ...payments, payee, quote, change }
}
type Start = Awaited<ReturnType<typeof start>>

describe('what is known of facts', () => {
  it('is read once, and compared in the transaction of each quote', async () => {
    const { quote, usd, api } = await start()
    const read = vi.spyOn(server.engine.database, 'read')
    expect((await quote()).response.status).toBe(201)
    // Money that moves changes nothing that a quote is made from.
    await fund(api, usd.id, 5)
    read.mockClear()
    expect((await quote()).response.status).toBe(201)
    expect(read.mock.calls.map(([, { name }]) => name).filter((name) => /load/i.test(name))).toEqual([])
    read.mockRestore()
  })

  const notReady = { status: 403, code: 'USER_NOT_READY' }
  type Change = (at: Start) => Promise<unknown>
  const changes: [string, Change, object, Change][] = [
    [
      'an account that is frozen',
      ({ change, usd }) => change('internal_accounts', "status = 'FROZEN'", usd.id),
      notReady,
      ({ change, usd }) => change('internal_accounts', "status = 'ACTIVE'", usd.id),
    ],
    [
      'a customer who is not verified',
      ({ change, customer }) => change('customers', "status = 'REJECTED'", customer.id),
      notReady,
      ({ change, customer }) => change('customers', "status = 'APPROVED'", customer.id),
    ],
    [
      'a payee who is deleted',
      ({ change, payee }) => change('external_accounts', 'deleted_at = now()', payee.id),
      { status: 400, code: 'INVALID_INPUT' },
      ({ change, payee }) => change('external_accounts', 'deleted_at = null', payee.id),
    ],
    [
      'a platform that has no euros',
      ({ platform, change }) =>
        change(
          'platform_configs',
          `supported_currencies = replace(supported_currencies::text, 'EUR', 'XXX')::jsonb`,
          `PlatformConfig:${platform.platformId}`,
        ),
      { status: 400, code: 'INVALID_CURRENCY' },
      ({ platform, change }) =>
        change(
          'platform_configs',
          `supported_currencies = replace(supported_currencies::text, 'XXX', 'EUR')::jsonb`,
          `PlatformConfig:${platform.platformId}`,
        ),
    ],
  ]
  it.each(changes)('is not what counts: %s', async (_, spoil, refusal, mend) => {
    const at = await start()
    expect(await spoil(at)).toHaveLength(1)
    expect((await at.quote()).error).toMatchObject(refusal)
    // A refusal is compared as well, and no more kept than anything else.
    await mend(at)
    expect((await at.quote()).response.status).toBe(201)
  })

  it.each(changes)('is compared when the quote is written: %s in between', async (_, spoil, refusal) => {
    const at = await start()
    meanwhile = () => spoil(at)
    expect((await at.quote()).error).toMatchObject(refusal)
    expect(
      await server.rows('select id from quotes where platform_id = $1', [at.platform.platformId]),
    ).toHaveLength(1)
  })

  it('changes for those who rely on it, and the others of their batch are written', async () => {
    const at = await start()
    const other = await createPayee(at.api, 'EUR', 'DE02120300000000202051', { customerId: at.customer.id })
    const body = quoteBody(at.usd, other, 1_000)
    await createQuote(at.api, body)
    await changes[2]![1](at)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? at.quote() : at.api.POST('/quotes', { body }))),
    )
    expect(answers.map(({ response }) => response.status)).toEqual(
      answers.map((_, n) => (n % 3 === 0 ? 400 : 201)),
    )
  })

  type Pay = (at: Start, quoteId: string) => Promise<{ response: Response; error?: unknown }>
  const payments: [string, Pay, string[]][] = [
    [
      'a payment at once',
      ({ api, usd, payee }) =>
        api.POST('/quotes', { body: quoteBody(usd, payee, 1_000, { immediatelyExecute: true }) }),
      // What it pays from, and what is asked about the rail of what is on record by then.
      ['internalAccounts.load'],
    ],
    [
      'an execution',
      ({ api }, quoteId) => api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } } }),
      ['quotes.load', 'internalAccounts.load'],
    ],
  ]
  /** Runs `happens` between the decision and the transaction that is to write it. */
  const beforeItIsWritten = (happens: () => Promise<unknown>) => {
    const { applier } = server.engine
    const apply = applier.apply.bind(applier)
    const spy = vi.spyOn(applier, 'apply').mockImplementationOnce((async (
      ...asked: Parameters<typeof apply>
    ) => {
      await happens()
      return apply(...asked)
    }) as never)
    return () => spy.mockRestore()
  }

  it.each(payments)('is read once for %s too, but the accounts that pay', async (_, pay, loads) => {
    const at = await start()
    const first = await createQuote(at.api, quoteBody(at.usd, at.payee, 1_000))
    expect((await pay(at, first.id)).response.ok).toBe(true)
    const { id } = await createQuote(at.api, quoteBody(at.usd, at.payee, 1_000))
    const read = vi.spyOn(server.engine.database, 'read')
    let names: string[] = []
    const end = beforeItIsWritten(async () => {
      names = read.mock.calls.map(([, { name }]) => name).filter((name) => /load/i.test(name))
    })
    expect((await pay(at, id)).response.ok).toBe(true)
    end()
    read.mockRestore()
    expect(names).toEqual(loads)
  })

  it.each(
    // Currencies are asked about when a quote is made.
    payments.flatMap(([name, pay]) =>
      changes
        .slice(0, name === 'an execution' ? 3 : 4)
        .map(([what, spoil]) => [name, what, pay, spoil] as const),
    ),
  )('is compared when money moves: %s, %s in between', async (_, __, pay, spoil) => {
    const at = await start()
    const { id } = await createQuote(at.api, quoteBody(at.usd, at.payee, 1_000))
    const before = await at.balances()
    const end = beforeItIsWritten(() => spoil(at))
    const { response, error } = await pay(at, id)
    end()
    expect(response.status, JSON.stringify(error)).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await at.balances()).toEqual(before)
    const { platformId } = at.platform
    const paid = await server.rows(
      `select id from transactions where platform_id = $1 and direction = 'DEBIT'`,
      [platformId],
    )
    expect(paid).toEqual([])
  })

  it('is what the settings of the operator and the keys of the customer are read with', async () => {
    const at = await start()
    const { platformId } = at.platform
    const relied = vi.spyOn(server.engine.applier, 'apply')
    const stamps = async () => {
      relied.mockClear()
      await must(at.quote())
      const decision = relied.mock.calls.at(-1)![1]
      return Object.fromEntries((decision.relies ?? []).map(({ kind, stamp }) => [kind.name, stamp]))
    }
    const before = await stamps()
    expect(Object.keys(before).sort()).toEqual([
      'configurations',
      'customers',
      'external accounts',
      'internal accounts',
    ])
    expect(await stamps()).toEqual(before)

    /** What was stale is read, so the quote after the next relies on what was read then. */
    const changedBy = async (sql: string) => {
      await server.rows(sql, [platformId])
      await must(at.quote())
      const after = await stamps()
      const changed = Object.keys(after).filter((name) => after[name] !== before[name])
      Object.assign(before, after)
      return changed.sort()
    }
    expect(
      await changedBy(
        `update books set settings = settings || '{"maxDailyUsdAmount": 1000000}' where platform_id = $1`,
      ),
    ).toEqual(['configurations'])
    expect(await changedBy('update data_keys set sealed_key = sealed_key where platform_id = $1')).toEqual([
      'customers',
      'external accounts',
    ])
    expect(
      await changedBy('update internal_accounts set version = version + 1 where platform_id = $1'),
    ).toEqual([])
    relied.mockRestore()
  })
})
