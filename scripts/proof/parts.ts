/** A long proof: a program that ends with 0 when it holds. CORRIDOR_PROOF_SEED says which random cases it takes. */
interface Part {
  readonly proves: string
  /** The most that it may take on two cores. */
  readonly minutes: number
  readonly command: readonly [program: string, ...parameters: string[]]
}

const script = (path: string, ...more: string[]): Part['command'] => ['npx', 'tsx', path, ...more]
/** Test files, each with its thorough number of cases (`effort` of the testkit). */
const tests = (...files: string[]): Part['command'] => ['npx', 'vitest', 'run', ...files]

export const parts: Readonly<Record<string, Part>> = {
  quotes: {
    proves: 'a million quotes keep the locked side, add up and are minimal',
    minutes: 20,
    command: tests(
      'packages/engine/src/money/quotes/pricing.property.test.ts',
      'packages/engine/src/money/exchange-rates/price-list.property.test.ts',
    ),
  },
  histories: {
    proves:
      'long random histories agree with plain models of the ledger, of payments and of cards, and leave money, records and versions in agreement',
    minutes: 60,
    command: tests(
      'tests/simulation/ledger-model.test.ts',
      'tests/simulation/money-histories.test.ts',
      'packages/engine/src/money/cards/lifecycle.model.test.ts',
      'packages/engine/src/money/payments/lifecycle.property.test.ts',
    ),
  },
  plans: {
    proves:
      'each statement finds its rows by key among 300,000 in each table, with statistics and before any',
    minutes: 120,
    command: script('scripts/test.ts', '--postgresql', 'tests/inside/statement-plans.test.ts'),
  },
  'start-up': {
    proves: 'a payment costs the same in each of the first minutes of an installation',
    minutes: 15,
    command: script('scripts/start-up.ts', '--minutes', '5'),
  },
  fuzz: {
    proves: 'a hundred random requests to each operation get a declared response',
    minutes: 60,
    command: tests('tests/security/fuzz.test.ts'),
  },
  faults: {
    proves: 'every fault against every way that money moves leaves a balanced ledger',
    minutes: 15,
    command: tests('tests/e2e/fault-matrix.test.ts'),
  },
  storms: {
    proves:
      'no payment, return or receivable is lost or doubled when servers, sessions and databases go away',
    minutes: 30,
    command: script('scripts/storm.ts'),
  },
  'hostile-bodies': {
    proves: 'bodies in many pieces, without an end or pipelined leave the server alive and responsive',
    minutes: 30,
    command: script('scripts/hostile-bodies.ts'),
  },
  failovers: {
    proves: 'nothing acknowledged is lost when a frozen standby takes over, in 100 rounds',
    minutes: 90,
    command: script('scripts/failovers.ts', '--rounds', '100'),
  },
  'failover-points': {
    proves: 'Patroni promotes a standby at every point of a payment, and nothing that was told is lost',
    minutes: 45,
    command: script('scripts/failover-points.ts', '--patroni'),
  },
  'newest-node': {
    proves: 'the suite passes on the newest Node with long-term support, which the image uses',
    minutes: 30,
    command: script('scripts/proof/newest.ts', 'node'),
  },
  'newest-postgresql': {
    proves: 'the tests of the database pass on the newest PostgreSQL',
    minutes: 30,
    command: script('scripts/proof/newest.ts', 'postgresql'),
  },
  forks: {
    proves: 'fifty forks of a sandbox with history see their own payments alone',
    minutes: 20,
    command: script('scripts/forks.ts'),
  },
  clients: {
    proves: 'clients of other people and languages list with filters, upload and pay',
    minutes: 5,
    command: script('scripts/clients.ts'),
  },
}
