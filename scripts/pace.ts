import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { silentLog } from '@corridor/kernel'
import { createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'

/**
 * The pace of a healthy platform beside one whose rail and endpoint hang: `npx tsx scripts/pace.ts`.
 *
 *   --stuck 100          payments of the other platform whose rail never answers; 0 for the pace without it
 *   --payments 40        payments of the healthy one, four at a time, from execution to COMPLETED
 *   --checkout .         whose server is measured, also another checkout
 *   --limit-ms 60000     when to stop waiting
 */
const { values } = parseArgs({
  options: {
    stuck: { type: 'string', default: '100' },
    payments: { type: 'string', default: '40' },
    checkout: { type: 'string', default: join(import.meta.dirname, '..') },
    'limit-ms': { type: 'string', default: '60000' },
  },
})
const from = (path: string) => import(join(resolve(values.checkout), 'apps/server/src', path))
const { startInstallation } = await from('wiring.ts')
const { readConfig } = await from('config.ts')
const { openDataDirectory } = await from('data-directory.ts')
const { realWorld } = await from('real-world.ts')

const stuckAccount = '7777777777'
const directory = mkdtempSync(join(tmpdir(), 'corridor-pace-'))
const config = {
  ...readConfig({ CORRIDOR_DATA_DIR: directory, CORRIDOR_RATE_LIMITS: 'off', CORRIDOR_SANDBOX_STEP_MS: '0' }),
  port: 0,
  host: '127.0.0.1',
}
const { engine, address } = await startInstallation(
  config,
  realWorld(silentLog),
  openDataDirectory(directory),
)
const rail = engine.adapters.SANDBOX.rail('SPEI')
const submit = rail.submitPayout.bind(rail)
rail.submitPayout = (payout: { primaryId: string }, now: number) =>
  payout.primaryId === stuckAccount ? new Promise(() => {}) : submit(payout, now)
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await new Promise((listening) => silent.once('listening', listening))

const { platforms } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
async function platformOf(name: string, account: string, payments: number) {
  const credentials = platforms.find((platform: { name: string }) => platform.name === name)
  const api = createClient({ baseUrl: `${address}/2025-10-13`, ...credentials })
  const customer = await kit.createCustomer(api)
  const usd = await kit.internalAccountOf(api, customer.id, 'USD')
  await kit.fund(api, usd.id, 100 * Math.max(1, payments))
  const payee = await kit.createPayee(api, 'PHP', account, { customerId: customer.id })
  const quotes: string[] = []
  for (let n = 0; n < payments; n++)
    quotes.push((await kit.createQuote(api, kit.quoteBody(usd, payee, 100))).id)
  return { api, quotes }
}
const stuck = await platformOf('breeze', stuckAccount, Number(values.stuck))
const { port } = silent.address() as AddressInfo
const body = { webhookEndpoint: `http://127.0.0.1:${port}/` }
await stuck.api.PATCH('/config', { body: body as never })
const healthy = await platformOf('acme', '1234567890', Number(values.payments))
await Promise.all(stuck.quotes.map((id) => kit.execute(stuck.api, id)))

const startedAt = performance.now()
const times: number[] = []
const isOver = () => performance.now() - startedAt > Number(values['limit-ms'])
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let id = healthy.quotes.shift(); id !== undefined; id = healthy.quotes.shift()) {
      const begun = performance.now()
      await kit.execute(healthy.api, id)
      for (;;) {
        const path = { quoteId: id }
        const { data } = await healthy.api.GET('/quotes/{quoteId}', { params: { path } })
        if (data?.status === 'COMPLETED') break
        if (isOver()) return
        await wait(10)
      }
      times.push(performance.now() - begun)
    }
  }),
)
times.sort((a, b) => a - b)
const seconds = (performance.now() - startedAt) / 1000
console.log(
  JSON.stringify({
    stuck: Number(values.stuck),
    payments: Number(values.payments),
    completed: times.length,
    seconds: Math.round(seconds * 10) / 10,
    medianMs: Math.round(times[Math.floor(times.length / 2)] ?? Number.NaN),
    slowestMs: Math.round(times.at(-1) ?? Number.NaN),
  }),
)
rmSync(directory, { recursive: true, force: true })
process.exit(0)
