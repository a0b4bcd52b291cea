import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testsOf } from './test/changed.ts'
import { readRepository } from './tidy/source.ts'

/**
 * `npm run check`: everything of CI that needs no PostgreSQL and no browser. `npm run check -- --changed` takes less than a minute for a
 * usual change: types, conventions, format, and the tests that import what changed.
 *
 *   --since main   what counts as changed: commits since the common ancestor, and what is not committed
 */
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { changed: { type: 'boolean', default: false }, since: { type: 'string', default: 'main' } },
})
const tool = (name: string) => join(root, 'node_modules/.bin', name)

process.exitCode = (values.changed ? await checkChanged() : checkAll()) ? 0 : 1

function checkAll(): boolean {
  const steps = ['types', 'tidy', 'lint:document', 'test']
  return (
    runs(tool('biome'), 'check', '.') &&
    runs(tool('tsx'), 'scripts/generate.ts', '--check') &&
    steps.every((step) => runs('npm', 'run', '--silent', step))
  )
}

async function checkChanged(): Promise<boolean> {
  const changed = changedFiles()
  const { near, farCount } = testsOf(changed, readRepository(root))
  console.log(`${changed.length} files changed since ${values.since}.`)
  const results = await Promise.all([
    begin('types', tool('tsc'), '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', buildInfo),
    begin('conventions', tool('tsx'), 'scripts/tidy.ts'),
    begin('format', tool('biome'), 'check', '--no-errors-on-unmatched', ...changed),
  ])
  const isTested = near.length === 0 || runs(tool('vitest'), 'run', ...near)
  if (farCount > 0) console.log(`${farCount} more test files reach the change through others: npm test.`)
  return results.every(Boolean) && isTested
}

/** Kept between runs: the second check of types takes a third of the first. */
const buildInfo = join(root, 'node_modules/.cache/corridor/types.tsbuildinfo')

function changedFiles(): string[] {
  const base = lines('merge-base', values.since, 'HEAD')[0] ?? 'HEAD'
  const tracked = lines('diff', '--name-only', '--diff-filter=d', base)
  return [...new Set([...tracked, ...lines('ls-files', '--others', '--exclude-standard')])]
}

function lines(...words: string[]): string[] {
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

function runs(program: string, ...parameters: string[]): boolean {
  return spawnSync(program, parameters, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Beside others: prints what it said in one piece, and only when it failed. */
function begin(name: string, program: string, ...parameters: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('close', (code) => {
      console.log(`${name}: ${code === 0 ? 'ok' : `FAILED\n${output}`}`)
      resolve(code === 0)
    })
  })
}
