import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

/** An event stream of one process, whose reader loses access in another one (conventions 2.2). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const databaseName = `corridor_streams_${process.pid}`
const directory = mkdtempSync(join(tmpdir(), 'corridor-streams-'))
const graceMs = 2_000
const deadline = { timeout: 60_000 }

/** Reads a stream to its end, and notes when its parts came. */
function read(response: Response) {
  const parts: { readonly text: string; readonly at: number }[] = []
  const ended = (async () => {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return performance.now()
      parts.push({ text: value!, at: performance.now() })
    }
  })()
  return { ended, text: () => parts.map(({ text }) => text).join(''), parts }
}

describe.skipIf(!serverUrl).each([
  ['with rate limits', {}],
  ['without rate limits', { CORRIDOR_RATE_LIMITS: 'off' }],
])('a stream of one of two processes %s', (_name, limits) => {
  let here: StartedServer
  let elsewhere: StartedServer
  let accountId: string
  beforeAll(async () => {
    buildServer()
    const url = await createMigratedDatabase(serverUrl!, databaseName)
    const environment = { DATABASE_URL: url, CORRIDOR_DATA_DIR: directory, ...limits }
    here = await startServer(environment)
    elsewhere = await startServer(environment)
    const accounts = await call(here, '/platform/internal-accounts?limit=1')
    const { data } = (await accounts.json()) as { data: { id: string }[] }
    accountId = data[0]!.id
  }, 600_000)
  afterAll(async () => {
    await Promise.all([here?.stop(), elsewhere?.stop()])
    rmSync(directory, { recursive: true, force: true })
    await admin(serverUrl!, `drop database if exists ${databaseName} with (force)`)
  })

  const call = (server: StartedServer, path: string, init: RequestInit = {}) =>
    fetch(server.base + path, {
      ...init,
      headers: {
        authorization: server.authorization('acme'),
        'content-type': 'application/json',
        ...init.headers,
      },
    })
  /** An event that every reader of the platform is told of. */
  const emit = () =>
    call(elsewhere, `/sandbox/internal-accounts/${accountId}/fund`, {
      method: 'POST',
      body: JSON.stringify({ amount: 100 }),
    })

  /** Uses up the limit of the address, if there is one: "could not decide" is no admission. */
  async function flood(): Promise<void> {
    for (let sent = 0; sent < 400; sent += 50) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const response = await fetch(`${here.origin}/2025-10-13/no-such-route`)
          await response.text()
          return response.status
        }),
      )
      if (statuses.includes(429)) return
    }
  }

  async function token() {
    const response = await call(here, '/tokens', {
      method: 'POST',
      body: JSON.stringify({ name: 'reader', permissions: ['VIEW'] }),
    })
    const { id, clientId, clientSecret } = (await response.json()) as Record<string, string>
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    return {
      address: `${here.base}/stream`,
      headers: { authorization },
      revoke: () => call(elsewhere, `/tokens/${id}`, { method: 'DELETE' }),
    }
  }

  async function session() {
    const response = await fetch(`${here.origin}/console/session`, {
      method: 'POST',
      headers: { authorization: here.authorization('acme'), 'x-corridor-console': '1' },
    })
    const { platformId } = (await response.json()) as { platformId: string }
    const cookie = response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const headers = { cookie, 'x-corridor-console': '1' }
    return {
      address: `${here.origin}/console/api/${platformId}/sandbox/2025-10-13/stream`,
      headers,
      revoke: () => fetch(`${elsewhere.origin}/console/session`, { method: 'DELETE', headers }),
    }
  }

  it.each([
    ['a token that the other removes', token],
    ['a session that is signed out of the other', session],
  ])(
    'ends within two seconds for %s, and delivers nothing afterwards',
    async (_reader, open) => {
      const { address, headers, revoke } = await open()
      const response = await fetch(address, { headers: { ...headers, accept: 'text/event-stream' } })
      expect(response.status).toBe(200)
      const stream = read(response)
      await expect.poll(stream.text, deadline).toContain('event: ready')
      expect((await emit()).status).toBe(200)
      await expect.poll(stream.text, deadline).toContain('event: event')
      await flood()
      const removed = await revoke()
      expect(removed.status).toBe(204)
      const revokedAt = performance.now()
      // Events that come all the time would show one that is still delivered.
      let isOver = false
      const emitting = (async () => {
        while (!isOver) await Promise.all([emit().then((each) => each.text()), pause(50)])
      })()
      const endedAt = await Promise.race([stream.ended, pause(30_000, Number.POSITIVE_INFINITY)])
      isOver = true
      await emitting
      const late = stream.parts.filter(
        ({ text, at }) => at - revokedAt > graceMs && text.includes('event: event'),
      )
      console.info(`      ended ${(endedAt - revokedAt).toFixed(0)} ms after the revocation`)
      expect(late).toEqual([])
      expect(endedAt - revokedAt).toBeLessThan(graceMs)
      const [, after = ''] = stream.text().split('event: end')
      expect(after).not.toContain('event: event')
    },
    240_000,
  )
})
