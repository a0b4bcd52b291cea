/**
 * Where each test runs. `npm test` runs what needs Node alone, on the embedded database. `.ci/run` then runs a second part on a
 * PostgreSQL server: the tests that need Chromium, and those whose result can depend on the database. CONTRIBUTING.md has the reasons.
 */

/** Need Chromium, and run once. A server answers them faster than the embedded database does. */
export const inBrowser = ['tests/browser/**/*.test.ts', 'tests/console/**/*.test.ts']

/** Run on both databases: several sessions, locks, roles, policies, plans, orders of rows, or a server that goes away. */
export const onBothDatabases = [
  'apps/server/src/worlds/**/*.test.ts',
  'packages/engine/src/mechanisms/{audit,db,jobs,keys,ledger,lists,outbox,request-log}/**/*.test.ts',
  // Of each area that keeps rows of its own, the file that sends most of its statements.
  'tests/e2e/{bulk-imports,card-transactions,cards,customers,documents,event-stream,external-accounts}.test.ts',
  'tests/e2e/{faults,idempotency,kyc-links,largest-amounts,lookups,operators,process,reviews}.test.ts',
  'tests/e2e/{sca-login,sca-resets,search,stablecoins,transaction-lists,uma-receipts,verifications}.test.ts',
  'tests/e2e/{wallet-credentials,wallet-sign-in,webhook-events,webhook-listeners,webhook-resends}.test.ts',
  'tests/inside/**/*.test.ts',
  'tests/security/{database-users,key-rotation*,parallel-uploads,sealed-places,tenancy,token*}.test.ts',
  'tests/simulation/{backup,bulk-import,durable,ledger-*,outage-storm,payment-storm,sca-kills,transaction-numbers}.test.ts',
  'tests/upgrade/**/*.test.ts',
]

/** Run once although a pattern above takes them: rules about third parties, whose statements other tests send to a server. */
export const onceAlone: string[] = []

const everywhere = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'tests/**/*.test.ts',
  'scripts/**/*.test.ts',
]

/** `node`: what needs Node alone. `server`: what runs on a PostgreSQL server. Absent: every file, as for one that is run alone. */
export type Part = 'node' | 'server'

export function filesOf(part: Part | undefined): { include: string[]; exclude: string[] } {
  if (part === 'server') return { include: [...inBrowser, ...onBothDatabases], exclude: onceAlone }
  return { include: everywhere, exclude: [] }
}

/** The part that runs now. */
export function currentPart(): Part | undefined {
  const { CORRIDOR_TESTS: part } = process.env
  if (part === undefined || part === 'node' || part === 'server') return part
  throw new Error(`CORRIDOR_TESTS is "${part}". Use node or server, or leave it out.`)
}
