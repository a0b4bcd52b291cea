import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type StartedServer, startServer } from '../security/started-server.ts'

/** A process that is killed while it moves a clock, in the middle of retries that are sent together. */

const directory = mkdtempSync(join(tmpdir(), 'corridor-clock-kills-'))
const running: StartedServer[] = []
/** What came to the endpoint, in that order, and whether it was taken. */
const came: { readonly id: string; readonly attempt: number; readonly isTaken: boolean }[] = []
const eventsOfFunding = 2
let isDown = false
let onTaken = (_count: number) => {}
const endpoint = createServer((request, response) => {
  const { 'x-webhook-id': id, 'x-webhook-attempt': attempt } = request.headers
  came.push({ id: String(id), attempt: Number(attempt), isTaken: !isDown })
  request.resume()
  request.on('end', () => response.writeHead(isDown ? 503 : 200).end())
  if (!isDown) onTaken(came.filter(({ isTaken }) => isTaken).length)
})

beforeAll(async () => {
  buildServer()
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
}, 240_000)
afterAll(async () => {
  for (const each of running) await each.stop()
  endpoint.close()
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<StartedServer> {
  const server = await startServer({ CORRIDOR_DATA_DIR: directory, CORRIDOR_RATE_LIMITS: 'off' })
  running.push(server)
  return server
}

async function call<T>(server: StartedServer, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(server.base + path, {
    method,
    headers: {
      authorization: server.authorization('acme'),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.status, `${method} ${path}`).toBeLessThan(300)
  return (await answer.json()) as T
}

type Listed = { id: string; status: string; attempts: number }

async function pendingOf(server: StartedServer): Promise<Listed[]> {
  const path = '/webhook-events?limit=100&status=QUEUED&status=RETRYING'
  return (await call<{ data: Listed[] }>(server, 'GET', path)).data
}

const week = { seconds: 7 * 86_400 }
/** Each is told by two events: more than run together, so that some are recorded when the process dies, some sent alone, and some not begun. */
const fundings = 150
const events = fundings * eventsOfFunding
const takenBeforeKill = 200
/** What a process that dies in between sends again. */
const mostTogether = 128

it('nothing of them is lost, none is skipped, and none is recorded that was not sent', async () => {
  const first = await start()
  const { port } = endpoint.address() as AddressInfo
  await call(first, 'PATCH', '/config', { webhookEndpoint: `http://127.0.0.1:${port}/` })
  // The one that a new endpoint is tried with, which is not sent again.
  await vi.waitFor(() => expect(came).toHaveLength(1), { timeout: 60_000 })
  came.length = 0
  isDown = true
  const { data } = await call<{ data: { id: string }[] }>(first, 'GET', '/platform/internal-accounts')
  const fund = `/sandbox/internal-accounts/${data[0]!.id}/fund`
  for (let made = 0; made < fundings; made += 20) {
    await Promise.all(Array.from({ length: 20 }, () => call(first, 'POST', fund, { amount: 100 })))
  }
  const ids = () => new Set(came.map(({ id }) => id))
  await vi.waitFor(() => expect(ids().size).toBeGreaterThanOrEqual(events), { timeout: 120_000 })

  const killed = new Promise<void>((resolve) => {
    onTaken = (count) => {
      if (count === takenBeforeKill) resolve(running.pop()!.stop())
    }
  })
  isDown = false
  const cutOff = call(first, 'POST', '/sandbox/clock/advance', week).then(
    () => 'answered',
    () => 'cut off',
  )
  await killed
  expect(await cutOff).toBe('cut off')
  const before = came.length
  const takenFirst = new Set(came.filter(({ isTaken }) => isTaken).map(({ id }) => id))
  expect(takenFirst.size).toBeLessThan(events)

  const second = await start()
  await call(second, 'POST', '/sandbox/clock/advance', week)
  await vi.waitFor(async () => expect(await pendingOf(second)).toEqual([]), { timeout: 60_000 })
  const taken = came.filter(({ isTaken }) => isTaken)
  expect(new Set(taken.map(({ id }) => id))).toEqual(ids())
  const again = came.slice(before).filter(({ id }) => takenFirst.has(id))
  expect(again.length).toBeLessThanOrEqual(mostTogether)
  for (const id of ids()) {
    const attempts = came.filter((each) => each.id === id).map(({ attempt }) => attempt)
    // One that nobody recorded has the same number the second time; none is left out.
    attempts.forEach((attempt, index) => {
      const previous = attempts[index - 1] ?? 0
      expect([previous, previous + 1], `${id}: ${attempts}`).toContain(attempt)
    })
    const event = await call<Listed & { attemptLog: { attempt: number }[] }>(
      second,
      'GET',
      `/webhook-events/${id}`,
    )
    expect(event).toMatchObject({ status: 'DELIVERED', attempts: attempts.at(-1)! })
    expect(event.attemptLog.map(({ attempt }) => attempt).sort((a, b) => a - b)).toEqual(
      [...new Set(attempts)].sort((a, b) => a - b),
    )
  }
}, 400_000)
