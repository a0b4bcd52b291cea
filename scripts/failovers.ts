import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBackground } from '../packages/engine/src/assembly/background.ts'
import { endLeasesOfTheDead } from '../packages/engine/src/mechanisms/jobs/claims.ts'
import { endEventLeases } from '../packages/engine/src/mechanisms/outbox/store.ts'
import { migrateUrl } from '../packages/testkit/src/database.ts'
import { proofSeed } from '../packages/testkit/src/effort.ts'
import { createQuote, execute, simWorld } from '../packages/testkit/src/index.ts'
import { type Outside, openPlatform, startProcess } from '../tests/simulation/outside.ts'
import { ask, startReplicas, until } from '../tests/simulation/replicas.ts'

/**
 * Failovers under load, one after the other: `npx tsx scripts/failovers.ts --rounds 100`.
 *
 * Two processes take payments and do background work. In each round the standby is frozen, or not, at a random moment, the
 * server is killed and the standby takes over. Then everything that a caller, a rail or an endpoint was told must be there.
 * Ends with 1 at the first difference. Needs PostgreSQL's programs. CORRIDOR_PROOF_SEED chooses the moments.
 *
 *   --rounds 100 --callers 8 --seconds 3 --freeze 15
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    callers: { type: 'string', default: '8' },
    /** Longest time before a freeze or a kill, and of a freeze. */
    seconds: { type: 'string', default: '3' },
    freeze: { type: 'string', default: '15' },
  },
})
const [rounds, callers, seconds, freeze] = [values.rounds, values.callers, values.seconds, values.freeze].map(
  Number,
) as [number, number, number, number]
const seed = proofSeed(1)
const random = () => Buffer.from(chance.randomBytes(4)).readUInt32LE() / 2 ** 32
const chance = simWorld(seed)
const amountMinor = 100
const opening = 100_000_000

console.log(`seed ${seed}`)
const replicas = await startReplicas()
await migrateUrl(replicas.url('postgres'))
const outside: Outside = { webhooks: new Set(), payouts: new Set(), meet: async () => {} }
// Half the time that a server has to answer: most freezes outlast the sessions that wait for the standby.
const patience = 0.5
const first = await startProcess(replicas.url('postgres'), outside, patience)
const second = await startProcess(replicas.url('postgres'), outside, patience)
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
  const isFrozen = random() < 0.75
  const runMs = Math.round(random() * seconds * 1000)
  // Short of what a commit waits for, or beyond it.
  const frozenMs = Math.round(random() * freeze * 1000)
  await wait(runMs)
  if (isFrozen) {
    await replicas.freezeStandby()
    await wait(frozenMs)
  }
  await replicas.failOver()
  told = copy()
  const found = await missing()
  lost = Object.values(found).flat().length
  console.log(
    JSON.stringify({
      round,
      runMs,
      frozenMs: isFrozen ? frozenMs : 0,
      told: sizes(told),
      lost,
      ...(lost > 0 ? { found } : {}),
    }),
  )
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
console.log(JSON.stringify({ seed, rounds, payments: count, statuses, left, isWhole, lost }))
await Promise.all([first.close({ audited: false }), second.close({ audited: false })])
await replicas.stop()
process.exit(lost === 0 && isWhole ? 0 : 1)

function sizes(of: ReturnType<typeof copy>) {
  return Object.fromEntries(Object.entries(of).map(([name, ids]) => [name, ids.size]))
}
