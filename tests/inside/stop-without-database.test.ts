import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@corridor/kernel'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { startInstallation } from '../../apps/server/src/wiring.ts'
import { startCluster } from '../../scripts/bench/cluster.ts'
import { basic, json } from '../e2e/raw-calls.ts'

/** The stop of a server whose database is absent, on a PostgreSQL of its own. */

const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Work that is due is begun again for half a minute, and a supervisor kills after as long. */
const soonMs = 10_000
const patient = { timeout: 60_000, interval: 20 }

/** A log that remembers the words of what it was told. */
function rememberingLog() {
  const lines: string[] = []
  const remember = (_fields: object, message: string) => void lines.push(message)
  const log: Log = { debug: remember, info: remember, warn: remember, error: remember }
  return { lines, log }
}

describe.skipIf(!process.env.CORRIDOR_TEST_DATABASE_URL)('a server whose database is absent', () => {
  it.each([
    ['takes requests in turns', { CORRIDOR_SEED: '41' }, 'due work is waiting for the database'],
    ['does its work beside them', {}, undefined],
  ] as const)(
    'stops soon where it %s',
    async (_what, more, waitsFor) => {
      const cluster = await startCluster({ shared_buffers: '32MB', max_wal_size: '1GB', fsync: 'off' })
      undo.push(() => cluster.stop())
      const client = new pg.Client({ connectionString: cluster.url('postgres') })
      await client.connect()
      await client.query('create database absent')
      await client.end()
      const directory = mkdtempSync(join(tmpdir(), 'corridor-stop-'))
      undo.push(() => rmSync(directory, { recursive: true, force: true }))
      const settings = {
        CORRIDOR_DATA_DIR: directory,
        DATABASE_URL: cluster.url('absent'),
        CORRIDOR_WORLDS: 'on',
        ...more,
      }
      const { lines, log } = rememberingLog()
      const config = { ...readConfig(settings), port: 0, host: '127.0.0.1' }
      const installation = await startInstallation(config, realWorld(log), openDataDirectory(directory))
      const { platforms } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
      const ask = async (method: string, path: string, body?: object) => {
        const answer = await fetch(`${installation.address}/2025-10-13${path}`, {
          method,
          headers: { authorization: basic(platforms[0]), ...json },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        await answer.arrayBuffer()
        return answer.status
      }
      expect(await ask('GET', '/config')).toBe(200)
      await cluster.control('stop', '-m', 'immediate')
      lines.length = 0
      const asked = ask('POST', '/tokens', { name: 'late', permissions: ['VIEW'] })
      if (waitsFor) await vi.waitFor(() => expect(lines).toContain(waitsFor), patient)
      else await asked
      const beganAt = performance.now()
      await installation.stop()
      expect(performance.now() - beganAt).toBeLessThan(soonMs)
      // Whoever was in the queue has an answer.
      expect(await asked).toBe(503)
    },
    120_000,
  )
})
