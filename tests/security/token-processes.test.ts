import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedServer, startServer } from './started-server.ts'

/** Two processes of one installation: where, and for how long, a removed token is still accepted (conventions 2.2). */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const databaseName = `corridor_revocation_${process.pid}`
const directory = mkdtempSync(join(tmpdir(), 'corridor-revocation-'))
/** How long a process may go on with what it knew. */
const graceMs = 2_000

describe.skipIf(!serverUrl)('a token that one of two processes removes', () => {
  let here: StartedServer
  let elsewhere: StartedServer
  beforeAll(async () => {
    buildServer()
    const url = await createMigratedDatabase(serverUrl!, databaseName)
    const environment = { DATABASE_URL: url, CORRIDOR_DATA_DIR: directory, CORRIDOR_RATE_LIMITS: 'off' }
    here = await startServer(environment)
    elsewhere = await startServer(environment)
  }, 240_000)
  afterAll(async () => {
    await Promise.all([here?.stop(), elsewhere?.stop()])
    rmSync(directory, { recursive: true, force: true })
    await admin(serverUrl!, `drop database if exists ${databaseName} with (force)`)
  })

  const status = async ({ base }: StartedServer, authorization: string, method = 'GET', id = '') =>
    (await fetch(`${base}/tokens${id && `/${id}`}`, { method, headers: { authorization } })).status

  async function newToken() {
    const response = await fetch(`${here.base}/tokens`, {
      method: 'POST',
      headers: { authorization: here.authorization('acme'), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'short-lived', permissions: ['VIEW'] }),
    })
    const { id, clientId, clientSecret } = (await response.json()) as Record<string, string>
    return { id, login: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` }
  }

  it('is refused there at once, and in the other one after two seconds at the latest', async () => {
    const lastAcceptedMs: number[] = []
    for (let round = 0; round < 5; round++) {
      const { id, login } = await newToken()
      // Both know it: from now on neither has to ask the database.
      expect([await status(here, login), await status(elsewhere, login)]).toEqual([200, 200])
      expect(await status(here, here.authorization('acme'), 'DELETE', id)).toBe(204)
      const removedAt = performance.now()
      expect(await status(here, login)).toBe(401)
      let last = 0
      // What is sent after the grace is refused, however busy the machine is: the check comes after the sending.
      for (;;) {
        const sentMs = performance.now() - removedAt
        const answer = await status(elsewhere, login)
        if (answer === 200) last = sentMs
        else expect(answer).toBe(401)
        if (sentMs > graceMs) break
      }
      lastAcceptedMs.push(last)
      for (let again = 0; again < 5; again++) {
        expect([await status(here, login), await status(elsewhere, login)]).toEqual([401, 401])
      }
    }
    console.info(
      `      last accepted by the other after ${lastAcceptedMs.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    )
    expect(Math.max(...lastAcceptedMs)).toBeLessThan(graceMs)
  }, 120_000)
})
