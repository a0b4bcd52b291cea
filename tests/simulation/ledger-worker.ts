/**
 * A process of its own that posts to a book as fast as it can, until it is killed. It prints each
 * verdict after it is final: `ok` or `no`, and the id of the transfer.
 */
import { createApplier } from '@corridor/engine/mechanisms/db/apply.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { makeWorld, silentLog } from '@corridor/kernel'

const [location = '', platformId = '', worker = '', callers = '16'] = process.argv.slice(2)
const driver = /^postgres(ql)?:/.test(location)
  ? openPostgresql({ url: location })
  : await openPglite({ directory: location })
const world = makeWorld({
  now: () => Date.now(),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fetch,
  log: silentLog,
  sleep: async () => {},
})
const applier = createApplier({ database: createDatabase(driver), world, wake() {} })
const book = { platformId, environment: 'SANDBOX' } as const
const refusal = { code: 'INSUFFICIENT_BALANCE' } as const

/** Few accounts and little money, so that processes meet on every row and many transfers are refused. */
const account = () => `avail:InternalAccount:${Math.floor(Math.random() * 12)}`
let made = 0

async function caller(): Promise<void> {
  for (;;) {
    const id = `${worker}:${made++}`
    const debit = account()
    const credit = account()
    if (debit === credit) continue
    const amountMinor = BigInt(1 + Math.floor(Math.random() * 300))
    const scope = { ...book, actor: { id: worker, permissions: [] }, now: world.now() }
    const outcome = await applier.apply<boolean>(scope, {
      transfers: [{ id, debit, credit, currency: 'EUR', amountMinor }],
      events: [{ type: 'MOVED', resourceId: id, subjectId: null, data: { id } }],
      uncovered: () => refusal as never,
      result: () => true,
    })
    process.stdout.write(`${outcome.ok ? 'ok' : 'no'} ${id}\n`)
  }
}

process.stdout.write('ready\n')
await Promise.all(Array.from({ length: Number(callers) }, caller))
