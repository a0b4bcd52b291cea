import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type StartedServer, startServer } from '../security/started-server.ts'

/** A process that is killed in the middle, and another that goes on with its database. */

const directory = mkdtempSync(join(tmpdir(), 'corridor-streams-'))
const running: StartedServer[] = []
beforeAll(buildServer, 180_000)
afterAll(async () => {
  for (const each of running) await each.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<StartedServer> {
  const server = await startServer({ CORRIDOR_DATA_DIR: directory, CORRIDOR_RATE_LIMITS: 'off' })
  running.push(server)
  return server
}

/** The ids that a stream tells, from after `lastEventId` on. */
async function follow(server: StartedServer, lastEventId?: string) {
  const response = await fetch(`${server.base}/stream`, {
    headers: {
      authorization: server.authorization('acme'),
      accept: 'text/event-stream',
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
  })
  expect(response.status).toBe(200)
  const said: string[] = []
  const ids: string[] = []
  void (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream() as never)) {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop()!
      for (const frame of frames) {
        const [, event] = /^event: (.*)$/m.exec(frame) ?? []
        const [, id] = /^id: (.*)$/m.exec(frame) ?? []
        if (event) said.push(event)
        if (event === 'event') ids.push(id!)
      }
    }
  })().catch(() => {})
  await vi.waitFor(() => expect(said).not.toEqual([]), { timeout: 60_000 })
  return { ids, said }
}

async function call(server: StartedServer, method: string, path: string, body?: object) {
  const answer = await fetch(server.base + path, {
    method,
    headers: {
      authorization: server.authorization('acme'),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as { data: { id: string }[] } }
}

it('a stream goes on after a kill where it stopped, with nothing missing and nothing double', async () => {
  const first = await start()
  const { data } = (await call(first, 'GET', '/platform/internal-accounts')).body
  const fund = (server: StartedServer) =>
    call(server, 'POST', `/sandbox/internal-accounts/${data[0]!.id}/fund`, { amount: 100 })
  const before = await follow(first)
  // Until it is killed: what was committed and not told is for the next one to tell.
  let isKilled = false
  const funding = (async () => {
    for (let times = 0; times < 80 && !isKilled; times++) await fund(first)
  })().catch(() => {})
  await vi.waitFor(() => expect(before.ids.length).toBeGreaterThan(5), { timeout: 60_000 })
  await running.pop()!.stop()
  isKilled = true
  await funding

  const second = await start()
  const after = await follow(second, before.ids.at(-1))
  expect((await fund(second)).status).toBe(200)
  const newest = (await call(second, 'GET', '/webhook-events?limit=1')).body.data[0]!.id
  await vi.waitFor(() => expect(after.ids).toContain(newest), { timeout: 60_000 })
  const told = [...before.ids, ...after.ids]
  const all = (await call(second, 'GET', '/webhook-events?limit=100')).body.data.map(({ id }) => id)
  const from = all.indexOf(told[0]!)
  expect(from).toBeGreaterThanOrEqual(5)
  expect([...told].sort()).toEqual(all.slice(0, from + 1).sort())
}, 240_000)
