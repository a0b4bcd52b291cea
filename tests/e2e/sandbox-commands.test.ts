import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCustomer, must, openTestServer } from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../../apps/cli/src/cli.ts'
import { barOf, progressOf, shownMeanwhile } from '../../apps/cli/src/progress.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'

// What one does to a sandbox from the command line: faults, clock, inbox, and what a report of a bug needs.

const server = await openTestServer()
const directory = mkdtempSync(join(tmpdir(), 'corridor-sandbox-commands-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function sandbox({ environment = 'SANDBOX' as 'SANDBOX' | 'PRODUCTION' } = {}) {
  const platform = await server.platform({ environment })
  const api = server.client(platform)
  /** With `draw` as on a terminal, which is reached over the network: a stream has no end there. */
  async function corridor(words: string | readonly string[], draw?: (text: string) => void) {
    const reached = draw ? globalThis.fetch : (server.fetch as typeof fetch)
    const baseUrl = draw ? `${await server.listen()}/2025-10-13` : server.baseUrl
    const [out, notes]: [string[], string[]] = [[], []]
    const terminal: Terminal = {
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      ...(draw ? { draw } : {}),
      isPerson: false,
      hasColour: false,
      canAsk: false,
      ask: async () => '',
      read: async () => '',
      now: () => server.world.now(),
      sleep: async (ms) => server.pass(ms),
      uuid: () => server.world.uuid(),
      fetch: server.fetch as typeof fetch,
      untilStopped: () => new AbortController().signal,
      environment: {
        HOME: directory,
        CORRIDOR_BASE_URL: baseUrl,
        CORRIDOR_CLIENT_ID: platform.clientId,
        CORRIDOR_CLIENT_SECRET: platform.clientSecret,
      },
      directory,
      home: directory,
    }
    const given = typeof words === 'string' ? words.split(' ') : words
    const code = await runCli(given, terminal, { fetch: reached })
    return { code, out: out.join('\n'), notes: notes.join('\n') }
  }
  return { platform, api, corridor }
}

describe('corridor fault', () => {
  it('adds, lists with what was hit, and removes', async () => {
    const { api, corridor } = await sandbox()
    const added = await corridor([
      ...'fault add ERROR API --match operationId=listCustomers --param status=503 --times 2 --probability 1'.split(
        ' ',
      ),
      ...['--after', '1', '--seed', 'one', '--json'],
    ])
    expect(added).toMatchObject({ code: 0 })
    const fault = JSON.parse(added.out)
    expect(fault).toMatchObject({
      kind: 'ERROR',
      target: 'API',
      match: { operationId: 'listCustomers' },
      params: { status: 503 },
      times: 2,
      after: 1,
      seed: 'one',
      hidden: false,
    })
    const outcome = await corridor('fault add OUTCOME RAIL --param outcome=004 --hidden --json')
    expect(JSON.parse(outcome.out)).toMatchObject({ params: { outcome: '004' }, hidden: true })
    const statuses = []
    for (let asked = 0; asked < 3; asked++) statuses.push((await api.GET('/customers')).response.status)
    expect(statuses).toEqual([200, 503, 503])

    const listed = (await corridor('fault list')).out.split('\n')
    expect(listed[0]).toMatch(/^target +kind +hits +seen/)
    expect(listed.find((line) => line.includes('ERROR'))).toMatch(/^API +ERROR +2 +3 +2/)
    const hits = JSON.parse((await corridor(`fault list --activations ${fault.id} --json`)).out).data
    expect(hits.map(({ kind }: { kind: string }) => kind)).toEqual(['ERROR', 'ERROR'])

    expect(await corridor(`fault rm ${fault.id}`)).toMatchObject({ code: 0, notes: '✓ 1 fault removed' })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(1)
    expect(await corridor('fault rm --all')).toMatchObject({ code: 0 })
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
  })

  it('says all that is wrong, a name that nobody knows among it, and makes nothing', async () => {
    const { api, corridor } = await sandbox()
    const refused = await corridor('fault add LATENCY API --match operationid=createQuote')
    expect(refused.code).toBe(1)
    expect(refused.notes).toContain('match.operationid is not known')
    expect(refused.notes).toContain('params.ms is required')
    expect(String(refused.notes)).not.toContain('faults.0')
    expect(String(refused.notes)).toContain('Nothing was changed: 2 fields invalid.')
    const unknown = (await corridor('fault add NOPE API')).notes
    expect(String(unknown)).toMatch(/kind is not one of the allowed values: LOST_ANSWER, REFUSED, /)
    expect((await must(api.GET('/sandbox/faults'))).totalCount).toBe(0)
    for (const words of [
      'fault add ERROR',
      'fault add ERROR API --match x',
      'fault add ERROR API --times many',
      'fault rm',
      'fault rm Fault:x --all',
    ]) {
      expect((await corridor(words)).code, words).toBe(2)
    }
  })
})

describe('corridor clock', () => {
  it('goes to what is next and on until nothing is, by the words of the reference too', async () => {
    const { corridor } = await sandbox()
    for (const words of ['clock to-next', 'clock run-until-quiet', 'clock next', 'clock quiet']) {
      const ran = await corridor(words)
      expect(ran, words).toMatchObject({ code: 0 })
      expect(ran.notes).toMatch(/^✓ (to-next|run-until-quiet|next|quiet) in \d+\.\d s: 0 steps ran$/)
    }
    expect((await corridor('clock sideways')).code).toBe(2)
  })

  it('draws a bar on a terminal and leaves none there, and writes lines alone elsewhere', async () => {
    const { corridor } = await sandbox()
    const drawn: string[] = []
    const shown = await corridor('clock advance 7d --json', (text) => drawn.push(text))
    expect(shown.code).toBe(0)
    expect(JSON.parse(shown.out)).toMatchObject({ offsetSeconds: 7 * 86_400 })
    expect(drawn[0]).toBe(`${'░'.repeat(20)}  0 s of 7 d  advance 7d`)
    expect(drawn.at(-1)).toBe('')
    const plain = await corridor('clock advance 7d --json')
    expect(plain.notes.split('\n').at(-1)).toMatch(/^✓ advance 7d in \d+\.\d s: \d+ steps ran$/)
    expect(`${plain.out}${plain.notes}`).not.toMatch(/[▓░\r]/)
  })

  it('says every five seconds in a line that it goes on, where nothing is drawn, and no longer once it is there', async () => {
    const notes: string[] = []
    const ticks = new Map<() => void, number>()
    let now = 0
    const terminal = {
      note: (text: string) => notes.push(text),
      now: () => now,
      every(ms: number, call: () => void) {
        ticks.set(call, ms)
        return () => ticks.delete(call)
      },
    } as unknown as Terminal
    const work = async () => {
      for (const [call, ms] of ticks) {
        for (let times = 0; times < 2; times++) {
          now += ms
          call()
        }
      }
      return 'there'
    }
    const client = undefined as never
    const moving = { subject: 'advance 7d', seconds: 604_800 }
    expect(await shownMeanwhile({ client, terminal }, moving, work)).toBe('there')
    expect(notes).toEqual(['… advance 7d: 5 s', '… advance 7d: 10 s'])
    expect(ticks.size).toBe(0)
  })

  it.each([
    [{ moved: 0, seconds: 604_800, took: 10 }, '0 s of 7 d'],
    [{ moved: 424_800_000, seconds: 604_800, took: 400 }, '4 d 22 h of 7 d  eta 0.2 s'],
    [{ moved: 604_800_000, seconds: 604_800, took: 600 }, '7 d of 7 d'],
    [{ moved: 3_690_000, seconds: undefined, took: 600 }, '1 h 1 m'],
  ])('%o is shown as %s', (at, text) => {
    expect(progressOf(at)).toBe(text)
  })

  it('is drawn as long as it is to be', () => {
    expect([-1, 0, 0.7, 1, 2].map((share) => barOf(share).indexOf('░'))).toEqual([0, 0, 14, -1, -1])
  })
})

describe('corridor inbox', () => {
  it('waits for a message to somebody, about something, since a time', async () => {
    const { api, corridor } = await sandbox()
    const { now } = await must(api.GET('/sandbox/clock'))
    const people = []
    for (const [name, email] of [
      ['Mia Berg', 'mia@example.com'],
      ['Lena Vogt', 'lena@example.com'],
    ] as const) {
      people.push(
        await createCustomer(api, {
          fullName: name,
          email,
          phoneNumber: '+4915112345678',
          region: 'DE',
          currencies: ['EUR'],
        }),
      )
    }
    for (const { id: customerId } of people) {
      await api.POST('/customers/{customerId}/verify-email', { params: { path: { customerId } } })
    }
    await server.settle()
    const found = async (words: string) =>
      JSON.parse((await corridor(`${words} --after ${now} --json`)).out).to
    expect(await found('inbox --wait --to lena@example.com')).toBe('lena@example.com')
    expect(await found('inbox --wait --purpose CONTACT_VERIFICATION')).toBe('mia@example.com')
    expect((await corridor('inbox --to lena@example.com')).code).toBe(2)
    expect((await corridor(`inbox --wait --purpose NOTHING --after ${now} --timeout 0`)).code).toBe(6)
  })
})

describe('corridor report', () => {
  it('has the seed, the faults and the requests, and neither secrets nor names', async () => {
    const { api, corridor, platform } = await sandbox()
    await createCustomer(api, { fullName: 'Greta Lindholm', email: 'greta@example.com' } as never)
    await api.GET('/receiver/uma/{receiverUmaAddress}', {
      params: { path: { receiverUmaAddress: '$success.eur@sandbox.uma.money' } },
    })
    await corridor('fault add ERROR RAIL --times 1')
    mkdirSync(join(directory, 'data'), { recursive: true })
    writeFileSync(join(directory, 'data', 'seed'), '41\n')
    const written = await corridor('report --data data --out report.json')
    expect(written).toMatchObject({ code: 0, out: '', notes: '✓ report written to report.json' })
    const text = readFileSync(join(directory, 'report.json'), 'utf8')
    const report = JSON.parse(text)
    expect(report).toMatchObject({ seed: '41', version: '2025-10-13', clock: { offsetSeconds: 0 } })
    expect(report.faults).toMatchObject([{ kind: 'ERROR', target: 'RAIL' }])
    const operations = report.requests.map(({ operation }: { operation: string }) => operation)
    expect(operations.slice(0, 2)).toEqual(['createCustomer', 'lookupUma'])
    const [, lookup] = report.requests
    expect(lookup).toMatchObject({ path: '/receiver/uma/{receiverUmaAddress}', resources: {}, status: 200 })
    for (const secret of [platform.clientSecret, 'Greta', 'greta@', 'success.eur', '"source"', '127.0.0.1']) {
      expect(text).not.toContain(secret)
    }
    const elsewhere = await corridor(['report', '--limit', '1', '--data', join(directory, 'data')])
    expect(JSON.parse(elsewhere.out)).toMatchObject({ seed: '41' })
    const shown = await corridor('report --limit 1')
    expect(JSON.parse(shown.out)).toMatchObject({ seed: null, requests: [{}] })
    expect((await corridor('report --limit 0')).code).toBe(2)
  })
})

it('corridor open leads to the page of an id', async () => {
  const { corridor } = await sandbox()
  const { origin } = new URL(server.baseUrl)
  expect((await corridor('open Transaction:1')).out).toBe(`${origin}/console/go/Transaction%3A1`)
  expect((await corridor('open')).out).toBe(`${origin}/docs`)
})
