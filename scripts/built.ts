import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the build has left, and whether it is of the sources as they are now; imports none of what builds. */

export const root = join(import.meta.dirname, '..')
export const output = join(root, 'apps/server/dist')
export const builtConsole = join(output, 'console')

const consoleSources = ['apps/console', 'packages/sdk/src', 'package-lock.json', 'scripts/console.ts'].map(
  (name) => join(root, name),
)

export function isConsoleBuilt(): boolean {
  const marker = join(builtConsole, 'index.html')
  return existsSync(marker) && newestOf(consoleSources) <= statSync(marker).mtimeMs
}

/** When the newest of these files and folders changed; a folder changes when a file in it comes or goes. */
export function newestOf(paths: readonly string[]): number {
  return Math.max(
    0,
    ...paths.map((path) => {
      const stats = statSync(path)
      if (!stats.isDirectory()) return stats.mtimeMs
      const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist')
      return Math.max(stats.mtimeMs, newestOf(inside.map((name) => join(path, name))))
    }),
  )
}
