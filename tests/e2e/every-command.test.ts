import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer } from '@corridor/testkit/index.ts'
import { operatorKey } from '@corridor/testkit/server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, runCli } from '../../apps/cli/src/cli.ts'
import type { Command } from '../../apps/cli/src/command.ts'
import { operationCommands } from '../../apps/cli/src/commands/operations.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'

// What every command keeps to: `--json` is JSON, standard output has nothing else, and the exit code tells what happened.

const server = await openTestServer()
const directory = mkdtempSync(join(tmpdir(), 'corridor-every-command-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const platform = await server.platform()
// What the last of them began ends before the server does.
afterAll(() => server.settle())
const environment = {
  HOME: directory,
  CORRIDOR_BASE_URL: server.baseUrl,
  CORRIDOR_CLIENT_ID: platform.clientId,
  CORRIDOR_CLIENT_SECRET: platform.clientSecret,
  CORRIDOR_OPERATOR_KEY: operatorKey,
}

/** On a terminal with a person before it, who wants no colour; nobody answers questions. */
async function corridor(words: readonly string[]) {
  const [out, notes, statuses]: [string[], string[], number[]] = [[], [], []]
  const stopping = new AbortController()
  const terminal: Terminal = {
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    isPerson: true,
    hasColour: false,
    canAsk: false,
    ask: async () => '',
    read: async () => '',
    now: () => server.world.now(),
    sleep: async (ms) => server.pass(ms),
    uuid: () => server.world.uuid(),
    fetch: async () => new Response(),
    untilStopped: () => {
      stopping.abort()
      return stopping.signal
    },
    environment: { ...environment, NO_COLOR: '1' },
    directory,
    home: directory,
  }
  const asking: typeof fetch = async (input, init) => {
    const answer = await server.fetch(new Request(input, init))
    statuses.push(answer.status)
    return answer
  }
  const runtime = { sleep: async () => void (await server.settle()), now: () => server.world.now() }
  const code = await runCli(words, terminal, { fetch: asking, runtime, maxRetries: 0 })
  return { code, out: out.join('\n'), notes: notes.join('\n'), status: statuses.at(-1) }
}

const nobody = '00000000-0000-7000-8000-000000000000'

/** With an id that names nothing, and an empty body. */
function shortest({ words, takes = '', flags = {} }: Command): string[] {
  const ids = takes
    .split(' ')
    .filter(Boolean)
    .map(() => nobody)
  return [...words, ...ids, ...('data' in flags ? ['--data', '{}'] : [])]
}

/** What a command ends with after an answer of this status; undefined where it has asked nobody. */
function codeOf(status: number | undefined): readonly number[] {
  if (status === undefined) return [2, 7]
  return [status < 400 ? 0 : status < 500 ? 1 : 4]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what colours and moves
const moving = /\u001b/

describe('an operation', () => {
  it.each(operationCommands.map((command) => [command.words.join(' '), command] as const))(
    '%s',
    async (_, command) => {
      const ran = await corridor([...shortest(command), '--json', '--no-input'])
      expect(codeOf(ran.status), ran.notes).toContain(ran.code)
      expect(`${ran.out}${ran.notes}`).not.toMatch(moving)
      if (ran.code === 0) {
        if (ran.out !== '') JSON.parse(ran.out)
      } else {
        expect(ran.out).toBe('')
        expect(ran.notes).toMatch(/^✕ \S/)
      }
    },
  )
})

/** Of every other command one that does something and one that is refused, with what it ends with. */
const tasks: Readonly<Record<string, readonly (readonly [readonly string[], number])[]>> = {
  // A server with a folder, which goes on: tests/e2e/dev.test.ts.
  dev: [[['--port', 'no'], 2]],
  pay: [
    [['--from', 'ACCOUNT', '--to', 'PAYEE', '--send', '10USD', '--yes'], 0],
    [['--from', nobody, '--to', 'PAYEE', '--send', '10USD', '--yes'], 1],
    [['--send', '10USD'], 2],
    [['--from', 'ACCOUNT', '--to', 'PAYEE', '--send', '10USD'], 7],
  ],
  fund: [
    [['ACCOUNT', '1.00', 'USD'], 0],
    [[nobody, '1.00', 'USD'], 1],
    [['ACCOUNT', '1.00', 'EUR'], 2],
  ],
  clock: [
    [['show'], 0],
    [['advance', '1h'], 0],
    [['to-next'], 0],
    [['run-until-quiet'], 0],
    [['back'], 2],
  ],
  inbox: [
    [[], 0],
    [['--to', 'nobody@example.com'], 2],
    [['--wait', '--timeout', '0', '--to', 'nobody@example.com'], 6],
  ],
  'fault add': [
    [['ERROR', 'API', '--match', 'operationId=listCards'], 0],
    [['ERROR', 'MOON'], 1],
    [[], 2],
  ],
  'fault list': [[[], 0]],
  'fault apply': [
    [['faults.yaml'], 0],
    [['none.yaml'], 2],
  ],
  'fault export': [[[], 0]],
  'fault rm': [
    [[nobody], 1],
    [['--all'], 0],
    [[], 2],
  ],
  // In an installation that makes no copies; where it does: tests/inside/worlds.test.ts.
  fork: [
    [['t1'], 1],
    [[], 2],
  ],
  snapshot: [
    [['s1'], 1],
    [[], 2],
  ],
  restore: [
    [['s1', '--yes'], 1],
    [['s1'], 7],
  ],
  reset: [
    [['--yes'], 1],
    [[], 7],
    [['all', '--yes'], 2],
  ],
  listen: [[[], 2]],
  resend: [
    // Nobody listens: tests/e2e/webhook-listeners.test.ts has somebody.
    [['EVENT'], 1],
    [[`Webhook:${nobody}`], 1],
  ],
  replay: [
    [['--since', '1h', '--yes'], 0],
    [['--since', 'noon'], 2],
  ],
  trigger: [
    [['OUTGOING_PAYMENT.COMPLETED'], 0],
    [['NOTHING'], 2],
  ],
  explain: [
    [['PAYMENT'], 0],
    [[`Transaction:${nobody}`], 1],
    [[], 2],
  ],
  report: [
    [[], 0],
    [['--limit', '0'], 2],
  ],
  doctor: [[[], 0]],
  // Needs the built server: tests/e2e/dev.test.ts.
  audit: [[['here'], 2]],
  logs: [
    [['--data', '.'], 0],
    [['--data', 'none'], 2],
  ],
  open: [
    [['Transaction:1'], 0],
    [[], 0],
  ],
  // Speaks a protocol of its own.
  mcp: [[['here'], 2]],
  // Prints what a shell reads.
  completion: [[['tcsh'], 2]],
}

describe('a task', () => {
  const known: Record<string, string> = {}
  beforeAll(async () => {
    const id = async (...words: string[]) => (await corridor([...words, '--quiet'])).out
    const customer = ['--set', 'customerType=INDIVIDUAL', '--set', 'fullName=Ana', '--set', 'region=US']
    const made = await id('customers', 'create', ...customer, '--set', 'currencies=["USD","EUR"]')
    const ofCustomer = ['--customer-id', made, '--currency', 'USD']
    known.ACCOUNT = await id('customers', 'internal-accounts', 'list', ...ofCustomer)
    const beneficiary = {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Greta',
      birthDate: '1979-04-02',
      nationality: 'SE',
    }
    const accountInfo = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary }
    const payee = JSON.stringify({ customerId: made, currency: 'EUR', accountInfo })
    known.PAYEE = await id('customers', 'external-accounts', 'create', '--data', payee)
    await corridor(['fund', known.ACCOUNT, '5000.00', 'USD'])
    known.PAYMENT = await id('trigger', 'OUTGOING_PAYMENT.COMPLETED')
    await server.settle()
    known.EVENT = (await id('webhook-events', 'list', '--limit', '1')).split('\n')[0]!
    writeFileSync(
      join(directory, 'faults.yaml'),
      'faults:\n  - kind: ERROR\n    target: RAIL\n    times: 1\n',
    )
    writeFileSync(join(directory, 'server.log'), '{"level":"info","msg":"ready"}\n')
  })

  it('is looked at, each of them', () => {
    const named = commands.filter((command) => !operationCommands.includes(command))
    expect(Object.keys(tasks).sort()).toEqual(named.map(({ words }) => words.join(' ')).sort())
  })

  it.each(Object.entries(tasks).flatMap(([name, runs]) => runs.map((run) => [name, ...run] as const)))(
    '%s %j ends with %i',
    async (name, given, code) => {
      const words = [...name.split(' '), ...given.map((word) => known[word] ?? word)]
      const ran = await corridor([...words, '--json', '--no-input'])
      expect(ran.code, ran.notes).toBe(code)
      expect(`${ran.out}${ran.notes}`).not.toMatch(moving)
      // What is removed is answered with nothing.
      if (code === 0 && name === 'fault rm') expect(ran.out).toBe('')
      else if (code === 0) JSON.parse(ran.out)
      else {
        expect(ran.out).toBe('')
        expect(ran.notes).toMatch(/^✕ \S/m)
      }
    },
  )
})
