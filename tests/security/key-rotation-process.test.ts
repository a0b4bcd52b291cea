import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { admin, createMigratedDatabase } from '@corridor/testkit/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The rotation as operators run it, killed in the middle, on the database of this run. */
const directory = mkdtempSync(join(tmpdir(), 'corridor-rotation-'))
const root = join(import.meta.dirname, '../..')
const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const databaseName = `corridor_rotation_${process.pid}`
const started: ChildProcess[] = []
const environment: Record<string, string> = { CORRIDOR_DATA_DIR: join(directory, 'data'), PORT: '0' }

beforeAll(async () => {
  buildServer()
  if (serverUrl) environment.DATABASE_URL = await createMigratedDatabase(serverUrl, databaseName)
}, 180_000)
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(started.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')))
  rmSync(directory, { recursive: true, force: true })
  if (serverUrl) await admin(serverUrl, `drop database if exists ${databaseName} with (force)`)
})

function start(program: string, arguments_: string[] = [], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, `apps/server/dist/${program}.js`), ...arguments_], {
    env: { PATH: process.env.PATH ?? '', ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  const listeners: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  }
  return {
    child,
    output: () => output,
    /** Until the output matches; fails when the process ends before. */
    says: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output)
          if (found) resolve(found)
        }
        listeners.push(look)
        child.once('close', () => reject(new Error(output)))
        look()
      }),
    ended: once(child, 'close').then(([code]) => ({ code, output })),
  }
}

async function stop(server: ReturnType<typeof start>): Promise<void> {
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}

interface Credentials {
  readonly platforms: readonly { readonly clientId: string; readonly clientSecret: string }[]
}

function client(address: string) {
  const path = join(directory, 'data', 'credentials.json')
  const { platforms } = JSON.parse(readFileSync(path, 'utf8')) as Credentials
  const { clientId, clientSecret } = platforms[0]!
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return async (method: string, call: string, body?: object) => {
    const response = await fetch(`${address}/2025-10-13${call}`, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

describe('the rotation of the master key', () => {
  it('is killed in the middle, run again and finished, and nothing is lost', async () => {
    const first = start('main')
    const [, address] = await first.says(/"listening":"([^"]+)"/)
    const call = client(address!)
    const ids: unknown[] = []
    for (let count = 0; count < 5; count++) {
      const made = await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: `Ana ${count}` })
      expect(made.status).toBe(201)
      ids.push(made.body.id)
    }
    // The embedded database serves one process.
    if (!serverUrl) await stop(first)

    // On a server it would be done before the signal comes: what is next is held until it has.
    const held = serverUrl ? new pg.Client(environment.DATABASE_URL) : undefined
    await held?.connect()
    await held?.query('begin; lock table data_keys in access exclusive mode')
    const killed = start('rotate-master-key', ['--no-wait'])
    await killed.says(/installation_keys: resealed \d+ texts/)
    killed.child.kill('SIGKILL')
    const { output } = await killed.ended
    await held?.end()
    expect(output).not.toContain('Both master keys')
    expect(existsSync(join(directory, 'data', 'master.key.new'))).toBe(true)
    const early = await start('rotate-master-key', ['finish']).ended
    expect(early.code, early.output).toBe(2)

    const again = await start('rotate-master-key', ['--no-wait']).ended
    expect(again.code, again.output).toBe(0)
    expect(existsSync(join(directory, 'data', 'master.key.new'))).toBe(false)
    if (serverUrl) await stop(first)

    const second = start('main')
    const [, next] = await second.says(/"listening":"([^"]+)"/)
    const readable = async () => {
      for (const [index, id] of ids.entries()) {
        const { body } = await client(next!)('GET', `/customers/${id}`)
        expect(body).toMatchObject({ fullName: `Ana ${index}` })
      }
    }
    await readable()
    if (!serverUrl) await stop(second)
    const finished = await start('rotate-master-key', ['finish']).ended
    expect(finished.code, finished.output).toBe(0)
    if (serverUrl) {
      await readable()
      await stop(second)
    }

    const old = readFileSync(join(directory, 'data', 'master.key.old'), 'utf8').trim()
    const refused = await start('main', [], { CORRIDOR_MASTER_KEY: old }).ended
    expect(refused.code).toBe(2)
    expect(refused.output).toContain('The master key does not match')
    const third = start('main')
    const [, last] = await third.says(/"listening":"([^"]+)"/)
    expect((await client(last!)('GET', `/customers/${ids[0]}`)).body).toMatchObject({ fullName: 'Ana 0' })
    await stop(third)
  }, 300_000)
})
