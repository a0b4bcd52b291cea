import { cpSync, existsSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { builtConsole, isConsoleBuilt, newestOf, output, root } from './built.ts'

/**
 * Bundles the programs of apps/server into apps/server/dist, so that they start without a compiler:
 * `npm run build`, with the documentation and the console beside them. Does nothing when no source is newer than the last build.
 * Most commands begin with it and there is nothing to build, so it imports what builds only when it builds.
 */

const marker = join(output, 'main.js')
/** Time that the build's files get, so that a source that changes during the build counts as newer. */
const startedAt = new Date()

const programs = ['main', 'demo', 'audit', 'backup', 'restore', 'restore-check', 'rotate-master-key']
  .map((name) => join(root, `apps/server/src/${name}.ts`))
  .filter((path) => existsSync(path))

/** Packages that find files of their own beside their code, which a bundle would separate them from. */
export const external = ['@electric-sql/pglite', 'swagger-ui-dist', 'pg-native']

const migrations = join(root, 'packages/engine/migrations')
const lock = join(root, 'package-lock.json')

const sources = [
  ...['kernel', 'engine', 'adapters', 'hosted-pages', 'sdk'].map((name) => join(root, 'packages', name)),
  join(root, 'apps/server/src'),
  join(root, 'openapi'),
  lock,
  import.meta.filename,
]

if (existsSync(marker) && newestOf(sources) <= statSync(marker).mtimeMs) {
  console.log('dist is up to date')
} else {
  // Put in its place when it is whole: who comes meanwhile must not take half of it for all.
  const making = `${output}.${process.pid}`
  const { build } = await import('esbuild')
  await build({
    entryPoints: programs,
    outdir: making,
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
  cpSync(join(root, 'packages/hosted-pages/src/verification/assets'), join(making, 'assets'), {
    recursive: true,
  })
  cpSync(join(root, 'openapi/openapi.json'), join(making, 'openapi.json'))
  cpSync(migrations, join(making, 'migrations'), { recursive: true })
  await layCluster(join(making, 'cluster'))
  utimesSync(join(making, 'main.js'), startedAt, startedAt)
  replace(output, making)
  console.log(`built ${programs.length} programs`)
}

const site = join(output, 'site')
const siteMarker = join(site, 'docs.html')
const siteSources = ['docs', 'CHANGELOG.md', 'openapi', 'scripts/docs'].map((name) => join(root, name))
if (!existsSync(siteMarker) || newestOf(siteSources) > statSync(siteMarker).mtimeMs) {
  const { writeSite } = await import('./docs/write-site.ts')
  rmSync(site, { recursive: true, force: true })
  writeSite(root, site)
  utimesSync(siteMarker, startedAt, startedAt)
  console.log('built the documentation')
}

if (!isConsoleBuilt()) {
  const making = `${output}.console.${process.pid}`
  const { buildConsole } = await import('./console.ts')
  await buildConsole(making)
  utimesSync(join(making, 'index.html'), startedAt, startedAt)
  replace(builtConsole, making)
  console.log('built the console')
}

/**
 * An embedded database with all tables. The first start copies it, because making it takes longer than the rest of a start. It stays
 * from one build to the next while nothing changes that it depends on.
 */
async function layCluster(cluster: string): Promise<void> {
  const last = join(output, 'cluster')
  const lastMarker = join(last, 'PG_VERSION')
  const makers = [migrations, join(root, 'packages/engine/src/mechanisms/db'), lock, import.meta.filename]
  if (existsSync(lastMarker) && newestOf(makers) <= statSync(lastMarker).mtimeMs) {
    cpSync(last, cluster, { recursive: true, preserveTimestamps: true })
    return
  }
  const [{ createDatabase }, { migrate, readMigrations }, { openPglite }] = await Promise.all([
    import('../packages/engine/src/mechanisms/db/database.ts'),
    import('../packages/engine/src/mechanisms/db/migrate.ts'),
    import('../packages/engine/src/mechanisms/db/pglite.ts'),
  ])
  const driver = await openPglite({ directory: cluster })
  await migrate(createDatabase(driver), await readMigrations(migrations))
  await driver.close()
  utimesSync(join(cluster, 'PG_VERSION'), startedAt, startedAt)
}

function replace(folder: string, made: string): void {
  rmSync(folder, { recursive: true, force: true })
  renameSync(made, folder)
}
