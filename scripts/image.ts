import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
// Builds, where something has changed.
import { external } from './build.ts'
import { output, root } from './built.ts'

/**
 * Builds the programs and puts together what a container of the server needs, and nothing else:
 * `tsx scripts/image.ts <new folder>`. The Dockerfile copies the folder; a test starts a server in one.
 */

const [target, ...more] = process.argv.slice(2)
if (target === undefined || more.length > 0 || existsSync(target)) {
  process.stderr.write('Usage: tsx scripts/image.ts <new folder>\n')
  process.exit(2)
}
const folder = resolve(target)
/** Source maps serve nobody there; `.map` alone is a file of PostgreSQL's as well. */
const isNeeded = (path: string) => !/\.(js|cjs|css)\.map$/.test(path)
cpSync(output, join(folder, 'dist'), { recursive: true, filter: isNeeded })
const require = createRequire(join(root, 'apps/server/package.json'))
for (const name of external) {
  const source = packageFolder(name)
  if (!source) continue
  cpSync(source, join(folder, 'node_modules', name), {
    recursive: true,
    filter: (path) => isNeeded(path) && !relative(source, path).split(sep).includes('node_modules'),
  })
}
// The template of the embedded database is its maker's alone; in the image another user reads it.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
writeFileSync(join(folder, 'sbom.json'), billOfMaterials())

/** Undefined for one that is optional and not installed. */
function packageFolder(name: string): string | undefined {
  for (const start of require.resolve.paths(name) ?? []) {
    if (existsSync(join(start, name, 'package.json'))) return join(start, name)
  }
  return undefined
}

/** What the server is made of, from the lock file: CycloneDX, by npm. */
function billOfMaterials(): string {
  const npm = join(dirname(process.execPath), 'npm')
  const parameters = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  return execFileSync(existsSync(npm) ? npm : 'npm', parameters, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
}
