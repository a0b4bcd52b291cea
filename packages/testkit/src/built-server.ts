import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

let isBuilt = false

/**
 * `npm run build`, for tests that start a program as it is installed. Once for all files of a worker: it takes most of a
 * second to find that there is nothing to build.
 */
export function buildServer(): void {
  if (isBuilt) return
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: root })
  isBuilt = true
}
