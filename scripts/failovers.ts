import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBackground } from '../packages/engine/src/assembly/background.ts'
import { endLeasesOfTheDead } from '../packages/engine/src/mechanisms/jobs/claims.ts'
import { endEventLeases } from '../packages/engine/src/mechanisms/outbox/store.ts'
import { migrateUrl } from '../packages/testkit/src/database.ts'
import { createQuote, execute } from '../packages/testkit/src/index.ts'
import { type Outside, openPlatform, startProcess } from '../tests/simulation/outside.ts'
import { ask, startReplicas, until } from '../tests/simulation/replicas.ts'

/**
 * Failovers under load, one after the other: `npx tsx scripts/failovers.ts --rounds 100`.
 *
 * Two processes take payments and do background work. In each round the standby is frozen, or not, at a moment that nobody
 * chose, the server is killed and the standby takes over. Then nothing may be missing that a caller was told, and no rail and
 * no endpoint may have been told of what is missing. Ends with 1 at the first difference. PostgreSQL's programs are needed.
 *
 *   --rounds 100 --callers 8 --seconds 3
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    callers: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '3' },
  },
})
const [rounds, callers, seconds] = [values.rounds, values.callers, values.seconds].map(Number) as [
  number,
  number,
  number,
]
const amountMinor = 100
const opening = 100_000_000

const replicas = await startReplicas()
await migrateUrl(replicas.url('postgres'))
const outside: Outside = { webhooks: new Set(), payouts: new Set(), meet: async () => {} }
const first = await startProcess(replicas.url('postgres'), outside)
const second = await startProcess(replicas.url('postgres'), outside)
const background = [first, second].map(({ engine }) => startBackground(engine, { pollMs: 100 }))
const { api, balance, body } = await openPlatform(first, opening)
/** What callers were told: quotes that exist, and payments that are on their way. */
const acknowledged = { quotes: new Set<string>(), transactions: new Set<string>() }
const statuses: Record<string, number> = {}
let isOver = false

async function pay(): Promise<void> {
  while (!isOver) {
    const quote = await createQuote(api, body(amountMinor)).catch(() => undefined)
    if (!quote) {
      await wait(100)
      continue
    }
    acknowledged.quotes.add(quote.id)
    for (;;) {
      const { response } = await execute(api, quote.id, { 'idempotency-key': quote.id })
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.ok) acknowledged.transactions.add(quote.transactionId)
      if (response.ok || response.status < 500) break
      await wait(100)
    }
  }
}

async function idsOf(table: string): Promise<Set<string>> {
  const { rows } = await ask(replicas.primary, `select id from ${table}`)
  return new Set(rows.map(({ id }) => id as string))
}

/** What was told and is not there. */
async function missing(): Promise<Record<string, string[]>> {
  const [quotes, transactions, events] = await Promise.all(['quotes', 'transactions', 'events'].map(idsOf))
  const not = (told: Set<string>, there: Set<string>) => [...told].filter((id) => !there.has(id))
  return {
    quotes: not(told.quotes, quotes!),
    transactions: not(told.transactions, transactions!),
    payouts: not(told.payouts, transactions!),
    webhooks: not(told.webhooks, events!),
  }
}

/** As it was told before the server was killed: what comes later may not be there yet. */
let told = copy()
function copy() {
  return {
    quotes: new Set(acknowledged.quotes),
    transactions: new Set(acknowledged.transactions),
    payouts: new Set(outside.payouts),
    webhooks: new Set(outside.webhooks),
  }
}

const paying = Array.from({ length: callers }, pay)
let lost = 0
for (let round = 1; round <= rounds && lost === 0; round++) {
  const isFrozen = Math.random() < 0.75
  await wait(Math.random() * seconds * 1000)
  if (isFrozen) {
    await replicas.freezeStandby()
    // Short of what a commit waits for, or beyond it.
    await wait(Math.random() * 15_000)
  }
  await replicas.failOver()
  told = copy()
  const found = await missing()
  lost = Object.values(found).flat().length
  console.log(JSON.stringify({ round, isFrozen, told: sizes(told), lost, ...(lost > 0 ? { found } : {}) }))
  await replicas.addStandby()
}

isOver = true
await Promise.all(paying)
await until(() =>
  first.engine.jobs.nextDueAt(0).then(
    () => true,
    () => false,
  ),
)
await endLeasesOfTheDead(second.engine)
await endEventLeases(second.engine.database, Date.now())
const count = acknowledged.transactions.size
await until(async () => {
  const { rows } = await ask(
    replicas.primary,
    `select count(*)::int as n from transactions where status = 'COMPLETED'`,
  )
  // The one that brought the money is one of them.
  return (rows[0] as { n: number }).n >= count
}, 120_000)
const left = await balance()
await Promise.all(background.map((one) => one.stop()))
await first.expectSoundLedger()
const isWhole = left === opening - count * amountMinor
console.log(JSON.stringify({ rounds, payments: count, statuses, left, isWhole, lost }))
await Promise.all([first.close({ audited: false }), second.close({ audited: false })])
await replicas.stop()
process.exit(lost === 0 && isWhole ? 0 : 1)

function sizes(of: ReturnType<typeof copy>) {
  return Object.fromEntries(Object.entries(of).map(([name, ids]) => [name, ids.size]))
}
