import { circleRule, dependencyRule, isTestFile, outsideRule } from './dependencies.ts'
import { laboratoryRule } from './laboratory.ts'
import { proseRule } from './prose.ts'
import { textRule } from './prose-texts.ts'
import { lineAt, namedImports, type SourceFile } from './source.ts'
import { spokenRule } from './spoken.ts'
import { stateRule } from './states.ts'
import { testCostRule } from './test-costs.ts'

export interface Finding {
  readonly path: string
  readonly line?: number
  /** What is wrong and what to write instead. */
  readonly message: string
  /** Worth a look, and no reason to stop. */
  readonly isWarning?: true
}

/** A convention of the project that a program can check. Looks at one file, or at all of them. */
export interface Rule {
  readonly name: string
  readonly check?: (file: SourceFile) => Finding[]
  readonly checkAll?: (files: readonly SourceFile[]) => Finding[]
}

/** A pattern in code, where it is refused, and what to write instead. */
interface Ban {
  readonly pattern: RegExp
  readonly advice: string
  readonly only?: RegExp
  readonly except?: RegExp
}

/** Sources of the product: no tests, no tools, no generated code. */
function isProduct(path: string): boolean {
  return (
    /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTestFile(path) && !path.includes('/generated/')
  )
}

/** Where time, chance and settings come in: of the server, and of the client, which has no World. */
const world =
  /^(apps\/server\/src\/real-world|packages\/(kernel\/src\/world|sdk\/src\/runtime)|apps\/cli\/src\/terminal)\.ts$/

const bans: readonly Ban[] = [
  {
    pattern: /^export \*/gm,
    advice: 'name what others may use',
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\s*[(.\w])|\bDate\(\s*\)/g,
    advice: 'take the time from scope.now, or world.now() outside a scope',
    except: world,
  },
  {
    pattern:
      /\b(query|read|write)(<[^>]*>)?\(\s*(\w+,\s*)?\{\s*(name|text)\b|: Statement = \{|\bas Statement\b/g,
    advice: 'make it with statement(), so that it is on record and its plan is looked at',
    // The driver hands over what it was given.
    except: /^packages\/engine\/src\/mechanisms\/db\/(postgresql|pglite)\.ts$/,
  },
  { pattern: /\bMath\.random\b/g, advice: 'use world.randomBytes()', except: world },
  {
    pattern: /(?<!\bworld\.)\b(randomUUID|randomBytes|randomInt|getRandomValues|randomFill(Sync)?)\(/g,
    advice: 'use world.id(kind), world.uuid() or world.randomBytes()',
    except: world,
  },
  {
    pattern: /((?<![\w.#])|\b(globalThis|global|window)\.)fetch\(/g,
    advice: 'use world.fetch, which refuses to run inside a transaction',
    except: /^packages\/sdk\/|^apps\/(console|cli)\//,
  },
  {
    pattern: /\bworld\.(fetch|exchange)\b/g,
    advice: 'call a third party by an adapter, which first waits until what was read is durable (ADR 47)',
    only: /^packages\/engine\//,
    except: /^packages\/engine\/src\/assembly\/create-engine\.ts$/,
  },
  {
    pattern: /\bprocess\.env\b/g,
    advice: 'add a variable to apps/server/src/config.ts and pass its value on',
    except: /^apps\/server\/src\/config\.ts$|^apps\/cli\/|^packages\/sdk\/src\/testing\//,
  },
  {
    pattern: /((?<![\w.#])|\b(globalThis|global|window|timers)\.)set(Timeout|Interval)\(/g,
    advice: 'make it a job, or pace a background loop with world.sleep',
    // A server that does not answer is no part of the World, and neither is how long it takes to find out.
    except:
      /^apps\/(server\/src\/real-world\.ts|console\/|cli\/)|^packages\/(sdk\/|engine\/src\/mechanisms\/db\/(durability|postgresql|session-watch)\.ts)/,
  },
  {
    pattern: /\b(Number|parseFloat|parseInt)\(\s*[\w.?![\]]*([aA]mount|[mM]inor|[bB]alance|[fF]ee(?!d))\w*/g,
    advice: 'amounts stay bigint inside; use toWireAmount where they leave',
    except: /^packages\/kernel\/src\/money\.ts$/,
  },
]

export const banRule: Rule = {
  name: 'bans',
  check: (file) =>
    isProduct(file.path)
      ? bans.flatMap(({ pattern, advice, only, except }) =>
          except?.test(file.path) || only?.test(file.path) === false
            ? []
            : found(file, pattern).map((match) =>
                at(file, match, `${match[0].trim()} is not used here; ${advice}`),
              ),
        )
      : [],
}

/** Packages and parts of Node by which the outside world could come in under another name. */
const bannedImports: readonly (Omit<Ban, 'pattern'> & { readonly specifier: RegExp })[] = [
  {
    specifier: /^(node:)?timers(\/promises)?$/,
    advice: 'make it a job, or pace a background loop with world.sleep',
    except: /^apps\/server\/src\/real-world\.ts$/,
  },
  {
    specifier: /^((node:)?(http|https|http2|tls|dgram)|undici)$/,
    advice: 'use world.fetch; connections are made in adapters and in apps/server',
    except:
      /^packages\/(adapters|sdk\/src\/testing)\/|^apps\/|^packages\/engine\/src\/mechanisms\/http\/(?:server|connections)\.ts$/,
  },
]

export const bannedImportRule: Rule = {
  name: 'banned imports',
  check: ({ path, imports }) =>
    isProduct(path)
      ? imports.flatMap(({ specifier: imported, isType, line }) =>
          bannedImports
            .filter(({ specifier, except }) => !isType && specifier.test(imported) && !except?.test(path))
            .map(({ advice }) => ({ path, line, message: `${imported} is not used here; ${advice}` })),
        )
      : [],
}

/** The rules of a feature are plain functions of facts, so that a table can test them. */
export const pureRule: Rule = {
  name: 'pure files',
  check: (file) =>
    isProduct(file.path) && /\/(contract|rules|pricing|machine)\.ts$/.test(file.path)
      ? found(file, /\b(await|async)\b/g).map((match) =>
          at(file, match, `${match[0]} in a pure file; load the facts in commands.ts and pass them in`),
        )
      : [],
}

const environmentFiles =
  /^packages\/(adapters\/src\/sandbox|engine\/src\/money\/sandbox)\/|^apps\/server\/src\/wiring\.ts$|\/contract\.ts$/
/** Where the guard of conventions 2.5, the limits of 8 and the clock of the sandbox are implemented. */
const environmentMechanisms = /^packages\/engine\/src\/mechanisms\/(http\/admission|jobs\/clock)\.ts$/

/**
 * What the two environments do differently is data: an adapter, or a field of its rules. The words may
 * stand in types, tables and SQL; what is refused is a decision by them.
 */
export const environmentRule: Rule = {
  name: 'environment',
  check(file) {
    if (!isProduct(file.path) || environmentFiles.test(file.path) || environmentMechanisms.test(file.path)) {
      return []
    }
    const advice =
      'add a field to EnvironmentRules in ports/adapters.ts and read engine.adapters[scope.environment].rules'
    const decisions = [
      ...file.text.matchAll(
        /(?:[=!]==?|\bcase)\s*['"](?:SANDBOX|PRODUCTION)['"]|['"](?:SANDBOX|PRODUCTION)['"]\s*[=!]==?/g,
      ),
    ].filter((match) => file.code[match.index] !== ' ')
    const names = found(file, /\b(is|in|for|not)_?(Sandbox|Production)(?!s)\w*/g)
    return [...decisions, ...names].map((match) =>
      at(file, match as RegExpExecArray, `${match[0].trim()} decides by environment; ${advice}`),
    )
  },
}

/** Named after what is in them, a chain or a country, and no catch-all. */
const namesakes = new Set(['packages/engine/src/reference/account-types/base.ts'])

export const nameRule: Rule = {
  name: 'file names',
  check(file) {
    if (!/\.tsx?$/.test(file.path) || file.path.includes('/generated/') || namesakes.has(file.path)) return []
    const name = file.path
      .split('/')
      .at(-1)!
      .replace(/(\.test)?\.tsx?$/, '')
    const findings: Finding[] = []
    if (/(^|-)(utils?|helpers?|managers?|handlers?|base|common|misc|shared)$/.test(name)) {
      findings.push({ path: file.path, message: 'is named after nothing; name it after its subject' })
    }
    if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name)) {
      findings.push({ path: file.path, message: 'is not in kebab-case' })
    }
    return findings
  },
}

const maxLines = 450

export const lengthRule: Rule = {
  name: 'length',
  check(file) {
    if (!/\.tsx?$/.test(file.path) || file.path.includes('/generated/')) return []
    const lines = file.text.split('\n').length - 1
    if (lines <= maxLines) return []
    return [
      { path: file.path, message: `has ${lines} lines; what second subject does it hold?`, isWarning: true },
    ]
  },
}

// Put together here, so that this file is not its own finding.
const privatePlaces = new RegExp(
  [
    '(?<![\\w.:/~{}])/(work|farm|Users)/',
    '\\.\\./shared\\b',
    `registry\\.${'npmjs'}`,
    `resolved": "${'http'}`,
  ].join('|'),
  'g',
)

export const placeRule: Rule = {
  name: 'private places',
  check: (file) =>
    [...file.text.matchAll(privatePlaces)].map((match) =>
      at(file, match, `${match[0]} exists on one machine; use a path from the root of the repository`),
    ),
}

export const railRule: Rule = {
  name: 'rails',
  checkAll(files) {
    const home = 'packages/adapters/src/rails/'
    const registered = files.find(({ path }) => path === `${home}index.ts`)?.imports ?? []
    const folders = new Set(
      files
        .filter(({ path }) => path.startsWith(home) && path.slice(home.length).includes('/'))
        .map(({ path }) => `${home}${path.slice(home.length).split('/')[0]}/`),
    )
    return [...folders]
      .filter((folder) => !registered.some(({ target }) => target?.startsWith(folder)))
      .map((folder) => ({ path: folder, message: `is a rail nobody can use; add a line to ${home}index.ts` }))
  },
}

/** What a feature shows others through its `index.ts` has somebody outside who uses it. */
export const indexRule: Rule = {
  name: 'index exports',
  checkAll(files) {
    const used = new Map<string, Set<string>>()
    for (const { path, text } of files) {
      if (!/\.tsx?$/.test(path)) continue
      for (const { names, target } of namedImports(path, text)) {
        if (target === undefined || isWithin(path, target)) continue
        used.set(target, new Set([...(used.get(target) ?? []), ...names]))
      }
    }
    return files
      .filter(({ path }) => /^packages\/engine\/src\/[^/]+\/[^/]+\/index\.ts$/.test(path))
      .flatMap((file) =>
        [...file.text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap((match) =>
          namesIn(match[1]!)
            .filter((name) => !used.get(file.path)?.has(name))
            .map((name) => at(file, match, `${name} is used by nobody outside; take it from the list`)),
        ),
      )
  },
}

const isWithin = (path: string, index: string) => path.startsWith(index.slice(0, -'index.ts'.length))

/** `a, type B, c as d` → a, B, d: the names under which others know them. */
function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => each.split(' as ').at(-1)!.trim())
}

/** What somebody starts, and so nobody imports. */
const entryPoints =
  /^(apps\/[^/]+\/src\/(main|demo|audit|backup|restore|restore-check|rotate-master-key)\.tsx?|packages\/[^/]+\/src\/(testing\/)?index\.ts|scripts\/[^/]+\.ts|examples\/[^/]+\.ts|tests\/.*|.*\.test\.ts|[^/]+\.ts|apps\/[^/]+\/[^/]+\.ts)$/

export const deadFileRule: Rule = {
  name: 'dead files',
  checkAll(files) {
    const byPath = new Map(files.filter(({ path }) => /\.tsx?$/.test(path)).map((file) => [file.path, file]))
    const reached = new Set<string>()
    const queue = [...byPath.keys()].filter((path) => entryPoints.test(path))
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const file = byPath.get(path)
      if (!file || reached.has(path)) continue
      reached.add(path)
      queue.push(...file.imports.flatMap(({ target }) => target ?? []))
      // A tool may be told of a file by its path, as vitest is of its set-up.
      for (const [, named] of file.text.matchAll(/['"]((?:packages|apps|scripts)\/[\w./-]+\.ts)['"]/g)) {
        queue.push(named!)
      }
    }
    return [...byPath.keys()]
      .filter((path) => !reached.has(path))
      .map((path) => ({
        path,
        message: 'is imported by nothing; import it from where it is used, or delete it',
      }))
  },
}

/** Names that say by themselves what a file of a feature holds (ARCHITECTURE.md). */
const template =
  /^((contract|rules|machine|store|commands|routes|jobs|events|render|index|feature)|.*-schemas)\.ts$/

/** A table of files is complete: whoever looks for a rule takes what is not in it for what is not there. */
export const fileTableRule: Rule = {
  name: 'tables of files',
  checkAll: (files) =>
    files
      .filter(({ path, text }) => path.endsWith('/README.md') && text.includes('\n| File | '))
      .flatMap(({ path, text }) => {
        const folder = path.slice(0, -'README.md'.length)
        const named = [...text.matchAll(/`([\w*-]+\.ts)`/g)].map(
          ([, name]) => new RegExp(`^${name!.replace('.', '\\.').replace('*', '.*')}$`),
        )
        return files
          .filter(
            (file) => file.path.startsWith(folder) && /^[\w-]+\.ts$/.test(file.path.slice(folder.length)),
          )
          .map((file) => file.path.slice(folder.length))
          .filter((name) => !template.test(name) && !named.some((pattern) => pattern.test(name)))
          .map((name) => ({ path, message: `has no line for ${name}` }))
      }),
}

export const rules: readonly Rule[] = [
  fileTableRule,
  dependencyRule,
  circleRule,
  outsideRule,
  laboratoryRule,
  banRule,
  bannedImportRule,
  pureRule,
  environmentRule,
  nameRule,
  railRule,
  proseRule,
  textRule,
  spokenRule,
  stateRule,
  indexRule,
  deadFileRule,
  placeRule,
  lengthRule,
  testCostRule,
]

export function findingsOf(files: readonly SourceFile[]): Finding[] {
  return rules.flatMap((rule) => [
    ...(rule.check ? files.flatMap(rule.check) : []),
    ...(rule.checkAll?.(files) ?? []),
  ])
}

function found(file: SourceFile, pattern: RegExp): RegExpExecArray[] {
  return [...file.code.matchAll(pattern)] as RegExpExecArray[]
}

function at(file: SourceFile, match: { readonly index?: number }, message: string): Finding {
  return { path: file.path, line: lineAt(file.text, match.index ?? 0), message }
}
