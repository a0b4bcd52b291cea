import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { none, type Result } from './result.ts'
import { desktop } from './visitor.ts'

/**
 * What somebody does first, from an empty folder and without a network: `npx corridor dev` with the packed package in the
 * cache of npm, then the link that it prints. What is measured ends when the first payment is seen. Called as a program it
 * is that somebody, so that it can stand in a place of its own that has no network.
 */

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const targetMs = 10_000

/** A program in this has loopback, and nothing else. */
const alone = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const

/** What was seen, in milliseconds since `npx` was called. */
interface Seen {
  readonly linkMs: number
  readonly paymentMs: number
  readonly forms: number
  readonly elsewhere: readonly string[]
}

export async function firstMinute(executable: string, shots: string | undefined): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-first-minute-'))
  try {
    const packages = join(directory, 'packages')
    await run(process.execPath, ['--import', 'tsx', 'scripts/pack.ts', packages], { cwd: root })
    const cache = join(directory, 'cache')
    const registry = await keepInCache(packages, cache)
    const isAlone = spawnSync(alone[0], [...alone.slice(1), 'true']).status === 0
    const given = [cache, registry, executable, shots ?? '']
    const program = [process.execPath, '--import', 'tsx', import.meta.filename]
    const [command, ...parameters] = [...(isAlone ? alone : []), ...program, ...given]
    const { stdout } = await run(command!, parameters, { cwd: root })
    const { linkMs, paymentMs, forms, elsewhere } = JSON.parse(stdout) as Seen
    return [
      {
        check: `1  npx corridor dev in an empty folder, ${isAlone ? 'no network' : 'NETWORK THERE'} → first payment seen`,
        measured: `${paymentMs} ms (link after ${linkMs} ms)`,
        target: `${targetMs} ms`,
        isReached: paymentMs < targetMs,
        isSpeed: true,
      },
      {
        check: '1  forms on the way',
        measured: String(forms),
        target: '0',
        isReached: forms === 0,
      },
      none('1  requests to other hosts on the way', elsewhere),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** As it is in the cache of whoever has called it before: by a registry that is gone afterwards. Answers its address. */
async function keepInCache(packages: string, cache: string): Promise<string> {
  const file = readdirSync(packages).find((name) => /^corridor-\d.*\.tgz$/.test(name))!
  const tarball = readFileSync(join(packages, file))
  const packed = JSON.parse(readFileSync(join(packages, 'corridor/package.json'), 'utf8'))
  const registry = createServer((request, response) => {
    if (request.url!.endsWith('.tgz')) return response.end(tarball)
    const dist = {
      tarball: `http://${request.headers.host}/${file}`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    }
    const versions = { [packed.version]: { ...packed, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: packed.name, 'dist-tags': { latest: packed.version }, versions }))
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  try {
    const options = ['--cache', cache, '--registry', address]
    await run('npm', ['cache', 'add', `${packed.name}@${packed.version}`, ...options], { cwd: packages })
  } finally {
    registry.close()
    registry.closeAllConnections()
  }
  return address
}

async function begin(cache: string, registry: string, executablePath: string, shots: string): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'corridor-empty-'))
  // Whoever begins has a browser open.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: desktop })
  let dev: ChildProcess | undefined
  try {
    const startedAt = performance.now()
    const passed = () => Math.round(performance.now() - startedAt)
    const options = ['--yes', '--offline', '--cache', cache, '--registry', registry]
    dev = spawn('npx', [...options, 'corridor', 'dev', '--port', '0'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const link = await linkOf(dev)
    const linkMs = passed()
    const { origin } = new URL(link)
    const elsewhere: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) elsewhere.push(url)
    })
    await page.goto(link)
    const first = page.locator('.story').getByText('Your first payment ran')
    await Promise.race([first.waitFor(), page.getByLabel('Client id').waitFor()])
    const paymentMs = passed()
    const forms = await page.locator('form:visible').count()
    if (shots) await page.screenshot({ path: join(shots, 'first-minute.png') })
    await first.waitFor()
    return { linkMs, paymentMs, forms, elsewhere }
  } finally {
    await browser.close()
    if (dev?.exitCode === null) {
      // `npx` and what it started, which ends in good order.
      process.kill(-dev.pid!, 'SIGINT')
      await once(dev, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fails with all that it said when it ends without a link. */
async function linkOf(dev: ChildProcess): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: dev.stderr! })) {
    said.push(line)
    const [, path] = /the link is in (\S+)/.exec(line) ?? []
    if (path) return readFileSync(path, 'utf8').trim()
  }
  throw new Error(`corridor dev printed no link: ${said.join(' ')}`)
}

if (process.argv[1] === import.meta.filename) {
  const [cache, registry, executable, shots] = process.argv.slice(2)
  console.log(JSON.stringify(await begin(cache!, registry!, executable!, shots!)))
}
