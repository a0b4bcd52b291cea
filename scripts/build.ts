import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { makeCluster } from '../packages/engine/src/mechanisms/db/pglite.ts'
import { buildConsole } from './console.ts'
import { writeSite } from './docs/write-site.ts'

/**
 * Bundles the programs of apps/server into apps/server/dist, so that they start without a compiler:
 * `npm run build`, with the documentation and the console beside them. Does nothing when no source is newer than the last build.
 */

export const root = join(import.meta.dirname, '..')
export const output = join(root, 'apps/server/dist')
const marker = join(output, 'main.js')

const programs = ['main', 'demo', 'audit', 'backup', 'restore', 'restore-check', 'rotate-master-key']
  .map((name) => join(root, `apps/server/src/${name}.ts`))
  .filter((path) => existsSync(path))

/** Packages that find files of their own beside their code, which a bundle would separate them from. */
export const external = ['@electric-sql/pglite', 'swagger-ui-dist', 'pg-native']

const sources = [
  ...['kernel', 'engine', 'adapters', 'hosted-pages', 'sdk'].map((name) => join(root, 'packages', name)),
  join(root, 'apps/server/src'),
  join(root, 'openapi'),
  join(root, 'package-lock.json'),
  import.meta.filename,
]

if (existsSync(marker) && newestOf(sources) <= statSync(marker).mtimeMs) {
  console.log('dist is up to date')
} else {
  rmSync(output, { recursive: true, force: true })
  await build({
    entryPoints: programs,
    outdir: output,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external,
    logLevel: 'warning',
    // CommonJS packages inside the bundle still ask for Node's own modules with require.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  })
  cpSync(join(root, 'packages/hosted-pages/src/verification/assets'), join(output, 'assets'), {
    recursive: true,
  })
  cpSync(join(root, 'openapi/openapi.json'), join(output, 'openapi.json'))
  cpSync(join(root, 'packages/engine/migrations'), join(output, 'migrations'), { recursive: true })
  // The first start copies it; making one takes longer than all the rest of a start.
  await makeCluster(join(output, 'cluster'))
  console.log(`built ${programs.length} programs`)
}

const site = join(output, 'site')
const siteMarker = join(site, 'docs.html')
const siteSources = ['docs', 'CHANGELOG.md', 'openapi', 'scripts/docs'].map((name) => join(root, name))
if (!existsSync(siteMarker) || newestOf(siteSources) > statSync(siteMarker).mtimeMs) {
  rmSync(site, { recursive: true, force: true })
  writeSite(root, site)
  console.log('built the documentation')
}

const consoleFolder = join(output, 'console')
const consoleMarker = join(consoleFolder, 'index.html')
const consoleSources = ['apps/console', 'packages/sdk/src', 'package-lock.json', 'scripts/console.ts'].map(
  (name) => join(root, name),
)
if (!existsSync(consoleMarker) || newestOf(consoleSources) > statSync(consoleMarker).mtimeMs) {
  await buildConsole(consoleFolder)
  console.log('built the console')
}

/** When the newest of these files and folders changed; a folder changes when a file in it comes or goes. */
function newestOf(paths: readonly string[]): number {
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
