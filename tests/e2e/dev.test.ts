import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** `corridor dev` and `corridor audit` as processes, with what a person does to them. */

const root = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'corridor-dev-test-'))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const program = ['--import', tsx, join(root, 'apps/cli/src/main.ts')]
const environment = { PATH: process.env.PATH ?? '', HOME: directory }
const longMs = 150_000

beforeAll(buildServer, 300_000)

const started: ChildProcess[] = []
afterAll(async () => {
  for (const child of started.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  rmSync(directory, { recursive: true, force: true })
}, longMs)

/** To its end, or its end by the limit. */
const corridor = (...words: string[]) => corridorIn(root, ...words)

async function corridorIn(cwd: string, ...words: string[]) {
  return new Promise<{ code: unknown; out: string; notes: string }>((resolve) => {
    execFile(
      process.execPath,
      [...program, ...words],
      { cwd, env: environment, timeout: longMs },
      (error, out, notes) => resolve({ code: error === null ? 0 : error.code, out, notes }),
    )
  })
}

/** A `corridor dev` with a folder of its own, which goes on. */
function startDev(name: string) {
  const folder = join(directory, name)
  return { folder, ...startDevIn(root, '--data', folder) }
}

function startDevIn(cwd: string, ...words: string[]) {
  const child = spawn(process.execPath, [...program, 'dev', '--port', '0', ...words], {
    cwd,
    env: environment,
  })
  started.push(child)
  let notes = ''
  child.stderr.on('data', (chunk) => {
    notes += chunk
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, notes: () => notes, out: () => out }
}

const logOf = (folder: string) =>
  existsSync(join(folder, 'server.log')) ? readFileSync(join(folder, 'server.log'), 'utf8') : ''
const soon = { timeout: longMs, interval: 20 }

describe('corridor dev', () => {
  it.each(['99999', '65536', 'abc', '-1'])('says that --port %s is wrong usage', async (port) => {
    const { code, out, notes } = await corridor('dev', `--port=${port}`, '--data', join(directory, 'never'))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(notes).toMatch(/^✕ --port must be a number from 0 to 65535\.\n {2}[^\n]+\n$/)
    expect(existsSync(join(directory, 'never'))).toBe(false)
  })

  it('says that a port is taken, by its flag, before anything is started or made', async () => {
    const other = createServer().listen(0, 'localhost')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const folder = join(directory, 'not-started')
    const { code, notes } = await corridor('dev', '--port', String(port), '--data', folder)
    other.close()
    expect(code).toBe(2)
    expect(notes).toBe(
      `✕ Port ${port} is in use by another program.\n  Stop that program or choose another port with --port.\n`,
    )
    expect(existsSync(folder)).toBe(false)
  })

  it('names the folder that cannot be made, and what to do', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    const { code, notes } = await corridor('dev', '--port', '0', '--data', join(file, 'data'))
    expect(code).toBe(2)
    expect(notes).toBe(
      `✕ Cannot write to the data folder ${join(file, 'data')}: a part of the path is a file.\n  Choose another folder with --data, or use --data memory to keep nothing.\n`,
    )
  })

  it('names a folder that cannot be made, and tries it once', {
    skip: process.platform !== 'linux',
    meta: { needs: 'Linux' },
  }, async () => {
    const { code, notes } = await corridor('dev', '--port', '0', '--data', '/proc/of/nobody')
    expect(code).toBe(2)
    expect(notes).toContain(
      '✕ Cannot write to the data folder /proc/of/nobody: the location does not accept files.\n',
    )
  })

  it('starts nothing where the credentials of its folder cannot be read', async () => {
    const folder = join(directory, 'without-credentials')
    mkdirSync(folder)
    writeFileSync(join(folder, 'credentials.json'), '{"platforms":')
    const { code, notes } = await corridor('dev', '--port', '0', '--data', folder)
    expect(code).toBe(2)
    expect(notes).toMatch(/^✕ \S+credentials\.json does not contain the credentials [^\n]+\n {2}[^\n]+\n$/)
    expect(existsSync(join(folder, 'server.log'))).toBe(false)
  })

  // Nothing is read-only for the superuser.
  const isRoot = process.getuid?.() === 0
  const forOthers = { skip: isRoot, meta: { needs: 'a user other than root' } }
  it('names the folder in which nothing may be written', forOthers, async () => {
    const folder = join(directory, 'read-only')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const { code, notes } = await corridor('dev', '--port', '0', '--data', folder)
    expect(code).toBe(2)
    expect(notes).toContain(`✕ Cannot write to the data folder ${folder}: you have no permission.\n`)
  })

  it('ends, and its server with it, when nobody reads what it prints', { timeout: longMs }, async () => {
    const folder = join(directory, 'unread')
    const dev = [process.execPath, ...program, 'dev', '--port', '0', '--data', folder]
    // One who reads nothing is gone before the first line, however slow the machine.
    const line = `${dev.map((word) => `'${word}'`).join(' ')} | true`
    const child = spawn('bash', ['-c', line], { cwd: root, env: environment })
    started.push(child)
    child.stderr.resume()
    await once(child, 'close')
    expect(logOf(folder)).toContain('"msg":"stopped"')
    const [, address] = /"listening":"([^"]+)"/.exec(logOf(folder))!
    await expect(fetch(`${address}/healthz`)).rejects.toThrow()
  })

  it('says that its folder is held by another, and harms nothing', { timeout: longMs }, async () => {
    const { folder, child, ended, out, notes: ofFirst } = startDev('held')
    await vi.waitUntil(() => out().includes('CORRIDOR_CLIENT_SECRET'), soon)
    const [, address] = /CORRIDOR_BASE_URL=(\S+)/.exec(out())!
    // Without a terminal, the notes end in a log of CI.
    expect(ofFirst()).not.toContain('#t=')
    const [, path = ''] = /console {5}the link is in (\S+) /.exec(ofFirst())!
    expect(readFileSync(path, 'utf8')).toMatch(/^http:\S+\/console\/#t=\S+\n$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { code, out: printed, notes } = await corridor('dev', '--port', '0', '--data', folder)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(notes).toMatch(
      new RegExp(
        `^✕ The data folder ${folder} is in use by process \\d+, perhaps another corridor dev\\.\n` +
          '  Stop that process or choose another folder with --data\\.\n$',
      ),
    )
    expect((await fetch(new URL('/healthz', address))).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('ends, and its server with it, when its terminal is closed', { timeout: longMs }, async () => {
    const { folder, child, ended, notes } = startDev('hung-up')
    await vi.waitUntil(() => notes().includes('✓ ready'), soon)
    expect(notes()).toMatch(/✓ ready {7}http:\S+ {3}in \d+\.\d s {3}data in /)
    child.kill('SIGHUP')
    expect([0, 130]).toContain(await ended)
    expect(logOf(folder)).toContain('"msg":"stopped"')
  })

  it('leaves no server behind when it is killed', { timeout: longMs }, async () => {
    const { folder, child, ended, notes } = startDev('killed')
    await vi.waitUntil(() => notes().includes('✓ ready'), soon)
    child.kill('SIGKILL')
    await ended
    await vi.waitUntil(() => logOf(folder).includes('"msg":"stopped"'), soon)
  })

  it('ends without a word when it is interrupted while its server starts', { timeout: longMs }, async () => {
    const { folder, child, ended, notes } = startDev('interrupted')
    await vi.waitUntil(() => existsSync(join(folder, 'server.log')), soon)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(notes()).toBe('')
  })

  it('reports no failure when it is interrupted during the first payment', { timeout: longMs }, async () => {
    const { folder, child, ended, notes } = startDev('interrupted-later')
    await vi.waitUntil(() => notes().includes('✓ ready'), soon)
    child.kill('SIGINT')
    // With 0 where the payment was done by then.
    expect([0, 130]).toContain(await ended)
    expect(notes()).not.toMatch(/✕|ECONNREFUSED/)
    expect(logOf(folder)).toContain('"msg":"stopped"')
  })
})

describe('corridor dev --data memory', () => {
  /** A folder of somebody's project. */
  function project(name: string): string {
    const folder = join(directory, name)
    mkdirSync(folder)
    return folder
  }

  /** What a command in the same folder prints while it goes on. */
  async function printedMeanwhile(folder: string, dev: readonly string[], ...words: string[]) {
    const { child, ended, out } = startDevIn(folder, '--data', 'memory', ...dev)
    await vi.waitUntil(() => out().includes('CORRIDOR_CLIENT_SECRET'), soon)
    const printed = await corridorIn(folder, ...words)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    return printed
  }

  it('is found by the commands of its folder, and leaves nothing there', { timeout: longMs }, async () => {
    const folder = project('found')
    const found = await printedMeanwhile(
      folder,
      [],
      'customers',
      'list',
      '--columns',
      'fullName',
      '--no-headers',
    )
    expect(found).toMatchObject({ code: 0, out: 'Ana Lopez\n' })
    expect(readdirSync(folder)).toEqual([])
    mkdirSync(join(folder, '.corridor'))
    writeFileSync(join(folder, '.corridor/env'), 'export CORRIDOR_BASE_URL=http://before.example\n')
    const again = await printedMeanwhile(folder, ['--seed', '7'], 'report')
    expect(JSON.parse(again.out)).toMatchObject({ seed: '7' })
    expect(readFileSync(join(folder, '.corridor/env'), 'utf8')).toContain('before.example')
    expect(readdirSync(join(folder, '.corridor')).sort()).toEqual(['.gitignore', 'env'])
  })

  it('has the same log of requests with the same seed', { timeout: longMs }, async () => {
    const asked = ['request-log', 'list', '--json'] as const
    const first = await printedMeanwhile(project('seeded'), ['--seed', '41'], ...asked)
    expect(JSON.parse(first.out).data.map(({ operation }: { operation: string }) => operation)).toContain(
      'executeQuote',
    )
    const second = await printedMeanwhile(project('seeded-again'), ['--seed', '41'], ...asked)
    expect(JSON.parse(second.out)).toEqual(JSON.parse(first.out))
  })
})

it.each([['--help'], ['completion', 'bash'], ['customers', 'list', '--help']])(
  'corridor %s %s ends quietly when nobody reads what it prints',
  async (...words) => {
    // One who reads nothing is gone before the first line, however slow the machine.
    const line = [process.execPath, ...program, ...words].map((word) => `'${word}'`).join(' ')
    const child = spawn('bash', ['-o', 'pipefail', '-c', `${line} | true`], { cwd: root, env: environment })
    let notes = ''
    child.stderr.on('data', (chunk) => {
      notes += chunk
    })
    const [code] = await once(child, 'close')
    expect({ code, notes }).toEqual({ code: 0, notes: '' })
  },
)

describe('corridor audit', () => {
  it('does not call books unsound that a server has open, and says how to ask it', {
    timeout: longMs,
  }, async () => {
    const { folder, child, ended, out } = startDev('audited')
    await vi.waitUntil(() => out().includes('CORRIDOR_CLIENT_SECRET'), soon)
    const { code, out: printed, notes } = await corridor('audit', '--data', folder)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(notes).toContain(`Nothing was checked. The data directory ${folder} is in use by process `)
    expect(notes).toContain('corridor ledger audit get')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await corridor('audit', '--data', folder)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ balanced/),
    })
  })

  it('tells books that are not there from unsound ones', async () => {
    const { code, notes } = await corridor('audit', '--data', join(directory, 'no-books'))
    expect(code).toBe(2)
    expect(notes).toContain('No ledger found')
  })
})
