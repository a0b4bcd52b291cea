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
import { advanceClock } from '../packages/engine/src/money/sandbox/commands.ts'
import { provisionPlatform } from '../packages/engine/src/platform/platforms/index.ts'

/**
 * How long `corridor clock advance 7d` takes with deliveries pending: `npx tsx scripts/clock-pace.ts`.
 *
 *   --events 1000        deliveries that failed once, and wait for their retry
 *   --refuses            the endpoint goes on refusing, so that each is tried until it is given up
 *   --takes-ms 0         how long the endpoint takes for its answer
 *
 * Fails where a delivery is missing, or came before one that was due earlier. The receiver is a process of its own. On the embedded database, or on that of DATABASE_URL, which has to be empty.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    refuses: { type: 'boolean', default: false },
    'takes-ms': { type: 'string', default: '0' },
    receive: { type: 'boolean', default: false },
  },
})

/** What the process of the receiver tells. */
interface Received {
  readonly url: string
  /** The ids of the events in the order in which they came since it answers 200. */
  readonly order: readonly string[]
  readonly requests: number
  readonly cpuMs: number
}

if (values.receive) await receive()
const receiver = fork(import.meta.filename, ['--receive', '--takes-ms', values['takes-ms']])
async function received(message: 'tell' | 'answer' = 'tell'): Promise<Received> {
  receiver.send(message)
  const [answer] = (await once(receiver, 'message')) as [Received]
  return answer
}
const { url } = await received()

const directory = mkdtempSync(join(tmpdir(), 'corridor-clock-pace-'))
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
const run = Date.now().toString(36)
const made = {
  name: `pace-${run}`,
  environment: 'SANDBOX',
  isRegulated: false,
  skipPaperwork: true,
} as const
const { platformId } = await provisionPlatform(engine, made)
const scope = await engine.clock.scope(
  { platformId, environment: 'SANDBOX' },
  { id: 'pace', permissions: [] },
)
await engine.applier.apply(scope, {
  updates: [
    { table: 'platform_configs', id: `PlatformConfig:${platformId}`, set: { webhook_endpoint: url } },
  ],
  result: () => null,
})
const events = Number(values.events)
const emit = (n: number) => ({ type: 'TEST', resourceId: `Thing:${n}`, subjectId: null, data: { n } })
for (let n = 0; n < events; n += 100) {
  const batch = Array.from({ length: Math.min(100, events - n) }, (_, index) => emit(n + index))
  await engine.applier.apply(scope, { events: batch, result: () => null })
}
while ((await received()).requests < events) await wait(20)
await engine.relay.runBook(engine, scope)
const upcoming = await engine.jobs.upcoming(scope, events + 1)
const pending = upcoming.filter(({ kind }) => kind === 'webhooks.deliver').length
const before = values.refuses ? await received() : await received('answer')
const usedBefore = process.cpuUsage()
const startedAt = performance.now()
const moved = await advanceClock(engine, scope, { seconds: 7 * 86_400 })
const milliseconds = Math.round(performance.now() - startedAt)
const used = process.cpuUsage(usedBefore)
const after = await received()
if (!moved.ok) throw new Error(moved.failure.code)
const { ranCount, counts, isThere } = moved.value
const { order } = after
const due = upcoming.map(({ subject }) => subject)
const inOrderOfDueTime = values.refuses ? undefined : isInOrder(order, due)
const isWhole = isThere && pending === events && inOrderOfDueTime !== false
console.log(
  JSON.stringify({
    database: DATABASE_URL ? 'postgresql' : 'embedded',
    endpoint: values.refuses ? 'refuses' : 'answers 200',
    pending,
    milliseconds,
    ranCount,
    isThere,
    counts,
    attempts: after.requests - before.requests,
    perSecond: Math.round((1000 * (after.requests - before.requests)) / milliseconds),
    inOrderOfDueTime,
    serverCpuMs: Math.round((used.user + used.system) / 1000),
    receiverCpuMs: Math.round(after.cpuMs - before.cpuMs),
  }),
)
receiver.kill()
await Promise.race([stop(), wait(2_000)])
rmSync(directory, { recursive: true, force: true })
process.exit(isWhole ? 0 : 1)

/** Whether deliveries came in the order in which they were due, those that came before the clock moved left out. */
function isInOrder(came: readonly string[], due: readonly (string | null)[]): boolean {
  const places = new Map(came.map((id, index) => [id, index]))
  const found = due.map((id) => places.get(id ?? '')).filter((place) => place !== undefined)
  return found.length > 0 && found.every((place, index) => index === 0 || found[index - 1]! < place)
}

/** The receiver: it refuses until it is told to answer. */
async function receive(): Promise<never> {
  let requests = 0
  let answers = false
  const order: string[] = []
  const takesMs = Number(values['takes-ms'])
  const server = createServer((request, response) => {
    requests++
    if (answers) order.push(String(request.headers['x-webhook-id']))
    request.resume()
    request.on('end', async () => {
      if (takesMs > 0) await wait(takesMs)
      response.statusCode = answers ? 200 : 503
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  process.on('message', (message) => {
    if (message === 'answer') answers = true
    const { user, system } = process.cpuUsage()
    const answer: Received = { url, order, requests, cpuMs: (user + system) / 1000 }
    process.send?.(answer)
  })
  return new Promise(() => {})
}
