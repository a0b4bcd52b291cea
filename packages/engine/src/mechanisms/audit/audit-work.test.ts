import {
  createCustomer,
  createQuote,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { beforeAll, expect, it } from 'vitest'
import { registeredStatements } from '../../vocabulary/statement.ts'
import { type Connection, statement } from '../db/driver.ts'

const server = await openTestServer()
const payments = 120

/** Payments with a fee of the platform, each with three records. */
beforeAll(async () => {
  const api = server.client(await server.platform())
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 } as const
  const feeConfigs = [{ ...fee, fixedFee: { amount: 50, currency: 'USD' } }]
  await must(api.PATCH('/config', { body: { feeConfigs } }))
  for (let count = 0; count < payments; count += 20) {
    const [payer, payee] = [await createCustomer(api), await createCustomer(api)]
    const usd = await internalAccountOf(api, payer.id, 'USD')
    const eur = await internalAccountOf(api, payee.id, 'EUR')
    await fund(api, usd.id, 1_000_000)
    const body = quoteBody(usd, eur, 10_000, { immediatelyExecute: true })
    await Promise.all(Array.from({ length: 20 }, () => createQuote(api, body)))
  }
}, 120_000)

interface Node {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Node[]
}

/** Rows that the nodes of a plan returned or threw away. */
function visited(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  const own = (node['Actual Rows'] + removed) * node['Actual Loops']
  return (node.Plans ?? []).reduce((sum, plan) => sum + visited(plan), own)
}

const everything =
  "('', '00000000-0000-0000-0000-000000000000', '', '~', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', 100, null, null)"

async function workOf(connection: Connection, name: string, text: string): Promise<number> {
  const values = name === 'audit.owners.check' ? everything : '(100)'
  await connection.script(`prepare audited as ${text}`)
  const explain = `explain (analyze, timing off, format json) execute audited ${values}`
  const [row] = await connection.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(statement(`test.${name}`, explain))
  await connection.script('deallocate audited')
  return visited(row!['QUERY PLAN'][0].Plan)
}

const rules = registeredStatements().filter(({ name }) => /^audit\.(all|owners\.check|records)/.test(name))

it.each(['without statistics', 'with fresh statistics'])(
  'every rule reads each row a few times at most, %s',
  async (looks) => {
    expect(rules.length).toBeGreaterThan(20)
    await server.engine.database.asLogin(async (connection) => {
      if (looks === 'with fresh statistics') await connection.script('analyze')
      const [counted] = await connection.query<{ rows: bigint }>(
        statement(
          'test.auditedRows',
          `select (select count(*) from transactions) + (select count(*) from ledger_transfers)
             + (select count(*) from ledger_accounts) as rows`,
        ),
      )
      const rows = Number(counted!.rows)
      expect(rows).toBeGreaterThan(payments * 7)
      const tooMuch: string[] = []
      for (const { name, text } of rules) {
        const work = await workOf(connection, name, text)
        if (work > 25 * rows) tooMuch.push(`${name}: ${work} rows of ${rows}`)
      }
      expect(tooMuch).toEqual([])
    })
  },
)
