import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import { readCredentials } from '../profile.ts'
import { scenarioOf } from '../scenarios/index.ts'
import type { Terminal } from '../terminal.ts'
import { seedFile } from './report.ts'

/** What one does to an installation on this machine: start it, read its log, check it. */

/** Beside this program once packed, in the folder of the server when run from the repository. */
function serverProgram({ home }: Terminal, name: string): string {
  const candidates = [join(home, 'server', name), join(home, '../../server/dist', name)]
  const found = candidates.find((path) => existsSync(path))
  if (!found)
    throw new CommandFailure(
      exit.serverFault,
      `There is no ${name} to start.`,
      'In the repository: npm run build',
    )
  return found
}

const firstScenario = 'OUTGOING_PAYMENT.COMPLETED'
const startsWithinMs = 60_000
const pollMs = 100

export const dev: Command = {
  words: ['dev'],
  says: 'Start a sandbox on this machine, without a network, and make a first payment',
  flags: {
    port: { type: 'string', says: 'port of the API; 7171 by default' },
    data: { type: 'string', says: 'folder of its data, or memory; .corridor by default' },
    scenario: {
      type: 'string',
      says: 'the type of event that happens first, as OUTGOING_PAYMENT.FAILED; a payment that completes by default',
    },
    seed: { type: 'string', says: 'a number: the same requests get the same answers, in an empty folder' },
  },
  async run(context) {
    const { terminal } = context
    const isPassing = context.text('data') === 'memory'
    const folder = isPassing
      ? mkdtempSync(join(tmpdir(), 'corridor-dev-'))
      : join(terminal.directory, context.text('data') ?? '.corridor')
    const port = context.text('port') ?? '7171'
    if (!/^\d{1,5}$/.test(port)) throw misused('--port is a number.')
    const seed = context.text('seed')
    if (seed !== undefined && !/^\d{1,15}$/.test(seed))
      throw misused('--seed is a number of up to 15 digits.')
    const wanted = context.text('scenario')
    const scenario = scenarioOf(wanted ?? firstScenario)
    const isFirst = !existsSync(join(folder, 'credentials.json'))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // All of it is secret or large: nothing of it belongs into a repository.
    writeFileSync(join(folder, '.gitignore'), '*\n')
    const logPath = join(folder, 'server.log')
    const log = openSync(logPath, 'a', 0o600)
    const logged = statSync(logPath).size
    const child = spawn(process.execPath, [serverProgram(terminal, 'main.js')], {
      env: {
        ...process.env,
        PORT: port,
        HOST: 'localhost',
        CORRIDOR_DATA_DIR: folder,
        CORRIDOR_LOG_LEVEL: 'info',
        // Everything in it is somebody's to try.
        CORRIDOR_WORLDS: process.env.CORRIDOR_WORLDS ?? 'on',
        ...(seed === undefined ? {} : { CORRIDOR_SEED: seed }),
      },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    const ended = new Promise<number>((resolve) =>
      child.once('close', (code) => resolve(code ?? exit.serverFault)),
    )
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    const stop = () => child.kill('SIGTERM')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    const address = await listening(terminal, logPath, logged, () => hasEnded)
    const { platforms, baseUrl } = readCredentials(join(folder, 'credentials.json'))
    const acme = platforms[0]!
    const base = `${address}${new URL(baseUrl).pathname}`
    const lines = {
      CORRIDOR_BASE_URL: base,
      CORRIDOR_CLIENT_ID: acme.clientId,
      CORRIDOR_CLIENT_SECRET: acme.clientSecret,
    }
    const text = Object.entries(lines).map(([name, value]) => `export ${name}=${value}`)
    writeFileSync(join(folder, 'env'), `${text.join('\n')}\n`, { mode: 0o600 })
    chmodSync(join(folder, 'env'), 0o600)
    terminal.note(`✓ ready       ${address}   data in ${folder}`)
    if (seed !== undefined) terminal.note(`  seed        ${seed}`)
    if (seed !== undefined) writeFileSync(join(folder, seedFile), `${seed}\n`, { mode: 0o600 })
    if (isFirst || wanted !== undefined) {
      const client = new Corridor({ baseUrl: base, ...acme })
      const id = await scenario(client, seed === undefined ? terminal : repeating(terminal, seed))
      if (wanted !== undefined && wanted !== firstScenario) {
        terminal.note(`✓ first event ${wanted} follows from ${id}`)
      } else {
        const { status } = await client.transactions.waitFor(id)
        terminal.note(`✓ first pay   1,000.00 USD to a bank in Germany: ${status}  ${id}`)
      }
    }
    const link = await startLink(address, acme)
    if (link !== undefined) terminal.note(`  console     ${link}   (once, within ten minutes)`)
    terminal.note(`  docs        ${address}/docs`)
    for (const line of text) terminal.out(line)
    terminal.note(`  (also in ${join(folder, 'env')})   Ctrl-C ends it`)
    const code = await ended
    if (isPassing) rmSync(folder, { recursive: true, force: true })
    return code
  },
}

/** A link that signs in to the console; undefined where the server makes none. */
async function startLink(
  address: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string | undefined> {
  const credential = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const headers = { authorization: `Basic ${credential}`, 'x-corridor-console': '1' }
  const answer = await fetch(`${address}/console/start-link`, { method: 'POST', headers })
  if (!answer.ok) return undefined
  const { path } = (await answer.json()) as { path: string }
  return address + path
}

/** What the first payment is made of is drawn from the seed as well. */
function repeating(terminal: Terminal, seed: string): Terminal {
  let drawn = 0
  return {
    ...terminal,
    uuid() {
      const hex = createHash('sha256').update(`${seed} ${drawn++}`).digest('hex')
      return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}

/** The address in the line of the log that says it is ready. */
async function listening(
  terminal: Terminal,
  path: string,
  from: number,
  hasEnded: () => boolean,
): Promise<string> {
  for (const until = terminal.now() + startsWithinMs; terminal.now() < until; await terminal.sleep(pollMs)) {
    const lines = readFileSync(path).subarray(from).toString('utf8').split('\n')
    const ready = lines.find((line) => line.includes('"msg":"ready"') && line.endsWith('}'))
    if (ready) return (JSON.parse(ready) as { listening: string }).listening
    if (hasEnded()) {
      throw new CommandFailure(
        exit.serverFault,
        `It did not start: ${lines.filter(Boolean).at(-1) ?? 'it said nothing'}`,
        `All it said: ${path}`,
      )
    }
  }
  throw new CommandFailure(
    exit.timedOut,
    `It is not ready after ${startsWithinMs / 1000} s.`,
    `All it said: ${path}`,
  )
}

export const logs: Command = {
  words: ['logs'],
  says: 'What the server of corridor dev logged',
  flags: {
    follow: { type: 'boolean', says: 'go on with what comes' },
    data: { type: 'string', says: 'folder of its data; .corridor by default' },
  },
  async run(context) {
    const { terminal } = context
    const path = join(terminal.directory, context.text('data') ?? '.corridor', 'server.log')
    if (!existsSync(path)) throw misused(`There is no log at ${path}.`, 'corridor dev writes one.')
    let read = 0
    do {
      const bytes = readFileSync(path)
      const end = bytes.lastIndexOf(10) + 1
      if (end > read) terminal.out(bytes.subarray(read, end - 1).toString('utf8'))
      read = Math.max(read, end)
      if (context.isSet('follow')) await terminal.sleep(pollMs * 3)
    } while (context.isSet('follow'))
    return undefined
  },
}

interface AuditReport {
  readonly sound: boolean
  readonly checkedTransfers?: number
  readonly checkedAccounts?: number
  readonly problems: readonly unknown[]
}

export const audit: Command = {
  words: ['audit'],
  says: 'Check that the ledger adds up: beside a server on PostgreSQL, or on stopped embedded data',
  flags: { data: { type: 'string', says: 'folder of its data; .corridor by default' } },
  async run(context) {
    const { terminal, output } = context
    const ran = spawnSync(process.execPath, [serverProgram(terminal, 'audit.js')], {
      env: {
        ...process.env,
        CORRIDOR_DATA_DIR:
          process.env.CORRIDOR_DATA_DIR ?? join(terminal.directory, context.text('data') ?? '.corridor'),
      },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    const report = readReport(ran.stdout)
    if (!report) throw new CommandFailure(exit.checkFailed, ran.stderr.trim() || 'There is no report.')
    if (output.json) terminal.out(JSON.stringify(report, null, 2))
    else {
      const { checkedTransfers = 0, checkedAccounts = 0, problems } = report
      terminal.out(
        `${report.sound ? '✓ sound' : '✕ UNSOUND'}: ${checkedTransfers} transfers over ${checkedAccounts} ledger accounts`,
      )
      for (const problem of problems) terminal.out(JSON.stringify(problem))
    }
    return report.sound ? exit.done : exit.checkFailed
  },
}

function readReport(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}

type Finding = { readonly sign: '✓' | '⚠' | '✕'; readonly text: string }
const mostSkewMs = 30_000

export const doctor: Command = {
  words: ['doctor'],
  says: 'Check this machine, the server, the credentials and the webhook endpoint',
  async run(context) {
    const { terminal, output } = context
    const findings: Finding[] = []
    const found = (sign: Finding['sign'], text: string) => findings.push({ sign, text })
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isNew = major > 20 || (major === 20 && minor >= 19)
    found(isNew ? '✓' : '✕', `Node ${process.versions.node}${isNew ? '' : ': 20.19 or later is needed'}`)
    const client = context.client()
    let endpoint: string | undefined
    try {
      const before = terminal.now()
      const config = await client.config.get()
      found('✓', `${client.baseUrl} answers in ${terminal.now() - before} ms, and knows the credentials`)
      endpoint = config.webhookEndpoint
    } catch (error) {
      found('✕', error instanceof Error ? error.message : String(error))
    }
    if (findings.every(({ sign }) => sign !== '✕')) await checkSandbox(client, terminal, endpoint, found)
    if (output.json) terminal.out(JSON.stringify(findings, null, 2))
    else for (const { sign, text } of findings) terminal.out(`${sign} ${text}`)
    return findings.some(({ sign }) => sign === '✕') ? exit.checkFailed : exit.done
  },
}

async function checkSandbox(
  client: Corridor,
  terminal: Terminal,
  endpoint: string | undefined,
  found: (sign: Finding['sign'], text: string) => void,
): Promise<void> {
  try {
    const { now, offsetSeconds } = await client.sandbox.clock.get()
    const skewMs = Date.parse(now) - offsetSeconds * 1000 - terminal.now()
    const isClose = Math.abs(skewMs) < mostSkewMs
    found(
      isClose ? '✓' : '⚠',
      `clock: ${Math.round(skewMs / 1000)} s from this machine's, sandbox ${offsetSeconds} s ahead`,
    )
  } catch (error) {
    if (!(error instanceof Corridor.Error && error.status === 403)) throw error
    found('✓', 'production')
  }
  if (!endpoint)
    return found('⚠', 'no webhook endpoint: corridor config update --set webhookEndpoint=https://…')
  try {
    const { response_status: status } = (await client.webhooks.test()) as { response_status: number }
    const isGood = status >= 200 && status < 300
    const why = status >= 300 && status < 400 ? ': redirects are never followed' : ''
    found(isGood ? '✓' : '✕', `webhook endpoint ${endpoint} answers ${status}${why}`)
  } catch (error) {
    found('✕', `webhook endpoint ${endpoint}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export const open: Command = {
  words: ['open'],
  takes: '[ID]',
  says: 'Prints the address of the page of any id in the console; without one that of the documentation',
  async run(context) {
    const [id] = context.positionals
    const { origin } = new URL(context.client().baseUrl)
    context.terminal.out(
      id === undefined ? `${origin}/docs` : `${origin}/console/go/${encodeURIComponent(id)}`,
    )
    return undefined
  },
}
