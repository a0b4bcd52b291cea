import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CorridorClient, createClient } from '../../packages/sdk/src/path-client.ts'

export type Role = 'all' | 'api' | 'worker'

/** What is started, and how: as `npm start` starts it, with its request log. The document repeats it. */
export const startedWith = {
  command: 'node apps/server/dist/main.js',
  log: 'info, with a line for each request, to a file',
  settings: { CORRIDOR_RATE_LIMITS: 'off', CORRIDOR_SANDBOX_STEP_MS: '0' },
} as const

/** One platform of an installation, and how to call it. */
export interface Caller {
  readonly api: CorridorClient
  readonly authorization: string
  readonly clientId: string
  /** What stands before the path of an operation. */
  readonly prefix: string
}

/** The server as it is shipped, on one database and one data directory, started and stopped as often as asked. */
export interface Installation {
  readonly origin: string
  start(role: Role, port?: number): Promise<ChildProcess>
  end(server: ChildProcess): Promise<unknown>
  /** A platform of the first start, by its name. */
  caller(name: string): Promise<Caller>
  remove(): Promise<void>
}

export async function createInstallation(databaseUrl: string, port: number): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'corridor-bench-data-'))
  const log = openSync(join(directory, 'log'), 'a')
  const origin = `http://127.0.0.1:${port}`
  const [program, ...parameters] = startedWith.command.split(' ')
  return {
    origin,
    async start(role, at = port) {
      const child = spawn(program === 'node' ? process.execPath : program!, parameters, {
        stdio: ['ignore', log, 'inherit'],
        env: {
          ...process.env,
          ...startedWith.settings,
          DATABASE_URL: databaseUrl,
          PORT: String(at),
          HOST: '127.0.0.1',
          CORRIDOR_DATA_DIR: directory,
          CORRIDOR_ROLE: role,
        },
      })
      await readiness(child, at)
      return child
    },
    end: (server) => new Promise((resolve) => server.once('close', resolve) && server.kill('SIGTERM')),
    async caller(name) {
      const credentials = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))
      const platform = credentials.platforms.find((one: { name: string }) => one.name === name)
      const { clientId, clientSecret } = platform
      const { pathname } = new URL(credentials.baseUrl)
      return {
        api: createClient({ baseUrl: origin + pathname, clientId, clientSecret, fetch }),
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        clientId,
        prefix: pathname,
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Waits until a server of any role answers that it is ready. */
async function readiness(child: ChildProcess, at: number): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${at}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the server ended with ${child.exitCode}`)
}

/** CPU seconds that a process has used. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Megabytes (2^20 bytes) of memory that a process holds. */
export async function residentMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024)
}
