import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { silentLog } from '@corridor/kernel'
import { readConfig } from '../apps/server/src/config.ts'
import { openDataDirectory } from '../apps/server/src/data-directory.ts'
import { realWorld } from '../apps/server/src/real-world.ts'
import { startInstallation } from '../apps/server/src/wiring.ts'
import { provisionPlatform } from '../packages/engine/src/platform/platforms/index.ts'

/**
 * How many events per second a healthy receiver gets while others hang: `npx tsx scripts/webhook-pace.ts`.
 *
 *   --events 5000        for the healthy receiver, each of a resource of its own
 *   --hanging 10         platforms whose receiver takes every connection and never answers, 100 events each
 *   --limit-ms 60000     when to stop waiting
 *
 * The receivers are a process of their own, so its CPU is told apart. On the embedded database, or on that of DATABASE_URL, which has to be empty.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '5000' },
    hanging: { type: 'string', default: '10' },
    'limit-ms': { type: 'string', default: '60000' },
    receive: { type: 'boolean', default: false },
  },
})

/** What the process of the receivers tells: where they listen, how many have arrived, and its own CPU. */
interface Received {
  readonly healthy: string
  readonly silent: string
  readonly delivered: number
  readonly cpuMs: number
}

if (values.receive) await receive()
const receivers = fork(import.meta.filename, ['--receive'])
async function received(): Promise<Received> {
  receivers.send('?')
  const [answer] = (await once(receivers, 'message')) as [Received]
  return answer
}
const urls = await received()

const directory = mkdtempSync(join(tmpdir(), 'corridor-webhook-pace-'))
const { DATABASE_URL } = process.env
const config = {
  ...readConfig({
    CORRIDOR_DATA_DIR: directory,
    CORRIDOR_RATE_LIMITS: 'off',
    ...(DATABASE_URL ? { DATABASE_URL } : {}),
  }),
  port: 0,
  host: '127.0.0.1',
}
const { engine, stop } = await startInstallation(config, realWorld(silentLog), openDataDirectory(directory))

async function platformAt(name: string, url: string, events: number) {
  const made = { name, environment: 'SANDBOX', isRegulated: false, skipPaperwork: true } as const
  const { platformId } = await provisionPlatform(engine, made)
  const scope = await engine.clock.scope(
    { platformId, environment: 'SANDBOX' },
    { id: 'pace', permissions: [] },
  )
  const id = `PlatformConfig:${platformId}`
  await engine.applier.apply(scope, {
    updates: [{ table: 'platform_configs', id, set: { webhook_endpoint: url } }],
    result: () => null,
  })
  return async () => {
    const emit = (n: number) => ({ type: 'TEST', resourceId: `Thing:${n}`, subjectId: null, data: { n } })
    for (let n = 0; n < events; n += 100) {
      const batch = Array.from({ length: Math.min(100, events - n) }, (_, index) => emit(n + index))
      await engine.applier.apply(scope, { events: batch, result: () => null })
    }
  }
}

const run = Date.now().toString(36)
for (let n = 0; n < Number(values.hanging); n++) {
  await (await platformAt(`hanging-${run}-${n}`, urls.silent, 100))()
}
await wait(500)
const events = Number(values.events)
const emitAll = await platformAt(`healthy-${run}`, urls.healthy, events)
const startedAt = performance.now()
const usedBefore = process.cpuUsage()
const receiversBefore = (await received()).cpuMs
await emitAll()
const committedMs = performance.now() - startedAt
let seen = await received()
while (seen.delivered < events && performance.now() - startedAt < Number(values['limit-ms'])) {
  await wait(20)
  seen = await received()
}
const used = process.cpuUsage(usedBefore)
const seconds = (performance.now() - startedAt) / 1000
const { delivered } = seen
const perEvent = (ms: number) => Math.round((100 * ms) / delivered) / 100
console.log(
  JSON.stringify({
    database: DATABASE_URL ? 'postgresql' : 'embedded',
    hanging: Number(values.hanging),
    events,
    delivered,
    committedMs: Math.round(committedMs),
    seconds: Math.round(seconds * 100) / 100,
    perSecond: Math.round(delivered / seconds),
    // Milliseconds of CPU for each event; those of PostgreSQL are not among them.
    serverCpuMs: perEvent((used.user + used.system) / 1000),
    receiversCpuMs: perEvent(seen.cpuMs - receiversBefore),
  }),
)
receivers.kill()
await Promise.race([stop(), wait(2_000)])
rmSync(directory, { recursive: true, force: true })
process.exit(0)

/** The receivers: one that answers at once, and one that takes every connection and never answers. */
async function receive(): Promise<never> {
  let count = 0
  const servers = [
    createServer((request, response) => {
      request.resume()
      request.on('end', () => {
        count++
        response.end()
      })
    }),
    createServer(() => {}),
  ]
  const ports = servers.map(async (server) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  const [healthyUrl = '', silentUrl = ''] = await Promise.all(ports)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const answer: Received = {
      healthy: healthyUrl,
      silent: silentUrl,
      delivered: count,
      cpuMs: (user + system) / 1000,
    }
    process.send?.(answer)
  })
  return new Promise(() => {})
}
