import type { Finding, Rule } from './rules.ts'
import type { SourceFile } from './source.ts'

/**
 * The dependency rule of ARCHITECTURE.md as a table: which part of the repository a file belongs to, and
 * what each part may import. Tests and the testkit may import anything.
 */

const mechanisms = ['http', 'db', 'jobs', 'outbox', 'ledger', 'keys']
/** Folders of pure tables: adapters may read them too, through their index.ts. */
const tables = ['currencies', 'rails', 'exchange-rates']

type Zone =
  | 'kernel'
  | 'account-types'
  | 'ports'
  | 'mechanism'
  | 'feature'
  | 'composition'
  | 'adapter'
  | 'client'
  | 'server'
  | 'wiring'

export function zoneOf(path: string): Zone | undefined {
  if (path.startsWith('packages/kernel/')) return 'kernel'
  if (path.startsWith('packages/adapters/')) return 'adapter'
  if (/^(packages\/sdk|apps\/(dashboard|cli))\//.test(path)) return 'client'
  if (path === 'apps/server/src/wiring.ts') return 'wiring'
  if (path.startsWith('apps/server/')) return 'server'
  const [, folder] = /^packages\/engine\/src\/([^/]+)\//.exec(path) ?? []
  if (folder === undefined) return path.startsWith('packages/engine/src/') ? 'composition' : undefined
  if (folder === 'account-types' || folder === 'ports') return folder
  return mechanisms.includes(folder) ? 'mechanism' : 'feature'
}

const allowed: Readonly<Record<Zone, { readonly zones: readonly Zone[]; readonly advice: string }>> = {
  kernel: { zones: ['kernel'], advice: 'the kernel imports nothing: take what you need as a parameter' },
  'account-types': {
    zones: ['kernel', 'account-types'],
    advice: 'account types import the kernel only: pass the rest in',
  },
  ports: { zones: ['kernel', 'account-types', 'ports'], advice: 'ports are interfaces over the kernel' },
  mechanism: {
    zones: ['kernel', 'account-types', 'ports', 'mechanism'],
    advice: 'a mechanism knows no feature: take an interface or a function as a parameter',
  },
  feature: {
    zones: ['kernel', 'account-types', 'ports', 'mechanism', 'feature'],
    advice: 'a feature reaches the outside world through engine.adapters, declared in ports/',
  },
  composition: {
    zones: ['kernel', 'account-types', 'ports', 'mechanism', 'feature', 'composition'],
    advice: 'the engine never imports an adapter: apps/server/src/wiring.ts passes them in',
  },
  adapter: {
    zones: ['kernel', 'account-types', 'ports', 'adapter'],
    advice: 'an adapter implements ports/ and reads the tables of currencies, rails and exchange-rates',
  },
  client: { zones: ['client'], advice: 'clients know the published document alone: use @corridor/sdk' },
  server: {
    zones: [
      'kernel',
      'account-types',
      'ports',
      'mechanism',
      'feature',
      'composition',
      'server',
      'wiring',
      'client',
    ],
    advice: 'only wiring.ts sees the adapters: build it there and pass it on',
  },
  wiring: {
    zones: ['kernel', 'ports', 'mechanism', 'feature', 'composition', 'adapter', 'server'],
    advice: 'wiring builds the engine and its adapters, and nothing else',
  },
}

/** The type of what every command receives; mechanisms and features name it, and import nothing with it. */
const engineType = 'packages/engine/src/engine.ts'
const isContract = (path: string) => /\/(contract|[a-z0-9-]*-schemas)\.ts$/.test(path)
const folderOf = (path: string) => /^packages\/engine\/src\/([^/]+)\//.exec(path)?.[1]

export const dependencyRule: Rule = {
  name: 'dependencies',
  check: (file) => (isTestFile(file.path) ? [] : file.imports.flatMap((each) => refuse(file, each))),
}

function refuse(
  file: SourceFile,
  { specifier, target, isType, line }: SourceFile['imports'][number],
): Finding[] {
  const zone = zoneOf(file.path)
  if (zone === undefined) return []
  const { zones, advice } = allowed[zone]
  const finding = (message: string): Finding[] => [{ path: file.path, line, message }]
  if (target === undefined) {
    return zone === 'kernel' ? finding(`imports ${specifier}; ${allowed.kernel.advice}`) : []
  }
  if (target === engineType && (zone === 'mechanism' || zone === 'feature')) return []
  if (zone === 'adapter' && tables.some((name) => target === `packages/engine/src/${name}/index.ts`))
    return []
  const targetZone = zoneOf(target)
  if (targetZone === undefined || !zones.includes(targetZone)) {
    return finding(`imports ${target}; ${advice}`)
  }
  const isForeignFeature = targetZone === 'feature' && folderOf(target) !== folderOf(file.path)
  if (zone !== 'feature' || !isForeignFeature || target.endsWith('/index.ts')) return []
  // What travels on the wire is public: any file may name its types, and contracts are built of each other.
  if (isContract(target) && (isType || isContract(file.path))) return []
  return finding(
    `imports the inside of another feature, ${target}; export what you need from its index.ts (types of a contract may be imported directly)`,
  )
}

export function isTestFile(path: string): boolean {
  return /\.test\.ts$/.test(path) || /^(tests|packages\/testkit)\//.test(path)
}
