import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import type { Terminal } from '../terminal.ts'

/** What one does to an installation on this machine: check it. What starts it is in dev.ts. */

/** Beside this program once packed, in the folder of the server when run from the repository. */
export function serverProgram({ home }: Terminal, name: string): string {
  const candidates = [join(home, 'server', name), join(home, '../../server/dist', name)]
  const found = candidates.find((path) => existsSync(path))
  if (!found)
    throw new CommandFailure(
      exit.serverFault,
      `The program ${name} was not found.`,
      'In the repository, run npm run build.',
    )
  return found
}

interface AuditReport {
  readonly sound: boolean
  readonly checkedTransfers?: number
  readonly checkedAccounts?: number
  readonly problems: readonly unknown[]
}

export const audit: Command = {
  words: ['audit'],
  says: 'Audit the ledger directly in the database: in PostgreSQL at any time, in embedded data while Corridor is stopped',
  flags: { data: { type: 'string', says: 'data folder (default .corridor)' } },
  async run(context) {
    const { terminal, output } = context
    const ran = spawnSync(process.execPath, [serverProgram(terminal, 'audit.js')], {
      env: {
        ...process.env,
        CORRIDOR_DATA_DIR:
          process.env.CORRIDOR_DATA_DIR ?? resolve(terminal.directory, context.text('data') ?? '.corridor'),
      },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    const report = readReport(ran.stdout)
    if (!report) throw unaudited(ran.status, ran.stderr.trim())
    if (output.json) terminal.out(JSON.stringify(report, null, 2))
    else {
      const { checkedTransfers = 0, checkedAccounts = 0, problems } = report
      terminal.out(
        `${report.sound ? '✓ balanced' : '✕ DOES NOT BALANCE'}: ${checkedTransfers} transfers across ${checkedAccounts} ledger accounts`,
      )
      for (const problem of problems) terminal.out(JSON.stringify(problem))
    }
    return report.sound ? exit.done : exit.checkFailed
  },
}

/** What `audit.js` ends with where something about the place has to be put right first. */
const refusedByProgram = 2

/** Why nothing was checked, which says nothing of the books. */
function unaudited(status: number | null, said: string): CommandFailure {
  if (status !== refusedByProgram)
    return new CommandFailure(
      exit.serverFault,
      `Nothing was checked: ${said || 'the program printed nothing'}`,
    )
  const isInUse = / is in use by process /.test(said)
  return misused(
    `Nothing was checked. ${said}`,
    isInUse ? 'To audit through the running server, use corridor ledger audit get.' : undefined,
  )
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
      found('✓', `${client.baseUrl} responds in ${terminal.now() - before} ms and accepts the credentials`)
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
      `clock: ${Math.round(skewMs / 1000)} s apart from this machine; the sandbox is ${offsetSeconds} s ahead`,
    )
  } catch (error) {
    if (!(error instanceof Corridor.Error && error.status === 403)) throw error
    found('✓', 'production')
  }
  if (!endpoint)
    return found(
      '⚠',
      'no webhook endpoint; set one with corridor config update --set webhookEndpoint=https://…',
    )
  try {
    const { response_status: status } = (await client.webhooks.test()) as { response_status: number }
    const isGood = status >= 200 && status < 300
    const why = status >= 300 && status < 400 ? ': Corridor does not follow redirects' : ''
    found(isGood ? '✓' : '✕', `webhook endpoint ${endpoint} responds with ${status}${why}`)
  } catch (error) {
    found('✕', `webhook endpoint ${endpoint}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export const open: Command = {
  words: ['open'],
  takes: '[ID]',
  says: 'Print the console URL for an id, or the documentation URL without an id',
  async run(context) {
    const [id] = context.positionals
    const { origin } = new URL(context.client().baseUrl)
    const address = id === undefined ? `${origin}/docs` : `${origin}/console/go/${encodeURIComponent(id)}`
    const { terminal, output } = context
    terminal.out(output.json || output.jsonl ? JSON.stringify({ address }) : address)
    return undefined
  },
}
