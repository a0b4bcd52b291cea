import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { commands, runCli } from '../../apps/cli/src/cli.ts'
import { readOperatorProfile } from '../../apps/cli/src/profile.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'

/** What operators do in the console they can do in a terminal. */

const server = await openTestServer()
const platform = await server.platform()

async function corridor(words: readonly string[], answers: readonly string[] = [], key = operatorKey) {
  const out: string[] = []
  const notes: string[] = []
  const asked = [...answers]
  const terminal: Terminal = {
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    isPerson: false,
    hasColour: false,
    canAsk: answers.length > 0,
    ask: async () => asked.shift() ?? '',
    read: async () => '',
    now: () => server.world.now(),
    sleep: async (ms) => server.pass(ms),
    uuid: () => server.world.uuid(),
    fetch: server.fetch,
    untilStopped: () => new AbortController().signal,
    environment: { HOME: '/nowhere', CORRIDOR_BASE_URL: server.baseUrl, CORRIDOR_OPERATOR_KEY: key },
    directory: '/nowhere',
    home: '/nowhere',
  }
  const code = await runCli(words, terminal, {
    fetch: async (input, init) => server.fetch(new Request(input, init)),
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const newPlatform = (environment: string) => [
  ...['operator', 'platforms', 'create', '--json'],
  ...['--set', `name=In a terminal`, '--set', `environment=${environment}`],
]

describe('the commands of operators', () => {
  it('are there for what the operator API does', () => {
    const names = commands.map(({ words }) => words.join(' '))
    for (const name of [
      'audit get',
      'pauses lift',
      'reviews approve',
      'suspense get',
      'jobs retry',
      'stuck list',
    ]) {
      expect(names).toContain(`operator ${name}`)
    }
  })

  it('print the answer of the API, and a request without the key in it', async () => {
    const audit = await corridor(['operator', 'audit', 'get', '--json'])
    expect(audit).toMatchObject({ code: 0, notes: '' })
    expect(JSON.parse(audit.out)).toMatchObject({ sound: true })
    const list = await corridor([
      'operator',
      'platforms',
      'list',
      '--columns',
      'name,environment',
      '--no-headers',
    ])
    expect(list.out).toContain('SANDBOX')
    const curl = await corridor(['operator', 'pauses', 'lift', 'Pause:1', '--curl'])
    expect(curl.out).toContain('/operator/pauses/Pause%3A1/lift')
    expect(curl.out).toContain('Bearer $CORRIDOR_OPERATOR_KEY')
    expect(curl.out).not.toContain(operatorKey)
    expect(curl.out).not.toContain('CLIENT_SECRET')
  })

  it('send the key to no address that the folder alone names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'corridor-operator-'))
    writeFileSync(join(folder, '.corridor.toml'), 'base_url = "http://elsewhere.example"\n')
    const at = (environment: Terminal['environment'], baseUrl?: string) =>
      readOperatorProfile({ directory: folder, environment } as Terminal, { baseUrl })
    const key = { HOME: '/nowhere', CORRIDOR_OPERATOR_KEY: 'a key' }
    expect(() => at(key)).toThrow('The base URL http://elsewhere.example comes from this folder')
    expect(at({ ...key, CORRIDOR_BASE_URL: 'http://meant.example' })).toEqual({
      baseUrl: 'http://meant.example',
      key: 'a key',
    })
    expect(at(key, 'http://elsewhere.example').baseUrl).toBe('http://elsewhere.example')
    writeFileSync(join(folder, '.corridor.toml'), 'base_url = "http://127.0.0.1:7171/2025-10-13"\n')
    expect(at(key).baseUrl).toBe('http://127.0.0.1:7171')
    const own = 'base_url = "http://elsewhere.example"\noperator_key = "its own"\n'
    writeFileSync(join(folder, '.corridor.toml'), own, { mode: 0o600 })
    chmodSync(join(folder, '.corridor.toml'), 0o600)
    expect(at({ HOME: '/nowhere' }).key).toBe('its own')
    expect(() => at(key)).toThrow('The base URL')
    rmSync(folder, { recursive: true })
  })

  it('end as other commands do where they are refused', async () => {
    expect(await corridor(['operator', 'suspense', 'get', 'Transaction:none'])).toMatchObject({ code: 1 })
    expect((await corridor(['operator', 'me', 'get'], [], 'no key of anybody')).code).toBe(1)
    expect((await corridor(['operator', 'me', 'get'], [], '')).notes).toContain('CORRIDOR_OPERATOR_KEY')
  })

  it('change nothing in production unless that is said, and the name is typed', async () => {
    expect((await corridor(newPlatform('SANDBOX'))).code).toBe(0)
    expect((await corridor(newPlatform('PRODUCTION'))).code).toBe(7)
    const wrong = await corridor([...newPlatform('PRODUCTION'), '--production'], ['elsewhere'])
    expect(wrong.code).toBe(7)
    const { host } = new URL(server.baseUrl)
    // What only an id names is of production as soon as anything there is.
    const unnamed = ['operator', 'jobs', 'retry', 'none']
    expect((await corridor(unnamed)).code).toBe(1)
    expect((await corridor([...newPlatform('PRODUCTION'), '--production'], [host])).code).toBe(0)
    expect((await corridor(unnamed)).code).toBe(7)
    expect((await corridor([...unnamed, '--production'], [host])).code).toBe(1)
    expect(platform.environment).toBe('SANDBOX')
  })
})
