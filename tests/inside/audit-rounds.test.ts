import { auditSteps } from '@corridor/engine/mechanisms/audit/audit.ts'
import { readRound, takeAuditStep } from '@corridor/engine/mechanisms/audit/round.ts'
import { createCustomer, fund, internalAccountOf, openTestServer } from '@corridor/testkit/index.ts'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'

// The audit reads every row: one at a time for whoever asks, and a little at a time in the background.

const server = await openTestServer()
afterAll(() => server.expectSoundLedger())

const { database, world } = server.engine
const audit = async () => (await operate(server, 'GET', '/audit')).body
const tamper = (text: string) => database.asLogin((connection) => connection.script(text))

/** Takes steps as some process does, each when it is due. */
async function steps(count: number) {
  let taken = 0
  while (taken < count) {
    if (await takeAuditStep(server.engine)) taken++
    await server.pass(60_000)
  }
}

async function someMoney() {
  const api = server.client(await server.platform())
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')
  for (let count = 0; count < 3; count++) await fund(api, usd.id, 1_000)
  return usd
}

describe('the audit of everything', () => {
  it('answers whoever asks while it runs with the last result, and says so', async () => {
    await someMoney()
    const first = await audit()
    expect(first).toMatchObject({ sound: true, isUnderWay: false })
    expect(Date.parse(first.checkedAt)).toBe(world.now())
    await server.pass(1_000)
    const answers = await Promise.all([audit(), audit(), audit()])
    expect(answers.map(({ isUnderWay }) => isUnderWay).sort()).toEqual([false, true, true])
  })

  const databaseUrl =
    server.databaseKind === 'postgresql' ? process.env.CORRIDOR_TEST_DATABASE_URL : undefined
  it.skipIf(!databaseUrl)('does not run while another process runs it', async () => {
    const [row] = await server.rows<{ name: string }>('select current_database() as name')
    const url = new URL(databaseUrl!)
    url.pathname = `/${row!.name}`
    const other = new pg.Client({ connectionString: url.href })
    await other.connect()
    try {
      const { checkedAt } = await audit()
      await server.pass(1_000)
      await other.query('begin')
      await other.query(`select pg_advisory_xact_lock(${0x6175_6469})`)
      expect(await audit()).toMatchObject({ isUnderWay: true, checkedAt, sound: true })
      await other.query('commit')
      const after = await audit()
      expect(after.isUnderWay).toBe(false)
      expect(Date.parse(after.checkedAt)).toBeGreaterThan(Date.parse(checkedAt))
    } finally {
      await other.end()
    }
  })
})

describe('the audit in the background', () => {
  const all = auditSteps().length

  it('checks every rule in turn, continues where it stopped, and finds what was changed behind it', async () => {
    const usd = await someMoney()
    await steps(3)
    expect(await readRound(database)).toEqual({ problems: [], completedAt: null })
    // Its place is in the database: whoever takes the next step need not have taken one before.
    await steps(all - 3)
    expect((await readRound(database))?.completedAt).toBeGreaterThan(0)
    await tamper(
      `update ledger_accounts set credits_posted = credits_posted + 500 where id = 'avail:${usd.id}'`,
    )
    await steps(all)
    const rules = ({ problems }: { problems: readonly { rule: string }[] }) =>
      problems.map(({ rule }) => rule).sort()
    const found = ['BALANCE_DIFFERS_FROM_TRANSFERS', 'CURRENCY_UNBALANCED']
    expect(rules((await readRound(database))!)).toEqual(found)
    expect(rules((await audit()).inBackground)).toEqual(found)
    await tamper(
      `update ledger_accounts set credits_posted = credits_posted - 500 where id = 'avail:${usd.id}'`,
    )
    await steps(all)
    expect((await readRound(database))!.problems).toEqual([])
  })

  it('rests after each step, and is taken by one of two', async () => {
    await server.pass(60_000)
    const before = await database.system((connection) =>
      connection.query<{ step: bigint }>(
        { name: '', text: `select step from audit_runs where id = 'ROUND'` },
        [],
      ),
    )
    await Promise.all([takeAuditStep(server.engine), takeAuditStep(server.engine)])
    expect(await takeAuditStep(server.engine)).toBe(false)
    const after = await database.system((connection) =>
      connection.query<{ step: bigint }>(
        { name: '', text: `select step from audit_runs where id = 'ROUND'` },
        [],
      ),
    )
    expect((after[0]!.step - before[0]!.step + BigInt(all)) % BigInt(all)).toBe(1n)
  })
})
