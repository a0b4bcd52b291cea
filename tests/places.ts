/**
 * Where each test runs. `npm test` runs all that needs Node alone, on the embedded database. `.ci/run` runs every test once, and
 * on both databases those whose result can depend on the database. CONTRIBUTING.md has the reasons.
 */

/** Need Chromium. A server answers them faster than the embedded database does. */
export const inBrowser = ['tests/browser/**/*.test.ts', 'tests/console/**/*.test.ts']

/** Need no database, or use the embedded one themselves, as programs that people start do. */
export const onEmbedded = [
  'packages/engine/src/mechanisms/db/pglite.test.ts',
  'tests/e2e/{dev,image,process}.test.ts',
  'tests/simulation/{audit-kills,demo,uma-demo}.test.ts',
]

/** Say what Corridor does, whatever the database. A server takes half the CPU of the embedded database. */
export const onServer = ['tests/{e2e,inside,security,simulation}/**/*.test.ts']

/** Several sessions, locks, roles, policies, plans, orders of rows, restarts, or a server that goes away. */
export const onBothDatabases = [
  'apps/server/src/database-clock.test.ts',
  'apps/server/src/bootstrap.test.ts',
  'apps/server/src/worlds/**/*.test.ts',
  'packages/engine/src/mechanisms/{audit,db,jobs,keys,ledger,lists,outbox,request-log}/**/*.test.ts',
  'tests/e2e/{documents,event-stream,idempotency,largest-amounts,quote-execution,search,transaction-lists}.test.ts',
  'tests/inside/{background,changed-in-place,ended-sessions}.test.ts',
  'tests/inside/{idempotency-race,immediate-execution,job-plans,known-facts,ledger-verdicts,list-statements}.test.ts',
  'tests/inside/{list-totals,mint-crashes,planted-corruptions,request-log-bounds,retention,sca-crashes}.test.ts',
  'tests/inside/{search-plans,seed,stop-without-database,worlds,worlds-under-way}.test.ts',
  'tests/security/{key-rotation,sealed-places}.test.ts',
  'tests/simulation/{backup,ledger-model,outage-storm}.test.ts',
  'tests/upgrade/**/*.test.ts',
]

const withoutServer = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'scripts/**/*.test.ts',
  'tests/{additions,guides,packages}/**/*.test.ts',
  ...onEmbedded,
]

/**
 * `node`: what needs Node alone, as `npm test` runs it. `embedded` and `server`: the two parts of `.ci/run`, on the embedded database
 * and on a PostgreSQL server. Absent: every file, as for one that is run alone.
 */
export type Part = 'node' | 'embedded' | 'server'

export function filesOf(part: Part | undefined): { include: string[]; exclude: string[] } {
  if (part === 'embedded') return { include: [...withoutServer, ...onBothDatabases], exclude: [] }
  if (part === 'server')
    return { include: [...inBrowser, ...onServer, ...onBothDatabases], exclude: onEmbedded }
  return { include: [...withoutServer, 'tests/**/*.test.ts'], exclude: [] }
}

/** The part that runs now. */
export function currentPart(): Part | undefined {
  const { CORRIDOR_TESTS: part } = process.env
  if (part === undefined || part === 'node' || part === 'embedded' || part === 'server') return part
  throw new Error(`CORRIDOR_TESTS is "${part}". Use node, embedded or server, or leave it out.`)
}
