import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What the first start writes into `credentials.json`. */
export interface StartedPlatform {
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookPublicKey: string
}

export interface ServerProcess {
  /** With the version segment. */
  readonly baseUrl: string
  readonly platforms: readonly StartedPlatform[]
  readonly operatorKey: string
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export interface ServerSettings {
  /** The program; default: `corridor/server` as it is installed in your project, or `CORRIDOR_SERVER`. */
  readonly program?: string
  /** Variables of the server, `CORRIDOR_SANDBOX_STEP_MS` among them. */
  readonly environment?: Readonly<Record<string, string>>
  /** Default: 60 seconds. */
  readonly startTimeoutMs?: number
}

const stopsWithinMs = 10_000

/** Starts a Corridor on a port that is free, with an embedded database that goes with it. */
export async function startServerProcess(settings: ServerSettings = {}): Promise<ServerProcess> {
  const program = settings.program ?? findProgram()
  const directory = mkdtempSync(join(tmpdir(), 'corridor-test-'))
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      CORRIDOR_RATE_LIMITS: 'off',
      CORRIDOR_SANDBOX_STEP_MS: '0',
      ...settings.environment,
      CORRIDOR_DATA_DIR: directory,
      CORRIDOR_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithParent = () => child.kill('SIGKILL')
  process.once('exit', killWithParent)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    process.removeListener('exit', killWithParent)
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs)
    await ended
    clearTimeout(timer)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const address = await readyAddress(child, settings.startTimeoutMs ?? 60_000)
    const credentials = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as {
      readonly baseUrl: string
      readonly operatorKey: string
      readonly platforms: readonly StartedPlatform[]
    }
    const version = new URL(credentials.baseUrl).pathname
    return { ...credentials, baseUrl: `${address}${version}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address in the line that says it is ready. */
function readyAddress(child: ReturnType<typeof spawn>, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    const timer = setTimeout(() => fail(`is not ready after ${timeoutMs} ms`), timeoutMs)
    function fail(what: string) {
      clearTimeout(timer)
      reject(new Error(`Corridor ${what}\n${said.slice(-20).join('\n')}`))
    }
    createInterface({ input: child.stderr! }).on('line', (line) => said.push(line))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      said.push(line)
      if (!line.includes('"msg":"ready"')) return
      clearTimeout(timer)
      resolve((JSON.parse(line) as { listening: string }).listening)
    })
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    child.once('close', (code) => fail(`ended with ${code}`))
  })
}

function findProgram(): string {
  if (process.env.CORRIDOR_SERVER) return process.env.CORRIDOR_SERVER
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve('corridor/server')
  } catch (cause) {
    throw new Error(
      'startCorridor needs the package corridor beside @corridor/sdk: npm install -D corridor',
      {
        cause,
      },
    )
  }
}
