import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@corridor/testkit/free-port.ts'
import { expect } from 'vitest'

/** A server in a process of its own, with a probe that says how it bears what is sent to it. */

const root = join(import.meta.dirname, '../..')

export interface Probe {
  /** The longest pause of the event loop since the reset, in CPU time of its thread. */
  readonly pauseMs: number
  /** The same by the clock on the wall, which a busy machine makes longer. */
  readonly wallPauseMs: number
  readonly rssMb: number
  readonly highestRssMb: number
}

export interface StartedServer {
  readonly origin: string
  readonly base: string
  readonly operator: string
  /** Basic credentials of one of the first platforms. */
  authorization(name: 'acme' | 'breeze' | 'civic'): string
  probe(message: 'reset' | 'read'): Promise<Probe>
  readonly log: () => string
  /** Fails if the process is no more. */
  expectAlive(): Promise<void>
  stop(): Promise<void>
}

export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<StartedServer> {
  const directory = environment.CORRIDOR_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'corridor-security-'))
  const port = await freePort()
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--expose-gc',
      ...nodeOptions,
      '--import',
      join(import.meta.dirname, 'probe.mjs'),
      join(root, 'apps/server/dist/main.js'),
    ],
    {
      env: {
        PATH: process.env.PATH ?? '',
        CORRIDOR_DATA_DIR: directory,
        HOST: '127.0.0.1',
        PORT: String(port),
        CORRIDOR_BASE_URL: `http://127.0.0.1:${port}`,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(log)))
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        log += chunk
        if (log.includes('"msg":"ready"')) resolve()
      })
    }
  })
  const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    base: `${origin}/2025-10-13`,
    operator: `Bearer ${credentials.operatorKey}`,
    authorization(name) {
      const { clientId, clientSecret } = credentials.platforms.find(
        (platform: { name: string }) => platform.name === name,
      )
      return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    },
    async probe(message) {
      const answer = once(child, 'message')
      child.send(message)
      const [reading] = (await answer) as [Probe]
      return reading
    },
    log: () => log,
    async expectAlive() {
      expect(child.exitCode).toBeNull()
      expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    },
    async stop() {
      if (child.exitCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
      if (!environment.CORRIDOR_DATA_DIR) rmSync(directory, { recursive: true, force: true })
    },
  }
}
