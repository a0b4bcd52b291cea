import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** Sessions of PostgreSQL that are ended while requests wait for what they were asked. */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const patient = { timeout: 20_000, interval: 10 }
const whichDatabase = statement('test.database', 'select current_database() as name')

describe.skipIf(!serverUrl)('a session that is ended under a request', async () => {
  if (!serverUrl) return
  const server = await openTestServer()
  let holder: pg.Client
  let other: pg.Client
  beforeAll(async () => {
    const [row] = await server.engine.database.system((connection) =>
      connection.query<{ name: string }>(whichDatabase),
    )
    const url = new URL(serverUrl)
    url.pathname = `/${row!.name}`
    holder = new pg.Client({ connectionString: url.href })
    other = new pg.Client({ connectionString: url.href })
    await Promise.all([holder.connect(), other.connect()])
  })
  afterAll(() => Promise.all([holder.end(), other.end()]))

  /** Ends every session that waits for `table` while `asks` is under way, and resolves with the answer. */
  async function endedWhile<T>(table: string, asks: () => Promise<T>): Promise<T> {
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    const asked = asks()
    try {
      await vi.waitFor(async () => {
        const { rows } = await other.query(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and application_name like 'corridor %'`,
        )
        expect(rows.length).toBeGreaterThan(0)
      }, patient)
    } finally {
      await holder.query('commit')
    }
    return asked
  }

  // What reads is told so; what writes is written again, by who knows whether it was written.
  it.each([
    ['idempotency_keys', 503],
    ['quotes', 503],
    ['internal_accounts', 503],
    ['transactions', 503],
    ['ledger_accounts', 503],
    ['books', 200],
    ['jobs', 200],
    ['events', 200],
    ['ledger_transfers', 200],
    ['audit_inbox', 200],
  ])(
    'that waits for %s is no fault, answers %i, and what it is repeated for is done once',
    async (table, status) => {
      const api = server.client(await server.platform())
      const customer = await createCustomer(api)
      const account = await internalAccountOf(api, customer.id, 'USD')
      await fund(api, account.id, 100_000)
      const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
      const quote = await createQuote(api, quoteBody(account, payee, 10_000))
      const leftMinor = 100_000 - quote.totalSendingAmount
      const key = { 'Idempotency-Key': `once-${table}` }

      const first = await endedWhile(table, () => execute(api, quote.id, key))
      expect(first.response.status).toBe(status)
      if (status === 503) expect(first.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      const again = await must(execute(api, quote.id, key))
      expect(again.transactionId).toBe(first.data?.transactionId ?? again.transactionId)
      await server.settle()
      const { balance } = await internalAccountOf(api, customer.id, 'USD')
      expect(balance.amount).toBe(leftMinor)
      const { data } = await must(api.GET('/transactions', { params: { query: {} } }))
      expect(data.filter(({ type }) => type === 'OUTGOING')).toHaveLength(1)
    },
  )

  it('is no fault of a question either, which is answered when it is asked again', async () => {
    const api = server.client(await server.platform())
    const customer = await createCustomer(api)
    const read = () => api.GET('/customers/{customerId}', { params: { path: { customerId: customer.id } } })
    const first = await endedWhile('customers', read)
    expect(first).toMatchObject({ response: { status: 503 }, error: { code: 'SERVICE_UNAVAILABLE' } })
    expect((await must(read())).id).toBe(customer.id)
  })
})
