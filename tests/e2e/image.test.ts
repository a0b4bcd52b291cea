import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The container without an engine for containers: what its Dockerfile says, on the files that it would have. */

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'corridor-image-'))
const image = join(scratch, 'app')
const data = join(scratch, 'data')
/** The container's user, where this one may become another. */
const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}

interface Instruction {
  readonly name: string
  readonly text: string
}

const stages: Instruction[][] = []
for (const line of readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const [name = '', ...rest] = line.split(' ')
  if (name === 'FROM') stages.push([])
  stages.at(-1)!.push({ name, text: rest.join(' ') })
}
const final = stages.at(-1)!
const only = (name: string) => {
  const found = final.filter((instruction) => instruction.name === name)
  expect(found, name).toHaveLength(1)
  return found[0]!.text
}

let child: ChildProcess
let output = ''
let port: number

beforeAll(async () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/image.ts', image], { cwd: root, stdio: 'pipe' })
  chmodSync(scratch, 0o755)
  mkdirSync(data)
  if (user.uid) chownSync(data, user.uid, user.gid)
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  ;({ port } = probe.address() as { port: number })
  probe.close()
  await once(probe, 'close')
  const said = only('ENV')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string])
  const environment = { ...Object.fromEntries(said), PORT: String(port), CORRIDOR_DATA_DIR: data }
  const [, ...parameters] = JSON.parse(only('CMD')) as string[]
  child = spawn(process.execPath, parameters, { cwd: image, env: environment, ...user })
  child.stdout!.on('data', (chunk) => {
    output += chunk
  })
  child.stderr!.on('data', (chunk) => {
    output += chunk
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => output.includes('"msg":"ready"') && resolve())
    child.once('exit', () => reject(new Error(output)))
  })
}, 180_000)

afterAll(() => {
  child?.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

describe('the image', () => {
  it('serves, as a user who may write to the data alone', async () => {
    const read = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      return { status: answer.status, text: await answer.text() }
    }
    for (const path of ['/readyz', '/docs', '/2025-10-13/openapi.json']) {
      expect((await read(path)).status, path).toBe(200)
    }
    const { text } = await read('/docs')
    for (const [, path] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await read(path!)).status, path).toBe(200)
    }
    expect(readdirSync(data)).toEqual(expect.arrayContaining(['master.key', 'database']))
    if (user.uid) expect(statSync(join(data, 'master.key')).uid).toBe(user.uid)
  })

  it('is healthy by its own check while it serves, and not when it is gone', async () => {
    const [, command] = only('HEALTHCHECK').split(' CMD ')
    const [, ...parameters] = JSON.parse(command!) as string[]
    const check = async (at: number) => {
      const probe = spawn(process.execPath, parameters, { env: { PORT: String(at) } })
      const [code] = await once(probe, 'exit')
      return code as number
    }
    expect(await check(port)).toBe(0)
    expect(await check(1)).toBe(1)
  })

  it('holds no source map, no compiler and nothing of its makers', () => {
    const files = readdirSync(image, { recursive: true, encoding: 'utf8' })
    const unneeded =
      /\.(js|cjs|css)\.map$|\.ts$|(^|\/)(tests|esbuild|typescript|vitest|\.git|\.env)(\/|$)|credentials\.json|\.key$/
    expect(files.filter((name) => unneeded.test(name) && !name.endsWith('.d.ts'))).toEqual([])
    const bytes = files.reduce((sum, name) => sum + statSync(join(image, name)).size, 0)
    expect(bytes).toBeLessThan(120_000_000)
  })

  it('says what it is made of', () => {
    const bill = JSON.parse(readFileSync(join(image, 'sbom.json'), 'utf8')) as {
      bomFormat: string
      components: { name: string; version: string; purl: string; licenses?: unknown[] }[]
    }
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = new Set(bill.components.map(({ name }) => name))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'))
    const others = Object.keys(dependencies).filter((name) => !name.startsWith('@corridor/'))
    for (const name of [...others, 'pg', '@electric-sql/pglite']) expect(names, name).toContain(name)
    for (const name of ['vitest', 'esbuild', 'typescript', 'tsx']) expect(names, name).not.toContain(name)
  })

  it('runs without rights, from images with a version, and copies what its build makes', () => {
    expect(only('USER')).toBe('1000:1000')
    const build = stages[0]!.map(({ text }) => text).join('\n')
    for (const stage of stages) expect(stage[0]!.text).toMatch(/^node:\d+-bookworm-slim( AS build)?$/)
    for (const { name, text } of final) {
      if (name !== 'COPY') continue
      const [, source] = /^--from=build (?:--chown=\S+ )?(\/\S+) \/\S+$/.exec(text)!
      expect(build, text).toContain(source)
    }
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    for (const pattern of ['.git', '**/node_modules', '**/*.key', '**/credentials.json', '**/.env']) {
      expect(ignored.split('\n')).toContain(pattern)
    }
  })
})
