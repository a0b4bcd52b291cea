import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../packages/testkit/src/free-port.ts'
import { difference, readGuide } from '../tests/guides/guide.ts'

/**
 * What a stranger does first, from an empty folder: installs the packed SDK and command line without a network, starts
 * a Corridor with `corridor dev`, and runs the TypeScript of the guides as it stands there: a payment, and a webhook that
 * is verified. Says how many seconds each took: `npx tsx scripts/first-hour.ts [folder of packages]`.
 */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const tsx = join(root, 'node_modules/tsx/dist/esm/index.mjs')
/** Each guide with the program that it has the reader save, and run. */
const programs = [
  ['first-payment', 'pay.mts'],
  ['receive-webhooks', 'receiver.mts'],
] as const

const startedAt = performance.now()
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
const say = (what: string) => console.log(`${seconds().padStart(6)} s  ${what}`)

const directory = mkdtempSync(join(tmpdir(), 'corridor-first-hour-'))
const project = join(directory, 'project')
let dev: ChildProcess | undefined
try {
  const packages = process.argv[2] ?? (await pack())
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"project","private":true}')
  const files = readdirSync(packages).filter((name) => name.endsWith('.tgz'))
  const offline = ['--offline', '--registry=http://127.0.0.1:9', '--no-audit', '--no-fund']
  await run('npm', ['install', ...offline, ...files.map((name) => join(packages, name))], { cwd: project })
  say('installed')

  const port = await freePort()
  dev = spawn(join(project, 'node_modules/.bin/corridor'), ['dev', '--port', String(port)], {
    cwd: project,
    stdio: 'ignore',
  })
  await ready(port, dev)
  say('corridor dev answers')

  for (const [guide, fileName] of programs) {
    writeFileSync(join(project, fileName), codeOf(guide, fileName))
    const { stdout } = await run(process.execPath, ['--import', tsx, fileName], {
      cwd: project,
      env: { ...process.env, ...credentials() },
    })
    const wrong = difference(promisedBy(guide, fileName), stdout)
    if (wrong) throw new Error(`docs/guides/${guide}.md ${wrong}`)
    say(`${fileName}: ${stdout.trim().replaceAll('\n', ', ')}`)
  }
} finally {
  if (dev && dev.exitCode === null) {
    dev.kill('SIGINT')
    await once(dev, 'exit')
  }
  rmSync(directory, { recursive: true, force: true })
}

async function pack(): Promise<string> {
  const packages = join(directory, 'packages')
  await run(process.execPath, ['--import', 'tsx', 'scripts/pack.ts', packages], { cwd: root })
  say('packed')
  return packages
}

/** The block that the guide has the reader save under this name. */
function codeOf(guide: string, fileName: string): string {
  const block = readGuide(guide).find((each) => each.kind === 'save' && each.fileName === fileName)
  if (!block) throw new Error(`docs/guides/${guide}.md has no block ${fileName}`)
  return `${block.text}\n`
}

/** What the guide says that the program prints. */
function promisedBy(guide: string, fileName: string) {
  const blocks = readGuide(guide)
  const typed = blocks.findIndex((each) => each.kind === 'type' && each.text.includes(`npx tsx ${fileName}`))
  const promised = blocks[typed + 1]
  if (typed < 0 || promised?.kind !== 'prints') throw new Error(`docs/guides/${guide}.md promises nothing`)
  return promised
}

/** What `corridor dev` left in the folder. */
function credentials(): Record<string, string> {
  const text = readFileSync(join(project, '.corridor/env'), 'utf8')
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)=(\S*)$/gm)].map(([, name, value]) => [name, value]),
  )
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('corridor dev does not start')
    await wait(50)
  }
  while (!credentialsThere()) await wait(50)
}

function credentialsThere(): boolean {
  return readdirSync(project).includes('.corridor') && readdirSync(join(project, '.corridor')).includes('env')
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
