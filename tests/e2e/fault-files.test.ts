import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../../apps/cli/src/cli.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'

const server = await openTestServer()
const directory = mkdtempSync(join(tmpdir(), 'corridor-faults-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A sandbox of its own, and the command line signed in to it. */
async function sandbox(on: TestServer = server) {
  const platform = await on.platform()
  const api = on.client(platform)
  async function corridor(words: string, given = '') {
    const [out, notes]: [string[], string[]] = [[], []]
    const terminal: Terminal = {
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      isPerson: false,
      hasColour: false,
      canAsk: false,
      ask: async () => '',
      read: async () => given,
      now: () => on.world.now(),
      sleep: async (ms) => on.pass(ms),
      uuid: () => on.world.uuid(),
      fetch: on.fetch as typeof fetch,
      untilStopped: () => new AbortController().signal,
      environment: {
        HOME: directory,
        CORRIDOR_BASE_URL: on.baseUrl,
        CORRIDOR_CLIENT_ID: platform.clientId,
        CORRIDOR_CLIENT_SECRET: platform.clientSecret,
      },
      directory,
      home: directory,
    }
    const code = await runCli(words.split(' '), terminal, { fetch: on.fetch as typeof fetch })
    return { code, out: out.join('\n'), notes: notes.join('\n') }
  }
  const count = async () => (await must(api.GET('/sandbox/faults'))).totalCount
  return { platform, api, corridor, count }
}

function kept(name: string, text: string): string {
  writeFileSync(join(directory, name), text)
  return name
}

describe('corridor fault apply', () => {
  it('makes all that a file says, of a folder or of standard input', async () => {
    const { corridor, count } = await sandbox()
    const name = kept('two.yaml', '- { kind: OUTAGE, target: RAIL }\n- { kind: OUTAGE, target: RATES }\n')
    expect(await corridor(`fault apply ${name}`)).toEqual({
      code: 0,
      out: `✓ 2 faults created from ${name}`,
      notes: '',
    })
    const made = await corridor(
      'fault apply - --quiet',
      '{"faults": [{"kind": "OUTAGE", "target": "MESSAGING"}]}',
    )
    expect(made.out).toMatch(/^Fault:\S+$/)
    expect(await count()).toBe(3)
  })

  it('says all that is wrong by the line of each, and makes nothing', async () => {
    const { corridor, count } = await sandbox()
    const text = [
      'seed: 41',
      'faults:',
      '- kind: OUTAGE',
      '  target: RAIL',
      '- kind: LATENCY',
      '  target: WEBHOOK',
      '  propability: 0.5',
      '- ERROR',
    ]
    const name = kept('wrong.yaml', text.join('\n'))
    const { code, out, notes } = await corridor(`fault apply ${name}`)
    expect([code, out]).toEqual([1, ''])
    expect(notes.split('\n').sort()).toEqual([
      'wrong.yaml:2: fault 3: must be object',
      'wrong.yaml:5: fault 2: params.ms is required',
      'wrong.yaml:5: fault 2: propability is not known',
      '✕ Nothing was changed: 3 fields invalid in wrong.yaml.',
    ])
    expect(await count()).toBe(0)
  })

  it('takes the name of a prototype for one that nobody knows', async () => {
    const { corridor, count } = await sandbox()
    const name = kept('proto.yaml', '- { kind: OUTAGE, target: RAIL, __proto__: { kind: ERROR } }\n')
    const { code, notes } = await corridor(`fault apply ${name}`)
    expect(code).toBe(1)
    expect(notes).toContain('proto.yaml:1: fault 1: __proto__ is not known')
    expect(await count()).toBe(0)
  })

  it('asks nobody about a file that is none, too large, or not there', async () => {
    const { corridor } = await sandbox()
    for (const [name, says] of [
      [kept('large.yaml', `- kind: ERROR # ${'x'.repeat(256 * 1024)}`), 'large.yaml is larger than 256 KB.'],
      [kept('broken.yaml', '- kind: "ERROR'), 'broken.yaml:1: unexpected end'],
      ['none.yaml', 'none.yaml cannot be read.'],
      ['.', '. cannot be read.'],
    ] as const) {
      const { code, notes } = await corridor(`fault apply ${name}`)
      expect(code).toBe(2)
      expect(notes).toContain(says)
    }
  })
})

describe('corridor fault export', () => {
  it('prints what is there as a file that makes the same again, but for those whose time is over', async () => {
    const first = await sandbox()
    expect(await first.corridor('fault export')).toMatchObject({
      out: '',
      notes: 'There are no faults.',
    })
    const until = new Date((await server.now(first.platform)) + 60_000).toISOString()
    const faults = [
      { kind: 'OUTCOME', target: 'RAIL', params: { outcome: '005' }, times: 3, hidden: true },
      { kind: 'ERROR', target: 'API', match: { operationId: 'createQuote' }, probability: 0.25, seed: '007' },
      { kind: 'OUTAGE', target: 'RATES', until },
    ]
    await first.corridor('fault apply -', JSON.stringify(faults))
    const { out } = await first.corridor('fault export')
    expect(out).toContain('- kind: OUTCOME')
    const second = await sandbox()
    expect((await second.corridor('fault apply -', out)).code).toBe(0)
    expect((await second.corridor('fault export')).out).toBe(out)
    expect(JSON.parse((await second.corridor('fault export --json')).out)).toEqual({ faults })
    await server.advance(second.platform, 60_000)
    const later = await second.corridor('fault export --json')
    expect(JSON.parse(later.out)).toEqual({ faults: faults.slice(0, 2) })
    expect(later.notes).toBe('Faults omitted because they have ended: 1.')
  })
})

describe('a fault file replays a bug report', () => {
  it('the same file in a sandbox of the same seed hits the same; with another seed in it, others', async () => {
    const file = (seed: string) =>
      [
        `seed: "${seed}"`,
        'faults:',
        '  - { kind: ERROR, target: API, match: { operationId: listCustomers }, probability: 0.4 }',
        '  - { kind: RATE_LIMITED, target: API, probability: 0.2 }',
      ].join('\n')

    async function run(text: string) {
      const on = await openTestServer({ seed: 41 })
      const { corridor, api } = await sandbox(on)
      expect((await corridor('fault apply -', text)).code).toBe(0)
      const statuses: number[] = []
      for (let count = 0; count < 20; count++) {
        statuses.push((await api.GET('/customers')).response.status)
        statuses.push((await api.GET('/config')).response.status)
      }
      const { data } = await must(api.GET('/sandbox/faults'))
      const hits = []
      for (const { id: faultId } of data) {
        const params = { path: { faultId }, query: { limit: 100 } }
        const listed = await must(api.GET('/sandbox/faults/{faultId}/activations', { params }))
        hits.push(listed.data.map(({ kind, subject, operationId }) => [faultId, kind, subject, operationId]))
      }
      return { statuses, hits, exported: (await corridor('fault export')).out }
    }

    const first = await run(file('41'))
    expect(new Set(first.statuses)).toEqual(new Set([200, 429, 500]))
    const again = await run(first.exported)
    expect(again).toEqual(first)
    expect((await run(file('42'))).statuses).not.toEqual(first.statuses)
  })
})
