import { openPostgresql } from '/work/wt-ledger/packages/engine/src/db/postgresql.ts'
import { createApplier } from '/work/wt-ledger/packages/engine/src/db/apply.ts'
import { makeWorld, silentLog } from '../../packages/kernel/src/index.ts'
import { randomBytes } from 'node:crypto'
import { prepareDatabase, seedBook, benchScope, accountId } from '/work/wt-ledger/scripts/bench/book.ts'
import pg from 'pg'
const [callers, dist, seconds = '4', nAcc='100000', hook='1'] = process.argv.slice(2)
const port = 54390
const admin = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` }); await admin.connect()
await admin.query('drop database if exists ap with (force)'); await admin.query('create database ap')
const driver = openPostgresql({ url: `postgresql://postgres@127.0.0.1:${port}/ap` })
const database = await prepareDatabase(driver)
const world = makeWorld({ now: () => Date.now(), randomBytes: pool(), fetch, log: silentLog, sleep: async () => {} })
function pool() { let buf = randomBytes(65536), at = 0; return (n: number) => { if (at + n > buf.length) { buf = randomBytes(65536); at = 0 } at += n; return new Uint8Array(buf.buffer, buf.byteOffset + at - n, n) } }
const book = { platformId: world.uuid(), environment: 'PRODUCTION' as const }
await seedBook(database, book, Number(nAcc))
if (hook==='0') await admin.query('select 1')
const applier = createApplier({ database, world, wake() {} })
let done = 0, failedN = 0; const lat: number[] = []
const N = Number(nAcc)
async function once(measure: boolean) {
  const d = 2 + Math.floor(Math.random() * (N-1)); let c = dist === 'hot' ? 1 : 2 + Math.floor(Math.random() * (N-1)); if (c === d) c = 1
  const id = world.uuid()
  const amount = 1n + BigInt(Math.floor(Math.random() * 100))
  const t0 = performance.now()
  const r = await applier.apply(benchScope(book, world.now()), {
    transfers: [{ id, debit: accountId(d), credit: accountId(c), currency: 'EUR', amountMinor: amount }],
    events: [{ type: 'OUTGOING_PAYMENT.COMPLETED', resourceId: id, data: { id, amount: Number(amount), debit: accountId(d), credit: accountId(c) } }],
    result: () => null,
  })
  if (!r.ok) failedN++
  if (measure) { done++; lat.push(performance.now() - t0) }
}
async function run(s: number, measure: boolean) { const end = performance.now() + s * 1000; await Promise.all(Array.from({ length: Number(callers) }, async () => { while (performance.now() < end) await once(measure) })) }
await run(1.5, false)
const c0 = process.cpuUsage(), t0 = performance.now(), p0 = pgcpu()
await run(Number(seconds), true)
const c = process.cpuUsage(c0), el = (performance.now() - t0) / 1000
lat.sort((a, b) => a - b)
console.log(`${dist} callers=${callers} tps=${(done / el).toFixed(0)} p50=${lat[lat.length >> 1]!.toFixed(1)} p99=${lat[Math.floor(lat.length * .99)]!.toFixed(1)} failed=${failedN} nodeCPU=${((c.user + c.system) / el / 10000).toFixed(0)}% pgCPU=${((pgcpu() - p0) / el).toFixed(0)}% node_us=${((c.user + c.system) / done).toFixed(1)} pg_us=${((pgcpu() - p0) * 1e4 / done).toFixed(1)}`)
if (process.env.STATS) { const a2 = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/ap` }); await a2.connect(); console.log((await a2.query("select sum(credits_posted-debits_posted)::text s, (select count(*) from ledger_transfers) t, (select count(*) from events) e from ledger_accounts")).rows[0]); await a2.end() }
await database.close(); await admin.end()
import { execSync } from 'node:child_process'
function pgcpu() { const out = execSync(`for p in $(pgrep -u postgres postgres); do cat /proc/$p/stat 2>/dev/null | cut -d' ' -f14,15; done`).toString(); let t = 0; for (const l of out.trim().split('\n')) { const [a, b] = l.split(' '); t += Number(a) + Number(b) } return t }
