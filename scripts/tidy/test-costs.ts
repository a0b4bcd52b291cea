import type { Finding, Rule } from './rules.ts'
import type { SourceFile } from './source.ts'

/** CPU seconds of one test file, with the processes that it starts. A larger file holds a second subject, or a long proof. */
export const budgetSeconds = 25

/** Test files that may take more, and why. */
export const exceptions: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {
  'packages/engine/src/mechanisms/db/migrate.test.ts': {
    seconds: 40,
    reason: 'an embedded database of its own for each state of the migrations',
  },
  'tests/console/console.test.ts': { seconds: 90, reason: 'walks through every page in a browser' },
  'tests/console/incident.test.ts': {
    seconds: 120,
    reason: 'one long story, whose pages build on each other',
  },
  'tests/console/list-states.test.ts': {
    seconds: 100,
    reason: 'each list in each of its states, in a browser',
  },
  'tests/console/worlds.test.ts': { seconds: 80, reason: 'starts servers of its own, which make forks' },
  'tests/e2e/dev.test.ts': {
    seconds: 135,
    reason: 'a process of its own for each test, as people start and end them',
  },
  'tests/e2e/fault-matrix.test.ts': {
    seconds: 110,
    reason: 'every fault of a rail against every way that money moves',
  },
  'tests/e2e/process.test.ts': { seconds: 45, reason: 'a started server for each of its ends' },
  'tests/guides/examples.test.ts': { seconds: 40, reason: 'runs each example against a server of its own' },
  'tests/guides/guides.test.ts': { seconds: 160, reason: 'follows every guide with servers of its own' },
  'tests/inside/clock-kills.test.ts': { seconds: 50, reason: 'kills a server amid moves of its clock' },
  'tests/inside/seed.test.ts': {
    seconds: 75,
    reason: 'starts each installation twice and compares all that it says',
  },
  'tests/inside/worlds.test.ts': {
    seconds: 140,
    reason: 'starts an installation for each way that a restore can end',
  },
  'tests/packages/installed.test.ts': {
    seconds: 95,
    reason: 'packs the packages and installs them into an empty folder',
  },
  'tests/security/fuzz.test.ts': { seconds: 110, reason: 'every operation with random values' },
  'tests/security/parallel-uploads.test.ts': {
    seconds: 40,
    reason: 'as many uploads at once as a started server takes',
  },
  'tests/security/tenancy.test.ts': {
    seconds: 65,
    reason: 'every operation with the ids of another platform',
  },
  'tests/simulation/backup.test.ts': {
    seconds: 55,
    reason: 'a backup and a restore on each database, by the programs',
  },
  'tests/simulation/bulk-import.test.ts': {
    seconds: 45,
    reason: 'an import in a real process, which is killed in the middle',
  },
  'tests/simulation/uma-demo.test.ts': { seconds: 35, reason: 'two started servers that pay each other' },
}

const table = 'tests/costs.json'
const howToRecord = 'CORRIDOR_RECORD_COSTS=on npx vitest run FILE writes it anew'

/** Figures are recorded, not measured by tidy: a busy machine must not fail it. */
export const testCostRule: Rule = {
  name: 'test-costs',
  checkAll(files) {
    const recorded = files.find(({ path }) => path === table)
    if (!recorded) return []
    const paths = new Set(files.map(({ path }) => path))
    const costs = Object.entries(JSON.parse(recorded.text) as Record<string, number>)
    return [
      ...costs.flatMap(([path, seconds]) => findingsOfCost(path, seconds, paths)),
      ...deadExceptions(files),
    ]
  },
}

function findingsOfCost(path: string, seconds: number, paths: ReadonlySet<string>): Finding[] {
  if (!paths.has(path)) return [{ path: table, message: `${path} is gone: remove its line` }]
  const limit = exceptions[path]?.seconds ?? budgetSeconds
  if (seconds <= limit) return []
  return [
    {
      path,
      message: `takes ${seconds} s of CPU, ${limit} at most: move long versions to npm run proof, or share fixtures. ${howToRecord}`,
    },
  ]
}

function deadExceptions(files: readonly SourceFile[]): Finding[] {
  const paths = new Set(files.map(({ path }) => path))
  return Object.keys(exceptions)
    .filter((path) => !paths.has(path))
    .map((path) => ({ path: 'scripts/tidy/test-costs.ts', message: `${path} is gone: remove its exception` }))
}
