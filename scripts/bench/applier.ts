/**
 * Drives apply from many callers in one process, as the HTTP server would, and prints one line of JSON.
 * Bundled before it runs, so that what is measured is what is shipped.
 */
import { randomFillSync } from 'node:crypto'
import { createApplier } from '../../packages/engine/src/mechanisms/db/apply.ts'
import { createDatabase } from '../../packages/engine/src/mechanisms/db/database.ts'
import { openPostgresql } from '../../packages/engine/src/mechanisms/db/postgresql.ts'
import type { Decision, Transfer } from '../../packages/engine/src/vocabulary/decision.ts'
import type { Reply } from '../../packages/engine/src/vocabulary/operation.ts'
import type { Book, Recording, Scope } from '../../packages/engine/src/vocabulary/scope.ts'
import { makeWorld, silentLog, toTimestamp } from '../../packages/kernel/src/index.ts'
import { accountId, benchScope, currency, hotAccount } from './book.ts'
import type { Distribution, Throughput } from './pgbench.ts'

export interface ApplierRun {
  readonly url: string
  readonly book: Book
  readonly accounts: number
  /** `transfer`: a transfer with its event. `payment`: all that the execution of a quote writes. */
  readonly load: 'transfer' | 'payment'
  readonly distribution: Distribution
  readonly callers: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

export interface ApplierResult extends Throughput {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly nodeMicrosecondsEach: number
  readonly rssMb: number
}

async function main(run: ApplierRun): Promise<ApplierResult> {
  const world = makeWorld({
    now: () => Date.now(),
    randomBytes: pooledRandom(),
    fetch,
    log: silentLog,
    sleep: async () => {},
  })
  const database = createDatabase(openPostgresql({ url: run.url }))
  const applier = createApplier({ database, world, wake() {} })
  let latencies: number[] = []

  async function caller(until: number): Promise<void> {
    const prepare = run.load === 'payment' ? paymentOf : transferOf
    for (;;) {
      const startedAt = performance.now()
      if (startedAt >= until) return
      const { scope, decision } = prepare(run, world)
      const outcome = await applier.apply(scope, decision)
      if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.failure)}`)
      latencies.push(performance.now() - startedAt)
    }
  }
  const drive = (seconds: number) => {
    const until = performance.now() + seconds * 1000
    return Promise.all(Array.from({ length: run.callers }, () => caller(until)))
  }

  await drive(run.warmUpSeconds)
  latencies = []
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  await drive(run.seconds)
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await database.close()

  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / elapsedSeconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    nodeMicrosecondsEach: (user + system) / latencies.length,
    rssMb: process.memoryUsage.rss() / 1e6,
  }
}

interface Prepared {
  readonly scope: Scope
  readonly decision: Decision<Reply>
}
type BenchWorld = ReturnType<typeof makeWorld>

function anyAccount(accounts: number): number {
  return 2 + Math.floor(Math.random() * (accounts - 1))
}

function transferOf(run: ApplierRun, world: BenchWorld): Prepared {
  const from = anyAccount(run.accounts)
  const other = anyAccount(run.accounts)
  const to = run.distribution === 'hot' || other === from ? hotAccount : other
  const amount = 1 + Math.floor(Math.random() * 100)
  const id = world.id('Transaction')
  const transfer: Transfer = {
    id,
    debit: accountId(from),
    credit: accountId(to),
    currency,
    amountMinor: BigInt(amount),
  }
  const { debit, credit } = transfer
  return {
    scope: benchScope(run.book, world.now()),
    decision: {
      transfers: [transfer],
      events: [
        {
          type: 'OUTGOING_PAYMENT.COMPLETED',
          resourceId: id,
          subjectId: null,
          data: { id, amount, debit, credit },
        },
      ],
      result: () => ({ status: 200 }),
    },
  }
}

/**
 * The row budget of an execution: a guarded row that changes, a transaction, the transfer into its
 * clearing account, a job, two events and the idempotent answer. Hot: all are paid from one account.
 */
function paymentOf(run: ApplierRun, world: BenchWorld): Prepared {
  const from = accountId(run.distribution === 'hot' ? hotAccount : anyAccount(run.accounts))
  const id = world.id('Transaction')
  const now = world.now()
  const at = toTimestamp(now)
  const data = { id, status: 'PROCESSING', sentAmount: 100, account: from, note: 'x'.repeat(600) }
  const recording: Recording = {
    key: id,
    fingerprint: id,
    retentionMs: 86_400_000,
    serialize: ({ body }) => JSON.stringify(body),
    refuse: ({ code }) => ({ status: 400, body: code }),
    seal: (body) => body,
  }
  return {
    scope: { ...benchScope(run.book, now), recording },
    decision: {
      updates: [
        { table: 'tokens', id: `Token:bench:${anyAccount(run.accounts) - 1}`, set: { updated_at: at } },
      ],
      inserts: [
        {
          table: 'transactions',
          row: {
            id,
            status: 'PROCESSING',
            type: 'OUTGOING',
            direction: 'DEBIT',
            owner_id: 'Customer:bench',
            platform_customer_id: 'bench',
            sent_amount: 100n,
            sent_currency: currency,
            source: { sourceType: 'ACCOUNT', accountId: from },
            destination: { destinationType: 'ACCOUNT', accountId: 'ExternalAccount:bench' },
            sender_identifiers: [from],
            receiver_identifiers: ['ExternalAccount:bench'],
            reference: id,
            flow: { step: 'PAYOUT' },
            details: { note: 'x'.repeat(200) },
            created_at: at,
            updated_at: at,
          },
        },
      ],
      transfers: [
        { id: `${id}:reserve`, debit: from, credit: `txn:${id}:${currency}`, currency, amountMinor: 100n },
      ],
      jobs: [{ kind: 'bench', payload: { id }, key: id, runAt: now + 86_400_000 }],
      events: ['PENDING', 'PROCESSING'].map((status) => ({
        type: `OUTGOING_PAYMENT.${status}`,
        resourceId: id,
        subjectId: null,
        data: { ...data, status },
      })),
      result: () => ({ status: 200, body: data }),
    },
  }
}

/** Random bytes from a pool: one call of the operating system for many ids. */
function pooledRandom(): (count: number) => Uint8Array {
  const pool = new Uint8Array(64 * 1024)
  let used = pool.length
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    return pool.slice(used - count, used)
  }
}

const input: Buffer[] = []
for await (const chunk of process.stdin) input.push(chunk)
process.stdout.write(JSON.stringify(await main(JSON.parse(Buffer.concat(input).toString()))))
