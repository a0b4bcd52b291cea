import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startTestCluster } from './test/cluster.ts'

/**
 * `npm test`: builds, then runs the tests that need Node alone. More words go to Vitest; files among them run whole,
 * also what needs Chromium.
 *
 *   --postgresql   on a private server of the PostgreSQL that is installed here: less CPU than the embedded database
 */

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const passed = words.filter((word) => word !== '--postgresql')
const isWhole = passed.every((word) => word.startsWith('-'))

const status = run('--import', 'tsx', join(root, 'scripts/build.ts'))
process.exitCode = status || (await test())

async function test(): Promise<number> {
  if (isWhole) process.env.CORRIDOR_TESTS ??= 'node'
  const cluster = words.includes('--postgresql') ? await startTestCluster() : undefined
  if (cluster) process.env.CORRIDOR_TEST_DATABASE_URL = cluster.url('postgres')
  try {
    return run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...passed)
  } finally {
    await cluster?.stop()
  }
}

function run(...parameters: string[]): number {
  return spawnSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' }).status ?? 1
}
