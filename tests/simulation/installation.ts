import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import pg from 'pg'

/** A server in a process of its own, which a test may kill without warning and start again. */

export const root = join(import.meta.dirname, '../..')

/** How long a claimed job stays with a dead process. */
const leaseMs = 1_000

export interface Installation {
  readonly baseUrl: string
  readonly dataDirectory: string
  /** Absent: the embedded one. */
  readonly databaseUrl: string | undefined
  start(): Promise<void>
  /** SIGKILL: the process has no say in it. */
  kill(): Promise<void>
  /** The SDK and the credentials of the platform `acme`, known once the server has started. */
  connect(): { readonly api: CorridorClient; readonly authorization: string }
  remove(): Promise<void>
}

/** On a fresh database of this server, or on the embedded one. */
export async function prepareInstallation(name: string, serverUrl?: string): Promise<Installation> {
  const dataDirectory = mkdtempSync(join(tmpdir(), `corridor-${name}-`))
  const database = `corridor_${name}_${process.pid}`
  const port = await freePort()
  const baseUrl = `http://localhost:${port}/2025-10-13`
  let child: ChildProcess | undefined
  let databaseUrl: string | undefined
  if (serverUrl) {
    await onServer(serverUrl, `create database ${database}`)
    const url = new URL(serverUrl)
    url.pathname = `/${database}`
    databaseUrl = url.href
  }

  const installation: Installation = {
    baseUrl,
    dataDirectory,
    databaseUrl,
    async start() {
      const started = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
        env: {
          PATH: process.env.PATH ?? '',
          CORRIDOR_DATA_DIR: dataDirectory,
          ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
          PORT: String(port),
          CORRIDOR_RATE_LIMITS: 'off',
          CORRIDOR_JOB_LEASE_MS: String(leaseMs),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      let log = ''
      await new Promise<void>((resolve, reject) => {
        started.once('exit', () => reject(new Error(log)))
        started.stderr.on('data', (chunk: Buffer) => {
          log += chunk
        })
        started.stdout.on('data', (chunk: Buffer) => {
          log += chunk
          if (log.includes('"msg":"ready"')) resolve()
        })
      })
    },
    async kill() {
      const dying = child
      child = undefined
      if (!dying || dying.exitCode !== null) return
      const gone = once(dying, 'exit')
      dying.kill('SIGKILL')
      await gone
    },
    connect() {
      const credentials = JSON.parse(readFileSync(join(dataDirectory, 'credentials.json'), 'utf8'))
      const acme = credentials.platforms.find((platform: { name: string }) => platform.name === 'acme')
      const secret = Buffer.from(`${acme.clientId}:${acme.clientSecret}`).toString('base64')
      return { api: createClient({ baseUrl, ...acme }), authorization: `Basic ${secret}` }
    },
    async remove() {
      await installation.kill()
      if (serverUrl) await onServer(serverUrl, `drop database if exists ${database} with (force)`)
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
  return installation
}

async function onServer(serverUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
