import { parseArgs } from 'node:util'
import { createClient } from '@corridor/sdk/path-client.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { ask, startReplicas } from '../tests/simulation/replicas.ts'
import { StormServer } from '../tests/simulation/storm.ts'
import { median } from './bench/median.ts'

/**
 * Executions and reads a second, with a synchronous standby and without one, of several builds in turns:
 *
 *   npx tsx scripts/durability-cost.ts --programs apps/server/dist/main.js,OTHER/apps/server/dist/main.js
 *
 *   --rounds 3 --payments 400 --callers 24
 *
 * Only ratios of one run mean anything.
 */
const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: 'apps/server/dist/main.js' },
    rounds: { type: 'string', default: '3' },
    payments: { type: 'string', default: '400' },
    callers: { type: 'string', default: '24' },
  },
})
const [rounds, payments, callers] = [values.rounds, values.payments, values.callers].map(Number) as [
  number,
  number,
  number,
]
const figures = new Map<string, number[]>()
const replicas = await startReplicas({ fsync: 'on', shared_buffers: '256MB', max_wal_size: '2GB' })
try {
  for (let round = 0; round < rounds; round++) {
    for (const program of values.programs.split(',')) {
      for (const names of ['', '*']) await measure(program, names, round)
    }
  }
} finally {
  await replicas.stop()
}
for (const [name, all] of figures)
  console.log(`${name}: median ${median(all).toFixed(0)} of ${all.map(Math.round)}`)

async function measure(program: string, standbyNames: string, round: number): Promise<void> {
  const database = `cost_${round}_${Math.random().toString(36).slice(2)}`
  await ask(replicas.primary, `create database ${database}`)
  await ask(replicas.primary, `alter system set synchronous_standby_names = '${standbyNames}'`)
  await ask(replicas.primary, 'select pg_reload_conf()')
  const server = new StormServer(program, replicas.primary.url(database))
  try {
    await server.start()
    const { acme, authorization } = server.credentials()
    const api = createClient({ baseUrl: server.baseUrl, ...acme })
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, payments * 100)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const quotes: string[] = []
    await together(payments, async () => {
      quotes.push((await createQuote(api, quoteBody(usd, payee, 100))).id)
    })
    const name = `${program} ${standbyNames === '' ? 'without a standby' : 'with a standby'}`
    note(`${name}, executions a second`, await together(payments, (n) => server.execute(quotes[n]!)))
    const path = `/2025-10-13/quotes/${quotes[0]}`
    note(`${name}, reads a second`, await together(payments * 2, () => server.status(path, authorization)))
  } finally {
    await server.remove()
  }
}

/** How often a second. */
async function together(count: number, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const startedAt = performance.now()
  const caller = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return count / ((performance.now() - startedAt) / 1000)
}

function note(name: string, perSecond: number): void {
  console.error(name, Math.round(perSecond))
  figures.set(name, [...(figures.get(name) ?? []), perSecond])
}
